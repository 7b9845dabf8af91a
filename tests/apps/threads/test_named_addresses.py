"""Addresses that an admin names: none of the own network in any spelling, and no answer without an end."""

from __future__ import annotations

import asyncio
import gzip
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import httpx2
import pytest

from apps.analyst.approaches.models.naming import offered
from apps.analyst.approaches.models.public import bounded_client
from apps.analyst.approaches.models.reaching import public_address
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.errors import ProviderFailed


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "10.1.2.3", "::1", "::ffff:192.168.0.1", "0.0.0.0", "100.64.0.1", "::7f00:1", "64:ff9b::7f00:1",
     "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1", "::ffff:0:7f00:1", "2002:7f00:1::", "fec0::1", "fe80::1", "fd00::1",
     "ff02::1", "2001:db8::1", "169.254.169.254", "2130706433", "0x7f.1", "localhost"],
)  # fmt: skip
def test_addresses_of_the_own_network_are_not_public(host: str) -> None:
    with pytest.raises(ProviderFailed):
        public_address(host)


@pytest.mark.parametrize("host", ["1.1.1.1", "2606:4700:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"])
def test_addresses_of_the_world_are_public_also_where_a_translator_leads_to_them(host: str) -> None:
    assert public_address(host) == host


@contextmanager
def serving(send: Callable[[socket.socket], None]) -> Iterator[str]:
    """The address of a server that does so with whoever calls."""

    def serve() -> None:
        with suppress(OSError):
            while True:
                caller, _ = door.accept()
                with caller, suppress(OSError):
                    caller.recv(65536)
                    send(caller)

    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}/v1"


PACKED = gzip.compress(b" " * 2**26 + b'{"data": []}')
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def drip(caller: socket.socket) -> None:
    caller.sendall(HEAD)
    for number in range(1000):
        caller.sendall(b"X-%d: a\r\n" % number)
        time.sleep(0.1)


def pour(caller: socket.socket) -> None:
    caller.sendall(HEAD + b"\r\n")
    for _ in range(2_000):
        caller.sendall(b" " * 2**20)


def pack(caller: socket.socket) -> None:
    caller.sendall(HEAD + b"Content-Encoding: gzip\r\n\r\n" + PACKED)


@pytest.mark.parametrize("send", [drip, pour, pack])
def test_a_list_of_models_without_an_end_is_left_in_time_and_not_taken_whole(
    send: Callable[[socket.socket], None],
) -> None:
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with serving(send) as address, pytest.raises(ProviderFailed):
        offered(ModelSpec("own:m", "M", "openai", "m", "k", address), seconds=2.0)
    assert time.monotonic() - begun < 6
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 60


def test_an_answer_of_a_model_without_an_end_is_left() -> None:
    with serving(pour) as address:

        async def read() -> None:
            async with bounded_client() as client:
                await client.post(address, json={})

        with pytest.raises(httpx2.ReadError):
            asyncio.run(read())


def test_the_list_of_models_comes_through_the_proxy_of_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    def name(caller: socket.socket) -> None:
        caller.sendall(HEAD + b'\r\n{"data": [{"id": "far-7b"}, {"owned_by": "nobody"}]}')

    with serving(name) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.removesuffix("/v1"))
        assert offered(ModelSpec("own:m", "M", "openai", "m", "k", "http://models.invalid/v1")) == ["far-7b"]
