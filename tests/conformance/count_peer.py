"""Plays the cases of the suite for the count with pyffish (GPL), from outside the project's own programs.

One case a line on standard input, a JSON object with `fen` and `moves`. One JSON object a line on standard output:
`fen` after the moves, `mated` (is the side to move mated, and does pyffish count that as lost), `repetition` (is the
game drawn since the position has occurred for the third time). The first line written names the version.
"""

import json
import sys

try:
    import pyffish
except ImportError:
    sys.exit("pyffish is not installed for this Python: run `pip install pyffish==0.0.90` or set MAKRUK_PYTHON")

VARIANT = "makruk"


def answer(case):
    fen, moves = case["fen"], case["moves"]
    ended, result = pyffish.is_optional_game_end(VARIANT, fen, moves)
    stuck = not pyffish.legal_moves(VARIANT, fen, moves)
    mated = stuck and pyffish.game_result(VARIANT, fen, moves) == -pyffish.VALUE_MATE
    return {
        "fen": pyffish.get_fen(VARIANT, fen, moves),
        "mated": mated,
        "repetition": bool(moves) and ended and result == pyffish.VALUE_DRAW,
    }


print(json.dumps({"version": ".".join(map(str, pyffish.version()))}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
