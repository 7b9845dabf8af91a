"""Texts with a colon: lengths of time ("4:32", "1:02:15") and times of day ("08:05"), told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LENGTH = re.compile(r"\s*(?:\d{1,3}:[0-5]\d(?::[0-5]\d)?(?:[.,]\d+)?|\d{1,2}[.,]\d+)(?![\d:/])(?!\s*[ap]\.?m\b)", re.I)
_OF_DAY = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_MOSTLY, _CLOCKS = 0.8, 0.5


def are_lengths(values: Sequence[str]) -> bool:
    """True for lengths of time, which end with seconds, and not for times of day, which are all written "08:05"."""
    clocks = [value for value in values if ":" in value]
    if len(clocks) < max(1.0, _CLOCKS * len(values)) or all(_OF_DAY.fullmatch(value.strip()) for value in clocks):
        return False
    return sum(bool(_LENGTH.match(value)) for value in values) >= _MOSTLY * len(values)
