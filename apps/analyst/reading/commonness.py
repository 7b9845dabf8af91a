"""How much a word says of one's own data: little where it stands in the questions of most databases ("each", "still"),
all where it was seen in none or one ("frontlist")."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PATH = Path(__file__).parent / "commonness.txt"
"""First how many databases were counted, then lines of words by how many databases' questions have them; written by
`learning/commonness.py`."""


def rarity(word: str) -> float:
    """From 0 for a word of all databases' questions to 1 for one of none: the inverse document frequency (Spärck Jones,
    1972), as a share of the highest."""
    return _rarities().get(word, 1.0)


@cache
def _rarities() -> Mapping[str, float]:
    total, *lines = PATH.read_text(encoding="utf-8").splitlines()
    most = math.log(int(total))
    counts = ((int(line.split(" ", 1)[0]), line.split(" ")[1:]) for line in lines)
    return {word: 1.0 - math.log(count) / most for count, words in counts for word in words}
