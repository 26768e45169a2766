"""Answers questions about Makruk positions with pyffish (GPL), from outside the project's own programs.

One question a line on standard input: a FEN in Fairy-Stockfish's letters, a tab, and the moves after which the FEN is
wanted, in UCI notation and separated by spaces. One JSON object a line on standard output: `moves`
(the legal ones), `check`, `fens` (move -> FEN). The first line written names the version.
"""

import json
import sys

try:
    import pyffish
except ImportError:
    sys.exit("pyffish is not installed for this Python: run `pip install pyffish==0.0.90` or set MAKRUK_PYTHON")

VARIANT = "makruk"


def answer(question):
    fen, wanted = question.rstrip("\n").split("\t")
    moves = pyffish.legal_moves(VARIANT, fen, [])
    return {
        "moves": moves,
        "check": pyffish.gives_check(VARIANT, fen, []),
        # An illegal move would end the process: only what pyffish calls legal is asked.
        "fens": {move: pyffish.get_fen(VARIANT, fen, [move]) for move in wanted.split() if move in moves},
    }


print(json.dumps({"version": ".".join(map(str, pyffish.version()))}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(line)), flush=True)
