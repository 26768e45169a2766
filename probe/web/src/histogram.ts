// A histogram of the lengths of wins, with the count's limit.
import { h, s } from "./dom.ts";
import { words } from "./language/index.ts";

/** As wide as the page, so that letters keep their size. */
const WIDEST = 1000;
const NARROWEST = 320;
const HEIGHT = 270;
const LEFT = 8;
const BOTTOM = 26;
const TOP = 22;

/** Positions by the winner's moves. */
export type Bars = Map<number, number>;

/** A round step that gives about that number of steps. */
function step(most: number, about: number): number {
    const steps = [1, 2, 5, 10, 20, 25, 50, 100];
    return steps.find((each) => most / each <= about) ?? 200;
}

/** The height in pixels between two numbers of the scale, at least. */
const APART = 45;

/** Round numbers up to a number, the largest first, as far apart as their square roots allow. */
function scaleOf(most: number, tall: number): number[] {
    const scale: number[] = [];
    for (let digits = Math.floor(Math.log10(most)); digits >= 0; digits--) {
        for (const number of [5, 2, 1].map((digit) => digit * 10 ** digits)) {
            const height = (n: number) => tall * Math.sqrt(n / most);
            const above = scale.at(-1);
            if (number <= most && height(above ?? Infinity) - height(number) >= APART && height(number) >= APART)
                scale.push(number);
        }
    }
    return scale;
}

/** A chart of bars; those beyond the limit look different. The scale is of square roots, so that rare lengths show. */
export function histogram(title: string, bars: Bars, limit: number | null): HTMLElement {
    const say = words.materials;
    const width = Math.max(NARROWEST, Math.min(WIDEST, innerWidth - 60));
    const longest = Math.max(...bars.keys(), 1);
    // A limit far beyond the longest win would leave the bars no room: then an arrow points to it.
    const isFar = limit !== null && limit > Math.max(2 * longest, 12);
    const columns = Math.max(longest, isFar ? longest * 1.1 : (limit ?? 0)) + 2;
    const most = Math.max(...bars.values(), 1);
    const wide = (width - 2 * LEFT) / columns;
    const x = (moves: number) => LEFT + moves * wide;
    const floor = HEIGHT - BOTTOM;
    const heightOf = (positions: number) => (floor - TOP) * Math.sqrt(positions / most);
    const bar = ([moves, positions]: [number, number]) => {
        const tall = Math.max(1, heightOf(positions));
        const kind = limit !== null && moves > limit ? "beyond" : "within";
        const gap = wide > 3 ? 0.14 * wide : 0;
        return s(
            "rect",
            { class: `column ${kind}`, x: x(moves) + gap / 2, y: floor - tall, width: wide - gap, height: tall },
            s("title", {}, say.bar(moves, words.number(positions))),
        );
    };
    const scale = scaleOf(most, floor - TOP).flatMap((positions) => {
        const y = floor - heightOf(positions);
        return [
            s("line", { class: "grid", x1: LEFT, x2: width - LEFT, y1: y, y2: y }),
            s("text", { class: "tick scale-of", x: LEFT, y: y - 3 }, words.number(positions)),
        ];
    });
    const every = step(columns, width / 70);
    const ticks = [];
    for (let moves = 0; moves < columns - every / 2 - 1; moves += every) {
        ticks.push(
            s("text", { class: "tick", x: x(moves) + wide / 2, y: HEIGHT - 8, "text-anchor": "middle" }, String(moves)),
        );
    }
    const line = [];
    if (limit !== null && isFar) {
        line.push(
            s(
                "text",
                { class: "limit-name", x: width - LEFT, y: TOP - 4, "text-anchor": "end" },
                `${say.limit(limit)} →`,
            ),
        );
    } else if (limit !== null) {
        const at = x(limit + 1);
        const isRight = at > 0.75 * width;
        line.push(
            s("line", { class: "limit", x1: at, x2: at, y1: TOP - 12, y2: floor }),
            s(
                "text",
                {
                    class: "limit-name",
                    x: at + (isRight ? -6 : 6),
                    y: TOP - 4,
                    "text-anchor": isRight ? "end" : "start",
                },
                say.limit(limit),
            ),
        );
    }
    const total = [...bars.values()].reduce((sum, n) => sum + n, 0);
    const late = limit === null ? 0 : [...bars].reduce((sum, [moves, n]) => sum + (moves > limit ? n : 0), 0);
    const summary = `${title}: ${words.number(total)}, ${say.within} ${words.number(total - late)}, ${say.beyond} ${words.number(late)}`;
    return h(
        "figure",
        { class: "histogram" },
        h("figcaption", {}, title),
        s(
            "svg",
            { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": summary },
            s("line", { class: "axis", x1: LEFT, x2: width - LEFT, y1: floor, y2: floor }),
            ...[...bars].map(bar),
            ...scale,
            ...ticks,
            s("text", { class: "tick unit", x: width - LEFT, y: HEIGHT - 8, "text-anchor": "end" }, say.histogramAxis),
            ...line,
        ),
    );
}
