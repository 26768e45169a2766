// Positions to try.
import type { Words } from "./language/en.ts";

export interface Example {
    fen: string;
    /** The material whose tables it needs. */
    material: string;
    about: keyof Words["examples"]["about"];
    quiz: "draw" | "win";
}

export const EXAMPLES: Example[] = [
    { fen: "1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1", material: "KRRvKR", about: "rook", quiz: "draw" },
    { fen: "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", material: "KRvKS", about: "khon", quiz: "win" },
    { fen: "8/8/8/2k5/8/sK6/8/1R6 b - - 0 1", material: "KRvKS", about: "bait", quiz: "draw" },
    { fen: "8/6k1/8/8/8/8/2K5/R7 w - 32 11 1", material: "KRvK", about: "clock", quiz: "win" },
    { fen: "1M3S2/2K5/8/8/1k6/8/8/8 b - - 0 1", material: "KSMvK", about: "step", quiz: "draw" },
    { fen: "8/1R6/6p1/7K/5k2/8/8/8 w - - 0 1", material: "KRvKP", about: "hold", quiz: "win" },
    { fen: "8/8/8/2k5/Rp6/8/K7/8 b - - 0 1", material: "KRvKP", about: "fork", quiz: "draw" },
    { fen: "8/4K3/8/7k/8/6M1/7N/8 w - 128 81 1", material: "KNMvK", about: "long", quiz: "win" },
];
