"""The recounting child: reads one order, computes it with nothing but its own tables in reach, answers, ends.

Run as `python -m apps.analyst.approaches.recount_child` by `recounting`, which ends it when it takes too long.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

_CODE_TREES = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/proc",
               "/sys/fs/cgroup", "/sys/devices/system")  # fmt: skip


def _confine(order: dict[str, Any]) -> None:
    """Takes from this process all files but the order's tables and Python's own, and sets its limits."""
    from apps.analyst.computing.warehouse import landlock

    package = Path(__file__).resolve().parents[2]
    landlock.restrict(
        readable=[*(table["path"] for table in order["tables"]), os.devnull, "/dev/urandom", "/etc/localtime"],
        readable_trees=[*_CODE_TREES, sys.prefix, sys.base_prefix, str(package)],
    )
    for name, wanted in ((resource.RLIMIT_AS, order["memory_mb"] << 20), (resource.RLIMIT_FSIZE, 0)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(name, (wanted, wanted))


def main() -> None:
    """Carries out one order."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    order = json.loads(sys.stdin.buffer.read())
    os.dup2(2, 1)
    _confine(order)
    from apps.analyst.approaches.recounting import carry_out

    output.write(json.dumps(carry_out(order)))
    output.flush()


if __name__ == "__main__":
    main()
