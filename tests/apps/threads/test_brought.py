"""What is told of files that were just brought: what they hold, from when to when, and questions with an answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import dramatiq
import pytest
from dramatiq.common import iter_queue
from dramatiq.message import Message as Letter

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer, suggest
from apps.datasources.catalog import catalog_of
from apps.threads import engine
from apps.threads.api.brought import BroughtFilesSerializer
from tests.apps.conftest import Cast
from tests.apps.datasources.conftest import read_waiting, workbook
from tests.apps.threads.conftest import Member
from tests.apps.threads.test_files_on_their_way import bring
from tests.apps.threads.test_schema import differences

pytestmark = pytest.mark.django_db(transaction=True)

ORDERS = "order_id,order_date,region,amount\n" + "".join(
    f"{1000 + number},{date(2025, 1, 5) + timedelta(days=number)},{('West', 'East', 'North')[number % 3]},{number}.50\n"
    for number in range(60)
)


@pytest.fixture
def analyst(ana: Member) -> Iterator[Member]:
    """Ana, whose organization is read by the real engine."""
    warehouse = LocalWarehouse()
    engine.use(engine.Engine(answer, catalog_of, warehouse, suggest, warehouse.close))
    dramatiq.get_broker().flush_all()
    yield ana
    warehouse.close()


def told(member: Member, *names: str) -> dict[str, Any]:
    found = member.client.get("/api/v3/question-suggestions/brought", {"filename": names})
    assert found.status_code == 200, found.content
    return dict(found.json())


def work() -> int:
    """A worker does what was sent for; says how much that was."""
    broker = dramatiq.get_broker()
    letters = [Letter.decode(data) for data in iter_queue(broker.queues["suggestions"])]  # type: ignore[attr-defined]
    for letter in letters:
        broker.get_actor(letter.actor_name).fn(*letter.args, **letter.kwargs)
    return len(letters)


def answered_from(member: Member, question: dict[str, str], thread_id: str | None = None) -> list[str]:
    """The files of the answer that a click on the question gives, in that thread."""
    done = member.ask(question["text"], user_specified_files=[question["file_name"]], thread_id=thread_id)
    message = done["messages"][0]
    while message["children"]:
        message = message["children"][-1]
    assert message["answer"]["status"] == "answered", message["answer"]["text"]
    return [source["file_name"] for source in message["answer"]["evidence"]["sources"]]


def test_a_file_is_told_once_it_is_read_with_questions_that_are_answered_from_it(analyst: Member, cast: Cast) -> None:
    bring(cast.ana, content=ORDERS.encode())
    assert told(analyst, "orders.csv") == {"ready": False, "files": [], "questions": []}
    read_waiting()
    assert told(analyst, "orders.csv")["ready"] is False
    assert told(analyst, "orders.csv")["ready"] is False
    assert work() == 1
    found = told(analyst, "orders.csv")
    assert differences(found, BroughtFilesSerializer()) == []
    assert found["files"] == [
        {"file_name": "orders.csv", "display_name": "orders", "rows": 60, "noun": "orders",
         "period": "Jan 2025 to Mar 2025"},
    ]  # fmt: skip
    assert len({question["text"] for question in found["questions"]}) == 3
    for question in found["questions"]:
        assert answered_from(analyst, question) == ["orders.csv"], question


def test_of_two_files_that_hold_the_like_each_question_is_answered_from_its_own_in_a_thread_about_the_other(
    analyst: Member, cast: Cast
) -> None:
    bring(cast.ana, "orders of old.csv", ORDERS.encode())
    read_waiting()
    about_the_old = analyst.ask("What is the total amount in orders of old?")["thread_id"]
    bring(cast.ana, "orders.csv", ORDERS.replace("West", "Centre").encode())
    read_waiting()
    told(analyst, "orders.csv")
    work()
    questions = told(analyst, "orders.csv")["questions"]
    assert len(questions) == 3
    for question in questions:
        assert answered_from(analyst, question, about_the_old) == ["orders.csv"], question


def test_what_was_found_is_found_once(analyst: Member, cast: Cast) -> None:
    bring(cast.ana, content=ORDERS.encode())
    read_waiting()
    told(analyst, "orders.csv")
    work()
    assert told(analyst, "orders.csv") == told(analyst, "orders.csv")
    assert work() == 0


def test_a_workbook_is_told_sheet_by_sheet_by_the_name_it_was_uploaded_with(analyst: Member, cast: Cast) -> None:
    sheets = workbook(Boats=[["Boat", "Length"], ["Alma", 9], ["Bora", 12]], Crews=[["Sailor", "Age"], ["Ann", 30]])
    bring(cast.ana, "harbour.xlsx", sheets)
    read_waiting()
    told(analyst, "harbour.xlsx")
    told(analyst, "harbour.csv")
    work()
    assert [(one["display_name"], one["rows"]) for one in told(analyst, "harbour.csv")["files"]] == [
        ("harbour - Boats", 2),
        ("harbour - Crews", 1),
    ]


def test_what_could_not_be_read_or_is_not_there_is_left_out(analyst: Member, cast: Cast) -> None:
    bring(cast.ana, "torn.xlsx", b"no workbook")
    read_waiting()
    nothing = {"ready": True, "files": [], "questions": []}
    assert told(analyst, "torn.csv") == told(analyst, "of nobody.csv") == told(analyst, "a\x00b") == nothing
    assert told(analyst) == nothing
    assert work() == 0


def test_another_organization_is_told_nothing_of_it(analyst: Member, gus: Member, cast: Cast) -> None:
    bring(cast.ana, content=ORDERS.encode())
    assert told(gus, "orders.csv") == {"ready": True, "files": [], "questions": []}
    read_waiting()
    told(analyst, "orders.csv")
    work()
    assert told(gus, "orders.csv") == {"ready": True, "files": [], "questions": []}
