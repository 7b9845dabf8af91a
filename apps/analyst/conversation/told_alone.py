"""Who or what was told alone ("Ilse has the most"), and is meant by "his", "her", "their" and "behind it" after it."""

from __future__ import annotations

from apps.analyst.conversation import editing_words as words
from apps.analyst.conversation import rows
from apps.analyst.conversation.figures import over_all
from apps.analyst.conversation.piece import Named
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.subject import Subject
from apps.analyst.conversation.words import phrases, written_out
from apps.analyst.plan import ColumnRef, Query
from apps.analyst.reading.linking import tokens_of


def points_at_one(text: str) -> bool:
    """Whether a message speaks of somebody without a name: "his deals"."""
    return not phrases().somebody.isdisjoint(tokens_of(written_out(text)))


def told_alone(subject: Subject, scene: Scene) -> list[Named]:
    """The group that the answer told as the first of all, several where they share the place; none elsewhere."""
    query = subject.query
    if query is None or query.limit != 1 or len(query.groups) != 1:
        return []
    ref = query.groups[0].expr
    column = scene.column(ref) if isinstance(ref, ColumnRef) else None
    if column is None or column.type != "text" or not isinstance(ref, ColumnRef):
        return []
    said = words.BOLD.findall(subject.turn.answer)
    stored = {found.value for found in column.values}
    names = [name for name in said if name in stored] or ([] if column.values_complete else said[:1])
    return [Named(ref.table, ref.column, name) for name in names]


def held_to(query: Query, named: list[Named], scene: Scene) -> Query | None:
    """The query of these alone, told apart by whatever else it is."""
    ref = rows.ref_of(named[0])
    apart = query.model_copy(update={"groups": tuple(group for group in query.groups if group.expr != ref)})
    bare = over_all(query, anew=True) if not apart.groups else apart
    return bare and rows.kept_to(bare, named, scene, also=False, out=False)
