"""Sessions as a real deployment keeps them: the admin's cookies, and how soon a deactivated member is out."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
from contextlib import suppress
from http.cookies import Morsel, SimpleCookie
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.live import DEMO_PASSWORD
from tests.services.deployment import Deployment

pytestmark = pytest.mark.services

ADMIN = "/admin/login/"


def cookies_of(answer: http.client.HTTPResponse) -> dict[str, Morsel[str]]:
    """The cookies of the answer's Set-Cookie headers."""
    found = SimpleCookie()
    for header in answer.headers.get_all("Set-Cookie", []):
        found.load(header)
    return dict(found)


def test_the_admins_cookies_go_over_https_only_and_never_to_a_script_or_another_site(deployment: Deployment) -> None:
    """As the proxy in front sends it on, whose own line is HTTPS."""
    line = http.client.HTTPConnection("127.0.0.1", deployment.port)
    origin = f"https://127.0.0.1:{deployment.port}"
    headers = {"X-Forwarded-Proto": "https", "Referer": origin + ADMIN, "Origin": origin}
    line.request("GET", ADMIN, headers=headers)
    shown = line.getresponse()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown.read().decode())
    csrf = cookies_of(shown)["csrftoken"]
    assert token is not None
    form = urlencode({"username": "demo", "password": DEMO_PASSWORD, "csrfmiddlewaretoken": token[1]})
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": f"csrftoken={csrf.value}"}
    line.request("POST", ADMIN, form, {**headers, **kind})
    entered = line.getresponse()
    entered.read()
    assert entered.status == 302
    given = cookies_of(entered)
    for cookie in (csrf, given["csrftoken"], given["sessionid"]):
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax"), cookie.key
    assert given["sessionid"]["max-age"] == ""  # over when the browser is closed


@pytest.mark.parametrize(
    ("organization", "member", "deactivated"),
    [("Initrode", "dora", ("member", "dora")), ("Initech", "dan", ("organization", "Initech"))],
)
def test_who_is_deactivated_is_out_with_the_next_call_and_the_open_socket_closes(
    deployment: Deployment, organization: str, member: str, deactivated: tuple[str, str]
) -> None:
    deployment.manage("organization", "create", organization)
    made = json.loads(deployment.manage("member", "create", organization, member, "--json"))
    login = "/_allauth/app/v1/auth/login"
    with pytest.raises(urllib.error.HTTPError) as asked:  # for an own password
        deployment.call("POST", login, {"username": member, "password": made["temporary_password"]})
    pending = json.loads(asked.value.read())["meta"]["session_token"]
    chosen = deployment.call(
        "POST", "/_allauth/app/v1/auth/new-password", {"new_password": "My-own-word-7"}, token=pending
    )
    token = chosen["meta"]["session_token"]
    ticket = deployment.call("POST", "/api/v3/socket-ticket", {}, token=token)["ticket"]
    address = f"ws://127.0.0.1:{deployment.port}/ws/live?ticket={ticket}"
    with connect(address, origin=Origin(deployment.url)) as socket:
        socket.ping().wait(timeout=20)  # it is open
        whose, name = deactivated
        deployment.manage(whose, "deactivate", name)
        begun = time.perf_counter()
        with pytest.raises(urllib.error.HTTPError) as refused:
            deployment.call("GET", "/api/v3/me", token=token)
        assert refused.value.code == 401
        with suppress(ConnectionClosed):
            while True:
                socket.recv(timeout=60)
        print(f"the socket closed {time.perf_counter() - begun:.1f} s after the deactivation")
        assert socket.close_code == 4401
