"""Connecting tabs, asking for their refresh, disconnecting one. The reading itself is a worker's (`reading`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.accounts.policy import Action, allowed
from apps.core.errors import Invalid, NotFound, Refused
from apps.core.jobs.sending import send_after_commit
from apps.datasources.naming import name_key
from apps.datasources.selectors import sources_of
from apps.datasources.services.removal import source_discard
from apps.integrations import tasks
from apps.integrations.connector import ConnectorError
from apps.integrations.google import client, copy, limits
from apps.integrations.google.access import with_token
from apps.integrations.google.events import tabs_changed
from apps.integrations.google.models import SheetTab, TabState
from apps.integrations.google.names import tab_file_name
from apps.integrations.google.selectors import tabs_of
from apps.integrations.google.tabs import Spreadsheet, Tab
from apps.integrations.models import Connection
from apps.integrations.selectors import connected, connection_of
from apps.integrations.services.schedules import schedule_of, schedules_due
from apps.integrations.services.tokens import access_token

if TYPE_CHECKING:
    from apps.accounts.models import User

TRIES_WHILE_SOMEBODY_WAITS = 2


def token_now(*, by: User) -> str | None:
    """The member's own access token, for the picker in the member's browser; None where a sign-in is needed."""
    connection = connection_of(by, "google")
    if connection is None:
        return None
    try:
        return access_token(connection.pk)
    except ConnectorError as error:
        if error.needs_sign_in:
            return None
        raise


def tabs_listed(*, by: User, file_id: str) -> Spreadsheet:
    """The picked spreadsheet with its tabs. Raises Conflict where nobody signed in, ConnectorError."""
    return _spreadsheet(connected(by, "google"), file_id)


def tabs_connect(*, by: User, file_id: str, tab_titles: Sequence[str], modified_ms: int = 0) -> list[SheetTab]:
    """Connects tabs of a spreadsheet and queues their reading. Raises Invalid, Conflict, ConnectorError.

    `modified_ms` is when the spreadsheet was changed last as the picker says; it stands until Google itself was asked.
    """
    if not tab_titles:
        raise Invalid(copy.NO_TABS, code="no_tabs")
    if len(tab_titles) > limits.MAX_TABS:
        raise Invalid(copy.MANY_TABS.format(limit=limits.MAX_TABS), code="many_tabs")
    connection = connected(by, "google")
    spreadsheet = _spreadsheet(connection, file_id)
    chosen: list[Tab] = []
    for title in dict.fromkeys(tab_titles):
        tab = spreadsheet.tab_titled(title)
        if tab is None:
            raise Invalid(copy.NOT_A_TAB.format(tab=title[:100]), code="no_such_tab")
        chosen.append(tab)
    with transaction.atomic():
        kept = [_connected(connection, spreadsheet, tab, modified_ms) for tab in chosen]
        schedule_of(connection)
        send_after_commit(tasks.read_sheets, connection.pk)
        tabs_changed(connection.organization_id)
    return kept


def tabs_refresh(*, by: User) -> int:
    """Queues a look at all tabs the member connected: what changed since is read anew. Returns how many.

    Raises Conflict where nobody signed in, ConnectorError where a new sign-in is needed.
    """
    connection = connected(by, "google")
    access_token(connection.pk)
    return _look_again(connection)


def scheduled_sweep() -> None:
    """Queues a look at the tabs of those connections whose time has come."""
    for connection in schedules_due("google"):
        _look_again(connection)


def _look_again(connection: Connection) -> int:
    with transaction.atomic():
        idle = SheetTab.objects.filter(connection=connection, state__in=[TabState.READY, TabState.FAILED])
        asked = idle.update(state=TabState.WAITING, attempt=0, state_at=timezone.now())
        send_after_commit(tasks.read_sheets, connection.pk)
        tabs_changed(connection.organization_id)
    return asked


def tab_disconnect(*, by: User, file_name: str) -> SheetTab:
    """Forgets a tab and removes its rows. Raises NotFound, Refused."""
    tab = next((tab for tab in tabs_of(by) if name_key(tab.file_name) == name_key(file_name)), None)
    if tab is None:
        raise NotFound
    assert tab.connection is not None, "tabs_of leaves the others out"
    if tab.connection.member_id != by.pk and not allowed(by, Action.DELETE_ANY_FILE):
        raise Refused(copy.OWNERS_ONLY.format(tab=tab.tab_title), code="owners_only")
    tab_remove(by=by, tab=tab)
    return tab


def tab_remove(*, by: User, tab: SheetTab) -> None:
    """Forgets a tab and removes its rows; whoever asks may."""
    with transaction.atomic():
        if tab.source is not None:
            source_discard(source=tab.source, by=by)
        SheetTab.objects.filter(pk=tab.pk).delete()
        tabs_changed(tab.organization_id)


def tabs_sweep() -> None:
    """Lets tabs wait again whose worker is silent, gives up on those that ended several, and sends what waits long."""
    now = timezone.now()
    silent = SheetTab.objects.at_work().filter(state=TabState.READING, lease_until__lt=now)
    silent.filter(attempt__gte=limits.MAX_ATTEMPTS).update(
        state=TabState.FAILED, reason=copy.UNREADABLE, worker="", lease_until=None, state_at=now
    )
    silent.update(state=TabState.WAITING, worker="", lease_until=None)
    waiting = SheetTab.objects.at_work().filter(state=TabState.WAITING, updated_at__lt=now - limits.RESEND_AFTER)
    for connection_id in waiting.exclude(connection=None).values_list("connection_id", flat=True).distinct():
        SheetTab.objects.filter(connection_id=connection_id, state=TabState.WAITING).update(updated_at=now)
        tasks.read_sheets.send(str(connection_id))


def _spreadsheet(connection: Connection, file_id: str) -> Spreadsheet:
    return with_token(connection.pk, lambda token: client.spreadsheet(token, file_id, tries=TRIES_WHILE_SOMEBODY_WAITS))


def _connected(connection: Connection, spreadsheet: Spreadsheet, tab: Tab, modified_ms: int) -> SheetTab:
    """The tab's row, waiting to be read: a new one, the member's own, or one whose connection is gone.

    A tab that a colleague connected stays the colleague's: its rows are the organization's already.
    """
    rows = SheetTab.objects.of(connection.organization).select_for_update()
    known = rows.filter(file_id=spreadsheet.file_id, sheet_id=tab.sheet_id).first()
    if known is not None and known.connection_id not in (None, connection.pk):
        return known
    row = known or SheetTab(
        organization=connection.organization,
        file_id=spreadsheet.file_id,
        sheet_id=tab.sheet_id,
        file_name=_free_name(connection, spreadsheet.title, tab.title),
    )
    row.connection, row.file_title, row.tab_title = connection, spreadsheet.title[:300], tab.title[:200]
    if row.source_id is None:  # what was read once goes by the time at which it was read, or a change would be missed
        row.drive_modified_ms = modified_ms
    if row.state != TabState.READING:
        row.state, row.attempt, row.state_at, row.reason = TabState.WAITING, 0, timezone.now(), ""
    row.save()
    return row


def _free_name(connection: Connection, spreadsheet: str, tab: str) -> str:
    sources = sources_of(connection.organization).values_list("file_name", flat=True)
    tabs = SheetTab.objects.of(connection.organization).values_list("file_name", flat=True)
    taken = {name_key(name) for name in [*sources, *tabs]}
    return tab_file_name(spreadsheet, tab, taken=lambda name: name_key(name) in taken)
