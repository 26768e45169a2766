"""Does a program count as Makruk's rules do? 136 positions and moves that ask it.

    from makruk_count_kit import check

    def answer(fen, moves):
        ...
        return {"limit": 32, "ply": 6, "drawn": False}

    print(check(answer))

`answer` plays the moves and returns any of these fields; a field that it leaves out is not asked:

- `limit`, `ply`: the count after the moves, in plies, both None if nobody counts; or `fen`, the FEN that has them;
- `counted`, `left`: the last number called, and the attacker's moves left, in moves;
- `drawn`: is the game drawn now?
"""

import json
from dataclasses import dataclass, field
from importlib.resources import files

__all__ = ["Report", "cases", "check", "count_of"]

ASKED = ("count", "counted", "left", "drawn")


def cases():
    """The cases, as in cases.json; cases.schema.json describes their fields."""
    return json.loads(files(__name__).joinpath("cases.json").read_text("utf-8"))["cases"]


def count_of(fen):
    """LIMIT and PLY of a FEN, or (None, None)."""
    fields = fen.split()[3:5]
    if len(fields) < 2 or not fields[0].isdigit() or fields[0] == "0":
        return None, None
    return int(fields[0]), int(fields[1])


@dataclass
class Report:
    """The answers of a program."""

    answers: int = 0
    # Pairs of a case and its differences: the field, what the rules say, what the program says.
    differing: list = field(default_factory=list)

    def __str__(self):
        lines = [f"{self.answers} answers, {sum(len(found) for _, found in self.differing)} differ"]
        for case, found in self.differing:
            disputed = f" (disputed: {case['disputed']})" if case["disputed"] else ""
            lines.append(f"  {case['name']}, {case['clause']}{disputed}: {case['why']}")
            lines.append(f"    {case['fen']} moves {' '.join(case['moves'])}")
            lines += [f"    {name}: {text(expected)} expected, {text(answer)} found" for name, expected, answer in found]
        return "\n".join(lines)


def text(value):
    return "none" if value is None or value == (None, None) else str(value).lower()


def check(answer, which=None):
    """Asks a program every case, or those of a list."""
    report = Report()
    for case in which or cases():
        given = dict(answer(case["fen"], list(case["moves"])))
        if "fen" in given:
            given["limit"], given["ply"] = count_of(given["fen"])
        if "limit" in given or "ply" in given:
            given["count"] = given.get("limit"), given.get("ply")
        expected = {**case, "count": (case["limit"], case["ply"])}
        found = []
        for name in ASKED:
            # A field that the case does not have is not asked; no count is an answer.
            if name in given and (expected[name] is not None):
                report.answers += 1
                if given[name] != expected[name]:
                    found.append((name, expected[name], given[name]))
        if found:
            report.differing.append((case, found))
    return report
