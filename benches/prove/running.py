"""R1 to R9: questions under load, under faults, and whatever befalls those who work on them."""

from __future__ import annotations

import ast

from benches.prove.devices import Devices, Output
from benches.prove.goal import Finding

SEND_MS, POLL_MS = 500.0, 250.0
LONGEST_RUN = 115.0
LATE_SECONDS = 5.0


def load(devices: Devices) -> Finding:
    """R1."""
    people, questions, minutes = devices.of(50, 6), devices.of(20, 2), max(0.2, 10 * devices.scale)
    printed = devices.bench("load", LOAD_USERS=people, LOAD_QUESTIONS=questions, LOAD_MINUTES=min(10, minutes))
    errors, broken = map(int, printed.figures(r"errors (\d+), broken calls (\d+)"))
    send, poll = (float(printed.figures(rf"{kind} .*?p95 +([\d.]+) ms")[0]) for kind in ("send", "poll"))
    met = printed.ended_well and errors == broken == 0 and send <= SEND_MS and poll <= POLL_MS
    said = f"{people} people, {questions} in flight: {errors} errors, {broken} broken calls, p95 of send {send:.0f} ms"
    return Finding(f"{said}, of a poll {poll:.0f} ms", met)


def endings(devices: Devices) -> Finding:
    """R2."""
    runs = devices.of(500, 20)
    printed = devices.bench("endings", ENDINGS_RUNS=runs)
    states, longest = printed.figures(r"went wrong: (\{.*?\}); longest ([\d.]+) s")
    counted: dict[str, int] = ast.literal_eval(states)
    ended = sum(count for state, count in counted.items() if state in ("completed", "failed", "cancelled"))
    met = printed.ended_well and ended == runs and float(longest) <= LONGEST_RUN
    return Finding(f"{ended} of {runs} runs ended ({counted}), the longest after {longest} s", met)


NOTHING = dict.fromkeys(
    ("FAULT_RUNS", "FAULT_KILLS", "FAULT_BROKER_RESTARTS", "FAULT_BROKER_LOSSES", "FAULT_DATABASE_RESTARTS"), 0
) | {"FAULT_THRICE": 0}


def kills(devices: Devices) -> Finding:
    """R3."""
    runs, killed = devices.of(200, 12), devices.of(50, 2)
    printed = devices.bench("faults", **{**NOTHING, "FAULT_RUNS": runs, "FAULT_KILLS": killed})
    figure, met = _story(printed, f"{killed} workers killed")
    return Finding(figure, met)


def brokers(devices: Devices) -> Finding:
    """R4."""
    runs, restarts, losses = devices.of(100, 12), devices.of(10, 1), devices.of(3, 1)
    sizes = {"FAULT_RUNS": runs, "FAULT_BROKER_RESTARTS": restarts, "FAULT_BROKER_LOSSES": losses}
    printed = devices.bench("faults", **{**NOTHING, **sizes})
    stories = [_story(printed, f"{restarts} restarts of the broker"), _story(printed, f"{losses} losses of the broker")]
    return Finding("; ".join(figure for figure, _ in stories), all(met for _, met in stories))


def databases(devices: Devices) -> Finding:
    """R5."""
    runs, restarts = devices.of(100, 12), devices.of(5, 1)
    printed = devices.bench("faults", **{**NOTHING, "FAULT_RUNS": runs, "FAULT_DATABASE_RESTARTS": restarts})
    figure, met = _story(printed, f"{restarts} restarts of the database")
    usual, worst, late = printed.figures(r"normal after ([\d.]+) s, at most ([\d.]+) s .*?late (\d+) of")
    elsewhere, halves = printed.figures(r"at other times (\d+) .*?half-written threads (\d+)")
    figure += f"; normal after {usual} s, at most {worst} s; {elsewhere} calls failed at other times, "
    figure += f"{halves} threads half written"
    return Finding(figure, met and {late, elsewhere, halves} == {"0"})


def thrice(devices: Devices) -> Finding:
    """R6."""
    messages = devices.of(500, 12)
    printed = devices.bench("faults", **{**NOTHING, "FAULT_THRICE": messages})
    figure, met = _story(printed, f"{messages} messages three times")
    return Finding(figure, met)


def rolling(devices: Devices) -> Finding:
    """R7."""
    printed = devices.bench("rolling", ROLLING_REQUESTS=devices.of(1000, 50))
    calls, errors, cut, unanswered = map(
        int, printed.figures(r"(\d+) requests in .*?: (\d+) errors, (\d+) cut off, (\d+) questions unanswered")
    )
    met = printed.ended_well and errors == cut == unanswered == 0
    return Finding(f"{calls} calls: {errors} errors, {cut} cut off, {unanswered} questions unanswered", met)


def poison(devices: Devices) -> Finding:
    """R8: the queue behind them by the bench; parked after three tries, seen and replayed by tests."""
    sent = devices.of(20, 6)
    printed = devices.bench("poison", POISON=sent)
    (late,) = printed.figures(r"([-\d.]+) s late")
    parked = sum(ast.literal_eval(printed.figures(r"parked: (\{.*?\})")[0]).values())
    tests = devices.tests("tests/apps/core/test_parking.py")
    figure = f"{parked} of {sent} parked, the queue behind them {late} s late; {tests.passed} tests of parking hold"
    if not printed.ended_well or parked != sent or float(late) > LATE_SECONDS:
        return Finding(figure, False)
    return Finding(figure, tests.met, tests.why)


def models(devices: Devices) -> Finding:
    """R9."""
    runs = devices.of(200, 16)
    tests = devices.tests("tests/apps/threads/test_model_faults.py", MODEL_FAULT_RUNS=runs)
    told = next((line for line in tests.text.splitlines() if " runs, " in line and "longest" in line), "")
    longest = told.rpartition("longest ")[2] or "unknown"
    answered = "at least 95 % answered" if tests.met else f"{tests.failed} tests failed"
    return Finding(f"{runs} runs, every fault in a fifth of the calls: {answered}, longest {longest}", tests.met)


def _story(printed: Output, name: str) -> tuple[str, bool]:
    """What became of the runs of one story of the faults, and whether nothing was lost, doubled or failed."""
    runs, lost, twice, failed, longest = printed.figures(
        rf"{name}, (\d+) runs in .*?: lost (\d+), answered twice (\d+), failed (\d+); longest run ([\d.]+) s"
    )
    met = {lost, twice, failed} == {"0"} and float(longest) <= LONGEST_RUN
    return f"{name}, {runs} runs: {lost} lost, {twice} answered twice, {failed} failed, longest {longest} s", met
