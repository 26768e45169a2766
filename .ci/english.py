"""Finds what is hard to read in the comments of Rust: lines over 120 characters, and sentences of documentation over 30 words.

    english.py           names them and fails
    english.py --wrap    wraps the long lines
"""

import re
import subprocess
import sys

MOST_CHARACTERS = 120
MOST_WORDS = 30
COMMENT = re.compile(r"^( *)(///|//!|//)(?: (.*))?$")
# What does not belong to a paragraph: lists, tables, headings, indented lines, fences, links.
APART = re.compile(r"^( |[-*|#>]|\d+\. )")
SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[\"'(]?[A-Z`\[])")


def paragraphs(lines):
    """The paragraphs of comments: the first line's number, indent, mark, and texts."""
    found, fenced = [], False
    for number, line in enumerate(lines):
        match = COMMENT.match(line)
        if not match:
            fenced = False
            continue
        indent, mark, text = match[1], match[2], match[3] or ""
        if text.startswith("```"):
            fenced = not fenced
        elif not fenced and text:
            last = found[-1] if found else None
            follows = last and last[0] + len(last[3]) == number and (last[1], last[2]) == (indent, mark)
            # A list's entry goes on in lines that are indented below it.
            is_entry = bool(re.match(r"(- |\d+\. )", text))
            goes_on = follows and not APART.match(text) and not APART.match(last[3][0])
            goes_on = goes_on or (follows and text.startswith("  ") and re.match(r"- ", last[3][0]))
            if goes_on:
                last[3].append(text)
            elif is_entry or not APART.match(text):
                found.append((number, indent, mark, [text]))
    return found


def wrapped(paragraph):
    """The lines of a paragraph that has a long one; its first lines stay as they are."""
    _, indent, mark, texts = paragraph
    start = f"{indent}{mark} "
    first = next(at for at, text in enumerate(texts) if len(start + text) > MOST_CHARACTERS)
    hanging = "  " if texts[0].startswith("- ") else ""
    lines, line = [start + text for text in texts[:first]], ""
    for word in " ".join(text.strip() for text in texts[first:]).split(" "):
        lead = start + (hanging if lines else "")
        if line and len(lead + line + " " + word) > MOST_CHARACTERS:
            lines.append(lead + line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, start + (hanging if lines else "") + line]


def files():
    names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in names if name.endswith(".rs") and "/generated/" not in name]


def wrap():
    for name in files():
        with open(name, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for paragraph in reversed(paragraphs(lines)):
            number, indent, mark, texts = paragraph
            if any(len(f"{indent}{mark} {text}") > MOST_CHARACTERS for text in texts):
                lines[number:number + len(texts)] = wrapped(paragraph)
        with open(name, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))


def check():
    problems = []
    for name in files():
        with open(name, encoding="utf-8") as file:
            lines = file.read().split("\n")
        for number, line in enumerate(lines, 1):
            # Addresses and entries of tables cannot be wrapped.
            if len(line) > MOST_CHARACTERS and COMMENT.match(line) and " | " not in line and "://" not in line:
                problems.append(f"{name}:{number}: a comment line of {len(line)} characters: at most {MOST_CHARACTERS}")
        for number, _, mark, texts in paragraphs(lines):
            for sentence in SENTENCE.split(" ".join(texts)) if mark != "//" else []:
                words = len(re.findall(r"\w[\w'’-]*", re.sub(r"`[^`]*`|\[[^\]]*\]", "x", sentence)))
                if words > MOST_WORDS:
                    problems.append(f"{name}:{number + 1}: a sentence of {words} words: at most {MOST_WORDS}: {sentence}")
    print(*problems, sep="\n")
    sys.exit(1 if problems else 0)


wrap() if "--wrap" in sys.argv else check()
