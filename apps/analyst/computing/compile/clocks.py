"""Times of day that are written as text ("14:05", "9:30:00", "2:05 PM"): what counts as one, and its parts in SQL.

A text that is none has no hour: what a column holds beside its times is a missing value here, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

CLOCK_PATTERN = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?: ?[ap]\.?m\.?)?"
"""A time of day in small letters, blanks around it taken off."""
_CLOCK = re.compile(CLOCK_PATTERN)


def tell_the_time(texts: Iterable[str]) -> bool:
    """True where there are texts and all of them are times of day."""
    found = False
    for text in texts:
        found = True
        if _CLOCK.fullmatch(text.strip(" ").lower()) is None:
            return False
    return found


def hour_sql(text: str) -> str:
    """The hour of a time of day, 0 to 23."""
    clock = f"regexp_extract(lower(trim({text})), '^{CLOCK_PATTERN}$')"
    hour = f"TRY_CAST(split_part({clock}, ':', 1) AS BIGINT)"
    halves = f"(CASE WHEN contains(lower({text}), 'm') THEN 12 ELSE 24 END)"
    return f"({hour} % {halves} + (CASE WHEN contains(lower({text}), 'p') THEN 12 ELSE 0 END))"


def minute_sql(text: str) -> str:
    """The minutes from midnight to a time of day."""
    return f"({hour_sql(text)} * 60 + TRY_CAST(substr(split_part({text}, ':', 2), 1, 2) AS BIGINT))"
