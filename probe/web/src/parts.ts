// The parts of the page that a first look does without: each is a file of its own, loaded when it is first used.
import { h } from "./dom.ts";
import { speakWhole, words } from "./language/index.ts";
import { failure } from "./failure.ts";
import { loadFiles } from "./files.ts";

/** The files by their names, as build.mjs writes them. */
interface Parts {
    dialogs: typeof import("./dialogs.ts");
    pictures: typeof import("./pictures.ts");
    views: typeof import("./views.ts");
}

const loaded = new Map<keyof Parts, Promise<unknown>>();

/** Adds a sheet of styles, and waits for it. */
const sheet = (href: string): Promise<unknown> =>
    new Promise((onload, onerror) => document.head.append(h("link", { rel: "stylesheet", href, onload, onerror })));

/** A part of the page; if it cannot be had, a refusal that says why. Then it can be asked for again. */
export function load<N extends keyof Parts>(name: N): Promise<Parts[N]> {
    let part = loaded.get(name) as Promise<Parts[N]> | undefined;
    if (!part) {
        part = loadFiles(async (mark) => {
            const file = `./${name}.js${mark}`;
            const style = name === "views" ? sheet(file.replace(".js", ".css")) : null;
            const said = name === "pictures" ? null : speakWhole(mark);
            return (await Promise.all([import(file) as Promise<Parts[N]>, style, said]))[0];
        });
        loaded.set(name, part);
        part.catch(() => loaded.delete(name));
    }
    return part;
}

/** A view of the page. */
export interface View {
    readonly element: HTMLElement;
    /** Shows what the address names; a reader goes to the title if somebody came here by a link of the page. */
    show(isEntered: boolean): unknown;
    /** Makes it in the language of the day. */
    relabel(): void;
}

/** A view whose file is loaded when it is first shown. */
export class Later<V extends View> {
    private readonly place = h("div", { class: "later" });
    private readonly make: () => Promise<V>;
    private view: V | null = null;
    private act: ((view: V) => void) | null = null;
    private error: unknown = null;
    private isLoading = false;

    constructor(make: () => Promise<V>) {
        this.make = make;
    }

    get element(): HTMLElement {
        return this.view?.element ?? this.place;
    }

    /** Does something with the view, at once or when it is there and still looked at. */
    use(act: (view: V) => void): void {
        if (this.view) {
            act(this.view);
            return;
        }
        this.act = act;
        void this.load();
    }

    show(isEntered: boolean): void {
        this.use((view) => void view.show(isEntered));
    }

    relabel(): void {
        if (this.view) this.view.relabel();
        else this.draw();
    }

    private async load(): Promise<void> {
        if (this.isLoading) return;
        this.isLoading = true;
        this.error = null;
        this.draw();
        try {
            this.view = await this.make();
        } catch (error) {
            this.error = error;
        }
        this.isLoading = false;
        if (!this.view) {
            this.draw();
        } else if (this.place.isConnected) {
            this.place.replaceWith(this.view.element);
            this.act?.(this.view);
        }
    }

    private draw(): void {
        const waiting = h("p", { class: "muted", role: "status" }, words.verdict.waiting);
        this.place.replaceChildren(...(this.error ? failure(this.error, () => void this.load()) : [waiting]));
    }
}
