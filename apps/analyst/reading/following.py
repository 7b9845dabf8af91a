"""Messages that go on from an answer: what they may mean, computed, each with its probability.

The plan that was answered before is said as a sentence and stands in front of the message. The network reads both
together, with small maps of its own beside its weights (`network.following`): what the message leaves unsaid it takes
from the sentence. The rules' change of the plan and the message read by itself are readings, too; a judge of its own
says how likely each is meant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from apps.analyst.computing.compute import Computed, computed_of
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.errors import AnalystError
from apps.analyst.knowledge.english import english
from apps.analyst.language import Reading
from apps.analyst.plan import Comparison, Plan, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.plan.stretches import plain
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.agreeing import figures_key, named_alone
from apps.analyst.reading.candidates import namer_of, open_days
from apps.analyst.reading.closeness import unknown_places
from apps.analyst.reading.composing import Unfit, compose, schema_of
from apps.analyst.reading.concrete import pointing, written
from apps.analyst.reading.features import Computed as Weighable
from apps.analyst.reading.features import covered
from apps.analyst.reading.linking import MOST_AFTER, Linked, link, tokens_of
from apps.analyst.reading.outcomes import with_whole_outcomes
from apps.analyst.reading.quantities import is_mixed
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.search import Guess, guesses
from apps.analyst.reading.sensing import Senses, senses_of
from apps.analyst.reading.sketch import in_any_order
from apps.analyst.reading.wholes import of_lines, with_wholes_counted
from apps.analyst.types import Question, Result

READER = Path(__file__).stem
JUDGE = Path(__file__).parent / "following_judge.npz"
BEAMS, MOST_GUESSES, MOST_COMPUTED = 8, 10, 6
MOST_NAMED = 2
"""Of a single row so many names are said: what "there" and "that one" point at."""
UNCHANGED = frozenset(f"{part}_kept" for part in ("conditions", "groups", "figures")) | {"listed", "source"}
"""Figures of what a plan keeps that count no change."""
OWN_WORDS = ("unused_numbers", "unused_periods", "unused_values", "lost_fit", "lost_sum", "lost_words")
"""Of the figures by which single questions are judged (`features`), those that tell what a message says and a plan
passes over. With all of them fewer likeliest readings were right of 715 turns (51.7 instead of 53.6 of 100)."""
UNSAID = -15.0
"""The log-probability of what the network did not write."""


@dataclass(frozen=True)
class Before:
    """The answer that a message goes on from."""

    plan: Plan
    result: Result | None

    @cached_property
    def sentence(self) -> str:
        """What stands in front of the message."""
        return sentence_before(self.plan, self.result.rows if self.result is not None else ())


@dataclass(frozen=True)
class Meant:
    """A reading of such a message with its result: by the network, by the rules' change, by the message alone."""

    plan: Plan
    computed: Computed
    guess: Guess | None = None
    score: float = UNSAID
    rank: int = MOST_GUESSES
    edited: Reading | None = None
    alone: Weighed | None = None


def sentence_before(plan: Plan, rows: Sequence[Sequence[Any]] = ()) -> str:
    """A plan in words, with the names of its result's row where that is a single one."""
    named = [cell for cell in rows[0] if isinstance(cell, str)][:MOST_NAMED] if len(rows) == 1 else []
    return " ".join([plan_sentence(plan).rstrip("."), *named])


def is_short(question: Question, before: Before) -> bool:
    """Whether message and sentence are few enough words to be read together."""
    return len(tokens_of(f"{before.sentence} {question.text}", MOST_AFTER + 1)) <= MOST_AFTER


def proposed_after(
    question: Question, before: Before, catalog: Catalog
) -> tuple[Linked, list[tuple[Plan, Guess, float]], float]:
    """What the network makes of a message behind a sentence: its plans, likeliest first, each with its
    log-probability; and the probability of what has no plan."""
    linked = link(question, catalog, before.sentence)
    said = [*linked.tokens[linked.before :], *(word for turn in question.turns for word in tokens_of(turn.question))]
    known, tables = dictionary_of(catalog), {t.name: t for t in catalog.tables()}
    schema = schema_of(tables, list(catalog.joins()), namer_of(catalog), question.today, known)
    places: dict[object, int] = {}
    made: list[tuple[Plan, Guess, float]] = []
    lost = 0.0
    for guess in guesses(linked, beams=BEAMS, most=MOST_GUESSES):
        plan = None
        with suppress(Unfit, AnalystError, ValueError):
            sketch = written(pointing(guess.actions), linked, question.today)
            key = in_any_order(sketch)
            if not is_mixed(sketch, known):
                whole = with_wholes_counted(plain(compose(sketch, schema)), linked.tokens, catalog)
                plan = of_lines(with_whole_outcomes(whole, said, catalog), catalog)
                if plan is not None:
                    validate(plan, catalog)
        if plan is None:
            lost += math.exp(guess.score)
        elif key in places:
            first, own, score = made[places[key]]
            made[places[key]] = (first, own, math.log(math.exp(score) + math.exp(guess.score)))
        else:
            places[key] = len(made)
            made.append((plan, guess, guess.score))
    return linked, sorted(_with_ends(made, linked, before.plan), key=lambda m: -m[2]), lost


def _with_ends(made: list[tuple[Plan, Guess, float]], linked: Linked, before: Plan) -> list[tuple[Plan, Guess, float]]:
    """The plans without those that leave an end of a period open which was closed before, where no word says so."""
    known, said = english(), set(linked.tokens[linked.before :])
    if said & (known.one_sided | known.one_sided_behind):
        return made
    kept = [one for one in made if open_days(one[0]) <= open_days(before)]
    return kept or made


def meant(
    question: Question,
    before: Before,
    catalog: Catalog,
    warehouse: Warehouse,
    edited: Sequence[Reading],
    alone: Sequence[Weighed],
) -> tuple[list[Meant], list[dict[str, float]]]:
    """All that a message may mean, one for each result, with the figures by which the judge weighs them. `edited` are
    the rules' changes of the plan before, `alone` what the message says by itself."""
    linked, plans, lost = proposed_after(question, before, catalog)
    made: dict[object, Meant] = {}
    mass: dict[object, float] = {}
    for rank, (plan, guess, score) in enumerate(plans):
        if rank >= MOST_COMPUTED and score < plans[0][2] - 4:
            break
        computed = computed_of(plan, catalog, warehouse, checked=True)
        if computed is not None:
            key = _key(computed)
            mass[key] = mass.get(key, 0.0) + math.exp(score)
            made.setdefault(key, Meant(plan, computed, guess, score, rank))
    for reading in edited:
        computed = computed_of(reading.plan, catalog, warehouse, checked=True)
        if computed is not None:
            had = made.get(_key(computed))
            own = Meant(reading.plan, computed, edited=reading)
            made[_key(computed)] = own if had is None else _both(had, own)
    for one in alone[:2]:
        key = _key(one.computed)
        had = made.get(key)
        made[key] = Meant(one.reading.plan, one.computed, alone=one) if had is None else replace(had, alone=one)
    every, said = list(made.values()), link(question, catalog)
    senses = senses_of(said)
    return every, [_figures(m, every, mass, lost, linked, before, alone) | _own_words(m, said, senses) for m in every]


def _own_words(one: Meant, said: Linked, senses: Senses | None) -> dict[str, float]:
    """Which of the message's own numbers, periods, values and words a reading does not use, whatever else it has from
    before."""
    found = covered(Weighable(one.plan, one.computed.result), said, senses)
    return {f"said_{name}": found[name] for name in OWN_WORDS}


def _both(had: Meant, edit: Meant) -> Meant:
    """A reading of the network that the rules' change comes to, too: told as the change, which keeps its form."""
    return replace(had, plan=edit.plan, computed=edit.computed, edited=edit.edited)


def _key(computed: Computed) -> object:
    return figures_key(named_alone(computed.result))


def _figures(
    one: Meant,
    every: Sequence[Meant],
    mass: Mapping[object, float],
    lost: float,
    linked: Linked,
    before: Before,
    alone: Sequence[Weighed],
) -> dict[str, float]:
    """What speaks for and against a reading."""
    key = _key(one.computed)
    own, total = mass.get(key, 0.0), sum(mass.values())
    rival = max((m for k, m in mass.items() if k != key), default=0.0)
    rows = one.computed.result.rows
    row = {
        "mass": math.log(own + 1e-6),
        "share": own / (total + lost + 1e-9),
        "margin": math.log(own + 1e-6) - math.log(rival + 1e-6),
        "total": total,
        "rank": float(one.rank),
        "form": one.guess.form if one.guess else UNSAID,
        "name": one.guess.name if one.guess else UNSAID,
        "edited": float(one.edited is not None),
        "edit": float(any(m.edited is not None for m in every)),
        "edit_score": one.edited.score if one.edited else 0.0,
        "alone": one.alone.reading.score if one.alone else 0.0,
        "alone_best": alone[0].reading.score if alone else 0.0,
        "rows": float(min(len(rows), 50)),
        "empty": float(not rows or all(cell is None for r in rows for cell in r)),
        "same": float(before.result is not None and figures_key(before.result) == figures_key(one.computed.result)),
    }
    return {**row, **_kept(one.plan, before.plan), **_looks(one, linked)}


def _kept(plan: Plan, before: Plan) -> dict[str, float]:
    """What a plan keeps of the one before."""
    now, then = _query(plan), _query(before)
    if now is None or then is None:
        return {"changed": 9.0, "queries": float(now is not None) - float(then is not None)}
    own, had = ({c.model_dump_json() for c in conjuncts(q.where)} for q in (now, then))
    groups, keys = ({g.expr.model_dump_json() for g in q.groups} for q in (now, then))
    told, figures = ({m.expr.model_dump_json() for m in q.measures} for q in (now, then))
    changes = {
        "conditions_kept": float(len(own & had)),
        "conditions_lost": float(len(had - own)),
        "conditions_new": float(len(own - had)),
        "groups_kept": float(len(groups & keys)),
        "groups_lost": float(len(keys - groups)),
        "groups_new": float(len(groups - keys)),
        "figures_kept": float(len(told & figures)),
        "figures_lost": float(len(figures - told)),
        "figures_new": float(len(told - figures)),
        "ordered": float(now.limit != then.limit or now.order != then.order),
        "listed": float(bool(now.columns)) - float(bool(then.columns)),
        "source": float(now.source != then.source),
    }
    parts = (value for name, value in changes.items() if name not in UNCHANGED)
    return {**changes, "changed": sum(min(value, 1.0) for value in parts), "queries": 0.0}


def _query(plan: Plan) -> Query | None:
    own = plan.query if isinstance(plan, Comparison) else plan
    return own if isinstance(own, Query) else None


def _looks(one: Meant, linked: Linked) -> dict[str, float]:
    """How the message's own words were heard: what the network looked at, what nobody knows."""
    stop = english().stopwords
    content = [n for n in range(linked.before, len(linked.tokens)) if linked.tokens[n] not in stop]
    made = {
        "words": float(len(linked.tokens) - linked.before),
        "content": float(len(content)),
        "unknown": float(len([n for n in unknown_places(linked) if n >= linked.before])),
        "sentence": float(linked.before),
    }
    heard = one.guess.heeded if one.guess else None
    looked = one.guess.attended if one.guess else None
    for name, seen in {"heeded": heard, "attended": looked}.items():
        own = seen[content] if seen is not None and content else np.zeros(1, np.float32)
        made |= {f"{name}_least": float(own.min()), f"{name}_mean": float(own.mean()), f"{name}_most": float(own.max())}
        made[f"{name}_passed"] = float((own < 0.15).sum())
    return made
