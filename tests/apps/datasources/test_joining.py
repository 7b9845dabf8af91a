"""Ways between files: members see them, admins confirm, refuse and draw them, and answers use what they said."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import AuditEvent
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.types import JoinPath, Question
from apps.datasources.catalog import catalog_of
from apps.datasources.models import CatalogState, JoinTeaching
from tests.apps.datasources.conftest import SALES, read_waiting
from tests.cast import client_of

PATH = "/api/v3/files/dictionary/joins"
BERTHS = b"berth,harbour\n" + b"".join(b"%d,%s\n" % (n, (b"Oslo", b"Riga")[n % 2]) for n in range(1, 21))
CALLS = b"visit,moored,fee\n" + b"".join(b"%d,%d,%d.50\n" % (n, n % 25 + 1, n) for n in range(100, 200))
CUSTOMERS = b"Customer ID,City\nC1,Berlin\nC2,Paris\nC3,Rome\n"
ORDERS = b"Order ID,Customer ID,Total\nO1,C1,5\nO2,C2,6\nO3,C1,7\nO4,C9,9\n"
DRAWN = {"table": "calls", "columns": ["moored"], "other_table": "berths", "other_columns": ["berth"]}
FOUND = {"table": "orders", "columns": ["Customer ID"], "other_table": "customers", "other_columns": ["Customer ID"]}


def read(user, name: str) -> dict[str, Any]:
    told = client_of(user).get(f"{PATH}?filename={name}")
    assert told.status_code == 200, told.content
    return told.json()


def say(user, verdict: object, way: dict[str, Any] | None = None, name: str = "calls.csv") -> Any:
    return client_of(user).put(f"{PATH}?filename={name}", {**(way or DRAWN), "verdict": verdict}, format="json")


def undo(user, way: dict[str, Any] | None = None, name: str = "calls.csv") -> Any:
    return client_of(user).post(f"{PATH}/undo?filename={name}", way or DRAWN, format="json")


def ways(told: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Table, direction, rate and standing of each way of the source's only table."""
    [table] = told["tables"]
    return [(one["table"], one["direction"], one["match_rate"], one["standing"]) for one in table["joins"]]


def held(cast) -> list[tuple[str, str, bool]]:
    return [(path.left_table, path.right_table, path.said) for path in catalog_of(cast.acme).joins()]


@pytest.fixture
def port(upload, cast):
    """Two files that belong together under names that say nothing of it, and two that are found to."""
    upload(("berths.csv", BERTHS), ("calls.csv", CALLS), ("customers.csv", CUSTOMERS), ("orders.csv", ORDERS))
    return cast


@pytest.fixture
def total():
    """The real engine's total of a column by another, of Acme's files; nothing where it does not answer."""
    warehouse = LocalWarehouse()

    def ask(cast, question: str) -> dict[Any, float]:
        told = answer(Question(question, today=date(2025, 6, 1)), catalog=catalog_of(cast.acme), warehouse=warehouse)
        return {row[0]: float(row[1]) for row in told.result.rows} if told.result is not None else {}

    yield ask
    warehouse.close()


def test_members_see_the_ways_to_other_files_with_direction_and_match(port):
    told = read(port.ana, "orders.csv")
    assert (told["file_name"], told["may_edit"]) == ("orders.csv", False)
    assert ways(told) == [("customers", "many_to_one", 0.75, "found")]
    [way] = told["tables"][0]["joins"]
    assert (way["columns"], way["table_columns"], way["refers"]) == (["Customer ID"], ["Customer ID"], True)
    assert ways(read(port.ana, "customers.csv")) == [("orders", "one_to_many", 0.75, "found")]
    others = {other["table"]: [column["name"] for column in other["columns"]] for other in told["others"]}
    assert others == {"berths": ["berth", "harbour"], "calls": ["visit", "moored", "fee"],
                      "customers": ["Customer ID", "City"]}  # fmt: skip


def test_an_answer_over_two_files_comes_with_the_drawn_way_and_goes_with_it(port, total):
    asked = "total fee by harbour"
    assert total(port, asked) == {}
    drawn = say(port.ada, "drawn")
    assert drawn.status_code == 200
    assert ways(drawn.json()) == [("berths", "many_to_one", 0.8, "drawn")]
    figures = {"Oslo": 0.0, "Riga": 0.0}
    for n in (n for n in range(100, 200) if n % 25 + 1 <= 20):
        figures[("Oslo", "Riga")[(n % 25 + 1) % 2]] += n + 0.5
    told = total(port, asked)
    assert {harbour: told[harbour] for harbour in figures} == figures
    assert say(port.ada, "refused").status_code == 200
    assert total(port, asked) == {}
    undo(port.ada)
    assert total(port, asked) == told
    undo(port.ada)
    assert total(port, asked) == {}
    assert ways(read(port.ana, "calls.csv")) == []


def test_refusing_a_way_that_was_found_takes_it_from_answers_and_from_the_page(port, total):
    assert total(port, "total of orders by city") != {}
    told = say(port.ada, "refused", FOUND, "orders.csv").json()
    assert ways(told) == [("customers", "many_to_one", 0.75, "refused")]
    assert (told["tables"][0]["joins"][0]["by"], told["may_edit"]) == ("Ada", True)
    assert total(port, "total of orders by city") == {}
    assert held(port) == []
    profile = client_of(port.ana).get("/api/v3/files/profile?filename=orders.csv").json()
    assert profile["tables"][0]["connections"] == []


def test_what_people_stand_for_comes_first(port):
    assert held(port) == [("orders", "customers", False)]
    say(port.ada, "drawn")
    assert held(port) == [("calls", "berths", True), ("orders", "customers", False)]
    say(port.ada, "confirmed", FOUND, "orders.csv")
    assert held(port) == [("calls", "berths", True), ("orders", "customers", True)]


def test_a_way_is_the_same_from_either_end(port):
    turned = {"table": "customers", "columns": ["Customer ID"], "other_table": "orders",
              "other_columns": ["Customer ID"]}  # fmt: skip
    say(port.ada, "refused", FOUND, "orders.csv")
    assert ways(say(port.ada, "confirmed", turned, "customers.csv").json())[0][3] == "confirmed"
    assert [(row.number, row.before, row.after) for row in JoinTeaching.objects.order_by("number")] == [
        (1, "", "refused"), (2, "refused", "confirmed"),
    ]  # fmt: skip
    assert ways(undo(port.ada, FOUND, "orders.csv").json())[0][3] == "refused"
    assert ways(undo(port.ada, turned, "customers.csv").json())[0][3] == "found"
    refused = undo(port.ada, FOUND, "orders.csv")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "nothing_to_undo")


def test_a_way_that_was_found_is_confirmed_where_somebody_draws_it(port):
    assert ways(say(port.ada, "drawn", FOUND, "orders.csv").json())[0][3] == "confirmed"


def test_what_changes_nothing_is_not_written_down_and_what_does_is_in_the_log(port):
    say(port.ada, "drawn")
    version = catalog_of(port.acme).version
    say(port.ada, "drawn")
    assert catalog_of(port.acme).version == version
    assert JoinTeaching.objects.count() == 1
    targets = AuditEvent.objects.of(port.acme).filter(action="context_changed").values_list("target", "actor_name")
    assert list(targets) == [("calls: moored - berths: berth", "ada")]


def test_members_settle_nothing(port):
    for told in (say(port.ana, "drawn"), say(port.ana, "refused", FOUND, "orders.csv"), undo(port.ana)):
        assert told.status_code == 403
        assert "Only an admin" in told.json()["error"]["message"]
    assert not JoinTeaching.objects.exists()


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"other_columns": ["harbour"]}, 400, "moored of calls and harbour of berths have no value in common."),
        ({"columns": ["visit"]}, 400, "visit of calls and berth of berths have no value in common."),
        ({"columns": ["fee"]}, 400, "they never match"),
        ({"other_table": "calls", "other_columns": ["visit"]}, 400, "a table is not connected to itself"),
        ({"other_table": "piers"}, 404, "There is no table named piers."),
        ({"columns": ["pier"]}, 404, "calls has no column named pier."),
        ({"table": "berths"}, 404, "There is no table named berths."),
        ({"columns": "moored"}, 400, "columns must be a list"),
        ({"columns": ["moored", "visit"]}, 400, "as many columns"),
        ({"columns": ["moored"] * 11}, 400, "columns must be a list"),
        (
            {"columns": ["moored", "visit"], "other_columns": ["berth", "harbour"]},
            400,
            "moored and visit of calls and berth and harbour of berths have no combination in common.",
        ),
        ({"columns": ["moored", "moored"], "other_columns": ["berth", "harbour"]}, 400, "names each column once"),
        ({"verdict": "loved"}, 400, "verdict must be one of: confirmed, refused, drawn."),
        ({"verdict": ["drawn"]}, 400, "verdict must be one of"),
        ({"verdict": "confirmed"}, 404, "There is no such connection."),
        ({"table": 7}, 400, "table must be a text."),
    ],
)
def test_what_cannot_be_joined_is_refused_in_words(port, change, status, words):
    body = {**DRAWN, "verdict": "drawn", **change}
    told = client_of(port.ada).put(f"{PATH}?filename=calls.csv", body, format="json")
    assert told.status_code == status, told.content
    assert words in told.json()["error"]["message"]
    assert not JoinTeaching.objects.exists()


def replaced(user, name: str, content: bytes, capture) -> None:
    with capture(execute=True):
        client_of(user).put(f"/api/v3/files?filename={name}", {"file-0": SimpleUploadedFile(name, content)})
    with capture(execute=True):
        read_waiting()


def test_a_newer_file_keeps_what_was_said_and_is_measured_anew(port, django_capture_on_commit_callbacks):
    say(port.ada, "drawn")
    say(port.ada, "refused", FOUND, "orders.csv")
    replaced(port.ana, "calls.csv", CALLS[: CALLS.index(b"140,")], django_capture_on_commit_callbacks)
    assert ways(read(port.ana, "calls.csv")) == [("berths", "many_to_one", 0.875, "drawn")]
    [path] = catalog_of(port.acme).joins()
    assert path == JoinPath("calls", ("moored",), "berths", ("berth",), 0.875, right_unique=True, said=True)


def test_a_drawn_way_whose_column_is_gone_rests_until_it_is_back(port, django_capture_on_commit_callbacks):
    say(port.ada, "drawn")
    replaced(port.ana, "calls.csv", CALLS.replace(b"moored", b"pier"), django_capture_on_commit_callbacks)
    assert ways(read(port.ana, "calls.csv")) == [("berths", None, None, "drawn")]
    assert held(port) == [("orders", "customers", False)]
    replaced(port.ana, "calls.csv", CALLS, django_capture_on_commit_callbacks)
    assert held(port) == [("calls", "berths", True), ("orders", "customers", False)]


def test_what_was_said_goes_with_either_file(port, django_capture_on_commit_callbacks):
    say(port.ada, "drawn")
    say(port.ada, "refused", FOUND, "orders.csv")
    with django_capture_on_commit_callbacks(execute=True):
        client_of(port.ana).delete("/api/v3/files?filename=berths.csv")
    assert [row.other_key for row in JoinTeaching.objects.all()] == ["customers"]


DAYS = b"shop,day,weather\n" + b"".join(
    b"S%d,2025-03-%02d,%s\n" % (n % 5, n // 5 + 1, (b"sun", b"rain")[n % 2]) for n in range(50)
)
TILLS = b"till,sold on,amount\n" + b"".join(b"S%d,2025-03-%02d,%d\n" % (n % 6, n % 9 + 1, n) for n in range(90))
COMPOSITE = {"table": "tills", "columns": ["till", "sold on"], "other_table": "days", "other_columns": ["shop", "day"]}


def test_a_way_of_several_columns_is_drawn_confirmed_refused_and_taken_back(port, upload, total):
    upload(("days.csv", DAYS), ("tills.csv", TILLS))
    asked, name = "total amount by weather", "tills.csv"
    assert total(port, asked) == {}
    drawn = say(port.ada, "drawn", COMPOSITE, name)
    assert drawn.status_code == 200, drawn.content
    assert ways(drawn.json()) == [("days", "many_to_one", 0.8333, "drawn")]
    assert ways(read(port.ana, "days.csv")) == [("tills", "one_to_many", 0.8333, "drawn")]
    told = total(port, asked)
    assert set(told) >= {"sun", "rain"}
    turned = {"table": "days", "columns": ["day", "shop"], "other_table": "tills", "other_columns": ["sold on", "till"]}
    assert ways(say(port.ada, "refused", turned, "days.csv").json())[0][3] == "refused"
    assert total(port, asked) == {}
    assert ways(say(port.ada, "confirmed", COMPOSITE, name).json())[0][3] == "confirmed"
    assert ways(undo(port.ada, turned, "days.csv").json())[0][3] == "refused"
    assert ways(undo(port.ada, COMPOSITE, name).json())[0][3] == "drawn"
    assert total(port, asked) == told
    targets = AuditEvent.objects.of(port.acme).filter(action="context_changed").values_list("target", flat=True)
    assert targets.first() in ("tills: till, sold on - days: shop, day", "days: day, shop - tills: sold on, till")
    assert targets.count() == 5


def test_a_way_of_several_columns_holds_through_a_newer_file(port, upload, django_capture_on_commit_callbacks):
    upload(("days.csv", DAYS), ("tills.csv", TILLS))
    say(port.ada, "drawn", COMPOSITE, "tills.csv")
    newer = b"".join(line for line in TILLS.splitlines(keepends=True) if not line.startswith(b"S5"))
    replaced(port.ana, "tills.csv", newer, django_capture_on_commit_callbacks)
    assert ways(read(port.ana, "tills.csv")) == [("days", "many_to_one", 1.0, "drawn")]
    replaced(port.ana, "tills.csv", newer.replace(b"sold on", b"paid on"), django_capture_on_commit_callbacks)
    assert ways(read(port.ana, "tills.csv")) == [("days", None, None, "drawn")]


def test_nobody_draws_several_columns_to_files_of_another_organization(port, upload):
    upload(("days.csv", DAYS))
    upload(("tills.csv", TILLS), by=port.gus)
    assert say(port.gia, "drawn", COMPOSITE, "tills.csv").status_code == 404
    assert say(port.ada, "drawn", COMPOSITE, "tills.csv").status_code == 404
    assert not JoinTeaching.objects.exists()


def test_an_organization_settles_only_its_own_files_of_a_name(port, upload):
    upload(("berths.csv", BERTHS), ("calls.csv", CALLS), by=port.gus)
    say(port.ada, "drawn")
    assert ways(read(port.gus, "calls.csv")) == []
    upload(("tides.csv", SALES))
    assert say(port.gia, "drawn", {**DRAWN, "other_table": "customers"}).status_code == 404
    assert client_of(port.gia).get(f"{PATH}?filename=tides.csv").status_code == 404


def test_files_that_change_while_a_way_is_measured_are_asked_for_again(port, monkeypatch):
    from apps.datasources.services import joining

    measured = joining.join_measured

    def meanwhile(*given):
        CatalogState.objects.update(version=99)
        return measured(*given)

    monkeypatch.setattr(joining, "join_measured", meanwhile)
    told = say(port.ada, "drawn")
    assert (told.status_code, told.json()["error"]["code"]) == (409, "changed")
    assert not JoinTeaching.objects.exists()


def test_reading_the_ways_again_asks_the_database_little(port, django_assert_max_num_queries):
    read(port.ana, "orders.csv")
    client = client_of(port.ana)
    with django_assert_max_num_queries(9):
        assert client.get(f"{PATH}?filename=orders.csv").status_code == 200
