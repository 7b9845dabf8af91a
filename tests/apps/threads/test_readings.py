"""Other readings of an answer's parts: found on demand, taken in place, kept for the organisation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.models import User
from apps.analyst.catalog import catalog_from_files
from apps.analyst.pipeline import answer, suggest
from apps.analyst.warehouse.duckdb_local import LocalWarehouse
from apps.datasources.models import DataTable, Source, StoredFile, Teaching
from apps.datasources.services.teaching import teach
from apps.threads import engine
from apps.threads.models import Message, Role, Run
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member
from tests.cast import client_of

pytestmark = pytest.mark.django_db(transaction=True)

ORDERS = "order_id,region,net_amount,gross_amount,order_date,ship_date\n" + "\n".join(
    f"{n},{('North', 'South')[n % 2]},{10 * n},{12 * n},2024-0{1 + n % 6}-10,2024-0{2 + n % 6}-11" for n in range(1, 41)
)
ASKED = "Total net amount by region"
PATH = "/api/v3/answers/readings"


@pytest.fixture
def analyst(ana: Member, cast: Cast, tmp_path: Path) -> Iterator[Member]:
    """Ana, an admin, asking the real engine about forty orders."""
    path = tmp_path / "orders.csv"
    path.write_text(ORDERS, encoding="utf-8")
    catalog, warehouse = catalog_from_files([path], tmp_path / "tables"), LocalWarehouse()
    engine.use(engine.Engine(answer, lambda _: catalog, warehouse, suggest, warehouse.close))
    cast.ana.role = "admin"
    cast.ana.save(update_fields=["role"])
    kept = {"organization": cast.acme, "owner": cast.ana}
    stored = StoredFile.objects.create(
        **kept, original_name="orders.csv", name="orders.csv", name_key="orders.csv", key="k", size=1, state="done"
    )
    source = Source.objects.create(
        **kept, stored=stored, file_name="orders.csv", name_key="orders.csv", group="uploaded", state="ready"
    )
    columns = [{"name": column.name} for column in catalog.tables()[0].columns]
    DataTable.objects.create(
        organization=cast.acme, source=source, name="orders", name_key="orders", rows=40, profile={"columns": columns}
    )
    yield ana
    warehouse.close()


def asked(member: Member, prompt: str = ASKED) -> dict[str, Any]:
    """The answer's message with the ids that name it."""
    done = member.ask(prompt)
    said = done["messages"][0]["children"][0]
    assert said["answer"]["status"] == "answered", said["content"]
    return {**said, "about": {"thread_id": done["thread_id"], "message_id": said["message_id"]}}


def others(member: Member, said: dict[str, Any], chip: str) -> list[dict[str, Any]]:
    found = member.client.get(PATH, {**said["about"], "chip": chip})
    assert found.status_code == 200, found.content
    return list(found.json()["readings"])


def take(member: Member, said: dict[str, Any], chip: str, reading: dict[str, Any], **more: Any) -> Any:
    return member.post({**said["about"], "chip": chip, "reading": reading["key"], **more}, PATH)


def test_an_answer_comes_with_the_parts_of_its_reading(analyst: Member) -> None:
    read_as = asked(analyst)["answer"]["read_as"]
    assert [(chip["key"], chip["label"]) for chip in read_as["chips"]] == [
        ("figure:0", "Total net amount"),
        ("group:0", "By region"),
    ]
    assert read_as["chips"][0]["opens"]
    assert read_as["unread"] == []


def test_each_other_reading_says_the_figure_it_would_give(analyst: Member) -> None:
    found = others(analyst, asked(analyst), "figure:0")
    figures = {one["label"]: one["figure"] for one in found}
    assert figures["Total gross amount"].startswith("North: 5,040")
    assert len(found) <= 4


def test_a_reading_that_is_taken_answers_in_place_and_the_former_answer_stays(analyst: Member) -> None:
    said = asked(analyst)
    gross = next(one for one in others(analyst, said, "figure:0") if one["label"] == "Total gross amount")
    follow_up = analyst.ask("only North", thread_id=said["about"]["thread_id"])
    assert follow_up["status"] == "completed"
    done = take(analyst, said, "figure:0", gross)
    assert done.status_code == 200, done.content
    (question,) = done.json()["messages"]
    former, new = question["children"]
    assert former["message_id"] == said["message_id"]
    assert (former["metadata"]["is_selected_assistant"], new["metadata"]["is_selected_assistant"]) == (False, True)
    assert new["message_id"] == done.json()["message_id"]
    assert [row[1] for row in new["answer"]["table"]["rows"]] == [5040, 4800]
    assert new["answer"]["read_as"]["chips"][0]["label"] == "Total gross amount"
    assert [child["content"] for child in new["children"]] == ["only North"]
    back = others(analyst, {**new, "about": {**said["about"], "message_id": new["message_id"]}}, "figure:0")
    assert back[0]["label"] == "Total net amount"


def test_going_back_selects_the_former_answer_again(analyst: Member) -> None:
    said = asked(analyst)
    take(analyst, said, "figure:0", others(analyst, said, "figure:0")[0])
    body = {"thread_id": said["about"]["thread_id"], "run_id": said["run_id"]}
    assert analyst.post({**body, "selected_assistant_message_id": said["message_id"]}).status_code == 200
    (question,) = analyst.load(said["about"]["thread_id"])["messages"]
    assert [child["metadata"]["is_selected_assistant"] for child in question["children"]] == [True, False]


def test_a_choice_that_can_be_taught_is_kept_with_always(analyst: Member, cast: Cast) -> None:
    said = asked(analyst, "sales by region")
    assert said["answer"]["read_as"]["chips"][0]["label"] == "Number of orders"
    net = next(one for one in others(analyst, said, "figure:0") if one["label"] == "Total net amount")
    assert net["teaches"] == "“sales” will mean net amount in orders."
    done = take(analyst, said, "figure:0", net, always=True)
    assert done.status_code == 200, done.content
    (entry,) = Teaching.objects.of(cast.acme).filter(current=True)
    assert (entry.by, entry.table_name, entry.column) == (cast.ana, "orders", "net_amount")
    assert entry.after == {"synonyms": ["sales"]}


def test_what_was_taught_before_is_kept_beside_it(analyst: Member, cast: Cast) -> None:
    teach(by=cast.ana, file_name="orders.csv", table_name="orders", column="net_amount", said={"label": "Net"})
    said = asked(analyst, "sales by region")
    net = next(one for one in others(analyst, said, "figure:0") if one["teaches"] is not None)
    assert take(analyst, said, "figure:0", net, always=True).status_code == 200
    (entry,) = Teaching.objects.of(cast.acme).filter(current=True)
    assert entry.after == {"label": "Net", "synonyms": ["sales"]}


def test_members_who_may_not_teach_are_not_offered_it(analyst: Member, cast: Cast) -> None:
    User.objects.filter(pk=cast.ana.pk).update(role="member")
    said = asked(analyst, "sales by region")
    found = others(analyst, said, "figure:0")
    assert {one["teaches"] for one in found} == {None}
    assert take(analyst, said, "figure:0", found[0], always=True).status_code == 403
    assert not Teaching.objects.exists()


def test_what_cannot_be_taught_is_not_kept(analyst: Member) -> None:
    said = asked(analyst)
    found = [one for one in others(analyst, said, "figure:0") if one["teaches"] is None]
    assert take(analyst, said, "figure:0", found[0], always=True).status_code == 409
    assert not Teaching.objects.exists()
    assert Message.objects.filter(role=Role.ASSISTANT).count() == 1


def test_a_part_or_a_reading_that_is_not_there_is_not_found(analyst: Member) -> None:
    said = asked(analyst)
    assert analyst.client.get(PATH, {**said["about"], "chip": "filter:3"}).status_code == 404
    assert take(analyst, said, "figure:0", {"key": "0" * 16}).status_code == 404
    assert analyst.client.get(PATH, {"thread_id": "1", "message_id": "2", "chip": "figure:0"}).status_code == 404
    assert analyst.post([], PATH).status_code == 400
    question = {**said["about"], "message_id": said["parent_message_id"]}
    assert analyst.client.get(PATH, {**question, "chip": "figure:0"}).status_code == 404


def test_nobody_reads_or_changes_answers_of_others(analyst: Member, ben: Member, cast: Cast) -> None:
    said = asked(analyst)
    found = others(analyst, said, "figure:0")[0]
    runs = Run.objects.count()
    for other in (client_of(cast.ben), client_of(cast.gus)):
        assert other.get(PATH, {**said["about"], "chip": "figure:0"}).status_code == 404
        body = {**said["about"], "chip": "figure:0", "reading": found["key"]}
        assert other.post(PATH, body, format="json").status_code == 404
    assert Run.objects.count() == runs
