// The shapes of today's men, easy to tell from each other on a screen. The service draws its pictures from the same file.
import type { Role } from "./position.ts";
import shapes from "../../service/shapes.json";

/** A man, drawn in a square of 48. */
export interface Shape {
    body: string[];
    lines: string[];
}

/** Outlines (filled) and the lines upon them. */
export const TODAY: Record<Role, Shape> = shapes;
