"""Tables that a question names by what they alone have: a column, word for word.

"Total barrels by warden" is about the tables of barrels and of wardens, however many others stand beside them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.reading.closeness import content_places
from apps.analyst.reading.linking import Linked

WHOLE = 0.999
"""How well a word fits a name or a value that it is."""
EXACT = 0
"""The channel of a word that stands in a node's name."""
NAMED = 6
"""The channel of words that are all of a node's name."""


def homes(linked: Linked) -> frozenset[str]:
    """The tables that a reading of the question has to use."""
    index, plain = linked.index, [singular(token.removesuffix("'s")) for token in linked.tokens]
    if len(index.tables) < 2:
        return frozenset()
    owner = _owners(linked)
    found = set()
    for (table, _), name in zip(index.columns, index.names[len(index.tables) :], strict=True):
        words = [singular(word) for word in name]
        if not set(words) <= set(plain):
            continue
        starts = (n for n in range(len(plain) - len(words) + 1) if plain[n : n + len(words)] == words)
        if any(_is_alone(linked, plain, range(n, n + len(words)), owner == table) for n in starts):
            found.add(index.tables[table].name)
    return frozenset(found)


def _is_alone(linked: Linked, plain: Sequence[str], span: range, own: NDArray[np.bool_]) -> bool:
    """Whether the words of `span` name nothing but what the table `own` has. A part of a longer expression ("list
    price" beside a column "price"), a word of form or a stored value may mean something else. What knowledge has the
    words for does not count: of 101 columns named so that it has for another table's, too, all 101 were meant (2,892
    questions over 60 learned databases)."""
    content = [n for n in span if not _is_form(linked, plain, n)]
    if not content or not own.any():
        return False
    exact = linked.channels[:, :, EXACT] >= WHOLE
    if exact[content][:, ~own].all(0).any():
        return False
    if len(linked.items) and (linked.item_tokens[:, list(span)] >= WHOLE).any():
        return False
    beside = [n for n in (span.start - 1, span.stop) if 0 <= n < len(plain) and not _is_form(linked, plain, n)]
    return all(exact[n, own].any() for n in beside)


def _is_form(linked: Linked, plain: Sequence[str], place: int) -> bool:
    """Whether a word is one of form, a number or a period."""
    words = english()
    said = {linked.tokens[place], plain[place]}
    return bool(said & (words.stopwords | words.form_words)) or bool(linked.token_features[place, :3].any())


def is_literal(linked: Linked, tables: Collection[str]) -> bool:
    """Whether every word of the question stands in the name of one of some tables, or in that of a column of theirs
    and all of that name in the question or in its table's name ("owner" for "Deal owner" of deals), or asks for a
    common figure ("total", "average", "by")."""
    plain = english().figure_words | english().cues["grouped"]
    content = [n for n in content_places(linked) if linked.tokens[n] not in plain]
    owners, said = _owners(linked), {singular(token) for token in linked.tokens}
    of_these = np.isin(owners, [n for n, table in enumerate(linked.index.tables) if table.name in tables])
    names = [{singular(word) for word in name} for name in linked.index.names]
    # a table by any word of its name, a column by all that its table's name does not say
    called = np.array([name <= said | names[owner] for name, owner in zip(names, owners, strict=True)])
    whole = of_these & (called | (linked.channels[:, :, NAMED].max(0) >= WHOLE))
    return bool(content) and bool((linked.channels[content][:, whole, EXACT] >= WHOLE).any(1).all())


def _owners(linked: Linked) -> NDArray[np.int64]:
    """The table of each node."""
    return np.array([*range(len(linked.index.tables)), *(table for table, _ in linked.index.columns)])
