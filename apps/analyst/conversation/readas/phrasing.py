"""A plan as somebody would ask for it, in as few words as tell it from others: "Room with the most bookings"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import get_args

from apps.analyst.conversation.readas.elsewhere import elsewhere
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import Piece, core, figure_words, pieces
from apps.analyst.plan import Aggregate, Between, Comparison, Output, Plan, Query
from apps.analyst.plan.sentence import counted_words, plan_sentence
from apps.analyst.plan.spans import date_range, says_days, span_words
from apps.analyst.ports import Catalog
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import MONTH_NAMES, capital, listed, plural, spoken
from apps.analyst.telling.labelling import labelled, once
from apps.analyst.types import Part

COUNTED = "number of "
_BY = "By "


def as_questions(plans: Sequence[Plan], catalog: Catalog) -> list[str]:
    """Each plan in words; two that would read alike name their files, and so does one that others could answer."""
    said = [as_question(plan, catalog) for plan in plans]
    often = Counter(text.casefold() for text in said)
    return [
        f"{text}, in {listed(sorted(tables_of(plan)))}"
        if often[text.casefold()] > 1 or _is_open(text, plan, catalog)
        else text
        for text, plan in zip(said, plans, strict=True)
    ]


def _is_open(text: str, plan: Plan, catalog: Catalog) -> bool:
    """Whether other files could answer as well as the plan's own, which its words do not name."""
    return not all(name in text for name in tables_of(plan)) and bool(elsewhere(plan, catalog))


def as_question(plan: Plan, catalog: Catalog) -> str:
    """ "Number of orders by country, where status is open"."""
    found = pieces(plan, catalog)
    by_part = {part: [piece for piece in found if piece.part == part] for part in get_args(Part)}
    query, names = core(plan), Names(plan, catalog)
    if not by_part["figure"] or query is None:
        return plan_sentence(plan).rstrip(".")
    counted = counted_words(labelled(query, catalog)) if isinstance(plan, Query) and not query.groups else ""
    if counted:
        return capital(counted)
    figures = [_figure(piece, query, names) for piece in by_part["figure"]]
    groups = [piece.label.removeprefix(_BY) for piece in by_part["group"]]
    ranked = _ranked(query, figures, groups) if not isinstance(plan, Comparison) else ""
    text = ranked or listed(figures) + (f" by {listed(groups)}" if groups else "")
    conditions = [_lowered(piece.label) for piece in by_part["filter"]]
    text += f", where {listed(conditions)}" if conditions else ""
    rest = [*by_part["period"], *(by_part["order"] if not ranked else ())]
    return capital(", ".join([text, *(_lowered(piece.label) for piece in rest)]))


def _figure(piece: Piece, query: Query, names: Names) -> str:
    """A figure's words; one of some days alone says which in words: "number of orders in May 2025"."""
    if isinstance(piece.node, Output) and isinstance(piece.node.expr, Aggregate):
        test = piece.node.expr.where
        span = date_range(test) if isinstance(test, Between) else None
        if span is not None:
            bare = piece.node.model_copy(update={"expr": piece.node.expr.model_copy(update={"where": None})})
            words = _lowered(figure_words(bare, query, names))
            return words if says_days(words, *span) else f"{words} {span_words(*span)}"
    return _lowered(piece.label)


def _ranked(query: Query, figures: Sequence[str], groups: Sequence[str]) -> str:
    """The first or last of one grouping by its one figure: "3 rooms with the fewest bookings"."""
    measured = {output.label for output in query.measures}
    by = query.order[0] if query.order else None
    plain = len(figures) == len(groups) == len(query.groups) == 1 and not query.limit_per and not query.offset
    if by is None or not plain or query.limit is None or by.by not in measured:
        return ""
    kind, of, rest = groups[0].partition(" of ")  # "months of order date"
    thing = groups[0] if query.limit == 1 else f"{query.limit:,} {plural(kind)}{of}{rest}"
    counted = figures[0].startswith(COUNTED) and " where " not in figures[0]
    if counted:
        return f"{thing} with the {'most' if by.descending else 'fewest'} {figures[0].removeprefix(COUNTED)}"
    return once(f"{thing} with the {'highest' if by.descending else 'lowest'} {figures[0]}")


def in_table(label: str, table: str, tables: Collection[str]) -> str:
    """A column's name, with its table where the data have several."""
    return f"{capital(label)} in {spoken(table)}" if len(tables) > 1 else capital(label)


def _lowered(label: str) -> str:
    """A chip's words inside a sentence."""
    named = label[:2].isupper() or label.split(" ")[0] in MONTH_NAMES
    return label if named else label[:1].lower() + label[1:]
