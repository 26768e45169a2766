"""python -m makruk_count_kit MODULE:FUNCTION [ARGUMENT...]

Asks FUNCTION(fen, moves) of a module, or of a file MODULE.py of this folder, every case. With arguments,
FUNCTION(*arguments) gives the function to ask. Exit status: 0 it agrees, 1 it differs, 2 it cannot be asked.
"""

import importlib
import sys

from . import check


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") or ":" not in sys.argv[1]:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    module, name = sys.argv[1].rsplit(":", 1)
    sys.path.insert(0, ".")
    try:
        answer = getattr(importlib.import_module(module), name)
        report = check(answer(*sys.argv[2:]) if sys.argv[2:] else answer)
    except Exception as error:
        print(f"makruk_count_kit: cannot ask {sys.argv[1]}: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    print(report)
    return 1 if report.differing else 0


sys.exit(main())
