"""Fails if files import each other in a circle: in any crate, or in the TypeScript of the page and of its package."""

import graphlib
import os
import re
import subprocess
import sys

USE = re.compile(r"\b(pub(?:\([^)]*\))? )?use ([^;]+);")


def listed(*patterns):
    return subprocess.check_output(["git", "ls-files", *patterns], text=True).split()


def rust(crate):
    """The imports between the files of a crate. A `pub use` passes a name on, and imports nothing."""
    files, passed, imports = {}, {}, {}
    for file in listed(f"{crate}/src/*.rs"):
        files[tuple(re.findall(r"\w+", re.sub(r"\b(lib|mod)$", "", file[len(f"{crate}/src/") : -3])))] = file
    if () not in files and ("main",) in files:
        files[()] = files.pop(("main",))
    for here, file in files.items():
        code = re.sub(r"//.*", "", open(file).read().split("#[cfg(test)]\nmod tests")[0])
        paths = [("", path) for path in re.findall(r"(?<![\w:])\w+(?:::\w+)+", USE.sub("", code))]
        for public, tree in USE.findall(code):
            while branch := re.search(r"([\w:]*)\{([^{}]*)\}", tree):
                tree = tree.replace(branch[0], ",".join(branch[1] + part.strip() for part in branch[2].split(",")))
            paths += [(public, path.split(" as ")[0].strip()) for path in tree.split(",")]
        for public, path in paths:
            parts = path.split("::")
            base = () if parts[0] == "crate" else here[: len(here) - parts.count("super")]
            path = (*base, *(part for part in parts if part not in ("crate", "self", "super")))
            (passed if public else imports).setdefault(here, []).append(path)

    def file_of(path):
        module = next((path[:length] for length in range(len(path), -1, -1) if path[:length] in files), ())
        name, rest = path[len(module) : len(module) + 1], path[len(module) + 1 :]
        found = [other for other in passed.get(module, []) if name and other[-1:] == name and other != path]
        return file_of(found[0] + rest) if found else files.get(module)

    return {files[here]: {file_of(path) for path in paths} - {files[here], None} for here, paths in imports.items()}


def typescript(folder):
    """The imports between the files of a folder, those of types included."""

    def imported(file):
        for path in re.findall(r'\b(?:from|import)\s+"(\.[^"]+)"', re.sub(r"//.*", "", open(file).read())):
            yield os.path.normpath(os.path.join(os.path.dirname(file), path))

    return {file: set(imported(file)) for file in listed(f"{folder}/*.ts")}


crates = [os.path.dirname(file) for file in listed("*/Cargo.toml")]
graphs = [rust(crate) for crate in crates] + [typescript(folder) for folder in ("probe/web/src", "probe/wasm/npm/src")]
for graph in graphs:
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        sys.exit("files import each other in a circle: " + " <- ".join(error.args[1]))
