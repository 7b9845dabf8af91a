"""The learned reader's network with numpy alone: a linked question in, the states that `search` writes sketches from
out.

The same arithmetic as `learning/network.py`, which trains it; a test holds both together. Nothing here knows words
or tables: only figures of `linking` and the grammar of `sketch`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from apps.analyst.reading.encoder import Encoder, encoder, gelu
from apps.analyst.reading.index import Index
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.packed import pack, unpacked
from apps.analyst.reading.sketch import KINDS, LEAVES, MAKES, PRODUCTIONS
from apps.analyst.reading.vectors import Floats, product, standardized

PATH = Path(__file__).parent / "weights.npz"
BESIDE = Path(__file__).parent / "following.npz"
"""What is added to the weights where a message goes on from an answer: maps of few ranks (`learning/adapting.py`)."""
DISTANCE = 8
AMOUNTS = 8.0
MOST_SENSED = 1000
"""Listed values whose words pass the encoder: a fifth of a second of one processor, once for a catalog."""
KIND = {kind: n for n, kind in enumerate(KINDS)}
for _leaf in LEAVES:
    KIND.setdefault(_leaf, len(KIND))
LEAF = {leaf: n for n, leaf in enumerate(LEAVES)}


@dataclass(frozen=True)
class _Named:
    """What a catalog brings before a question is known: its nodes, the directions of its names and of its listed
    values (unit vectors, to be held against those of a question's words), and what its values add to items."""

    nodes: Floats
    names: Floats
    values: Floats
    added: Floats


class Network:
    """The weights, and the pass that is made once a question."""

    def __init__(self, path: Path, words: Encoder, beside: Path | None = None) -> None:
        self.words = words
        self.w, kept = unpacked(path)
        if beside is not None:
            add(self.w, unpacked(beside)[0])
        self.turned = {
            name.removesuffix(".weight"): np.ascontiguousarray(value.T)
            for name, value in self.w.items()
            if name.endswith(".weight") and value.ndim == 2
        }
        sizes = [int(n) for n in kept["sizes"]]
        self.width, self.heads, self.node_layers, self.token_layers, self.joint_layers, self.decoder_layers = sizes
        self.may_say = np.zeros((len(KIND), len(PRODUCTIONS)), bool)
        place = {name: n for n, name in enumerate(PRODUCTIONS)}
        for kind, number in KIND.items():
            for name in MAKES.get(kind, ()):
                self.may_say[number, place[name]] = True
        self._named: OrderedDict[int, tuple[Index, _Named]] = OrderedDict()
        self._lock = Lock()

    # ------------------------------------------------------------ pieces
    def linear(self, x: Floats, name: str) -> Floats:
        made: Floats = product(x, self.turned[name]) + self.w[name + ".bias"]
        return made

    def norm(self, x: Floats, name: str) -> Floats:
        made: Floats = standardized(x, 1e-5) * self.w[name + ".weight"] + self.w[name + ".bias"]
        return made

    def split(self, x: Floats) -> Floats:
        """(..., length, width) to (..., heads, length, width of a head)."""
        return np.swapaxes(x.reshape(*x.shape[:-1], self.heads, -1), -2, -3)

    def attend(self, q: Floats, k: Floats, v: Floats, bias: Floats | None) -> Floats:
        """Attention over split heads; the heads are put together again."""
        scores = product(q, np.swapaxes(k, -1, -2)) * np.float32(1 / np.sqrt(q.shape[-1]))
        if bias is not None:
            scores = scores + bias
        mixed = np.swapaxes(product(softmax(scores), v), -2, -3)
        return mixed.reshape(*mixed.shape[:-2], -1)

    def layer(self, x: Floats, name: str, bias: Floats) -> Floats:
        q, k, v = np.split(self.linear(self.norm(x, name + ".norm1"), name + ".qkv"), 3, -1)
        x = x + self.linear(self.attend(self.split(q), self.split(k), self.split(v), bias), name + ".out")
        return self.forward(x, name)

    def forward(self, x: Floats, name: str) -> Floats:
        return x + self.linear(gelu(self.linear(self.norm(x, name + ".norm2"), name + ".up")), name + ".down")

    # ------------------------------------------------------------ the encoder
    def named(self, index: Index) -> _Named:
        """What depends on the catalog alone, kept for an index."""
        with self._lock:
            found = self._named.get(id(index))
            if found is not None and found[0] is index:
                self._named.move_to_end(id(index))
                return found[1]
        made = self._of(index)
        with self._lock:
            self._named[id(index)] = (index, made)
            while len(self._named) > 64:
                self._named.popitem(last=False)
        return made

    def _of(self, index: Index) -> _Named:
        labels, values = self.words.means(index.names), self.words.means(index.item_words[:MOST_SENSED])
        y = self.linear(np.concatenate([index.embedded, index.features], -1), "node_in") + self.linear(
            labels, "label_in"
        )
        for n in range(self.node_layers):
            bias = np.moveaxis(self.w[f"between.{self.joint_layers + n}.weight"][index.relations], -1, 0)
            y = self.layer(y, f"node_layers.{n}", bias)
        return _Named(y, self.sense(labels), self.sense(values), self.linear(values, "value_in"))

    def sense(self, states: Floats) -> Floats:
        """Directions of words' states: unit vectors."""
        made = product(states, self.turned["sense"])
        length = np.sqrt((made * made).sum(-1, keepdims=True))
        directions: Floats = made / np.maximum(length, np.float32(1e-12))
        return directions

    def senses(self, linked: Linked) -> tuple[Floats, Floats]:
        """How near the words lie to each name (words x names) and each listed value to the words (values x words), by
        their states alone: cosines."""
        sensed, named = self.sense(self.words.states(linked.tokens)), self.named(linked.index)
        return product(sensed, named.names.T), product(named.values, sensed.T)

    def encode(self, linked: Linked) -> dict[str, Floats]:
        """Memory, and the states that each kind of leaf points to."""
        index, w = linked.index, self.w
        t = len(linked.tokens)
        states, named = self.words.states(linked.tokens), self.named(index)
        near_names, near_values = self.senses(linked)
        x = (
            self.linear(np.concatenate([linked.embedded, linked.token_features], -1), "token_in")
            + w["place.weight"][:t]
            + self.linear(states, "words_in")
        )
        if linked.before:
            x[: linked.before] += w["before.weight"][0]
        where = np.arange(t)
        far = np.clip(where[None, :] - where[:, None], -DISTANCE, DISTANCE) + DISTANCE
        near = np.moveaxis(w["near.weight"][far], -1, 0)
        for n in range(self.token_layers):
            x = self.layer(x, f"token_layers.{n}", near)
        channels = np.concatenate([linked.channels, near_names[..., None]], -1)
        y = named.nodes + self.linear(channels.max(0), "fit")
        z = np.concatenate([x, y], 0)
        size = len(z)
        bias = np.empty((self.heads, size, size), np.float32)
        bias[:, :t, :t] = near
        for n in range(self.joint_layers):
            bias[:, :t, t:] = np.moveaxis(self.linear(channels, f"to_node.{n}"), -1, 0)
            bias[:, t:, :t] = np.moveaxis(self.linear(channels, f"to_token.{n}"), -1, 0).swapaxes(1, 2)
            bias[:, t:, t:] = np.moveaxis(w[f"between.{n}.weight"][index.relations], -1, 0)
            z = self.layer(z, f"joint.{n}", bias)
        z = self.norm(z, "norm")
        x, y = z[:t], z[t:]
        return {
            "memory": z,
            "tokens": x,
            "C": y,
            "W": self.items(linked, x, y, named.added),
            "token_fits": channels,
            "item_senses": near_values,
            "N": self.numbers(linked, x),
            "D": self.periods(linked, x),
        }

    def items(self, linked: Linked, x: Floats, y: Floats, added: Floats) -> Floats:
        """States of the values that may be meant; `added` is for those that the index lists, which come first."""
        if not linked.items:
            return np.zeros((0, self.width), np.float32)
        items = self.linear(np.concatenate([linked.item_vectors, linked.item_features], -1), "item_in")
        items[: len(added)] += added
        items = gelu(items)
        mixed = product(softmax(8 * linked.item_tokens), x)
        own = y[[item.column + len(linked.index.tables) for item in linked.items]]
        return items + self.linear(gelu(self.linear(np.concatenate([items, mixed, own], -1), "item_mix")), "item_out")

    def numbers(self, linked: Linked, x: Floats) -> Floats:
        if not linked.numbers:
            return np.zeros((0, self.width), np.float32)
        said = np.array([(np.log10(abs(v) + 1) / AMOUNTS, 1900 <= v <= 2100) for _, v in linked.numbers], np.float32)
        return x[[p for p, _ in linked.numbers]] + self.linear(said, "number_in")

    def periods(self, linked: Linked, x: Floats) -> Floats:
        if not linked.dated:
            return np.zeros((0, self.width), np.float32)
        return np.stack([x[list(one.places)].mean(0) for one in linked.dated])


def softmax(x: Floats) -> Floats:
    """Shares over the last axis."""
    raised = np.exp(x - x.max(-1, keepdims=True))
    made: Floats = raised / raised.sum(-1, keepdims=True)
    return made


def add(weights: dict[str, Floats], beside: Mapping[str, Floats]) -> None:
    """Adds maps of few ranks to the weights that they stand beside; other weights come with them as they are."""
    for name, value in beside.items():
        if name.endswith(".outer"):
            whole = name.removesuffix(".outer")
            weights[f"{whole}.weight"] = weights[f"{whole}.weight"] + value @ beside[f"{whole}.inner"]
        elif not name.endswith(".inner"):
            weights[name] = value


@cache
def network() -> Network:
    """The network that is shipped."""
    return Network(PATH, encoder())


@cache
def following() -> Network:
    """The network for messages that go on from an answer."""
    return Network(PATH, encoder(), BESIDE)


def written(weights: Mapping[str, Any], sizes: Mapping[str, int], path: Path) -> None:
    """Writes weights as the file that `Network` reads."""
    order = ("width", "heads", "node_layers", "token_layers", "joint_layers", "decoder_layers")
    pack(weights, path, sizes=np.array([sizes[name] for name in order]))
