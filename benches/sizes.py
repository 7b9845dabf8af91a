"""First JavaScript of each screen, gzip -9, in kB of 1000 bytes, from the bundle's own stats."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run(folder: Path) -> None:
    stats = json.loads((ROOT / "webpack-stats.json").read_text())
    for screen, chunks in sorted(stats["chunks"].items()):
        for kind in ("js", "css"):
            files = [ROOT / "static" / "bundles" / name for name in chunks if name.endswith(f".{kind}")]
            size = sum(len(gzip.compress(file.read_bytes(), 9)) for file in files) / 1000
            print(f"   {screen:12} first {kind:3} {size:7.1f} kB in {len(files)} files")
