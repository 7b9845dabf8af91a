"""The socket: who may open it, what it brings, and when it closes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.core.cache import cache

from apps.accounts.models import Organization, User
from apps.accounts.services.organizations import organization_deactivate
from apps.accounts.sessions import session_of
from apps.analyst.types import Answer, Question, Step
from apps.core import live
from apps.threads import consumers, tickets
from apps.threads.routing import sockets
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member, Script, a_while, usual
from tests.cast import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

SAME = [(b"host", b"testserver"), (b"origin", b"http://testserver")]


def opened(ticket: str, headers: list[tuple[bytes, bytes]] = SAME, path: str = "/ws/live") -> WebsocketCommunicator:
    return WebsocketCommunicator(sockets, f"{path}?ticket={ticket}", headers=headers)


def ticket_of(member: Member) -> str:
    answer = member.post({}, "/api/v3/socket-ticket")
    assert answer.status_code == 200
    assert answer.json()["expires_in"] == 30
    return str(answer.json()["ticket"])


def on_the_servers_loop(story: Callable[[], Awaitable[None]]) -> None:
    """Runs the story on a loop that serves sockets, as daphne's does."""

    async def served() -> None:
        live.serve_on(asyncio.get_running_loop())
        try:
            await story()
        finally:
            live.serve_on(None)

    async_to_sync(served)()


async def joined(ticket: str) -> WebsocketCommunicator:
    """An open socket that has joined its two groups."""
    before, socket = _memberships(), opened(ticket)
    await socket.connect()
    for _ in range(200):
        if _memberships() == before + 2:
            return socket
        await asyncio.sleep(0.01)
    raise AssertionError("the socket did not join its groups")


def _memberships() -> int:
    layer: Any = get_channel_layer()
    return sum(len(channels) for channels in layer.groups.values())


async def closing_code(socket: WebsocketCommunicator) -> int:
    connected, _ = await socket.connect()
    assert connected
    event = await socket.receive_output(timeout=2)
    assert event["type"] == "websocket.close"
    return int(event["code"])


def test_the_snapshots_of_a_run_arrive_as_a_poll_would_give_them(ana: Member, script: Script) -> None:
    def slow(question: Question, emit: Any) -> Answer:
        emit(Step("Reading the question"))
        a_while()
        return usual(question, lambda step: emit(step) if step.label != "Reading the question" else None)

    script.say = slow
    ticket = ticket_of(ana)

    async def story() -> None:
        socket = await joined(ticket)
        done = await sync_to_async(ana.ask, thread_sensitive=False)()
        events = [json.loads(await socket.receive_from(timeout=2)) for _ in range(3)]
        assert [event["run"]["status"] for event in events] == ["running", "running", "completed"]
        assert [event["run"]["step_description"] for event in events[:2]] == [
            "Reading the question",
            "Computing: deals",
        ]
        assert events[-1] == {"type": "run", "run": done}
        await socket.disconnect()

    on_the_servers_loop(story)


def test_steps_of_work_that_is_over_at_once_come_with_its_answer(ana: Member) -> None:
    ticket = ticket_of(ana)

    async def story() -> None:
        socket = await joined(ticket)
        done = await sync_to_async(ana.ask, thread_sensitive=False)()
        event = json.loads(await socket.receive_from(timeout=2))
        assert event == {"type": "run", "run": done}
        assert [step["label"] for step in event["run"]["steps"]] == ["Reading the question", "Computing"]
        assert await socket.receive_nothing(timeout=0.2)
        await socket.disconnect()

    on_the_servers_loop(story)


def test_a_run_is_pushed_to_nobody_else(ana: Member, ben: Member, gus: Member) -> None:
    tickets_ = [ticket_of(ben), ticket_of(gus)]

    async def story() -> None:
        others = [await joined(ticket) for ticket in tickets_]
        await sync_to_async(ana.ask, thread_sensitive=False)()
        for socket in others:
            assert await socket.receive_nothing(timeout=0.2)
            await socket.disconnect()

    on_the_servers_loop(story)


def test_an_organizations_event_reaches_its_members_only(ana: Member, ben: Member, gus: Member, cast: Cast) -> None:
    tickets_ = [ticket_of(member) for member in (ana, ben, gus)]

    async def story() -> None:
        mine, colleagues, foreign = [await joined(ticket) for ticket in tickets_]
        event = {"type": "source_removed", "file_name": "deals.csv"}
        push = sync_to_async(live.push, thread_sensitive=False)
        await push(live.organization_group(cast.acme.pk), event)
        assert json.loads(await mine.receive_from(timeout=2)) == event
        assert json.loads(await colleagues.receive_from(timeout=2)) == event
        assert await foreign.receive_nothing(timeout=0.2)
        for socket in (mine, colleagues, foreign):
            await socket.disconnect()

    on_the_servers_loop(story)


@pytest.mark.parametrize("ticket", ["", "forged", "a:b:c", "%00", "x" * 5_000])
def test_a_forged_ticket_closes_with_4401(ana: Member, ticket: str) -> None:
    async def story() -> None:
        assert await closing_code(opened(ticket)) == 4401

    on_the_servers_loop(story)


def test_a_ticket_opens_one_socket_only(ana: Member) -> None:
    ticket = ticket_of(ana)

    async def story() -> None:
        first = await joined(ticket)
        assert await closing_code(opened(ticket)) == 4401
        await first.disconnect()

    on_the_servers_loop(story)


def test_a_ticket_is_good_for_thirty_seconds(ana: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = ticket_of(ana)
    monkeypatch.setattr(tickets, "TICKET_SECONDS", -1)

    async def story() -> None:
        assert await closing_code(opened(ticket)) == 4401

    on_the_servers_loop(story)


def test_a_ticket_names_neither_the_session_nor_the_user(cast: Cast) -> None:
    session = session_of(sign_in("ana"))
    assert session is not None
    ticket = tickets.ticket_issue(session)
    assert session.key not in ticket
    assert str(cast.ana.pk) not in ticket
    cache.clear()
    assert tickets.ticket_redeem(ticket) is None


@pytest.mark.parametrize("closed", [User, Organization])
def test_a_ticket_of_an_ended_session_is_refused(ana: Member, closed: type[User | Organization]) -> None:
    ticket = ticket_of(ana)
    closed.objects.update(is_active=False)

    async def story() -> None:
        assert await closing_code(opened(ticket)) == 4401

    on_the_servers_loop(story)


@pytest.mark.parametrize(
    "headers",
    [
        [(b"host", b"testserver")],
        [(b"host", b"testserver"), (b"origin", b"null")],
        [(b"host", b"testserver"), (b"origin", b"http://evil.example")],
        [(b"host", b"testserver"), (b"origin", b"http://testserver:8001")],
        [(b"host", b"testserver"), (b"origin", b"http://[")],
        [(b"host", b"testserver"), (b"origin", b"file://testserver")],
        [(b"host", b"evil.example"), (b"origin", b"http://evil.example")],
        [(b"origin", b"http://testserver")],
    ],
)
def test_a_page_of_another_address_cannot_open_a_socket(ana: Member, headers: list[tuple[bytes, bytes]]) -> None:
    ticket = ticket_of(ana)

    async def story() -> None:
        connected, _ = await opened(ticket, headers).connect()
        assert not connected

    on_the_servers_loop(story)


def test_there_is_no_other_socket(ana: Member) -> None:
    ticket = ticket_of(ana)

    async def story() -> None:
        connected, _ = await opened(ticket, path="/ws/other").connect()
        assert not connected

    on_the_servers_loop(story)


def _sign_out(cast: Cast, member: Member) -> None:
    member.client.delete("/_allauth/app/v1/auth/session")


def _deactivate(cast: Cast, member: Member) -> None:
    cast.ana.is_active = False
    cast.ana.save()


def _deactivate_the_organization(cast: Cast, member: Member) -> None:
    organization_deactivate(organization=cast.acme)


def _leave_the_session(cast: Cast, member: Member) -> None:
    """The organization is inactive, and the session was missed."""
    Organization.objects.filter(pk=cast.acme.pk).update(is_active=False)


def _move(cast: Cast, member: Member) -> None:
    cast.ana.organization = cast.globex
    cast.ana.save()


def _change_password(cast: Cast, member: Member) -> None:
    cast.ana.set_password("Another-horse-9")
    cast.ana.save()


@pytest.mark.parametrize(
    "ending",
    [_sign_out, _deactivate, _deactivate_the_organization, _leave_the_session, _move, _change_password],
)
def test_the_end_of_the_session_closes_the_socket(
    cast: Cast, ana: Member, ending: Callable[[Cast, Member], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "SESSION_CHECK_SECONDS", 0.05)
    ticket = ticket_of(ana)

    async def story() -> None:
        socket = await joined(ticket)
        assert await socket.receive_nothing(timeout=0.2)
        await sync_to_async(ending, thread_sensitive=False)(cast, ana)
        event = await socket.receive_output(timeout=2)
        assert (event["type"], event["code"]) == ("websocket.close", 4401)

    on_the_servers_loop(story)


def test_what_the_page_sends_is_ignored(ana: Member) -> None:
    ticket = ticket_of(ana)

    async def story() -> None:
        socket = await joined(ticket)
        await socket.send_to(text_data="{not json")
        await socket.send_to(bytes_data=b"\xff")
        assert await socket.receive_nothing(timeout=0.1)
        await socket.disconnect()

    on_the_servers_loop(story)
