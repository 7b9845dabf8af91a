"""Many who sign in at once: each gets a turn, whoever guesses behind the same address, and takes no thread for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from apps.accounts.flows import turns as rules
from apps.accounts.flows.door import NAME_BYTES, OUTCOME, Door
from apps.accounts.flows.turns import Turns

LOGIN, ADMIN = "/_allauth/app/v1/auth/login", "/admin/login/"
ASK, CODE = "/_allauth/app/v1/auth/password/request", "/_allauth/app/v1/auth/password/reset"
ACCEPT = "/api/v3/invitations/accept"
OFFICE, HOME = "192.0.2.10", "203.0.113.5"


class Product:
    """An application that looks at passwords one after the other, in the order in which it is asked to."""

    def __init__(self) -> None:
        self.inside: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.most_together = 0
        self.asked: list[str] = []
        self.bodies: list[bytes] = []

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        place, body = scope["client"][0], b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        self.bodies.append(body)
        said = json.loads(body) if body.startswith(b"{") else {}
        self.asked.append(said.get("username", scope["path"]))
        self.inside[place] = self.inside.get(place, 0) + 1
        self.most[place] = max(self.most.get(place, 0), self.inside[place])
        self.most_together = max(self.most_together, sum(self.inside.values()))
        await asyncio.sleep(0.002)
        self.inside[place] -= 1
        right = said.get("password") == "right"
        if said:
            scope[OUTCOME] = right
        await send({"type": "http.response.start", "status": 200 if right else 400, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    """A wrong password keeps its turn for a hundredth of the time."""
    monkeypatch.setattr("apps.accounts.flows.door.WRONG_SECONDS", rules.WRONG_SECONDS / 100)


async def knock(
    door: Door, place: str, *parts: bytes, path: str = LOGIN, method: str = "POST", token: bytes = b""
) -> list[dict[str, Any]]:
    """What the door sends to a call whose body comes in these parts."""
    sent: list[dict[str, Any]] = []
    left = [*parts] or [b""]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"authorization", token)]
    scope = {"type": "http", "method": method, "path": path, "headers": headers, "client": (place, 5)}
    await door({**scope, "query_string": b""}, receive, send)
    return sent


async def sign_in(door: Door, name: str, password: str, place: str) -> int:
    sent = await knock(door, place, json.dumps({"username": name, "password": password}).encode())
    return int(sent[0]["status"])


def story(told: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(told(), 20))  # type: ignore[arg-type]


def test_a_right_password_passes_beside_a_hundred_wrong_ones_of_its_address_and_nobody_is_refused():
    product = Product()
    door = Door(product)

    async def told() -> None:
        wrong = [asyncio.create_task(sign_in(door, f"tried{n % 10}", "wrong", OFFICE)) for n in range(100)]
        await asyncio.sleep(0)
        assert await sign_in(door, "ana", "right", OFFICE) == 200
        assert product.asked.index("ana") <= 10  # behind each tried name's first, before their others
        assert {await task for task in wrong} == {400}

    story(told)
    assert product.most == {OFFICE: rules.OF_ONE_PLACE}


def test_a_name_that_was_tried_in_vain_waits_behind_one_that_was_not():
    product = Product()
    door = Door(product)

    async def told() -> None:
        await sign_in(door, "ben", "wrong", OFFICE)
        before = [asyncio.create_task(sign_in(door, f"first{n}", "wrong", OFFICE)) for n in range(2)]
        await asyncio.sleep(0)
        again = asyncio.create_task(sign_in(door, "BEN", "wrong", OFFICE))
        await asyncio.sleep(0)
        await asyncio.gather(sign_in(door, "ana", "right", OFFICE), again, *before)

    story(told)
    assert product.asked.index("ana") < product.asked.index("BEN")


def test_a_right_password_makes_a_name_untried_and_another_place_never_made_it_tried():
    product = Product()
    turns = Turns()
    door = Door(product, turns)

    async def told() -> None:
        await sign_in(door, "ben", "wrong", OFFICE)
        await sign_in(door, "ben", "right", OFFICE)
        await sign_in(door, "ana", "wrong", HOME)
        full = [asyncio.create_task(sign_in(door, f"first{n}", "right", OFFICE)) for n in range(2)]
        await asyncio.sleep(0)
        await asyncio.gather(*(sign_in(door, name, "right", OFFICE) for name in ("ben", "ana", "cal")), *full)

    story(told)
    assert product.asked[-3:] == ["ben", "ana", "cal"]


def test_places_take_their_turns_one_after_the_other_and_half_of_the_threads_stay_free():
    product = Product()
    door = Door(product)

    async def told() -> None:
        crowds = [asyncio.create_task(sign_in(door, f"name{n}", "wrong", f"198.51.100.{n % 5}")) for n in range(200)]
        await asyncio.sleep(0)
        assert await sign_in(door, "ana", "right", HOME) == 200
        assert product.asked.index("ana") <= 12
        await asyncio.gather(*crowds)

    story(told)
    assert product.most_together == rules.TOGETHER


def test_wrong_passwords_keep_their_turns_on_however_fast_a_machine(monkeypatch):
    monkeypatch.setattr("apps.accounts.flows.door.WRONG_SECONDS", 0.1)

    async def seconds(password: str) -> float:
        door, loop = Door(Product()), asyncio.get_running_loop()
        begun = loop.time()
        await asyncio.gather(*(sign_in(door, f"name{n}", password, OFFICE) for n in range(8)))
        return loop.time() - begun

    assert asyncio.run(seconds("wrong")) >= 0.29  # two turns of four, of which the last is not waited for
    assert asyncio.run(seconds("right")) < 0.29


def test_where_more_wait_than_may_the_last_of_the_place_with_the_most_comes_again(monkeypatch):
    monkeypatch.setattr(rules, "MOST_WAITING", 5)
    product = Product()
    door = Door(product)

    async def told() -> None:
        crowd = [asyncio.create_task(sign_in(door, "ben", "wrong", OFFICE)) for _ in range(20)]
        await asyncio.sleep(0)
        assert await sign_in(door, "ana", "right", OFFICE) == 200
        assert await sign_in(door, "cal", "right", HOME) == 200
        statuses = [await task for task in crowd]
        assert statuses.count(429) == 14  # of 21 two were inside, and five waited

    story(told)
    refused = asyncio.run(knock(Door(product, Full()), OFFICE, b"{}"))
    assert (refused[0]["status"], dict(refused[0]["headers"])[b"retry-after"]) == (429, b"5")


class Full(Turns):
    """As many wait as may."""

    async def take(self, place: str, name: str) -> None:
        raise rules.NoRoom


def test_who_goes_away_while_waiting_or_inside_keeps_no_turn():
    product = Product()
    door = Door(product)

    async def told() -> None:
        gone = [asyncio.create_task(sign_in(door, f"name{n}", "wrong", OFFICE)) for n in range(6)]
        await asyncio.sleep(0.001)
        for task in gone:
            task.cancel()
        await asyncio.gather(*gone, return_exceptions=True)
        for _ in range(5):
            assert await sign_in(door, "ana", "right", OFFICE) == 200

    story(told)
    assert len(product.asked) == 7


def test_who_goes_away_at_the_moment_of_their_turn_leaves_it_to_the_next():
    turns = Turns()

    async def told() -> None:
        await turns.take(OFFICE, "ana")
        await turns.take(OFFICE, "ben")
        given, waiting = (asyncio.create_task(turns.take(OFFICE, name)) for name in ("cal", "dora"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert not turns._waiting[OFFICE][1:]
        turns.done(OFFICE, "ana", right=True)
        given.cancel()
        await asyncio.gather(given, return_exceptions=True)
        await turns.take(OFFICE, "eve")

    story(told)


def test_all_other_calls_pass_at_once():
    product = Product()
    door = Door(product, Full())

    async def told() -> None:
        await knock(door, OFFICE, path="/api/v3/me")
        await knock(door, OFFICE, path=LOGIN, method="GET")
        assert (await knock(door, OFFICE, path=ADMIN))[0]["status"] == 429

    story(told)
    assert product.asked == ["/api/v3/me", LOGIN]


class Answers:
    """An application that answers with one status, and counts those that it has inside."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.most = self.inside = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        await asyncio.sleep(0.002)
        self.inside -= 1
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize(
    ("method", "path", "wrong", "right"),
    [
        ("POST", ASK, 401, None),
        ("GET", CODE, 400, 200),
        ("HEAD", CODE, 400, 200),
        ("POST", CODE, 400, 401),
        ("POST", CODE, 409, 401),
        ("POST", ACCEPT, 404, 201),
    ],
)
def test_resets_and_invitations_wait_for_turns_and_what_is_wrong_keeps_its_turn(
    method, path, wrong, right, monkeypatch
):
    monkeypatch.setattr("apps.accounts.flows.door.WRONG_SECONDS", 0.1)

    async def taken(status: int) -> tuple[float, int]:
        product = Answers(status)
        door, loop = Door(product), asyncio.get_running_loop()
        begun = loop.time()
        await asyncio.gather(*(knock(door, OFFICE, path=path, method=method) for _ in range(6)))
        return loop.time() - begun, product.most

    seconds, most = asyncio.run(taken(wrong))
    assert most == rules.OF_ONE_PLACE
    assert seconds >= 0.19  # two turns of three, of which the last is not waited for
    if right is not None:
        assert asyncio.run(taken(right))[0] < 0.19


@pytest.mark.parametrize(
    ("path", "body", "token", "name"),
    [
        (ASK, b'{"email": "Ana@example.com"}', b"", f"{ASK} ana@example.com"),
        (CODE, b'{"key": "BCDF", "password": "x"}', b"Bearer abc", f"{CODE} Bearer abc"),
        (ACCEPT, b'{"key": "x", "username": "newt"}', b"", f"{ACCEPT} newt"),
    ],
)
def test_tries_at_one_account_or_attempt_go_behind_those_at_others_of_their_place(path, body, token, name):
    class Seen(Turns):
        async def take(self, place: str, name: str) -> None:
            names.append(name)
            await super().take(place, name)

    names: list[str] = []
    turns = Seen()
    story(lambda: knock(Door(Answers(400), turns), OFFICE, body, path=path, token=token))
    assert names == [name]
    assert turns._tries[OFFICE, name][0] == 1


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ((b'{"username": "Ana"', b"}"), "ana"),
        ((b'{"email": "ANA@example.com"}',), "ana@example.com"),
        ((b"csrfmiddlewaretoken=x&username=Ana%40example.com&password=y",), "ana@example.com"),
        ((b"[" * NAME_BYTES, b"]" * NAME_BYTES), ""),
        ((b"[1]",), ""),
        ((b"\xff\xfe",), ""),
        ((b"",), ""),
        ((b"x" * NAME_BYTES, b"y" * NAME_BYTES, b"z"), ""),
    ],
)
def test_the_application_gets_the_whole_body_and_the_turn_is_the_names(parts, name):
    class Seen(Turns):
        async def take(self, place: str, name: str) -> None:
            names.append((place, name))
            await super().take(place, name)

    names: list[tuple[str, str]] = []
    product = Product()
    story(lambda: knock(Door(product, Seen()), "2001:db8:1:2::5", *parts))
    assert names == [("2001:db8:1:2::", name)]
    assert product.bodies == [b"".join(parts)]


def test_what_is_kept_of_names_is_bounded(monkeypatch):
    monkeypatch.setattr(rules, "MOST_NAMES", 10)
    turns = Turns()

    async def told() -> None:
        for number in range(50):
            await turns.take(OFFICE, f"name{number}")
            turns.done(OFFICE, f"name{number}", right=False)

    story(told)
    assert len(turns._tries) == 10
    assert (len(turns._waiting), len(turns._taken)) == (0, 0)
