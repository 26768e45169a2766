"""Finds what is hard to read in comments: lines over 120 characters, and sentences of documentation over 30 words."""

import re
import subprocess
import sys

MOST_CHARACTERS = 120
MOST_WORDS = 30
SUFFIXES = (".rs", ".ts", ".mjs", ".c", ".h", ".proto", ".py", ".pyi")
# Files that follow from others.
GENERATED = ("/generated/", "/dist/", "schemas.ts", "service/page/")
# By suffix: what begins and ends a block of comments, and the marks of a line.
PYTHON = ('"""', '"""', r"(#)(?: (.*))?$")
STYLES = {".py": PYTHON, ".pyi": PYTHON}
OTHER = (r"/\*\*?", "*/", r"(///|//!|//)(?: (.*))?$")
# Marks of documentation. In a .proto file every comment documents.
DOCUMENTS = ("///", "//!", "/**")
# What does not belong to a paragraph: lists, tables, headings, indented lines, fences, links.
APART = re.compile(r"^( |[-*|#>@]|\d+\. )")
SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[\"'(]?[A-Z`\[])")


def comments(suffix, lines):
    """The lines of comments: the number, the mark that begins the comment, and the text."""
    begin, end, mark = STYLES.get(suffix, OTHER)
    block = None
    for number, line in enumerate(lines):
        text = line.strip()
        if not block and (start := re.match(begin, text)):
            block, text = start[0], text[start.end():]
        if block:
            text, ended, _ = text.partition(end)
            yield number, block, re.sub(r"^\*? ?", "", text).rstrip()
            block = None if ended else block
        elif match := re.match(mark, text):
            yield number, match[1], match[2] or ""


def paragraphs(found):
    """The paragraphs of comments: the first line's number, the mark, and the texts."""
    all_of_them, before, fenced = [], None, False
    for number, mark, text in found:
        fenced = fenced and number == before + 1
        before = number
        if text.startswith("```"):
            fenced = not fenced
        elif not fenced and text:
            last = all_of_them[-1] if all_of_them else None
            follows = last and last[0] + len(last[2]) == number and last[1] == mark
            # A list's entry goes on in lines that are indented below it.
            goes_on = follows and not APART.match(text) and not APART.match(last[2][0])
            goes_on = goes_on or (follows and text.startswith("  ") and re.match(r"- ", last[2][0]))
            if goes_on:
                last[2].append(text)
            elif re.match(r"(- |\d+\. )", text) or not APART.match(text):
                all_of_them.append((number, mark, [text]))
    return all_of_them


def problems(name):
    suffix = name[name.rindex("."):]
    with open(name, encoding="utf-8") as file:
        lines = file.read().split("\n")
    found = list(comments(suffix, lines))
    for number, _, _ in found:
        # Addresses and entries of tables cannot be wrapped.
        if len(lines[number]) > MOST_CHARACTERS and " | " not in lines[number] and "://" not in lines[number]:
            yield f"{name}:{number + 1}: a comment line of {len(lines[number])} characters: at most {MOST_CHARACTERS}"
    for number, mark, texts in paragraphs(found):
        if mark not in DOCUMENTS and suffix != ".proto":
            continue
        for sentence in SENTENCE.split(" ".join(texts)):
            words = len(re.findall(r"\w[\w'’-]*", re.sub(r"`[^`]*`|\[[^\]]*\]", "x", sentence)))
            if words > MOST_WORDS:
                yield f"{name}:{number + 1}: a sentence of {words} words: at most {MOST_WORDS}: {sentence}"


names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
names = [name for name in names if name.endswith(SUFFIXES) and not any(part in name for part in GENERATED)]
wrong = [problem for name in names for problem in problems(name)]
print(*wrong, sep="\n")
sys.exit(1 if wrong else 0)
