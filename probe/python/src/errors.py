class ProbeError(Exception):
    """A position has no verdict."""


class PositionError(ProbeError, ValueError):
    """The position cannot be read, is illegal, or is in no table."""


class MissingTableError(ProbeError, KeyError):
    """A table is missing."""

    # KeyError would put quotes around the sentence.
    __str__ = Exception.__str__


class UnreadableTableError(ProbeError):
    """A table cannot be read now, or is not whole."""


class CorruptTableError(ProbeError):
    """A table is damaged; other tables are not affected."""
