"""JSON that everything behind can keep: strict UTF-8, finite and short numbers, whole characters, no endless nests."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

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
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
