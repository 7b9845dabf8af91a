"""What is offered in the place of a statistic whose figures were not found: the same one of the figures that lie
nearest to the question's words. A word that asks for a statistic is never asked for itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice

from apps.analyst.conversation.named_things import (
    NamedThings,
    figure_of_column,
    is_figure,
    named_things,
    row_count,
)
from apps.analyst.conversation.nearest import by_period, told_apart
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.studied import studied, tells
from apps.analyst.language import lexicon
from apps.analyst.language.concepts import Concept, days_from, plain_name
from apps.analyst.language.parse.durations import duration_in
from apps.analyst.plan import Aggregate, Bin, Call, Clarify, ColumnRef, Option, Order, Output, Plan, Query, Statistic
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.linking import link
from apps.analyst.tables.scoped import without_examples
from apps.analyst.telling.formats import capital
from apps.analyst.types import Answer, Choice, Question

NOT_FOUND = (
    "I can compute {}, but I did not find which figures you mean, so I give no number. These questions come close:"
)
CALLED = {
    "correlation": "a correlation",
    "regression": "a regression",
    "trend": "a trend",
    "distribution": "a distribution",
    "outliers": "outliers",
    "spread": "a standard deviation",
}
"""The statistics that can be offered, as a sentence calls them."""
MOST_OFFERED, MOST_FIGURES, BINS = 3, 4, 10
_STRENGTH = "strength=relationship,r=correlation coefficient"


def statistic_instead(
    question: Question, plans: tuple[Plan, ...], catalog: Catalog, warehouse: Warehouse
) -> Answer | None:
    """The refusal with statistics to choose from, where a question asks for one that none of the plans tells which
    would be told or offered; None where they do, or none can be computed."""
    about = without_examples(catalog)
    linked = link(question, about)
    left = [one for one in studied(linked) if not any(tells(plan, one.kind) for plan in plans)]
    wanted = next((one for one in left if one.kind in CALLED), None)
    if wanted is None:
        return None
    places = [place for one in left for place in range(one.start, one.end)]
    things = named_things(linked, Scene(about), question.today, places)
    found = _Nearest(question, things, Scene(about)) if things is not None else None
    told = told_apart(found.plans(wanted.kind), about, warehouse) if found is not None else iter(())
    options = tuple(
        Option(label=text, question=text, plan=plan, instead=True) for text, plan in islice(told, MOST_OFFERED)
    )
    if not options:
        return None
    text = NOT_FOUND.format(CALLED[wanted.kind])
    choices = tuple(Choice(option.label, option.question, kind="rewrite") for option in options)
    return Answer("declined", text, plan=Clarify(question=text, options=options), choices=choices, confidence=0.0)


@dataclass(frozen=True, slots=True)
class _Nearest:
    """What a question names, and the statistics of it."""

    question: Question
    things: NamedThings
    scene: Scene

    def plans(self, wanted: str) -> Iterator[Query | Statistic]:
        """Statistics of that kind, those of what is named first."""
        match wanted:
            case "correlation" | "regression":
                options = {"show": _STRENGTH} if wanted == "correlation" else {}
                yield from (Statistic(name=wanted, query=self._rows(pair), options=options) for pair in self._pairs())
            case "trend":
                yield from self._trends()
            case "distribution":
                yield from map(self._in_bins, self._named())
                yield from map(self._in_groups, self.things.groups)
                yield from map(self._in_bins, self._own())
            case "outliers":
                yield from (Statistic(name=wanted, query=self._rows((one,))) for one in self._figures())
            case "spread":
                yield from map(self._spread, self._figures())

    def _named(self) -> list[Output]:
        """The figures of a row that the question names."""
        said = duration_in(self.question.text, self._lexicon, {self.things.table.name})
        days = [
            one for one in self._durations() if said is not None and one.column.name == days_from(said.first, said.last)
        ]
        return [*map(self._column, self.things.figures), *map(_days, days)]

    def _own(self) -> list[Output]:
        """All figures of a row of the table, with the days between its dates."""
        refs = self.scene.columns(self.things.table.name)
        return [*(self._column(ref) for ref in refs if is_figure(ref, self.scene)), *map(_days, self._durations())]

    def _figures(self) -> list[Output]:
        return self._named() or self._own()

    def _pairs(self) -> Iterator[tuple[Output, Output]]:
        """Two figures of a row: those that are named, else one that is beside each of the others."""
        named = self._named()[:MOST_FIGURES]
        if len(named) > 1:
            yield from combinations(named, 2)
        elif named:
            yield from ((named[0], other) for other in self._own() if other.expr != named[0].expr)
        else:
            yield from combinations(self._own()[:MOST_FIGURES], 2)

    @property
    def _lexicon(self) -> lexicon.Lexicon:
        return lexicon.build(self.scene.catalog)

    def _durations(self) -> list[Concept]:
        """The days from a date of the table to one that stands behind it."""
        table = self.things.table.name
        places = {column.name: n for n, column in enumerate(self.things.table.columns)}
        return [
            concept
            for concept in self._lexicon.concepts.values()
            if concept.tables == (table,) and isinstance(concept.expression, Call) and concept.column.unit == "days"
            if _is_in_order(concept.expression, places)
        ]

    def _column(self, ref: ColumnRef) -> Output:
        column = self.scene.column(ref)
        return Output(label=capital(self.scene.said(ref)), expr=ref, unit=column.unit if column is not None else None)

    def _rows(self, figures: tuple[Output, ...]) -> Query:
        """The rows that are named, with these figures of each."""
        return self.things.query(figures[0], self.scene).model_copy(update={"columns": figures, "measures": ()})

    def _trends(self) -> Iterator[Statistic]:
        figures = [figure_of_column(ref, self.scene) for ref in self.things.figures]
        for figure in figures or [self.things.figure(self.scene), row_count(self.things.table)]:
            query = self.things.query(figure, self.scene)
            when = self.scene.main_date(query)
            if when is not None:
                options = {"step": "month", "grain": "month"}
                yield Statistic(name="trend", query=by_period(query, when, "month"), options=options)

    def _in_bins(self, figure: Output) -> Query:
        """How many rows there are in each stretch of a figure."""
        group = Output(label=figure.label, expr=Bin(of=figure.expr, count=BINS), unit=figure.unit)
        query = self.things.query(row_count(self.things.table), self.scene)
        return query.model_copy(update={"groups": (group,), "order": (Order(by=group.label),)})

    def _in_groups(self, ref: ColumnRef) -> Query:
        """How many rows each value of a column has."""
        query = self.things.query(row_count(self.things.table), self.scene)
        order = (Order(by=query.measures[0].label, descending=True),)
        return query.model_copy(update={"groups": (self._column(ref),), "order": order})

    def _spread(self, figure: Output) -> Query:
        label = f"Standard deviation of {figure.label[:1].lower()}{figure.label[1:]}"
        measure = Output(label=label, expr=Aggregate(fn="stddev", of=figure.expr), unit=figure.unit)
        return self.things.query(measure, self.scene)


def _days(concept: Concept) -> Output:
    return Output(label=capital(plain_name(concept.column.name)), expr=concept.expression, unit=concept.column.unit)


def _is_in_order(days: Call, places: Mapping[str, int]) -> bool:
    """Whether the first of two dates stands before the other in its table."""
    first, last = (places.get(arg.column, -1) if isinstance(arg, ColumnRef) else -1 for arg in days.args)
    return 0 <= first < last
