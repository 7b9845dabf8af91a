"""A question asked before an uploaded file is read: it waits in sight, within bounds, or says what it goes without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.models import User
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer, suggest
from apps.datasources.catalog import catalog_of
from apps.datasources.models import CatalogState, Source, StoredFile
from apps.datasources.services.catalogs import joins_refresh
from apps.threads import awaiting, engine, limits, runner
from apps.threads.awaiting import Clock
from apps.threads.models import Run
from tests.apps.conftest import Cast
from tests.apps.datasources.conftest import read_waiting, workbook
from tests.apps.threads.conftest import Member, Script
from tests.cast import client_of

pytestmark = pytest.mark.django_db(transaction=True)

ORDERS = b"Order,Region,Amount\n1,West,10\n2,East,20\n3,West,5\n"
NEVER_READ = "orders.csv was still being read"


@dataclass
class Pauses:
    """A clock of the test's own: time passes only in pauses, and something may happen in the first of them."""

    meanwhile: Callable[[], object] = lambda: None
    seconds: float = 0.0
    taken: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.seconds

    def pause(self, seconds: float) -> None:
        self.seconds += seconds
        self.taken.append(seconds)
        if len(self.taken) == 1:
            self.meanwhile()


def bring(member: User, name: str = "orders.csv", content: bytes = ORDERS) -> None:
    """An upload that no worker has read yet."""
    sent = client_of(member).post("/api/v3/files", {"file-0": SimpleUploadedFile(name, content)})
    assert sent.status_code == 200, sent.content


def work(member: Member, sent: dict[str, Any], meanwhile: Callable[[], object] = lambda: None) -> Pauses:
    """A worker takes the question."""
    pauses = Pauses(meanwhile)
    runner.execute(UUID(sent["run_id"]), Clock(pauses.now, pauses.pause))
    return pauses


def said(member: Member, sent: dict[str, Any]) -> str:
    return str(member.poll(sent)["messages"][0]["children"][0]["answer"]["text"])


def steps(member: Member, sent: dict[str, Any]) -> list[str]:
    return [step["label"] for step in member.poll(sent)["steps"]]


@pytest.fixture
def analyst(ana: Member) -> Iterator[Member]:
    """Ana, asking the real engine about what is in her organization."""
    warehouse = LocalWarehouse()
    engine.use(engine.Engine(answer, catalog_of, warehouse, suggest, warehouse.close))
    yield ana
    warehouse.close()


def test_the_answer_is_from_the_file_that_was_just_uploaded(analyst: Member, cast: Cast) -> None:
    bring(cast.ana)
    sent = analyst.send("Total amount in the West?")
    seen: list[str] = []

    def meanwhile() -> None:
        seen.append(analyst.poll(sent)["step_description"])
        read_waiting()

    work(analyst, sent, meanwhile)
    assert seen == ["Reading orders.csv first"]
    assert "15" in said(analyst, sent)
    assert "still being read" not in said(analyst, sent)
    assert steps(analyst, sent)[0] == "Reading orders.csv first"


def test_after_the_wait_the_answer_says_that_it_goes_without_the_file(ana: Member, cast: Cast) -> None:
    bring(cast.ana)
    sent = ana.send()
    Run.objects.update(deadline_at=timezone.now() + timedelta(minutes=10))
    assert work(ana, sent).seconds == pytest.approx(limits.FILES_AWAITED, abs=limits.AWAITING_PAUSE)
    assert said(ana, sent).endswith(
        f"20.\n\n{NEVER_READ} and cannot be part of this answer yet. Please ask again in a moment."
    )


def test_a_run_near_its_deadline_waits_for_nothing(ana: Member, cast: Cast) -> None:
    bring(cast.ana)
    sent = ana.send()
    Run.objects.update(deadline_at=timezone.now() + timedelta(seconds=limits.ANSWERING_TAKES))
    assert work(ana, sent).taken == []
    assert NEVER_READ in said(ana, sent)


def test_a_question_that_is_stopped_waits_no_longer(ana: Member, cast: Cast, script: Script) -> None:
    bring(cast.ana)
    sent = ana.send()
    pauses = work(ana, sent, lambda: ana.post({}, f"/api/v3/runs/{sent['run_id']}/cancel"))
    assert len(pauses.taken) == 1
    assert ana.poll(sent)["status"] == "cancelled"
    assert script.asked == []


def test_a_colleagues_file_is_not_waited_for_but_named(ana: Member, cast: Cast) -> None:
    bring(cast.ben)
    sent = ana.send()
    assert work(ana, sent).taken == []
    assert NEVER_READ in said(ana, sent)


def test_another_organizations_file_is_neither_waited_for_nor_named(ana: Member, cast: Cast) -> None:
    bring(cast.gus)
    sent = ana.send()
    assert work(ana, sent).taken == []
    assert "orders" not in said(ana, sent)
    assert len(steps(ana, sent)) == 2
    assert "orders.csv" not in str(ana.poll(sent))


def test_a_question_about_another_file_does_not_wait_but_says_so(ana: Member, cast: Cast) -> None:
    bring(cast.ana, "staff.csv", b"Name,Team\nAna,North\nBen,South\n")
    read_waiting()
    bring(cast.ana)
    sent = ana.send("How many rows are in staff.csv?")
    assert work(ana, sent).taken == []
    assert NEVER_READ in said(ana, sent)
    both = ana.send("Which names of staff.csv are in orders.csv?")
    assert work(ana, both, read_waiting).taken == [limits.AWAITING_PAUSE]


def test_where_other_files_were_chosen_there_is_nothing_to_say(ana: Member, cast: Cast) -> None:
    bring(cast.ana, "staff.csv", b"Name,Team\nAna,North\nBen,South\n")
    read_waiting()
    bring(cast.ana)
    sent = ana.send(user_specified_files=["staff.csv"])
    assert work(ana, sent).taken == []
    assert "orders" not in said(ana, sent)


def test_a_file_that_cannot_be_read_is_said(ana: Member, cast: Cast) -> None:
    bring(cast.ana, "plan.xlsx", b"PK\x03\x04 no workbook")
    sent = ana.send()
    work(ana, sent, read_waiting)
    assert Source.objects.get().state == "failed"
    assert "plan.xlsx could not be read and cannot be part of this answer." in said(ana, sent)


def test_a_newer_version_is_waited_for_and_named_as_such(analyst: Member, cast: Cast) -> None:
    bring(cast.ana)
    read_waiting()
    newer = ORDERS.replace(b"West,10", b"West,110")
    sent = client_of(cast.ana).put("/api/v3/files?filename=orders.csv", {"file-0": SimpleUploadedFile("o.csv", newer)})
    assert sent.status_code == 200, sent.content
    sent = analyst.send("Total amount in the West?")
    work(analyst, sent)
    assert "15" in said(analyst, sent)
    assert "orders.csv (its newer version) was still being read" in said(analyst, sent)
    again = analyst.send("Total amount in the West?")
    work(analyst, again, read_waiting)
    assert "115" in said(analyst, again)
    assert "still being read" not in said(analyst, again)


def test_a_chosen_workbook_is_chosen_with_its_sheets_once_it_is_read(ana: Member, cast: Cast, script: Script) -> None:
    rows: list[list[object]] = [["Region", "Amount"], ["West", 1], ["East", 2]]
    bring(cast.ana, "Budget.xlsx", workbook(Plan=rows, Actual=rows))
    sent = ana.send(user_specified_files=["Budget.csv"])
    work(ana, sent, read_waiting)
    assert steps(ana, sent)[0] == "Reading Budget.xlsx first"
    assert script.asked[-1].files == ("Budget - Actual.csv", "Budget - Plan.csv")


def test_the_connections_of_new_tables_are_waited_for(ana: Member, cast: Cast) -> None:
    bring(cast.ana)
    read_waiting()
    CatalogState.objects.update(joins_version=0)
    StoredFile.objects.update(ingested_at=timezone.now() + timedelta(minutes=1))
    work(ana, ana.send(), lambda: joins_refresh(cast.acme.pk))
    assert CatalogState.objects.get().joins_version > 0
    CatalogState.objects.update(joins_version=0)
    assert work(ana, ana.send()).seconds == pytest.approx(limits.JOINS_AWAITED, abs=limits.AWAITING_PAUSE)
    StoredFile.objects.update(ingested_at=timezone.now() - timedelta(minutes=1))
    assert work(ana, ana.send()).taken == []


def test_a_file_that_takes_minutes_holds_nothing_up(ana: Member, cast: Cast) -> None:
    bring(cast.ana)
    StoredFile.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    sent = ana.send()
    assert work(ana, sent).taken == []
    assert NEVER_READ in said(ana, sent)


def test_waiting_leaves_workers_to_others(ana: Member, cast: Cast) -> None:
    bring(cast.ana)
    sent = ana.send()
    taken = 0
    while awaiting._slots.acquire(blocking=False):
        taken += 1
    try:
        assert work(ana, sent).taken == []
    finally:
        for _ in range(taken):
            awaiting._slots.release()
    assert NEVER_READ in said(ana, sent)


def test_a_rebuild_and_examples_of_the_product_are_not_waited_for(ana: Member, cast: Cast) -> None:
    bring(cast.ana)
    read_waiting()
    StoredFile.objects.update(state="queued")
    sent = ana.send()
    assert work(ana, sent).taken == []
    StoredFile.objects.update(ingested_at=None, example=True)
    again = ana.send()
    assert work(ana, again).taken == []
    assert "orders" not in said(ana, again)
