"""R14: the files of the corpus sent through the web, one after another: how each ends, how soon, and in what memory."""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError

from tests.analyst.tables.corpus import Case, all_cases
from tests.live import Product

PATIENCE_SECONDS = 60.0
MOST_COLUMNS = 2_000
"""As many as a product reads of a table by default; it says so where there are more."""


def sent(folder: Path, most: int) -> dict[str, Any]:
    """Of the first `most` files: those that ended otherwise than they must, answers of 5xx, the slowest, the child."""
    product = Product(folder / "data")
    cases = all_cases()[:most]
    product.start()
    over, largest = threading.Event(), _Largest()
    watching = threading.Thread(target=_watch, args=(product, over, largest))
    watching.start()
    wrong, fallen, slowest = list[str](), 0, 0.0
    try:
        token = product.sign_in()
        for number, case in enumerate(cases):
            begun, largest.now = time.monotonic(), case.id
            try:
                ended = _ended(product, token, case, folder, number)
            except HTTPError as error:
                fallen += error.code >= 500
                ended = "refused"
            slowest = max(slowest, time.monotonic() - begun)
            if ended not in _expected(case):
                wrong.append(f"{case.id}: {ended}")
        product.sign_in()  # the same process still serves
    finally:
        over.set()
        watching.join()
        product.stop()
    return {
        "files": len(cases),
        "wrong": wrong,
        "fallen": fallen,
        "slowest": slowest,
        "child_mib": largest.mib,
        "child_at": largest.at,
    }


@dataclass
class _Largest:
    """The most memory that any one child process held, in MiB, and the cases then and now."""

    mib: float = 0.0
    at: str = ""
    now: str = ""


def _expected(case: Case) -> tuple[str, ...]:
    """How a file may end."""
    if case.columns > MOST_COLUMNS:
        return ("too wide",)
    return ("refused", "too wide", "ready") if case.either else ("refused", "too wide") if case.refused else ("ready",)


def _ended(product: Product, token: str, case: Case, folder: Path, number: int) -> str:
    """ready, refused, too wide (refused in these words), or late."""
    path = folder / f"hostile {number}{Path(case.name).suffix}"
    path.write_bytes(case.make())
    answer = product.upload(token, path)
    path.unlink()
    if answer["errors"]:
        return "refused"
    until = time.monotonic() + PATIENCE_SECONDS
    begun = f"hostile {number}"
    while time.monotonic() < until:
        listed = product.call("GET", "/api/v3/files", token=token)["sources"]
        mine = [one for one in listed if one["file_name"].removesuffix(".csv").split(" - ")[0] == begun]
        states = {one["state"] for one in mine}
        if mine and not states & {"received", "reading"}:
            said = f"more than {MOST_COLUMNS:,} columns"
            too_wide = any(said in (one["error"] or "") for one in mine)
            return "ready" if "failed" not in states else "too wide" if too_wide else "refused"
        time.sleep(0.1)
    return "late"


def _watch(product: Product, over: threading.Event, largest: _Largest) -> None:
    """Keeps the most memory that any one child process holds, and when."""
    assert product.process is not None
    while not over.wait(0.05):
        for pid in _children(product.process.pid):
            try:
                status = Path(f"/proc/{pid}/status").read_text()
            except OSError:  # it has ended
                continue
            held = next((line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")), "0")
            if int(held) / 1024 > largest.mib:
                largest.mib, largest.at = int(held) / 1024, largest.now


def _children(pid: int) -> list[str]:
    found: list[str] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += task.read_text().split()
        except OSError:
            continue
    return found


if __name__ == "__main__":
    with TemporaryDirectory(prefix="hostile-") as place:
        print(json.dumps(sent(Path(place), int(sys.argv[1]))))
