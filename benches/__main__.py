"""`python -m benches [NAME ...]`: runs the named benches, or all of them, and prints their figures."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
from pathlib import Path

NAMES = {
    "sizes": "gzip size of the first JavaScript of each screen",
    "starts": "cold and warm start, idle memory",
    "web": "POST /ask, a poll and the thread list against a trivial view on the same server",
    "ingest": "a 10^6-row CSV against bare DuckDB's CSV to Parquet",
    "broker": "a question after idle time with PostgreSQL and a Redis broker between web and worker",
    "questions": "a question from POST to the pushed answer against the bare query on the same Parquet",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches", description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(f"{name} ({what})" for name, what in NAMES.items()))
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(NAMES)
    if unknown:
        parser.error(f"no bench named {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    for name in arguments.names or NAMES:
        begun = time.perf_counter()
        print(f"\n== {name}: {NAMES[name]}", flush=True)
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            importlib.import_module(f"benches.{name}").run(Path(folder))
        print(f"   ({time.perf_counter() - begun:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
