"""Seconds from the command to a healthy answer, and the resident memory of the idle product."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from tests.live import Product

WARM = 5
SETTLED = 20
"""Seconds after which everything that is loaded beside serving has been loaded."""


def run(folder: Path) -> None:
    product = Product(folder / "data")
    cold = product.start()
    product.stop()
    warm = []
    for _ in range(WARM):
        warm.append(product.start())
        product.stop()
    product.start()
    time.sleep(SETTLED)
    alone, together = product.memory_mib()
    product.stop()
    print(f"   first start (database, demo organization): {cold:.1f} s")
    print(f"   later starts, median of {WARM}: {statistics.median(warm):.2f} s (aim: at most 3 s)")
    print(
        f"   idle memory of the process: {alone:.0f} MiB (aim: under 300 MiB), "
        f"with its query children: {together:.0f} MiB"
    )
