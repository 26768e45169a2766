// A line as an animated picture, with a frame for each position.
import { applyPalette, GIFEncoder } from "gifenc/src/index.js";
import { Refusal } from "./api.ts";
import { h } from "./dom.ts";
import type { Node } from "./line.ts";
import { drawPicture, hand, imageOf } from "./picture.ts";
import { tallyOf } from "./told.ts";
import { endingName } from "./pieces.ts";
import { materialOf, readFen, squaresOf } from "./position.ts";

/*! gifenc (MIT): see LICENSE-gifenc.txt */

/** The size of the pictures. */
const [WIDTH, HEIGHT] = [528, 564];
/** The most moves of a line. */
const MOST_MOVES = 400;
/** Milliseconds for which the first position is shown, each other, and the last. */
const DELAYS = { first: 1500, each: 1000, last: 4000 };
/** The place of "as before" in the palette, after all colours. */
const UNCHANGED = 255;

/** A move with its number: `3. Rxb2`, `1... Rb2`. */
function numbered({ parent, san }: Node): string {
    const { side, move } = readFen(parent!.fen);
    return `${move}${side === "white" ? "." : "..."} ${san}`;
}

/** The moves counted and the limit, `4/8`, and `=` if the count has run out; empty where no count runs. */
function counted({ fen, san }: Node): string {
    const { count } = readFen(fen);
    if (!count) return "";
    const { counted, limit, isOver } = tallyOf(count, false, san?.endsWith("#"));
    return `${Math.min(counted, limit)}/${limit}${isOver ? " =" : ""}`;
}

/** A position of the line as a picture. */
function drawn(node: Node, isFirst: boolean, isFlipped: boolean): SVGSVGElement {
    const setup = readFen(node.fen);
    const squares = isFirst || !node.uci ? [] : squaresOf(node.uci);
    const caption = isFirst ? endingName(materialOf(setup.squares)) : numbered(node);
    return drawPicture(setup, isFlipped, caption, { squares, count: counted(node) });
}

/** The colours that most pixels have, at most this number. */
function commonest(pictures: Uint8ClampedArray<ArrayBuffer>[], most: number): number[][] {
    const counts = new Map<number, number>();
    for (const { buffer } of pictures)
        for (const colour of new Uint32Array(buffer)) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    return [...counts]
        .sort(([, a], [, b]) => b - a)
        .slice(0, most)
        .map(([colour]) => [...new Uint8Array(Uint32Array.of(colour).buffer, 0, 3)]);
}

/** Draws a line, from its first position to its last, as a GIF file that repeats forever. */
async function drawAnimation(steps: readonly Node[], isFlipped: boolean): Promise<Blob> {
    const moves = steps.length - 1;
    if (moves > MOST_MOVES)
        throw new Refusal(`the line has ${moves} moves: expected at most ${MOST_MOVES}`, "too_many_moves");
    const canvas = h("canvas", { width: WIDTH, height: HEIGHT });
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    const pixels = async (at: number) => {
        const image = await imageOf(drawn(steps[at]!, at === 0, isFlipped));
        context.drawImage(image, 0, 0, WIDTH, HEIGHT);
        return context.getImageData(0, 0, WIDTH, HEIGHT).data;
    };
    // The second position has every colour: men, the squares of a move, letters and figures.
    const palette = commonest([await pixels(0), await pixels(1)], UNCHANGED);
    // Frames have the same palette; one more colour marks what is not drawn again.
    const colours = [...palette];
    while (colours.length <= UNCHANGED) colours.push([0, 0, 0]);
    const gif = GIFEncoder();
    let before: Uint8Array | null = null;
    for (let at = 0; at < steps.length; at++) {
        const now: Uint8Array = applyPalette(await pixels(at), palette);
        const was: Uint8Array | null = before;
        const delay = at === 0 ? DELAYS.first : at === moves ? DELAYS.last : DELAYS.each;
        if (was) {
            const changed = now.map((colour, pixel) => (colour === was[pixel] ? UNCHANGED : colour));
            gif.writeFrame(changed, WIDTH, HEIGHT, {
                delay,
                transparent: true,
                transparentIndex: UNCHANGED,
                dispose: 1,
            });
        } else {
            gif.writeFrame(now, WIDTH, HEIGHT, { palette: colours, delay, repeat: 0, dispose: 1 });
        }
        before = now;
    }
    gif.finish();
    return new Blob([gif.bytes()], { type: "image/gif" });
}

/** Shares a line as a GIF file. */
export async function shareAnimation(
    steps: readonly Node[],
    isFlipped: boolean,
    caption: string,
    link: string,
): Promise<void> {
    await hand(await drawAnimation(steps, isFlipped), "makruk.gif", caption, link);
}
