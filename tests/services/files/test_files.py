"""The real process with real files: little memory for large uploads, kill -9 in the middle, disks that are full."""

from __future__ import annotations

import http.client
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cast import PASSWORD
from tests.live import ROOT, Product
from tests.prepared import migrated_folder

MEGABYTES = int(os.environ.get("UPLOADED_MEGABYTES", "200"))
HELD_AT_MOST = 64
"""MiB that one upload may add to the web process."""
BOUNDARY = "----a-boundary-of-our-own"
ROWS = 400_000


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    folder = migrated_folder(tmp_path_factory, tmp_path_factory.mktemp("files") / "data")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.local", "DATA_DIR": str(folder)}
    subprocess.run([sys.executable, "-m", "tests.services.runs.seed"], cwd=ROOT, env=environment, check=True)
    running = Product(folder)
    running.start()
    yield running
    running.kill()


@pytest.fixture
def token(product: Product) -> str:
    return product.sign_in("ana", PASSWORD)


def send(product: Product, token: str, files: list[tuple[str, Path]]) -> tuple[int, dict[str, Any]]:
    """Uploads files as they lie on the disk, a block at a time; status and answer."""
    heads = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file-{n}"; filename="{name}"\r\n\r\n'.encode()
        for n, (name, _) in enumerate(files)
    ]
    end = f"--{BOUNDARY}--\r\n".encode()

    def body() -> Iterator[bytes]:
        for head, (_, path) in zip(heads, files, strict=True):
            yield head
            with path.open("rb") as file:
                while block := file.read(1 << 18):
                    yield block
            yield b"\r\n"
        yield end

    length = sum(len(head) + path.stat().st_size + 2 for head, (_, path) in zip(heads, files, strict=True)) + len(end)
    connection = http.client.HTTPConnection("127.0.0.1", product.port, timeout=300)
    headers = {"Authorization": f"Bearer {token}", "Content-Length": str(length),
               "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}  # fmt: skip
    with closing(connection):
        connection.request("POST", "/api/v3/files", body=body(), headers=headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def sources(product: Product, token: str) -> dict[str, dict[str, Any]]:
    listed = product.call("GET", "/api/v3/files", token=token)["sources"]
    return {source["file_name"]: source for source in listed}


def rows(product: Product, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(product.data_dir / "product.sqlite3")) as database:
        return database.execute(sql).fetchall()


@contextmanager
def highest_memory(product: Product) -> Iterator[list[float]]:
    """The most memory the web process held meanwhile, in MiB, as the only entry of the list."""
    found, ended = [product.memory_mib()[0]], threading.Event()

    def watch() -> None:
        while not ended.wait(0.05):
            found[0] = max(found[0], product.memory_mib()[0])

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield found
    finally:
        ended.set()
        watcher.join()


def settled_memory(product: Product) -> float:
    """The memory of the web process in MiB once it stands still: what its first file makes it load is loaded then."""
    looks, until = [product.memory_mib()[0]], time.monotonic() + 60
    while len(looks) < 4 or max(looks[-4:]) - min(looks[-4:]) > 2:
        assert time.monotonic() < until, looks
        time.sleep(0.5)
        looks.append(product.memory_mib()[0])
    return looks[-1]


def a_table(path: Path, count: int) -> Path:
    with path.open("w") as file:
        file.write("name,day,amount\n")
        file.writelines(f"name {n % 977},2024-0{n % 9 + 1}-1{n % 9},{n}.25\n" for n in range(count))
    return path


def test_a_large_upload_goes_to_the_disk_and_not_into_the_web_process(product, token, tmp_path):
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.write(b"%PDF-1.7\n")  # told from a table at once: this is about receiving
        file.truncate(MEGABYTES << 20)
    send(product, token, [("small.csv", a_table(tmp_path / "warm", 50))])
    product.wait_ready(token, "small.csv")
    before = settled_memory(product)
    with highest_memory(product) as highest:
        status, told = send(product, token, [("large.csv", large), ("beside.csv", a_table(tmp_path / "b", 50))])
    assert (status, told["failed_uploads"]) == (200, 0)
    assert highest[0] - before <= HELD_AT_MOST, f"{highest[0] - before:.0f} MiB"
    assert product.wait_ready(token, "large.csv")["error"].startswith("large.csv is not a text file")
    assert product.wait_ready(token, "beside.csv")["state"] == "ready"
    product.call("DELETE", "/api/v3/files?filename=large.csv", token=token)


def test_one_byte_over_the_limit_is_413_with_the_limit_and_the_rest_of_an_upload_is_kept(product, token, tmp_path):
    over = tmp_path / "over"
    with over.open("wb") as file:
        file.truncate((200 << 20) + 1)
    status, told = send(product, token, [("over.csv", over)])
    assert status == 413
    assert told["error"]["message"] == "over.csv is too large: a file can have at most 200 MB."
    status, told = send(product, token, [("over.csv", over), ("kept.csv", a_table(tmp_path / "kept", 20))])
    assert (status, told["failed_uploads"], told["errors"][0]["code"]) == (200, 1, "file_too_large")
    assert product.wait_ready(token, "kept.csv")["rows"] == 20
    assert "over.csv" not in sources(product, token)


def test_a_file_whose_reading_was_killed_is_ready_exactly_once_after_the_next_start(product, token, tmp_path):
    send(product, token, [("orders.csv", a_table(tmp_path / "orders", ROWS))])
    until = time.monotonic() + 60
    while sources(product, token)["orders.csv"]["state"] != "reading":
        assert time.monotonic() < until
        time.sleep(0.005)
    product.kill()
    assert rows(product, "SELECT count(*) FROM datasources_datatable WHERE name = 'orders'") == [(0,)]
    product.start()
    token = product.sign_in("ana", PASSWORD)
    done = product.wait_ready(token, "orders.csv")
    assert (done["state"], done["rows"]) == ("ready", ROWS)
    assert rows(product, "SELECT count(*) FROM datasources_source WHERE file_name = 'orders.csv'") == [(1,)]
    assert rows(product, "SELECT count(*) FROM datasources_datatable WHERE name = 'orders'") == [(1,)]
    kept = {key for row in rows(product, "SELECT key, values_key FROM datasources_datatable") for key in row if key}
    assert {f"tables/{path.name}" for path in (product.data_dir / "files" / "tables").iterdir()} == kept
    assert not list((product.data_dir / "tmp").glob("ingest-*"))


@pytest.fixture
def small_disk(product: Product) -> Iterator[Path]:
    """A disk of six megabytes in the place of the stored files, while the product runs."""
    folder = product.data_dir / "files"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"this machine mounts nothing: {mounted.stderr.decode().strip()}")
    yield folder
    # The joins may still be looked for in a file of this disk: it goes at once, and for good once nobody reads from it.
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def remount(disk: Path, how: str) -> None:
    """Makes the disk read-only (`ro`) or writable again (`rw`) as soon as no file on it is being written or removed."""
    until = time.monotonic() + 60
    while (ended := subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], capture_output=True)).returncode:
        assert time.monotonic() < until, ended.stderr.decode()
        time.sleep(0.05)


def test_a_full_and_a_read_only_disk_refuse_plainly_and_the_product_answers_on(product, token, small_disk, tmp_path):
    large, little = tmp_path / "large", a_table(tmp_path / "little", 30)
    large.write_bytes(b"a,b\n" + b"1,2\n" * 2_000_000)
    status, told = send(product, token, [("first.csv", little), ("full.csv", large), ("last.csv", little)])
    assert (status, told["failed_uploads"]) == (200, 1)
    assert told["errors"][0]["message"] == (
        "full.csv could not be stored: the server has no room for it. Please tell an admin."
    )
    assert [product.wait_ready(token, name)["state"] for name in ("first.csv", "last.csv")] == ["ready", "ready"]
    remount(small_disk, "ro")
    status, told = send(product, token, [("refused.csv", little)])
    assert (status, told["error"]["code"]) == (507, "storage_failed")
    assert not {"full.csv", "refused.csv"} & set(sources(product, token))
    assert product.call("GET", "/api/v3/files/profile?filename=first.csv", token=token)["tables"][0]["rows"] == 30
    remount(small_disk, "rw")
    assert send(product, token, [("refused.csv", little)])[1]["failed_uploads"] == 0
    assert product.wait_ready(token, "refused.csv")["state"] == "ready"
