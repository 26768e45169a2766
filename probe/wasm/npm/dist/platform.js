// The parts of browsers and runtimes that the package's types name. They are structural, so that the types need neither
// the library `dom` nor those of Node, Deno or Bun; the objects of all of them fit.
const processHere = () => globalThis.process;
/** Whether folders can be read here: in Node, Deno and Bun, their workers, and under a document that one imitates. */
export const hasFolders = () => typeof processHere()?.versions?.node === "string";
const runtime = processHere();
/** A module of Node's own. It is not imported: bundlers for browsers would look for it. */
export const builtin = (name) => runtime.getBuiltinModule(name);
