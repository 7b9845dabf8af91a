"""Which nodes of an index a phrase may mean. Columns of wide catalogs mean the same again and again, and such are held
once: nodes by phrases as a whole would be millions of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


class Phrases(Mapping[str, Sequence[tuple[int, float]]]):
    """The nodes that each phrase may mean, with scores, made of the phrases for each node. Nodes that share one mapping
    are held together."""

    def __init__(self, meant: Sequence[Mapping[str, float]]) -> None:
        self._meant = meant
        alike: dict[int, tuple[Mapping[str, float], list[int]]] = {}
        for node, phrases in enumerate(meant):
            alike.setdefault(id(phrases), (phrases, []))[1].append(node)
        self._of: dict[str, list[tuple[Mapping[str, float], list[int]]]] = {}
        for group in alike.values():
            for phrase in group[0]:
                self._of.setdefault(phrase, []).append(group)

    def __getitem__(self, phrase: str) -> Sequence[tuple[int, float]]:
        return sorted((node, phrases[phrase]) for phrases, nodes in self._of[phrase] for node in nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def of(self, nodes: Sequence[int]) -> Phrases:
        """The same of some nodes, which are counted anew in this order."""
        return Phrases([self._meant[node] for node in nodes])
