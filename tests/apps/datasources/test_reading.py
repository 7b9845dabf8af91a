"""Looking at files: contents, profiles, downloads, context texts. And that nobody sees another organization's."""

from __future__ import annotations

import pytest
from django.urls import get_resolver

from apps.datasources import content
from apps.datasources.api import urls
from apps.datasources.catalog import catalog_of
from tests.apps.datasources.conftest import SALES, workbook
from tests.cast import client_of

FILES, PROFILE, DOWNLOAD, EXPORT, EXPLANATION = (
    f"/api/v3/{path}" for path in ("files", "files/profile", "files/download", "files/export", "explanation")
)


@pytest.fixture
def ana(cast):
    return client_of(cast.ana)


def test_a_csv_is_given_as_its_text(upload, ana):
    upload(("sales.csv", SALES))
    answer = ana.get(FILES, {"filename": "sales.csv"})
    assert answer.json() == {
        "filename": "sales.csv",
        "mime_type": "text/csv",
        "encoding": "plain",
        "content": SALES.decode(),
        "truncated": False,
    }
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_csv_is_given_as_text_whatever_its_encoding(upload, ana, encoding):
    text = "Ort,Umsatz\nKöln,12\nMünchen,99\n"
    upload(("umsatz.csv", text.encode(encoding)))
    assert ana.get(FILES, {"filename": "umsatz.csv"}).json()["content"] == text


def test_only_the_beginning_of_a_long_file_is_given_and_said_to_be(upload, ana, monkeypatch):
    monkeypatch.setattr(content, "PREVIEW_BYTES", 40)
    upload(("sales.csv", SALES))
    answer = ana.get(FILES, {"filename": "sales.csv"}).json()
    assert (answer["content"], answer["truncated"]) == ("Region,Amount,Date\nWest,10.50,2024-01-03\n"[:19], True)


def test_a_workbooks_sheet_is_given_as_csv(upload, ana):
    upload(("Budget.xlsx", workbook(Plan=[["Region", "Amount"], ["West", 1.5], ["East, far", 2.25]])))
    answer = ana.get(FILES, {"filename": "Budget.csv"}).json()
    lines = answer["content"].splitlines()
    assert lines[0] == "Region,Amount"
    assert lines[2].startswith('"East, far",2.25')


def test_the_profile_tells_columns_values_and_first_rows(upload, ana):
    upload(("sales.csv", SALES))
    profile = ana.get(PROFILE, {"filename": "sales.csv"}).json()
    assert profile["source"]["file_name"] == "sales.csv"
    (table,) = profile["tables"]
    columns = {column["name"]: column for column in table["columns"]}
    assert columns["Region"]["values"][0] == {"value": "West", "count": 2}
    assert (columns["Amount"]["minimum"], columns["Amount"]["maximum"]) == (5, 20.25)
    assert columns["Date"]["minimum"] == "2024-01-03"
    assert table["sample"] == {
        "columns": ["Region", "Amount", "Date"],
        "rows": [["West", 10.5, "2024-01-03"], ["East", 20.25, "2024-02-04"], ["West", 5, "2024-03-05"]],
    }


def test_the_profile_tells_likely_keys_and_the_ways_to_other_tables(upload, ana):
    customers = b"Customer ID,City\nC1,Berlin\nC2,Paris\nC3,Rome\n"
    orders = b"Order ID,Customer ID,Total\nO1,C1,5\nO2,C2,6\nO3,C1,7\nO4,C9,9\n"
    upload(("customers.csv", customers), ("orders.csv", orders))
    (table,) = ana.get(PROFILE, {"filename": "orders.csv"}).json()["tables"]
    assert {column["name"]: column["unique"] for column in table["columns"]} == {
        "Order ID": True, "Customer ID": False, "Total": True,
    }  # fmt: skip
    way = {"columns": ["Customer ID"], "table": "customers", "table_columns": ["Customer ID"], "match_rate": 0.75}
    assert table["connections"] == [{**way, "refers": True}]
    (other,) = ana.get(PROFILE, {"filename": "customers.csv"}).json()["tables"]
    assert other["connections"] == [{**way, "table": "orders", "refers": False}]


def test_a_download_gives_the_bytes_as_they_came_under_their_name(upload, ana):
    book = workbook(Plan=[["Größe"], [1]])
    upload(("Größen: 2024.xlsx", book))
    answer = ana.get(DOWNLOAD, {"filename": "Größen: 2024.csv"})
    assert b"".join(answer.streaming_content) == book
    assert answer["Content-Disposition"] == "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fen%3A%202024.xlsx"
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("application/octet-stream", "nosniff")


def test_context_texts_by_file_and_for_the_organization(upload, ana, cast):
    upload(("sales.csv", SALES))
    assert ana.get(EXPLANATION).json() == {"Organization Level Context": ""}
    ana.post(EXPLANATION, {"explanation": "We sell bikes."}, format="json")
    ana.post(EXPLANATION, {"explanation": "Every sale.", "file": "SALES.csv"}, format="json")
    both = {"Organization Level Context": "We sell bikes.", "sales.csv": "Every sale."}
    assert client_of(cast.ben).get(EXPLANATION).json() == both
    assert ana.get(EXPLANATION, {"files": "sales.csv"}).json() == {"sales.csv": "Every sale."}
    assert ana.get(f"{EXPLANATION}?files=nothing.csv").json() == {}
    assert client_of(cast.gus).get(EXPLANATION).json() == {"Organization Level Context": ""}
    assert catalog_of(cast.acme).tables()[0].description == "Every sale."


def test_preferences_may_come_through_the_older_door(ana):
    ana.post(EXPLANATION, {"user_preferences": '{"theme": "dark"}'}, format="json")
    assert '"theme": "dark"' in ana.get("/api/v3/preferences").json()["user_preferences"]


@pytest.mark.parametrize(
    "body", [b"[]", b"{}", b'{"explanation": 3}', b'{"explanation": "x", "file": 3}', b'{"explanation": "\\u0000"}',
             b'{"explanation": "x", "file": "\\ud83d"}', b'{"user_preferences": "["}', b"\xff"],
)  # fmt: skip
def test_malformed_texts_are_the_senders_error(ana, body):
    answer = ana.post(EXPLANATION, body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["error"]["code"]


def test_members_who_may_not_edit_context_are_told_so(upload, cast):
    upload(("sales.csv", SALES))
    cast.acme.members_edit_context = False
    cast.acme.save()
    for body in ({"explanation": "x"}, {"explanation": "x", "file": "sales.csv"}):
        assert client_of(cast.ana).post(EXPLANATION, body, format="json").status_code == 403
        assert client_of(cast.ada).post(EXPLANATION, body, format="json").status_code == 200


def test_answer_files_are_read_by_whoever_keeps_them(ana, cast, monkeypatch):
    query = {"thread_id": str(cast.acme.pk), "message_id": str(cast.ana.pk), "filename": "chart.json"}
    asked = []

    def reader(user, thread_id, message_id, name):
        asked.append((user.username, thread_id, message_id, name))
        return {"filename": name, "mime_type": "application/json", "content": "{}", "encoding": "plain"}

    monkeypatch.setattr(content, "_answer_file", reader)
    assert ana.get(FILES, query).json()["content"] == "{}"
    assert asked == [("ana", cast.acme.pk, cast.ana.pk, "chart.json")]
    assert ana.get(FILES, {**query, "thread_id": "x"}).status_code == 404


def test_names_of_another_organization_are_as_absent_as_invented_ones(upload, cast):
    upload(("sales.csv", SALES), ("Budget.xlsx", workbook(A=[["x"], [1]], B=[["x"], [2]])))
    gus = client_of(cast.gia)
    assert gus.get(FILES).json() == {"content": [], "sources": []}
    assert catalog_of(cast.globex).tables() == ()
    for foreign, invented in (("sales.csv", "salez.csv"), ("Budget - A.csv", "Budget - Z.csv")):
        for call in (
            lambda name: gus.get(FILES, {"filename": name}),
            lambda name: gus.get(PROFILE, {"filename": name}),
            lambda name: gus.get(DOWNLOAD, {"filename": name}),
            lambda name: gus.get(EXPORT, {"filename": name, "type": "csv"}),
            lambda name: gus.delete(f"{FILES}?filename={name}"),
            lambda name: gus.put(f"{FILES}?filename={name}", {}),
            lambda name: gus.post(EXPLANATION, {"explanation": "x", "file": name}, format="json"),
        ):
            there, nowhere = call(foreign), call(invented)
            assert there.status_code == nowhere.status_code >= 400
            assert there.json()["error"]["message"].replace(foreign, "") == nowhere.json()["error"]["message"].replace(
                invented, ""
            )
    assert upload(("sales.csv", SALES), by=cast.gus)["failed_uploads"] == 0, "names are each organization's own"
    assert client_of(cast.ana).get(FILES).json()["sources"][0]["owner"] == "Ana"


@pytest.mark.parametrize("method", ["get", "post", "put", "delete", "patch"])
def test_no_route_of_this_app_answers_without_a_login(db, method):
    from rest_framework.test import APIClient

    names = [pattern.name for pattern in urls.urlpatterns]
    assert len(names) == 12
    assert get_resolver() is not None
    for pattern in urls.urlpatterns:
        assert getattr(APIClient(), method)(f"/api/v3/{pattern.pattern}").status_code == 401
