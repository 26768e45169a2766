// How a bout ends.
export type Ending = "mated" | "expired" | "held" | "missed" | "left";
