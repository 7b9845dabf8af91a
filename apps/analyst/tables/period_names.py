"""Names of columns that say a month or a quarter ("Jan", "Q3 target", "Actual 2026-04"), and years said beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from apps.analyst.tables.words import MONTHS

Kind = Literal["month", "quarter"]

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?:20\d{2}|'?\d{2})"
_APART = r"(?<![^\W_])(?:{})(?![^\W_])"
_MARKS = r"[\s\-/._']*"
_FORMS = tuple(
    re.compile(_APART.format(form), re.IGNORECASE)
    for form in (
        r"(?P<year>20\d{2})-(?P<month>0[1-9]|1[0-2])(?:-01(?:[T ]00:00(?::00)?)?)?",
        rf"(?P<year>20\d{{2}}){_MARKS}(?:(?P<name>{_MONTH})\.?|q(?P<quarter>[1-4]))",
        rf"(?:(?P<name>{_MONTH})\.?|q(?P<quarter>[1-4]))(?:{_MARKS}(?P<year>{_YEAR}))?",
    )
)
_SAID_YEAR = re.compile(r"(?<!\d)(20\d{2})(?!\d)|(?<![^\W_])(?:FY|CY|Y)[\s']*(\d{2})(?!\d)", re.IGNORECASE)
_BETWEEN = " -_/:.,()[]"


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A month or quarter by its number, of a year that its name may leave open."""

    kind: Kind
    year: int | None
    number: int

    def first_day(self, year: int) -> date:
        """The day on which it begins; `year` is taken where its name says none."""
        return date(self.year or year, self.number if self.kind == "month" else 3 * self.number - 2, 1)


def period_of(name: str) -> tuple[Period, str] | None:
    """The one period that a column's name says, and what it says besides; None where there is none, or several."""
    for form in _FORMS:
        found = list(form.finditer(name))
        if len(found) > 1:
            return None
        if found:
            said = found[0].groupdict()
            rest = f"{name[: found[0].start()].rstrip(_BETWEEN)} {name[found[0].end() :].lstrip(_BETWEEN)}"
            return _period(said), rest.strip(_BETWEEN)
    return None


def _period(said: dict[str, str | None]) -> Period:
    year = (said.get("year") or "").lstrip("'")
    full = int(year) + (2000 if len(year) == 2 else 0) if year else None
    if said.get("quarter"):
        return Period("quarter", full, int(said["quarter"] or 0))
    return Period("month", full, int(said.get("month") or MONTHS[(said.get("name") or "").casefold()]))


def years_in(texts: Iterable[str]) -> list[int]:
    """The years that texts say ("Quota 2026", "FY26"), each once, in order."""
    found = (match for text in texts for match in _SAID_YEAR.finditer(text.replace("_", " ")))
    return sorted({int(long) if long else 2000 + int(short) for long, short in (match.groups() for match in found)})


def without_years(text: str) -> str:
    """A text without the years that it says."""
    return " ".join(_SAID_YEAR.sub(" ", text.replace("_", " ")).split()).strip(_BETWEEN)
