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
    fill(element, props, children);
    return element;
}

/** A button that is known by its action: when it is drawn again, it keeps the keyboard's focus. */
export function actButton(act: string, text: string, what: () => void, kind = ""): HTMLButtonElement {
    return h("button", { type: "button", class: kind || null, "data-act": act, onclick: what }, text);
}

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
