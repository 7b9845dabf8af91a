"""What speaks for and against a reading, as figures: for the judge, which weighs them (`judging`). Nothing is
decided here."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from apps.analyst.plan import (
    Aggregate,
    ColumnRef,
    Constant,
    Plan,
    Query,
    TextMatch,
)
from apps.analyst.plan.nodes import every
from apps.analyst.reading import forms
from apps.analyst.reading.agreeing import Told, figures_key, named_alone
from apps.analyst.reading.amounts import Amount
from apps.analyst.reading.candidates import Proposed
from apps.analyst.reading.closeness import closest, content_places
from apps.analyst.reading.coverage import (
    LOST,
    NEAR_ENOUGH,
    chosen_of,
    own_fits,
    places_of,
    said_fit,
    said_in,
    strangers,
    strangest,
    unused_values,
)
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.sensing import COMPARED_SENSES, SENSES, Senses, sensed, senses_of
from apps.analyst.reading.vectors import Floats
from apps.analyst.types import Result

READERS = (
    "query",
    "lookup",
    "statistics",
    "arithmetic",
    "metrics",
    "hierarchy",
    "across",
    "comparing",
    "contrasts",
    "flowing",
)
"""Those whose readings the judge was fitted to; three of them are gone, and none of its trees asks for these."""
LOOKS = (
    "heeded_least", "heeded_mean", "heeded_lower", "unheeded", "unheeded_names", "heeded_lost", "heeded_lost_sum",
    "seen_least", "seen_mean", "unseen",
)  # fmt: skip
"""What is told of where the network looked; 0 of readings that are not the network's."""
HEEDED = 0.15
"""The least attention by which a word was looked at."""
MOST_ROWS = 30
"""More rows than these speak against no reading. Who writes sets of questions keeps their answers short (1 of 500 has
more), so that the judge learned to mistrust every figure by customer of whoever has a hundred customers."""
LONE = -4.0
"""The score of the rival of a reading that has none."""


@dataclass(frozen=True)
class Computed:
    """A reading with its result: by the network (`network` its log-probability), by another reader (`rules` its
    score), or by both."""

    plan: Plan
    result: Result
    network: float | None = None
    rank: int = 0
    rules: float | None = None
    reader: str = ""
    edits: int = 0
    """What was put into the network's sketch (`mending`): `network` is then that of the sketch as it was."""
    form: float = 0.0
    name: float = 0.0
    """The network's least sure step among those that shape the sketch, and among those that point to what is named."""
    heeded: Floats | None = None
    attended: Floats | None = None
    """How much attention the network gave each token, at most: where it pointed to something, and anywhere
    (`search.Guess`)."""


def features(readings: Sequence[Computed], proposed: Proposed) -> list[dict[str, float]]:
    """The figures of each reading among all of them, in their order."""
    keys = [figures_key(named_alone(r.result)) for r in readings]
    mass: dict[Any, float] = {}
    for reading, key in zip(readings, keys, strict=True):
        if reading.network is not None and not reading.edits:
            mass[key] = mass.get(key, 0.0) + math.exp(reading.network)
    best_rules = next((k for r, k in zip(readings, keys, strict=True) if r.rules is not None), None)
    told = {key: Told(named_alone(r.result)) for r, key in zip(readings, keys, strict=True)}
    every = sum(mass.values()) + proposed.lost
    agreed = {key: _agreement(key, told, mass) for key in told}
    shared, senses = _question(proposed.linked), senses_of(proposed.linked)
    looked = [reading.heeded for reading in readings if reading.heeded is not None]
    most = np.max(looked, 0) if looked else None
    made = []
    for reading, key in zip(readings, keys, strict=True):
        own = mass.get(key, 0.0)
        rivals = max((m for k, m in mass.items() if k != key), default=0.0)
        rules = max(
            (r.rules for r, k in zip(readings, keys, strict=True) if k == key and r.rules is not None), default=None
        )
        row = {
            "network": float(own > 0),
            "mass": own,
            "log_mass": math.log(own + 1e-6),
            "share": own / (every + 1e-9),
            "total": every,
            "rival": rivals,
            "margin": math.log(own + 1e-6) - math.log(rivals + 1e-6),
            "first": float(own > 0 and own >= rivals),
            "rank": float(reading.rank),
            "edits": float(reading.edits),
            "weakest_form": reading.form,
            "weakest_name": reading.name,
            "origin": math.exp(reading.network) if reading.edits and reading.network is not None else 0.0,
            "mended_beside": float(any(r.edits for r in readings)),
            "rules": float(rules is not None),
            "rules_score": rules or 0.0,
            "rules_sure": float((rules or 0.0) >= 0.9),
            "rules_differ": float(best_rules is not None and best_rules != key),
            "no_rules": float(best_rules is None),
            "results": float(len(set(keys))),
            **agreed[key],
            **{f"reader_{name}": float(reading.reader == name) for name in READERS},
            **_result(reading.result),
            **_plan(reading.plan),
            **shared,
            **covered(reading, proposed.linked, senses),
            **_form(proposed.linked, reading.plan),
            **_heeded(reading, proposed.linked, most),
        }
        row["unmet"] = sum(v for k, v in row.items() if k.startswith("unmet_"))
        row["unasked"] = sum(v for k, v in row.items() if k.startswith("unasked_"))
        made.append(row)
    return _beside(made)


def _agreement(key: Any, told: Mapping[Any, Told], mass: Mapping[Any, float]) -> dict[str, float]:
    """How likely the network holds a result with all that it covers (`agreeing`), and the likeliest of those that say
    something else."""
    covered = {k for k in told if k == key or told[key].covers(told[k])}
    covering = {k for k in told if k not in covered and told[k].covers(told[key])}
    own = sum(mass.get(k, 0.0) for k in covered)
    beyond = max((mass.get(k, 0.0) for k in told if k not in covered), default=0.0)
    apart = max((mass.get(k, 0.0) for k in told if k not in covered | covering), default=0.0)
    return {
        "mass_told": own,
        "told_more": max((mass.get(k, 0.0) for k in covering), default=0.0),
        "rival_told": beyond,
        "margin_told": math.log(own + 1e-6) - math.log(beyond + 1e-6),
        "margin_apart": math.log(own + 1e-6) - math.log(apart + 1e-6),
        "results_apart": float(len(told) - len(covered) - len(covering)),
    }


def _form(linked: Linked | None, plan: Plan) -> dict[str, float]:
    if linked is None:
        return {}
    within = {place for mention in linked.periods for place in range(mention.start, mention.end)}
    return forms.figures(linked.tokens, plan, within)


def _heeded(reading: Computed, linked: Linked | None, most: Floats | None) -> dict[str, float]:
    """How much of the question the network looked at: a word of content that it never looked at is passed over,
    whatever it may be near to. `most` is the most that any reading gave each token where it pointed to something."""
    content = content_places(linked) if linked is not None else []
    if reading.heeded is None or reading.attended is None or most is None or linked is None or not len(content):
        return dict.fromkeys(LOOKS, 0.0)
    named = {place for one in linked.periods for place in range(one.start, one.end)}
    own, seen, lost = (found[content] for found in (reading.heeded, reading.attended, most - reading.heeded))
    rest = np.sort(reading.heeded[[place for place in content if place not in named]])
    return {
        "heeded_least": float(own.min()),
        "heeded_mean": float(own.mean()),
        "heeded_lower": float(rest[: len(rest) // 2 + 1].mean()) if len(rest) else 1.0,
        "unheeded": float((own < HEEDED).sum()),
        "unheeded_names": float((rest < HEEDED).sum()),
        "heeded_lost": float(lost.max()),
        "heeded_lost_sum": float(lost.sum()),
        "seen_least": float(seen.min()),
        "seen_mean": float(seen.mean()),
        "unseen": float((seen < HEEDED).sum()),
    }


def _beside(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    """The figures with how far each that the readings differ in lies above the least and below the most of them."""
    if not rows:
        return rows
    for name in COMPARED:
        values = [row[name] for row in rows]
        least, most = min(values), max(values)
        for row in rows:
            row[f"{name}_above"], row[f"{name}_below"] = row[name] - least, most - row[name]
    return rows


def _result(result: Result) -> dict[str, float]:
    cells = [v for row in result.rows[:50] for v in row]
    rows = len(result.rows)
    return {
        "rows": math.log1p(min(rows, MOST_ROWS)),
        "one_row": float(rows == 1),
        "columns": float(len(result.columns)),
        "empty": float(not rows or all(v is None for v in cells)),
        "zero": float(rows == 1 and len(cells) == 1 and cells[0] == 0),
        "some_missing": float(any(v is None for v in cells)),
        "many_rows": 0.0,  # trees of the judge ask for it: of what they learned from, nothing so long was right
        "whole": float(rows == 1 and len(cells) == 1 and isinstance(cells[0], int)),
    }


def _plan(plan: Plan) -> dict[str, float]:
    nodes = list(every(plan))
    queries = [n for n in nodes if isinstance(n, Query)]
    tables = {n.table for n in nodes if isinstance(n, ColumnRef) and n.table}
    aggregates = [n for n in nodes if isinstance(n, Aggregate)]
    top = plan if isinstance(plan, Query) else None
    return {
        "nodes": math.log1p(len(nodes)),
        "tables_used": float(len(tables)),
        "joins": float(sum(len(q.joins) for q in queries)),
        "nested": float(len(queries) > 1),
        "conditions": float(sum(isinstance(n, Constant) for n in nodes)),
        "partial": float(any(isinstance(n, TextMatch) for n in nodes)),
        "grouped": float(top is not None and bool(top.groups)),
        "listing": float(top is not None and bool(top.columns)),
        "limited": float(top is not None and top.limit is not None),
        "counts": float(any(a.fn == "count" for a in aggregates)),
        "sums": float(any(a.fn == "sum" for a in aggregates)),
        "means": float(any(a.fn in ("avg", "median") for a in aggregates)),
        "filtered": float(any(a.where is not None for a in aggregates)),
        "special": float(not isinstance(plan, Query)),
        "bare": float(top is not None and top.where is None and not top.groups and top.limit is None),
    }


def _question(linked: Linked | None) -> dict[str, float]:
    if linked is None:
        return {
            "words": 0.0,
            "tables": 0.0,
            "nodes_all": 0.0,
            "unknown": 0.0,
            "unfit": 0.0,
            "unfit_share": 0.0,
            "worst": 0.0,
            "mean_fit": 0.0,
            "strangers": 0.0,
            "strangest": 1.0,
        }
    content = content_places(linked)
    fit = closest(linked)
    own = [float(fit[n]) for n in content]
    return {
        "words": float(len(linked.tokens)),
        "tables": float(len(linked.index.tables)),
        "nodes_all": math.log1p(len(linked.index.names)),
        "unknown": float(sum(bool(linked.token_features[n, 6]) for n in content)),
        "unfit": float(sum(f < NEAR_ENOUGH for f in own)),
        "unfit_share": sum(f < NEAR_ENOUGH for f in own) / max(1, len(own)),
        "worst": min(own, default=1.0),
        "mean_fit": sum(own) / max(1, len(own)),
        "strangers": float(strangers(linked)),
        "strangest": strangest(linked),
    }


def covered(reading: Computed, linked: Linked | None, senses: Senses | None) -> dict[str, float]:
    """Which numbers, periods, stored values and words of the question the plan does not use, and how much better
    words would fit elsewhere."""
    if linked is None:
        return dict.fromkeys((*COVERAGE, *SENSES), 0.0)
    nodes = list(every(reading.plan))
    said = said_in(nodes)
    limits = {str(q.limit) for q in nodes if isinstance(q, Query) and q.limit}
    named = {place for p in linked.periods for place in range(p.start, p.end)}
    numbers = [amount for amount in linked.amounts if amount.place not in named]
    places, chosen = places_of(linked, nodes), chosen_of(linked, nodes, said)
    exact, alike, stated = (
        unused_values(linked, said, feature, least) for feature, least in ((3, 0.4), (2, 0.99), (8, 0.9))
    )
    own = own_fits(linked, places, chosen)
    content = content_places(linked)
    fit = own[content]
    lost = (closest(linked) - own)[content]
    count = max(1, len(content))
    return {
        "unused_numbers": float(sum(not _is_used(amount, limits, said) for amount in numbers)),
        "unused_periods": float(
            sum(not any(d.isoformat() in said for r in p.ranges for d in r) for p in linked.periods if not p.counted)
        ),
        "unused_values": float(exact > 0),
        "unused_alike": float(alike > 0),
        "unused_states": float(stated > 0),
        "unused_words": float((fit < NEAR_ENOUGH).sum()),
        "used_fit": float(fit.sum()) / count,
        "unused_share": float((fit < NEAR_ENOUGH).sum()) / count,
        "lost_fit": float(lost.max()) if len(lost) else 0.0,
        "lost_sum": float(lost.sum()),
        "lost_words": float((lost > LOST).sum()),
        "values_said": said_fit(linked, chosen),
        "values_chosen": float(len(chosen)),
        **sensed(senses, places, chosen),
    }


def _is_used(amount: Amount, limits: Collection[str], said: str) -> bool:
    return any(f"{value:g}" in limits or f"{value:g}" in said for value in amount.spellings())


COVERAGE = (
    "unused_numbers", "unused_periods", "unused_values", "unused_alike", "unused_states", "unused_words", "used_fit",
    "unused_share", "lost_fit", "lost_sum", "lost_words", "values_said", "values_chosen",
)  # fmt: skip


COMPARED = (
    "weakest_form", "weakest_name", "unused_values", "unused_numbers", "unused_periods", "used_fit", "lost_sum",
    "lost_fit", "values_said", "conditions", "nodes", "tables_used", "unmet", "unasked", "rows", *COMPARED_SENSES,
)  # fmt: skip
"""Figures that are also told as they stand among all readings of a question."""


def table(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> list[list[float]]:
    """The figures as rows of numbers, in the order of `names`."""
    return [[row.get(name, 0.0) for name in names] for row in rows]
