"""A short message as a change of the plan before it: its pieces are put into the plan one by one.

The order is that of a plan: first the figure, then the rows, then the groups, then what is shown of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from apps.analyst.computing.compile.walk import references, within
from apps.analyst.conversation import figures, rows
from apps.analyst.conversation.editing_times import recurring
from apps.analyst.conversation.explaining_plans import explaining_plan
from apps.analyst.conversation.figure_parts import FigureParts
from apps.analyst.conversation.ground import ENDS
from apps.analyst.conversation.piece import Piece
from apps.analyst.conversation.pieces import GENERAL, message
from apps.analyst.conversation.predicates import column_of, is_time, span_of
from apps.analyst.conversation.row_parts import RowParts
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.shape_parts import ShapeParts
from apps.analyst.conversation.standing import stands_alone
from apps.analyst.conversation.subject import UNTOLD, Subject, open_offers, subject_of, told_last
from apps.analyst.conversation.told_alone import held_to, points_at_one, told_alone
from apps.analyst.conversation.words import phrases
from apps.analyst.language.followups import is_elliptical
from apps.analyst.language.reading import ChartWish, Reading
from apps.analyst.plan import Between, Clarify, ColumnRef, Comparison, Constant, Period, Plan, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.spans import date_range
from apps.analyst.plan.validate import holds
from apps.analyst.ports import Catalog
from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.wholes import of_lines
from apps.analyst.telling.formats import listed
from apps.analyst.types import ChartType, Question, Turn

SURE = 0.95
LONGEST = 14
"""Words of a message that may be a change; longer ones stand on their own."""
_DAYS = {"month": 31, "quarter": 92, "year": 366}
_OPERATORS = ("only", "without", "also", "instead", "correct", "by", "who")


def changed(question: Question, catalog: Catalog) -> Reading | None:
    """The reading of a message that changes the answer before it; None where it is no such change."""
    subject = meant(question, catalog)
    if subject is None or subject.query is None or len(question.text.split()) > LONGEST:
        return None
    said = message(question, catalog, subject.query)
    if all(piece.kind in GENERAL for piece in said.pieces) or stands_alone(said, subject, Scene(catalog)):
        return None
    if not {*said.unread} <= phrases().generic or all(piece.kind in (*GENERAL, *_OPERATORS) for piece in said.pieces):
        return None
    change = _Change(question, said, subject, Scene(catalog))
    made = change.made()
    plan = of_lines(made, catalog) if made is not None else None
    if plan is None or not (isinstance(plan, Clarify) or holds(plan, catalog)):
        return None
    return change.reading(plan)


def meant(question: Question, catalog: Catalog) -> Subject | None:
    """What a message goes on from: the reading that was offered last, but the answer before it where that alone holds a
    value, period or end that the message would change; else the last answer."""
    offers = open_offers(question.turns)
    told = told_last(question.turns) if offers else None
    if told is None or any(_replaces(question, one, catalog) for one in offers):
        return subject_of(question.turns)
    return told if _replaces(question, told, catalog) else subject_of(question.turns)


def _replaces(question: Question, subject: Subject, catalog: Catalog) -> bool:
    """True where the plan chooses or tells apart by what the message names: values of a column, a period, an end."""
    query, scene = subject.query, Scene(catalog)
    if query is None:
        return False
    said = message(question, catalog, query)
    tested = {column_of(test) for test in conjuncts(query.where) if not is_time(test, scene.dated)}
    tested |= {group.expr for group in query.groups if isinstance(group.expr, ColumnRef)}
    named = {ColumnRef(table=one.table, column=one.column) for piece in said.of("value") for one in piece.values}
    dated = said.has("period") and span_of(query, scene.dated) is not None
    ranked = said.has(*ENDS, "top") and (query.limit is not None or bool(query.groups))
    return bool(tested & named) or dated or ranked


def not_found(question: Question, catalog: Catalog, first: Sequence[str] = ()) -> str:
    """The words of a message that name something the data do not hold; "" where more is said than a name."""
    subject = subject_of(question.turns)
    if subject is None or subject.query is None:
        return ""
    said = message(question, catalog, subject.query)
    bare = all(p.kind in ("and", "only", "without", "lead", "filler", "also", "column", "correct") for p in said.pieces)
    named = len(said.unread) <= 3 and len(said.of("column")) <= 1
    begins = said.pieces[:1]
    ways = first or ("and", "only", "without", "also", "lead")
    leads = any(piece.may_be(way) is not None for piece in (begins if first else said.pieces) for way in ways)
    return " ".join(said.unread) if bare and named and leads else ""


@dataclass
class _Change(FigureParts, RowParts, ShapeParts):
    chart: ChartWish | None = None
    comparison: Comparison | None = None

    def reading(self, plan: Plan) -> Reading:
        before = self.subject.turn.question
        return Reading(
            plan=plan,
            score=SURE if self.subject.is_told else UNTOLD,
            understood=(f"going on from “{before}”", self.question.text.strip()),
            assumptions=tuple(said for said in (self.subject.assumed, *self._taken()) if said),
            chart=self.chart,
            reader="editing",
            wording=f"{before.rstrip(' ?.')}, {self.question.text.strip()}",
        )

    def _taken(self) -> list[str]:
        """Values that were said by another word than the data have for them."""
        query = self.subject.query
        assert query is not None
        made = []
        for piece in self.said.of("value"):
            first, *others = self._named(piece, query)
            if not first.said and not first.partial:
                said = " ".join(self.said.tokens[piece.start : piece.end])
                values = listed([one.value for one in (first, *others)], "or")
                made.append(f"“{said}” was taken as {self.scene.said(rows.ref_of(first))} {values}")
        return made

    def made(self) -> Plan | None:
        """The plan with all that was said put in; None where a part has no place in it."""
        query = self.subject.query
        assert query is not None
        if self.said.has("happened"):
            return self._happened(query)
        base = self._base(query)
        if base is None:
            return None
        steps: tuple[Callable[[Query], Query | None], ...] = (
            self._figure,
            self._rows,
            self._periods,
            self._groups,
            self._everything,
            self._percent,
            self._end,
            self._listing,
        )
        changed = base
        for step in steps:
            found = step(changed)
            if found is None:
                return None
            changed = found
        if not all(self._found_its_place(piece, changed) for piece in self.said.pieces):
            return None
        if changed == base and self._asks_for_change():
            return None  # something was asked that is no change
        asks = self.said.has("who") and not self.said.has(*ENDS, "ranked", "top", "list")
        if asks and changed.groups == base.groups:
            return None  # nor is who did something
        self._chart(kept=changed != base and changed.groups == query.groups and self.comparison is None)
        changed = changed.model_copy(update={"noun": "", "scope": ""})
        if self.comparison is None:
            return changed
        return recurring(self.comparison.model_copy(update={"query": changed}))

    def _base(self, query: Query) -> Query | None:
        """The query that is changed, where an answer is more than a query or another figure is told; None where a word
        says by itself that nothing is to be changed."""
        if any(self._is_loose(bound) for bound in self.said.of("bound")):
            return None  # "more than that"
        named = told_alone(self.subject, self.scene) if points_at_one(self.question.text) else []
        if named:
            query = held_to(query, named, self.scene) or query  # "his average discount"
        if any(self._is_of_another(piece, query) for piece in self.said.pieces):
            paced = self._paced(query)
            if paced is None:
                return None  # "what is the cheapest?" after distances
            query = paced
        if any(not self._takes(piece) for piece in self.said.of("without")):
            return None  # "the biggest drop"
        if isinstance(self.subject.plan, Comparison):
            if self.said.has("period", "shift", "percent", "list", *ENDS):
                query = self._current(self.subject.plan)
            elif self._is_as_long(self.subject.plan):
                query = self.subject.plan.query
            else:
                self.comparison = self.subject.plan
        return query

    def _asks_for_change(self) -> bool:
        """True for what says nothing where the answer stays as it is: a question, a figure by name ("and spend")."""
        if self.said.has("mark"):
            return False
        figure = any(self.scene.is_figure(self._refs(piece)[0]) for piece in self.said.of("column"))
        shown = self.said.has(*ENDS, "top", "order", "sort", "all", "list")
        return self.said.has("who", "worth", "anaphor", "by") or (figure and not shown)

    def _found_its_place(self, piece: Piece, query: Query) -> bool:
        """True where the plan has a use for what was said; nothing is passed over."""
        used = set(references(query))
        used |= {ref for test in figures.conditions_within(query) for ref in references(test)}
        match piece.kind:
            case "column":
                held = self._left_out(piece) or self._counts_rows(piece, query)
                return held or any(ref in used for ref in self._refs(piece))
            case "value":
                return any(rows.ref_of(named) in used for named in piece.values) or self.said.has("also", "back")
            case "noun":
                return piece.value == query.source or any(join.table == piece.value for join in query.joins)
            case "number":
                return self._counts(piece.number, query)
            case "unit" | "grain":
                shown = {g.expr.grain for g in query.groups if isinstance(g.expr, Period)}
                return piece.value in shown or self.said.has("without", "both", "period", "who", "shift")
        return True

    @staticmethod
    def _counts(number: float, query: Query) -> bool:
        constants = {
            node.value for test in conjuncts(query.where) for node in within(test) if isinstance(node, Constant)
        }
        if query.having is not None:
            constants |= {node.value for node in within(query.having) if isinstance(node, Constant)}
        return number in (query.limit, query.offset + 1) or number in constants

    def _is_of_another(self, piece: Piece, query: Query) -> bool:
        """True for an end that says of what, where another figure is told."""
        figure = figures.figure_of(query)
        if piece.kind not in ENDS or figure is None or self._figure_column(query) is not None:
            return False
        if piece.kind in ("fast", "slow") and isinstance(figure.of, ColumnRef) and self.scene.takes_time(figure.of):
            return False
        named = bool(piece.columns) or piece.kind in ("fast", "slow")
        return named and figure.of not in self._refs(piece)

    def _paced(self, query: Query) -> Query | None:
        """The query told by how long things take, where "the fastest" names one column of its rows for that."""
        refs = [ref for ref in self.scene.columns(str(query.source)) if self.scene.takes_time(ref)]
        if len(refs) != 1 or not self.said.has("fast", "slow") or not query.groups:
            return None
        return figures.another_figure(query, "avg", refs[0], self.scene)

    def _is_as_long(self, plan: Comparison) -> bool:
        """True for "per year" after two months were compared: all years are meant."""
        span = date_range(plan.current) if isinstance(plan.current, Between) else None
        grains = [p.value for p in (*self.said.of("grain"), *self.said.of("unit"))]
        return span is not None and any((span[1] - span[0]).days < _DAYS.get(grain, 0) for grain in grains)

    @staticmethod
    def _current(plan: Comparison) -> Query:
        """The later side of a comparison as a query of its own."""
        return plan.query.model_copy(update={"where": together((*conjuncts(plan.query.where), plan.current))})

    def _happened(self, query: Query) -> Plan | None:
        """The figure of the period that is named beside the one before it, and what made the difference."""
        if isinstance(self.subject.plan, Comparison):
            query = self._current(self.subject.plan)
        pieces = self.said.of("period")
        if pieces:
            found = rows.in_period(query, [rows.meant_range(pieces[-1].ranges, query, self.scene)], self.scene)
        else:
            found = query
        values = self._choices(query)
        for _, named, out in values:
            found = found and rows.kept_to(found, named, self.scene, also=False, out=out)
        if found is None:
            return None
        blank = Reading(plan=found, score=SURE, reader="editing")
        explained = explaining_plan(found, blank, replace(self.question, turns=()), self.scene.catalog)
        return explained.plan if explained is not None else None

    def _chart(self, *, kept: bool) -> None:
        """The chart that is asked for; with `kept` else the one that was asked for on the way here."""
        mark = next((cast("ChartType", p.value) for p in self.said.of("mark")), None)
        mark = mark or (_asked_before(self.question.turns) if kept else None)
        if mark is not None:
            self.chart = ChartWish(mark=mark, explicit=True)


def _asked_before(turns: Sequence[Turn]) -> ChartType | None:
    """The kind of chart that the last messages asked for, back to the one that says all of its question. There a word
    alone may be a thing of the data ("sales by bar"): a chart is asked for as one ("bar chart")."""
    for turn in reversed(turns):
        said, whole = tokens_of(turn.question), not is_elliptical(turn.question)
        places = range(len(said))
        marks = ((words, mark) for words, mark in phrases().marks.items() if len(words) > whole)
        found = next((mark for words, mark in marks if any(said[n : n + len(words)] == [*words] for n in places)), None)
        if found is not None or whole:
            return found
    return None
