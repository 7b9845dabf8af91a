"""The first reply to a question names the sources it is likely about, before anything has read it."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import User
from tests.apps.conftest import Cast
from tests.apps.datasources.conftest import read_waiting
from tests.apps.threads.conftest import Member
from tests.cast import client_of

pytestmark = pytest.mark.django_db(transaction=True)

DEALS = b"amount,close date,stage\n10,2024-01-01,won\n20,2024-01-02,lost\n"
TICKETS = b"ticket id,opened,severity\n1,2024-01-01,high\n2,2024-01-02,low\n"


def bring(user: User, **files: bytes) -> None:
    sent = {
        f"file-{at}": SimpleUploadedFile(f"{name}.csv", content) for at, (name, content) in enumerate(files.items())
    }
    assert client_of(user).post("/api/v3/files", sent).json()["failed_uploads"] == 0
    read_waiting()


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("How many deals are there?", ["deals.csv"]),
        ("Which ticket is the oldest?", ["tickets.csv"]),
        ("What is the average amount?", ["deals.csv"]),
        ("How many are there of each severity?", ["tickets.csv"]),
        ("Compare deals with tickets", ["deals.csv", "tickets.csv"]),
        ("How are we doing?", None),
    ],
)
def test_the_sources_whose_words_a_question_has_are_named(
    ana: Member, cast: Cast, prompt: str, named: list[str] | None
) -> None:
    bring(cast.ana, deals=DEALS, tickets=TICKETS)
    assert ana.send(prompt)["data_sources_being_accessed"] == named


def test_a_question_that_names_nothing_goes_on_from_the_answer_before(ana: Member, cast: Cast) -> None:
    bring(cast.ana, deals=DEALS, tickets=TICKETS)
    thread_id = ana.ask()["thread_id"]
    assert ana.send("And why is that?", thread_id=thread_id)["data_sources_being_accessed"] == ["deals.csv"]


def test_files_that_come_and_go_are_known_with_the_next_question(ana: Member, cast: Cast) -> None:
    bring(cast.ana, deals=DEALS)
    assert ana.send("Which severity is the most frequent?")["data_sources_being_accessed"] is None
    bring(cast.ana, tickets=TICKETS)
    assert ana.send("Which severity is the most frequent?")["data_sources_being_accessed"] == ["tickets.csv"]
    client_of(cast.ana).delete("/api/v3/files?filename=tickets.csv")
    assert ana.send("Which severity is the most frequent?")["data_sources_being_accessed"] is None


def test_nothing_of_another_organization_is_named(ana: Member, cast: Cast) -> None:
    bring(cast.gus, tickets=TICKETS)
    bring(cast.ana, deals=DEALS)
    assert ana.send("How many tickets of each severity?")["data_sources_being_accessed"] is None
