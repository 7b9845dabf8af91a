"""What `make prove` says of a goal: nothing is met that was not measured whole, and the last table is kept."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from benches.prove.__main__ import measured, named
from benches.prove.devices import Checked, Devices, Output, Unmeasured
from benches.prove.goal import Finding, Goal, verdict
from benches.prove.goals import GOALS
from benches.prove.table import kept, written


def devices(scale: float = 1.0, seconds: float = 300.0) -> Devices:
    return Devices(scale, time.monotonic() + seconds)


def goal(finding: Finding | Exception, *, scales: bool = True) -> Goal:
    def measure(_: Devices) -> Finding:
        if isinstance(finding, Exception):
            raise finding
        return finding

    return Goal("R1", "what", "aim", measure, scales)


def test_all_twenty_eight_goals_are_there_in_order():
    assert [each.name for each in GOALS] == [f"R{number}" for number in range(1, 29)]


@pytest.mark.parametrize(
    ("finding", "scale", "scales", "words"),
    [
        (Finding("9 ms", True), 1.0, True, "met"),
        (Finding("9 ms", True), 0.1, True, "held at 0.1 of the size"),
        (Finding("9 ms", True), 0.1, False, "met"),
        (Finding("9 s", False), 0.1, True, "**not met**"),
        (Finding("9 ms", None, "half of it"), 1.0, True, "not proved: half of it"),
    ],
)
def test_a_verdict_claims_no_more_than_was_measured(finding, scale, scales, words):
    assert verdict(goal(finding, scales=scales), finding, scale) == words


@pytest.mark.parametrize("error", [Unmeasured("no server here"), RuntimeError("no server here"), OSError("no server")])
def test_a_measurement_that_fails_proves_nothing_and_says_why(error):
    finding = measured(goal(error), devices())
    assert finding.met is None
    assert "no server" in finding.why


def test_a_bench_without_figures_is_unmeasured_and_not_met_by_silence():
    with pytest.raises(Unmeasured, match="connection refused"):
        Output("started\nconnection refused\n", False).figures(r"lost (\d+)")
    assert Output("lost 0, twice 2", False).figures(r"lost (\d+), twice (\d+)") == ("0", "2")


@pytest.mark.parametrize(
    ("passed", "failed", "skipped", "met"),
    [(3, 0, (), True), (3, 1, (), False), (3, 0, ("no mounts",), None), (0, 0, (), None), (0, 1, ("x",), False)],
)
def test_skipped_tests_prove_nothing(passed, failed, skipped, met):
    assert Checked(passed, failed, skipped, 0.1, "").met is met


def test_tests_are_really_run_and_counted(tmp_path: Path):
    told = tmp_path / "test_told.py"
    told.write_text(
        "import os, pytest\n"
        "def test_good(): print('size', os.environ['SIZE_OF_IT'])\n"
        "def test_bad(): assert False\n"
        "def test_left_out(): pytest.skip('nothing to mount')\n"
    )
    result = devices().tests(str(told), SIZE_OF_IT=7)
    assert (result.passed, result.failed, result.skipped) == (1, 1, ("nothing to mount",))
    assert result.why.startswith("test_bad: assert False"), "a row says what failed"
    assert "size 7" in result.text


def test_what_takes_too_long_is_ended_with_all_it_started(tmp_path: Path):
    pid = tmp_path / "pid"
    script = (
        "import subprocess; child = subprocess.Popen(['sleep', '60']); "
        f"open({str(pid)!r}, 'w').write(str(child.pid)); child.wait()"
    )
    with pytest.raises(Unmeasured, match="ended after"):
        devices(seconds=2).run([sys.executable, "-c", script], {})
    time.sleep(0.2)
    status = Path(f"/proc/{pid.read_text()}/status")
    assert not status.exists() or "zombie" in status.read_text()
    with pytest.raises(Unmeasured, match="night was over"):
        devices(seconds=-1).run([sys.executable, "-c", "pass"], {})


def test_sizes_follow_the_scale_and_never_pass_the_goals_own():
    assert devices(0.1).of(500) == 50
    assert devices(0.001).of(500, 4) == 4
    assert devices(3).of(500) == 500


def test_a_goal_is_chosen_by_name_and_an_unknown_one_refused():
    assert [each.name for each in named("R8, r3")] == ["R3", "R8"]
    assert len(named("")) == 28
    with pytest.raises(SystemExit):
        named("R29")


def test_rows_of_goals_that_were_not_measured_are_kept(tmp_path: Path):
    page = tmp_path / "reliability.md"
    rows = {
        "R10": ("R10", "escapes", "a | b", "none\nof 9", "met", "1; today"),
        "R2": ("R2", "ends", "115 s", "9 s", "met", "1; today"),
    }
    page.write_text(written(rows))
    again = kept(page)
    assert list(again) == ["R2", "R10"]
    assert again["R10"] == ("R10", "escapes", "a | b", "none of 9", "met", "1; today")
    assert written(again) == page.read_text()
