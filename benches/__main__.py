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
    "ingest": "a 10^6-row CSV against bare DuckDB and SUMMARIZE, a 10^5-row workbook against openpyxl",
    "broker": "a question after idle time with PostgreSQL and a Redis broker between web and worker",
    "long_thread": "a thread of 500 messages: opening it, and typing below it",
    "previews": "from a pause in typing to the parts of the reading under the message box",
    "planning": "planning by columns and distinct values; a group-by over 10^7 rows against the bare query",
    "guarded": "a model's query through the gate and a warm child against the same in process; a model's overhead",
    "own_time": "what the product takes for a question through a model of 0 ms, against the built-in analyst",
    "questions": "a question from POST to the pushed answer against the bare query on the same Parquet",
}

ASKED_FOR = {
    "prompts": "tokens a model is told for 1 to 15 tables, and of its replies as SQL and as plans (PROMPTS_FOLDER)",
    "hubspot": "a HubSpot account read whole, killed on the way, then by its changes (HUBSPOT_CONTACTS=120000)",
    "slack": "signed requests of Slack: acknowledged how soon, each answered once (SLACK_REQUESTS=1000)",
    "sign_in": "guesses at one account: what reaches the password, a colleague meanwhile, known against unknown names "
    "(GUESSES=10000)",
    "runaways": "queries of a model that never end: how soon each is ended, and others' polls meanwhile (RUNAWAYS=20)",
    "load": "people on sockets and polling while questions are in flight (LOAD_USERS, LOAD_QUESTIONS, LOAD_MINUTES)",
    "faults": "workers killed, brokers and the database gone and back, messages thrice (FAULT_RUNS, FAULT_KILLS, ...)",
    "rolling": "a rolling restart of webs and workers under requests: none fails (ROLLING_REQUESTS=1000)",
    "spark": "a group-by and a join on Spark with two workers, then with one of them killed (SPARK_ROWS=10000000)",
    "growth": "cost by people, messages, sources (GROWTH_USERS=10,20,50,100,200, GROWTH_MESSAGES, GROWTH_SOURCES)",
    "sockets": "many sockets held, strangers refused, the revoked out (SOCKETS=200, SOCKET_MINUTES=10)",
    "poison": "messages that cannot be worked off: parked, and nobody waits for them (POISON=20)",
    "endings": "a model of which three calls in ten go wrong: every run ends in time (ENDINGS_RUNS=500)",
    "migrating": "migrations back and forward over many messages, and how long others wait (MIGRATING_MESSAGES)",
    "wide": "very wide files: their organization's questions, a neighbour's meanwhile, memory after (WIDE_SOURCES=40)",
    "strange": "random questions, however odd or long: none may raise or take 2 s of a processor (STRANGE=10000)",
    "lighthouse": "Lighthouse on /login and /chat, which it fetches first",
}
"""Run where they are named only."""
KNOWN = {**NAMES, **ASKED_FOR}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches", description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(f"{name} ({what})" for name, what in KNOWN.items()))
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(KNOWN)
    if unknown:
        parser.error(f"no bench named {', '.join(sorted(unknown))}; there are {', '.join(KNOWN)}")
    for name in arguments.names or NAMES:
        begun = time.perf_counter()
        print(f"\n== {name}: {KNOWN[name]}", flush=True)
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            importlib.import_module(f"benches.{name}").run(Path(folder))
        print(f"   ({time.perf_counter() - begun:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
