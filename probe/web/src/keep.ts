// Tables on the device: those of three men at once, all of up to four men if the reader asks for them.
import { refusalOf, server } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { why } from "./verdict.ts";

/** The most men of the tables that a device is asked to keep: some 40 MB. */
const MEN = 4;

type State =
    { kind: "asked" | "offered" | "kept" } | { kind: "under way"; share: number } | { kind: "failed"; error: unknown };

/** The offer of a site without a server to keep tables. */
export class KeepTables {
    readonly element = h("p", { class: "muted keep", role: "status" });
    private state: State = { kind: "asked" };

    /** Shows whether they are there. */
    async show(): Promise<void> {
        this.draw();
        if (this.state.kind !== "asked" || !server.isKept) return;
        try {
            this.state = { kind: (await server.isKept(MEN)) ? "kept" : "offered" };
        } catch {
            // The tables cannot be opened: the page says so elsewhere.
            return;
        }
        this.draw();
    }

    private async keep(): Promise<void> {
        this.state = { kind: "under way", share: 0 };
        this.draw();
        try {
            await server.keep!(MEN, (done, all) => {
                this.state = { kind: "under way", share: done / all };
                this.draw();
            });
            this.state = { kind: "kept" };
        } catch (error) {
            this.state = { kind: "failed", error };
        }
        this.draw();
    }

    private draw(): void {
        const say = words.materials.keep;
        const button = () => h("button", { "data-act": "keep", onclick: () => void this.keep() }, say.button);
        const { state } = this;
        this.element.replaceChildren(
            ...(state.kind === "offered"
                ? [button()]
                : state.kind === "under way"
                  ? [say.underWay(words.percent(100 * state.share, 0))]
                  : state.kind === "kept"
                    ? [say.kept]
                    : state.kind === "failed"
                      ? [...why(refusalOf(state.error)), " ", button()]
                      : []),
        );
    }
}
