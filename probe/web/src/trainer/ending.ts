// The ends of a bout.
export type Ending = "mated" | "expired" | "held" | "missed" | "left";
