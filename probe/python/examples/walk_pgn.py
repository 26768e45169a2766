"""Walks through the games of a PGN file, and prints the verdict on each position and what each move gave away.

    pip install makruk-probe pyffish
    python walk_pgn.py games.pgn [TABLES]

pyffish is the board: it knows the moves of Makruk and carries the count. The tablebase takes its FENs.
"""

import re
import sys

import makruk_probe
import pyffish

VARIANT = "makruk"
START = pyffish.start_fen(VARIANT)


class Board:
    """A position with its game: what a board of python-chess is for chess."""

    def __init__(self, fen=START):
        self.start, self.moves = fen, []

    def fen(self):
        return pyffish.get_fen(VARIANT, self.start, self.moves)

    def men(self):
        return sum(letter.isalpha() for letter in self.fen().split()[0])

    def push_san(self, san):
        """Makes a move in SAN; marks such as + and ! do not matter."""
        plain = san.rstrip("+#!?")
        for uci in pyffish.legal_moves(VARIANT, self.start, self.moves):
            if pyffish.get_san(VARIANT, self.fen(), uci).rstrip("+#") == plain:
                self.moves.append(uci)
                return
        raise ValueError(f"{san} is not a legal move in {self.fen()}")


def games(text):
    """The games of a PGN text: the start, and the moves in SAN."""
    for game in re.split(r"\n\s*\n(?=\[)", text.strip()):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', game, re.MULTILINE))
        moves = re.sub(r"^\[.*\]$|\{[^}]*\}|;.*$", "", game, flags=re.MULTILINE)
        while "(" in moves:
            moves = re.sub(r"\([^()]*\)", "", moves)
        words = re.sub(r"\d+\.+|\$\d+", " ", moves).split()
        yield tags.get("FEN", START), [word for word in words if word not in {"1-0", "0-1", "1/2-1/2", "*"}]


def main(path, folder=None):
    with makruk_probe.open_tablebase(folder) as tables, open(path, encoding="utf-8") as file:
        for number, (fen, moves) in enumerate(games(file.read()), 1):
            board = Board(fen)
            for ply, san in enumerate(moves, 1):
                before = tables.get(board) if board.men() <= tables.largest else None
                played = None
                if before is not None and not before.checkmate:
                    uci = Board(board.fen())
                    uci.push_san(san)
                    played = next(move for move in tables.moves(board) if move.uci == uci.moves[0])
                board.push_san(san)
                if played is not None:
                    lost = f", gives away the {before.category}" if played.category < before.category else ""
                    print(f"game {number}, ply {ply}: {before.material} {before.category}, {san} {played.category}{lost}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:3])
