"""The proxy of deploy/nginx.conf before two webs: TLS ends there, sockets and files pass, no restart is noticed."""

from __future__ import annotations

import datetime
import http.client
import ipaddress
import json
import os
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.sync.client import connect

from tests.live import DEMO_PASSWORD, free_port
from tests.services.deploy_files import DEPLOY
from tests.services.deployment import Deployment
from tests.services.servers import new_database, wait_for

pytestmark = pytest.mark.services

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
MEBIBYTE = 1024 * 1024
PATIENCE = 60.0
"""Seconds for an answer on a machine that has started several deployments at once."""


@dataclass
class Proxied:
    """Two webs and a worker behind the proxy, and how to reach them through it."""

    first: Deployment
    second: Deployment
    folder: Path
    port: int = field(default_factory=free_port)
    plain_port: int = field(default_factory=free_port)

    def configuration(self) -> str:
        """The file people deploy, with this machine's ports, names and certificate; all else as it is."""
        text = (DEPLOY / "nginx.conf").read_text()
        for theirs, ours in (
            ("127.0.0.1:8000", f"127.0.0.1:{self.first.port}"),
            ("127.0.0.1:8001", f"127.0.0.1:{self.second.port}"),
            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
            ("/etc/ssl/plumbline", str(self.folder)),
        ):
            assert theirs in text
            text = text.replace(theirs, ours)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        kept = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in kinds)
        user = "user root;\n" if os.getuid() == 0 else ""
        return f"{user}daemon off;\npid {self.folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{kept}{text}}}\n"

    def line(self) -> http.client.HTTPSConnection:
        trusted = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=trusted)

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        line = self.line()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = line.getresponse()
        content = answer.read()
        line.close()
        return answer.status, json.loads(content) if "json" in answer.headers.get("Content-Type", "") else content

    def sign_in(self) -> str:
        status, told = self.call("POST", "/_allauth/app/v1/auth/login", {"username": "demo", "password": DEMO_PASSWORD})
        assert status == 200, told
        return str(told["meta"]["session_token"])


def certify(folder: Path) -> None:
    """A certificate for this machine, which it vouches for itself."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )


@contextmanager
def nginx(proxied: Proxied) -> Iterator[None]:
    certify(proxied.folder)
    configuration = proxied.folder / "nginx.conf"
    configuration.write_text(proxied.configuration())
    words = [NGINX, "-p", str(proxied.folder), "-e", str(proxied.folder / "error.log"), "-c", str(configuration)]
    examined = subprocess.run([*words, "-t"], capture_output=True, text=True)
    assert examined.returncode == 0, examined.stderr
    process = subprocess.Popen(words)
    try:
        wait_for(lambda: proxied.call("GET", "/login"), "nginx", 30)
        yield
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module")
def proxied(
    postgres_url: str, redis_url: str, migrated: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp("proxied")
    environment = {
        "DATABASE_URL": new_database(postgres_url, "proxied", like=migrated),
        "REDIS_URL": f"{redis_url.rsplit('/', 1)[0]}/6",
        "SECURE_SSL_REDIRECT": "true",
        "TRUSTED_PROXY_COUNT": "1",
    }
    webs = [Deployment(folder / "data", environment=environment, proxy_headers=True) for _ in range(2)]
    (folder / "proxy").mkdir()
    behind = Proxied(*webs, folder=folder / "proxy")
    webs[0].prepare()
    try:
        for web in webs:
            web.start_web()
        webs[0].start_worker()
        for web in webs:
            web.wait_healthy()
        with nginx(behind):
            yield behind
    finally:
        for web in webs:
            web.stop()


def test_tls_ends_at_the_proxy_and_what_supervisors_ask_is_not_for_the_world(proxied: Proxied) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", proxied.plain_port, timeout=PATIENCE)
    plain.request("GET", "/login?next=1")
    answer = plain.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, "https://127.0.0.1/login?next=1")
    assert proxied.call("GET", "/login")[0] == 200
    assert [proxied.call("GET", path)[0] for path in ("/healthz", "/readyz", "/metrics")] == [404] * 3


def test_a_socket_and_a_large_file_pass_the_proxy(proxied: Proxied) -> None:
    token = proxied.sign_in()
    ticket = proxied.call("POST", "/api/v3/socket-ticket", {}, token)[1]["ticket"]
    trusted = ssl.create_default_context(cafile=str(proxied.folder / "fullchain.pem"))
    address = f"wss://127.0.0.1:{proxied.port}/ws/live?ticket={ticket}"
    origin: Any = "https://127.0.0.1"
    with connect(address, ssl=trusted, origin=origin, open_timeout=PATIENCE) as live:
        body = {"prompt": "How many deals are there?", "thread_id": None, "models": None, "temperature": 1,
                "parent_message_id": None}  # fmt: skip
        sent = proxied.call("POST", "/api/v3/ask", body, token)[1]
        seen = ""
        while seen != "completed":
            event = json.loads(live.recv(timeout=90))
            if event["type"] == "run" and event["run"]["run_id"] == sent["run_id"]:
                seen = event["run"]["status"]
    row = b"Oslo,700\n"
    table = b"town,people\n" + row * (2 * MEBIBYTE // len(row))  # past what nginx takes unless it is told
    parts = b'--end\r\nContent-Disposition: form-data; name="file-0"; filename="towns.csv"\r\n\r\n'
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "multipart/form-data; boundary=end"}
    line = proxied.line()
    line.request("POST", "/api/v3/files", parts + table + b"\r\n--end--\r\n", headers)
    answer = line.getresponse()
    assert (answer.status, json.loads(answer.read())["failed_uploads"]) == (200, 0)
    line.close()


def test_one_web_after_another_is_restarted_and_nobody_who_reads_notices(proxied: Proxied) -> None:
    """What changes something is not sent twice by a proxy: the bench `rolling` asks that too, as pages do."""
    token, over = proxied.sign_in(), threading.Event()
    statuses: list[int | str] = []

    def read() -> None:
        while not over.is_set():
            try:
                statuses.append(proxied.call("GET", "/api/v3/preferences", token=token)[0])
            except (OSError, http.client.HTTPException) as error:
                statuses.append(repr(error))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for web in (proxied.first, proxied.second):
            before = len(statuses)
            assert web.process is not None
            web.process.terminate()
            assert web.process.wait(60) == 0
            until = time.monotonic() + 60
            while len(statuses) < before + 20:
                assert time.monotonic() < until, "the other web answers meanwhile"
                time.sleep(0.01)
            web.start_web()
            web.wait_healthy()
    finally:
        over.set()
        for reader in readers:
            reader.join()
    assert set(statuses) == {200}
