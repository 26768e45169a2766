// The parts of browsers and runtimes that the package's types name. They are structural, so that the types need neither
// the library `dom` nor those of Node, Deno or Bun; the objects of all of them fit.
export {};
