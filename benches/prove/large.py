"""R15: how soon after the upload a very large file can be asked about."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benches.data import sales_csv
from tests.live import Product

FILE = "large_sales.csv"


def queryable_after(folder: Path, rows: int) -> dict[str, float]:
    """Seconds from the upload's answer to the first answer over the file, its MiB and rows. Raises if there is none."""
    product = Product(folder / "data")
    product.start()
    try:
        token = product.sign_in()
        path = sales_csv(folder / FILE, rows)
        product.upload(token, path)
        begun = time.monotonic()
        source = product.wait_ready(token, FILE)
        snapshot = product.ask(token, f"How many rows are there in {FILE.removesuffix('.csv')}?")
        seconds = time.monotonic() - begun
    finally:
        product.stop()
    if source["state"] != "ready" or snapshot["status"] != "completed":
        raise RuntimeError(f"the file is {source['state']}, the question {snapshot['status']}")
    return {"seconds": seconds, "mib": path.stat().st_size / 2**20, "rows": rows}


if __name__ == "__main__":
    with TemporaryDirectory(prefix="large-") as place:
        print(json.dumps(queryable_after(Path(place), int(sys.argv[1]))))
