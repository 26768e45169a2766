// The board as a picture, to be shared: a file that stands by itself.
import { h, s } from "./dom.ts";
import { manParts } from "./pieces.ts";
import { letterOf, squareText } from "./notation.ts";
import { nameOf, roleOf, type Setup, sideOf } from "./position.ts";

const CELL = 56;
const EDGE = 26;
const FOOT = 34;
const COLOURS = {
    wood: "#e5bd81",
    groove: "#7a4c22",
    ink: "#2a2018",
    paper: "#f5efe3",
    white: { fill: "#fdf6e6", line: "#4a321c", detail: "#4a321c" },
    black: { fill: "#33221a", line: "#1a100a", detail: "#cda877" },
};

/** The board with its coordinates, and a line of text below. */
function drawPicture(setup: Setup, isFlipped: boolean, caption: string): SVGSVGElement {
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
    for (let at = 1; at < 8; at++) {
        const [near, far] = [EDGE, EDGE + side];
        const line = EDGE + at * CELL;
        const d = `M${near} ${line}H${far}M${line} ${near}V${far}`;
        parts.push(s("path", { d, stroke: COLOURS.groove }));
    }
    const text = (x: number, y: number, size: number, content: string) =>
        s(
            "text",
            {
                x,
                y,
                "font-size": size,
                "text-anchor": "middle",
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
        const cell = isFlipped ? square ^ 7 : square ^ 56;
        const [x, y] = [EDGE + (cell % 8) * CELL, EDGE + Math.floor(cell / 8) * CELL];
        const colour = COLOURS[sideOf(man)];
        const isLetters = document.documentElement.classList.contains("letters");
        const shape = isLetters
            ? [
                  s("circle", { cx: 24, cy: 24, r: 18, fill: colour.fill, stroke: colour.line, "stroke-width": 1.8 }),
                  s(
                      "text",
                      {
                          x: 24,
                          y: 32,
                          "font-size": 23,
                          "font-weight": 700,
                          "text-anchor": "middle",
                          fill: colour.detail,
                      },
                      letterOf(roleOf(man)),
                  ),
              ]
            : manParts(roleOf(man), colour);
        const size = CELL / 48;
        parts.push(
            s(
                "g",
                { transform: `translate(${x} ${y}) scale(${size})` },
                s("title", {}, `${man} ${nameOf(square)}`),
                ...shape,
            ),
        );
    }
    if (caption) parts.push(text(width / 2, side + 2 * EDGE + 18, 16, caption));
    return s(
        "svg",
        { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
        ...parts,
    );
}

/** Saves a file on the device. */
function save(file: Blob, name: string): void {
    const address = URL.createObjectURL(file);
    const link = h("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const serialised = (picture: SVGSVGElement) => new XMLSerializer().serializeToString(picture);

/** Saves the board as an SVG file. */
export function savePicture(setup: Setup, isFlipped: boolean, caption: string): void {
    save(new Blob([serialised(drawPicture(setup, isFlipped, caption))], { type: "image/svg+xml" }), "makruk.svg");
}

/** The board as a PNG file, twice as large as it is drawn. */
async function pngOf(picture: SVGSVGElement): Promise<Blob | null> {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(serialised(picture))}`;
    await image.decode();
    const canvas = h("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Hands the board to another program as a PNG file, or saves the file where the browser cannot hand it over. */
export async function sharePicture(setup: Setup, isFlipped: boolean, caption: string, link: string): Promise<void> {
    const png = await pngOf(drawPicture(setup, isFlipped, caption));
    if (!png) return;
    const files = [new File([png], "makruk.png", { type: "image/png" })];
    if (navigator.canShare?.({ files })) {
        // Cancelling is no error.
        await navigator.share({ files, title: caption, text: link }).catch(() => {});
    } else {
        save(png, "makruk.png");
    }
}
