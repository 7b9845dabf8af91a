"""`python -m benches.prove [--only R3,R8] [--scale 0.1]`: measures, prints, keeps the rows in docs/reliability.md."""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

from benches.prove.devices import ROOT, Devices, Unmeasured
from benches.prove.goal import Finding, Goal, verdict
from benches.prove.goals import GOALS
from benches.prove.table import kept, written

PAGE = ROOT / "docs" / "reliability.md"
NIGHT_SECONDS = 10 * 3600.0


def main() -> int:
    """Answers 1 where a goal is not met, else 0."""
    parser = argparse.ArgumentParser(prog="python -m benches.prove", description=__doc__)
    parser.add_argument("--only", default="", help="the goals' names with commas; all of them if none is named")
    parser.add_argument("--scale", type=float, default=1.0, help="the part of the goals' sizes, from 0 to 1")
    arguments = parser.parse_args()
    if not 0 < arguments.scale <= 1:
        parser.error("the scale is above 0 and at most 1")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what is being measured is ended with it
    devices = Devices(arguments.scale, time.monotonic() + NIGHT_SECONDS)
    failed = False
    for goal in named(arguments.only):
        finding = measured(goal, devices)
        failed |= finding.met is False
        said = verdict(goal, finding, devices.scale)
        print(f"{goal.name:4} {goal.what}: {finding.figure or '-'} | {said}", flush=True)
        _keep(goal, finding, said, devices.scale)
    return int(failed)


def named(only: str) -> list[Goal]:
    """The goals of those names, in order; all if none is given. An unknown name ends the command."""
    wanted = {name.strip().upper() for name in only.split(",") if name.strip()}
    if unknown := wanted - {goal.name for goal in GOALS}:
        raise SystemExit(f"There is no goal {', '.join(sorted(unknown))}; there are R1 to R{len(GOALS)}.")
    return [goal for goal in GOALS if not wanted or goal.name in wanted]


def measured(goal: Goal, devices: Devices) -> Finding:
    """What the measurement gave; one that breaks off proves nothing, and its reason is told."""
    begun = time.monotonic()
    try:
        finding = goal.measure(devices)
    except Unmeasured as error:
        return Finding("", None, str(error))
    except Exception as error:  # a server that does not start must not end the night
        return Finding("", None, f"{type(error).__name__}: {str(error)[:160]}")
    print(f"     ({time.monotonic() - begun:.0f} s)", flush=True)
    return finding


def _keep(goal: Goal, finding: Finding, said: str, scale: float) -> None:
    """Written after each goal: a night that is cut short keeps what it measured."""
    rows = kept(PAGE)
    for each in GOALS:
        rows.setdefault(each.name, (each.name, each.what, each.aim, "", "not run yet", ""))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    size = f"{scale:g}" if goal.scales else "whole"
    when = f"{size}; {datetime.now(UTC):%Y-%m-%d} at {commit.strip() or 'no commit'}"
    rows[goal.name] = (goal.name, goal.what, goal.aim, finding.figure, said, when)
    PAGE.write_text(written(rows))


if __name__ == "__main__":
    sys.exit(main())
