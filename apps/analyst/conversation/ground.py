"""What all parts of a change look at: the message in pieces, what it goes on from, the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.conversation import figures
from apps.analyst.conversation.piece import Piece
from apps.analyst.conversation.pieces import ENDS, Message
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.subject import Subject
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.plan import ColumnRef, Query
from apps.analyst.types import Question

__all__ = ["ENDS", "Ground"]


@dataclass
class Ground:
    """A message that changes a plan. Pieces are looked at by what stands before them."""

    question: Question
    said: Message
    subject: Subject
    scene: Scene

    @staticmethod
    def _refs(piece: Piece) -> list[ColumnRef]:
        return [ColumnRef(table=table, column=column) for table, column in piece.columns]

    def _before(self, piece: Piece) -> list[Piece]:
        """The pieces before one, the nearest first, without those that only fill."""
        return [p for p in reversed(self.said.pieces) if p.end <= piece.start and p.kind not in ("filler", "lead")]

    def _kind_before(self, piece: Piece, kinds: Sequence[str]) -> bool:
        return any(p.kind in kinds for p in self._before(piece)[:1])

    def _left_out(self, piece: Piece) -> bool:
        """True for what is to be left out: "without region", "not by region"."""
        before = [p.kind for p in self._before(piece)[:2]]
        return before[:1] == ["without"] or before == ["by", "without"]

    def _by_before(self, piece: Piece) -> bool:
        """True after "by", also for the second of "by region and product"."""
        for other in self._before(piece):
            if other.kind not in ("and", "column", "unit"):
                return other.kind == "by"
        return False

    def _is_bounded(self, piece: Piece) -> bool:
        """True for what has to be over or under something: "with a charge over 100"."""
        behind = [p for p in self.said.pieces if p.start >= piece.end and p.kind != "filler"][:2]
        return [p.kind for p in behind] == ["bound", "number"]

    def _counts_rows(self, piece: Piece, query: Query) -> bool:
        """True for what the rows are called behind "number of", although columns begin with it: "deals" beside deal
        owners. The last word of their name says what they are."""
        counted = any(p.value == "count" and p.kind == "function" for p in self._before(piece)[:1])
        said = [singular(token) for token in self.said.tokens[piece.start : piece.end]]
        whole = any(folded(ref.column).split() == said for ref in self._refs(piece))
        return counted and not whole and said == self.scene.row_word(str(query.source))

    @staticmethod
    def _is_figure(query: Query, column: ColumnRef) -> bool:
        figure = figures.figure_of(query)
        return figure is not None and figure.of == column

    def _group_ref(self, piece: Piece, query: Query) -> ColumnRef:
        """The column to tell apart by; of a joined table's key the name of what it stands for."""
        refs = self._refs(piece)
        plain = [ref for ref in refs if not self.scene.is_figure(ref) and not self.scene.dated(ref)]
        return (plain or refs)[0]

    def _adds_up(self, piece: Piece) -> bool:
        """True for a figure that nobody would tell rows apart by: amounts, not ages."""
        ref = self._refs(piece)[0]
        meaning = self.scene.meaning(ref)
        return self.scene.is_figure(ref) and (meaning is None or meaning.adds == "sum")

    def _not_told(self, query: Query, piece: Piece, refs: Sequence[ColumnRef]) -> ColumnRef:
        """The first of the columns that a word fits; where that is told already and called by more words, the next:
        "and spend" after the return on spend."""
        whole = len(folded(refs[0].column).split()) <= piece.end - piece.start
        again = self._is_figure(query, refs[0]) and not whole
        return next((ref for ref in refs if not self._is_figure(query, ref)), refs[0]) if again else refs[0]

    def _figure_column(self, query: Query) -> ColumnRef | None:
        """The column of the figure that is asked for: one to compute with, whose name was said."""
        ranked = query.limit is not None or bool(query.order) or not query.groups
        for piece in self.said.of("column"):
            if self._by_before(piece) and not (ranked and self._adds_up(piece)):
                continue
            if self._kind_before(piece, ("sort", "bound", "without", "lacking")) or self._is_bounded(piece):
                continue
            if self._counts_rows(piece, query):
                continue
            refs = [ref for ref in self._refs(piece) if self.scene.is_figure(ref) or self._is_figure(query, ref)]
            if refs and (refs[0] == self._refs(piece)[0] or self.said.has("function")):
                return self._not_told(query, piece, refs) if self.said.has("and") else refs[0]
        return None
