"""The socket: joins its user's groups and forwards what is pushed there. It knows no thread, no run and no source."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from apps.accounts.sessions import Session, session_alive
from apps.core.live import organization_group, user_group
from apps.threads.limits import SESSION_CHECK_SECONDS
from apps.threads.tickets import ticket_redeem

NOT_ALLOWED = 4401


class LiveConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One browser tab. It closes with 4401 without a good ticket, and within 5 s of the end of its session."""

    async def connect(self) -> None:
        self._joined: list[str] = []
        self._watch: asyncio.Task[None] | None = None
        await self.accept()  # a refusal before this would reach the page as 1006, without its reason
        session = await database_sync_to_async(ticket_redeem)(self._ticket())
        if session is None or session.user.organization_id is None:
            await self.close(NOT_ALLOWED)
            return
        for group in (user_group(session.user.pk), organization_group(session.user.organization_id)):
            await self.channel_layer.group_add(group, self.channel_name)
            self._joined.append(group)
        self._watch = asyncio.create_task(self._watch_session(session))

    async def disconnect(self, code: int) -> None:
        if self._watch is not None:
            self._watch.cancel()
        for group in self._joined:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is expected from the page."""

    async def live_event(self, message: dict[str, Any]) -> None:
        """Forwards a pushed event; one that carries its JSON as `text` is sent as it is."""
        event = message["event"]
        await self.send(text_data=event["text"] if "text" in event else json.dumps(event, ensure_ascii=False))

    def _ticket(self) -> str:
        query: bytes = self.scope["query_string"]
        return parse_qs(query.decode("latin-1")).get("ticket", [""])[0]

    async def _watch_session(self, session: Session) -> None:
        while True:
            await asyncio.sleep(SESSION_CHECK_SECONDS)
            if not await database_sync_to_async(_still_the_same)(session.key, session.user.organization_id):
                await self.close(NOT_ALLOWED)
                return


def _still_the_same(key: str, organization_id: UUID | None) -> bool:
    """Alive, and still in the organization whose events the socket gets."""
    session = session_alive(key)
    return session is not None and session.user.organization_id == organization_id
