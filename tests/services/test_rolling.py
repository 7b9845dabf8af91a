"""A web that is told to stop: what it has begun is answered, whoever listens is told, and then it is gone."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.services.deployment import Deployment

pytestmark = pytest.mark.services

GOING_AWAY = 1001


def begun_request(deployment: Deployment, token: str, body: bytes) -> socket.socket:
    """A request whose head the web has read, as it says, and whose body it waits for."""
    line = socket.create_connection(("127.0.0.1", deployment.port), timeout=60)
    head = (
        f"POST /api/v3/ask HTTP/1.1\r\nHost: 127.0.0.1:{deployment.port}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    )
    line.sendall(head.encode())
    assert line.recv(100).startswith(b"HTTP/1.1 100")
    return line


def until_refused(port: int) -> None:
    """Waits until nobody takes new connections there."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except OSError:
            return
        time.sleep(0.05)
    raise TimeoutError("the web still takes connections")


def test_a_web_that_is_stopped_answers_what_it_has_begun_and_tells_its_sockets(deployment: Deployment) -> None:
    token = deployment.sign_in()
    ticket = deployment.call("POST", "/api/v3/socket-ticket", {}, token=token)["ticket"]
    address = f"ws://127.0.0.1:{deployment.port}/ws/live?ticket={ticket}"
    body = json.dumps({"give": "threads"}).encode()
    process = deployment.process
    assert process is not None
    try:
        with connect(address, origin=deployment.url) as live:  # type: ignore[arg-type]
            live.ping().wait(timeout=60)
            line = begun_request(deployment, token, body)
            process.terminate()
            until_refused(deployment.port)
            with suppress(ConnectionClosed):
                while True:
                    live.recv(timeout=60)
            assert live.close_code == GOING_AWAY
        line.sendall(body)
        answer = b""
        while part := line.recv(65_536):  # it ends the connection after the answer
            answer += part
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in answer.lower()
        assert process.wait(60) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        deployment.start_web()
        deployment.wait_healthy()
