import enum
import functools
import numbers


@functools.total_ordering
class Category(enum.Enum):
    """The category of a position under the count, from the side to move; ordered from worst to best. It equals its
    name, and has the hash of it. `value` is its number, as python-chess has it: positive if this side wins without the
    count, 2 if also within it. `-category` is the category of the other side."""

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
        if isinstance(other, numbers.Integral):
            raise TypeError(f"a category is compared with a category or its name, not with {other!r}; `value` is its number")
        return self is Category(other) if isinstance(other, str) else NotImplemented

    def __lt__(self, other):
        return self.value < Category(other).value if isinstance(other, (Category, str)) else NotImplemented

    def __neg__(self):
        return Category(-self.value)

    def __hash__(self):
        return hash(str(self))

    def __str__(self):
        """`loss`, `blessed-loss`, `draw`, `cursed-win` or `win`."""
        return self.name.lower().replace("_", "-")

    def __repr__(self):
        return f"Category.{self.name}"
