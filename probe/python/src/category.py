import enum


class Category(enum.IntEnum):
    """The category of a position under the count, from the side to move; ordered from worst to best. `Category("win")` is the
    category of a name, and `for category in Category` iterates over all."""

    LOSS = 0
    BLESSED_LOSS = 1
    DRAW = 2
    CURSED_WIN = 3
    WIN = 4

    @classmethod
    def _missing_(cls, value):
        return next((category for category in cls if str(category) == value), None)

    @property
    def is_drawn(self):
        """Whether the game is drawn, with best play by both."""
        return Category.LOSS < self < Category.WIN

    def __str__(self):
        """`loss`, `blessed-loss`, `draw`, `cursed-win` or `win`."""
        return self.name.lower().replace("_", "-")

    def __format__(self, spec):
        return format(str(self), spec)

    def __repr__(self):
        return f"Category.{self.name}"
