"""The example, as its users run it."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent.parent

PGN = """[Event "A rook against a khon"]
[FEN "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"]
[SetUp "1"]

1. Rxe3+ {too early} (1. Re1) Kf4 1/2-1/2

[Event "The same, as it is won"]
[FEN "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"]

1. Re1 Kf2 *
"""


def test_a_game_is_walked_through(tmp_path):
    (tmp_path / "games.pgn").write_text(PGN)
    command = [sys.executable, HERE / "examples" / "walk_pgn.py", tmp_path / "games.pgn", os.environ["MAKRUK_TABLES"]]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert lines[0] == "game 1, ply 1: KRvKS win, Rxe3+ cursed-win, gives away the win"
    assert lines[1].startswith("game 1, ply 2: KRvK blessed-loss, Kf4 ")
    assert lines[2] == "game 2, ply 1: KRvKS win, Re1 win"
    assert lines[3].startswith("game 2, ply 2: KRvKS loss, Kf2 loss")
    assert len(lines) == 4
