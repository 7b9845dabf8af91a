"""Word vectors: how near two words are in meaning. Read once; words that are not listed are put together from
pieces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
PATH = Path(__file__).parent / "vectors.npz"
_SHORTEST = 3


def product(a: Floats, b: Floats) -> Floats:
    """`a @ b`, without the processor's "invalid" flag: on some processors OpenBLAS computes with what lies beside
    small matrices in memory and leaves the flag behind, though no figure of the product is touched by it."""
    with np.errstate(invalid="ignore"):
        made: Floats = a @ b
    return made


def standardized(x: Floats, epsilon: float) -> Floats:
    """`x` with mean 0 and deviation 1 over the last axis (Ba et al., Layer normalization, 2016; `epsilon` keeps from
    division by 0). Sums, since `mean` takes longer to call than to compute."""
    count = x.shape[-1]
    centred = x - np.add.reduce(x, -1, keepdims=True) / count
    made: Floats = centred / np.sqrt(np.add.reduce(centred * centred, -1, keepdims=True) / count + epsilon)
    return made


class Vectors:
    """Unit vectors by word, as rows; `of` gives a zero row for what is no word."""

    def __init__(self, path: Path) -> None:
        kept = np.load(path)
        listed = str(kept["words"]).split("\n")
        self._rows = {word: row for row, word in enumerate(listed)}
        self._table = kept["vectors"]
        self.size = int(self._table.shape[1])
        self._of = lru_cache(maxsize=65536)(self._made)

    def __contains__(self, word: str) -> bool:
        return word in self._rows

    def of(self, word: str) -> Floats:
        """The vector of a lower-case word."""
        return self._of(word)

    def rows(self, words: Sequence[str]) -> Floats:
        """The vectors of several words, a row each."""
        return np.stack([self._of(word) for word in words]) if words else np.zeros((0, self.size), np.float32)

    def mean(self, words: Sequence[str]) -> Floats:
        """The mean of the words' vectors, of unit length; zero for no words."""
        return _unit(self.rows(words).sum(0)) if words else np.zeros(self.size, np.float32)

    def _made(self, word: str) -> Floats:
        row = self._rows.get(word)
        if row is not None:
            return _unit(self._table[row].astype(np.float32))
        found = self._pieces(word[:40])
        return _unit(np.sum(found, axis=0)) if found else np.zeros(self.size, np.float32)

    def _pieces(self, word: str) -> list[Floats]:
        """The longest known stretches of the word, from the left."""
        found, start = [], 0
        while start <= len(word) - _SHORTEST:
            for end in range(len(word), start + _SHORTEST - 1, -1):
                row = self._rows.get(word[start:end])
                if row is not None:
                    found.append((end - start) * _unit(self._table[row].astype(np.float32)))
                    start = end
                    break
            else:
                start += 1
        return found


def _unit(vector: Floats) -> Floats:
    length = float(np.sqrt((vector * vector).sum()))
    made: Floats = (vector / length if length else vector).astype(np.float32)
    return made


@cache
def vectors() -> Vectors:
    """The vectors that are shipped."""
    return Vectors(PATH)
