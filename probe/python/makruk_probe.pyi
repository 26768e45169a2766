"""The endgame tablebase of Makruk (Thai chess).

All distances and the count's figures are plies; "moves" are moves of one side. Distances are signed: positive wins,
negative loses, None is a draw, 0 is mated.
"""

import enum
import os
import pathlib
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Optional, Protocol, TypeVar, Union, final, overload

__version__: str

_Policy = Literal["safest", "fastest", "stubborn", "tricky"]
_RuleName = Literal["none", "board", "pieces"]
_SideName = Literal["white", "black"]

class _BoardWithMethod(Protocol):
    def fen(self) -> str: ...

class _BoardWithAttribute(Protocol):
    @property
    def fen(self) -> str: ...

_Position = Union[str, _BoardWithMethod, _BoardWithAttribute]
_T = TypeVar("_T")

@final
class Category(enum.Enum):
    """The category of a position under the count, from the side to move; ordered from worst to best. It equals its
    name, and has the hash of it. `value` is its number, as python-chess has it: positive if this side wins without the
    count, 2 if also within it. `-category` is the category of the other side."""

    LOSS = -2
    """Lost, also under the count."""
    BLESSED_LOSS = -1
    """Lost without the count, drawn by it."""
    DRAW = 0
    """Drawn: neither side forces mate."""
    CURSED_WIN = 1
    """Won without the count, drawn by it."""
    WIN = 2
    """Won, also under the count."""

    def __new__(cls, value: Union[int, str]) -> Category: ...
    @property
    def is_drawn(self) -> bool:
        """Whether the game is drawn, with best play by both."""
    def __eq__(self, other: object) -> bool:
        """Whether it is that category or has that name. Raises TypeError for a number, ValueError for another word."""
    def __lt__(self, other: Union[Category, str]) -> bool: ...
    def __le__(self, other: Union[Category, str]) -> bool: ...
    def __gt__(self, other: Union[Category, str]) -> bool: ...
    def __ge__(self, other: Union[Category, str]) -> bool: ...
    def __neg__(self) -> Category: ...
    def __hash__(self) -> int: ...
    def __str__(self) -> str:
        """`loss`, `blessed-loss`, `draw`, `cursed-win` or `win`."""

@final
class Count:
    """The count of a position, with the fields that it has in JSON. It is true if a count runs."""

    @property
    def rule(self) -> _RuleName:
        """The rule of the count that runs: `board`, `pieces`, or `none`."""
    @property
    def limit(self) -> Optional[int]:
        """The limit in plies, as in the FEN; None if no count runs."""
    @property
    def ply(self) -> Optional[int]:
        """The plies on the clock, as in the FEN; None if no count runs."""
    @property
    def attacker_moves_left(self) -> Optional[int]:
        """The winner's moves left under the count or, if none runs, under one that begins now; None if neither side
        wins, or with a pawn on the board."""
    # By hand:
    def to_dict(self) -> dict[str, Any]:
        """The attributes as a dictionary."""
    def __bool__(self) -> bool:
        """Whether a count runs."""
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
    def side(self) -> _SideName:
        """The side to move."""
    @property
    def category(self) -> Category:
        """The category under the count."""
    @property
    def dtm(self) -> Optional[int]:
        """Signed plies to mate without a count; None if neither side forces mate, 0 if the side to move is mated."""
    @property
    def dtz(self) -> Optional[int]:
        """Signed plies to the conversion: mate, or a capture that bares the loser's king with enough moves left. With a
        pawn on the board it is mate, or the winner's move that ends the last pawn with enough moves left. None if no
        conversion can be forced; equal to dtm with a bare king and no pawn."""
    @property
    def count(self) -> Count:
        """The count in the FEN, which is false if none runs. The position is then judged as if the count began now, or
        with a pawn on the board without a count."""
    @property
    def checkmate(self) -> bool:
        """Whether the side to move is mated. The category is DRAW if the count had drawn the game before the mate."""
    @property
    def stalemate(self) -> bool:
        """Whether the side to move is stalemated, which draws."""
    @property
    def can_mate(self) -> dict[str, Optional[bool]]:
        """Whether each side can still mate if the other helps, whatever the count: `white` and `black`. False is
        proven; None if it is not known, which happens only with pawns. If neither can, the position is dead, which
        draws."""
    @property
    def notes(self) -> list[str]:
        """Notes: parts of the text that were dropped or assumed, in sentences; empty if there are none."""
    # By hand:
    def to_dict(self) -> dict[str, Any]:
        """The attributes as a dictionary: the answer in JSON, of `makruk-probe query --json` and of the service.
        `notes` is left out if there are none."""

@final
class Move:
    """A move and its verdict, from the side that makes it, the move itself included."""

    @property
    def uci(self) -> str:
        """UCI notation, such as `e2e3` or, for a promotion, `e5e6m`."""
    @property
    def san(self) -> str:
        """SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`."""
    @property
    def fen(self) -> str:
        """The position after it, with its count."""
    @property
    def category(self) -> Category:
        """The category under the root's count carried on."""
    @property
    def dtm(self) -> Optional[int]:
        """Signed plies to mate without a count; 1 for a mating move, None if neither side forces mate."""
    @property
    def dtz(self) -> Optional[int]:
        """Signed plies to the conversion; 1 for a move that begins a count in time, None if none can be forced."""
    @property
    def count(self) -> Count:
        """The count after it, which is false if none runs then."""
    @property
    def capture(self) -> bool:
        """Whether it takes a man."""
    @property
    def promotion(self) -> bool:
        """Whether a pawn becomes a met."""
    @property
    def bares_king(self) -> bool:
        """Whether it takes the last man that an opponent has besides the king."""
    @property
    def begins_count(self) -> bool:
        """Whether it begins a count, whatever ran: at the last pawn's end or, without pawns, by a baring capture."""
    # By hand:
    @property
    def from_square(self) -> int:
        """The square left, from 0 (a1) to 63 (h8), as python-chess numbers them."""
    @property
    def to_square(self) -> int:
        """The square reached."""
    def to_dict(self) -> dict[str, Any]:
        """The attributes as a dictionary of words, numbers and dictionaries, as JSON has them."""

_Path = Union[str, os.PathLike[str]]

@final
class Tablebase:
    """The tables of one folder or of several, or of a site, of which it fetches the bytes that answers need. Any number
    of threads may use the same one; every method that reads files lets other threads run meanwhile. A forked process
    opens the tables anew. Positions are FENs in any form that programs of Makruk write, or boards: objects with a
    method or an attribute `fen`. Boards of chess are refused."""

    def __new__(cls, path: Union[_Path, Sequence[_Path], None] = None, *, cache_bytes: int = 67108864) -> Tablebase:
        """Opens no table yet. Without a path: the folder that MAKRUK_TABLES names, else ./tables/data if it is there,
        else the user's data folder. `cache_bytes` is the memory for decoded stripes; 0 keeps none.

        Instead of folders it may be the address (https://...) of a site that `makruk-probe site` made. Bytes that were
        fetched stay in the user's cache folder.

        Raises FileNotFoundError or NotADirectoryError, for an address ConnectionError or ValueError.

        Files are read by position, never mapped: a file that is cut short while it is open raises CorruptTableError.
        At most 128 are open at a time."""
    def probe(self, fen: _Position) -> Verdict:
        """The verdict on a position.

        Raises PositionError, MissingTableError, UnreadableTableError or CorruptTableError."""
    @overload
    def get(self, fen: _Position) -> Optional[Verdict]: ...
    @overload
    def get(self, fen: _Position, default: _T) -> Union[Verdict, _T]:
        """The same, or `default` where the tables have no answer: a table is not there, or there are too many men.
        Raises as probe() otherwise."""
    def category(self, fen: _Position) -> Category:
        """The category alone; fast where there are category tables. Raises as probe()."""
    @overload
    def get_category(self, fen: _Position) -> Optional[Category]: ...
    @overload
    def get_category(self, fen: _Position, default: _T) -> Union[Category, _T]:
        """The same, or `default` where get() gives it."""
    def probe_wdl(self, fen: _Position) -> int:
        """The category as a number, as python-chess has it: 2 for a win, 1 for a cursed win, 0 for a draw. A blessed
        loss is -1, a loss -2. Raises as probe()."""
    @overload
    def get_wdl(self, fen: _Position) -> Optional[int]: ...
    @overload
    def get_wdl(self, fen: _Position, default: _T) -> Union[int, _T]:
        """The same, or `default` where get() gives it."""
    def probe_dtm(self, fen: _Position) -> int:
        """Signed plies to mate without a count, as python-chess has them: 0 in a draw, and if the side to move is
        mated. probe() distinguishes these. Raises as probe()."""
    @overload
    def get_dtm(self, fen: _Position) -> Optional[int]: ...
    @overload
    def get_dtm(self, fen: _Position, default: _T) -> Union[int, _T]:
        """The same, or `default` where get() gives it."""
    def probe_dtz(self, fen: _Position) -> int:
        """Signed plies to the conversion; 0 if none can be forced, or the side to move is mated. Raises as probe()."""
    @overload
    def get_dtz(self, fen: _Position) -> Optional[int]: ...
    @overload
    def get_dtz(self, fen: _Position, default: _T) -> Union[int, _T]:
        """The same, or `default` where get() gives it."""
    @overload
    def probe_many(self, fens: Iterable[_Position], *, errors: Literal["raise"] = "raise") -> list[Verdict]: ...
    @overload
    def probe_many(self, fens: Iterable[_Position], *, errors: Literal["return"]) -> list[Union[Verdict, ProbeError]]:
        """The verdicts on many positions, in order. The first that fails raises, with its `index` and `fen`; with
        `errors="return"` the list has the exception in its place."""
    def moves(self, fen: _Position) -> list[Move]:
        """The legal moves, best first. Raises as probe(), also for the materials after captures and promotions."""
    @overload
    def moves_many(self, fens: Iterable[_Position], *, errors: Literal["raise"] = "raise") -> list[list[Move]]: ...
    @overload
    def moves_many(self, fens: Iterable[_Position], *, errors: Literal["return"]) -> list[Union[list[Move], ProbeError]]:
        """The legal moves of many positions, in order, as moves() returns them. Raises and returns as probe_many()."""
    def best_move(self, fen: _Position, policy: _Policy = "safest") -> Optional[Move]:
        """The move that a perfect player makes; None if the game is over. Raises as moves(), and ValueError."""
    def line(self, fen: _Position, *, defence: _Policy = "safest", max_plies: int = 2000) -> list[Move]:
        """Best play under the count, until mate or a draw by it; empty if neither side wins. Raises as best_move()."""
    def statistics(self, material: Optional[str] = None) -> list[dict[str, Any]]:
        """The totals of the tables of every material, or of one, as `makruk-gen info --json` has them. `dtm` and `dtz`
        have the `bytes` of the file, and for `white` and `black` to move the numbers of positions, the longest
        distances and a `histogram`. White is the first side of the name. The table that decides the count (`dtz`;
        with a bare king and no pawn `dtm`) has the wins in time, and the longest, `max_win_within_count_plies`.

        Raises UnreadableTableError or CorruptTableError; with a material also MissingTableError, and ValueError for a
        text that is not one."""
    def add_directory(self, directory: _Path) -> int:
        """Adds the tables of one more folder, which is searched after the others; returns the number of its tables of
        distances.

        Raises FileNotFoundError or NotADirectoryError, and ValueError if the tablebase is closed or one of a site."""
    def close(self) -> None:
        """Closes the files. Calls raise ValueError from then on; `with` closes at its end."""
    def __enter__(self) -> Tablebase: ...
    def __exit__(self, kind: object, error: object, traceback: object) -> None: ...
    def __bool__(self) -> bool:
        """Whether it is open and has a table."""
    def __contains__(self, item: _Position, /) -> bool:
        """Whether it has the tables of a material, such as `KRvKS`, or of a position."""
    def __len__(self) -> int:
        """The number of tables of distances: a material with both sides armed or with pawns has two."""
    @property
    def largest(self) -> int:
        """The number of men of the largest material, both kings included; 2 without tables."""
    @property
    def folders(self) -> list[Union[pathlib.Path, str]]:
        """The folders of the tables; a table is taken from the first folder that has it. The address of a site is a
        text."""

def open_tablebase(directory: Union[_Path, Sequence[_Path], None] = None, *, cache_bytes: int = 67108864) -> Tablebase:
    """Opens the tables of a folder; the same as `Tablebase(directory)`. add_directory() adds more folders."""

class ProbeError(Exception):
    """A position has no verdict."""

    reason: str
    """`bad_fen`, `illegal_position`, `too_many_men`, `bad_count`, `missing_table`,
    `unreadable_table`, `corrupt_table` or `internal`."""
    fen: Optional[str]
    """The position, as it was given; None for a table's statistics."""
    index: Optional[int]
    """The place of the position in the list of probe_many() or moves_many(), from 0; None elsewhere."""
    material: Optional[str]
    """The material whose table is missing or damaged, such as `KRvKS`; a capture or promotion may lead to it."""
    remedy: Optional[str]
    """What helps, such as a command that builds the table; the message ends with it."""

class PositionError(ProbeError, ValueError):
    """The position cannot be read, is illegal, or is in no table."""

class MissingTableError(ProbeError, KeyError):
    """A table is missing."""

class UnreadableTableError(ProbeError):
    """A table cannot be read now, or is not whole."""

class CorruptTableError(ProbeError):
    """A table is damaged; other tables are not affected."""
