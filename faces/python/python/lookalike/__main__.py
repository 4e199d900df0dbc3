"""The command line: the Rust program itself, carried by the package."""

from __future__ import annotations

import sys

from . import _native


def main() -> None:
    """Run ``lookalike`` with the words of the command line, and end the process."""
    again = [sys.executable, "-m", "lookalike"]
    name = sys.argv[0] if not sys.argv[0].endswith("__main__.py") else "lookalike"
    sys.exit(_native.cli([name, *sys.argv[1:]], again))


if __name__ == "__main__":
    main()
