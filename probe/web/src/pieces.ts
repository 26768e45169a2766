// The men, drawn for this page in two sets: today's, easy to tell from each other on a screen, and traditional ones, turned on
// a lathe: king, met and khon like stupas of three heights, a squat rook, a carved knight, a cowrie.
import { h, s } from "./dom.ts";
import { chosen } from "./language/choice.ts";
import { isThai, letterOf } from "./notation.ts";
import { type Man, type Role, roleOf, sideOf } from "./position.ts";
import { type Shape, TODAY } from "./shapes.ts";
import { kept } from "./store.ts";

/** The outline of a turned man: half widths at heights, from the foot up. */
function turned(...profile: [width: number, height: number][]): string {
    const [foot, ...rest] = profile;
    const half = (sign: number, points: [number, number][]) =>
        points.map(([width, height], at) => {
            const [next, up] = points[at + 1] ?? [width, height];
            return `Q${24 + sign * width} ${height} ${24 + (sign * (width + next)) / 2} ${(height + up) / 2}`;
        });
    const down = [...rest].reverse();
    return `M${24 - foot![0]} ${foot![1]}${half(-1, rest).join("")}${half(1, [...down, foot!]).join("")}z`;
}

const ring = (width: number, height: number) => `M${24 - width} ${height}q${width} 1.6 ${2 * width} 0`;

const TRADITIONAL: Record<Role, Shape> = {
    K: {
        body: [
            turned(
                [15, 44.5],
                [15, 40],
                [10, 39],
                [9, 33],
                [14, 31],
                [14, 26],
                [8, 24],
                [10.5, 21],
                [6, 18],
                [7, 15],
                [3, 12],
                [4, 10],
                [1, 6],
                [0, 2],
            ),
        ],
        lines: [ring(11, 39.5), ring(13, 28.5), ring(8.6, 22), ring(5.6, 16.2)],
    },
    R: {
        body: [
            turned(
                [15.5, 44.5],
                [15.5, 40.5],
                [11.5, 38.5],
                [11, 33.5],
                [16.5, 30],
                [17.5, 25.5],
                [14, 21.5],
                [7, 20.5],
                [2.6, 19.5],
                [3, 16.5],
                [0, 16],
            ),
        ],
        lines: [ring(12, 39), ring(15.6, 27.6)],
    },
    N: {
        body: [
            "M10.5 44.500c0-2.6.8-4 3-4.600h21c2.200.6 3 2 3 4.600z",
            "M14.5 39.900c-.6-5 1.600-8.600 4.900-12.200-2.800-.4-5.600.8-8 2.900-1.700 1.400-3.600.1-3.300-2 .8-5 4.200-9.600 8.600-13.200l1-5.600 4.200 3.800c6.600.4 11.200 5.600 11.900 13 .4 4.800-.6 9.200.3 13.300z",
        ],
        lines: [
            "M27.500 16.500c3.400 2.600 4.600 6.600 4.300 11.400",
            "M25 20.300c2.800 2.200 3.800 5.300 3.500 9",
            "M16.600 19l2-.7",
            "M13 37.400h21",
        ],
    },
    S: {
        body: [
            turned(
                [13.5, 44.5],
                [13.5, 40.5],
                [9.5, 39],
                [8.5, 34],
                [12.5, 31.5],
                [9.5, 26],
                [6.5, 23],
                [8, 20.5],
                [4, 17],
                [4.8, 14.5],
                [1.2, 11],
                [0, 7],
            ),
        ],
        lines: [ring(10, 39.5), ring(11, 30), ring(6.6, 21.5)],
    },
    M: {
        body: [
            turned(
                [12, 44.5],
                [12, 41],
                [8.6, 39.5],
                [7.6, 36],
                [11, 33],
                [8.5, 28],
                [5, 26],
                [6.4, 23.5],
                [2.4, 21],
                [0, 17],
            ),
        ],
        lines: [ring(9.4, 40), ring(9.6, 31.8)],
    },
    P: {
        body: [turned([12, 43], [13.5, 38], [12, 33.5], [8, 30.5], [3, 29], [0, 28.8])],
        lines: ["M24 29.500v13", "M21.200 33.200h5.600", "M20.600 36.600h6.800", "M21.200 40h5.600"],
    },
};

const KEY = "makruk-men";
/** Until somebody chooses, whoever reads Thai sees the men of a Thai board. */
let isOld = (kept.get(KEY) ?? (chosen() === "th" ? "traditional" : "today")) === "traditional";

/** Whether the men are traditional. */
export const isTraditional = (): boolean => isOld;

const shapes = (): Record<Role, Shape> => (isOld ? TRADITIONAL : TODAY);

/** The outlines of a man and the lines upon them. */
const paths = ({ body, lines }: Shape): SVGElement[] => [
    ...body.map((d) => s("path", { class: "body", d })),
    ...lines.map((d) => s("path", { class: "detail", d })),
];

/** Every man once, to be used by reference. */
export function sprite(): SVGSVGElement {
    const symbols = Object.entries(shapes()).map(([role, shape]) =>
        s("symbol", { id: `man-${role}`, viewBox: "4 1 40 46" }, ...paths(shape)),
    );
    return s("svg", { class: "sprite", "aria-hidden": "true" }, s("defs", {}, ...symbols));
}

/** Changes the set. All men that are drawn change with it. */
export function toggleTraditional(): void {
    isOld = !isOld;
    kept.set(KEY, isOld ? "traditional" : "today");
    document.querySelector(".sprite")?.replaceWith(sprite());
}

/** A man, as a figure and as a letter on a disc; the page's style shows one of them. */
export function drawMan(man: Man): SVGSVGElement {
    const role = roleOf(man);
    return s(
        "svg",
        { class: `man ${sideOf(man)}`, viewBox: "0 0 48 48", "aria-hidden": "true", focusable: "false" },
        s("use", { class: "figure", href: `#man-${role}` }),
        s(
            "g",
            { class: "letter" },
            s("circle", { cx: 24, cy: 24, r: 18 }),
            s("text", { x: 24, y: 32, "text-anchor": "middle" }, letterOf(role)),
        ),
    );
}

/** The style in which men are drawn. Squares with men are drawn again if it changes. */
export const manStyle = (): string => (isThai() ? "thai" : "latin");

/** A man's shape in colours of its own, where no style sheet reaches. */
export function manParts(role: Role, { fill, line, detail }: Record<"fill" | "line" | "detail", string>): SVGElement[] {
    const { body, lines } = shapes()[role];
    const pen = { "stroke-width": 1.5, "stroke-linejoin": "round", "stroke-linecap": "round" };
    const inner = [
        ...body.map((d) => s("path", { d, fill, stroke: line, ...pen })),
        ...lines.map((d) => s("path", { d, fill: "none", stroke: detail, ...pen })),
    ];
    // As the symbols are: four and one off the edges.
    return [s("g", { transform: "translate(0 -.5)" }, ...inner)];
}

/** A material's name with its men drawn: "KRRvKR". */
export function drawMaterial(material: string): HTMLElement {
    const [white = "", black = ""] = material.split("v");
    const men = h(
        "span",
        { class: "material-men" },
        ...[...white].map((role) => drawMan(role)),
        h("i"),
        ...[...black].map((role) => drawMan(role.toLowerCase())),
    );
    return h("span", { class: "material-name" }, men, h("span", { class: "material-text" }, material));
}
