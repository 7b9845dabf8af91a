"""Counting a check: which answers are one, who read and who only computed them, and what follows for each of them."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.approaches.consensus import Standing, Vote, same, standings
from apps.analyst.approaches.grounds import Grounds
from apps.analyst.approaches.names import BUILTIN, MEMORY, NAMES, OTHERWISE, READERS, RECOUNTS, trust_in
from apps.analyst.approaches.rereading import Own, Reread
from apps.analyst.reading.judging import sure_from, trained
from apps.analyst.types import Result

PERSON, UNKNOWN = "person", "unknown"
"""Who read what was selected, where no reader reads it so."""


def tallied(
    text: str, results: Sequence[tuple[str, Result]], heard: Reread, *, recounted: str, chosen: bool = False
) -> tuple[list[Standing], list[Grounds]]:
    """Where each answer stands and what was found out about it. `results` are the approaches with what they came to,
    the selected one first; `recounted` is the approach whose reading the recounts computed anew. Where a person has
    `chosen` the selected answer's reading, that is a reading too."""
    names = [name for name, _ in results]
    votes = [
        Vote(result, selected=place == 0, trust=trust_in(name), readings=_readings(place, names, heard, chosen))
        for place, (name, result) in enumerate(results)
    ]
    placed = standings(votes)
    groups = [standing.group for standing in placed]
    readings = _read_by(results, groups, heard)
    if chosen:
        readings[PERSON] = groups[0]
    elif groups[0] not in readings.values():
        readings[UNKNOWN] = groups[0]
    return placed, [_grounds(place, text, results, groups, readings, heard, recounted) for place in range(len(results))]


def _readings(place: int, names: Sequence[str], heard: Reread, chosen: bool) -> int:
    """For how many independent readings an answer speaks: the selected one also for readers that agree with it and
    have no answer of their own in the check."""
    name = names[place]
    if place:
        return 0 if name in RECOUNTS or name == OTHERWISE else 1
    told = heard.own[:1] if BUILTIN in names[1:] else ()
    silent = [own for own in heard.own if own.agrees and own.reader not in names and own not in told]
    return len(silent) + (_is_model(name) or chosen)


def _read_by(results: Sequence[tuple[str, Result]], groups: Sequence[str], heard: Reread) -> dict[str, str]:
    """The group that each independent reading came to; those too unlikely to count against anybody come to none."""
    found = {name: group for (name, _), group in zip(results, groups, strict=True) if _is_model(name)}
    for own in (own for own in heard.own if own.counts):
        group = _group_of(own, results, groups)
        if group is not None:
            found[own.reader] = group
    return found


def _group_of(own: Own, results: Sequence[tuple[str, Result]], groups: Sequence[str]) -> str | None:
    met = (g for (_, result), g in zip(results, groups, strict=True) if same(result, own.computed.result))
    return next(met, None)


def _grounds(
    place: int,
    text: str,
    results: Sequence[tuple[str, Result]],
    groups: Sequence[str],
    readings: dict[str, str],
    heard: Reread,
    recounted: str,
) -> Grounds:
    mine = groups[place]
    name, result = results[place]
    # What was decided otherwise and what was proven before are no readings of their own, but may contradict one.
    beside = {n: g for (n, _), g in zip(results, groups, strict=True) if n in (OTHERWISE, MEMORY) and g != mine}
    computed = {n: g for (n, _), g in zip(results, groups, strict=True) if n in RECOUNTS or n == recounted}
    others = [group for way, group in computed.items() if way != name] if name in computed else []
    against = [group for group in (readings | beside).values() if group != mine]
    doubtful = mine == groups[0]
    return Grounds(
        computed_same=others.count(mine),
        computed_other=len(others) - others.count(mine),
        read_same=sum(group == mine for reader, group in readings.items() if reader != UNKNOWN),
        read_other=len(against),
        unread=tuple(text[start:end] for start, end in heard.unread) if doubtful else (),
        chance=_low(heard.chance) if doubtful else None,
        one_figure=result.total_rows == 1,
    )


def _low(chance: float | None) -> float | None:
    return chance if chance is not None and trained() and chance < sure_from() else None


def _is_model(name: str) -> bool:
    return name not in NAMES and name not in READERS
