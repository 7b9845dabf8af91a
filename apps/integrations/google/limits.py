"""The numbers of Google Sheets, each with its reason."""

from __future__ import annotations

from datetime import timedelta

CELLS_PER_CALL = 100_000
"""About 2 MB of answer, which Google advises (INTEGRATIONS.md section 2.3)."""
FORMAT_ROWS = 30
"""So many first rows tell a column's number format."""
MAX_TABS = 50
"""Tabs that can be connected at once."""
TITLE_LENGTH = 90
"""Characters that a spreadsheet's or a tab's title may bring into a source's name."""

LEASE = timedelta(minutes=3)
"""How long a worker may be silent about the tabs it reads before another takes over."""
RESEND_AFTER = timedelta(seconds=30)
"""A tab that waits for longer has perhaps lost its message."""
MAX_ATTEMPTS = 3
