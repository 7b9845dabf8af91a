"""Whether a turn of a dialogue was right: the answer's table or figures against the result of the turn's query."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.analyst.types import Answer

Row = Sequence[Any]
Run = Callable[[str], list[Row]]
"""What a query gives over the dialogue's tables."""
MOST_EXTRA = 2
"""Columns that an answer may show beside those of the query."""
LONGEST_TALK = 80
"""Words of a short human answer."""
_NUMBER = re.compile(
    r"(?<![\w.])[$€£]?(\d[\d,]*(?:\.\d+)?)\s?(k|m|bn|thousand|million|billion)?(?![\w])", re.IGNORECASE
)
_SCALES = {"": 1, "k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
_LANGUAGES = {"de": {"ich", "nur", "englisch"}, "es": {"solo", "inglés", "preguntas"}, "fr": {"je", "anglais"}}
_REFUSED = re.compile(r"\bcould not|\bnot\b|n't\b|\bno\b|\bnothing\b", re.IGNORECASE)


def is_right(turn: dict[str, Any], answer: Answer, run: Run) -> bool:
    """True where the answer does what the turn expects of it; of several expectations any will do."""
    expected = turn.get("expect", [])
    kinds = [expected] if isinstance(expected, str) else expected
    if any(_KINDS[kind](turn, answer) for kind in kinds):
        return True
    return _shown(turn, answer, run) and _drawn(turn.get("chart"), answer)


def _shown(turn: dict[str, Any], answer: Answer, run: Run) -> bool:
    queries = [turn[key] for key in ("sql", "or") if key in turn] + turn.get("any", [])
    listings = [turn[key] for key in ("listing", "or_listing") if key in turn]
    figures = [turn[key] for key in ("figures", "or_figures") if key in turn] + turn.get("any_figures", [])
    if figures and any(_told(run(query), answer) for query in figures):
        return True
    if answer.status != "answered" or answer.result is None:
        return False
    given = [tuple(row) for row in answer.result.rows]
    if any(_listed(run(query), given, answer.result.total_rows) for query in listings):
        return True
    if turn.get("loose") and any(_listed(run(query), given, answer.result.total_rows) for query in queries):
        return True
    return any(_same(turn, run(query), given) for query in queries)


def _drawn(mark: str | None, answer: Answer) -> bool:
    drawn = answer.chart.document["type"] if answer.chart is not None else None
    return mark is None or drawn == mark or (mark == "pie" and drawn == "doughnut")


# ---------------------------------------------------------------- tables
def _same(turn: dict[str, Any], gold: list[Row], given: list[Row]) -> bool:
    if turn.get("key"):
        return len(given) == 1 and bool(gold) and any(alike(gold[0][0], cell) for cell in given[0])
    if turn.get("ties"):
        gold = [row[-1:] for row in gold]
    if len(gold) != len(given):
        return False
    if not gold:
        return True
    width = len(given[0])
    extra = MOST_EXTRA + bool(turn.get("ties"))
    if not len(gold[0]) <= width <= len(gold[0]) + extra:
        return False
    scales = (1.0, 100.0, 0.01) if turn.get("percent") else (1.0,)
    return any(
        _rows_alike(gold, [[row[i] for i in places] for row in given], bool(turn.get("ordered")), scale)
        for places in itertools.permutations(range(width), len(gold[0]))
        for scale in scales
    )


def _rows_alike(gold: list[Row], given: list[list[Any]], ordered: bool, scale: float) -> bool:
    def fits(one: Row, other: Row) -> bool:
        return all(alike(a, _scaled(b, scale)) for a, b in zip(one, other, strict=True))

    if ordered:
        return all(fits(one, other) for one, other in zip(gold, given, strict=True))
    left = list(given)
    for one in gold:
        found = next((i for i, other in enumerate(left) if fits(one, other)), None)
        if found is None:
            return False
        left.pop(found)
    return True


def _listed(gold: list[Row], given: list[Row], total: int) -> bool:
    """The rows themselves, whatever else is shown of them. Of many only the first may be held."""
    wanted = Counter(_plain(row[0]) for row in gold)
    for place in range(len(given[0]) if given else 0):
        found = Counter(_plain(row[place]) for row in given)
        if found == wanted or (total == len(gold) > len(given) and not found - wanted):
            return True
    return not gold and not given


def _scaled(cell: Any, scale: float) -> Any:
    return float(cell) * scale if isinstance(cell, int | float | Decimal) and scale != 1.0 else cell


def _plain(cell: Any) -> str:
    if isinstance(cell, datetime):
        cell = cell.date()
    return str(cell).strip().casefold()


def alike(gold: Any, given: Any) -> bool:
    """Two cells that say the same: numbers within 0.1 % or as rounded to two decimals, dates by day or year."""
    if isinstance(gold, bool) or isinstance(given, bool) or gold is None or given is None:
        return gold == given
    if isinstance(gold, int) and isinstance(given, date):
        return gold == given.year and (given.month, given.day) == (1, 1)
    if isinstance(gold, int | float | Decimal) and isinstance(given, int | float | Decimal):
        one, other = float(gold), float(given)
        return abs(one - other) <= max(0.001 * abs(one), 0.0051) if one != round(one) else abs(one - other) < 0.005
    return _plain(gold) == _plain(given)


# ---------------------------------------------------------------- words
def _told(gold: list[Row], answer: Answer) -> bool:
    """True where all figures of the query stand in the answer's words or table."""
    if answer.status != "answered":
        return False
    cells = [cell for row in (answer.result.rows if answer.result else ()) for cell in row]
    numbers = [abs(float(c)) for c in cells if isinstance(c, int | float | Decimal) and not isinstance(c, bool)]
    said = list(numbers_in(answer.text))
    wanted = [abs(float(cell)) for row in gold for cell in row if cell is not None]
    return bool(wanted) and all(
        any(abs(value - n) <= max(0.001 * value, 0.0051) for n in numbers)
        or any(abs(value - n) <= half for n, half in said)
        for value in wanted
    )


def numbers_in(text: str) -> Iterable[tuple[float, float]]:
    """The numbers of a text, each with half of what its last digit stands for."""
    for found in _NUMBER.finditer(text):
        scale = _SCALES[(found[2] or "").casefold()]
        decimals = len(found[1].partition(".")[2])
        yield float(found[1].replace(",", "")) * scale, 0.51 * scale / 10**decimals


def _bare(answer: Answer) -> bool:
    return answer.result is None and answer.chart is None and bool(answer.text.strip())


def _talks(_: dict[str, Any], answer: Answer) -> bool:
    refused = answer.status == "declined" and "could not answer" in answer.text
    return _bare(answer) and not refused and len(answer.text.split()) <= LONGEST_TALK


def _declines(_: dict[str, Any], answer: Answer) -> bool:
    return _bare(answer) and answer.status != "clarify" and bool(_REFUSED.search(answer.text))


def _asks(_: dict[str, Any], answer: Answer) -> bool:
    return _bare(answer) and answer.status == "clarify"


def _foreign(turn: dict[str, Any], answer: Answer) -> bool:
    words = set(re.findall(r"\w+", answer.text.casefold()))
    wanted = _LANGUAGES.get(turn.get("language", ""), set())
    return _bare(answer) and bool(words & wanted or not wanted)


def _insights(_: dict[str, Any], answer: Answer) -> bool:
    """Several computed findings: sentences or list items that hold figures."""
    told = [part for part in re.split(r"[.!?](?:\s|$)|\n", answer.text) if any(numbers_in(part))]
    return answer.status == "answered" and len(told) >= 3


def _explains(_: dict[str, Any], answer: Answer) -> bool:
    return answer.status == "answered" and len(list(numbers_in(answer.text))) >= 2


_KINDS: dict[str, Callable[[dict[str, Any], Answer], bool]] = {
    "talks": _talks,
    "declines": _declines,
    "asks": _asks,
    "foreign": _foreign,
    "insights": _insights,
    "explains": _explains,
}
