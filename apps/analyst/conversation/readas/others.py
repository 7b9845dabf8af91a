"""What else each part of a plan may have meant: the readings that were weighed beside it and differ there, and the
plan itself with that part put in another way."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import Piece, keyed, pieces
from apps.analyst.conversation.readas.swaps import swaps
from apps.analyst.plan import Plan
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import listed
from apps.analyst.types import Chip, Part, ReadAs, Rival

MOST_OTHERS = 4
"""Other readings that a chip offers."""
MOST_APART = 2
"""In so many parts another reading may differ to be offered for one of them."""
GUESSED = 0.8
"""A part that the weighed readings share less surely was guessed."""
MORE = "more"
LIKELY = 0.4
"""How likely, against the told reading, another is whose part that one lacks is shown."""
_ABSENT: Mapping[Part, str] = {"group": "In total", "order": "All of them", "filter": "No filter", "period": "All time"}
"""What a part is called that a plan does not have."""
_NO_MORE: Mapping[Part, str] = {"group": "No other grouping", "filter": "No other filter", "period": "No other period"}
_COMPARED: tuple[Part, ...] = ("figure", "group", "order", "filter", "period", "files")


@dataclass(frozen=True, slots=True)
class Other:
    """Another reading of one part, as a whole plan."""

    label: str
    plan: Plan

    @property
    def key(self) -> str:
        """What names it among its siblings, the same whenever they are found anew."""
        return hashlib.sha256(self.plan.model_dump_json().encode()).hexdigest()[:16]


class Parts:
    """A plan's parts with what else each may have meant. Nothing is computed with here."""

    def __init__(
        self, plan: Plan, catalog: Catalog, rivals: Sequence[Rival] = (), definitions: Sequence[str] = ()
    ) -> None:
        self.plan = plan
        self._catalog = catalog
        self._rivals = rivals
        self._weighed = [rival for rival in rivals if not rival.chip]
        self.pieces = keyed(pieces(plan, catalog, definitions))
        self._names = Names(plan, catalog)

    @cached_property
    def _by_rivals(self) -> dict[str, list[Other]]:
        """The rivals by the key of the part in which they differ."""
        found: defaultdict[str, list[Other]] = defaultdict(list)
        mine = _labels(self.pieces.values())
        for rival in self._rivals:
            if rival.chip:
                found[rival.chip].append(Other(rival.label, rival.plan))
                continue
            other = _labels(pieces(rival.plan, self._catalog))
            apart = [part for part in _COMPARED if sorted(mine[part]) != sorted(other[part])]
            if "figure" in apart or len(apart) > 1:
                apart = [part for part in apart if part != "files"]  # another figure may stand in another file
            if not other or not 0 < len(apart) <= MOST_APART:
                continue
            key, words = self._place_of(apart[0], other[apart[0]])
            beside = [listed(other[part]) for part in apart[1:]]
            label = "; ".join(text for text in (words, *beside) if text)
            found[key].append(Other(label, rival.plan))
        return dict(found)

    def _place_of(self, part: Part, labels: Sequence[str]) -> tuple[str, str]:
        """The chip that another reading's words for a part belong to, and those words."""
        held = {key: piece for key, piece in self.pieces.items() if piece.part == part}
        new = [label for label in labels if label not in {piece.label for piece in held.values()}]
        gone = [key for key, piece in held.items() if piece.label not in labels]
        if gone:
            return gone[0], listed(new) or _ABSENT.get(part, "Without this")
        return f"{part}:{MORE}", listed(new)

    def of(self, key: str) -> list[Other]:
        """The other readings of one part, the likeliest first; none for an unknown key."""
        found: dict[str, Other] = {}
        for other in self._all(key):
            mine = self.pieces.get(key)
            if other.plan != self.plan and (mine is None or other.label != mine.label):
                found.setdefault(other.label.casefold(), other)
        return list(found.values())

    def _all(self, key: str) -> Iterator[Other]:
        """What other readings have, then what else the part could be; a reading that both come to stands where the
        first does, in the words of the second, which name this part alone."""
        offered, piece = self._by_rivals.get(key, []), self.pieces.get(key)
        if piece is None:
            yield from offered
            return
        swapped = [Other(label, plan) for label, plan in swaps(piece, self.plan, self._names)]
        said = [_labels(pieces(other.plan, self._catalog)) for other in swapped] if offered else []
        for rival in offered:
            own = _labels(pieces(rival.plan, self._catalog))
            yield next((other for other, labels in zip(swapped, said, strict=True) if labels == own), rival)
        yield from swapped

    def chips(self, chance: float) -> tuple[Chip, ...]:
        """The parts as they are shown, those that only other readings have among them. `chance` is how likely this
        reading is."""
        made = [
            Chip(key, piece.part, piece.label, opens=bool(self.of(key)), guessed=self._is_guessed(piece, chance))
            for key, piece in self.pieces.items()
        ]
        likely = [rival.plan for rival in self._weighed if rival.chance >= LIKELY * chance]
        for key, others in self._by_rivals.items():
            part: Part = key.partition(":")[0]  # type: ignore[assignment]
            if key.endswith(MORE) and part in _NO_MORE and any(other.plan in likely for other in others):
                some = any(piece.part == part for piece in self.pieces.values())
                label = _NO_MORE[part] if some else _ABSENT[part]
                made.append(Chip(key, part, label, opens=True))
        return tuple(sorted(made, key=lambda chip: SHOWN_ORDER.index(chip.part)))

    def _is_guessed(self, piece: Piece, chance: float) -> bool:
        if not self._weighed:
            return False
        shared = chance + sum(
            rival.chance
            for rival in self._weighed
            if piece.label in {other.label for other in pieces(rival.plan, self._catalog)}
        )
        return shared < GUESSED * (chance + sum(rival.chance for rival in self._weighed))


SHOWN_ORDER: tuple[Part, ...] = ("figure", "group", "order", "filter", "period", "files", "definition")
"""In which people read the parts."""


def read_as(
    plan: Plan,
    catalog: Catalog,
    *,
    chance: float = 1.0,
    rivals: Sequence[Rival] = (),
    definitions: Sequence[str] = (),
    unread: Sequence[tuple[int, int]] = (),
) -> ReadAs:
    """How a question was read that was answered by this plan."""
    return ReadAs(Parts(plan, catalog, rivals, definitions).chips(chance), tuple(unread))


def _labels(found: Iterable[Piece]) -> dict[Part, list[str]]:
    made: dict[Part, list[str]] = {part: [] for part in _COMPARED}
    for piece in found:
        if piece.part in made:
            made[piece.part].append(piece.label)
    return made
