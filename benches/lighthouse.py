"""Lighthouse on /login and /chat, as a desktop and as a phone: the median of three runs each, against our aims.

Lighthouse itself is fetched by npx when this is asked for (some 200 packages that nothing else needs). The static files
are served as in production: hashed names, compressed beforehand, kept for ever; that is looked at before any score.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

from benches.chromium import opened, sign_in
from tests.live import ROOT, Product

LIGHTHOUSE = "lighthouse@12.8.2"
RUNS = 3
CATEGORIES = ("performance", "accessibility", "best-practices")
AIMS = {"desktop": {"performance": 98}, "phone": {"performance": 90}}
COMMON_AIMS = {"accessibility": 100, "best-practices": 95}
METRICS = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")


def run(folder: Path) -> None:
    product = Product(folder / "data")
    product.start()
    try:
        print(f"   static files: {static_files(product)}")
        with opened(product, folder) as (context, port):
            for path in ("/login", "/chat"):  # in this order: who is signed in is led from /login to /chat
                if path == "/chat":
                    sign_in(context)
                for form in AIMS:
                    tell(path, form, [audit(product.url + path, form, port) for _ in range(RUNS)])
    finally:
        product.stop()


def static_files(product: Product) -> str:
    """How a bundle comes over the wire; raises where it is not as in production."""
    name = next((ROOT / "static" / "bundles").glob("chat.*.js")).name
    asked = urllib.request.Request(f"{product.url}/static/bundles/{name}", headers={"Accept-Encoding": "br, gzip"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        encoding, kept = answer.headers.get("Content-Encoding"), answer.headers.get("Cache-Control", "")
    if encoding not in ("br", "gzip") or "immutable" not in kept:
        raise RuntimeError(f"{name} is served with {encoding=} and {kept=}: not as in production")
    return f"{encoding}, {kept}"


def audit(url: str, form: str, port: int) -> dict[str, Any]:
    """One run of Lighthouse in the signed-in browser."""
    words = ["npx", "--yes", LIGHTHOUSE, url, "--quiet", "--output=json", f"--port={port}", "--disable-storage-reset"]
    words += [f"--only-categories={','.join(CATEGORIES)}", *(["--preset=desktop"] if form == "desktop" else [])]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"Lighthouse could not be run: {done.stderr[-2000:]}")
    return dict(json.loads(done.stdout))


def tell(path: str, form: str, reports: list[dict[str, Any]]) -> None:
    """Prints the scores with their aims, the metrics behind them, and what was found wanting."""
    for category in CATEGORIES:
        score = statistics.median(round(report["categories"][category]["score"] * 100) for report in reports)
        aim = {**COMMON_AIMS, **AIMS[form]}[category]
        print(f"   {'ok  ' if score >= aim else 'MISS'} {path:7} {form:8} {category:15} {score:5.0f} (aim: {aim})")
    print("        " + ", ".join(f"{name} {reports[-1]['audits'][name]['displayValue']}" for name in METRICS))
    for category in ("accessibility", "best-practices"):
        for reference in reports[-1]["categories"][category]["auditRefs"]:
            found = reports[-1]["audits"][reference["id"]]
            if reference["weight"] and found["score"] is not None and found["score"] < 1:
                print(f"        {category}: {found['title']}")
