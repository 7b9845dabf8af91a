"""Real servers and a real deployment on them, one of each for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.services.deployment import Deployment
from tests.services.servers import new_database, postgres_server, rabbitmq_server, redis_server, s3_server
from tests.sharing import DEPLOYMENTS


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Outside pytest's folders: whoever starts another session closes those to the user the server runs as."""
    with TemporaryDirectory(prefix="postgres-") as folder, postgres_server(Path(folder) / "server") as url:
        yield url


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, postgres_url: str, redis_url: str) -> str:
    """The name of a database with every table and no row of anybody's; others begin like it."""
    environment = {"DATABASE_URL": new_database(postgres_url, "migrated"), "REDIS_URL": redis_url}
    Deployment(tmp_path_factory.mktemp("migrated"), environment=environment).manage("migrate", "--verbosity", "0")
    return "migrated"


@pytest.fixture(scope="session", params=DEPLOYMENTS)
def deployment(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgres_url: str,
    redis_url: str,
    migrated: str,
) -> Iterator[Deployment]:
    """Web and worker processes in production settings, on each of two sets of servers; their data are apart."""
    folder = tmp_path_factory.mktemp("deployment")
    with ExitStack() as servers:
        number = request.param_index
        environment = {
            "DATABASE_URL": new_database(postgres_url, f"deployment{number}", like=migrated),
            "REDIS_URL": f"{redis_url.rsplit('/', 1)[0]}/{number + 1}",
        }
        if number == 1:
            environment["BROKER_URL"] = servers.enter_context(rabbitmq_server(folder / "rabbitmq"))
            environment |= servers.enter_context(s3_server("files-of-the-deployment"))
        running = Deployment(folder / "data", environment=environment)
        running.start()
        servers.callback(running.stop)
        yield running
