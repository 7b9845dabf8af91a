"""The measuring devices: a bench or some tests as a process of its own, ended with all it started when time is up."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LONGEST_SECONDS = 4 * 3600.0
"""No single measurement takes the whole night."""
LEAVING_SECONDS = 60.0


class Unmeasured(Exception):
    """The measurement gave no figure; the message says why."""


@dataclass(frozen=True)
class Output:
    """What a bench printed, and whether it ended well. One that ends ill after its figures has missed an aim."""

    text: str
    ended_well: bool

    def figures(self, pattern: str) -> tuple[str, ...]:
        """The groups of the first place that fits. Raises Unmeasured where there is none."""
        found = re.search(pattern, self.text)
        if found is None:
            raise Unmeasured(f"no figure like {pattern[:60]} was printed ({self.last_line()})")
        return found.groups()

    def last_line(self) -> str:
        """The end of what was printed: of a failure, its words."""
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        said = [line for line in lines if not re.fullmatch(r"\(\d+ s\)", line)]  # what a bench took says nothing
        return said[-1][:160] if said else "nothing was printed"


@dataclass(frozen=True)
class Checked:
    """How tests ended, and the reasons of those that could not be run."""

    passed: int
    failed: int
    skipped: tuple[str, ...]
    slowest: float
    text: str
    fault: str = ""
    """The first failure, in its own words."""

    @property
    def met(self) -> bool | None:
        """False if one failed; None if one could not be run, or none was there."""
        if self.failed:
            return False
        return True if self.passed and not self.skipped else None

    @property
    def why(self) -> str:
        """What failed, or keeps them from proving anything."""
        if self.failed:
            return self.fault
        return f"{len(self.skipped)} could not be run here ({self.skipped[0][:120]})" if self.skipped else ""


@dataclass(frozen=True)
class Devices:
    """Runs benches and tests at a part of the goals' sizes, until the deadline (of time.monotonic)."""

    scale: float
    deadline: float

    def of(self, full: int, least: int = 1) -> int:
        """A goal's size at this scale."""
        return min(full, max(least, round(full * self.scale)))

    def bench(self, name: str, **sizes: float) -> Output:
        """What `python -m benches NAME` prints with those sizes in its environment."""
        text, code = self.run([sys.executable, "-m", "benches", name], sizes)
        return Output(text, code == 0)

    def tests(self, *paths: str, keyword: str = "", **sizes: float) -> Checked:
        """How the tests of those files end, with those sizes in their environment."""
        with tempfile.TemporaryDirectory(prefix="prove-") as folder:
            report = Path(folder) / "report.xml"
            words = [*paths, "-q", "-s", f"--junitxml={report}", *(["-k", keyword] if keyword else [])]
            text, _ = self.run([sys.executable, "-m", "pytest", *words], sizes)
            if not report.exists():
                raise Unmeasured(Output(text, False).last_line())
            return _reported(report, text)

    def told(self, module: str, *words: object) -> dict[str, Any]:
        """The JSON that a measurement of this package prints, run as a process of its own."""
        command = [sys.executable, "-m", f"benches.prove.{module}", *map(str, words)]
        text, _ = self.run(command, {})
        last = text.strip().rpartition("\n")[2]
        try:
            found: dict[str, Any] = json.loads(last)
        except ValueError:
            raise Unmeasured(Output(text, False).last_line()) from None
        return found

    def run(self, command: list[str], sizes: dict[str, float]) -> tuple[str, int]:
        """What a command printed, and its code. Raises Unmeasured when its time is up."""
        environment = {**os.environ, **{name: f"{size:g}" for name, size in sizes.items()}}
        seconds = min(LONGEST_SECONDS, self.deadline - time.monotonic())
        if seconds <= 0:
            raise Unmeasured("the night was over")
        with tempfile.TemporaryFile("w+") as printed:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True
            )
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                raise Unmeasured(f"it was ended after {seconds:.0f} s") from None
            finally:
                _end(process)
            printed.seek(0)
            return printed.read(), code


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends what still runs: first as Ctrl-C does, so that it stops its servers, then without asking."""
    if process.poll() is not None:
        return
    for how in (signal.SIGINT, signal.SIGKILL):
        os.killpg(process.pid, how)
        try:
            process.wait(LEAVING_SECONDS)
            return
        except subprocess.TimeoutExpired:
            continue


def _reported(report: Path, text: str) -> Checked:
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skips = [skip for case in cases if (skip := case.find("skipped")) is not None]
    return Checked(
        passed=len(cases) - len(failed) - len(skips),
        failed=len(failed),
        skipped=tuple(skip.get("message", "no reason told") for skip in skips),
        slowest=max((float(case.get("time", "0")) for case in cases), default=0.0),
        text=text,
        fault=_fault(failed[0]) if failed else "",
    )


def _fault(case: ElementTree.Element) -> str:
    told = next(part for part in case if part.tag in ("failure", "error"))
    return f"{case.get('name', '')[:60]}: {' '.join(told.get('message', '').split())[:120]}"
