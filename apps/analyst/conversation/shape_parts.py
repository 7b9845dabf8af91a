"""What a message says of groups, order, cut and listing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from apps.analyst.conversation import figures, rows, shape
from apps.analyst.conversation.ground import ENDS, Ground
from apps.analyst.conversation.piece import Piece
from apps.analyst.conversation.standing import divided
from apps.analyst.conversation.told_alone import told_alone
from apps.analyst.conversation.words import phrases
from apps.analyst.knowledge.folding import singular
from apps.analyst.plan import ColumnRef, Grain, Period, Query


class ShapeParts(Ground):
    """What is told apart, which end is shown, and whether the rows themselves are."""

    def _groups(self, query: Query) -> Query | None:
        grains = {p.value for p in self.said.of("grain")}
        refs: list[ColumnRef] = []
        anew = self.said.has("instead", "correct")
        if not self.said.has("who", "shift", "period", "both", "without", "all", "by"):
            grains |= {p.value for p in self.said.of("unit")}
        for piece in self.said.pieces:
            if piece.kind == "noun" and self._by_before(piece) and piece.value != query.source:
                name = self.scene.name_column(piece.value)
                if name is None:
                    return None
                refs.append(ColumnRef(table=piece.value, column=name))
            if piece.kind not in ("column", "unit") or piece in (divided(self.said, self.scene) or ()):
                continue
            if self._left_out(piece):
                anew = False
                gone = self._without_group(query, piece)
                if gone is None and not self._says_what_instead():
                    return None
                query = gone or query
            elif self._by_before(piece):
                if piece.kind == "unit":
                    grains.add(piece.value)
                elif self._is_key(query, piece):
                    continue
                elif not self.scene.is_figure(self._refs(piece)[0]) or not self._figure_said(query, piece):
                    refs.append(self._group_ref(piece, query))
        shown = {group.expr.grain for group in query.groups if isinstance(group.expr, Period)}
        if not refs and (not grains or (grains <= shown and self.said.has(*ENDS, "top"))):
            return self._asked_of(query)
        grain = cast("Grain", sorted(grains)[0]) if grains else None
        return shape.grouped_by(
            query, refs, grain, self.scene, anew=anew and not (grain and not refs and len(query.groups) > 1)
        )

    def _says_what_instead(self) -> bool:
        """True where beside what is not meant something is named that is: "in total, not by month"."""
        named = self.said.of("column") + self.said.of("unit")
        return self.said.has("function", "percent", "worth", "grain") or not all(map(self._left_out, named))

    def _without_group(self, query: Query, piece: Piece) -> Query | None:
        if piece.kind == "unit":
            return shape.ungrouped(query, None, cast("Grain", piece.value))
        return next(
            (made for ref in self._refs(piece) if (made := shape.ungrouped(query, ref, None)) is not None), None
        )

    def _is_key(self, query: Query, piece: Piece) -> bool:
        """True for what tells the rows themselves apart: a figure "per order" of orders has no group each."""
        return self.scene.is_key(self._refs(piece)[0], str(query.source)) and bool(query.measures)

    def _figure_said(self, query: Query, piece: Piece) -> bool:
        return self._is_figure(query, self._refs(piece)[0])

    def _asked_of(self, query: Query) -> Query | None:
        """ "Which city has the most?": the column that is asked for is the one to tell apart by."""
        if not self.said.has("who"):
            return query
        alone = self._asks_where() and bool(query.measures)
        if not (alone or self.said.has(*ENDS, "anaphor")):
            return query
        for piece in self.said.pieces:
            follows = self._kind_before(piece, ("who",))
            if piece.kind == "unit" and not self._is_told_by([g.label.casefold() == piece.value for g in query.groups]):
                return shape.grouped_by(query, [], cast("Grain", piece.value), self.scene, anew=True)
            if piece.kind == "column" and follows:
                ref = self._group_ref(piece, query)
                if self.scene.is_figure(ref) or self._is_told_by([g.expr == ref for g in query.groups]):
                    continue
                return shape.grouped_by(query, [ref], None, self.scene, anew=self.said.has(*ENDS))
        return query

    def _asks_where(self) -> bool:
        """True for "at which shop?", "which shop?" and nothing more."""
        plain = all(piece.kind in ("filler", "and", "who", "column") for piece in self.said.pieces)
        return plain and self.said.words("filler") <= phrases().leading and len(self.said.of("column")) == 1

    def _is_told_by(self, told: Sequence[bool]) -> bool:
        """True where the answer tells apart by what is asked for; where an end is asked for, by nothing besides.
        `told` says of each group whether it is asked for."""
        return any(told) and (all(told) or not self.said.has(*ENDS))

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
        before = self.subject.query
        if before is not None and before.limit is not None:
            return query  # what is told apart anew is not cut any more
        last = rows.last_choice(query, self.scene)
        return shape.every(query, last, self.scene) if last is not None else None

    def _end(self, query: Query) -> Query | None:
        """The first or last of an order, and the order itself."""
        for piece in self.said.of("ranked"):
            return shape.first_by(query, self._refs(piece)[0], cast("shape.End", piece.value), self.scene)
        for piece in self.said.of("order"):
            return self._ordered(query, piece.value)
        for piece in self.said.of("sort"):
            named = next((p for p in self.said.of("column") if p.start >= piece.end), None)
            kept = shape.shown_alone(query)
            if kept is None or named is None:
                return None
            return shape.ordered_by(kept, self._refs(named)[0], descending=False)
        count = next((int(p.number) for p in self.said.of("number") if not self._kind_before(p, ("bound",))), None)
        ends = [p for p in self.said.pieces if p.kind in (*ENDS, "top") and not self._asks_for_figure(query)]
        if ends:
            word = ends[0].value or ends[0].kind
            if count is None and not (query.limit is not None or self.said.has("who") or query.groups):
                return self._extreme_figure(query, word)
            if count is None and self._asks_for_several(ends[0]):
                return shape.ordered(query, shape.end_of(word, query))
            count = count or (query.limit if self._plural() and query.limit else 1)
            return shape.cut(query, shape.end_of(word, query), count)
        if count is not None and not self.said.has("bound"):
            return (
                query.model_copy(update={"limit": count, "offset": 0, "ties": False})
                if query.limit is not None
                else None
            )
        return query

    def _plural(self) -> bool:
        return "ones" in self.said.tokens or not self.said.has("who", "and")

    def _asks_for_several(self, end: Piece) -> bool:
        """True for "best rooms", not for "best room"."""
        behind = next((p for p in self.said.pieces if p.start >= end.end and p.kind != "filler"), None)
        last = self.said.tokens[behind.end - 1] if behind is not None and behind.kind in ("column", "noun") else ""
        return singular(last) != last and not self.said.has("who", "and", "only")

    def _asks_for_figure(self, query: Query) -> bool:
        """ "The best grade": the highest value, not the first of an order."""
        column = self._figure_column(query)
        return column is not None and not self.said.has("who", "number") and not self.said.has("top")

    def _extreme_figure(self, query: Query, word: str) -> Query | None:
        end = shape.end_of(word, query)
        return figures.another_figure(query, "max" if end == "most" else "min", None, self.scene)

    def _ordered(self, query: Query, way: str) -> Query | None:
        kept = shape.shown_alone(query)
        if kept is None or way == "name":
            return kept and shape.ordered_by_name(kept)
        if way in ("newest", "oldest"):
            return shape.ordered_in_time(kept, self.scene, newest=way == "newest")
        return shape.ordered(kept, "most" if way == "most" else "least")

    def _listing(self, query: Query) -> Query | None:
        shows = self.said.has("list") or (
            self.said.has("anaphor")
            and (self.said.has("noun") or self._names_rows(query))
            and not self.said.has("function", "value", "period", "by")
        )
        return shape.rows_behind(self._of_the_told(query), self.scene) if shows and not query.columns else query

    def _names_rows(self, query: Query) -> bool:
        """True for what the rows are called by the column that tells them apart: "deals" beside deal names."""
        table = str(query.source)
        named = [ref for piece in self.said.of("column") for ref in self._refs(piece)[:1]]
        rows_ = (ref.column == self.scene.name_column(table) or self.scene.is_key(ref, table) for ref in named)
        return bool(named) and all(rows_)

    def _of_the_told(self, query: Query) -> Query:
        """The query for who was told alone, where the message points at them: "behind it"."""
        points = self.said.has("anaphor") or bool(self.said.words("list") & phrases().pointing)
        named = told_alone(self.subject, self.scene) if points and query.limit == 1 else []
        made = rows.kept_to(query, named, self.scene, also=False, out=False) if named else None
        return made or query
