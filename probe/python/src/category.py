import enum


class Category(enum.IntEnum):
    """The category of a position under the count, from the side to move, as python-chess numbers it: positive if this
    side wins without the count, 2 if also within it. It equals its number and its name, as in `Category("win")`."""

    LOSS = -2
    BLESSED_LOSS = -1
    DRAW = 0
    CURSED_WIN = 1
    WIN = 2

    @classmethod
    def _missing_(cls, value):
        return next((category for category in cls if str(category) == value), None)

    @property
    def is_drawn(self):
        """Whether the game is drawn, with best play by both."""
        return Category.LOSS < self < Category.WIN

    def __eq__(self, other):
        return int.__eq__(self, Category(other) if isinstance(other, str) else other)

    def __ne__(self, other):
        return not self == other

    __hash__ = enum.IntEnum.__hash__

    def __str__(self):
        """`loss`, `blessed-loss`, `draw`, `cursed-win` or `win`."""
        return self.name.lower().replace("_", "-")

    def __format__(self, spec):
        return format(str(self), spec)

    def __repr__(self):
        return f"Category.{self.name}"
