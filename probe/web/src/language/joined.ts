// Thai has no spaces between words: browsers guess where a line may break, and guess wrong within words of the game.

/** Words that stay in one line. */
const WHOLE: [string, string][] = [
    ["รุก", "จน"],
    ["ศักดิ์", "หมาก"],
    ["ศักดิ์", "กระดาน"],
    ["ปลาย", "กระดาน"],
];
/** Forbids a line break where it stands, and is not seen. */
const JOINER = "\u2060";

const join = (text: string): string =>
    WHOLE.reduce((text, [first, second]) => text.replaceAll(first + second, first + JOINER + second), text);

/** Texts, and functions that make texts, with their words held together. */
export function joined<T>(value: T): T {
    if (typeof value === "string") return join(value) as T;
    if (typeof value === "function") {
        const make = value as unknown as (...given: unknown[]) => unknown;
        return ((...given: unknown[]) => joined(make(...given))) as T;
    }
    if (Array.isArray(value)) return value.map((each) => joined(each)) as T;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, joined(each)])) as T;
}
