"""Conditions that a figure's label has in brackets, as a sentence has them: "deals (Stage: Won and 2026)" are "deals
with stage Won in 2026". Brackets that say something else (a unit, a count) stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_BRACKET = re.compile(r" \(([^()]+)\)")
_MONTHS = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_PERIOD = re.compile(rf"(?:(?:Q[1-4]|{_MONTHS}) )?(?:19|20)\d\d|\d\d? {_MONTHS} (?:19|20)\d\d")
_STRETCH = re.compile(r"(.+?)(?: – |–)(.+)")
_TEST = re.compile(r"(?P<column>[^:<>=≤≥≠]+?)(?P<op>: | not | [<>=≤≥≠] )(?P<value>.+)")
_SIGNS = {
    "<": "under",
    "<=": "at most",
    "≤": "at most",
    ">": "over",
    "≥": "at least",
    "=": "exactly",
    "≠": "other than",
}
_SAID = re.compile(r"(?:with|from|before|among|not among) .+")
_NONE = re.compile(r"no (.+)")
_PART_OF_ITSELF = re.compile(r"number of (?P<what>\S+)(?P<part> .+?)? as % of number of (?P=what)(?P<whole> .+)?", re.I)


def in_words(label: str, spoken: Callable[[str], str]) -> str:
    """The label with its conditions in words, all else by `spoken`."""
    made, end = [], 0
    for found in _BRACKET.finditer(label):
        told = _conditions(found[1], spoken)
        if told is not None:
            made += [spoken(label[end : found.start()].strip()), told]
            end = found.end()
    if not end:
        return spoken(label)
    rest = label[end:].strip()
    return _of_itself(" ".join([*made, spoken(rest)] if rest else made))


def _of_itself(text: str) -> str:
    """ "share of deals with stage Won" of the number of such deals as a percentage of the number of all."""
    found = _PART_OF_ITSELF.fullmatch(text)
    if found is None:
        return text
    share = f"share of {found['what']}{found['part'] or ''}"
    return f"{share} among {found['what']}{found['whole']}" if found["whole"] else share


def _conditions(text: str, spoken: Callable[[str], str]) -> str | None:
    """ "with stage Won and region West in 2026"; None for what is no condition."""
    tests: list[str] = []
    times: list[str] = []
    others: list[str] = []
    for part in text.split(" and "):
        if (period := _period(part)) is not None:
            times.append(period)
        elif (told := _test(part, spoken)) is not None:
            tests.append(told)
        elif (said := _other(part, spoken)) is not None:
            others.append(said)
        else:
            return None
    return " ".join([*([f"with {' and '.join(tests)}"] if tests else []), *others, *times])


def _period(part: str) -> str | None:
    if _PERIOD.fullmatch(part):
        return f"{'on' if part[:1].isdigit() and ' ' in part else 'in'} {part}"
    ends = _STRETCH.fullmatch(part)
    dated = ends is not None and _PERIOD.fullmatch(ends[2]) is not None and re.search(r"\d{4}|[A-Z][a-z]{2}", ends[1])
    return f"from {ends[1]} to {ends[2]}" if ends is not None and dated else None


def _test(part: str, spoken: Callable[[str], str]) -> str | None:
    found = _TEST.fullmatch(part)
    if found is None or ": " in found["value"]:
        return None
    name, op = spoken(found["column"]), found["op"].strip()
    if op == ":":
        return f"{name} {found['value']}"
    return f"{name} {'other than' if op == 'not' else _SIGNS[op]} {found['value']}"


def _other(part: str, spoken: Callable[[str], str]) -> str | None:
    if _SAID.fullmatch(part):
        return part
    found = _NONE.fullmatch(part)
    return f"without {spoken(found[1])}" if found is not None else None
