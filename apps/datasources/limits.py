"""Numbers of this app that are no settings, each with where it comes from, and how limits are worded."""

from __future__ import annotations

from datetime import timedelta

PREVIEW_BYTES = 256 * 1024
"""How much of a file's text is sent to be looked at; SPEC section 9 shows seven rows of it."""
PREVIEW_ROWS = 200
"""How many rows of a workbook's table are sent to be looked at."""

LEASE = timedelta(minutes=6)
"""How long a worker may be silent about the file it reads before another takes over: longer than a reading takes."""
MAX_ATTEMPTS = 3
"""After so many tries a file that ends its worker is given up."""
RESEND_AFTER = timedelta(seconds=60)
"""A file that waits for longer has perhaps lost its message: it is sent again."""
PROGRESS_EVERY = 0.5
"""Seconds between two progress reports of one step."""
BUSY_DELAY = 250
"""Milliseconds after which a file that found all reading slots taken is tried again."""
ROOM_DELAYS = (2_000, 20_000)
"""Milliseconds until a file that found no room on the disk is read again, after each try."""
UPLOAD_IS_RECENT = timedelta(minutes=10)
"""Who asks so soon after an upload means it, too; a file that takes longer to be read holds up no question."""
JOINS_TAKE = timedelta(seconds=10)
"""So soon after a file was read its connections to other files may still be looked for."""
STRAY_AGE = timedelta(hours=1)
"""Stored bytes that belong to nothing are removed once they are this old."""
MISSING_EVERY = timedelta(hours=1)
"""How often it is looked whether the storage still holds every table: a question to it for each."""

MAX_TAUGHT_TEXT = 100
"""Letters of one text that people teach about a table: a label, a noun, another word."""
MAX_TAUGHT_WORDS = 200
"""Other words of a column, and values that are given a meaning."""
MAX_TAUGHT_VALUE = 400
"""Letters of a stored value that is given a meaning; a profile keeps no longer ones."""

MAX_SAID_JOINS = 200
"""Ways between tables that an organization may speak of: each is measured anew when files change."""
MAX_JOIN_COLUMNS = 10
"""Columns at one end of a way."""

ROWS_AT_ONCE = 25
"""Rows of a page that is looked at."""
MAX_SHOWN_CELL = 500
"""Letters of a cell that is looked at; longer texts are cut."""
MAX_SEARCH = 200
"""Letters of a search over rows."""
LOOKS_AT_ONCE = 2
"""So many people's rows are searched at a time, each by one processor."""
LOOKING_PATIENCE = 5.0
"""Seconds that a look waits for its turn."""
LOOKING_SECONDS = 10.0
"""Seconds that a look may take: a million rows of eight columns take two."""

EXPORTS_AT_ONCE = 2
"""So many tables are written for downloads at a time, each in a process of its own."""
EXPORT_PATIENCE = 20.0
"""Seconds that a download waits for its turn."""


def size_words(size: int) -> str:
    """A size in bytes as people read it: 209715200 is "200 MB"."""
    amount, unit = float(size), "bytes"
    for larger in ("KB", "MB", "GB", "TB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.1f}".rstrip("0").rstrip(".") + f" {unit}"
