"""The first sentence of an answer, by the shape of the result. Its figures are the result's own or follow from it."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

from apps.analyst.computing.compile.walk import within
from apps.analyst.plan import Aggregate, ColumnRef, Combine, Describe, Query, SetOperation
from apps.analyst.telling import formats
from apps.analyst.telling.formats import capital, is_number, listed
from apps.analyst.telling.labelling import labels_of, things_of
from apps.analyst.telling.narrate.changes import series
from apps.analyst.telling.narrate.combined import combined
from apps.analyst.telling.narrate.conditions import scope, scope_words, subject
from apps.analyst.telling.narrate.firsts import by_group, first_of_each
from apps.analyst.telling.narrate.groups import kept_groups, listed_groups, two_sides
from apps.analyst.telling.narrate.phrases import (
    cell,
    cells,
    group_noun,
    is_count,
    measure_name,
    ranked_by,
    supreme,
)
from apps.analyst.telling.narrate.reasons import reasons
from apps.analyst.telling.narrate.rows import leading_figure, number_at, row_name, scope_of_rows, scoped
from apps.analyst.telling.narrate.sides import compared
from apps.analyst.telling.narrate.verdicts import verdict
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B
from apps.analyst.telling.wording import be, heading, marked, opening, the, told
from apps.analyst.types import Column

MOST_LEADERS, LEADERS_NAMED = 4, 3
"""So many that come first together are all named; of more the first ones."""


def lead(view: View) -> str:
    """The answer in one sentence of Markdown, its figure in bold."""
    return marked(first_sentence(view))


def first_sentence(view: View) -> str:
    """The answer in one sentence that is not `marked` yet."""
    if view.rows and both_kinds(view):
        return listing(view)
    if told := verdict(view):
        return told
    if by_group(view):
        return first_of_each(view)
    match view.shape:
        case "empty":
            return empty(view)
        case "single":
            return single(view)
        case "record":
            return record(view)
        case "ranking" | "grid":
            return ranking(view)
        case "series":
            return series(view) or ranking(view)
        case "compared":
            return compared(view)
        case "drivers":
            return reasons(view)
        case "statistic":
            return statistic(view)
        case "description":
            return description(view)
        case _:
            return listing(view)


def statistic(view: View) -> str:
    """What was found, columns under the names that people call them by."""
    found = view.computed.statistic
    if found is None or view.query is None:
        return ""
    if not view.query.columns:
        return capital(found.sentence)
    names = {output.label: view.said(formats.spoken(output.label)) for output in view.query.columns}
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return capital(re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda name: names[name[0]], found.sentence))


def empty(view: View) -> str:
    """Nothing matched: what was looked for, so that the reader sees what to change."""
    if kinds := both_kinds(view):
        return f"No {group_noun(view, 0, 1)} {kinds.replace('have', 'has', 1)}."
    told = subject(view)
    if told and scope(view):
        return f"There are no {told}."
    return "Nothing matches this question."


def both_kinds(view: View) -> str:
    """ "have open deals but no meetings", where a set's two sides say what their rows are; else ""."""
    plan = view.plan
    if not isinstance(plan, SetOperation) or not plan.left.noun or not plan.right.noun or plan.op == "union":
        return ""
    one, other = plan.left.noun, plan.right.noun
    return f"have both {one} and {other}" if plan.op == "intersect" else f"have {one} but no {other}"


def single(view: View) -> str:
    """One figure."""
    value, name = view.rows[0][0], measure_name(view, 0)
    text = heading(value, view.columns[0])
    if value is None:
        return _no_value(view, name)
    if isinstance(view.plan, Combine):
        return combined(view, text)
    if (parts := _parts(view)) and is_number(value):
        return f"{capital(parts[0])} make up {B}{text}{B} of {parts[1]}."
    if is_count(view, 0) and is_number(value):
        verb = "is" if value == 1 else "are"
        told = f"{text if value else 'no'} {view.counted(int(value))}"
        return f"There {verb} {B}{told}{B}{kept_groups(view) or scope(view)}."
    if (things := _counted_things(view)) and is_number(value) and value > 1:
        return f"There are {B}{text} {things}{B}{scope(view)}."
    if told := listed_groups(view):
        return f"{opening(name)}{told} {be(name)} {B}{text}{B}."
    return f"{opening(scoped(view, name))} {be(name)} {B}{text}{B}."


def _no_value(view: View, name: str) -> str:
    """Why there is no figure: no such rows, or none with a value."""
    noun = view.noun()
    if not view.computed.row_count and scope(view):
        return f"There are no {noun}{scope(view)}, so {the(name)} cannot be worked out."
    return f"{opening(name)} cannot be worked out: none of the {noun}{scope(view)} has a value."


def _parts(view: View) -> tuple[str, str] | None:
    """ "deals with stage Closed won" and "all deals in 2024", where the one figure is their share of them."""
    expr = view.expr(0)
    if expr is None or view.columns[0].unit != "%" or isinstance(expr, Aggregate):
        return None
    counts = list(dict.fromkeys(part for part in within(expr) if isinstance(part, Aggregate)))
    some = [part for part in counts if part.where is not None]
    if len(counts) != 2 or len(some) != 1 or any(part.fn != "count" for part in counts):
        return None
    if any(part.of is not None and not things_of(part, view.catalog) for part in counts):
        return None
    told = view.said(scope_words(some[0].where, view, view.source or ""))
    return f"{view.noun()}{told}", f"all {view.noun()}{scope(view)}"


def _counted_things(view: View) -> str:
    """ "different accounts", where the one figure counts what a column names; else ""."""
    expr = view.expr(0)
    counts = isinstance(expr, Aggregate) and expr.fn == "count" and isinstance(expr.of, ColumnRef) and not expr.where
    name = measure_name(view, 0)
    return name.removeprefix("number of ") if counts and name.startswith("number of ") else ""


def record(view: View) -> str:
    """Several values of one row: a name with its facts, or several figures."""
    names = [i for i in view.dimensions if isinstance(view.rows[0][i], str)]
    if isinstance(view.query, Query) and view.query.columns and names:
        place, words, _ = ranked_by(view)
        first = names[0]
        rest = [i for i in range(len(view.columns)) if i not in (first, place)]
        text = f"{B}{cell(view, 0, first)}{B}"
        if words and view.query.limit == 1:
            shown = f": {B}{cell(view, 0, place)}{B}" if place is not None and place != first else ""
            text += f" has the {supreme(view, words)}{shown}"
        facts = [f"{view.said(formats.spoken(view.columns[i].name))} {cell(view, 0, i)}" for i in rest]
        return f"{text} ({listed(facts, most=5)})." if facts else f"{text}."
    if answers_first(view):
        parts = [f"{measure_name(view, i).removeprefix('number of ')} {cell(view, 0, i)}" for i in view.figures[1:]]
        name = measure_name(view, view.figures[0])
        return f"{opening(name)}{scope(view)} {be(name)} {B}{cell(view, 0, view.figures[0])}{B} ({', '.join(parts)})."
    if told := two_sides(view):
        return told
    said = [measure_name(view, i) for i in range(len(view.columns))]
    facts = [f"{the(name)} {be(name)} {B}{cell(view, 0, i)}{B}" for i, name in enumerate(said)]
    told = scope(view)
    start = f"For {subject(view)}, " if told and not subject(view).startswith("rows") else ""
    return capital(f"{start}{listed(facts, most=6)}.")


def answers_first(view: View) -> bool:
    """True where the first of several figures is the answer and the others are what it is made of."""
    if view.dimensions or view.shape != "record" or len(view.figures) != len(view.columns):
        return False
    outputs = (
        view.plan.outputs if isinstance(view.plan, Combine) else view.query.measures if view.query is not None else ()
    )
    made = bool(outputs) and not isinstance(outputs[0].expr, Aggregate)
    return made and (isinstance(view.plan, Combine) or (view.query is not None and bool(view.query.noun)))


def ranking(view: View) -> str:
    """Groups with their figures: who leads, who follows."""
    figure = leading_figure(view)
    place, words, _ = ranked_by(view)
    shown = place if place in view.figures else figure
    name = measure_name(view, shown) if shown in view.figures else words
    leader = row_name(view, 0)
    ordered = place == shown and place is not None
    query = view.query
    if query is not None and query.limit == 1 and len(view.rows) == 1:
        first = supreme(view, words or name)
        if place is not None and place not in view.figures and shown in view.figures:
            figure_of = f"{opening(name)}{scope_of_rows(view, name)} {be(name)}"
            return f"{figure_of} {B}{cell(view, 0, shown)}{B} for {leader}, the {first}."
        tail = f": {B}{cell(view, 0, shown)}{B}" if place is None or place in view.figures else ""
        return f"{B}{leader}{B} has the {first}{scope_of_rows(view, words or name)}{tail}."
    alone = len(view.rows) == 1 and query is not None and query.limit is None
    if not ordered or alone:  # the only one there is leads nobody
        # A missing figure is neither the highest nor the lowest.
        known = [i for i, row in enumerate(view.rows) if is_number(row[shown])] or list(range(len(view.rows)))
        top = max(known, key=lambda i: number_at(view, i, shown))
        low = min(known, key=lambda i: number_at(view, i, shown))
        if number_at(view, top, shown) == number_at(view, low, shown):
            whose = f" for {leader if len(view.rows) == 1 else _each_group(view)}"
            said = len(view.rows) == 1 and re.search(rf"(?<!\w){re.escape(leader)}(?!\w)", scope(view)) is not None
            figure_of = f"{opening(name)}{scope_of_rows(view, name)} {be(name)}"
            return f"{figure_of} {B}{cell(view, 0, shown)}{B}{'' if said else whose}."
        return (
            f"{opening(name)}{scope_of_rows(view, name)} {be(name)} highest for {B}{row_name(view, top)}{B} "
            f"({B}{cell(view, top, shown)}{B}) and lowest for {row_name(view, low)} ({cell(view, low, shown)})."
        )
    return _led_by(view, shown, name)


def _led_by(view: View, shown: int, name: str) -> str:
    """Who comes first in the order, alone or beside others that have the same figure, and who follows."""
    first = sum(1 for row in view.rows if row[shown] == view.rows[0][shown])
    figures = cells(view, range(min(max(3, first), len(view.rows))), shown)
    what = f"{supreme(view, name)}{scope_of_rows(view, name)}: {B}{figures[0]}{B}"
    share = _share(view, shown)
    if first == 1:
        text = f"{B}{row_name(view, 0)}{B} has the {what}{share}"
    elif first <= MOST_LEADERS:
        leaders = [f"{B}{row_name(view, i)}{B}" for i in range(first)]
        text = f"{listed(leaders)} share the {what}{share.replace('(', '(each ')}"
    else:
        leaders = [f"{B}{row_name(view, i)}{B}" for i in range(LEADERS_NAMED)]
        text = f"{', '.join(leaders)} and {first - LEADERS_NAMED:,} more share the {what}"
    followers = [f"{row_name(view, i)} ({figures[i]})" for i in range(first, min(3, len(view.rows)))]
    return text + (f", followed by {listed(followers)}." if followers else ".")


def _each_group(view: View) -> str:
    count, one_name = len(view.rows), len(view.names) == 1
    return f"each of the {count:,} {group_noun(view, view.names[0], count) if one_name else 'groups'}"


def _share(view: View, place: int) -> str:
    """ " (38.2 % of all)" where the shown groups are all there are and add up."""
    values = view.values(place)
    total = sum(values)
    if not view.complete or not view.additive(place) or total <= 0 or min(values) < 0 or len(values) < 2:
        return ""
    if view.columns[place].unit == "%":
        return ""
    return f" ({told(100 * number_at(view, 0, place) / total, '%')} of the total)"


def description(view: View) -> str:
    """What there is to ask about."""
    plan = view.plan
    assert isinstance(plan, Describe)
    if plan.table is None:
        tables = [formats.cell_text(row[0]) for row in view.rows]
        word = "table" if len(tables) == 1 else "tables"
        return f"You can ask about {B}{len(tables)} {word}{B}: {listed(tables, most=8)}."
    table = next(t for t in view.catalog.tables() if t.name == plan.table)
    count = formats.counted(table.rows, table.name)
    if plan.column is not None:
        column = table.column(plan.column)
        assert column is not None
        gaps = f" and is missing in {column.missing:,} of them" if column.missing else ""
        return f"{B}{plan.column}{B} has {column.distinct:,} different values in {count}{gaps}.{_values_of(column)}"
    names = [column.name for column in table.columns]
    times = [
        c for c in table.columns if c.role == "time" and isinstance(c.minimum, date) and isinstance(c.maximum, date)
    ]
    span = ""
    if times:
        labels = labels_of(table, view.catalog)
        span = f" Its {labels.get(times[0].name, formats.spoken(times[0].name))} runs {_range_of(times[0])}."
    return f"{B}{table.name}{B} holds {count} in {len(names)} columns: {listed(names, most=8)}.{span}"


def _range_of(column: Column) -> str:
    return f"from {formats.cell_text(column.minimum)} to {formats.cell_text(column.maximum)}"


def _values_of(column: Column) -> str:
    """The most frequent values of a column, or from where to where it runs."""
    if column.type == "text" and column.values:
        shown = [f"{found.value} ({found.count:,})" for found in column.values[:5]]
        return f" {'They are' if column.distinct <= len(shown) else 'The most frequent are'} {listed(shown)}."
    if column.minimum is None or column.type in ("text", "boolean"):
        return ""
    if isinstance(column.minimum, date):
        return f" It runs {_range_of(column)}."
    ends = told(column.minimum, column.unit), told(column.maximum, column.unit)
    return f" It runs from {ends[0]} to {ends[1]}."


def listing(view: View) -> str:
    """Rows as they are: a few names are said, many are counted."""
    total, query = view.total_rows, view.query
    place, words, _ = ranked_by(view)
    first = next((i for i in range(len(view.columns)) if view.columns[i].type == "text"), 0)
    distinct = isinstance(view.plan, SetOperation) or (query is not None and (query.distinct or bool(query.groups)))
    noun = group_noun(view, first, total) if distinct else view.noun(total)
    if kinds := both_kinds(view):
        names = [f"{B}{cell(view, i, first)}{B}" for i in range(total if total <= 12 else 3)]
        words = kinds if total > 1 else kinds.replace("have", "has", 1)
        more = f"{', '.join(names)} and {total - 3:,} more" if total > 12 else listed(names)
        return f"{total:,} {noun} {words}: {more}."
    if query is not None and query.limit is not None and words and total > 1:
        names = [f"{B}{cell(view, i, first)}{B}" + _proof(view, i, place, first) for i in range(min(3, len(view.rows)))]
        more = f" and {total - 3:,} more" if total > 3 else ""
        shown = f"{', '.join(names)}{more}" if more else listed(names)
        return f"The {total:,} {noun} with the {supreme(view, words)}{scope(view)}: {shown}."
    held = _of_both(view) or listed_groups(view) or scope(view)
    values = Counter(cell(view, i, first) for i in range(len(view.rows)))
    if len(view.columns) == 1 and len(values) <= 12 and len(view.rows) == total:
        shown = listed(
            [f"{B}{value}{B}" + (f" ({count} times)" if count > 1 else "") for value, count in values.items()]
        )
        if total == 1:
            return f"{capital(noun) + ': ' if distinct else ''}{shown}."
        return f"{total:,} {noun}{held}: {shown}."
    return f"There {'is' if total == 1 else 'are'} {B}{total:,} {noun}{B}{held}."


_WITH = " with "
_BOTH = {"intersect": (" both", " and"), "except": ("", " but not"), "union": ("", " or")}


def _of_both(view: View) -> str:
    """ " with both owner Ada Stone and owner Ben Ruiz", where two lists are put together; else ""."""
    plan = view.plan
    if not isinstance(plan, SetOperation):
        return ""
    sides = [
        view.said(scope_words(side.where, view, side.source)) if isinstance(side.source, str) else ""
        for side in (plan.left, plan.right)
    ]
    if not all(sides) or sides[0] == sides[1]:
        return ""
    start, between = _BOTH[plan.op]
    if all(side.startswith(_WITH) for side in sides):
        one, other = (side.removeprefix(_WITH) for side in sides)
        return f"{_WITH}{start.lstrip()}{' ' if start else ''}{one}{between} {other}"
    return f"{start}{sides[0]}{between}{sides[1]}"


def _proof(view: View, row: int, place: int | None, first: int) -> str:
    return f" ({cell(view, row, place)})" if place is not None and place != first else ""
