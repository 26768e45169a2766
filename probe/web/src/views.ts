// The views besides the board's.
export { MaterialView } from "./material.ts";
export { MaterialsView } from "./materials.ts";
export { SearchView } from "./search/view.ts";
export { ThumbView } from "./thumb/view.ts";
export { GuessView } from "./trainer/guess.ts";
export { TrainerView } from "./trainer/view.ts";
