"""The endgame tablebase of Makruk (Thai chess).

All distances and the count's figures are plies; "moves" are moves of one side. Distances are signed: positive wins, negative
loses, None is a draw, 0 is mated.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, Optional, Protocol, TypeVar, Union, final, overload

__version__: str

Policy = Literal["safest", "fastest", "stubborn", "tricky"]

class _BoardWithMethod(Protocol):
    def fen(self) -> str: ...

class _BoardWithAttribute(Protocol):
    @property
    def fen(self) -> str: ...

Position = Union[str, _BoardWithMethod, _BoardWithAttribute]
_T = TypeVar("_T")

@final
class Category:
    """The category of a position under the count, from the side to move; ordered from worst to best."""

    LOSS: Category
    """Lost, also under the count."""
    BLESSED_LOSS: Category
    """Lost without the count, drawn by it."""
    DRAW: Category
    """Drawn: neither side forces mate."""
    CURSED_WIN: Category
    """Won without the count, drawn by it."""
    WIN: Category
    """Won, also under the count."""

    @property
    def is_drawn(self) -> bool:
        """Is the game drawn, with best play by both?"""
    def __str__(self) -> str:
        """`loss`, `blessed-loss`, `draw`, `cursed-win` or `win`."""
    def __int__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: Category) -> bool: ...
    def __le__(self, other: Category) -> bool: ...
    def __gt__(self, other: Category) -> bool: ...
    def __ge__(self, other: Category) -> bool: ...

@final
class Count:
    """A running count, as in the FEN."""

    def __new__(cls, limit: int, ply: int) -> Count: ...
    @property
    def limit(self) -> int:
        """The limit in plies."""
    @property
    def ply(self) -> int:
        """The plies on the clock."""
    def __hash__(self) -> int: ...

@final
class Verdict:
    """The verdict on a position, from the side to move."""

    @property
    def fen(self) -> str:
        """The position, in Fairy-Stockfish's letters and six fields."""
    @property
    def material(self) -> str:
        """The material, such as `KRvKS`. The colours of the name need not be those of the board."""
    @property
    def side(self) -> Literal["white", "black"]:
        """The side to move."""
    @property
    def category(self) -> Category:
        """The category under the count."""
    @property
    def dtm(self) -> Optional[int]:
        """Signed plies to mate without a count; None if neither side forces mate, 0 if the side to move is mated."""
    @property
    def dtz(self) -> Optional[int]:
        """Signed plies to the conversion: mate, or a capture that bares the loser's king with enough moves left. None if no
        conversion can be forced; equal to dtm with a bare king."""
    @property
    def count(self) -> Optional[Count]:
        """The count in the FEN. None if none runs; the position is then judged as if the count began now."""
    @property
    def attacker_moves_left(self) -> Optional[int]:
        """The winner's moves left under the count; None if neither side wins."""
    @property
    def checkmate(self) -> bool:
        """Is the side to move mated? The category is DRAW if the count had drawn the game before the mate."""
    @property
    def stalemate(self) -> bool:
        """Is the side to move stalemated, which draws?"""

@final
class Move:
    """A move and its verdict, from the side that makes it, the move itself included."""

    @property
    def uci(self) -> str:
        """UCI notation, such as `e2e3`."""
    @property
    def san(self) -> str:
        """SAN in the letters K R N S M, with + and #, such as `Rxe3+`."""
    @property
    def category(self) -> Category:
        """The category under the root's count carried on."""
    @property
    def dtm(self) -> Optional[int]:
        """Signed plies to mate without a count; 1 for a mating move, None if neither side forces mate."""
    @property
    def dtz(self) -> Optional[int]:
        """Signed plies to the conversion; 1 for a baring capture in time, None if no conversion can be forced."""
    @property
    def count(self) -> Optional[Count]:
        """The count that runs after it."""
    @property
    def capture(self) -> bool:
        """Does it take a man?"""
    @property
    def zeroing(self) -> bool:
        """Does it bare an opponent who had a piece left?"""

@final
class SideStatistics:
    """The totals of one side to move: numbers of distinct legal positions on the full board, seen by that side."""

    @property
    def win(self) -> int:
        """Positions won by this side, without the count."""
    @property
    def draw(self) -> int:
        """Positions drawn without the count."""
    @property
    def loss(self) -> int:
        """Positions lost by this side, without the count."""
    @property
    def longest_win(self) -> int:
        """The longest win in plies; 0 if there is none."""
    @property
    def longest_loss(self) -> int:
        """The longest loss in plies; 0 if there is none."""
    @property
    def histogram(self) -> list[tuple[int, int]]:
        """Pairs of signed plies and a number of positions."""

@final
class Statistics:
    """The totals of a table, in the colours of its name: White is the first side."""

    @property
    def material(self) -> str:
        """The canonical name of the material, such as `KRvKS`."""
    @property
    def men(self) -> int:
        """The number of men, both kings included."""
    @property
    def metric(self) -> Literal["dtm", "dtz"]:
        """The metric of the table; only materials with both sides armed have `dtz`."""
    @property
    def bytes(self) -> int:
        """The length of the file in bytes."""
    @property
    def white(self) -> SideStatistics:
        """The totals with White to move."""
    @property
    def black(self) -> SideStatistics:
        """The totals with Black to move."""

@final
class StatisticsIterator(Iterator[Statistics]):
    """Reads the statistics of one table at each step. Raises UnreadableTableError or CorruptTableError."""

    def __iter__(self) -> StatisticsIterator: ...
    def __next__(self) -> Statistics: ...
    def __length_hint__(self) -> int: ...

Path = Union[str, os.PathLike[str]]

@final
class Tablebase:
    """The tables of one folder or of several. Any number of threads may use the same one; every method that
    reads files lets other threads run meanwhile. Positions are FENs, or boards: objects with a method or an attribute `fen`."""

    def __new__(cls, path: Union[Path, Sequence[Path], None] = None, *, cache_bytes: int = 67108864) -> Tablebase:
        """Opens nothing yet. Without a path: the folder that MAKRUK_TABLES names, else ./tables/data if it is there, else the
        user's data folder. `cache_bytes` is the memory for decoded stripes; 0 keeps none.

        Files are read by position, never mapped: a file that is cut short while it is open raises CorruptTableError."""
    def probe(self, fen: Position) -> Verdict:
        """The verdict on a position.

        Raises PositionError, MissingTableError, UnreadableTableError or CorruptTableError."""
    @overload
    def get(self, fen: Position) -> Optional[Verdict]: ...
    @overload
    def get(self, fen: Position, default: _T) -> Union[Verdict, _T]: ...
    def get(self, fen: Position, default: object = None) -> object:
        """The same, or `default` where the tables have no answer: a table is not there, or there are pawns or too many men.
        Raises as probe() otherwise."""
    def category(self, fen: Position) -> Category:
        """The category alone; fast where there are WDL tables. Raises as probe()."""
    @overload
    def get_category(self, fen: Position) -> Optional[Category]: ...
    @overload
    def get_category(self, fen: Position, default: _T) -> Union[Category, _T]: ...
    def get_category(self, fen: Position, default: object = None) -> object:
        """The same, or `default` where get() gives it."""
    @overload
    def probe_many(self, fens: Sequence[Position], *, errors: Literal["raise"] = "raise") -> list[Verdict]: ...
    @overload
    def probe_many(self, fens: Sequence[Position], *, errors: Literal["return"]) -> list[Union[Verdict, ProbeError]]: ...
    def probe_many(self, fens: Sequence[Position], *, errors: str = "raise") -> object:
        """The verdicts on many positions, in order. The first that fails raises; with `errors="return"` its place has the
        exception."""
    def moves(self, fen: Position) -> list[Move]:
        """The legal moves, best first. Raises as probe(), also for the materials that captures lead to."""
    def play(self, fen: Position, policy: Policy = "safest") -> Optional[Move]:
        """The move that a perfect player makes; None if the game is over. Raises as moves(), and ValueError."""
    def line(self, fen: Position, *, defence: Policy = "safest", max_plies: int = 2000) -> list[Move]:
        """Best play under the count, until mate or the draw by it; empty if neither side wins. Raises as play()."""
    def statistics(self) -> StatisticsIterator:
        """The totals of every table, read when they are asked for."""
    def close(self) -> None:
        """Closes the files. Questions raise ValueError from then on; `with` closes at its end."""
    def __enter__(self) -> Tablebase: ...
    def __exit__(self, kind: object, error: object, traceback: object) -> None: ...
    def __bool__(self) -> bool:
        """True until it is closed, also without tables."""
    def __iter__(self) -> StatisticsIterator: ...
    def __len__(self) -> int:
        """The number of tables of distances: a material with both sides armed has two."""
    @property
    def largest(self) -> int:
        """The number of men of the largest material, both kings included; 2 without tables."""
    @property
    def folders(self) -> list[str]:
        """The folders of the tables; a table is taken from the first folder that has it."""

class ProbeError(Exception):
    """A position has no verdict."""

    reason: str
    """`bad_fen`, `illegal_position`, `has_pawns`, `too_many_men`, `bad_count`, `missing_table`,
    `unreadable_table` or `corrupt_table`."""

class PositionError(ProbeError):
    """The position cannot be read, is illegal, or is in no table."""

class MissingTableError(ProbeError):
    """A table is not there."""

class UnreadableTableError(ProbeError):
    """The system cannot read a table now."""

class CorruptTableError(ProbeError):
    """A table is damaged; other tables are not concerned."""
