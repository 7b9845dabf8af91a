"""JSON that everything behind can keep: strict UTF-8, finite and short numbers, whole characters, no endless nests."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

MOST_DEPTH = 100
"""Lists and objects within each other. Nothing that is sent needs more, and what says a value again, piece within
piece (Python's own `str`, for one), ends at a few hundred."""
HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""The escape of half a character. Two make one; one alone is in no encoding, so that nothing could keep or say it."""


def sound_json(content: bytes) -> Any:
    """The value of a body; an empty one is an empty object. Raises ValueError for what is no JSON, or none to keep."""
    text = content.decode("utf-8")
    try:
        value = json.loads(text, parse_constant=_refuse_constant) if text.strip() else {}
        if HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    _refuse_nest(value)
    return value


def _refuse_nest(value: Any) -> None:
    """Raises ValueError for a nest deeper than any use of it."""
    layer, depth = [value], 0
    while layer := [part for part in layer if isinstance(part, list | dict)]:
        depth += 1
        if depth > MOST_DEPTH:
            raise ValueError("nested too deep")
        layer = [inner for part in layer for inner in (part.values() if isinstance(part, dict) else part)]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
