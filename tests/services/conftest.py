"""Real servers and a real deployment on them, one of each for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.services.deployment import Deployment
from tests.services.servers import postgres_server, redis_server


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres_server(tmp_path_factory.mktemp("postgres") / "server") as url:
        yield url


@pytest.fixture(scope="session")
def deployment(tmp_path_factory: pytest.TempPathFactory, postgres_url: str, redis_url: str) -> Iterator[Deployment]:
    """Web and worker processes in production settings on PostgreSQL and Redis."""
    running = Deployment(
        tmp_path_factory.mktemp("deployment") / "data",
        environment={"DATABASE_URL": postgres_url, "REDIS_URL": redis_url},
    )
    running.start()
    yield running
    running.stop()
