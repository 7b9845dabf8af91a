"""Countries by all that people and files call them, read from countries.yaml once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import yaml

from apps.analyst.knowledge.folding import folded

_CODE = 3
"""Letters of the longest codes."""
_MOST = 0.8
"""The share of a column's values that have to be countries."""


def names_of_countries(values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What else people call each of a column's values, folded; nothing where the column does not hold countries."""
    known = {value: _codes().get(folded(value)) for value in values}
    found = {value: code for value, code in known.items() if code is not None}
    if len(found) < 2 or len(found) < _MOST * len(known):
        return {}
    return {value: tuple(n for n in _names()[code] if n != folded(value)) for value, code in found.items()}


def is_country(name: str) -> bool:
    """Whether a country is called so, by more than its code: "it" is a word."""
    return len(name) > _CODE and folded(name) in _codes()


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    raw = yaml.load((Path(__file__).parent / "countries.yaml").read_text(encoding="utf-8"), loader)  # noqa: S506
    return {str(code): (folded(str(code)), *(folded(str(name)) for name in names)) for code, names in raw.items()}


@cache
def _codes() -> Mapping[str, str]:
    """Codes by each of their folded names."""
    return {name: code for code, names in _names().items() for name in names}
