"""R10 to R19: what hostile queries, files and texts come to, and whom they reach."""

from __future__ import annotations

from benches.prove.devices import Devices
from benches.prove.goal import Finding
from tests.analyst.warehouse.attacks import ATTACKS
from tests.e2e.test_hostile_markdown import PAYLOADS

MOST_SECONDS, MOST_MIB, MOST_TIMES = 12.0, 1024.0, 2.0
MOST_GROWTH_MIB = 50.0
QUERYABLE_SECONDS = 60.0
UPLOADED_SECONDS = 30.0
LEAST_CASES = 150
REVOKED_SECONDS = 5.0
LEAST_FILES = 120


def escapes(devices: Devices) -> Finding:
    """R10: each query at the gate, those of the sandbox without it, and all of them as a model's for each role."""
    cases = len({sql for attacks in ATTACKS.values() for sql in attacks})
    folder = "tests/analyst/warehouse"
    files = [f"{folder}/{name}.py" for name in ("test_gate", "test_sandbox", "test_names")]
    tests = devices.tests(*files, "tests/apps/threads/test_escapes_by_role.py", ESCAPES=cases)
    figure = f"{cases} hostile queries at the gate, for each of three roles, and those of the sandbox without it: "
    figure += f"{tests.failed} tests failed"
    return Finding(figure, False if cases < LEAST_CASES else tests.met, tests.why)


def runaways(devices: Devices) -> Finding:
    """R11."""
    printed = devices.bench("runaways", RUNAWAYS=devices.of(20, 4))
    count, longest, child = printed.figures(r"(\d+) runaways.*? took ([\d.]+) s .*?largest child (\d+) MiB")
    (times,) = printed.figures(r"polls\): ([\d.]+) times")
    within = float(longest) <= MOST_SECONDS and float(child) <= MOST_MIB and float(times) < MOST_TIMES
    figure = f"{count} runaways: the longest {longest} s, the largest child {child} MiB, others' polls {times} times"
    return Finding(figure, printed.ended_well and within)


def soaking(devices: Devices) -> Finding:
    """R12."""
    found = devices.told("soak", devices.of(2000, 100))
    figure = f"{found['queries']} queries: {found['processes']} processes and {found['files']} scratch files left, "
    figure += f"parent grew by {found['growth']:.0f} MiB"
    return Finding(figure, found["processes"] == found["files"] == 0 and found["growth"] <= MOST_GROWTH_MIB)


def matrix(devices: Devices) -> Finding:
    """R13."""
    tests = devices.tests("tests/contract/test_matrix.py", "tests/contract/test_tenancy.py")
    return Finding(f"every route, six callers, seven methods: {tests.passed} tests, {tests.failed} failed", tests.met)


def uploads(devices: Devices) -> Finding:
    """R14: the right table of each file by tests; how each ends where it is sent through the web, by the bench."""
    files = ("tests/analyst/tables/test_corpus.py", "tests/analyst/tables/test_hostile_files.py")
    tests = devices.tests(*files, CORPUS_IN_CHILD=1)
    sent = devices.told("hostile", 1000)
    figure = f"{tests.passed} tests of what is read of files, {tests.failed} failed; {sent['files']} files uploaded: "
    figure += f"{len(sent['wrong'])} ended otherwise than they must, {sent['fallen']} answers of 5xx, the slowest "
    figure += f"{sent['slowest']:.1f} s, the largest child {sent['child_mib']:.0f} MiB "
    figure += f"({sent['child_at']})"
    within = sent["slowest"] <= UPLOADED_SECONDS and sent["child_mib"] <= MOST_MIB and sent["files"] >= LEAST_FILES
    if sent["wrong"] or sent["fallen"] or not within:
        return Finding(figure, False, "; ".join(sent["wrong"][:3]))
    return Finding(figure, tests.met, tests.why)


def sizes(devices: Devices) -> Finding:
    """R15."""
    refused = devices.tests("tests/services/files/test_files.py", keyword="one_byte_over")
    found = devices.told("large", devices.of(1_000_000, 20_000))
    figure = f"{found['rows']:,} rows in {found['mib']:.0f} MiB answered {found['seconds']:.1f} s after the upload; "
    figure += f"one byte over: {refused.passed} tests, {refused.failed} failed"
    return Finding(figure, False if found["seconds"] > QUERYABLE_SECONDS else refused.met, refused.why)


def names(devices: Devices) -> Finding:
    """R16."""
    count = devices.of(5000, 100)
    tests = devices.tests("tests/apps/datasources/test_names_in_storage.py", RANDOM_NAMES=count)
    return Finding(f"{count:,} random names: {tests.failed} tests failed", tests.met, tests.why)


def exports(devices: Devices) -> Finding:
    """R17: the tables, and Markdown of a model in the real page."""
    count = devices.of(2000, 40)
    files = ("tests/analyst/tables/test_exports.py", "tests/analyst/tables/test_formulas_in_exports.py")
    tests = devices.tests(*files, EXPORTED_TABLES=count)
    page = devices.tests("tests/e2e/test_hostile_markdown.py")
    figure = (
        f"{count:,} generated tables: {tests.passed} tests, {tests.failed} failed; {len(PAYLOADS)} Markdown payloads "
    )
    figure += f"in the page: {page.failed} tests failed"
    return Finding(figure, False if False in (tests.met, page.met) else tests.met and page.met, tests.why or page.why)


def obeying(devices: Devices) -> Finding:
    """R18: a third of the orders each in workbooks, in tabs and in records of a CRM."""
    count = devices.of(60, 24)
    third = count // 3
    places = ("integrations/hubspot/test_obeyed_records.py", "integrations/google/test_obeyed_tabs.py")
    tests = devices.tests(
        "tests/analyst/models/test_obeying_model.py",
        *(f"tests/apps/{place}" for place in places),
        OBEYED_WORKBOOKS=third,
        OBEYED_RECORDS=third,
        OBEYED_ROWS=third,
    )
    figure = f"{count} workbooks, tabs and records and a model that obeys them: {tests.passed} tests, "
    return Finding(f"{figure}{tests.failed} failed", tests.met, tests.why)


def sockets(devices: Devices) -> Finding:
    """R19."""
    count, minutes = devices.of(200, 10), min(10.0, max(0.1, 10 * devices.scale))
    printed = devices.bench("sockets", SOCKETS=count, SOCKET_MINUTES=minutes)
    (stayed,) = printed.figures(r"min: (\d+) never closed")
    pushed = [int(printed.figures(rf"pushed {when}: (\d+) of")[0]) for when in ("at first", "at last")]
    (refused,) = printed.figures(r"refused: (\[.*?\])")
    (polled,) = printed.figures(r"polled without a socket: (\d+) of")
    out, seconds = printed.figures(r"revoked: (\d+) of .*? within ([\d.]+) s")
    figure = (
        f"{stayed} of {count} held {minutes:g} min, pushed {pushed[1]}, polled {polled}, refused {refused}, "
        f"{out} revoked in {seconds} s"
    )
    all_there = int(stayed) == int(out) == int(polled) == count and pushed == [count, count]
    met = printed.ended_well and all_there and float(seconds) <= REVOKED_SECONDS and refused.count("'") == 6
    return Finding(figure, met)
