"""A thread that computes lets those that wait often go on soon."""

from __future__ import annotations

import sys

from apps.core.apps import SWITCH_SECONDS

OF_PYTHON = 0.005


def test_processes_that_serve_give_way_sooner_than_python_does() -> None:
    assert round(sys.getswitchinterval(), 6) == SWITCH_SECONDS < OF_PYTHON
