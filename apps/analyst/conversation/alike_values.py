"""Words that stand in several stored values alike: a reading that takes one of these has no ground for it, and speaks
for the one that takes them all."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.conversation.pieces import message
from apps.analyst.conversation.rows import all_of
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.subject import Subject
from apps.analyst.plan import Constant
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog
from apps.analyst.reading.following import Meant
from apps.analyst.types import Question

SUREST = 0.99


def pooled(
    ranked: Sequence[tuple[Meant, float]], question: Question, subject: Subject, catalog: Catalog
) -> list[tuple[Meant, float]]:
    """The readings, the likeliest first, with the rules' change as likely as it is together with those that choose only
    some of the values which a word means alike."""
    groups = _alike(question, subject, catalog)
    change = next((one for one, _ in ranked if one.edited is not None), None)
    if not groups or change is None or any(_takes_some(change, values) for values in groups):
        return list(ranked)
    some = [one for one, _ in ranked if any(_takes_some(one, values) for values in groups)]
    mass = min(SUREST, sum(chance for one, chance in ranked if one is change or one in some))
    rest = [(one, chance) for one, chance in ranked if one is not change and one not in some]
    return sorted([(change, mass), *rest], key=lambda found: -found[1])


def _alike(question: Question, subject: Subject, catalog: Catalog) -> list[frozenset[str]]:
    """The values that each word of the message means, where these are several."""
    query, scene = subject.query, Scene(catalog)
    if query is None:
        return []
    said = message(question, catalog, query)
    words = [(piece, " ".join(said.tokens[piece.start : piece.end])) for piece in said.of("value")]
    found = (frozenset(one.value for one in all_of(piece, text, query, scene)) for piece, text in words)
    return [values for values in found if len(values) > 1]


def _takes_some(one: Meant, values: frozenset[str]) -> bool:
    chosen = {str(node.value) for node in every(one.plan) if isinstance(node, Constant)} & values
    return bool(chosen) and chosen != values
