"""One member's very wide files, and what they cost that organization, its neighbours and the process.

A header of one name of 100,000 letters, one of as many columns as are read by default and one of as many as a
spreadsheet has (refused by default; WIDE_ALLOWED=16384 raises the limit to so many), and many sources of 200 columns
(WIDE_SOURCES, 20 at a time). For each: an uncached question, the example questions, and meanwhile a neighbour's
questions; at the end the memory after a minute. WIDE_CASES="2,000 columns" runs that one alone.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.live import ROOT, Product

PASSWORD = "Correct-horse-9"

SOURCES = int(os.environ.get("WIDE_SOURCES", "40"))
CASES = os.environ.get("WIDE_CASES", "")
ALLOWED = os.environ.get("WIDE_ALLOWED", "2000")
WORDS = ("order", "customer", "sales", "amount", "date", "region", "stage", "owner", "price", "rate", "total", "net")
QUESTION = "What is the total amount by region in 2024?"


def run(folder: Path) -> None:
    chance = random.Random(1)
    long = folder / "long.csv"
    long.write_text("x" * 100_000 + ",amount\n" + "".join(f"a{n},{n}\n" for n in range(20)))
    usual_limit, widest = (_write(folder / f"wide {n}.csv", n, 4, chance) for n in (2_000, 16_384))
    many = [_write(folder / f"source {n}.csv", 200, 30, chance) for n in range(SOURCES)]
    product = Product(folder / "data", environment={"MAX_COLUMNS": ALLOWED})
    product.start()
    try:
        neighbour = product.sign_in()
        for _ in range(5):
            _asked(product, neighbour, "How many deals did we win last quarter?")
        usual = _neighbour(product, neighbour, threading.Event(), 20)
        memory = product.memory_mib()
        print(f"   alone: a neighbour's answer p95 {usual:.0f} ms, {memory[0]:.0f} MiB, with children {memory[1]:.0f}")
        cases = {"one long name": [long], "2,000 columns": [usual_limit], "16,384 columns": [widest]}
        for name, files in {**cases, f"{SOURCES} sources x 200": many}.items():
            if CASES and name not in CASES:
                continue
            token = _stranger(product, "".join(letter for letter in name if letter.isalnum()))
            for start in range(0, len(files), 20):
                product.upload(token, *files[start : start + 20])
            state = [product.wait_ready(token, file.name, timeout=900)["state"] for file in files][-1]
            _measure(product, neighbour, token, f"{name} ({state})", usual)
            held = product.memory_mib()
            print(f"   then: {held[0]:.0f} MiB, with children {held[1]:.0f}")
        time.sleep(60)
        after = product.memory_mib()
        print(f"   a minute later: {after[0]:.0f} MiB, with children {after[1]:.0f}")
    finally:
        product.stop()


def _measure(product: Product, neighbour: str, token: str, name: str, usual: float) -> None:
    over, seen = threading.Event(), []
    beside = threading.Thread(target=lambda: seen.append(_neighbour(product, neighbour, over, 10_000)))
    beside.start()
    first, again = _asked(product, token, QUESTION), _asked(product, token, QUESTION)
    begun = time.perf_counter()
    product.call("GET", "/api/v3/question-suggestions", token=token)
    suggested = time.perf_counter() - begun
    time.sleep(3)
    over.set()
    beside.join()
    print(
        f"   {name}: a question {first:.1f} s, again {again:.1f} s, suggestions {suggested:.1f} s (aim: at most 3); "
        f"a neighbour's p95 meanwhile {seen[0]:.0f} ms, {seen[0] / usual:.1f} times (aim: at most 1.5)"
    )


def _asked(product: Product, token: str, prompt: str) -> float:
    """Seconds from the question to its end, however it ends."""
    begun = time.perf_counter()
    body = {"prompt": prompt, "thread_id": None, "models": None, "temperature": 1}
    sent = product.call("POST", "/api/v3/ask", body, token=token)
    poll = {"thread_id": sent["thread_id"], "run_id": sent["run_id"], "models": None}
    while product.call("POST", "/api/v3/ask", poll, token=token)["status"] in ("queued", "running"):
        time.sleep(0.01)
    return time.perf_counter() - begun


def _neighbour(product: Product, token: str, over: threading.Event, most: int) -> float:
    """The 95th percentile of a neighbour's answers, in ms."""
    taken: list[float] = []
    while len(taken) < most and not (over.is_set() and len(taken) >= 5):
        taken.append(_asked(product, token, "What is the total amount of our open deals?") * 1000)
        time.sleep(0.05)
    return statistics.quantiles(taken, n=20)[-1]


def _stranger(product: Product, name: str) -> str:
    """An admin of an organization of its own."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": product.settings, "DATA_DIR": str(product.data_dir)}
    subprocess.run([sys.executable, "-m", "tests.services.stranger", name], cwd=ROOT, env=environment, check=True)
    return product.sign_in(name, PASSWORD)


def _write(path: Path, columns: int, rows: int, chance: random.Random) -> Path:
    names = [f"{chance.choice(WORDS)}_{chance.choice(WORDS)}_{n}" for n in range(columns)]
    lines = [",".join(names)]
    lines += [",".join(str(chance.randint(1, 999)) for _ in names) for _ in range(rows)]
    path.write_text("\n".join(lines) + "\n")
    return path
