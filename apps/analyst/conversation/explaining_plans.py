"""Why the figure of an answer changed: its plan is explained as it is, with all its conditions, not the words for it.

What a plan compares is explained between these periods or groups; a figure of one period against the period before.
"""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.computing.compile.walk import references, windowed
from apps.analyst.computing.drivers import refusal
from apps.analyst.computing.metrics.running import label_of
from apps.analyst.conversation.explaining import (
    Sides,
    alike_in_length,
    cuts_of,
    declined,
    explained,
    one_span,
    period_before,
)
from apps.analyst.language import Reading, lexicon
from apps.analyst.plan import BY_THEN, SO_FAR, Between, Compare, Comparison, Constant, Drivers, Plan, Query
from apps.analyst.plan.conditions import conjuncts, is_of_group
from apps.analyst.plan.spans import span_words
from apps.analyst.plan.validate import holds
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.comparing import span_of
from apps.analyst.telling.formats import spoken
from apps.analyst.types import Question

NO_COLUMNS = "Your data has no column with a few values to tell the difference between {} and {} apart by."


def compared(plan: Plan | None) -> Plan | None:
    """What an explanation explains; other plans as they are."""
    return plan.comparison if isinstance(plan, Drivers) else plan


def explaining_plan(plan: Plan | None, made: Reading, question: Question, catalog: Catalog) -> Reading | None:
    """Why the plan's first figure changed, or why that cannot be said; None where the plan has no periods.

    `made` is the follow-up's reading but for its plan.
    """
    plan = compared(plan)
    if isinstance(plan, Comparison) and is_of_group(plan.current):
        figure = one_figure(plan.query)
        apart = plan.model_copy(update={"query": figure})
        return explained_apart(apart, made, question, catalog) if figure is not None else None
    if isinstance(plan, Comparison):
        sides = _of_both(plan, made)
    else:
        sides = _against_the_one_before(plan, made) if isinstance(plan, Query) else None
    return explained(alike_in_length(sides, question, catalog), question, catalog) if sides is not None else None


def explained_apart(comparison: Comparison, made: Reading, question: Question, catalog: Catalog) -> Reading:
    """The reading of why a figure differs between two groups, or of why that cannot be said."""
    figure, told = comparison.query, set(references(comparison.current))
    reason = refusal(figure.measures[0], figure, "difference")
    cuts = tuple(cut for cut in cuts_of(figure, lexicon.build(catalog).schema) if cut.by.expr not in told)
    plan = Drivers(comparison=comparison, cuts=cuts)
    if reason or not cuts or not holds(plan, catalog):
        return declined(question, reason or NO_COLUMNS.format(comparison.current_label, comparison.baseline_label))
    return replace(made, plan=plan, chart=None, asked=(), reader="explaining")


def _of_both(plan: Comparison, made: Reading) -> Sides | None:
    query, now, then = one_figure(plan.query), span_of(plan.current), span_of(plan.baseline)
    if query is None or now is None or then is None or not isinstance(plan.current, Between):
        return None
    return Sides(made, query, plan.current, now, then, ())


def _against_the_one_before(query: Query, made: Reading) -> Sides | None:
    found, figure = one_span(query), one_figure(query)
    if found is None or figure is None:
        return None
    rest, of, now = found
    figure = figure.model_copy(update={"where": rest.where, "noun": rest.noun, "scope": rest.scope})
    then = period_before(now)
    told = f"{label_of(now)} is compared with the period before, {label_of(then)}"
    return Sides(made, figure, of, now, then, (told,))


def one_figure(query: Query) -> Query | None:
    """The query's first figure over all its rows, whatever told them apart; None where that is no plain figure."""
    measures = query.measures[:1]
    if not measures or not isinstance(query.source, str) or query.having is not None or query.limit_per:
        return None
    if windowed(measures[0].expr):
        return None
    plain = {"measures": measures, "groups": (), "order": (), "limit": None, "offset": 0, "ties": False}
    return query.model_copy(update=plain)


def figure_words(plan: Plan | None) -> str:
    """The plan's first figure in words to be read again, with its values and its periods; "" where it has none."""
    plan = compared(plan)
    query = plan.query if isinstance(plan, Comparison) else plan
    if not isinstance(query, Query) or not query.measures:
        return ""
    tests = conjuncts(query.where)
    named = [str(t.right.value) for t in tests if isinstance(t, Compare) and isinstance(t.right, Constant)]
    said = spoken(query.measures[0].label) + (f" for {' and '.join(named)}" if named else "")
    if isinstance(plan, Comparison):
        then, now = plan.baseline_label.removesuffix(BY_THEN), plan.current_label.removesuffix(SO_FAR)
        return f"{said} from {then} to {now}"
    spans = [span for test in tests if (span := span_of(test)) is not None]
    return f"{said} {span_words(*spans[0])}" if len(spans) == 1 else said
