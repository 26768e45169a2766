// The views of the endings: the list, one of them, and two side by side.
export { CompareView } from "./compare.ts";
export { MaterialView } from "./material.ts";
export { MaterialsView } from "./materials.ts";
