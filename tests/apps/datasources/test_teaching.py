"""The data dictionary: members read it, admins correct it, and the engine sees what they said."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import AuditEvent
from apps.analyst.dictionary import cache
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.types import Taught
from apps.datasources import dictionary
from apps.datasources.catalog import catalog_of
from apps.datasources.models import CatalogState, Teaching
from tests.apps.datasources.conftest import SALES, read_waiting
from tests.cast import client_of

PATH = "/api/v3/files/dictionary"
LINES = (
    b"ORD_ID,ORD_DT,NET_AMT,UNIT_PRC,RTN_FLG\n"
    + b"\n".join(b"%d,2025-01-%02d,%d.50,2.25,%s" % (n, n % 28 + 1, n, b"YN"[n % 2 : n % 2 + 1]) for n in range(40))
    + b"\n"
)


def read(user, name="orders.csv") -> dict[str, Any]:
    answer = client_of(user).get(f"{PATH}?filename={name}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def column(told: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in told["tables"][0]["columns"] if one["name"] == name)


def teach(user, said: object, column: str | None = "NET_AMT", *, table="orders", name="orders.csv") -> Any:
    body = {"table": table, "said": said, **({"column": column} if column is not None else {})}
    return client_of(user).put(f"{PATH}?filename={name}", body, format="json")


def undo(user, column: str | None = "NET_AMT", *, table="orders") -> Any:
    body = {"table": table, **({"column": column} if column is not None else {})}
    return client_of(user).post(f"{PATH}/undo?filename=orders.csv", body, format="json")


@pytest.fixture
def orders(upload, cast):
    upload(("orders.csv", LINES))
    return cast


def test_members_read_what_was_found_out(orders):
    told = read(orders.ana)
    assert (told["file_name"], told["may_edit"]) == ("orders.csv", False)
    table = told["tables"][0]
    assert (table["row"], table["rows"], table["key_column"], table["date_column"]) == (
        "order", "orders", "ORD_ID", "ORD_DT",
    )  # fmt: skip
    assert [one["label"] for one in table["columns"]] == [
        "order id", "order date", "net amount", "unit price", "return flag",
    ]  # fmt: skip
    assert (column(told, "NET_AMT")["adds"], column(told, "UNIT_PRC")["adds"]) == ("sum", "average")
    assert column(told, "RTN_FLG")["values"] == {"Y": "returned", "N": "not returned"}
    assert column(told, "ORD_DT")["event"] == "order"
    assert column(told, "NET_AMT")["taught"] is None
    amount = column(told, "NET_AMT")
    assert amount["may_mean"][0] == {"concept": amount["concept"], "label": amount["concept_label"]}


def test_an_admin_corrects_a_column_and_everybody_sees_it_beside_what_was_found(orders):
    said = {"label": "takings", "unit": "EUR", "adds": "last", "concept": "general.amount", "synonyms": ["turnover"]}
    answer = teach(orders.ada, said)
    assert answer.status_code == 200
    told = column(read(orders.ana), "NET_AMT")
    assert (told["label"], told["unit"], told["adds"], told["synonyms"]) == ("takings", "EUR", "last", ["turnover"])
    assert (told["concept"], told["confidence"], told["concept_label"]) == ("general.amount", 1.0, "amount")
    assert (told["found"]["label"], told["found"]["unit"]) == ("net amount", None)
    assert told["taught"]["said"] == said
    assert told["taught"]["by"] == "Ada"
    assert answer.json()["may_edit"] is True


def test_values_and_rows_get_the_words_that_people_use(orders):
    teach(orders.ada, {"values": {"Y": "sent back"}, "value_synonyms": {"Y": ["came back"]}}, "RTN_FLG")
    teach(orders.ada, {"row": "receipt"}, None)
    told = read(orders.ana)
    assert (told["tables"][0]["row"], told["tables"][0]["rows"]) == ("receipt", "receipts")
    assert column(told, "RTN_FLG")["values"] == {"Y": "sent back", "N": "not returned"}
    assert column(told, "RTN_FLG")["value_synonyms"] == {"Y": ["came back"]}


def test_what_several_rows_are_called_holds_without_a_word_for_one(orders):
    told = teach(orders.ada, {"rows": "sales slips"}, None).json()
    assert (told["tables"][0]["row"], told["tables"][0]["rows"]) == ("order", "sales slips")


def test_numbers_that_stand_for_something_else_may_be_called_a_figure(orders):
    told = teach(orders.ada, {"kind": "measure"}, "ORD_ID").json()
    assert column(told, "ORD_ID")["kind"] == "measure"


def test_periods_go_by_the_date_that_an_admin_names_until_it_is_undone(orders, upload):
    upload(("sent.csv", b"ORD_ID,ORD_DT,SHP_DT\n" + b"".join(b"%d,2025-01-%02d,2025-02-%02d\n" % (n, n, n)
                                                            for n in range(1, 28))))  # fmt: skip
    found = read(orders.ana, "sent.csv")["tables"][0]["date_column"]
    assert teach(orders.ada, {"date_column": "SHP_DT"}, None, table="sent", name="sent.csv").status_code == 200
    told = read(orders.ana, "sent.csv")["tables"][0]
    assert (told["date_column"], told["found"]["date_column"]) == ("SHP_DT", found)
    assert found != "SHP_DT"
    body = {"table": "sent"}
    undone = client_of(orders.ada).post(f"{PATH}/undo?filename=sent.csv", body, format="json")
    assert undone.json()["tables"][0]["date_column"] == found


def test_of_two_files_the_one_put_first_last_comes_before_the_other(orders, upload):
    upload(("copy.csv", LINES), ("third.csv", LINES))

    def before() -> dict[str, tuple[str, ...]]:
        return {t.name: e.before for t in catalog_of(orders.acme).tables() for e in t.taught if e.before}

    teach(orders.ada, {"row": "sale", "before": ["copy", "third"]}, None)
    assert before() == {"orders": ("copy", "third")}
    teach(orders.ada, {"before": ["orders"]}, None, table="copy", name="copy.csv")
    assert before() == {"orders": ("third",), "copy": ("orders",)}
    assert read(orders.ana)["tables"][0]["row"] == "sale"
    changed = AuditEvent.objects.of(orders.acme).filter(action="context_changed").values_list("target", flat=True)
    assert sorted(changed) == ["copy.csv", "orders.csv", "orders.csv"]
    undo(orders.ada, None)
    assert before() == {"orders": ("copy", "third"), "copy": ("orders",)}


def test_the_engine_sees_what_was_taught_at_once(orders):
    before = catalog_of(orders.acme)
    teach(orders.ada, {"label": "takings", "synonyms": ["turnover", "turnover"]})
    after = catalog_of(orders.acme)
    assert after.version != before.version
    assert after.tables()[0].taught == (Taught("NET_AMT", label="takings", synonyms=("turnover",)),)
    meaning = dictionary_of(after)["orders"].column("NET_AMT")
    assert meaning is not None
    assert meaning.label == "takings"
    assert CatalogState.objects.get().version == CatalogState.objects.get().joins_version


def test_members_change_nothing(orders):
    for answer in (teach(orders.ana, {"label": "mine"}), undo(orders.ana)):
        assert answer.status_code == 403
        assert "Only an admin" in answer.json()["error"]["message"]
    assert not Teaching.objects.exists()


def test_changes_are_taken_back_one_by_one(orders):
    teach(orders.ada, {"label": "one"})
    teach(orders.ada, {"label": "two"})
    assert column(read(orders.ana), "NET_AMT")["label"] == "two"
    assert column(undo(orders.ada).json(), "NET_AMT")["label"] == "one"
    assert column(undo(orders.ada).json(), "NET_AMT")["label"] == "net amount"
    refused = undo(orders.ada)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "nothing_to_undo")
    teach(orders.ada, {"label": "three"})
    assert column(read(orders.ana), "NET_AMT")["label"] == "three"
    assert column(undo(orders.ada).json(), "NET_AMT")["taught"] is None
    changes = Teaching.objects.order_by("number")
    assert [(one.before, one.after, one.current) for one in changes] == [
        ({}, {"label": "one"}, False), ({"label": "one"}, {"label": "two"}, False), ({}, {"label": "three"}, False),
    ]  # fmt: skip
    assert {(one.by, one.undone_by) for one in changes} == {(orders.ada, orders.ada)}


def test_an_empty_entry_takes_everything_back_and_can_be_taken_back_itself(orders):
    teach(orders.ada, {"label": "one"})
    assert column(teach(orders.ada, {}).json(), "NET_AMT")["label"] == "net amount"
    assert catalog_of(orders.acme).tables()[0].taught == ()
    assert column(undo(orders.ada).json(), "NET_AMT")["label"] == "one"


def test_what_changes_nothing_is_not_written_down(orders):
    teach(orders.ada, {"label": "one"})
    version = catalog_of(orders.acme).version
    teach(orders.ada, {"label": "one", "unit": None})
    assert catalog_of(orders.acme).version == version
    assert Teaching.objects.count() == 1
    targets = AuditEvent.objects.of(orders.acme).filter(action="context_changed").values_list("target", "actor_name")
    assert list(targets) == [("orders.csv: NET_AMT", "ada")]


def test_a_newer_file_keeps_what_was_taught(orders, django_capture_on_commit_callbacks):
    teach(orders.ada, {"label": "takings"})
    teach(orders.ada, {"label": "gone soon"}, "UNIT_PRC")
    newer = LINES.replace(b"UNIT_PRC", b"LIST_PRC")
    with django_capture_on_commit_callbacks(execute=True):
        client_of(orders.ana).put(
            "/api/v3/files?filename=orders.csv", {"file-0": SimpleUploadedFile("orders.csv", newer)}
        )
    with django_capture_on_commit_callbacks(execute=True):
        read_waiting()
    told = read(orders.ana)
    assert column(told, "NET_AMT")["label"] == "takings"
    assert column(told, "LIST_PRC")["label"] == "list price"


def test_what_was_taught_goes_with_the_file(orders, upload, django_capture_on_commit_callbacks):
    upload(("sales.csv", SALES))
    teach(orders.ada, {"label": "takings"})
    teach(orders.ada, {"label": "money"}, "Amount", table="sales", name="sales.csv")
    with django_capture_on_commit_callbacks(execute=True):
        client_of(orders.ana).delete("/api/v3/files?filename=orders.csv")
    assert list(Teaching.objects.values_list("table_name", "column")) == [("sales", "Amount")]
    upload(("orders.csv", LINES))
    assert column(read(orders.ana), "NET_AMT")["label"] == "net amount"


def test_an_organization_teaches_only_its_own_table_of_a_name(orders, upload):
    upload(("orders.csv", LINES), by=orders.gus)
    teach(orders.ada, {"label": "takings"})
    assert column(read(orders.gus), "NET_AMT")["label"] == "net amount"
    assert teach(orders.gia, {"label": "theirs"}).status_code == 200
    assert column(read(orders.ana), "NET_AMT")["label"] == "takings"


def test_a_file_put_first_moves_no_other_organizations_file_of_that_name(orders, upload):
    upload(("orders.csv", LINES), ("copy.csv", LINES), by=orders.gus)
    teach(orders.gia, {"before": ["orders"]}, None, table="copy", name="copy.csv")
    teach(orders.ada, {"before": ["copy"]}, None)
    held = {t.name: e.before for t in catalog_of(orders.globex).tables() for e in t.taught if e.before}
    assert held == {"copy": ("orders",)}


@pytest.mark.parametrize(
    ("said", "about", "code"),
    [
        (None, "NET_AMT", "not_an_object"),
        ([], "NET_AMT", "not_an_object"),
        ({"colour": "red"}, "NET_AMT", "unknown_field"),
        ({"row": "order"}, "NET_AMT", "unknown_field"),
        ({"label": "orders"}, None, "unknown_field"),
        ({"label": "  "}, "NET_AMT", "empty"),
        ({"label": 7}, "NET_AMT", "not_text"),
        ({"label": "x" * 101}, "NET_AMT", "too_long"),
        ({"label": "x\x00"}, "NET_AMT", "bad_characters"),
        ({"kind": "money"}, "NET_AMT", "not_a_choice"),
        ({"kind": "measure"}, "RTN_FLG", "no_figure"),
        ({"kind": "measure", "adds": "sum"}, "ORD_DT", "no_figure"),
        ({"adds": ["sum"]}, "NET_AMT", "not_a_choice"),
        ({"concept": "shop.nothing"}, "NET_AMT", "unknown_concept"),
        ({"synonyms": "turnover"}, "NET_AMT", "not_words"),
        ({"synonyms": ["x"] * 201}, "NET_AMT", "not_words"),
        ({"values": {"Y": 1}}, "RTN_FLG", "not_text"),
        ({"values": {str(n): "x" for n in range(201)}}, "RTN_FLG", "too_many"),
        ({"value_synonyms": {"Y": "back"}}, "RTN_FLG", "not_words"),
        ({"date_column": "NET_AMT"}, None, "no_such_date"),
        ({"date_column": "GONE"}, None, "no_such_date"),
        ({"date_column": "ORD_DT"}, "NET_AMT", "unknown_field"),
        ({"before": "sent"}, None, "not_tables"),
        ({"before": ["sent"] * 201}, None, "not_tables"),
        ({"before": ["sent"]}, "NET_AMT", "unknown_field"),
    ],
)
def test_what_cannot_be_said_is_refused_in_words(orders, said, about, code):
    answer = teach(orders.ada, said, about)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert not Teaching.objects.exists()


@pytest.mark.parametrize(
    ("about", "table", "name"),
    [("GROSS", "orders", "orders.csv"), ("NET_AMT", "sales", "orders.csv"), ("NET_AMT", "orders", "none.csv")],
)
def test_what_is_not_there_is_not_found(orders, about, table, name):
    assert teach(orders.ada, {"label": "x"}, about, table=table, name=name).status_code == 404


@pytest.mark.parametrize("body", [[], "x", {"said": {}}, {"table": 7, "said": {}}, {"table": "orders", "column": 1}])
def test_bodies_of_another_shape_are_refused(orders, body):
    client = client_of(orders.ada)
    for method, path in ((client.put, PATH), (client.post, f"{PATH}/undo")):
        assert method(f"{path}?filename=orders.csv", body, format="json").status_code == 400


def test_a_file_that_could_not_be_read_has_no_tables(orders, upload):
    upload(("empty.csv", b"\n"))
    assert read(orders.ana, "empty.csv")["tables"] == []


def test_reading_a_dictionary_again_asks_the_database_little(orders, django_assert_max_num_queries):
    read(orders.ana)
    client = client_of(orders.ana)
    with django_assert_max_num_queries(9):
        assert client.get(f"{PATH}?filename=orders.csv").status_code == 200


def test_only_the_columns_of_the_source_are_found_out(orders, upload):
    upload(("sales.csv", SALES))
    assert read(orders.ana)["tables"]
    assert catalog_of(orders.acme).version not in cache._kept


def test_a_dictionary_that_takes_too_long_is_given_up_in_words(orders, monkeypatch):
    def endless(*_: object) -> None:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            sum(range(1000))

    monkeypatch.setattr(cache, "dictionary_of_some", endless)
    monkeypatch.setattr(dictionary, "DICTIONARY_SECONDS", 0.2)
    begun = time.monotonic()
    answer = client_of(orders.ana).get(f"{PATH}?filename=orders.csv")
    assert answer.status_code == 503
    assert dictionary.TOOK_TOO_LONG in str(answer.json())
    assert time.monotonic() - begun < 5
