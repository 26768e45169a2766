// The page in a frame of another page: the board and its verdict alone.

/** Whether the page is shown in a frame. */
export const isEmbedded = (): boolean => new URLSearchParams(location.search).has("embed");
