"""R14: the files of the corpus sent through the web, one after another: how each ends, how soon, and in what memory."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError

from tests.analyst.tables.corpus import Case, all_cases
from tests.live import Product

PATIENCE_SECONDS = 60.0


def sent(folder: Path, most: int) -> dict[str, Any]:
    """Of the first `most` files: those that ended otherwise than they must, answers of 5xx, the slowest, the child."""
    product = Product(folder / "data", environment={"MAX_COLUMNS": "16384"})  # as the corpus is read elsewhere
    cases = all_cases()[:most]
    product.start()
    over, largest = threading.Event(), [0.0]
    watching = threading.Thread(target=_watch, args=(product, over, largest))
    watching.start()
    wrong, fallen, slowest = list[str](), 0, 0.0
    try:
        token = product.sign_in()
        for number, case in enumerate(cases):
            begun = time.monotonic()
            try:
                ended = _ended(product, token, case, folder, number)
            except HTTPError as error:
                fallen += error.code >= 500
                ended = "refused"
            slowest = max(slowest, time.monotonic() - begun)
            expected = ("refused", "ready") if case.either else ("refused",) if case.refused else ("ready",)
            if ended not in expected:
                wrong.append(f"{case.id}: {ended}")
        product.sign_in()  # the same process still serves
    finally:
        over.set()
        watching.join()
        product.stop()
    return {"files": len(cases), "wrong": wrong, "fallen": fallen, "slowest": slowest, "child_mib": largest[0]}


def _ended(product: Product, token: str, case: Case, folder: Path, number: int) -> str:
    """ready, refused, or late."""
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
            return "refused" if "failed" in states else "ready"
        time.sleep(0.1)
    return "late"


def _watch(product: Product, over: threading.Event, largest: list[float]) -> None:
    """Keeps the most memory that any one child process holds, in MiB."""
    assert product.process is not None
    while not over.wait(0.05):
        for pid in _children(product.process.pid):
            try:
                status = Path(f"/proc/{pid}/status").read_text()
            except OSError:  # it has ended
                continue
            held = next((line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")), "0")
            largest[0] = max(largest[0], int(held) / 1024)


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
