"""The text of an answer in the member's style. Concise: the sentence. Standard: and what puts it into proportion.
Explanatory: and how it was computed, from what, and what to keep in mind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from apps.analyst.computing.compile.walk import references, within
from apps.analyst.computing.metrics.cases import LeftOut, left_out
from apps.analyst.computing.metrics.used import needs_all
from apps.analyst.plan import (
    Aggregate,
    Between,
    Comparison,
    Query,
    SetOperation,
)
from apps.analyst.plan.sentence import filters_of
from apps.analyst.plan.spans import date_range
from apps.analyst.plan.spelling import alike
from apps.analyst.telling import formats
from apps.analyst.telling.labelling import rows_of, told_sentence
from apps.analyst.telling.narrate.changes import along_time
from apps.analyst.telling.narrate.gaps import lines_told, missing_values, with_gaps
from apps.analyst.telling.narrate.leads import first_sentence
from apps.analyst.telling.narrate.phrases import group_noun
from apps.analyst.telling.narrate.reasons import all_cuts, background
from apps.analyst.telling.narrate.rows import row_name
from apps.analyst.telling.narrate.times import still_open, unfinished, values_before
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B
from apps.analyst.telling.wording import an, marked, signed, told
from apps.analyst.types import Column, ResponseStyle

MOST_LEVEL = 3
"""So many are named who come to the same as the last one shown."""
MOST_CASES = 3
"""So many states of cases are named that a rate leaves out; of more the most frequent ones."""


def story(view: View, style: ResponseStyle) -> str:
    """The answer's text as Markdown, without its table."""
    return marked(_story(view, style))


def _story(view: View, style: ResponseStyle) -> str:
    first = " ".join([first_sentence(view), *level(view)])
    if style == "Concise" or view.shape in ("empty", "description"):
        return " ".join([first, *view.computed.mixed])
    told = [first, *proportions(view), *view.computed.mixed]
    if style == "Standard":
        return " ".join(told)
    paragraphs = [" ".join(told), how(view)]
    if view.shape == "drivers":
        paragraphs.insert(1, all_cuts(view))
    cautions = caveats(view)
    if cautions:
        paragraphs.append(f"{B}Keep in mind:{B} " + " ".join(cautions))
    return "\n\n".join(part for part in paragraphs if part)


def level(view: View) -> list[str]:
    """Who else would stand where a ranking was cut."""
    left, query = view.computed.level, view.query
    if left is None or query is None or not view.names:
        return []
    others = View(replace(view.computed, result=left, level=None), view.catalog)
    names = [f"{B}{row_name(others, row)}{B}" for row in range(len(left.rows))]
    who = formats.listed(names) if len(names) <= MOST_LEVEL else f"{len(names):,} others"
    whom = "" if query.limit == 1 else " as the last of these"
    return [f"{who} {'comes' if len(names) == 1 else 'come'} to the same{whom}."]


def proportions(view: View) -> list[str]:
    """One or two sentences that put the answer into proportion."""
    told: list[str] = []
    if view.shape == "statistic":
        return told
    if view.shape == "drivers":
        return background(view)
    if view.shape in ("ranking", "grid", "series") and view.figures:
        told += along_time(view) or _sum_of(view)
    open_period = unfinished(view)
    if open_period is not None:
        told.append(still_open(view, open_period))
    basis = _basis(view, told)
    if basis:
        told.append(basis)
    return told


def _sum_of(view: View) -> list[str]:
    place = view.figures[0]
    values = view.values(place)
    if len(values) < 2 or not view.additive(place) or view.computed.result.truncated:
        return []
    total = sum(values)
    unit = view.columns[place].unit
    whole = total if view.columns[place].type != "integer" else int(total)
    name = "groups"
    if len(view.dimensions) == 1 or (view.one_entity and len(view.names) == 1):
        name = group_noun(view, view.names[0], len(values))
    if view.shape == "series":
        return [_in_all(view, place, told(whole, unit), total / len(values))]
    count = "both" if len(values) == 2 else f"all {len(values)}"
    start = count if view.complete else f"the {len(values)}"
    shown = f"{name}{'' if view.complete else ' shown'}"
    return [f"The total for {start} {shown} is {told(whole, unit)}{_against(view, float(total))}."]


def _against(view: View, total: float) -> str:
    """What the total is held against, where the second figure is the first one of another part (Q3 2026, Q3 2025)."""
    if len(view.figures) != 2:
        return ""
    one, other = (view.expr(place) for place in view.figures)
    if not (isinstance(one, Aggregate) and isinstance(other, Aggregate) and one.where and other.where):
        return ""
    column = view.columns[view.figures[1]]
    part = column.name.partition(" (")[2].removesuffix(")")
    if not part or one.model_copy(update={"where": other.where}) != other:
        return ""
    held = sum(view.values(view.figures[1]))
    days = [date_range(side) if isinstance(side, Between) else None for side in (one.where, other.where)]
    later = days[0] is not None and days[1] is not None and days[0] > days[1]
    change = f" ({signed(100 * (total - held) / held, '%')})" if later and held > 0 else ""
    whole = int(held) if column.type == "integer" else held
    return f", against {told(whole, column.unit)} for {part}{change}"


def _in_all(view: View, place: int, whole: str, mean: float) -> str:
    """The sum of a series, and what a period comes to: of those alone that are over."""
    unit, along = view.columns[place].unit, view.dimensions[0]
    last = unfinished(view)
    if last is None:
        return f"That is {whole} in all, or {told(mean, unit)} {an(group_noun(view, along, 1))} on average."
    before = values_before(view, place, last)
    if len(before) < 2:
        return f"That is {whole} in all."
    complete = f"complete {group_noun(view, along, len(before))}"
    return f"That is {whole} in all; {complete} come to {told(sum(before) / len(before), unit)} on average."


def _basis(view: View, before: list[str]) -> str:
    """The rows the figures stand on, where the answer does not say their number anyway."""
    count = view.computed.row_count
    if isinstance(view.plan, SetOperation):
        return ""
    nested = view.query is not None and bool(view.query.noun) and isinstance(view.query.source, Query)
    if nested or count <= 0 or view.source is None or view.shape in ("list", "empty", "description"):
        return ""
    used, whole = view.computed.used or count, view.computed.among or count
    rows, reason = f"{whole:,} {rows_of(view.source, view.catalog, whole)}", ""
    if things := view.told_once(used):
        rows = f"{used:,} {things}"
    elif used < whole:
        rows, reason = f"{used:,} of {rows}", _why_not_all(view, whole - used)
    elif any(_says(sentence, count) for sentence in (first_sentence(view), *before)):
        return ""
    # the rows of both sides, not those of the figure that is said first
    if isinstance(view.plan, Comparison) and not _is_cut(view):
        return f"The comparison covers {rows}{reason}."
    # What a cut ranking was made from is more than the rows of the groups that it shows.
    start = "Ranked from" if _is_cut(view) else "Based on"
    return f"{start} {rows}{' in all' if _is_cut(view) and not reason else ''}{reason}."


def _says(sentence: str, count: int) -> bool:
    """Whether a number stands in a sentence, and not only as a part of another."""
    return re.search(rf"(?<![\d.,]){count:,}(?![\d%]|[.,]\d)", sentence) is not None


def _why_not_all(view: View, others: int) -> str:
    """What the others are: cases that a rate is not made of, or without a value, where one column and no condition
    leaves them out."""
    query = view.query
    left = left_out(query, view.catalog) if query is not None else None
    if left is not None:
        return f": the {'other' if others == 1 else 'others'} {_cases(view, left, others)}"
    figures = [part for m in query.measures for part in within(m.expr) if isinstance(part, Aggregate)] if query else []
    columns = {column.name: column for output, _, column in with_gaps(view) if query and output in query.measures}
    if len(columns) != 1 or any(figure.where is not None or figure.of is None for figure in figures):
        return ""
    (name,) = columns
    return f": {view.said(formats.spoken(name))} is missing in the {'other' if others == 1 else 'others'}"


def _cases(view: View, left: LeftOut, others: int) -> str:
    """How the cases stand that a rate leaves out: "are Pending, In review or without a status"."""
    if not left.known:
        return f"{'has' if others == 1 else 'have'} another {view.thing(left.column.name)}"
    lacking = [column for column in (left.column, *_measured(view)) if column.missing]
    told = [*left.values[:MOST_CASES]]
    told += [f"in another {view.thing(left.column.name)}"] if len(left.values) > MOST_CASES else []
    told += [f"without {an(view.thing(name))}" for name in dict.fromkeys(column.name for column in lacking)]
    return f"{'is' if others == 1 else 'are'} {formats.listed(told, 'or')}"


def _measured(view: View) -> Iterator[Column]:
    """The columns that the figures add up or average."""
    for output in view.query.measures if view.query is not None else ():
        for part in within(output.expr):
            read = part.of if isinstance(part, Aggregate) else None
            stored = [view.stored(ref) for ref in references(read)] if read is not None and needs_all(read) else []
            yield from (found[1] for found in stored if found is not None)


def _is_cut(view: View) -> bool:
    if isinstance(view.plan, Comparison):
        return view.plan.query.limit is not None
    return view.shape == "ranking" and not view.complete and len(view.rows) > 1


def how(view: View) -> str:
    """How the figures came about."""
    told = [f"{B}How this was computed:{B} {told_sentence(view.plan, view.catalog)}"]
    if filters_of(view.plan) and view.computed.row_count and view.source is not None:
        stand = "The ranking was made from" if _is_cut(view) else "The figures stand on"
        count = view.computed.row_count
        told.append(f"{stand} {count:,} {rows_of(view.source, view.catalog, count)}.")
    return " ".join(told)


def caveats(view: View) -> list[str]:
    """What a careful reader should know: missing values, groups not shown, notes of the computation."""
    told = [*missing_values(view), *lines_told(view), *view.computed.notes, *look_alikes(view)]
    if view.computed.result.truncated:
        told.append(f"The table shows {len(view.rows):,} of {view.total_rows:,} rows.")
    return told


def look_alikes(view: View) -> list[str]:
    """Names in the answer that may mean one person."""
    told: list[str] = []
    for place in view.dimensions if view.shape in ("ranking", "grid", "compared", "list") else ():
        names = list(dict.fromkeys(value for row in view.rows if isinstance(value := row[place], str)))
        told += [
            f"“{short}” and “{full}” may be the same; they are counted separately." for short, full in alike(names)
        ]
    return told
