"""Keeps the public names of the libraries few: fails if a crate has another number of them than is written here.

Counts what rustdoc lists, hidden or not: modules, types, traits, functions, constants, macros, methods, items of
traits. A name that a crate passes on from another crate below counts with all of its own.
"""

import json
import os
import pathlib
import subprocess
import sys

NAMES = {"rules": 209, "format": 300, "tables": 145, "probe": 213}
ROOT = pathlib.Path(__file__).parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "names"


def documented(crate):
    """What rustdoc knows of a crate. Its JSON is not stable, so that even a stable compiler has to be allowed it."""
    command = ["cargo", "rustdoc", "--quiet", "--locked", "--lib", "--package", f"makruk-{crate}", "--target-dir", TARGET]
    flags = ["--", "-Z", "unstable-options", "--output-format", "json", "--document-hidden-items"]
    subprocess.run(command + flags, cwd=ROOT, check=True, env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
    return json.loads((TARGET / f"doc/makruk_{crate}.json").read_text())


DOCUMENTS = {f"makruk_{crate}": documented(crate) for crate in NAMES}
IDS = {crate: {tuple(known["path"]): id for id, known in of["paths"].items()} for crate, of in DOCUMENTS.items()}


def names(crate, id, parent, seen):
    """The public names of an item."""
    document = DOCUMENTS[crate]
    item = document["index"].get(str(id))
    if item is None:
        path = document["paths"].get(str(id), {"path": [""]})["path"]
        if path[0] != crate and path[0] in DOCUMENTS:
            yield from names(path[0], IDS[path[0]][tuple(path)], parent, seen)
        return
    [(kind, inner)] = item["inner"].items()
    if item["visibility"] not in ("public", "default") or (crate, id) in seen:
        return
    if kind == "use":
        if inner["is_glob"]:
            sys.exit(f"{parent} passes on all of {inner['source']}: name what it passes on")
        yield from names(crate, inner["id"], parent, seen)
        return
    seen.add((crate, id))
    path = f"{parent}::{item['name']}".removeprefix("::")
    yield path
    items = inner.get("items", []) if kind in ("module", "trait") else []
    for block in inner.get("impls", []) if kind in ("struct", "enum", "union") else []:
        block = document["index"][str(block)]["inner"]["impl"]
        items += [] if block["trait"] else block["items"]
    for member in items:
        yield from names(crate, member, path, seen)


wrong = False
for crate, expected in NAMES.items():
    found = list(names(f"makruk_{crate}", DOCUMENTS[f"makruk_{crate}"]["root"], "", set()))
    if "--list" in sys.argv:
        print("\n".join(found))
    if len(found) != expected:
        wrong = True
        print(f"makruk-{crate} has {len(found)} public names, and .ci/names.py has {expected}", file=sys.stderr)
sys.exit(wrong)
