"""All restrictions of a sketch as one predicate over a scan; those on far sides become semi-joins."""

from __future__ import annotations

from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.predicates import Restriction, restrictions
from apps.analyst.language.scan import Scan
from apps.analyst.plan import (
    Among,
    AnyOf,
    Between,
    Compare,
    Expr,
    Not,
    Predicate,
)
from apps.analyst.plan.conditions import together


def restrict(draft: Draft, scan: Scan) -> tuple[Predicate | None, int]:
    """All restrictions as one predicate over the scan; those on far sides as semi-joins, several on one far side
    together."""
    near: list[Predicate] = []
    far: list[tuple[str, list[Predicate]]] = []
    absent: list[Restriction] = []
    for condition in draft.conditions:
        # "guests who drank tea and milk": they may have had both; "guests from Oslo and Bergen" are from either.
        far_away = condition.summed and condition.slot is not None and _far(draft, scan, condition.slot.best.table)
        condition.every = condition.every or far_away
    found = _without_said_twice(sorted(restrictions(draft), key=lambda restriction: restriction.item))
    lost = draft.unmet
    for either in _alternatives(found):
        each = [_alone(scan, restriction) for restriction in either]
        held = [predicate for predicate in each if predicate is not None]
        near += [AnyOf(of=tuple(held))] if len(held) > 1 else held
        lost += len(held) < len(each)
    for restriction in found:
        predicate = restriction.predicate
        if predicate is None:
            if restriction.negated:
                absent.append(restriction)
            elif not absent:
                lost += _existence(scan, restriction, near)
        elif absent and restriction.table not in scan.joined and _far(draft, scan, restriction.table):
            far.append((restriction.table, [predicate]))
        elif _is_near(draft, scan, restriction) and scan.reach(restriction.table) and scan.reach_all_of(predicate):
            _add_near(near, _signed(restriction))
        elif restriction.negated or restriction.apart:
            inner = scan.among(restriction.table, predicate, negated=restriction.negated)
            near.extend([inner] if inner is not None else [])
            lost += inner is None
        else:
            _add_far(far, restriction.table, predicate)
    if absent:
        table, held = far[0] if far else (absent[-1].table, [])
        inner = scan.among(table, together([p for _, predicates in far for p in predicates] or held), negated=True)
        near.extend([inner] if inner is not None else [])
        return together(near), lost + (inner is None)
    for table, held in _of_one_row(draft, scan, far):
        inner = scan.among(table, together(held))
        near.extend([inner] if inner is not None else [])
        lost += inner is None
    return together(near), lost


def _without_said_twice(found: list[Restriction]) -> list[Restriction]:
    """ "companies with open tickets" have tickets: that there are some is said by that there are open ones."""
    told = {r.table for r in found if r.predicate is not None and not r.negated and not r.alternative}
    return [r for r in found if r.predicate is not None or r.negated or r.table not in told]


def _alternatives(found: list[Restriction]) -> list[list[Restriction]]:
    """Takes out the conditions that "or" joins, each run of them together."""
    runs: list[list[Restriction]] = []
    for index in range(len(found) - 1, 0, -1):
        if index < len(found) and found[index].alternative:
            run = [found.pop(index)] + (runs.pop() if runs and runs[-1][0].alternative else [])
            runs.append(run)
            if not found[index - 1].alternative:
                run.insert(0, found.pop(index - 1))
    return runs


def _alone(scan: Scan, restriction: Restriction) -> Predicate | None:
    """One of several conditions any of which may hold, by itself; None where nothing joins its table."""
    if restriction.table in scan.joined and restriction.predicate is not None:
        return _signed(restriction)
    return scan.among(restriction.table, restriction.predicate, negated=restriction.negated)


def _of_one_row(draft: Draft, scan: Scan, far: list[tuple[str, list[Predicate]]]) -> list[tuple[str, list[Predicate]]]:
    """Conditions that speak of one far row: "out of stock in Oslo" is said of the same row of the stock."""
    found: list[tuple[str, list[Predicate]]] = []
    for table, held in far:
        steps = draft.lexicon.schema.path(scan.base, table) or ()
        passed = {step.target for step in steps[:-1]}
        pinned = {_exact_column(p) for _, predicates in found for p in predicates}
        before = next((i for i, (other, _) in enumerate(found) if other in passed), None)
        if before is not None and not any(_exact_column(p) in pinned - {None} for p in held):
            found[before] = (table, [*found[before][1], *held])
        else:
            found.append((table, held))
    return found


def _is_near(draft: Draft, scan: Scan, restriction: Restriction) -> bool:
    if restriction.table in scan.joined:
        return not (restriction.apart and not restriction.negated and restriction.table != scan.base)
    return not (restriction.negated and _far(draft, scan, restriction.table)) and not (
        restriction.apart and not restriction.negated
    )


def _add_near(near: list[Predicate], predicate: Predicate) -> None:
    """Two exact tests of one column cannot both hold in a row: "in 2014 and 2015" means either."""
    for index, other in enumerate(near):
        if _exact_column(other) is not None and _exact_column(other) == _exact_column(predicate):
            near[index] = AnyOf(of=(*(other.of if isinstance(other, AnyOf) else (other,)), predicate))
            return
    near.append(predicate)


def _add_far(far: list[tuple[str, list[Predicate]]], table: str, predicate: Predicate) -> None:
    """Conditions on one far table hold for the same row of it, unless they test one column exactly ("both A and B")."""
    for other, held in far:
        if other == table and not any(
            _exact_column(p) is not None and _exact_column(p) == _exact_column(predicate) for p in held
        ):
            held.append(predicate)
            return
    far.append((table, [predicate]))


def _exact_column(predicate: Predicate) -> Expr | None:
    """The expression that a predicate pins to one value or period."""
    if isinstance(predicate, AnyOf):
        return _exact_column(predicate.of[0])
    if isinstance(predicate, Compare) and predicate.op == "=":
        return predicate.left
    if isinstance(predicate, Between) and predicate.half_open:
        return predicate.of
    return None


def _far(draft: Draft, scan: Scan, table: str) -> bool:
    return all(draft.lexicon.schema.path(start, table, one=True) is None for start in scan.joined)


def _existence(scan: Scan, restriction: Restriction, predicates: list[Predicate]) -> int:
    if restriction.table == scan.base or (restriction.table in scan.joined and not restriction.negated):
        return 0
    inner = scan.among(restriction.table, None, negated=restriction.negated)
    if inner is None:
        return 1
    predicates.append(inner)
    return 0


def _signed(restriction: Restriction) -> Predicate:
    predicate = restriction.predicate
    assert predicate is not None
    if not restriction.negated:
        return predicate
    if isinstance(predicate, Compare):
        return predicate.model_copy(update={"op": "!=" if predicate.op == "=" else "="})
    if isinstance(predicate, Among):
        return predicate.model_copy(update={"negated": True})
    return Not(of=predicate)
