// Elements, made in one expression.

type Child = Node | string | null | undefined | false;
type Props = { [name: string]: unknown };

function fill(element: Element, props: Props, children: Child[]): void {
    for (const [name, value] of Object.entries(props)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") {
            element.addEventListener(name.slice(2), value as EventListener);
        } else if (name === "value" && "value" in element) {
            (element as HTMLInputElement).value = String(value);
        } else {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    for (const child of children) if (child) element.append(child);
}

/** An HTML element; properties that are functions are listeners, false and null are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    props: Props = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    // Unless it is said otherwise, a button sends no form.
    if (element instanceof HTMLButtonElement) element.type = "button";
    fill(element, props, children);
    return element;
}

/** A button that is known by its action: when it is drawn again, it keeps the keyboard's focus. */
export function actButton(act: string, text: string, what: () => void, kind = ""): HTMLButtonElement {
    return h("button", { class: kind || null, "data-act": act, onclick: what }, text);
}

/** A link that the page follows itself, unless a key asks for another tab or window, or for a file. */
export function link(href: string, follow: () => void, props: Props, ...children: Child[]): HTMLAnchorElement {
    const onclick = (event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        follow();
    };
    return h("a", { href, ...props, onclick }, ...children);
}

/** What was opened or closed by hand, by its name. */
const folds = new Map<string, boolean>();

/** A part to unfold: made anew, it is as somebody has left it. */
export function fold(name: string, kind: string, isOpen: boolean, title: Child[], ...content: Child[]): HTMLElement {
    const turn = () => folds.set(name, !part.open);
    const part = h(
        "details",
        { class: kind, open: folds.get(name) ?? isOpen },
        h("summary", { onclick: turn }, ...title),
        ...content,
    );
    return part;
}

/** Draws a part anew; what has the keyboard's focus in it keeps it: by its action, else by its place. */
export function redraw(part: Element, draw: () => void): void {
    const all = () => [...part.querySelectorAll<HTMLElement>("a, button, input, select")];
    const place = all().indexOf(document.activeElement as HTMLElement);
    const act = all()[place]?.dataset.act;
    draw();
    (act ? part.querySelector<HTMLElement>(`[data-act="${act}"]:not(:disabled)`) : all()[place])?.focus();
}

/** A choice of few values: radio buttons that look like one switch. Screen readers say `spoken` for a text of signs. */
export const radios = <T extends string>(
    name: string,
    options: readonly (readonly [value: T, text: string, spoken?: string])[],
    chosen: T | null,
    choose: (value: T) => void,
    isFixed = false,
): HTMLElement[] =>
    options.flatMap(([value, text, spoken]) => {
        const id = `${name}-${value}`;
        const props = { type: "radio", name, id, checked: value === chosen, disabled: isFixed, "aria-label": spoken };
        const radio = h("input", { ...props, "data-act": id, onchange: () => choose(value) });
        return [radio, h("label", { for: id, class: `of-${value}` }, text)];
    });

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
    tag: K,
    props: Props = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    fill(element, props, children);
    return element;
}

/** A sign on a button. */
export const toolIcon = (d: string, kind = "") =>
    s("svg", { class: `tool-icon ${kind}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d }));

/** A part of the page that index.html has. */
export function part<T extends Element = HTMLElement>(id: string): T {
    const found = document.getElementById(id);
    if (!found) throw new Error(`index.html has no #${id}`);
    return found as unknown as T;
}

/** Opens the dialog with something in it; where there are no dialogs yet, as a part of the page. */
export function openDialog(...content: (Node | string)[]): HTMLDialogElement {
    const dialog = part<HTMLDialogElement>("dialog");
    dialog.replaceChildren(...content);
    if (dialog.showModal) dialog.showModal();
    else dialog.setAttribute("open", "");
    return dialog;
}

export function closeDialog(): void {
    const dialog = part<HTMLDialogElement>("dialog");
    if (dialog.close) dialog.close();
    else dialog.removeAttribute("open");
}

/** Saves a file on the device. */
export function download(file: Blob, name: string): void {
    const address = URL.createObjectURL(file);
    const link = h("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Copies text; false if the browser forbids it. */
export async function copy(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // Without HTTPS there is no clipboard but the old one.
        const area = h("textarea", { class: "offscreen", "aria-hidden": "true" });
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        return done;
    }
}
