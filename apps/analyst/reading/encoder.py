"""The words of a question in each other's light: the first layers of a small sentence encoder, with numpy alone.

A question's words are cut into pieces (WordPiece: the longest known beginning, then the longest known rest), the pieces
pass layers of attention (BERT: Devlin et al., 2019; the layers begin as those of all-MiniLM-L6-v2, Apache-2.0, and are
trained on with the network), and each word gets the mean of its pieces' states. So "sold" and "brought in" are told
apart by what stands beside them also where no question of the training said it so.
"""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from apps.analyst.reading.packed import unpacked
from apps.analyst.reading.vectors import Floats, product, standardized

PATH = Path(__file__).parent / "encoder.npz"
HEADS = 12
MOST_PIECES = 80
MOST_KEPT = 16
MOST_NAMED = 6000
"""Names and values whose states are kept: some 9 MB."""
TOGETHER = 64
FIRST, LAST, UNKNOWN = 0, 1, 2
"""The rows of the table that stand for a text's beginning, its end, and what is no known piece."""
_PARTS = re.compile(r"[^\W_]+|[^\w\s]|_")
_EPSILON = 1e-12


class Pieces:
    """Which pieces are known: words and beginnings as they are, rests with ## before them."""

    def __init__(self, listed: Sequence[str]) -> None:
        self.listed = tuple(listed)
        self._rows = {piece: row for row, piece in enumerate(listed)}

    def of(self, word: str) -> list[int]:
        """The rows of a lower-case word's pieces; at least one."""
        bare = "".join(c for c in unicodedata.normalize("NFKD", word[:60]) if not unicodedata.combining(c))
        return [row for part in _PARTS.findall(bare) for row in self._part(part)] or [UNKNOWN]

    def _part(self, part: str) -> list[int]:
        found: list[int] = []
        start = 0
        while start < len(part):
            for end in range(len(part), start, -1):
                row = self._rows.get(("##" if start else "") + part[start:end])
                if row is not None:
                    found.append(row)
                    start = end
                    break
            else:
                return [UNKNOWN]
        return found

    def text(self, words: Sequence[str]) -> tuple[list[int], Floats]:
        """The rows of a text's pieces, and the words' shares in them (words x pieces, each row adds up to 1, or
        to 0 for words beyond the most pieces)."""
        rows, places = [FIRST], []
        for word in words:
            own = self.of(word)[: MOST_PIECES - 1 - len(rows)]
            places.append(range(len(rows), len(rows) + len(own)))
            rows += own
        rows.append(LAST)
        shares = np.zeros((len(words), len(rows)), np.float32)
        for n, place in enumerate(places):
            shares[n, place] = 1 / max(1, len(place))
        return rows, shares


class Encoder:
    """The table of pieces and the layers."""

    def __init__(self, weights: Mapping[str, Floats], pieces: Pieces, table: NDArray[np.int8], scale: Floats) -> None:
        self.w = weights
        self.pieces, self.table, self.scale = pieces, table, scale
        self.layers = sum(name.endswith(".qkv.weight") for name in weights)
        self._last = lru_cache(maxsize=MOST_KEPT)(self._states)
        self._named: OrderedDict[tuple[str, ...], Floats] = OrderedDict()
        self._lock = Lock()

    def states(self, words: Sequence[str]) -> Floats:
        """A row for each word; those of the last texts are kept."""
        return self._last(tuple(words))

    def means(self, texts: Sequence[tuple[str, ...]]) -> Floats:
        """A row for each text, the mean of its words' states; those of the last `MOST_NAMED` texts are kept, so that
        names and values of a catalog pass the layers once."""
        with self._lock:
            known = {text: self._named[text] for text in texts if text in self._named}
        made = self._means([text for text in dict.fromkeys(texts) if text not in known])
        with self._lock:
            self._named.update(made)
            for text in known:
                self._named.move_to_end(text)
            while len(self._named) > MOST_NAMED:
                self._named.popitem(last=False)
        known.update(made)
        return np.stack([known[t] for t in texts]) if texts else np.zeros((0, self.table.shape[1]), np.float32)

    def _means(self, texts: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Floats]:
        alike: defaultdict[int, list[tuple[tuple[str, ...], list[int], Floats]]] = defaultdict(list)
        for text in texts:
            rows, shares = self.pieces.text(text)
            alike[len(rows)].append((text, rows, shares.mean(0)))
        made: dict[tuple[str, ...], Floats] = {}
        for some in alike.values():  # texts of one length need no padding
            for start in range(0, len(some), TOGETHER):
                part = some[start : start + TOGETHER]
                x = self._passed(np.array([rows for _, rows, _ in part]))
                shares = np.stack([share for _, _, share in part])
                made.update(zip((text for text, _, _ in part), product(shares[:, None], x)[:, 0], strict=True))
        return made

    def _states(self, words: tuple[str, ...]) -> Floats:
        rows, shares = self.pieces.text(words)
        return product(shares, self._passed(np.array(rows)))

    def _passed(self, rows: NDArray[np.int64]) -> Floats:
        """The states of pieces (..., pieces) after all layers."""
        table = self.table[rows].astype(np.float32) * self.scale[rows][..., None].astype(np.float32)
        x = self._norm(table + self.w["place"][: rows.shape[-1]], "norm")
        for n in range(self.layers):
            q, k, v = (self._split(part) for part in np.split(self._linear(x, f"{n}.qkv"), 3, -1))
            scores = product(q, np.swapaxes(k, -1, -2)) * np.float32(1 / np.sqrt(q.shape[-1]))
            raised = np.exp(scores - scores.max(-1, keepdims=True))
            mixed = np.swapaxes(product(raised / raised.sum(-1, keepdims=True), v), -2, -3).reshape(x.shape)
            x = self._norm(x + self._linear(mixed, f"{n}.out"), f"{n}.norm1")
            x = self._norm(x + self._linear(gelu(self._linear(x, f"{n}.up")), f"{n}.down"), f"{n}.norm2")
        return x

    def _linear(self, x: Floats, name: str) -> Floats:
        flat = product(x.reshape(-1, x.shape[-1]), self.w[name + ".weight"].T) + self.w[name + ".bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def _norm(self, x: Floats, name: str) -> Floats:
        made: Floats = standardized(x, _EPSILON) * self.w[name + ".weight"] + self.w[name + ".bias"]
        return made

    def _split(self, x: Floats) -> Floats:
        return np.swapaxes(x.reshape(*x.shape[:-1], HEADS, -1), -2, -3)


def gelu(x: Floats) -> Floats:
    """The Gaussian error linear unit by its hyperbolic tangent (Hendrycks and Gimpel, 2016)."""
    cubed = x * x * x * np.float32(0.044715)
    made: Floats = np.float32(0.5) * x * (1 + np.tanh(np.float32(0.7978845608) * (x + cubed)))
    return made


def read(path: Path) -> Encoder:
    """The encoder of a file."""
    weights, others = unpacked(path)
    return Encoder(weights, Pieces(str(others["pieces"]).split("\n")), others["table"], others["table_scale"])


@cache
def encoder() -> Encoder:
    """The encoder that is shipped."""
    return read(PATH)
