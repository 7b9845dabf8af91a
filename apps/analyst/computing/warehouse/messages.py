"""What the data engine's errors are told as: one line, without paths and names of the machine."""

from __future__ import annotations

import re

from apps.analyst.errors import QueryFailed, QueryRefused

TOO_LARGE = "Result too large"
"""What a query child says of a result that is not to be carried over."""
DAMAGED = "The table of a file is damaged. Please have the file read again."
_MEMORY = re.compile(r"out of memory|bad_alloc|could not allocate", re.IGNORECASE)
_UNREAD = re.compile(r"(?:Binder|Parser|Catalog) Error")
"""Told before anything is computed: another query costs no time."""
_DAMAGED = re.compile(r"magic bytes|too small to be a Parquet|decompression failure|TProtocolException", re.IGNORECASE)
_PATH = re.compile(r"""["']?(?:/[\w.\-]+){2,}["']?""")


def failure(text: str) -> QueryFailed:
    """An engine's error as it is told to people."""
    line = text.split("\n", 1)[0]
    if _MEMORY.search(line):
        return QueryFailed("The query needed more memory than it may use.")
    if line.startswith(TOO_LARGE):
        return QueryFailed("The query gives more text than can be shown. Please ask for fewer rows or columns.")
    if _DAMAGED.search(line):
        return QueryFailed(DAMAGED)
    kind = QueryRefused if _UNREAD.match(line) else QueryFailed
    return kind("The data engine refused the query: " + _PATH.sub("a file", line))
