// A sheet for the arbiter's table: it is seen on paper only.
import { type Explored, Refusal } from "./api.ts";
import type { State } from "./answers.ts";
import type { Counted } from "./count.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { readFen } from "./position.ts";
import { tell } from "./told.ts";

/** Position, count, ruling and reason, with room for a name. */
export function fillRuling(sheet: HTMLElement, fen: string, state: State, count: Counted | null, times: number): void {
    const say = words.ruling;
    const position: Explored | null = state instanceof Refusal ? null : state;
    const told = position?.category ? tell(position) : null;
    const row = (name: string, value: string) => [h("dt", {}, name), h("dd", {}, value)];
    sheet.replaceChildren(
        h("h2", {}, say.title),
        h(
            "dl",
            {},
            ...row(say.position, fen),
            ...row(words.view.tomove, words.side(readFen(fen).side)),
            ...row(words.count.title, count ? count.counted : words.count.none),
            ...(count?.spoken ? row(say.spoken, count.spoken) : []),
            ...(count ? row(say.rule, count.honour) : []),
            ...row(say.ruling, told?.head ?? say.open),
            ...row(say.reason, told?.body ?? ""),
            ...(times > 1 ? row(say.repeated, words.repeated(times)) : []),
            ...row(say.signed, ""),
        ),
    );
}
