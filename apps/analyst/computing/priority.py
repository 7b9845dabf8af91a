"""Child processes that compute step behind the process that serves people: on few processors its answers wait least."""

from __future__ import annotations

import contextlib
import os

NICENESS = 10
"""Weighs a tenth of a process of usual priority where both want the processor; alone it loses nothing by it."""


def step_behind(pid: int) -> None:
    """Gives a child that was just started its lower priority, unless this process has a lower one itself."""
    with contextlib.suppress(OSError):  # it has ended already
        os.setpriority(os.PRIO_PROCESS, pid, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))


def step_far_behind(pid: int) -> None:
    """Leaves a child and its threads what nobody else wants of the processor, for good: the way back is root's.

    Where the system knows no such class of processes (it is Linux's), the child stays as it is.
    """
    if not hasattr(os, "SCHED_IDLE"):
        return
    with contextlib.suppress(OSError):  # it has ended already
        for thread in os.listdir(f"/proc/{pid}/task"):
            os.sched_setscheduler(int(thread), os.SCHED_IDLE, os.sched_param(0))
