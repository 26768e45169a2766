// The board as a picture, to be shared: a self-contained file.
import { download, h, s } from "./dom.ts";
import { drawMark, type Marks } from "./marks.ts";
import { isTraditional, manParts } from "./pieces.ts";
import { TODAY, TRADITIONAL } from "./shapes.ts";
import { squareText } from "./notation.ts";
import { nameOf, roleOf, type Setup, sideOf } from "./position.ts";

const CELL = 56;
const EDGE = 26;
const FOOT = 34;
const COLOURS = {
    wood: "#e5bd81",
    groove: "#7a4c22",
    ink: "#2a2018",
    paper: "#f5efe3",
    moved: "#f5de8e",
    white: { fill: "#fdf6e6", line: "#4a321c", detail: "#4a321c" },
    black: { fill: "#33221a", line: "#1a100a", detail: "#cda877" },
};

/** What a picture of a line shows besides: the squares of the move, and the count. */
export interface Moved {
    squares: number[];
    count: string;
}

/** The board with its coordinates, and a caption below: in a line on the left, with the count on the right. */
export function drawPicture(
    setup: Setup,
    isFlipped: boolean,
    caption: string,
    moved: Moved | null = null,
    men = isTraditional() ? TRADITIONAL : TODAY,
    marks: Marks = [],
): SVGSVGElement {
    const side = 8 * CELL;
    const [width, height] = [side + 2 * EDGE, side + 2 * EDGE + (caption ? FOOT : 0)];
    const parts: SVGElement[] = [
        s("rect", { width, height, fill: COLOURS.paper }),
        s("rect", {
            x: EDGE,
            y: EDGE,
            width: side,
            height: side,
            fill: COLOURS.wood,
            stroke: COLOURS.groove,
            "stroke-width": 2,
        }),
    ];
    const corner = (square: number): [number, number] => {
        const cell = isFlipped ? square ^ 7 : square ^ 56;
        return [EDGE + (cell % 8) * CELL, EDGE + Math.floor(cell / 8) * CELL];
    };
    for (const square of moved?.squares ?? []) {
        const [x, y] = corner(square);
        parts.push(s("rect", { class: "last", x, y, width: CELL, height: CELL, fill: COLOURS.moved }));
    }
    for (let at = 1; at < 8; at++) {
        const [near, far] = [EDGE, EDGE + side];
        const line = EDGE + at * CELL;
        const d = `M${near} ${line}H${far}M${line} ${near}V${far}`;
        parts.push(s("path", { d, stroke: COLOURS.groove }));
    }
    const text = (x: number, y: number, size: number, content: string, anchor = "middle") =>
        s(
            "text",
            {
                x,
                y,
                "font-size": size,
                "text-anchor": anchor,
                "font-family": "system-ui, sans-serif",
                fill: COLOURS.ink,
            },
            content,
        );
    for (let at = 0; at < 8; at++) {
        const square = isFlipped ? 7 - at : at;
        const middle = EDGE + (at + 0.5) * CELL;
        parts.push(text(middle, EDGE + side + 18, 14, squareText("abcdefgh"[square]!)));
        parts.push(text(EDGE / 2, EDGE + side - (at + 0.5) * CELL + 5, 14, squareText(String(square + 1))));
    }
    for (const [square, man] of setup.squares.entries()) {
        if (!man) continue;
        const [x, y] = corner(square);
        const size = CELL / 48;
        parts.push(
            s(
                "g",
                { class: sideOf(man), transform: `translate(${x} ${y}) scale(${size})` },
                s("title", {}, `${man} ${nameOf(square)}`),
                manParts(men[roleOf(man)], COLOURS[sideOf(man)]),
            ),
        );
    }
    for (const [square, mark] of marks.entries()) {
        const [x, y] = corner(square);
        const place = `translate(${x} ${y}) scale(${CELL})`;
        if (mark) parts.push(s("g", { transform: place }, drawMark(mark, setup.squares[square] !== null)));
    }
    const foot = side + 2 * EDGE + 18;
    if (moved) parts.push(text(EDGE, foot, 22, caption, "start"), text(width - EDGE, foot, 22, moved.count, "end"));
    else if (caption) parts.push(text(width / 2, foot, 16, caption));
    return s(
        "svg",
        { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
        ...parts,
    );
}

/** A picture as an image that a canvas draws. */
export async function imageOf(picture: SVGSVGElement): Promise<HTMLImageElement> {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
    await image.decode();
    return image;
}

/** The board as a PNG file, twice as large as it is drawn. */
async function pngOf(picture: SVGSVGElement): Promise<Blob | null> {
    const image = await imageOf(picture);
    const canvas = h("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Hands a picture to another program, or saves it where the browser cannot hand it over. */
export async function hand(picture: Blob, name: string, title: string, text: string): Promise<void> {
    const files = [new File([picture], name, { type: picture.type })];
    if (!navigator.canShare?.({ files })) return download(picture, name);
    await navigator.share({ files, title, text }).catch((error: Error) => {
        // Cancelling is not an error. A browser that heard no tap for a while hands nothing over.
        if (error.name === "NotAllowedError") download(picture, name);
    });
}

/** Shares the board as a PNG file. */
export async function sharePicture(
    setup: Setup,
    isFlipped: boolean,
    caption: string,
    link: string,
    marks: Marks,
): Promise<void> {
    const png = await pngOf(drawPicture(setup, isFlipped, caption, null, undefined, marks));
    if (png) await hand(png, "makruk.png", caption, link);
}
