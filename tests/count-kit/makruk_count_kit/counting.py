"""The count of Makruk in one file, and wrong counts to test a test with.

`Count()` counts by the competition rules. Each of `WRONG` differs in one rule that programs get wrong. Moves are played
as they come, in UCI notation: they must be legal. Copy what you need, under MIT or Apache-2.0.
"""

from dataclasses import dataclass

FILES = "abcdefgh"
KING = [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if f or r]
DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
LINES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
# The first row that fits the attacker's men gives the limit, in moves.
LIMITS = [("RR", 8), ("R", 16), ("SS", 22), ("NN", 32), ("S", 44)]


class Board:
    """Men on squares, `(file, rank)` from 0; capitals are White's. Letters R N S M P and K."""

    def __init__(self, fen):
        placement, turn = fen.split()[:2]
        self.white, self.men = turn == "w", {}
        for rank, row in zip(range(7, -1, -1), placement.replace("M~", "M").replace("m~", "m").split("/")):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                else:
                    self.men[file, rank] = letter
                    file += 1

    def play(self, uci):
        start, end = [(FILES.index(uci[at]), int(uci[at + 1]) - 1) for at in (0, 2)]
        man = self.men.pop(start)
        if man in "Pp" and end[1] == (5 if man == "P" else 2):
            man = "M" if man == "P" else "m"
        self.men[end] = man
        self.white = not self.white

    def of(self, white):
        return "".join(man.upper() for man in self.men.values() if man.isupper() == white and man not in "Kk")

    def has_pawns(self):
        return any(man in "Pp" for man in self.men.values())

    def key(self):
        return frozenset(self.men.items()), self.white

    def steps(self, square):
        """The squares that a man attacks."""
        man = self.men[square]
        ahead = 1 if man.isupper() else -1
        kind = man.upper()
        if kind == "R":
            for file, rank in LINES:
                at = square[0] + file, square[1] + rank
                while 0 <= at[0] < 8 and 0 <= at[1] < 8:
                    yield at
                    if at in self.men:
                        break
                    at = at[0] + file, at[1] + rank
            return
        sides = {"K": KING, "N": LEAPS, "M": DIAGONALS, "S": DIAGONALS + [(0, ahead)], "P": [(1, ahead), (-1, ahead)]}
        for file, rank in sides[kind]:
            at = square[0] + file, square[1] + rank
            if 0 <= at[0] < 8 and 0 <= at[1] < 8:
                yield at

    def in_check(self, white):
        king = next(square for square, man in self.men.items() if man == ("K" if white else "k"))
        others = [square for square, man in self.men.items() if man.isupper() != white]
        return any(king in self.steps(square) for square in others)

    def can_move(self):
        for square, man in list(self.men.items()):
            if man.isupper() != self.white:
                continue
            ends = list(self.steps(square))
            if man in "Pp":
                ends = [end for end in ends if end in self.men]
                step = square[0], square[1] + (1 if man == "P" else -1)
                ends += [] if step in self.men else [step]
            for end in ends:
                taken = self.men.get(end)
                if taken and taken.isupper() == self.white:
                    continue
                del self.men[square]
                self.men[end] = man
                is_legal = not self.in_check(self.white)
                del self.men[end]
                self.men[square] = man
                if taken:
                    self.men[end] = taken
                if is_legal:
                    return True
        return False

    def can_mate(self, white):
        """Whether a side can still mate if the other helps, by the men: None if pawns decide."""
        own, other = self.of(white), self.of(not white)
        if not own or (own in ("N", "M", "P") and not other):
            return False
        if set(own) <= set("MP") and set(other) <= set("RMP"):
            # Mets stay on the colour of their squares. A lone pawn's file decides on which it becomes a met.
            lone = len(own) == 1 and len(other) <= 1
            if lone or not self.has_pawns():
                ends = {"P": 5, "p": 2}
                mets = [(file + ends.get(man, rank)) % 2 for (file, rank), man in self.men.items() if man in "MmPp"]
                if len(set(mets)) < 2:
                    return False
        return None if self.has_pawns() else True


@dataclass(frozen=True)
class Count:
    """The rules of a count, by default the competition rules; each field is one that programs get wrong."""

    name: str = "the competition rules"
    # All men on the board count as counted already; else the attacker's alone, or none.
    counted_men: str = "all"
    # The lowest limit that applies; else that of the highest man, khon before knight.
    lowest_limit: bool = True
    # After the defender's last number the attacker has one more move.
    last_move: bool = True
    # A capture by the bare king leaves the limit as it is.
    limit_stays: bool = True
    # Captures between armed sides leave board's honour as it is.
    captures_restart: bool = False
    # No count begins while a pawn is on the board.
    pawns_stop: bool = True
    # A capture that bares begins a new count.
    baring_restarts: bool = True
    # Board's honour is counted at all.
    board_counts: bool = True
    # The third occurrence of a position is a draw.
    repetition_draws: bool = True

    def limit(self, men):
        limits = LIMITS if self.lowest_limit else [("RR", 8), ("R", 16), ("SS", 22), ("S", 44), ("NN", 32)]
        for needed, limit in limits:
            if all(men.count(man) >= needed.count(man) for man in needed):
                return limit
        return 64

    def begin(self, board):
        """The count that begins in a position, LIMIT and PLY; None if none does."""
        white, black = board.of(True), board.of(False)
        if (self.pawns_stop and board.has_pawns()) or not (white or black):
            return None
        if white and black:
            return (128, 0) if self.board_counts else None
        attacker_is_white = bool(white)
        men = {"all": len(board.men), "attacker": len(white or black) + 1, "none": 0}[self.counted_men]
        return 2 * self.limit(white or black), 2 * men - (board.white == attacker_is_white)

    def after(self, fen, moves):
        """The count after moves, (LIMIT, PLY) or None, and whether the game is drawn now."""
        board = Board(fen)
        fields = fen.split()[3:5]
        count = None
        if len(fields) == 2 and fields[0].isdigit() and fields[0] != "0":
            count = int(fields[0]), int(fields[1])
        if board.has_pawns() and self.pawns_stop:
            count = None
        if count is None:
            count = self.begin(board)
        seen = {board.key(): 1}
        for uci in moves:
            mover, over = board.white, count is not None and count[1] > count[0]
            before, had_pawns, men = board.of(not mover), board.has_pawns(), len(board.men)
            was_armed = bool(board.of(mover))
            board.play(uci)
            is_bared = was_armed and bool(before) and not board.of(not mover)
            if over:
                count = count[0], count[1] + 1
            elif count is None or (had_pawns and not board.has_pawns() and self.pawns_stop):
                count = self.begin(board)
            elif is_bared and self.baring_restarts:
                count = self.begin(board)
            elif self.captures_restart and len(board.men) < men:
                count = self.begin(board)
            else:
                limit = count[0]
                if not self.limit_stays and len(board.men) < men and not was_armed:
                    limit = 2 * self.limit(board.of(not mover))
                count = limit, count[1] + 1
            seen[board.key()] = seen.get(board.key(), 0) + 1
        return count, self.is_drawn(board, count, seen[board.key()])

    def is_drawn(self, board, count, times):
        stuck, checked = not board.can_move(), board.in_check(board.white)
        if count is not None:
            spent = count[1] - count[0] if self.last_move else count[1] - count[0] + 1
            if spent > (1 if stuck and checked else 0):
                return True
        dead = board.can_mate(True) is False and board.can_mate(False) is False
        return (stuck and not checked) or dead or (self.repetition_draws and times >= 3)


WRONG = [
    Count("counts the attacker's men alone", counted_men="attacker"),
    Count("counts from one", counted_men="none"),
    Count("takes the limit of the highest man", lowest_limit=False),
    Count("gives no last move", last_move=False),
    Count("changes the limit when the bare king captures", limit_stays=False),
    Count("restarts at every capture", captures_restart=True),
    Count("counts with pawns on the board", pawns_stop=False),
    Count("goes on with the old count when a king is bared", baring_restarts=False),
    Count("has no board's honour", board_counts=False),
    Count("knows no repetition", repetition_draws=False),
]
