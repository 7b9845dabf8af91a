"""The search for sketches: a beam that the network's decoder writes from the top, each step restricted to what the
grammar and the columns' types allow (Yin and Neubig, TRANX, 2018).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from apps.analyst.reading.index import identifiers
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.network import KIND, LEAF, Network, following, network, softmax
from apps.analyst.reading.sketch import GRAMMAR, MOST_ACTIONS, POINTED, PRODUCTIONS
from apps.analyst.reading.vectors import Floats, product
from apps.analyst.types import Column

MOST_SLOT = 7
ENOUGH, BEHIND = 5, 6.0
"""With so many sketches written, those that lie so far behind the likeliest (natural logarithm) are given up."""
FIRST_YEAR, LAST_YEAR = 1900, 2100
_NEVER = np.float32(-1e9)
Action = tuple[str, int]

NUMERIC, DATED = ("integer", "decimal", "float"), ("date", "datetime")
_PAIRED = frozenset(("pct", "ratio", "minus", "plus", "times", "growth"))
"""Figures of two figures."""
_APART = frozenset(
    name
    for name, parts in GRAMMAR.items()
    if len(parts) > 2 and name not in _PAIRED and (name == "span" or (len(set(parts[1:])) == 1 and parts[1] in "VKWCD"))
)
"""Productions whose parts are different things."""
_COMPARED = frozenset(("veq", "vne", "vgt", "vge", "vlt", "vle"))
"""Conditions that hold one value of a row against another."""
_WANT_DATE = frozenset(
    [
        "hour",
        "day",
        "week",
        "month",
        "quarter",
        "year",
        "monthof",
        "quarterof",
        "weekday",
        "hourof",
        "on",
        "since",
        "after",
        "before",
        "until",
        "from_to",
        "between_starts",
        "before_now",
        "from_now",
        "years2",
        "years3",
        "weekend",
        "partis",
        "hourgt",
        "hourge",
        "hourlt",
        "hourle",
        "houreq",
        "span",
        "age",
        "ahead",
    ]
)
_WANT_TIME = frozenset(name for name in _WANT_DATE if name.startswith("hour"))
_COMPUTES = frozenset(("sum", "avg", "median", "vadd", "vsub", "vmul", "vdiv", "vpct"))
"""What makes figures of numbers: none of such as only tell things apart, as their name says. Of 32,000 queries learned
from that do, 13 did so with any column that the dictionary holds for an identifier."""
_WANT_NUMBER = _COMPUTES | frozenset(
    [
        "gt",
        "ge",
        "lt",
        "le",
        "between",
        "avggt",
        "avgge",
        "avglt",
        "avgle",
    ]
)


@dataclass(frozen=True, slots=True)
class Guess:
    """A sequence of actions and how likely the network holds it, and the least sure of its productions and of its
    pointers (natural logarithms)."""

    actions: tuple[Action, ...]
    score: float
    form: float = 0.0
    name: float = 0.0
    heeded: Floats | None = None
    """For each token the most attention that a step gave it which points to a column, a value, a number or a day."""
    attended: Floats | None = None
    """For each token the most attention that any step gave it."""


def guesses(linked: Linked, *, beams: int = 12, most: int = 16) -> list[Guess]:
    """The likeliest sketches, best first, as sequences of actions."""
    return _Search(following() if linked.before else network(), linked, beams, most).run()


@dataclass
class _Beam:
    actions: tuple[Action, ...]
    stack: tuple[tuple[str, int, int], ...]
    score: float
    form: float = 0.0
    name: float = 0.0
    heeded: Floats | None = None
    attended: Floats | None = None


class _Search:
    def __init__(self, net: Network, linked: Linked, beams: int, most: int) -> None:
        encoded: Mapping[str, Floats] = net.encode(linked)
        self.net, self.linked, self.beams, self.most = net, linked, beams, most
        self.tables = len(linked.index.tables)
        states = [encoded[k] for k in "CWND"]
        self.sizes = [len(s) for s in states]
        self.states = np.concatenate(states)
        keys = [net.linear(s, f"known.{LEAF[k]}") for k, s in zip("CWND", states, strict=True)]
        keys[0][: self.tables] = net.linear(encoded["C"][: self.tables], f"known.{LEAF['T']}")
        self.keys = keys
        w = net.w
        self.aligned: Floats = np.zeros((1, len(linked.tokens)), np.float32)
        """Where each hypothesis looks in the question at this step: (hypotheses, tokens), of sum 1."""
        self.aligned_to = net.linear(encoded["tokens"], "align_k")
        channels = encoded["token_fits"]
        self.fit = (product(channels, w["node_fit.weight"][0]) + w["node_fit.bias"]).astype(np.float32)
        self.fit[:, : self.tables] = product(channels[:, : self.tables], w["table_fit.weight"][0]) + w["table_fit.bias"]
        self.item_fits = w["item_fit.weight"][0, 0] * linked.item_tokens
        self.item_fits[: len(encoded["item_senses"])] += w["item_fit.weight"][0, 1] * encoded["item_senses"]
        self.item_bonus = (
            product(linked.item_features, w["item_bonus.weight"][0]) + w["item_bonus.bias"] + w["item_fit.bias"]
        )
        memory = encoded["memory"]
        self.memory = []
        for n in range(net.decoder_layers):
            k, v = np.split(net.linear(memory, f"decoder.{n}.kv2"), 2, -1)
            self.memory.append((net.split(k), net.split(v)))
        self.first = np.cumsum([len(PRODUCTIONS), *self.sizes])
        index = linked.index
        types = [c.type for _, c in index.columns]
        self.dated = np.array([False] * self.tables + [t in DATED for t in types])
        self.timed = np.array([False] * self.tables + [t == "datetime" for t in types])
        self.numeric = np.array([False] * self.tables + [t in NUMERIC for t in types])
        self.figures = self.numeric & ~np.array([False] * self.tables + identifiers(index))
        held = [index.tables[t].rows != c.missing for t, c in index.columns]
        self.held = np.array([False] * self.tables + held)
        """The columns that hold anything: of the others nothing can be told."""
        self.tabled = np.arange(self.sizes[0]) < self.tables
        self.kinds = self.dated + 2 * self.numeric
        """What may be held against each other: days, numbers, and all else."""
        self.item_columns = np.array([item.column for item in linked.items], int)
        self.years = np.array([_is_year(linked, place, value) for place, value in linked.numbers], bool)
        self.valid: dict[tuple[str, int, int], NDArray[np.bool_]] = {}
        none_of = {leaf for leaf, size in zip("WD", (self.sizes[1], self.sizes[3]), strict=True) if not size}
        self.sayable = np.array([none_of.isdisjoint(GRAMMAR[name][1:]) for name in PRODUCTIONS])
        """The productions whose leaves are there: no condition on a day where the question names none."""

    def run(self) -> list[Guess]:
        alive = [_Beam((), (("Q", len(PRODUCTIONS), 0),), 0.0)]
        past: list[tuple[Floats, Floats] | None] = [None] * self.net.decoder_layers
        done: list[Guess] = []
        for step in range(MOST_ACTIONS):
            scores, present = self.advance(alive, past, step)
            alive, origin, ended = self.expand(alive, scores)
            done += ended
            if not alive:
                break
            done.sort(key=lambda g: -g.score)
            if len(done) >= self.most and done[self.most - 1].score >= alive[0].score:
                break
            if len(done) >= ENOUGH:
                near = [n for n, beam in enumerate(alive) if beam.score >= done[0].score - BEHIND]
                alive, origin = [alive[n] for n in near], [origin[n] for n in near]
                if not alive:
                    break
            past = [(k[origin], v[origin]) for k, v in present]
        return done[: self.most]

    def advance(
        self, alive: Sequence[_Beam], past: list[tuple[Floats, Floats] | None], step: int
    ) -> tuple[Floats, list[tuple[Floats, Floats]]]:
        """Log-probabilities of every action for each hypothesis, and the keys and values with this step's."""
        net, w = self.net, self.net.w
        h = np.stack([self.input(beam) for beam in alive]) + w["step.weight"][step]
        present = []
        for n in range(net.decoder_layers):
            name = f"decoder.{n}"
            q, k, v = np.split(net.linear(net.norm(h, name + ".norm1"), name + ".qkv"), 3, -1)
            k, v = k[:, None], v[:, None]
            before = past[n]
            if before is not None:
                k, v = np.concatenate([before[0], k], 1), np.concatenate([before[1], v], 1)
            present.append((k, v))
            mixed = net.attend(net.split(q[:, None]), net.split(k), net.split(v), None)[:, 0]
            h = h + net.linear(mixed, name + ".out")
            asked = net.split(net.linear(net.norm(h, name + ".norm3"), name + ".q2"))
            key, value = self.memory[n]
            h = h + net.linear(net.attend(asked, key, value, None), name + ".out2")
            h = net.forward(h, name)
        h = net.norm(h, "last")
        scale = np.float32(self.net.width**-0.5)
        self.aligned = aligned = softmax(scale * product(net.linear(h, "align_q"), self.aligned_to.T))
        parts = [net.linear(h, "say")]
        for kind, keys in zip("CWND", self.keys, strict=True):
            score = product(net.linear(h, f"point.{LEAF[kind]}"), keys.T)
            if kind == "C":
                score[:, : self.tables] = product(net.linear(h, f"point.{LEAF['T']}"), keys[: self.tables].T)
            score = scale * score
            if kind == "C":
                score += product(aligned, self.fit)
            elif kind == "W":
                score += product(aligned, self.item_fits.T) + self.item_bonus
            parts.append(score)
        every = np.concatenate(parts, -1)
        may = np.stack([self.may(beam) for beam in alive])
        every[~may] = _NEVER
        every -= every.max(-1, keepdims=True)
        made: Floats = every - np.log(np.exp(every).sum(-1, keepdims=True))
        made[~may.any(-1)] = 2 * _NEVER  # nothing can follow: no hypothesis
        if self.years.any():
            unlike = [n for n, beam in enumerate(alive) if beam.stack[-1][0] == "N" and self.holds_no_year(beam)]
            numbers = made[:, int(self.first[2]) : int(self.first[3])]
            # What such a step had is lost, so that no other number is likelier for it.
            numbers[np.ix_(np.array(unlike, int), self.years)] = _NEVER
        return made, present

    def holds_no_year(self, beam: _Beam) -> bool:
        """Whether what was said last is no calendar year: a length of time, or a column whose numbers are others.
        Nobody is younger than 1965."""
        said = [PRODUCTIONS[number] if kind == "=" else "" for kind, number in beam.actions[-4:]]
        if "span" in said[-4:-3] or "age" in said[-3:-2]:
            return True
        kind, number = beam.actions[-1]
        ends = _ends(self.linked.index.columns[number][1]) if kind == "C" else None
        return ends is not None and (ends[1] < FIRST_YEAR or ends[0] > LAST_YEAR)

    def input(self, beam: _Beam) -> Floats:
        w = self.net.w
        wanted, parent, slot = beam.stack[-1]
        kind, number = beam.actions[-1] if beam.actions else ("=", len(PRODUCTIONS))
        if kind == "=":
            before = w["production.weight"][number]
        else:
            before = self.states[self.place(kind, number) - len(PRODUCTIONS)] + w["leaf.weight"][LEAF[kind]]
        here = w["parent.weight"][parent] + w["slot.weight"][min(slot, MOST_SLOT)]
        made: Floats = w["kind.weight"][KIND[wanted]] + here + before
        return made

    def place(self, kind: str, number: int) -> int:
        """Where a leaf stands among all actions."""
        start = {"T": 0, "C": 0, "W": 1, "N": 2, "D": 3}[kind]
        return int(self.first[start]) + number + (self.tables if kind == "C" else 0)

    def may(self, beam: _Beam) -> NDArray[np.bool_]:
        """The actions that the grammar and the columns' types allow next."""
        top = beam.stack[-1]
        found = self.valid.get(top)
        if found is None:
            found = self.valid[top] = self.made_mask(top)
        left = MOST_ACTIONS - len(beam.actions) - len(beam.stack)
        if left < 8:
            found = found.copy()
            for n, name in enumerate(PRODUCTIONS):
                found[n] &= len(GRAMMAR[name]) - 1 <= left
        beside = _said_beside(beam)
        if beside:
            found = found.copy()
            found[[self.place(*leaf) for leaf in beside]] = False
        if beside and beside[0][0] == "W":  # what is listed is of one column
            items = slice(int(self.first[1]), int(self.first[2]))
            found[items] &= self.item_columns == self.item_columns[beside[0][1]]
        if beside and beside[0][0] == "C" and PRODUCTIONS[beam.stack[-1][1]] in _COMPARED:
            columns = slice(int(self.first[0]), int(self.first[1]))
            found[columns] &= self.kinds == self.kinds[self.tables + beside[0][1]]
        return found

    def made_mask(self, top: tuple[str, int, int]) -> NDArray[np.bool_]:
        wanted, parent, _ = top
        made = np.zeros(len(PRODUCTIONS) + sum(self.sizes), bool)
        made[: len(PRODUCTIONS)] = self.net.may_say[KIND[wanted]] & self.sayable
        leaf = POINTED.get(wanted, "")
        if leaf:
            start = {"T": 0, "C": 0, "W": 1, "N": 2, "D": 3}[leaf]
            span = slice(int(self.first[start]), int(self.first[start]) + self.sizes[start])
            if leaf == "T":
                made[span] = self.tabled
            elif leaf == "C":
                name = PRODUCTIONS[parent] if parent < len(PRODUCTIONS) else ""
                fits = (
                    self.timed
                    if name in _WANT_TIME
                    else self.dated
                    if name in _WANT_DATE
                    else self.figures
                    if name in _COMPUTES and wanted == "V"
                    else self.numeric
                    if name in _WANT_NUMBER and wanted == "V"
                    else self.held
                )
                made[span] = fits & self.held
            else:
                made[span] = True
        return made

    def expand(self, alive: list[_Beam], scores: Floats) -> tuple[list[_Beam], list[int], list[Guess]]:
        total = scores + np.array([[b.score] for b in alive], np.float32)
        flat = total.ravel()
        count = min(3 * self.beams, flat.size)
        best = np.argpartition(-flat, count - 1)[:count]
        best = best[np.argsort(-flat[best])]
        kept: list[_Beam] = []
        origin: list[int] = []
        ended: list[Guess] = []
        for at in best:
            row, number = divmod(int(at), scores.shape[1])
            score = float(flat[at])
            if score < -1e8 or len(kept) >= self.beams:
                break
            made = self.taken(alive[row], number, score, self.aligned[row])
            if made.stack:
                kept.append(made)
                origin.append(row)
            else:
                ended.append(Guess(made.actions, made.score, made.form, made.name, made.heeded, made.attended))
        return kept, origin, ended

    def taken(self, beam: _Beam, number: int, score: float, aligned: Floats) -> _Beam:
        stack, step = beam.stack[:-1], score - beam.score
        attended = aligned if beam.attended is None else np.maximum(beam.attended, aligned)
        if number < len(PRODUCTIONS):
            parts = GRAMMAR[PRODUCTIONS[number]][1:]
            stack = (*stack, *((part, number, n) for n, part in reversed(list(enumerate(parts)))))
            actions = (*beam.actions, ("=", number))
            return _Beam(actions, stack, score, min(beam.form, step), beam.name, beam.heeded, attended)
        section = int(np.searchsorted(self.first, number, side="right")) - 1
        inside = number - int(self.first[section])
        if section == 0:
            action = ("T", inside) if inside < self.tables else ("C", inside - self.tables)
        else:
            action = ("CWND"[section], inside)
        heeded = aligned if beam.heeded is None else np.maximum(beam.heeded, aligned)
        return _Beam((*beam.actions, action), stack, score, beam.form, min(beam.name, step), heeded, attended)


def _ends(column: Column) -> tuple[float, float] | None:
    """The least and the highest of a column's numbers."""
    least, most = column.minimum, column.maximum
    if not isinstance(least, int | float | Decimal) or not isinstance(most, int | float | Decimal):
        return None
    return float(least), float(most)


def _is_year(linked: Linked, place: int, value: float) -> bool:
    """Whether a number is the year of a period that the question names."""
    named = any(period.start <= place < period.end for period in linked.periods)
    return named and FIRST_YEAR <= value <= LAST_YEAR


def _said_beside(beam: _Beam) -> tuple[Action, ...]:
    """The leaves that may not come again: nothing is held against, added to or listed beside itself."""
    _, parent, slot = beam.stack[-1]
    actions = beam.actions
    name = PRODUCTIONS[parent] if parent < len(PRODUCTIONS) else ""
    if slot and name in _APART:
        before = actions[-slot:]
        return before if all(kind != "=" for kind, _ in before) else actions[-1:] if actions[-1][0] != "=" else ()
    paired = len(actions) > 3 and actions[-4][0] == "=" and PRODUCTIONS[actions[-4][1]] in _PAIRED
    return actions[-2:-1] if paired and actions[-1] == actions[-3] and actions[-2][0] != "=" else ()
