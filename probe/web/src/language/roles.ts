// The men's names in all languages: endings are found by any of them.
import type { Role } from "../position.ts";

export const ROLE_NAMES: Record<"en" | "th" | "fr", Record<Role, string>> = {
    en: { K: "king", R: "rook", N: "knight", S: "khon", M: "met", P: "pawn" },
    th: { K: "ขุน", R: "เรือ", N: "ม้า", S: "โคน", M: "เม็ด", P: "เบี้ย" },
    fr: { K: "roi", R: "tour", N: "cavalier", S: "khon", M: "met", P: "pion" },
};
