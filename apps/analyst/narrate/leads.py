"""The first sentence of an answer, by the shape of the result. Its figures are the result's own or follow from it."""

from __future__ import annotations

from collections import Counter
from datetime import date

from apps.analyst import formats
from apps.analyst.formats import capital, is_number, listed
from apps.analyst.narrate.changes import compared, series
from apps.analyst.narrate.conditions import scope, subject
from apps.analyst.narrate.firsts import by_group, first_of_each
from apps.analyst.narrate.phrases import cell, group_noun, is_count, measure_name, ranked_by, superlative
from apps.analyst.narrate.reasons import reasons
from apps.analyst.narrate.rows import leading_figure, number_at, row_name, scope_of_rows, the
from apps.analyst.narrate.verdicts import verdict
from apps.analyst.narrate.view import View
from apps.analyst.plan import Aggregate, ColumnRef, Combine, Describe, Query, SetOperation
from apps.analyst.types import Column

MOST_LEADERS, LEADERS_NAMED = 4, 3
"""So many that come first together are all named; of more the first ones."""


def lead(view: View) -> str:
    """The answer in one sentence, its figure in bold."""
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
            return view.computed.statistic.sentence if view.computed.statistic is not None else ""
        case "description":
            return description(view)
        case _:
            return listing(view)


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


def of_subject(view: View) -> str:
    """ " of deals with stage Closed won", or nothing."""
    told = subject(view)
    if measure_name(view, 0).endswith(view.noun()):
        return scope(view)
    noun = told.split(" ", 1)[0]
    if not told:
        return ""
    return f" of {told}" if noun != "rows" else scope(view)


def single(view: View) -> str:
    """One figure."""
    value, column = view.rows[0][0], view.columns[0]
    text = formats.cell(value, column)
    if value is None:
        return f"There is no {measure_name(view, 0)}{of_subject(view)}: no row has a value."
    if isinstance(view.plan, Combine):
        return f"The {formats.spoken(column.name)} is **{text}**."
    if is_count(view, 0) and is_number(value):
        noun = view.noun(int(value))
        verb = "is" if value == 1 else "are"
        return f"There {verb} **{text if value else 'no'} {noun}**{scope(view)}."
    if (things := _counted_things(view)) and is_number(value) and value > 1:
        return f"There are **{text} {things}**{scope(view)}."
    if column.kind == "dimension" or not view.figures:
        what = measure_name(view, 0)
        return f"{capital(the(what))}{of_subject(view)} is **{text}**."
    return f"{capital(the(measure_name(view, 0)))}{of_subject(view)} is **{text}**."


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
        text = f"**{cell(view, 0, first)}**"
        if words and view.query.limit == 1:
            kind = superlative(view)
            shown = f": **{cell(view, 0, place)}**" if place is not None and place != first else ""
            text += f" has the {kind} {words}{shown}"
        facts = [f"{view.said(formats.spoken(view.columns[i].name))} {cell(view, 0, i)}" for i in rest]
        return f"{text}{', ' if facts else ''}{listed(facts, most=5)}."
    if answers_first(view):
        parts = [f"{measure_name(view, i).removeprefix('number of ')} {cell(view, 0, i)}" for i in view.figures[1:]]
        name = measure_name(view, view.figures[0])
        return f"{capital(the(name))}{scope(view)} is **{cell(view, 0, view.figures[0])}** ({', '.join(parts)})."
    facts = [f"{the(measure_name(view, i))} is **{cell(view, 0, i)}**" for i in range(len(view.columns))]
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
        kind = superlative(view)
        words = words.removeprefix(f"{kind} ")
        if place is not None and place not in view.figures and shown in view.figures:
            figure_of = f"{capital(the(name))}{scope_of_rows(view, name)}"
            return f"{figure_of} is **{cell(view, 0, shown)}** for {leader}, the {kind} {words}."
        tail = f": **{cell(view, 0, shown)}**" if place is None or place in view.figures else ""
        return f"**{leader}** has the {kind} {words or name}{scope_of_rows(view, words or name)}{tail}."
    if not ordered:
        # A missing figure is neither the highest nor the lowest.
        known = [i for i, row in enumerate(view.rows) if is_number(row[shown])] or list(range(len(view.rows)))
        top = max(known, key=lambda i: number_at(view, i, shown))
        low = min(known, key=lambda i: number_at(view, i, shown))
        if number_at(view, top, shown) == number_at(view, low, shown):
            whose = leader if len(view.rows) == 1 else f"each of the {_counted_groups(view, len(view.rows))}"
            return f"{capital(the(name))}{scope_of_rows(view, name)} is **{cell(view, 0, shown)}** for {whose}."
        return (
            f"{capital(the(name))}{scope_of_rows(view, name)} is highest for **{row_name(view, top)}** "
            f"(**{cell(view, top, shown)}**) and lowest for {row_name(view, low)} ({cell(view, low, shown)})."
        )
    return _led_by(view, shown, name)


def _led_by(view: View, shown: int, name: str) -> str:
    """Who comes first in the order, alone or beside others that have the same figure, and who follows."""
    first = sum(1 for row in view.rows if row[shown] == view.rows[0][shown])
    kind = superlative(view)
    name = name.removeprefix(f"{kind} ")
    what = f"{kind} {name}{scope_of_rows(view, name)}: **{cell(view, 0, shown)}**"
    share = _share(view, shown)
    if first == 1:
        text = f"**{row_name(view, 0)}** has the {what}{share}"
    elif first <= MOST_LEADERS:
        leaders = [f"**{row_name(view, i)}**" for i in range(first)]
        text = f"{listed(leaders)} share the {what}{share.replace('(', '(each ')}"
    else:
        leaders = [f"**{row_name(view, i)}**" for i in range(LEADERS_NAMED)]
        text = f"{', '.join(leaders)} and {first - LEADERS_NAMED:,} more share the {what}"
    followers = [f"{row_name(view, i)} ({cell(view, i, shown)})" for i in range(first, min(3, len(view.rows)))]
    return text + (f", followed by {listed(followers)}." if followers else ".")


def _counted_groups(view: View, count: int) -> str:
    one_name = len(view.names) == 1
    return f"{count:,} {group_noun(view, view.names[0], count) if one_name else 'groups'}"


def _share(view: View, place: int) -> str:
    """ " (38.2 % of all)" where the shown groups are all there are and add up."""
    values = view.values(place)
    total = sum(values)
    if not view.complete or not view.additive(place) or total <= 0 or min(values) < 0 or len(values) < 2:
        return ""
    if view.columns[place].unit == "%":
        return ""
    return f" ({formats.figure(100 * number_at(view, 0, place) / total, '%')} of the total)"


def description(view: View) -> str:
    """What there is to ask about."""
    plan = view.plan
    assert isinstance(plan, Describe)
    if plan.table is None:
        tables = [formats.cell_text(row[0]) for row in view.rows]
        word = "table" if len(tables) == 1 else "tables"
        return f"You can ask about **{len(tables)} {word}**: {listed(tables, most=8)}."
    table = next(t for t in view.catalog.tables() if t.name == plan.table)
    count = formats.counted(table.rows, table.name)
    if plan.column is not None:
        column = table.column(plan.column)
        assert column is not None
        gaps = f"; it is missing in {column.missing:,}" if column.missing else ""
        return f"**{plan.column}** has {column.distinct:,} different values in {count}{gaps}.{_values_of(column)}"
    names = [column.name for column in table.columns]
    times = [
        c for c in table.columns if c.role == "time" and isinstance(c.minimum, date) and isinstance(c.maximum, date)
    ]
    span = f" Its {formats.spoken(times[0].name)} runs {_range_of(times[0])}." if times else ""
    return f"**{table.name}** holds {count} with {len(names)} columns: {listed(names, most=8)}.{span}"


def _range_of(column: Column) -> str:
    return f"from {formats.cell_text(column.minimum)} to {formats.cell_text(column.maximum)}"


def _values_of(column: Column) -> str:
    """The most frequent values of a column, or from where to where it runs."""
    if column.type == "text" and column.values:
        shown = [f"{found.value} ({found.count:,})" for found in column.values[:5]]
        return f" {'All' if column.distinct <= len(shown) else 'Most frequent'}: {listed(shown)}."
    if column.minimum is None or column.type in ("text", "boolean"):
        return ""
    if isinstance(column.minimum, date):
        return f" It runs {_range_of(column)}."
    ends = formats.figure(column.minimum, column.unit), formats.figure(column.maximum, column.unit)
    return f" It runs from {ends[0]} to {ends[1]}."


def listing(view: View) -> str:
    """Rows as they are: a few names are said, many are counted."""
    total, query = view.total_rows, view.query
    place, words, _ = ranked_by(view)
    first = next((i for i in range(len(view.columns)) if view.columns[i].type == "text"), 0)
    distinct = isinstance(view.plan, SetOperation) or (query is not None and (query.distinct or bool(query.groups)))
    noun = group_noun(view, first, total) if distinct else view.noun(total)
    if kinds := both_kinds(view):
        names = [f"**{cell(view, i, first)}**" for i in range(total if total <= 12 else 3)]
        words = kinds if total > 1 else kinds.replace("have", "has", 1)
        more = f"{', '.join(names)} and {total - 3:,} more" if total > 12 else listed(names)
        return f"{total:,} {noun} {words}: {more}."
    if query is not None and query.limit is not None and words and total > 1:
        kind = superlative(view)
        names = [f"**{cell(view, i, first)}**" + _proof(view, i, place, first) for i in range(min(3, len(view.rows)))]
        more = f" and {total - 3:,} more" if total > 3 else ""
        shown = f"{', '.join(names)}{more}" if more else listed(names)
        return f"The {total:,} {noun} with the {kind} {words}{scope(view)}: {shown}."
    values = Counter(cell(view, i, first) for i in range(len(view.rows)))
    if len(view.columns) == 1 and len(values) <= 12 and len(view.rows) == total:
        shown = listed([f"**{value}**" + (f" ({count} times)" if count > 1 else "") for value, count in values.items()])
        if total == 1:
            return f"{capital(noun) + ': ' if distinct else ''}{shown}."
        return f"{total:,} {noun}{scope(view)}: {shown}."
    return f"There {'is' if total == 1 else 'are'} **{total:,} {noun}**{scope(view)}."


def _proof(view: View, row: int, place: int | None, first: int) -> str:
    return f" ({cell(view, row, place)})" if place is not None and place != first else ""
