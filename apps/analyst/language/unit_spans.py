"""Columns that hold one thing in several units: "the height in metres" of a height (m) and a height (ft)."""

from __future__ import annotations

import re

from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.spans import Span
from apps.analyst.language.tokens import Token

_UNITS = {
    "m": ("m", "meter", "meters", "metre", "metres"),
    "km": ("km", "kilometer", "kilometers", "kilometre", "kilometres"),
    "ft": ("ft", "foot", "feet"),
    "mi": ("mi", "mile", "miles"),
    "kg": ("kg", "kilogram", "kilograms", "kilos"),
    "lb": ("lb", "lbs", "pound", "pounds"),
    "km2": ("km2", "km²"),
    "hectares": ("ha", "hectare", "hectares"),
    "acres": ("ac", "acre", "acres"),
    "celsius": ("c", "°c", "celsius"),
    "fahrenheit": ("f", "°f", "fahrenheit"),
    "%": ("%", "percent", "percentage"),
    "usd": ("usd", "$", "dollar", "dollars"),
    "eur": ("eur", "€", "euro", "euros"),
    "gbp": ("gbp", "£"),
}
_MEANS = {word: unit for unit, said in _UNITS.items() for word in said}
_BRACKETS = re.compile(r"\s*[\[(]\s*([^)\]]+?)\s*[)\]]\s*$")
_OTHER, _LATER = 0.05, 0.001
"""Taken off for another unit than the one that is said, and for what stands later in the file where none is."""


def unit_spans(tokens: tuple[Token, ...], lexicon: Lexicon, spans: dict[tuple[int, int], Span]) -> None:
    """Prefers, of columns that differ in their unit alone, the one whose unit is said, else the first."""
    said = _said_unit(tokens)
    for span in spans.values():
        if len(span.columns or {}) < len(("m", "ft")):
            continue
        columns = span.columns or {}
        for group in _same_but_for_unit(list(columns)):
            units = {key: _unit(key[1]) for key in group}
            told = said is not None and said in units.values()
            places = sorted(group, key=lambda key: _place(lexicon, key))
            for place, key in enumerate(places):
                columns[key] -= _OTHER * (told and units[key] != said) + (0.0 if told else _LATER * place)


def _same_but_for_unit(keys: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for key in keys:
        if _unit(key[1]):
            groups.setdefault((key[0], _BRACKETS.sub("", key[1])), []).append(key)
    return [group for group in groups.values() if len(group) > 1]


def _unit(name: str) -> str:
    found = _BRACKETS.search(name)
    return _MEANS.get(found[1].casefold(), "") if found is not None else ""


def _place(lexicon: Lexicon, key: tuple[str, str]) -> int:
    named = lexicon.column(*key)
    names = [column.name for column in named.table.columns] if named is not None else []
    return names.index(key[1]) if key[1] in names else len(names)


def _said_unit(tokens: tuple[Token, ...]) -> str | None:
    """The unit behind "in" or in brackets."""
    for index in range(1, len(tokens)):
        if tokens[index - 1].norm in ("in", "(") and tokens[index].norm in _MEANS:
            return _MEANS[tokens[index].norm]
    return None
