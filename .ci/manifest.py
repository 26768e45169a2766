"""Keeps tables/MANIFEST.tsv the list of what the sources build.

    manifest.py check
    manifest.py renew FOLDER [--bytes | --men N]

`check` fails if the sources that decide the tables' bytes, or the list itself, changed after the last `renew`.
`tables/MANIFEST.sources` has the hashes of both.

`renew` builds all tables of up to five men in FOLDER and compares them with the list: a quarter to half an hour on
two cores, 5 GB. If none differs, it writes the hashes. With `--men 4`, for a change that moves code about, it builds
and compares those alone: half a minute; the record, and every check, say so. With `--bytes` it writes the list anew,
too, and empties that of six men: after a change of the format. A build that was stopped continues; a folder with
tables of other sources is refused.
"""

import hashlib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
LIST = ROOT / "tables/MANIFEST.tsv"
RECORD = ROOT / "tables/MANIFEST.sources"
EVERY = "compared: all of up to 5 men"

# Files and folders that decide the order of positions and values, what models are learned from, the models, the codes
# and the file. Rules, kernels and readers are not among them: they decide values, which tests and `verify` compare.
SOURCES = """
tables/format/src/codec
tables/format/src/group.rs
tables/format/src/header.rs
tables/format/src/listed.rs
tables/format/src/sections.rs
tables/format/src/side_layout.rs
tables/format/src/spec.rs
tables/format/src/values.rs
tables/format/src/writer.rs
tables/format/src/index/kings.rs
tables/format/src/index/layout.rs
tables/format/src/index/region.rs
tables/format/src/index/stripes.rs
tables/format/src/index/symmetry.rs
tables/format/src/material/material.rs
tables/format/src/material/side.rs
tables/format/src/value
generator/src/classes.rs
generator/src/distance_source.rs
generator/src/new_table.rs
generator/src/options.rs
generator/src/output.rs
generator/src/solve/file_order.rs
generator/src/write.rs
""".split()


def code(text):
    """A source without what cannot change bytes: tests, comments, imports, paths, visibility, inlining, layout."""
    text = re.sub(r"//.*", "", text.split("#[cfg(test)]\nmod tests")[0])
    text = re.sub(r"^ *(pub(\([^)]*\))? )?(use|mod) [^;{]+(\{[^;]*\})?;", "", text, flags=re.MULTILINE)
    text = re.sub(r"\b(crate|super|self|makruk_\w+)::([a-z_]\w*::)*", "", text)
    text = re.sub(r"\bpub(\([^)]*\))? |#\[inline\]", "", text)
    return re.sub(r",(?=[)\]}])", "", "".join(text.split()))


def sources():
    """The hash of the sources, and of the version, which is in the header of every table."""
    version = re.search(r'^version = ".*"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[0]
    found = hashlib.sha256(version.encode())
    for source in SOURCES:
        files = sorted((ROOT / source).glob("**/*.rs")) or [ROOT / source]
        for file in files:
            found.update(code(file.read_text()).encode() + b"\n")
    return found.hexdigest()


def record():
    return [f"sources {sources()}", f"list {hashlib.sha256(LIST.read_bytes()).hexdigest()}"]


def check():
    (*recorded, compared), now = RECORD.read_text().splitlines(), record()
    if compared != EVERY:
        print(f"tables/MANIFEST.tsv: with the sources of today, {compared}; a renewal compares the others, too")
    if recorded != now:
        changed = [line.split()[0] for line in now if line not in recorded]
        sys.exit(
            f"tables/MANIFEST.tsv may not be what the sources build: the {' and the '.join(changed)} changed. "
            "Build all and compare: python3 .ci/manifest.py renew FOLDER"
        )


def generator(*arguments, **options):
    command = ["cargo", "run", "--quiet", "--locked", "--profile", "dist", "--package", "makruk-generator", "--"]
    return subprocess.run([*command, *map(str, arguments)], cwd=ROOT, text=True, **options)


def renew(folder, men, with_bytes):
    begun, now = folder / "sources", sources()
    if folder.exists() and any(folder.iterdir()) and not (begun.exists() and begun.read_text() == now):
        sys.exit(f"{folder} has files that these sources did not make: name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    begun.write_text(now)
    every = ["--men", men, "--tables", folder.resolve()]
    generator("build", *every, check=True)
    if with_bytes:
        LIST.write_text(generator("manifest", *every, check=True, stdout=subprocess.PIPE).stdout)
        LIST.with_name("MANIFEST-6.tsv").write_text(LIST.read_text().split("\n")[0] + "\n")
    elif generator("manifest", *every, "--check", LIST).returncode:
        sys.exit("The bytes changed. If they should, change the list, too: add --bytes")
    if sources() != now:
        sys.exit("The sources changed during the build: build again, in a new folder")
    RECORD.write_text("\n".join([*record(), f"compared: all of up to {men} men"]) + "\n")


match sys.argv[1:]:
    case ["check"]:
        check()
    case ["renew", folder, *rest] if rest in ([], ["--bytes"]):
        renew(pathlib.Path(folder), 5, bool(rest))
    case ["renew", folder, "--men", ("3" | "4" | "5") as men]:
        renew(pathlib.Path(folder), men, False)
    case _:
        sys.exit(__doc__)
