"""The story of one refresh: describe, read each kind (whole, or what changed), show the files.

It goes on from the cursor of its row, so a worker may die at any line. No transaction is open while HubSpot is asked.
Old files stay as they are until all kinds are read.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from dramatiq.middleware import Shutdown

from apps.integrations.connector import ConnectorError
from apps.integrations.hubspot import choosing, publishing, wire
from apps.integrations.hubspot.client import PATIENCE, HubSpotClient, repeats_itself
from apps.integrations.hubspot.leases import (
    SyncLease,
    SyncLost,
    sync_claim,
    sync_done,
    sync_failed,
    sync_give_back,
    sync_later,
)
from apps.integrations.hubspot.records import (
    Seen,
    differing,
    present,
    records_end,
    records_end_unseen,
    records_store,
    seen,
)
from apps.integrations.hubspot.wire import Category
from apps.integrations.models import HubSpotCategory

logger = logging.getLogger("apps.integrations.hubspot.sync")

Way = Literal["list", "search", "gone"]
OVERLAP = timedelta(minutes=5)
"""Searches start this much before the last one: new records take moments to be found."""
ROWS_A_CALL = wire.LIST_PAGE
"""Links of a changed record cost a call each, a list a call for a hundred: past that ratio the list is cheaper."""
FEW = 50
"""So many changed records are always asked one by one."""
UNFORESEEN = "The refresh failed. The data from before is kept; please try again."


def sync_run(sync_id: UUID, *, pause: Callable[[float], None] = time.sleep) -> None:
    """Works on a refresh, if nobody does so yet."""
    lease = sync_claim(sync_id)
    if lease is None:
        return
    try:
        _Refresh(lease, pause).run()
        sync_done(lease)
    except SyncLost:
        logger.info("refresh %s is no longer this worker's", sync_id)
    except Shutdown:
        sync_give_back(lease)
        raise
    except ConnectorError as error:
        _end(lease, error)
    except Exception:
        logger.exception("refresh %s failed", sync_id)
        _quietly(lambda: sync_failed(lease, UNFORESEEN))


def _end(lease: SyncLease, error: ConnectorError) -> None:
    if not error.permanent and error.retry_after is not None and error.retry_after > PATIENCE:
        _quietly(lambda: sync_later(lease, error.message, error.retry_after or PATIENCE))
    else:
        _quietly(lambda: sync_failed(lease, error.message))


def _quietly(change: Callable[[], None]) -> None:
    try:
        change()
    except SyncLost:
        logger.info("a refresh was taken over or disconnected")


@dataclass(slots=True)
class _Refresh:
    """One worker's turn at a refresh. The cursor: {done: [...]}, and of the kind under way {category, choice, way,
    after, since, upto, pass}; `pass` marks the records that its list has shown so far."""

    lease: SyncLease
    pause: Callable[[float], None]

    def run(self) -> None:
        connection = self.lease.sync.connection
        client = HubSpotClient(connection.pk, pause=self.lease.pausing(self.pause))
        rows = choosing.categories_describe(client, connection)
        # The kind under way comes first: an earlier refresh may have stopped in the middle of it.
        for row in sorted(rows, key=lambda row: row.category != self.cursor.get("category")):
            if row.category in self.cursor.get("done", []):
                continue
            if row.problem or not row.selected:
                self._finished(row)
                continue
            _Reading(self.lease, client, row).run()
            self._finished(row)
        owners = list(client.owners())
        connection.extra = {**connection.extra, "owners": {str(o["id"]): publishing.owner_name(o) for o in owners}}
        connection.save(update_fields=["extra"])
        publishing.files_publish(connection, owners, beat=self.lease.renew)

    @property
    def cursor(self) -> dict[str, Any]:
        return dict(self.lease.sync.cursor)

    def _finished(self, row: HubSpotCategory) -> None:
        self.lease.place({"done": [*self.cursor.get("done", []), row.category]})


class _Reading:
    """The reading of one kind, from the cursor's place to its end."""

    def __init__(self, lease: SyncLease, client: HubSpotClient, row: HubSpotCategory) -> None:
        self.lease, self.client, self.row = lease, client, row
        self.category: Category = choosing.category_of(row)
        self.known = wire.OBJECTS[self.category]
        self.properties = choosing.properties_of(row)
        self.connection_id = row.connection_id
        self.calls_before = client.calls
        self._cursors: set[str] = set()

    @property
    def at(self) -> dict[str, Any]:
        """The cursor of this kind."""
        return dict(self.lease.sync.cursor)

    def run(self) -> None:
        if self.at.get("category") != self.category or self.at.get("choice") != choosing.choice_digest(self.row):
            self._begin("list" if self._must_list() else "search")
        while True:
            way: Way = self.at["way"]
            if way == "list":
                self._list()
                self._read_whole()
                break
            if way == "search":
                self._search()
            elif way == "gone":
                self._forget_gone()
                break
        self._settled()

    # ------------------------------------------------------------ everything
    def _must_list(self) -> bool:
        return self.row.high_water is None or self.row.listed_with != choosing.choice_digest(self.row)

    def _list(self) -> None:
        after = self.at.get("after")
        while True:
            page = self.client.page(self.category, properties=self.properties, links=self.known.links, after=after)
            rows = [seen(self.category, row, self.properties, linked=True) for row in page.rows]
            self._keep(rows, {**self.at, "after": page.after}, len(page.rows))
            after = page.after
            if after is None:
                return
            self._unseen_cursor(after)

    def _read_whole(self) -> None:
        """A whole list was read: what it did not hold is gone, and the kept records are of this choice."""
        with transaction.atomic():
            gone = records_end_unseen(
                connection_id=self.connection_id, category=self.category, sync_id=UUID(self.at["pass"]),
                moment=timezone.now(),
            )  # fmt: skip
            self.lease.place(self.at, changed=gone)
            self.row.listed_with = choosing.choice_digest(self.row)
            self.row.save(update_fields=["listed_with"])

    # ------------------------------------------------------------ what changed
    def _search(self) -> None:
        since = datetime.fromisoformat(self.at["since"])
        after = self.at.get("after")
        while True:
            page = self.client.changed(self.category, since=since, properties=self.properties, after=after)
            if after is None and self._list_is_cheaper(page.total):
                return self._begin("list")
            rows = [seen(self.category, row, self.properties, linked=False) for row in page.rows]
            changed = self._changed(page.rows, rows)
            following, window = self._next_window(page.rows, page.after, after)
            if window is not None and window <= since:
                # More records than a search can give were changed in one moment: only a whole list has them all.
                return self._begin("list")
            since = window or since
            place = {**self.at, "after": following, "since": since.isoformat()}
            if following is None and window is None:
                place = {**self.at, "way": "gone", "after": None}
            self._keep(self._linked(changed), place, len(page.rows))
            if place["way"] == "gone":
                return None
            after = following
            if after is not None:
                self._unseen_cursor(f"{since.isoformat()} {after}")

    def _changed(self, sent: Sequence[Mapping[str, Any]], rows: list[Seen]) -> list[Seen]:
        """Rows with another property, and where links cost calls those edited since the last time: links may differ."""
        found = {row.record_id for row in differing(self.connection_id, self.category, rows)}
        last = self.row.high_water
        if self._links_cost_calls and last is not None:
            found |= {str(row["id"]) for row in sent if datetime.fromisoformat(str(row["updatedAt"])) >= last}
        return [row for row in rows if row.record_id in found]

    def _list_is_cheaper(self, total: int) -> bool:
        if total <= FEW:
            return False
        if total > wire.SEARCH_CAP * 5:
            return True
        if not self._links_cost_calls:
            return False
        return total > present(self.connection_id, self.category).count() / ROWS_A_CALL + FEW

    @property
    def _links_cost_calls(self) -> bool:
        """Contacts carry their company as a property, companies hang on nothing."""
        return self.category not in ("companies", "contacts")

    def _next_window(self, rows: Any, following: str | None, given: str | None) -> tuple[str | None, datetime | None]:
        """Where the next page is; past what one search gives, a search that starts at the last change seen."""
        beyond = following is not None and int(following) + wire.SEARCH_PAGE > wire.SEARCH_CAP
        full = following is None and given is not None and int(given) + 2 * wire.SEARCH_PAGE > wire.SEARCH_CAP
        if (beyond or full) and len(rows) == wire.SEARCH_PAGE:
            last = (rows[-1].get("properties") or {}).get(self.known.modified) or rows[-1]["updatedAt"]
            return None, datetime.fromisoformat(str(last))
        return following, None

    def _linked(self, changed: list[Seen]) -> list[Seen]:
        """The changed records with their links, which a search does not tell."""
        if not self._links_cost_calls:
            return changed
        linked = []
        for row in changed:
            one = self.client.one(self.category, row.record_id, properties=self.properties, links=self.known.links)
            if one is not None:
                linked.append(seen(self.category, one, self.properties, linked=True))
            self.lease.renew()
        return linked

    def _forget_gone(self) -> None:
        """A search never tells what was deleted; the list of deleted records does."""
        after = self.at.get("after")
        while True:
            page = self.client.page(self.category, after=after, archived=True)
            with transaction.atomic():
                gone = records_end(
                    connection_id=self.connection_id, category=self.category,
                    record_ids=[str(row["id"]) for row in page.rows], moment=timezone.now(),
                )  # fmt: skip
                self.lease.place({**self.at, "after": page.after}, changed=gone, calls=self._calls())
            after = page.after
            if after is None:
                return
            self._unseen_cursor(after)

    # ------------------------------------------------------------ both
    def _begin(self, way: Way) -> None:
        now = timezone.now()
        since = (self.row.high_water or now) - OVERLAP
        self._cursors.clear()
        self.lease.place({
            "done": self.at.get("done", []), "category": self.category, "choice": choosing.choice_digest(self.row),
            "way": way, "after": None, "since": since.isoformat(),
            "upto": self.at.get("upto") or now.isoformat(), "pass": uuid4().hex,
        })  # fmt: skip

    def _keep(self, rows: list[Seen], place: dict[str, Any], read: int) -> None:
        with transaction.atomic():
            changed = records_store(
                connection_id=self.connection_id, category=self.category, rows=rows, sync_id=UUID(self.at["pass"]),
                moment=timezone.now(),
            )  # fmt: skip
            self.lease.place(place, read=read, changed=changed, calls=self._calls())

    def _settled(self) -> None:
        """Everything that changed until this kind's reading began is in."""
        self.row.high_water = datetime.fromisoformat(self.at["upto"])
        self.row.save(update_fields=["high_water"])

    def _unseen_cursor(self, cursor: str) -> None:
        """Pages that lead in a circle would never end."""
        if cursor in self._cursors:
            raise repeats_itself()
        self._cursors.add(cursor)

    def _calls(self) -> int:
        made, self.calls_before = self.client.calls - self.calls_before, self.client.calls
        return made
