"""What a message says of the rows: values, bounds and periods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from apps.analyst.conversation import rows, shape
from apps.analyst.conversation.ground import Ground
from apps.analyst.conversation.piece import Named, Piece
from apps.analyst.conversation.pieces import GENERAL
from apps.analyst.conversation.predicates import column_of, span_of, values_of
from apps.analyst.conversation.subject import subject_of
from apps.analyst.plan import ColumnRef, Grain, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.reading.calendars import Range


class RowParts(Ground):
    """The values, bounds and periods that rows are chosen by."""

    def _rows(self, query: Query) -> Query | None:
        made: Query | None = query
        if self.said.has("both") and not self.said.has("worth"):
            return self._both(query)
        for _, named, out in self._choices(query):
            if made is None:
                return None
            also = self.said.has("also", "back") and not out
            made = rows.kept_to(made, named, self.scene, also=also, out=out)
        for piece in self.said.of("column"):
            if self._kind_before(piece, ("lacking",)):
                made = made and rows.none_of(made, self._refs(piece)[0], self.scene)
        for bound in self.said.of("bound"):
            number = next((p for p in self.said.of("number") if p.start >= bound.end), None)
            if number is None:
                continue
            refs = [r for p in self.said.of("column") for r in self._refs(p)[:1] if self.scene.is_figure(r)]
            grouped = {group.expr for group in query.groups}
            others = [p for p in self.said.of("column") if self._refs(p)[0] not in grouped]
            if not refs and (others or self.said.has("noun")):
                return None  # "members over 50": what is over 50 was not said
            if not refs and not query.groups and not rows.bounds_of(query):
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
            named = self._named(piece, query)
            ref = rows.ref_of(named[0])
            if out and made and made[-1][2] and self._is_instead(query, made[-1], ref, piece):
                out = False
            same = next((listed for column, listed, left in made if column == ref and left == out), None)
            if same is not None:
                same.extend(named)
            else:
                made.append((ref, named, out))
        # "not the West, the East" leaves one out only to say which is meant instead.
        meant = {column for column, _, left in made if not left}
        return [choice for choice in made if not (choice[2] and choice[0] in meant)]

    def _named(self, piece: Piece, query: Query) -> list[Named]:
        """The stored values that a piece means."""
        return rows.all_of(piece, " ".join(self.said.tokens[piece.start : piece.end]), query, self.scene)

    def _is_instead(
        self, query: Query, before: tuple[ColumnRef, list[Named], bool], ref: ColumnRef, piece: Piece
    ) -> bool:
        """ "Not linden, acacia" after linden: the second is meant instead of what was chosen."""
        follows = any(p.kind == "value" and p.end == piece.start for p in self.said.pieces)
        chosen = dict(self._chosen_values(query)).get(ref, ())
        return follows and before[0] == ref and [one.value for one in before[1]] == list(chosen)

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
                    apart = not query.groups and not any(p.value == "sum" for p in self.said.of("function"))
                    return rows.grouped_too(made, ref) if made is not None and apart else made
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

    def _is_loose(self, bound: Piece) -> bool:
        numbered = any(p.start >= bound.end for p in self.said.of("number"))
        return not numbered and bound.may_be("filler") is None and bound.may_be("open") is None

    def _takes(self, piece: Piece) -> bool:
        """True where something follows that is to be left out."""
        behind = [p.kind for p in self.said.pieces if p.start >= piece.end and p.kind not in GENERAL]
        behind = behind[1:] if behind[:1] == ["by"] else behind
        return bool(behind) and behind[0] in ("value", "column", "unit", "period", "noun")
