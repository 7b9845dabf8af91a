"""A HubSpot account of HUBSPOT_CONTACTS contacts, a third as many deals and a sixth as many companies: the first
refresh, killed in the middle and gone on with by another process, then a second after some records changed.

The stand-in keeps to the documented hundred calls in ten seconds only with HUBSPOT_LIMIT=100: the time is then the
limit's, not ours.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from apps.integrations.fakes.base import serving
from apps.integrations.fakes.hubspot import FakeHubSpot
from apps.integrations.fakes.hubspot_account import FIRST_ID, Account
from tests.live import ROOT

CONTACTS = int(os.environ.get("HUBSPOT_CONTACTS", "3000"))
LIMIT = int(os.environ.get("HUBSPOT_LIMIT", "0")) or None
AIM_MIB = 512


def run(folder: Path) -> None:
    sizes = {"contacts": CONTACTS, "deals": CONTACTS // 3, "companies": CONTACTS // 6, "tickets": 0, "emails": 0}
    hubspot = FakeHubSpot(Account(sizes), check=False)  # type: ignore[arg-type]
    hubspot.per_ten_seconds = LIMIT
    (folder / "data").mkdir()
    with serving(hubspot) as url:
        worker = Worker(folder / "data", url, hubspot.grant("http://localhost/hubspot-callback"))
        worker.begin()
        killed_at = worker.killed_in_the_middle(sum(sizes.values()) // 2)
        first = worker.refreshed()
        asked = len(hubspot.calls("objects.list"))
        pages = sum(-(-size // 100) for size in sizes.values() if size)
        print(f"   first refresh: {first['read']:,} records, killed at {killed_at:,}, {first['seconds']:.0f} s in all")
        print(f"   list calls: {asked} for {pages} pages (those of the killed page and of empty kinds come on top)")
        for category, size in sizes.items():
            for number in range(size // 100 if category != "deals" else size // 200):
                name = "jobtitle" if category == "contacts" else "city" if category == "companies" else "hs_next_step"
                hubspot.account.change(category, FIRST_ID + number * 97 % size, **{name: "Changed"})  # type: ignore[arg-type]
        hubspot.log.clear()
        second = worker.refreshed()
        seconds, calls = second["seconds"], len(hubspot.log)
        print(f"   second refresh: {second['changed']:,} records changed, {calls} calls, {seconds:.0f} s")
        refused = len([call for call in hubspot.log if call.status == 429])
        peak = max(first["mib"], second["mib"])
        print(f"   memory of the worker: {peak:.0f} MiB (aim: under {AIM_MIB}); refused for the limit: {refused} calls")


class Worker:
    """Processes that work on refreshes of one organization, one after the other, on a database on disk."""

    def __init__(self, data: Path, url: str, code: str) -> None:
        self.data = data
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings.local", "DATA_DIR": str(data), "LOG_LEVEL": "ERROR",
            "HUBSPOT_CLIENT_ID": "fake-hubspot-client", "HUBSPOT_CLIENT_SECRET": "fake-hubspot-secret",
            "HUBSPOT_API_URL": url, "HUBSPOT_CODE": code,
        }  # fmt: skip
        self.environment.pop("DATABASE_URL", None)

    def _start(self, what: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "benches.hubspot_worker", what], cwd=ROOT, env=self.environment,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def begin(self) -> None:
        assert self._start("connect").wait() == 0

    def killed_in_the_middle(self, at: int) -> int:
        """Kills a worker once it has read so many records; how many it had then."""
        process = self._start("refresh")
        read = 0
        while read < at and process.poll() is None:
            time.sleep(0.05)
            with sqlite3.connect(self.data / "product.sqlite3", timeout=20) as database:
                read = database.execute("SELECT COALESCE(MAX(read), 0) FROM integrations_hubspotsync").fetchone()[0]
        process.send_signal(signal.SIGKILL)
        process.wait()
        return int(read)

    def refreshed(self) -> dict[str, float]:
        """A refresh to its end, gone on with where one was killed."""
        process = self._start("refresh")
        said, _ = process.communicate()
        assert process.returncode == 0
        return dict(json.loads(said))
