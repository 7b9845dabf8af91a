"""How well a whole plan says what a question asks: a small network that reads both side by side.

The network of `network` writes a plan step by step and never sees it whole; this one sees the question's words in their
light (`encoder`), the plan spelled out as words, and how each word of the one fits the other, and gives one score that
the judge weighs beside its other figures. `learning/ranking.py` trains it on right and wrong plans of one question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np

from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Join,
    JoinKey,
    Node,
    Order,
    Output,
    Plan,
    Query,
)
from apps.analyst.reading.encoder import gelu
from apps.analyst.reading.features import places_of
from apps.analyst.reading.forms import every
from apps.analyst.reading.index import NODE_FEATURES, Index
from apps.analyst.reading.linking import CHANNELS, TOKEN_FEATURES, Linked, tokens_of
from apps.analyst.reading.packed import unpacked
from apps.analyst.reading.vectors import Floats, product, vectors

PATH = Path(__file__).parent / "ranking.npz"
MOST_WORDS = 64
"""Words of a plan that are looked at."""
SIGNS = ("=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/")
WORD_FEATURES = NODE_FEATURES + 1 + len(SIGNS)
"""Of a plan's word: what the dictionary knows of the column or table whose name begins with it, whether one does, and
which sign it is."""
FIT_FEATURES = TOKEN_FEATURES + 2 * CHANNELS + 2
"""Of a question's word: its own, how it fits what the plan uses and the best there is, columns and values apart."""
_PASSED_OVER = frozenset({"kind", "label", "unit", "type", "fold", "noun", "scope", "known_until"})
_SILENT = frozenset({"of", "left", "right", "op", "fn", "on", "expr", "by", "value", "name", "low", "args", "source"})
"""Fields that say nothing beside their values."""
_UNSPOKEN = (Query, ColumnRef, Constant, Output, Order, Join, JoinKey, Compare, AllOf, Aggregate, Arithmetic, Call)
"""Nodes whose kind says nothing beside what they hold."""
_NEVER = np.float32(-1e9)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A plan as words, each with the node of the index whose name begins with it, -1 for none."""

    words: tuple[str, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A question beside one plan. `fits` (question's words, FIT_FEATURES), `near` (question's words, plan's words)."""

    plan: Spelled
    fits: Floats
    near: Floats


def spelled(plan: Plan, index: Index) -> Spelled:
    """The plan's words, in the order of its tree; names of tables and columns as the dictionary spells them."""
    found = list(_Spelling(index).node(plan))[:MOST_WORDS]
    return Spelled(tuple(word for word, _ in found), tuple(node for _, node in found))


class _Spelling:
    """Walks a plan with the names of an index."""

    def __init__(self, index: Index) -> None:
        self._names = index.names
        self._tables = {table.name: n for n, table in enumerate(index.tables)}
        offset = len(index.tables)
        self._columns = {(index.tables[t].name, column.name): offset + n for n, (t, column) in enumerate(index.columns)}

    def node(self, node: Node, outputs: dict[str, Output] | None = None) -> Iterator[tuple[str, int]]:
        if isinstance(node, ColumnRef):
            yield from self._column(node, outputs or {})
            return
        if not isinstance(node, _UNSPOKEN):
            yield from _plain(str(getattr(node, "kind", "")))
        if isinstance(node, Query):
            outputs = {o.label: o for o in (*node.columns, *node.groups, *node.measures)}
        for name, field in type(node).model_fields.items():
            value = getattr(node, name)
            if name in _PASSED_OVER or value is None or value is False or value == field.default:
                continue
            if name not in _SILENT:
                yield from _plain(name)
            for part in value if isinstance(value, tuple) else (value,):
                yield from self._part(part, node, name, outputs)

    def _part(
        self, part: object, node: Node, name: str, outputs: dict[str, Output] | None
    ) -> Iterator[tuple[str, int]]:
        if isinstance(part, Node):
            yield from self.node(part, outputs)
        elif isinstance(part, str) and part in self._tables and isinstance(node, Query | Join):
            yield from self._named(self._tables[part])
        elif isinstance(part, str) and isinstance(node, Order) and part in (outputs or {}):
            yield from self.node((outputs or {})[part].expr, {})
        elif part is not True:
            yield from _plain(str(part))

    def _column(self, node: ColumnRef, outputs: dict[str, Output]) -> Iterator[tuple[str, int]]:
        place = self._columns.get((node.table, node.column))
        if place is not None:
            yield from self._named(place)
        elif node.column in outputs and not node.table:
            yield from self.node(outputs[node.column].expr, {})
        else:
            yield from _plain(node.column)

    def _named(self, place: int) -> Iterator[tuple[str, int]]:
        for n, word in enumerate(self._names[place]):
            yield word, -1 if n else place


def _plain(text: str) -> Iterator[tuple[str, int]]:
    """Words that name no column; days as people write them."""
    if _DAY.fullmatch(text):
        text = f"{date.fromisoformat(text):%-d %B %Y}"
    for word in [text] if text in SIGNS else tokens_of(text.replace("_", " ")):
        yield word, -1


def seen(linked: Linked, plan: Plan) -> Seen:
    """What the network is shown of a question and a plan."""
    nodes = list(every(plan))
    made = spelled(plan, linked.index)
    places, chosen = places_of(linked, nodes)
    own = linked.channels[:, places].max(1) if places else np.zeros_like(linked.channels[:, 0])
    values = linked.item_tokens
    named = np.stack(
        [
            values[chosen].max(0) if chosen else np.zeros(len(linked.tokens), np.float32),
            values.max(0) if len(values) else np.zeros(len(linked.tokens), np.float32),
        ],
        -1,
    )
    fits = np.concatenate([linked.token_features, own, linked.channels.max(1), named], -1).astype(np.float32)
    alike = product(linked.embedded, vectors().rows(made.words).T)
    same = np.array([[word == other for other in made.words] for word in linked.tokens], np.float32)
    near = np.maximum(alike, same.reshape(alike.shape))
    return Seen(made, fits, near.astype(np.float32))


def word_features(plan: Spelled, index: Index) -> Floats:
    """(plan's words, WORD_FEATURES)."""
    made = np.zeros((len(plan.words), WORD_FEATURES), np.float32)
    for n, node in enumerate(plan.nodes):
        if node >= 0:
            made[n, :NODE_FEATURES] = index.features[node]
            made[n, NODE_FEATURES] = 1
        if plan.words[n] in SIGNS:
            made[n, NODE_FEATURES + 1 + SIGNS.index(plan.words[n])] = 1
    return made


class Ranker:
    """The weights, and the pass over a question beside several plans."""

    def __init__(self, path: Path) -> None:
        self.w, kept = unpacked(path)
        self.turned = {
            name.removesuffix(".weight"): np.ascontiguousarray(value.T)
            for name, value in self.w.items()
            if name.endswith(".weight") and value.ndim == 2
        }
        self.width, self.heads, self.layers = (int(n) for n in kept["sizes"])

    def scores(self, states: Floats, linked: Linked, plans: Sequence[Plan]) -> Floats:
        """How well each plan says what is asked, as a logit; `states` are the encoder's of the question's words."""
        if not plans:
            return np.zeros(0, np.float32)
        asked = self.asked(states, linked.embedded)
        shown = [seen(linked, plan) for plan in plans]
        return self.score(asked, shown, [word_features(one.plan, linked.index) for one in shown])

    def asked(self, states: Floats, embedded: Floats) -> Floats:
        """The question's words, the same beside every plan."""
        return self._linear(states, "states") + self._linear(embedded, "words") + self.w["place_q"][: len(states)]

    def score(self, asked: Floats, shown: Sequence[Seen], marks: Sequence[Floats]) -> Floats:
        """The scores of plans beside one question, of each its words' `marks`; computed together, the shorter ones
        padded."""
        n, q = len(shown), len(asked)
        long = max(len(one.plan.words) for one in shown)
        there = np.zeros((n, long), bool)
        said = np.zeros((n, long, self.width), np.float32)
        near = np.zeros((n, 1 + q + long, 1 + q + long), np.float32)
        for place, (one, own) in enumerate(zip(shown, marks, strict=True)):
            p = len(one.plan.words)
            there[place, :p] = True
            words = self._linear(vectors().rows(one.plan.words), "said")
            said[place, :p] = words + self._linear(own, "marks") + self.w["place_p"][:p]
            near[place, 1 : 1 + q, 1 + q : 1 + q + p] = one.near
            near[place, 1 + q : 1 + q + p, 1 : 1 + q] = one.near.T
        fits = self._linear(np.stack([one.fits for one in shown]), "fits")
        x = np.concatenate([np.broadcast_to(self.w["start"], (n, 1, self.width)), asked + fits, said], 1)
        hidden = np.zeros((n, 1, 1, 1 + q + long), np.float32)
        hidden[:, 0, 0, 1 + q :][~there] = _NEVER
        side = np.array([0] + [1] * q + [2] * long)
        between = side[:, None] * 3 + side[None]
        for layer in range(self.layers):
            steered = self.w[f"near.{layer}"][None, :, None, None] * near[:, None]
            x = self._layer(x, f"layers.{layer}", steered + self.w[f"between.{layer}"][:, between] + hidden)
        x = self._norm(x, "norm")
        counts = there.sum(1, keepdims=True)
        told = (x[:, 1 + q :] * there[..., None]).sum(1) / np.maximum(1, counts)
        pooled = np.concatenate([x[:, 0], x[:, 1 : 1 + q].mean(1), told], -1)
        made: Floats = self._linear(gelu(self._linear(pooled, "pool")), "out")[:, 0]
        return made

    def _layer(self, x: Floats, name: str, bias: Floats) -> Floats:
        q, k, v = (
            self._split(part) for part in np.split(self._linear(self._norm(x, name + ".norm1"), name + ".qkv"), 3, -1)
        )
        weight = product(q, np.swapaxes(k, -1, -2)) * np.float32(1 / np.sqrt(q.shape[-1])) + bias
        raised = np.exp(weight - weight.max(-1, keepdims=True))
        mixed = np.swapaxes(product(raised / raised.sum(-1, keepdims=True), v), 1, 2).reshape(x.shape)
        x = x + self._linear(mixed, name + ".out")
        made: Floats = x + self._linear(
            gelu(self._linear(self._norm(x, name + ".norm2"), name + ".up")), name + ".down"
        )
        return made

    def _split(self, x: Floats) -> Floats:
        return np.swapaxes(x.reshape(*x.shape[:2], self.heads, -1), 1, 2)

    def _linear(self, x: Floats, name: str) -> Floats:
        made: Floats = product(x, self.turned[name]) + self.w[name + ".bias"]
        return made

    def _norm(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(-1, keepdims=True)
        made: Floats = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
        return made * self.w[name + ".weight"] + self.w[name + ".bias"]


@cache
def ranker() -> Ranker:
    """The weights that are shipped."""
    return Ranker(PATH)
