"""Copies documents with all that they link to, or checks the links of documents.

    documents.py copy FROM TO DOCUMENT...
    documents.py check FOLDER...

`copy` takes the paths of documents below FROM. Files that the documents link to come along, and so do the files of
linked folders, as far as git knows them. A link that leads out of FROM is an error.

`check` fails if a link of a document in these folders leads to no file, or to no heading of its document. Links to
other hosts are not followed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unicodedata

FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1[`~]* *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"""\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s*(\S+)|<(?:img|a)\s[^>]*?(?:src|href)="([^"]+)\"""", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.*?) *#* *$", re.MULTILINE)
OTHER_HOST = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def links(document):
    """The links of a document that lead to files or headings: the path, which may be empty, and the heading."""
    text = CODE.sub("", FENCE.sub("", document.read_text(encoding="utf-8")))
    for found in LINK.finditer(text):
        target = next(group for group in found.groups() if group)
        if not OTHER_HOST.match(target):
            path, _, heading = target.partition("#")
            yield path, heading


def headings(document):
    """The addresses of a document's headings: letters, marks, digits, hyphens and underscores, blanks as hyphens."""
    found = set()
    for title in HEADING.findall(FENCE.sub("", document.read_text(encoding="utf-8"))):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        kept = (c for c in title if c in " -_" or unicodedata.category(c)[0] in "LMN")
        address, number = "".join(kept).replace(" ", "-"), 0
        while (unique := address + (f"-{number}" if number else "")) in found:
            number += 1
        found.add(unique)
    return found


def check(folders):
    """Prints the dead links of the documents in folders; returns their number."""
    documents = [path for folder in folders for path in sorted(pathlib.Path(folder).rglob("*.md"))
                 if not {"node_modules", "target", ".git"} & set(path.relative_to(folder).parts)]
    checked, dead = 0, 0
    for document in documents:
        for path, heading in links(document):
            checked += 1
            target = document.parent / path if path else document
            if not target.exists():
                problem = "no such file"
            elif heading and target.suffix == ".md" and heading not in headings(target):
                problem = "no such heading"
            else:
                continue
            dead += 1
            print(f"{document}: {path}{'#' if heading else ''}{heading}: {problem}", file=sys.stderr)
    if not documents:
        sys.exit(f"no documents in {' '.join(folders)}")
    print(f"   links of {len(documents)} documents: {checked}, dead: {dead}")
    return dead


def copy(source, to, documents):
    """Copies documents below a folder, and what they link to."""
    source, to = pathlib.Path(source), pathlib.Path(to)
    known = subprocess.run(["git", "ls-files", "-z"], cwd=source, check=True, capture_output=True, text=True).stdout.split("\0")
    waiting, done = [os.path.normpath(document) for document in documents], set()
    while waiting:
        path = waiting.pop()
        if path in done:
            continue
        done.add(path)
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / path, to / path)
        if not path.endswith(".md"):
            continue
        for link, _ in links(source / path):
            target = os.path.normpath(os.path.join(os.path.dirname(path), link)) if link else path
            files = [file for file in known if file == target or file.startswith(target + "/")]
            if target.startswith("..") or not files:
                sys.exit(f"{source / path}: the link {link} leads to no file of {source.resolve()} that git knows")
            waiting += files
    return 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["check", _, *_]:
            sys.exit(1 if check(sys.argv[2:]) else 0)
        case ["copy", source, to, *documents] if documents:
            sys.exit(copy(source, to, documents))
        case _:
            sys.exit(__doc__)
