"""What a question says about charts: the kind of chart, its axes and its order. Reads before anything else."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Slot, Sort
from apps.analyst.language.reading import ChartWish
from apps.analyst.types import ChartType

_PLOT = r"(?: ?(?:chart|graph|plot|diagram|visualization|visual)s?)"
_SHAPES: tuple[tuple[str, ChartType, dict[str, bool]], ...] = (
    (rf"(?:a |an |the )?stacked (?:bar|column|vertical bar|horizontal bar){_PLOT}?s?", "bar", {"stacked": True}),
    (rf"(?:a |the )?(?:group|grouped|grouping|clustered|multi - series) (?:bar|column)s?{_PLOT}?", "bar", {}),
    (rf"(?:a |the )?(?:group|grouped|grouping|multi) (?:line|lines){_PLOT}?", "line", {}),
    (rf"(?:a |the )?(?:group|grouped|grouping) (?:scatter|scatters){_PLOT}?", "scatter", {}),
    (
        rf"(?:a |the |\d )?(?:scatter ?- ?plot|scatter "
        rf"?plots?|scatter{_PLOT}|scatters?|point{_PLOT}|dot{_PLOT}|bubble{_PLOT})",
        "scatter",
        {},
    ),
    (rf"(?:an? |the )?(?:horizontal |vertical |simple )*(?:bar|column){_PLOT}", "bar", {}),
    (r"(?:a |the )?bar|bars", "bar", {}),
    (rf"(?:a |the )?(?:multi )?(?:line|time series|area|trend){_PLOT}", "line", {}),
    (r"(?:a |the )?(?:line|trend line)", "line", {}),
    (rf"(?:a |the )?(?:pie|circle){_PLOT}?", "pie", {}),
    (rf"(?:a |the )?(?:donut|doughnut){_PLOT}?", "doughnut", {}),
    (rf"(?:a |the )?(?:radar|spider){_PLOT}", "radar", {}),
    (rf"(?:a |the )?(?:polar area|polar){_PLOT}", "polarArea", {}),
    (rf"(?:an? |the )?histograms?{_PLOT}?(?: of)?", "bar", {"x_bin": True}),
    (rf"(?:an? |the )?bin(?:ned)? (?:bar |column )?{_PLOT}", "bar", {"x_bin": True}),
)
_KINDS: tuple[tuple[re.Pattern[str], ChartType, dict[str, bool]], ...] = tuple(
    (re.compile(r"(?:(?<=\s)|^)" + pattern + r"(?=\s|$)"), mark, more) for pattern, mark, more in _SHAPES
)
_ASKS_CHART = words(
    "plot chart graph draw visualize visualise visualization visualisation diagram depict charts graphs plots"
)
_SHOWN_AS = (" as ", " as a ", " as an ")
_CLAUSE_ENDS = frozenset((".", "?", "!", ";", ","))
_SORT_VERBS = words("sort sorted rank ranked order ordered list display show arrange arranged sorting ranking ordering")
_SHOWING = words("list show display")
"""At a question's beginning they ask for what is behind them, not for an order."""
_SMALL = words("please could you can i want to would like and also the them it in from by of with is be should for")


def read_chart(draft: Draft) -> None:
    """Finds the chart wished for and marks its words."""
    text, starts = _text(draft)
    wish: ChartWish | None = None
    for pattern, mark, more in _KINDS:
        for match in pattern.finditer(text):
            items = [index for position, index in starts.items() if match.start() <= position < match.end()]
            if not items or any(draft.used[index] for index in items):
                continue
            if not text[: match.start()].endswith(_SHOWN_AS) and _names_data(draft, items, match.group()):
                continue
            if (
                more.get("x_bin")
                and draft.items[items[-1]].tag("distribution") is None
                and "histogram" not in match.group()
            ):
                continue
            wish = wish or ChartWish(
                mark=mark, explicit=True, stacked=more.get("stacked", False), x_bin=more.get("x_bin", False)
            )
            draft.use(*items, role="chart")
    if wish is None and any(_asks_chart(draft, index) for index in range(len(draft.items))):
        wish = ChartWish(mark=None, explicit=True)
    for index in range(len(draft.items)):
        if draft.free(index) and _asks_chart(draft, index):
            draft.use(index, role="chart")
    draft.wish = wish


def _text(draft: Draft) -> tuple[str, dict[int, int]]:
    pieces, starts, length = [], {}, 0
    for index, item in enumerate(draft.items):
        word = "\u0000" if item.quoted else item.norm
        offset = 0
        for part in word.split(" "):
            starts[length + offset] = index
            offset += len(part) + 1
        pieces.append(word)
        length += len(word) + 1
    return " ".join(pieces), starts


def _names_data(draft: Draft, items: list[int], words: str) -> bool:
    """ "bar", "line", "circle" may be a column or value of the data; with "chart" behind it never is."""
    if re.search(r"chart|graph|plot|diagram|histogram|scatter|pie", words):
        return False
    return any(draft.items[index].columns or draft.items[index].tables or draft.items[index].values for index in items)


def _asks_chart(draft: Draft, index: int) -> bool:
    item = draft.items[index]
    if item.quoted or not any(word in _ASKS_CHART for word in item.norm.split()):
        return False
    return not any(hit.score >= 0.9 for hit in item.columns) or index == 0


def read_sort(draft: Draft) -> None:
    """Reads "sort by the y axis in descending order", "ranked from high to low", "alphabetical"."""
    for index in range(len(draft.items)):
        if not draft.tagged_as(index, "asc", "desc") or _is_sup_text(draft, index):
            continue
        start, end = _clause(draft, index)
        direction = draft.items[index].tag("asc", "desc")
        assert direction is not None
        alphabetical = "alphabet" in draft.items[index].norm or "lexico" in draft.items[index].norm
        if "reverse" in (draft.items[max(0, index - 1)].norm, draft.items[max(0, index - 2)].norm):
            direction = replace(direction, kind="desc")
        sort = _target(draft, start, end, index, direction.kind == "desc")
        if alphabetical and sort.axis == "" and sort.slot is None:
            sort.axis = "x"
        draft.sorts.append(sort)
        draft.use(*range(start, end), role="sort")
    if not draft.sorts:
        _plain_sort(draft)


def _is_sup_text(draft: Draft, index: int) -> bool:
    """ "order of" inside other phrases, or a stored value, is no sort."""
    return bool(draft.items[index].values) and draft.items[index].quoted


def _clause(draft: Draft, index: int) -> tuple[int, int]:
    """The sort clause round a direction word: from its verb (or the clause's beginning) to the clause's end."""
    start = index
    while start > 0 and draft.items[start - 1].norm not in _CLAUSE_ENDS and index - start < 14:
        previous = draft.items[start - 1]
        if not draft.free(start - 1) and draft.roles.get(start - 1) == "chart":
            break
        if _asks_to_see(draft, start - 1):
            break
        if draft.tagged_as(start - 1, "sort") or previous.norm.split()[0] in _SORT_VERBS:
            start -= 1
            while start > 0 and draft.items[start - 1].norm in _SMALL:
                start -= 1
            return start, _end(draft, index)
        start -= 1
    start = index
    while start > 0 and draft.items[start - 1].norm in ("in", "the", "an", "a", "from", "in the", "with"):
        start -= 1
    return start, _end(draft, index)


def _asks_to_see(draft: Draft, index: int) -> bool:
    """ "List the names and prices in descending order of price": the verb asks for names and prices."""
    opens = index == 0 or draft.items[index - 1].norm in (".", "?", "!")
    return opens and draft.items[index].norm in _SHOWING


def _end(draft: Draft, index: int) -> int:
    end = index + 1
    while end < len(draft.items) and draft.items[end].norm not in _CLAUSE_ENDS and draft.roles.get(end) != "chart":
        if draft.items[end].norm in (
            "and",
            "where",
            "whose",
            "who",
            "for each",
            "with",
            "using",
            "together with",
            "while",
        ):
            break
        end += 1
    return end


def _target(draft: Draft, start: int, end: int, direction: int, descending: bool) -> Sort:
    indexes = [index for index in range(start, end) if index != direction and draft.free(index)]
    axis = _axis(draft, indexes)
    if axis:
        return Sort(descending, axis=axis, item=direction)
    for index in indexes:
        item = draft.items[index]
        if item.tag("count", "agg"):
            return Sort(descending, axis="y", item=direction)
    for index in indexes:
        item = draft.items[index]
        if item.columns and item.columns[0].score >= 0.45 and not item.tag("sort"):
            return Sort(descending, Slot(index, item.columns), item=direction)
        if item.tables:
            return Sort(descending, axis="x", item=direction)
        if item.norm in ("name", "names"):
            return Sort(descending, axis="x", item=direction)
    return Sort(descending, item=direction)


def _axis(draft: Draft, indexes: list[int]) -> Literal["x", "y", ""]:
    words = [word for index in indexes for word in draft.items[index].norm.split()]
    joined = " ".join(words)
    match = re.search(r"\b([xy])\b(?: ?- ?axis| axis)?", joined)
    return "" if match is None else "x" if match.group(1) == "x" else "y"


def _plain_sort(draft: Draft) -> None:
    """ "sorted by price" without a direction: ascending; "sort by number of orders": the count, as asked."""
    for index, item in enumerate(draft.items):
        if not draft.tagged_as(index, "sort") or item.norm in (
            "order",
            "rank",
            "ranking",
            "orders",
            "list",
            "display in",
            "show in",
            "list in",
        ):
            continue
        if not item.norm.endswith((" by", "order of", "according to")):
            continue
        if _splits_a_figure(draft, index):
            draft.axes["split"] = index
            return
        end = _end(draft, index)
        sort = _target(draft, index + 1, end, index, False)
        if sort.slot is not None or sort.axis:
            draft.sorts.append(sort)
            draft.use(*range(index, end), role="sort")
            return


def _splits_a_figure(draft: Draft, index: int) -> bool:
    """ "total quantity ordered by country": one figure has no order, so what stands behind tells its parts apart."""
    before = draft.items[:index]
    if not any(item.tag("agg", "count") for item in before) or any(item.tag("by", "distinct") for item in draft.items):
        return False
    named = draft.next_named(index, reach=2)
    return named is not None and not draft.numeric(named, 0.6) and not draft.items[named].tag("agg", "count", "sup")
