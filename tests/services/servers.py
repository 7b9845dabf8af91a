"""Real servers for the tests: private ones on free ports, with data of their own, ended with the test session."""

from __future__ import annotations

import contextlib
import functools
import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pika
import psycopg
import redis
from psycopg import sql

from tests.live import free_port


def wait_for(ready: Callable[[], object], what: str, seconds: float = 120.0) -> None:
    """Waits until `ready` raises nothing."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(Exception):
            ready()
            return
        time.sleep(0.05)
    raise RuntimeError(f"{what} did not start within {seconds:.0f} s")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


@contextlib.contextmanager
def redis_server(folder: Path, port: int | None = None) -> Iterator[str]:
    """A Redis that keeps an append-only file in `folder`; yields its address."""
    port = port or free_port()
    folder.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes",
         "--save", "", "--loglevel", "warning"],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        client = redis.Redis(port=port)
        wait_for(client.ping, "Redis")
        client.close()
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        _end(process)


@contextlib.contextmanager
def rabbitmq_server(folder: Path) -> Iterator[str]:
    """A RabbitMQ whose node, port mapper and distribution port listen on loopback alone; yields its address.

    A node that does not come up (a port of its was taken in the meantime) is started once more, on other ports.
    """
    for attempt in (1, 2):
        port = free_port()
        with _rabbitmq_node(folder / f"attempt{attempt}", port):
            address = f"amqp://guest:guest@127.0.0.1:{port}"
            connected = functools.partial(pika.BlockingConnection, pika.URLParameters(address))
            try:
                wait_for(lambda c=connected: c().close(), "RabbitMQ", 90)  # type: ignore[misc]
            except RuntimeError as error:
                if attempt == 2:
                    raise RuntimeError(f"{error}\n{_said(folder)}") from error
            else:
                yield address
                return


def _said(folder: Path) -> str:
    """The ends of the logs below a folder."""
    logs = sorted(folder.rglob("*.log"))
    return "\n".join(f"{log.name}:\n{log.read_text(errors='replace')[-1500:]}" for log in logs)


@contextlib.contextmanager
def _rabbitmq_node(folder: Path, port: int) -> Iterator[None]:
    """A node that begins to start, with a port mapper of its own: Erlang's would outlive it."""
    mapper_port = free_port()
    folder.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "HOME": str(folder),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "ERL_EPMD_PORT": str(mapper_port),
        "RABBITMQ_NODENAME": "product@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_MNESIA_BASE": str(folder / "data"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_PID_FILE": str(folder / "pid"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
    }
    with (folder / "started.log").open("wb") as said:
        heard = {"stdout": said, "stderr": said, "env": environment, "cwd": folder}
        mapper = subprocess.Popen(["epmd"], **heard)  # type: ignore[call-overload]
        # Debian's command changes to a user of its own where root calls it; the script behind it does not.
        script = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
        command = str(script) if script.exists() else "rabbitmq-server"
        server = subprocess.Popen([command], start_new_session=True, **heard)  # type: ignore[call-overload]
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        _end(server)
        _end(mapper)


def postgres_program(name: str) -> str:
    """One of PostgreSQL's programs, which Debian keeps out of the way."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else shutil.which(name) or name


@contextlib.contextmanager
def postgres_server(folder: Path, port: int | None = None) -> Iterator[str]:
    """A PostgreSQL with a database `product`, empty where the folder is new; yields its address."""
    port = port or free_port()
    folder.mkdir(parents=True, exist_ok=True)
    user = pwd.getpwuid(os.getuid()).pw_name
    prefix: list[str] = []
    if user == "root":  # the server refuses to run as root
        user = "postgres"
        shutil.chown(folder, user, user)
        for parent in [folder, *folder.parents]:
            if parent.stat().st_uid == os.getuid() and parent != Path("/"):
                parent.chmod(parent.stat().st_mode | 0o011)
        prefix = ["runuser", "-u", user, "--"]
    data = folder / "data"
    new = not data.exists()
    if new:
        subprocess.run(
            [*prefix, postgres_program("initdb"), "-D", str(data), "-A", "trust", "-U", user, "-E", "UTF8",
             "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, cwd="/",
        )  # fmt: skip
    process = subprocess.Popen(
        [*prefix, postgres_program("postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(folder),
         "-c", "fsync=off", "-c", "max_connections=300"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/",
    )  # fmt: skip
    address = f"postgres://{user}@127.0.0.1:{port}"
    try:
        wait_for(lambda: psycopg.connect(f"{address}/postgres").close(), "PostgreSQL")
        if new:
            new_database(f"{address}/postgres", "product")
        yield f"{address}/product"
    finally:
        with contextlib.suppress(OSError):  # at once, whoever is connected: told to end, it would wait for them
            os.kill(int((data / "postmaster.pid").read_text().split()[0]), signal.SIGINT)
            process.wait(10)
        _end(process)


def new_database(address: str, name: str, *, like: str = "template1") -> str:
    """Makes a database on the server of that address, empty or like another one; answers its own address."""
    with psycopg.connect(address, autocommit=True) as connection:
        words = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(words.format(sql.Identifier(name), sql.Identifier(like)))
    return f"{address.rsplit('/', 1)[0]}/{name}"


@contextlib.contextmanager
def s3_server(bucket: str) -> Iterator[dict[str, str]]:
    """A server that speaks S3 with an empty bucket; yields the environment that names it to the product."""
    import boto3

    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    environment = {
        "S3_BUCKET": bucket,
        "S3_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "S3_ACCESS_KEY": "a-key-of-the-tests",
        "S3_SECRET_KEY": "a-secret-of-the-tests",
    }
    client = boto3.client(
        "s3",
        endpoint_url=environment["S3_ENDPOINT_URL"],
        aws_access_key_id=environment["S3_ACCESS_KEY"],
        aws_secret_access_key=environment["S3_SECRET_KEY"],
        region_name="us-east-1",
    )
    try:
        wait_for(lambda: client.create_bucket(Bucket=bucket), "the S3 server")
        yield environment
    finally:
        _end(process)
