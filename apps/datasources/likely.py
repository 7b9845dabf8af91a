"""Which sources a question is likely about, by the words of their names and columns: what is said of a question before
anything has read it. The answer names those that it was computed from.
"""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from threading import Lock
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import UUIDField

from apps.core.prepared import Prepared
from apps.datasources.described import tables_described
from apps.datasources.models import CatalogState, DataTable
from apps.datasources.naming import display_name

if TYPE_CHECKING:
    from apps.accounts.models import Organization

MOST = 3
"""Sources that are named for one question."""
NEAR = 0.6
"""Of the likeliest one's points: others with as many are named beside it."""
_NAMED = 3.0
"""What a word of its name weighs against one of a column."""
_KEPT = 200
_WORD = re.compile(r"[^\W_]+")
_EMPTY = frozenset(
    ("the", "and", "for", "are", "was", "were", "how", "many", "much", "what", "which", "who", "when", "where", "does",
     "did", "has", "have", "had", "our", "all", "per", "with", "from", "that", "this", "each", "last", "show", "list",
     "give", "total", "number", "average")
)  # fmt: skip

Words = dict[str, dict[str, float]]
"""For each word the sources that have it, with what it says for them."""

_STATE = Prepared(
    lambda organization: CatalogState.objects.of(organization).values_list("version"), organization=UUIDField()
)
_held: OrderedDict[UUID, tuple[int, Words]] = OrderedDict()
_lock = Lock()


def likely_sources(organization: Organization, question: str) -> list[str]:
    """The file names of the likeliest sources, the likeliest first; none where no word says anything. One indexed read
    where the tables are as they were."""
    words = _words_of(organization)
    points: defaultdict[str, float] = defaultdict(float)
    for word in set(_stems(question)):
        for file_name, weight in words.get(word, {}).items():
            points[file_name] += weight
    ranked = sorted(points.items(), key=lambda one: (-one[1], one[0]))
    return [file_name for file_name, reached in ranked[:MOST] if reached >= NEAR * ranked[0][1]]


def _words_of(organization: Organization) -> Words:
    state = _STATE.first(organization=organization.pk)
    if state is None:
        return {}
    (version,) = state
    with _lock:
        held = _held.get(organization.pk)
    if held is None or held[0] != version:
        held = (version, _read(organization))
        with _lock:
            _held[organization.pk] = held
            _held.move_to_end(organization.pk)
            while len(_held) > _KEPT:
                _held.popitem(last=False)
    return held[1]


def _read(organization: Organization) -> Words:
    words: Words = {}
    tables = dict(DataTable.objects.of(organization).values_list("pk", "source__file_name"))
    for key, table in tables_described(tables).items():
        for column in table.columns:
            for word in _stems(column.name):
                words.setdefault(word, {})[tables[key]] = 1.0
    for file_name in tables.values():
        for word in _stems(display_name(file_name)):
            words.setdefault(word, {})[file_name] = _NAMED
    # What many sources have says little for each of them.
    return {word: {name: weight / len(having) for name, weight in having.items()} for word, having in words.items()}


def _stems(text: str) -> Iterable[str]:
    for word in _WORD.findall(text.replace("_", " ").lower()):
        if len(word) > 2 and word not in _EMPTY:
            yield _singular(word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
