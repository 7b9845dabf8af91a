"""What a question says of an average and no sketch can: so many times of it ("double the average bill"), that of each
row's own group ("above the average of their department"), so much for each thousand. It is put into the plan of a
sketch; a plan that has no place for the first two is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from apps.analyst.knowledge.english import english
from apps.analyst.plan import Arithmetic, ColumnRef, Compare, Constant, Node, Output, Plan, Query, ScalarQuery
from apps.analyst.plan.nodes import every
from apps.analyst.reading.amounts import Amount
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.labels import per_many_label
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.mending import SAID

N = TypeVar("N", bound=Node)
FAR = 4
"""Words at most between a multiple and the average that it is of: "five times what the average guest spends"."""
BEFORE = 2
"""Words at most between "more than" and the multiple."""
OWN_WITHIN = 5
"""Words at most between an average and whose own it is: "the average sale in their own region"."""
LEAST_SCALE = 10
GROUPED = 60
"""Different values of a column up to which rows have groups of their own by it."""
_GLUED = re.compile(r"(\d+(?:\.\d+)?)x")


def against_average(plan: Plan, linked: Linked) -> Plan:
    """The plan with the average that the question holds something against. Raises Unfit where it has no place for
    it."""
    return _per_so_many(_of_own_group(_multiplied(plan, linked), linked), linked)


@dataclass(frozen=True, slots=True)
class Multiple:
    """So many times an average; `bound` where that itself is meant, too ("at least twice the average")."""

    value: float
    bound: bool = False


def asked_multiple(tokens: Sequence[str], amounts: Sequence[Amount]) -> Multiple | None:
    """How many times the average is meant: 2 of "more than double the average"; None where it is the average itself."""
    known = english()
    for place in range(len(tokens)):
        value = _times(place, tokens, amounts)
        if value is not None:
            return Multiple(value, not known.bounding.isdisjoint(tokens[max(0, place - BEFORE) : place]))
    return None


def _times(place: int, tokens: Sequence[str], amounts: Sequence[Amount]) -> float | None:
    """The multiple of an average that a word says, with the words behind it."""
    known, word, behind = english(), tokens[place], tokens[place + 1 : place + 1 + FAR]
    mean = next((n for n, after in enumerate(behind) if after in known.cues["mean"]), None)
    if mean is None or any(after in known.cues["grouped"] for after in behind[:mean]):
        return None
    if glued := _GLUED.fullmatch(word):
        return float(glued[1])
    if word in known.factors:
        return known.factors[word]
    said = next((a for a in amounts if a.place <= place < a.end), None)
    if said is None:
        return None
    if said.unit in known.percents or behind[0] in known.percents:
        return said.value / 100
    held = not known.holding.isdisjoint(tokens[max(0, place - BEFORE) : place])
    return said.value if behind[0] in known.multiplying and (held or mean > 1) else None


def _multiplied(plan: Plan, linked: Linked) -> Plan:
    multiple = asked_multiple(linked.tokens, linked.amounts)
    if multiple is None or multiple.value == 1 or _has(plan, multiple.value):
        return plan
    held = [node for node in every(plan) if isinstance(node, Compare) and isinstance(node.right, ScalarQuery)]
    if len(held) != 1:
        raise Unfit("so many times an average")
    times = Arithmetic(op="*", left=held[0].right, right=Constant(value=multiple.value, type="number"))
    op = {">": ">=", "<": "<="}.get(held[0].op, held[0].op) if multiple.bound else held[0].op
    return _replaced(plan, held[0], held[0].model_copy(update={"right": times, "op": op}))


def _has(plan: Plan, multiple: float) -> bool:
    """Whether the plan multiplies by the number already, or divides by what comes to it."""
    parts = (part for node in every(plan) if isinstance(node, Arithmetic) for part in (node.left, node.right))
    said = {float(p.value) for p in parts if isinstance(p, Constant) and isinstance(p.value, int | float)}
    return not said.isdisjoint({multiple, 1 / multiple, multiple * 100})


def _per_so_many(plan: Plan, linked: Linked) -> Plan:
    """A ratio times what it is told for: "revenue per 1,000 emails"."""
    known = english()
    named = {place for period in linked.periods for place in range(period.start, period.end)}
    said = [
        a.value
        for a in linked.amounts
        if a.value >= LEAST_SCALE and not a.unit and a.place not in named
        if linked.tokens[max(0, a.place - 1)] in known.cues["grouped"]
    ]
    if len(said) != 1 or not isinstance(plan, Query) or len(plan.measures) != 1 or _has(plan, said[0]):
        return plan
    measure = plan.measures[0]
    if not isinstance(measure.expr, Arithmetic) or measure.expr.op != "/":
        return plan
    label = per_many_label(measure.label, said[0])
    scaled = Arithmetic(op="*", left=measure.expr, right=Constant(value=said[0], type="number"))
    order = tuple(o.model_copy(update={"by": label}) if o.by == measure.label else o for o in plan.order)
    told = measure.model_copy(update={"label": label, "expr": scaled})
    return plan.model_copy(update={"measures": (told,), "order": order})


def _of_own_group(plan: Plan, linked: Linked) -> Plan:
    """The plan with the average of each row's own group in the place of that of all rows."""
    held = [node for node in every(plan) if isinstance(node, Compare) and _mean(node) is not None]
    column = _own_group(linked) if held else None
    if column is None:
        return plan
    mean = _mean(held[0])
    if len(held) != 1 or mean is None or not isinstance(mean.query.source, str) or mean.query.groups:
        raise Unfit("an average of each one's own group")
    tables = {mean.query.source, *(join.table for join in mean.query.joins)}
    if column.table not in tables:
        raise Unfit("an average of each one's own group")
    group = Output(label=column.column, expr=column)
    taken = {output.label for output in mean.query.measures}
    if group.label in taken:
        group = group.model_copy(update={"label": f"{group.label} (group)"})
    own = ScalarQuery(query=mean.query.model_copy(update={"groups": (group,)}), own=column)
    return _replaced(plan, mean, own)


def _mean(node: Compare) -> ScalarQuery | None:
    """The average that a row's value is held against; None where the comparison is with something else."""
    right = node.right.left if isinstance(node.right, Arithmetic) else node.right
    return right if isinstance(right, ScalarQuery) and right.own is None else None


def _own_group(linked: Linked) -> ColumnRef | None:
    """The column that groups rows, where the average of each one's own group is meant: the word behind "their own"."""
    known, offset = english(), len(linked.index.tables)
    for place, word in enumerate(linked.tokens):
        near = linked.tokens[max(0, place - OWN_WITHIN) : place]
        if word not in known.own or known.cues["mean"].isdisjoint(near):
            continue
        for n in range(place + 1, min(place + 3, len(linked.tokens))):
            fits = [
                (float(linked.channels[n, offset + c, 0]), c)
                for c, (_, column) in enumerate(linked.index.columns)
                if 1 < column.distinct <= GROUPED
            ]
            fit, best = max(fits, default=(0.0, 0))
            if fit >= SAID:
                table, column = linked.index.columns[best]
                return ColumnRef(table=linked.index.tables[table].name, column=column.name)
    return None


def _replaced(node: N, old: Node, new: Node) -> N:
    """The node with one below it replaced, those of inner queries included."""
    updates: dict[str, object] = {}
    for name, value in node.__dict__.items():
        parts = value if isinstance(value, tuple) else (value,)
        made = tuple(
            new if part is old else _replaced(part, old, new) if isinstance(part, Node) else part for part in parts
        )
        if any(one is not other for one, other in zip(made, parts, strict=True)):
            updates[name] = made if isinstance(value, tuple) else made[0]
    return node.model_copy(update=updates) if updates else node
