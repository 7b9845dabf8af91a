"""R20 to R28: services outside, secrets, callers that guess or send nonsense, and what operators do."""

from __future__ import annotations

import math
import re

from benches.prove.devices import Devices
from benches.prove.goal import Finding

INTEGRATIONS = "tests/apps/integrations"
WINDOW_SECONDS, TRIES = 300, 5
APART_MS = 50.0
ACKNOWLEDGED_MS = 1000.0
MINUTE, WAITED = 60.0, 2.0
RESTORED_SECONDS = 600.0


def providers(devices: Devices) -> Finding:
    """R20."""
    files = [f"{INTEGRATIONS}/{service}/test_faults.py" for service in ("hubspot", "google")]
    tests = devices.tests(*files, f"{INTEGRATIONS}/hubspot/test_one_renewal.py", f"{INTEGRATIONS}/slack/test_intake.py")
    return Finding(f"{tests.passed} tests of faults of the three services, {tests.failed} failed", tests.met, tests.why)


def slack(devices: Devices) -> Finding:
    """R21: the requests by the bench, each sent three times; what is refused by tests."""
    printed = devices.bench("slack", SLACK_REQUESTS=devices.of(1000, 60))
    requests, p99 = printed.figures(r"(\d+) signed requests(?s:.*?)p99 (\d+) ms")
    questions, answers = printed.figures(r"(\d+) questions, (\d+) answers")
    tests = devices.tests(f"{INTEGRATIONS}/slack/test_signing.py", f"{INTEGRATIONS}/slack/test_intake.py")
    figure = f"{requests} requests: p99 {p99} ms; {questions} questions in three deliveries, {answers} answers; "
    figure += f"{tests.passed} tests of what is refused, {tests.failed} failed"
    if not printed.ended_well or float(p99) > ACKNOWLEDGED_MS or questions != answers:
        return Finding(figure, False)
    return Finding(figure, tests.met, tests.why)


def secrets(devices: Devices) -> Finding:
    """R22."""
    files = [
        f"{INTEGRATIONS}/{name}.py" for name in ("hubspot/test_secrets", "google/test_faults", "slack/test_intake")
    ]
    planted = devices.tests(*files, keyword="secret")
    found = devices.told("keeping", "resealed", devices.of(10_000, 200))
    figure = f"planted secrets: {planted.passed} tests, {planted.failed} failed; "
    figure += f"{found['resealed']:,} of {found['tokens']:,} tokens re-keyed in {found['seconds']:.1f} s"
    if found["resealed"] != found["tokens"] or found["seconds"] > MINUTE:
        return Finding(figure, False)
    return Finding(figure, planted.met, planted.why)


def malformed(devices: Devices) -> Finding:
    """R23."""
    examples = devices.of(5000, 2)
    tests = devices.tests(
        "tests/services/test_malformed.py", keyword="PostgreSQL and Redis", MALFORMED_EXAMPLES=examples
    )
    calls = re.findall(r"(\d+) calls", tests.text)
    figure = f"{examples:,} bodies a route, {sum(map(int, calls)):,} calls: {tests.failed} tests failed"
    return Finding(figure, tests.met, tests.why)


def guesses(devices: Devices) -> Finding:
    """R24: each guess from an address of its own; that colleagues are let in, behind the same one too, is a test's."""
    printed = devices.bench("sign_in", GUESSES=devices.of(10_000, 200))
    count, seconds, reached = map(int, printed.figures(r"(\d+) guesses in (\d+) s; (\d+) reached"))
    known, unknown = map(float, printed.figures(r"reset: median known ([\d.]+) ms, unknown ([\d.]+) ms"))
    names = ("guessing", "guessing_from_afar", "behind_one_address", "turns_at_the_door")
    tests = devices.tests(*(f"tests/apps/accounts/test_{name}.py" for name in names))
    allowed = TRIES * math.ceil((seconds + 1) / WINDOW_SECONDS)
    figure = f"{count:,} guesses in {seconds} s: {reached} reached the password; "
    figure += f"resets {abs(known - unknown):.1f} ms apart; {tests.passed} tests, {tests.failed} failed"
    if not printed.ended_well or reached > allowed or abs(known - unknown) > APART_MS:
        return Finding(figure, False)
    return Finding(figure, tests.met, tests.why)


def backups(devices: Devices) -> Finding:
    """R25."""
    found = devices.told("keeping", "restored", devices.of(1024, 20))
    figure = f"a backup of {found['mib']:.0f} MiB restored in {found['seconds']:.0f} s, sums of rows and files "
    figure += "equal" if found["equal"] else "differ"
    return Finding(figure, found["equal"] and found["seconds"] <= RESTORED_SECONDS)


def erasure(devices: Devices) -> Finding:
    """R26."""
    tests = devices.tests("tests/contract/test_erasure.py")
    return Finding(f"{tests.passed} tests of export and deletion, {tests.failed} failed", tests.met, tests.why)


def disks(devices: Devices) -> Finding:
    """R27."""
    tests = devices.tests("tests/services/files/test_files.py", keyword="full_and_a_read_only_disk")
    return Finding(f"{tests.passed} tests on a disk of 6 MB, {tests.failed} failed", tests.met, tests.why)


def migrations(devices: Devices) -> Finding:
    """R28."""
    messages = devices.of(100_000, 2_000)
    printed = devices.bench("migrating", MIGRATING_MESSAGES=messages)
    printed.figures(r"messages: +([\d.]+) s")
    found = re.findall(r"messages: +([\d.]+) s .*?waited at most ([\d.]+) s", printed.text)
    slowest, waited = (max(float(row[place]) for row in found) for place in (0, 1))
    figure = f"{messages:,} messages, every app back and forward: slowest {slowest:.1f} s, others waited {waited:.2f} s"
    return Finding(figure, printed.ended_well and slowest <= MINUTE and waited <= WAITED)
