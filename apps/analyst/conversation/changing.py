"""A short message as a change of the plan before it: its pieces are put into the plan one by one.

The order is that of a plan: first the figure, then the rows, then the groups, then what is shown of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from apps.analyst.compile.walk import references, within
from apps.analyst.conversation import figures, rows, shape
from apps.analyst.conversation.pieces import GENERAL, Message, Named, Piece, message
from apps.analyst.conversation.predicates import column_of, span_of, values_of
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.subject import Subject, subject_of
from apps.analyst.editing_times import conjuncts, recurring, together
from apps.analyst.explaining_plans import explaining_plan
from apps.analyst.language.reading import ChartWish, Reading
from apps.analyst.plan import Clarify, ColumnRef, Compare, Comparison, Constant, Grain, Period, Plan, Query
from apps.analyst.ports import Catalog
from apps.analyst.reading.periods import Range
from apps.analyst.types import ChartType, Question
from apps.analyst.validate import holds

SURE = 0.95
LONGEST = 14
"""Words of a message that may be a change; longer ones stand on their own."""
_ENDS = ("most", "least", "best", "worst", "fast", "slow")
_OPERATORS = ("only", "without", "also", "instead", "correct", "by", "who")
_LEADS = (
    "and",
    "also",
    "only",
    "without",
    "instead",
    "correct",
    "lead",
    "anaphor",
    "both",
    "all",
    "shift",
    "back",
    "worth",
)


def changed(question: Question, catalog: Catalog) -> Reading | None:
    """The reading of a message that changes the answer before it; None where it is no such change."""
    subject = subject_of(question.turns)
    if subject is None or subject.query is None or len(question.text.split()) > LONGEST:
        return None
    said = message(question, catalog, subject.query)
    if all(piece.kind in GENERAL for piece in said.pieces) or _stands_alone(said, subject.query):
        return None
    if said.unread or all(piece.kind in (*GENERAL, *_OPERATORS) for piece in said.pieces):
        return None
    change = _Change(question, said, subject, Scene(catalog))
    plan = change.made()
    if plan is None or not (isinstance(plan, Clarify) or holds(plan, catalog)):
        return None
    return change.reading(plan)


def _stands_alone(said: Message, query: Query) -> bool:
    """True for a question that says all of what it asks: what is counted or computed, and of what."""
    if said.has(*_LEADS) or (said.has("percent") and said.tokens[0] in ("as", "in")):
        return False
    counts = any(piece.value == "count" for piece in said.of("function"))
    subject = said.has("noun") or (counts and said.has("column", "value", "period"))
    figure = said.has("function", "percent") or any(p.start == 0 for p in said.of("column"))
    whole = figure and said.has("by", "value", "period") and said.has("column", "noun")
    return subject or whole


def not_found(question: Question, catalog: Catalog, first: Sequence[str] = ()) -> str:
    """The words of a message that name something the data do not hold; "" where more is said than a name."""
    subject = subject_of(question.turns)
    if subject is None or subject.query is None:
        return ""
    said = message(question, catalog, subject.query)
    bare = all(p.kind in ("and", "only", "without", "lead", "filler", "also", "column", "correct") for p in said.pieces)
    named = len(said.unread) <= 3 and len(said.of("column")) <= 1
    begins = said.pieces[0].kind if said.pieces else ""
    leads = begins in first if first else said.has("and", "only", "without", "also", "lead")
    return " ".join(said.unread) if bare and named and leads else ""


@dataclass
class _Change:
    question: Question
    said: Message
    subject: Subject
    scene: Scene
    chart: ChartWish | None = None
    told: list[str] = field(default_factory=list)
    comparison: Comparison | None = None

    def reading(self, plan: Plan) -> Reading:
        before = self.subject.turn.question
        return Reading(
            plan=plan,
            score=SURE,
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
            named = rows.chosen_of(piece, query, self.scene)
            if not named.said and not named.partial:
                said = " ".join(self.said.tokens[piece.start : piece.end])
                made.append(f"“{said}” was taken as {self.scene.said(rows.ref_of(named))} {named.value}")
        return made

    def made(self) -> Plan | None:
        """The plan with all that was said put in; None where a part has no place in it."""
        query = self.subject.query
        assert query is not None
        if self.said.has("happened"):
            return self._happened(query)
        if any(self._is_loose(bound) for bound in self.said.of("bound")):
            return None  # "more than that"
        if any(not self._takes(piece) for piece in self.said.of("without")):
            return None  # "the biggest drop"
        if isinstance(self.subject.plan, Comparison):
            if self.said.has("period", "shift", "percent", "list", *_ENDS):
                query = self._current(self.subject.plan)
            else:
                self.comparison = self.subject.plan
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
        changed = query
        for step in steps:
            found = step(changed)
            if found is None:
                return None
            changed = found
        if not all(self._found_its_place(piece, changed) for piece in self.said.pieces):
            return None
        if changed == query and self.said.has("who", "worth", "anaphor", "by"):
            return None  # something was asked that is no change
        asks = self.said.has("who") and not self.said.has(*_ENDS, "ranked", "top", "list")
        if asks and changed.groups == query.groups:
            return None  # nor is who did something
        self._chart()
        changed = changed.model_copy(update={"noun": "", "scope": ""})
        if self.comparison is None:
            return changed
        return recurring(self.comparison.model_copy(update={"query": changed}))

    def _takes(self, piece: Piece) -> bool:
        """True where something follows that is to be left out."""
        behind = [p.kind for p in self.said.pieces if p.start >= piece.end and p.kind not in GENERAL]
        return bool(behind) and behind[0] in ("value", "column", "unit", "period", "noun")

    def _is_loose(self, bound: Piece) -> bool:
        numbered = any(p.start >= bound.end for p in self.said.of("number"))
        return not numbered and bound.may_be("filler") is None and bound.may_be("open") is None

    def _found_its_place(self, piece: Piece, query: Query) -> bool:
        """True where the plan has a use for what was said; nothing is passed over."""
        used = set(references(query))
        used |= {ref for test in figures.conditions_within(query) for ref in references(test)}
        match piece.kind:
            case "column":
                dropped = self._kind_before(piece, ("without",))
                return dropped or any(ref in used for ref in self._refs(piece))
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

    @staticmethod
    def _current(plan: Comparison) -> Query:
        """The later side of a comparison as a query of its own."""
        return plan.query.model_copy(update={"where": together((*conjuncts(plan.query.where), plan.current))})

    # ------------------------------------------------------------ the figure
    def _figure(self, query: Query) -> Query | None:
        function = next((p.value for p in self.said.of("function")), None)
        column = self._figure_column(query)
        if self.said.has("worth") and column is None:
            figure = figures.figure_of(query)
            column = self.scene.main_figure(str(query.source)) if figure is None or figure.of is None else None
            function = "sum" if column is not None else None
        if self.said.has("percent") and function in ("count", "sum"):
            function = None
        if column is not None and self.said.has("best", "worst", "most", "least") and not self.said.has("who"):
            figure = figures.figure_of(query)
            if figure is not None and figure.of == column and not self.said.has("function"):
                function = "max" if self.said.has("best", "most") else "min"
        if function == "count" and column is None:
            counted = self._counted_column(query)
            if counted is not None:
                return figures.counted_once(query, counted, self.scene)
        if function is None and (column is None or self._is_figure(query, column)):
            return query
        return figures.another_figure(query, function, column, self.scene)

    def _counted_column(self, query: Query) -> ColumnRef | None:
        """ "How many customers": the column of which each value counts once."""
        function = next(p for p in self.said.of("function") if p.value == "count")
        piece = next((p for p in self.said.of("column") if self._before(p)[:1] == [function]), None)
        ref = self._refs(piece)[0] if piece is not None else None
        return ref if ref is not None and not self.scene.dated(ref) else None

    @staticmethod
    def _is_figure(query: Query, column: ColumnRef) -> bool:
        figure = figures.figure_of(query)
        return figure is not None and figure.of == column

    def _figure_column(self, query: Query) -> ColumnRef | None:
        """The column of the figure that is asked for: one to compute with, whose name was said."""
        ranked = query.limit is not None or bool(query.order) or not query.groups
        for piece in self.said.of("column"):
            if self._by_before(piece) and not (ranked and self._adds_up(piece)):
                continue
            if self._kind_before(piece, ("sort", "bound", "without")):
                continue
            refs = [ref for ref in self._refs(piece) if self.scene.is_figure(ref) or self._is_figure(query, ref)]
            if refs and (refs[0] == self._refs(piece)[0] or self.said.has("function")):
                return refs[0]
        return None

    def _adds_up(self, piece: Piece) -> bool:
        """True for a figure that nobody would tell rows apart by: amounts, not ages."""
        ref = self._refs(piece)[0]
        meaning = self.scene.meaning(ref)
        return self.scene.is_figure(ref) and (meaning is None or meaning.adds == "sum")

    # ------------------------------------------------------------ rows
    def _rows(self, query: Query) -> Query | None:
        made: Query | None = query
        if self.said.has("both"):
            return self._both(query)
        for column, named, out in self._choices(query):
            if made is None:
                return None
            also = self.said.has("also", "back") and not out
            made = rows.kept_to(made, named, self.scene, also=also, out=out)
            self.told.append(f"{'without' if out else 'only'} {column.column}")
        for bound in self.said.of("bound"):
            number = next((p for p in self.said.of("number") if p.start >= bound.end), None)
            if number is None:
                continue
            refs = [r for p in self.said.of("column") for r in self._refs(p)[:1] if self.scene.is_figure(r)]
            grouped = {group.expr for group in query.groups}
            others = [p for p in self.said.of("column") if not grouped & set(self._refs(p))]
            if not refs and (others or self.said.has("noun")):
                return None  # "members over 50": what is over 50 was not said
            if not refs and not query.groups and not any(isinstance(t, Compare) for t in conjuncts(query.where)):
                refs = [ref for ref in (self.scene.main_figure(str(query.source)),) if ref is not None]
            op = cast("rows.Bound", bound.value)
            made = made and rows.bounded(made, op, number.number, refs[0] if refs else None)
        return made

    def _choices(self, query: Query) -> list[tuple[ColumnRef, list[Named], bool]]:
        """The values that are named, by their columns, and whether they are to be left out."""
        made: list[tuple[ColumnRef, list[Named], bool]] = []
        out = False
        pieces = [p for p in self.said.pieces if p.kind in ("without", "only", "also", "instead", "value", "correct")]
        for piece in pieces:
            if piece.kind != "value":
                out = piece.kind == "without"
                continue
            named = rows.chosen_of(piece, query, self.scene)
            ref = rows.ref_of(named)
            same = next((listed for column, listed, left in made if column == ref and left == out), None)
            if same is not None:
                same.append(named)
            else:
                made.append((ref, [named], out))
        # "not the West, the East" leaves one out only to say which is meant instead.
        meant = {column for column, _, left in made if not left}
        return [choice for choice in made if not (choice[2] and choice[0] in meant)]

    def _both(self, query: Query) -> Query | None:
        """What the last answers chose one by one, together."""
        here = dict(self._chosen_values(query))
        for turn in reversed(self.question.turns):
            other = subject_of((turn,))
            if other is None or other.query is None:
                continue
            for ref, values in self._chosen_values(other.query):
                if ref in here and not set(values) <= set(here[ref]):
                    both = [Named(ref.table, ref.column, value) for value in (*values, *here[ref])]
                    made = rows.kept_to(query, both, self.scene, also=False, out=False)
                    return rows.grouped_too(made, ref) if made is not None and not query.groups else made
            spans = [span_of(q, self.scene.dated) for q in (other.query, query)]
            if spans[0] is not None and spans[1] is not None and spans[0] != spans[1]:
                return self._both_periods(query, [spans[0], spans[1]])
        return None

    @staticmethod
    def _chosen_values(query: Query) -> list[tuple[ColumnRef, tuple[str, ...]]]:
        found = []
        for test in conjuncts(query.where):
            ref = column_of(test)
            if ref is not None and values_of(test):
                found.append((ref, values_of(test)))
        return found

    def _both_periods(self, query: Query, spans: Sequence[Range]) -> Query | None:
        days = max((high - low).days for low, high in spans)
        grain: Grain = "year" if days > 92 else "quarter" if days > 31 else "month"
        made = rows.in_period(query, spans, self.scene)
        return made and shape.grouped_by(made, [], grain, self.scene, anew=False)

    # ------------------------------------------------------------ periods
    def _periods(self, query: Query) -> Query | None:
        shift = next(iter(self.said.of("shift")), None)
        if shift is not None:
            return rows.shifted_back(query, shift.value, self.scene)
        pieces = list(self.said.of("period"))
        if not pieces:
            return query
        last = pieces[-1]
        if self.said.has("correct") or any(self._kind_before(p, ("without",)) for p in pieces):
            if len(pieces) == 1 and not self.said.has("correct"):
                return None  # all but one period
            pieces = [last]
        way = next(
            (p.may_be("open") or "" for p in self.said.pieces if p.end == pieces[0].start and p.may_be("open")), ""
        )
        ranges = [rows.meant_range(piece.ranges, query, self.scene) for piece in pieces]
        if len(ranges) == 2 and way == "since" and not self.said.has("and"):
            ranges, way = [(min(ranges)[0], max(ranges)[1])], ""
        named = (ref for p in self.said.of("column") for ref in self._refs(p)[:1] if self.scene.dated(ref))
        return rows.in_period(query, ranges, self.scene, way=way, by=next(named, None))

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

    # ------------------------------------------------------------ groups
    def _groups(self, query: Query) -> Query | None:
        grains = {p.value for p in self.said.of("grain")}
        refs: list[ColumnRef] = []
        if not self.said.has("who", "shift", "period", "both", "without", "all", "by"):
            grains |= {p.value for p in self.said.of("unit")}
        for piece in self.said.pieces:
            if piece.kind not in ("column", "unit"):
                continue
            if self._kind_before(piece, ("without",)):
                gone = self._without_group(query, piece)
                if gone is None:
                    return None
                query = gone
            elif self._by_before(piece):
                if piece.kind == "unit":
                    grains.add(piece.value)
                elif not self.scene.is_figure(self._refs(piece)[0]) or not self._figure_said(query, piece):
                    refs.append(self._group_ref(piece, query))
        if not refs and not grains:
            return self._asked_of(query)
        anew = self.said.has("instead", "correct")
        grain = cast("Grain", sorted(grains)[0]) if grains else None
        return shape.grouped_by(
            query, refs, grain, self.scene, anew=anew and not (grain and not refs and len(query.groups) > 1)
        )

    def _without_group(self, query: Query, piece: Piece) -> Query | None:
        if piece.kind == "unit":
            return shape.ungrouped(query, None, cast("Grain", piece.value))
        return next(
            (made for ref in self._refs(piece) if (made := shape.ungrouped(query, ref, None)) is not None), None
        )

    def _figure_said(self, query: Query, piece: Piece) -> bool:
        return self._is_figure(query, self._refs(piece)[0])

    def _asked_of(self, query: Query) -> Query | None:
        """ "Which city has the most?": the column that is asked for is the one to tell apart by."""
        if not (self.said.has("who") and self.said.has(*_ENDS, "anaphor")):
            return query
        for piece in self.said.pieces:
            follows = self._kind_before(piece, ("who",))
            if piece.kind == "unit" and not any(g.label.casefold() == piece.value for g in query.groups):
                return shape.grouped_by(query, [], cast("Grain", piece.value), self.scene, anew=True)
            if piece.kind == "column" and follows:
                ref = self._group_ref(piece, query)
                if self.scene.is_figure(ref) or any(group.expr == ref for group in query.groups):
                    continue
                return shape.grouped_by(query, [ref], None, self.scene, anew=self.said.has(*_ENDS))
        return query

    def _group_ref(self, piece: Piece, query: Query) -> ColumnRef:
        """The column to tell apart by; of a joined table's key the name of what it stands for."""
        refs = self._refs(piece)
        plain = [ref for ref in refs if not self.scene.is_figure(ref) and not self.scene.dated(ref)]
        return (plain or refs)[0]

    def _everything(self, query: Query) -> Query | None:
        """All values of what the rows were chosen by, or of the column that is named."""
        alls = self.said.of("all")
        if not alls or self.said.has("percent"):
            return query
        piece = next((p for p in self.said.pieces if p.kind in ("column", "noun") and p.start == alls[-1].end), None)
        if piece is not None and piece.kind == "column":
            return shape.every(query, self._group_ref(piece, query), self.scene)
        if piece is not None and piece.value != query.source:
            name = self.scene.name_column(piece.value)
            return shape.every(query, ColumnRef(table=piece.value, column=name), self.scene) if name else None
        if query.limit is not None:
            return shape.uncut(query).model_copy(update={"order": query.order})
        last = rows.last_choice(query, self.scene)
        return shape.every(query, last, self.scene) if last is not None else None

    # ------------------------------------------------------------ what is shown
    def _percent(self, query: Query) -> Query | None:
        return figures.in_percent(query, self.scene) if self.said.has("percent") else query

    def _end(self, query: Query) -> Query | None:
        """The first or last of an order, and the order itself."""
        for piece in self.said.of("ranked"):
            return shape.first_by(query, self._refs(piece)[0], cast("shape.End", piece.value), self.scene)
        for piece in self.said.of("order"):
            return self._ordered(query, piece.value)
        for piece in self.said.of("sort"):
            named = next((p for p in self.said.of("column") if p.start >= piece.end), None)
            return shape.ordered_by(query, self._refs(named)[0], descending=False) if named is not None else None
        count = next((int(p.number) for p in self.said.of("number") if not self._kind_before(p, ("bound",))), None)
        ends = [p for p in self.said.pieces if p.kind in (*_ENDS, "top") and not self._asks_for_figure(query)]
        if ends:
            word = ends[0].value or ends[0].kind
            if count is None and not (query.limit is not None or self.said.has("who") or query.groups):
                return self._extreme_figure(query, word)
            count = count or (query.limit if self._plural() and query.limit else 1)
            return shape.cut(query, shape.end_of(word, query), count)
        if count is not None and not self.said.has("bound"):
            return query.model_copy(update={"limit": count, "ties": False}) if query.limit is not None else None
        return query

    def _plural(self) -> bool:
        return "ones" in self.said.tokens or not self.said.has("who", "and")

    def _asks_for_figure(self, query: Query) -> bool:
        """ "The best grade": the highest value, not the first of an order."""
        column = self._figure_column(query)
        return column is not None and not self.said.has("who", "number") and not self.said.has("top")

    def _extreme_figure(self, query: Query, word: str) -> Query | None:
        end = shape.end_of(word, query)
        return figures.another_figure(query, "max" if end == "most" else "min", None, self.scene)

    def _ordered(self, query: Query, way: str) -> Query | None:
        if way == "name":
            return shape.ordered_by_name(query)
        if way in ("newest", "oldest"):
            return shape.ordered_in_time(query, newest=way == "newest")
        return shape.ordered(query, "most" if way == "most" else "least")

    def _listing(self, query: Query) -> Query | None:
        shows = self.said.has("list") or (
            self.said.has("anaphor")
            and self.said.has("noun")
            and not self.said.has("function", "value", "period", "by")
        )
        return shape.rows_behind(query, self.scene) if shows and not query.columns else query

    def _chart(self) -> None:
        mark = next((p.value for p in self.said.of("mark")), None)
        if mark is not None:
            self.chart = ChartWish(mark=cast("ChartType", mark), explicit=True)

    # ------------------------------------------------------------ pieces
    @staticmethod
    def _refs(piece: Piece) -> list[ColumnRef]:
        return [ColumnRef(table=table, column=column) for table, column in piece.columns]

    def _before(self, piece: Piece) -> list[Piece]:
        """The pieces before one, the nearest first, without those that only fill."""
        return [p for p in reversed(self.said.pieces) if p.end <= piece.start and p.kind not in ("filler", "lead")]

    def _kind_before(self, piece: Piece, kinds: Sequence[str]) -> bool:
        return any(p.kind in kinds for p in self._before(piece)[:1])

    def _by_before(self, piece: Piece) -> bool:
        """True after "by", also for the second of "by region and product"."""
        for other in self._before(piece):
            if other.kind not in ("and", "column", "unit"):
                return other.kind == "by"
        return False
