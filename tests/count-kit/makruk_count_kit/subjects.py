"""Programs of others to ask: pyffish, and engines that speak UCI and print the position with `d`."""

import subprocess

from .counting import WRONG, Count

VARIANT = "makruk"


def pyffish(fen, moves):
    """pyffish (GPL), which must be installed."""
    import pyffish as module

    after = module.get_fen(VARIANT, fen, moves)
    stuck = not module.legal_moves(VARIANT, fen, moves)
    optional, result = module.is_optional_game_end(VARIANT, fen, moves)
    at_once, end = module.is_immediate_game_end(VARIANT, fen, moves)
    drawn = (optional and result == 0) or (at_once and end == 0)
    if stuck:
        drawn = module.game_result(VARIANT, fen, moves) == 0
    return {"fen": after, "drawn": drawn or module.has_insufficient_material(VARIANT, fen, moves) == (True, True)}


def uci(program, *arguments):
    """An engine with the variant `makruk`; gives the function to ask."""
    engine = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(*lines):
        engine.stdin.write("".join(f"{line}\n" for line in lines))
        engine.stdin.flush()

    def lines_before(last):
        for line in engine.stdout:
            if line.strip() == last:
                return
            yield line.strip()
        raise RuntimeError(f"{program} ended")

    say("uci")
    list(lines_before("uciok"))
    say(f"setoption name UCI_Variant value {VARIANT}")

    def answer(fen, moves):
        say(f"position fen {fen} moves {' '.join(moves)}", "d", "isready")
        marks = ("Fen: ", "info string fen ")
        found = [line.removeprefix(mark) for line in lines_before("readyok") for mark in marks if line.startswith(mark)]
        if not found:
            raise RuntimeError(f"{program} does not print a FEN with `d`")
        return {"fen": found[0]}

    return answer


def counting(wrong=None):
    """The count of `counting.py`: the right one, or a wrong one by its number or name; gives the function to ask."""
    rules = Count()
    if wrong is not None and wrong != "right":
        rules = WRONG[int(wrong)] if wrong.isdigit() else next(rule for rule in WRONG if rule.name == wrong)

    def answer(fen, moves):
        count, drawn = rules.after(fen, moves)
        limit, ply = count or (None, None)
        return {"limit": limit, "ply": ply, "drawn": drawn}

    return answer
