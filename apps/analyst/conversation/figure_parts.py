"""What a message says of the figure."""

from __future__ import annotations

from apps.analyst.conversation import figures
from apps.analyst.conversation.ground import Ground
from apps.analyst.conversation.piece import Piece
from apps.analyst.conversation.standing import divided
from apps.analyst.conversation.words import phrases
from apps.analyst.plan import Aggregate, ColumnRef, Query


class FigureParts(Ground):
    """The figure, its column and whether it is a share."""

    def _figure(self, query: Query) -> Query | None:
        whole = self._whole_of_share()
        if whole is not None:
            return figures.in_percent_of(query, whole, self.scene)
        parts = divided(self.said, self.scene)
        if parts is not None:
            part, other = (self._refs(piece)[0] for piece in parts)
            return figures.divided_by(query, part, other, self.scene)
        function, column = next((p.value for p in self.said.of("function")), None), self._figure_column(query)
        if self._is_per_row(query):
            return figures.for_each_row(query)
        if self._counts_values(query, column):
            return figures.counted(query.model_copy(update={"limit": None, "offset": 0, "ties": False}))
        if self.said.has("worth") and column is None:
            figure = figures.figure_of(query)
            if figure is None or not self.scene.is_money(figure):
                column = self._worth(query, figure)
            if column is None and figure is not None and not self.scene.is_money(figure):
                return None  # nothing says what it is worth
            function = "sum" if column is not None else None
        if self.said.has("percent") and function in ("count", "sum"):
            function = None
        if column is not None and self.said.has("best", "worst", "most", "least") and not self.said.has("who"):
            figure = figures.figure_of(query)
            if figure is not None and figure.of == column and not self.said.has("function"):
                function = "max" if self.said.has("best", "most") else "min"
        if function == "count":
            counted = self._counted_column(query, column)
            if counted is not None:
                return figures.counted_once(query, counted, self.scene)
        if function == "sum" and column is None and query.groups and figures.adds_up(query):
            return figures.over_all(query, anew=self.said.has("both"))
        if function is None and (column is None or self._is_figure(query, column)):
            return query
        made = figures.another_figure(query, function, column, self.scene)
        if made is not None and column is not None and self._is_added(query):
            return figures.beside_its_own(query, made)
        return figures.of_the_same(made, query) if made is not None and self._points_back() else made

    def _is_added(self, query: Query) -> bool:
        """True for "add profit", "also the profit": one more figure of the same groups."""
        return self.said.has("also") and not self.said.has("value", "period", "instead", "correct") and not query.limit

    def _points_back(self) -> bool:
        """True for "how much money is that": of just what was shown."""
        return self.said.has("anaphor") or bool(self.said.words("worth") & phrases().pointing)

    def _worth(self, query: Query, figure: Aggregate | None) -> ColumnRef | None:
        """What the rows are worth; of things that are added up it is money."""
        main = self.scene.main_figure(str(query.source))
        counted = figure is None or figure.of is None
        return main if main is not None and (counted or self.scene.is_money(Aggregate(fn="sum", of=main))) else None

    def _whole_of_share(self) -> ColumnRef | None:
        """ "As a percentage of gross sales": the figure that another is to be a share of."""
        for piece in self.said.of("column"):
            before = [p for p in self.said.pieces if p.end <= piece.start]
            words = self.said.tokens[before[-1].start : piece.start] if before else ()
            led = next((p for p in reversed(before) if p.kind != "filler"), None)
            if led is not None and led.kind == "percent" and "of" in words:
                return next((ref for ref in self._refs(piece) if self.scene.is_figure(ref)), None)
        return None

    def _is_per_row(self, query: Query) -> bool:
        """ "Per order" of rows that are orders: the figure of one of them, on average."""
        for piece in (*self.said.of("noun"), *self.said.of("column")):
            row = piece.value == query.source or any(
                self.scene.is_key(ref, str(query.source)) for ref in self._refs(piece)[:1]
            )
            if row and self._by_before(piece):
                return figures.adds_up(query)
        return False

    def _counts_values(self, query: Query, column: ColumnRef | None) -> bool:
        """ "Who has the most no-shows?", "who most often?": rows are counted, whatever figure was told before."""
        if column is not None or self.said.has("function", "worth") or not query.measures:
            return False
        if self.said.words("most", "least") & phrases().often:
            return True
        return any(self._kind_before(value, ("most", "least")) for value in self.said.of("value"))

    def _counted_column(self, query: Query, figure: ColumnRef | None) -> ColumnRef | None:
        """ "How many customers": the column of which each value counts once. A figure is only counted where another
        column tells things of that name apart: "how many orders" beside order numbers."""
        function = next(p for p in self.said.of("function") if p.value == "count")
        piece = next((p for p in self.said.of("column") if self._before(p)[:1] == [function]), None)
        if piece is None or self._counts_rows(piece, query):
            return None
        if figure is not None:
            return self._told_apart(piece, query)
        ref = self._refs(piece)[0]
        return ref if not self.scene.dated(ref) else None

    def _told_apart(self, piece: Piece, query: Query) -> ColumnRef | None:
        word = " ".join(self.said.tokens[piece.start : piece.end])
        return self.scene.identifier_of(word, str(query.source))

    def _percent(self, query: Query) -> Query | None:
        if self._whole_of_share() is not None:
            return query
        grouped = {group.expr for group in query.groups}
        each = self.said.has("all") and any(self._refs(piece)[0] in grouped for piece in self.said.of("column"))
        return figures.in_percent(query, self.scene, each=each) if self.said.has("percent") else query
