"""What the data engine's errors are told as: one line, without paths and names of the machine."""

from __future__ import annotations

import re

_PATH = re.compile(r"""["']?(?:/[\w.\-]+){2,}["']?""")


def plain_error(text: str) -> str:
    """An engine error for people."""
    line = text.split("\n", 1)[0]
    if "Out of Memory" in line or "bad_alloc" in line or "could not allocate" in line.lower():
        return "The query needed more memory than it may use."
    return "The data engine refused the query: " + _PATH.sub("a file", line)
