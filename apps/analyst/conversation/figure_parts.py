"""What a message says of the figure."""

from __future__ import annotations

from apps.analyst.conversation import figures
from apps.analyst.conversation.ground import Ground
from apps.analyst.plan import ColumnRef, Query


class FigureParts(Ground):
    """The figure, its column and whether it is a share."""

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

    def _percent(self, query: Query) -> Query | None:
        return figures.in_percent(query, self.scene) if self.said.has("percent") else query
