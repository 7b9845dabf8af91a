"""Figures that are held against each other are of one kind: actual net sales against planned net sales, not against
planned volume, unless the question names the other."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.sketch import Sketch

_HELD = frozenset(("pct", "growth", "minus", "ratio", "m2", "vsub", "vpct", "vgt", "vge", "vlt", "vle"))
_OF_ONE = frozenset(("sum", "avg", "median"))


def with_alike(sketch: Sketch, linked: Linked) -> Sketch:
    """The sketch (its leaves as places) with the planned figure that answers the actual one."""
    parts = tuple(with_alike(part, linked) if isinstance(part, tuple) else part for part in sketch[1:])
    made: Sketch = (sketch[0], *parts)
    if sketch[0] not in _HELD or len(parts) != 2:
        return made
    one, other = map(_column, parts)
    if one is None or other is None:
        return made
    for held, planned, place in ((one, other, 2), (other, one, 1)):
        answer = _answering(held, planned, linked)
        if answer is not None:
            return (*made[:place], _of(parts[place - 1], answer), *made[place + 1 :])
    return made


def _column(figure: Sketch) -> int | None:
    """The column that a figure is of, where it is of one."""
    if figure[0] == "C":
        return int(figure[1])
    return int(figure[1][1]) if figure[0] in _OF_ONE and figure[1][0] == "C" else None


def _of(figure: Sketch, column: int) -> Sketch:
    return ("C", column) if figure[0] == "C" else (figure[0], ("C", column))


def _answering(held: int, planned: int, linked: Linked) -> int | None:
    """The one column beside a planned one that is planned in the same words and otherwise named like the one that it is
    held against; None where the planned one is, or the question names it."""
    index, offset = linked.index, len(linked.index.tables)
    names = index.names[offset:]
    own, marks = _stem(names[held])
    stem, plan = _stem(names[planned])
    if not plan or marks or own == stem or _is_said(set(stem) - set(own), linked):
        return None
    table = index.columns[planned][0]
    found = [c for c, (t, _) in enumerate(index.columns) if t == table and _stem(names[c]) == (own, plan)]
    return found[0] if len(found) == 1 else None


def _stem(name: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a name without those that say whether it is planned or real, and those that say planned."""
    known = english()
    plain = [singular(word) for word in name]
    rest = tuple(word for word in plain if word not in known.planned | known.real)
    return rest, tuple(word for word in plain if word in known.planned)


def _is_said(words: set[str], linked: Linked) -> bool:
    return not words.isdisjoint(singular(token) for token in linked.tokens)
