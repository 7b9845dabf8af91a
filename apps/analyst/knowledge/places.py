"""Countries, and states and provinces, by all that people and files call them, read from countries.yaml and
subdivisions.yaml once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from apps.analyst.knowledge.folding import folded


class Places(NamedTuple):
    """Places of a kind: all names of each by its code, the code first, and the code by each name; all folded."""

    names: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, str]


_CODE = 3
"""Letters of the longest codes."""
_MOST = 0.8
"""The share of a column's values that have to be places of a kind."""


def names_of_places(values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What else people call each of a column's values, folded: as countries, or as states and provinces where more of
    them are such ("CA" beside "TX" is California). Nothing where the column holds neither."""
    kept = list(dict.fromkeys(values))
    found = [_found(kept, places) for places in (_countries(), *_subdivisions())]
    most = max(found, key=len)  # the first of equals: countries
    return most if len(most) >= 2 and len(most) >= _MOST * len(kept) else {}


def is_country(name: str) -> bool:
    """Whether a country is called so, by more than its code: "it" is a word."""
    return len(name) > _CODE and folded(name) in _countries().codes


def _found(values: Sequence[str], places: Places) -> dict[str, tuple[str, ...]]:
    """The values that are places, each with its other names."""
    codes = {value: code for value in values if (code := places.codes.get(folded(value))) is not None}
    return {value: tuple(n for n in places.names[code] if n != folded(value)) for value, code in codes.items()}


@cache
def _countries() -> Places:
    return _places(_read("countries.yaml"))


@cache
def _subdivisions() -> tuple[Places, ...]:
    return tuple(_places(group) for group in _read("subdivisions.yaml").values())


def _read(name: str) -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    raw: dict[str, Any] = yaml.load((Path(__file__).parent / name).read_text(encoding="utf-8"), loader)  # noqa: S506
    return raw


def _places(raw: Mapping[str, Sequence[str]]) -> Places:
    names = {str(code): (folded(str(code)), *(folded(str(name)) for name in every)) for code, every in raw.items()}
    return Places(names, {name: code for code, every in names.items() for name in every})
