// The views of the endings: the list, and one of them.
export { MaterialView } from "./material.ts";
export { MaterialsView } from "./materials.ts";
