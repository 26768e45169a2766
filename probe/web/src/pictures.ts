// Pictures of the board and of a line, as a file of its own that is loaded when it is first used.
export { shareAnimation } from "./animation.ts";
export { sharePicture } from "./picture.ts";
