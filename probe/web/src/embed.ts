// The page in a frame of another page: the board and its verdict alone.
import { isSite, root } from "./root.ts";

/** Whether the page is shown in a frame. */
export const isEmbedded = (): boolean => new URLSearchParams(location.search).has("embed");

/** The text that puts a position into another page. */
export function embedding(link: string): string {
    const address = new URL(link);
    address.searchParams.set("embed", "");
    const src = address.href
        .replace("embed=&", "embed&")
        .replace(/embed=(?=#|$)/, "embed")
        .replaceAll("&", "&amp;");
    return `<iframe src="${src}" width="420" height="720" loading="lazy" title="Makruk"></iframe>`;
}

/** Whether the server lets other pages embed this one. */
export async function mayBeEmbedded(): Promise<boolean> {
    // A host of files sends no policy against it.
    if (isSite) return true;
    try {
        const { headers } = await fetch(root, { method: "HEAD" });
        const policy = headers.get("content-security-policy") ?? "";
        return policy.includes("frame-ancestors") && !policy.includes("frame-ancestors 'none'");
    } catch {
        return false;
    }
}
