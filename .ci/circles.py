"""Fails if files of a crate import each other in a circle. A `pub use` passes a name on, and imports nothing."""

import graphlib
import re
import subprocess
import sys

USE = re.compile(r"\b(pub(?:\([^)]*\))? )?use ([^;]+);")
for crate in sys.argv[1:]:
    files, passed, imports = {}, {}, {}
    for file in subprocess.check_output(["git", "ls-files", f"{crate}/src/*.rs"], text=True).split():
        files[tuple(re.findall(r"\w+", re.sub(r"\b(lib|main|mod)$", "", file[len(f"{crate}/src/") : -3])))] = file
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
        module = next(path[:length] for length in range(len(path), -1, -1) if path[:length] in files)
        name, rest = path[len(module) : len(module) + 1], path[len(module) + 1 :]
        found = [other for other in passed.get(module, []) if name and other[-1:] == name and other != path]
        return file_of(found[0] + rest) if found else files[module]

    graph = {files[here]: {file_of(path) for path in paths} - {files[here]} for here, paths in imports.items()}
    graphlib.TopologicalSorter(graph).prepare()
