// The men, drawn for this page after the shapes that are turned for Thai boards: a king with a spire, a khon of tiers, a met
// like a bell, a boat-broad rook, a pawn like a cowrie.
import { h, s } from "./dom.ts";
import { isThai, letterOf } from "./notation.ts";
import { type Man, type Role, roleOf, sideOf } from "./position.ts";

/** Outlines (filled) and the lines upon them, in a square of 48. */
const SHAPES: Record<Role, { body: string[]; lines: string[] }> = {
    K: {
        body: [
            "M8.5 44.500c-.7-3.6 1.2-5.1 4.2-5.500h22.600c3 .4 4.9 1.9 4.2 5.500z",
            "M13 39.100c.4-7.2 4.7-9.7 6-15.900h10c1.3 6.2 5.6 8.7 6 15.900z",
            "M15 19.300c-1.6-3.3-2.5-6.8-2.7-10.800l5.5 4.100L24 2.500l6.2 10.1 5.5-4.100c-.2 4-1.1 7.5-2.7 10.800z",
            "M14.7 23.300c-1.2-1.8-.5-3.7 1.5-4.100h15.600c2 .4 2.7 2.3 1.5 4.100z",
        ],
        lines: ["M15.9 31.800h16.2"],
    },
    R: {
        body: [
            "M8.5 44.500c-.7-3.7 1.2-5.3 4-5.700h23c2.8.4 4.7 2 4 5.700z",
            "M12.2 38.900c1.4-4.6 1.5-9.4.2-13.700h23.200c-1.3 4.3-1.2 9.1.2 13.700z",
            "M9.3 25.300c-1.1-3.2-1.3-6.4-.6-9.600h6.100v3.700h5.600v-3.700h7.200v3.700h5.600v-3.700h6.100c.7 3.2.5 6.4-.6 9.600z",
        ],
        lines: ["M13.4 32h21.2"],
    },
    N: {
        body: [
            "M11.6 44.500c-.6-3.5 1-5 3.8-5.400h19.400c2.8.4 4.4 1.9 3.8 5.400z",
            "M15.6 39.200c-.2-6.4 4.6-9.7 6.6-15.3-2.8.5-5 1.6-6.9 3.3-1.3 2.5-4.6 3-6 .8-1.1-1.8-.3-3.3.6-4.7 1.8-2.8 2.4-5.4 4.5-8.4 1.5-2.1 3.7-3.3 5.3-4.700l.4-5.4 4.3 4c7.7 1.4 12.2 7.8 12.3 16.1.1 5.4-1.3 9.3-1.5 14.300z",
        ],
        lines: ["M25.3 9.300c5.8 2.8 7.6 8.3 7.3 15.2", "M17.5 16.600l1.8-.9", "M12 25.200l.7-.8"],
    },
    S: {
        body: [
            "M9.6 44.500c-.5-3.2.6-5.2 2.4-6.200h24c1.8 1 2.9 3 2.4 6.200z",
            "M13 38.400c-.3-3 .6-5 2.2-6h17.600c1.6 1 2.5 3 2.2 6z",
            "M16 32.500c-.2-2.9.6-4.9 1.9-5.900h12.200c1.3 1 2.1 3 1.9 5.900z",
            "M18.8 26.700c-.1-2.8.4-4.6 1.4-5.600h7.600c1 1 1.5 2.8 1.4 5.600z",
            "M21 21.200c1.5-2.9 2.4-6.3 3-11.2.6 4.9 1.5 8.3 3 11.200z",
        ],
        lines: [],
    },
    M: {
        body: [
            "M11.3 44.500c-.6-3.4.9-5 3.3-5.400h18.800c2.4.4 3.9 2 3.3 5.400z",
            "M13.7 39.200c.1-9.3 3.7-15 10.3-15s10.2 5.7 10.3 15z",
            "M24 14.300a5 5 0 1 1-.01 0z",
        ],
        lines: ["M14.8 32.700h18.4"],
    },
    P: {
        body: ["M24 21.500c8.6 0 14.3 3.9 14.3 9.300s-5.7 9.3-14.3 9.3-14.3-3.9-14.3-9.3 5.7-9.3 14.3-9.300z"],
        lines: [
            "M13.7 30.800c3-1.9 6.5-2.7 10.3-2.700s7.3.8 10.3 2.7",
            "M18.6 32.200v2.700M24 31.400v3M29.4 32.200v2.7",
        ],
    },
};

/** Every man once, to be used by reference. */
export function sprite(): SVGSVGElement {
    const symbols = Object.entries(SHAPES).map(([role, { body, lines }]) =>
        s(
            "symbol",
            { id: `man-${role}`, viewBox: "4 1 40 46" },
            ...body.map((d) => s("path", { class: "body", d })),
            ...lines.map((d) => s("path", { class: "detail", d })),
        ),
    );
    return s("svg", { class: "sprite", "aria-hidden": "true" }, s("defs", {}, ...symbols));
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

/** The style in which men are drawn. Squares with men are drawn anew if it changes. */
export const manStyle = (): string => (isThai() ? "thai" : "latin");

/** A man's shape in colours of its own, where no style sheet reaches. */
export function manParts(role: Role, { fill, line, detail }: Record<"fill" | "line" | "detail", string>): SVGElement[] {
    const { body, lines } = SHAPES[role];
    const pen = { "stroke-width": 1.5, "stroke-linejoin": "round", "stroke-linecap": "round" };
    const inner = [
        ...body.map((d) => s("path", { d, fill, stroke: line, ...pen })),
        ...lines.map((d) => s("path", { d, fill: "none", stroke: detail, ...pen })),
    ];
    // As the symbols are: four and one off the edges.
    return [s("g", { transform: "translate(0 -.5)" }, ...inner)];
}

/** A set's name with its men drawn: "KRRvKR". */
export function drawSet(material: string): HTMLElement {
    const [white = "", black = ""] = material.split("v");
    const men = h(
        "span",
        { class: "set-men" },
        ...[...white].map((role) => drawMan(role)),
        h("i"),
        ...[...black].map((role) => drawMan(role.toLowerCase())),
    );
    return h("span", { class: "set-name" }, men, h("span", { class: "set-text" }, material));
}
