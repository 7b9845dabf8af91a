"""Which tests run in the same of pytest's processes, because what they share takes long to make.

xdist's own groups do nothing under this version of pytest: it no longer lets a plugin rename a test.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

DEPLOYMENTS = ("PostgreSQL and Redis", "PostgreSQL, RabbitMQ and S3")
"""The sets of servers of the fixture `deployment`: all tests on one of them share it."""

TOGETHER = (
    "tests/services/",
    "tests/apps/datasources/test_demo.py",
    "tests/apps/demo/test_promises.py",
    "tests/contract/test_statuses.py",
)
"""Below these paths all tests of a file share what it makes."""


class SharingScheduling(LoadScopeScheduling):
    """Hands out whole groups, the largest first; every other test goes to whichever process is free."""

    def _split_scope(self, nodeid: str) -> str:
        for deployment in DEPLOYMENTS:
            if deployment in nodeid.partition("[")[2]:
                return deployment
        file = nodeid.partition("::")[0]
        return file if file.startswith(TOGETHER) else nodeid
