"""Positions as people and programs write them, read as the tables of inputs say (tests/data/dialects)."""

import os
import pathlib
import re

import pytest

from makruk_probe import PositionError, ProbeError, Tablebase

DATA = pathlib.Path(__file__).parents[3] / "tests" / "data" / "dialects"


@pytest.fixture(scope="module")
def tablebase():
    return Tablebase(pathlib.Path(os.environ["MAKRUK_TABLES"]))


def rows(name):
    for line in (DATA / name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def unescaped(text):
    text = text.replace("\\t", "\t").replace("\\r", "\r")
    return re.sub(r"\\u\{(\w+)\}", lambda code: chr(int(code[1], 16)), text)


def read(tablebase, text):
    """The position that is read and its notes, or the error. A position that is in no table has no notes and ends in None."""
    try:
        verdict = tablebase.probe(text)
        return verdict.fen, "; ".join(verdict.notes)
    except ProbeError as error:
        return ("ERROR", str(error)) if error.reason in ("bad_fen", "illegal_position", "bad_count") else (None, None)


def test_texts_of_others(tablebase):
    for _, _, text, right, _ in rows("given.txt"):
        fen, _ = read(tablebase, text)
        assert fen is None and right != "ERROR" or right == "ANY" or fen in right.split(" or "), text


def test_every_rule(tablebase):
    for rule, text, right, part in rows("rules.tsv"):
        fen, said = read(tablebase, unescaped(text))
        assert fen in (right, None), rule
        if fen is not None:
            assert said == "" if part == "-" else unescaped(part) in said, rule


def test_a_board_of_chess_is_refused(tablebase):
    class Board:
        uci_variant = "chess"

        def fen(self):
            return "8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1"

    with pytest.raises(PositionError, match="position of chess, not of Makruk: the board is a .*Board") as raised:
        tablebase.probe(Board())
    assert raised.value.reason == "bad_fen"
    verdict = tablebase.probe(Board().fen())
    assert (verdict.material, verdict.notes) == ("KRvKS", ["B was read as a khon (S)"])
    Board.uci_variant = "makruk"
    assert tablebase.probe(Board()).material == "KRvKS"
