// The men of the page, of the set that was chosen.
import { h, s } from "./dom.ts";
import { language, words } from "./language/index.ts";
import { isThai, letterOf } from "./notation.ts";
import { type Man, type Role, roleOf, sideOf } from "./position.ts";
import { type Shape, TODAY, TRADITIONAL } from "./shapes.ts";
import { kept } from "./store.ts";

const KEY = "makruk-men";
/** The heights of a drawing of 48 that fill a square, with the middle of the men in its middle. */
const [TOP, TALL] = [0.5, 46];

/** Whether the men are traditional. Until somebody chooses, whoever reads Thai sees the men of a Thai board. */
export const isTraditional = (): boolean =>
    (kept.get(KEY) ?? (language === "th" ? "traditional" : "today")) === "traditional";

/** The outlines of a man and the lines upon them. */
const paths = ({ body, lines }: Shape): SVGElement[] => [
    ...body.map((d) => s("path", { class: "body", d })),
    ...lines.map((d) => s("path", { class: "detail", d })),
];

/** Every man once, to be used by reference. */
export function sprite(): SVGSVGElement {
    const viewBox = `4 ${TOP} 40 ${TALL}`;
    const symbols = Object.entries(isTraditional() ? TRADITIONAL : TODAY).map(([role, shape]) =>
        s("symbol", { id: `man-${role}`, viewBox }, ...paths(shape)),
    );
    return s("svg", { class: "sprite", "aria-hidden": "true" }, s("defs", {}, ...symbols));
}

/** Draws all men anew, after a change of their set or of the language. */
export const showMen = (): void => document.querySelector(".sprite")?.replaceWith(sprite());

/** Changes the set. */
export function toggleTraditional(): void {
    kept.set(KEY, isTraditional() ? "today" : "traditional");
    showMen();
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

/** A man's shape in colours of its own, where no style sheet reaches: a square of 48 as the page shows it. */
export function manParts(
    { body, lines }: Shape,
    { fill, line, detail }: Record<"fill" | "line" | "detail", string>,
): SVGElement {
    const pen = { "stroke-width": 1.5, "stroke-linejoin": "round", "stroke-linecap": "round" };
    const inner = [
        ...body.map((d) => s("path", { d, fill, stroke: line, ...pen })),
        ...lines.map((d) => s("path", { d, fill: "none", stroke: detail, ...pen })),
    ];
    return s("g", { transform: `translate(24 0) scale(${48 / TALL}) translate(-24 ${-TOP})` }, ...inner);
}

/** An ending as players name it: "K+R v K+khon". Another text stays as it is. */
export const endingName = (material: string): string =>
    ENDING.test(material)
        ? material
              .split("v")
              .map((side) => [...side].map((role) => words.ending[role as Role]).join("+"))
              .join(words.against)
        : material;

const ENDING = /^([KRNSMP]+)v([KRNSMP]+)$/;

/** A material's name with its men drawn. Another text stays as it is. */
export function drawMaterial(material: string): HTMLElement | string {
    const [, white, black] = ENDING.exec(material) ?? [];
    if (!white || !black) return material;
    const men = h(
        "span",
        { class: "material-men" },
        ...[...white].map((role) => drawMan(role)),
        h("i"),
        ...[...black].map((role) => drawMan(role.toLowerCase())),
    );
    return h("span", { class: "material-name" }, men, h("span", { class: "material-text" }, endingName(material)));
}
