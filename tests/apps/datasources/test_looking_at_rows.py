"""Rows of a file to look at: pages, a search, gaps, and nothing of another organization."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from apps.analyst.errors import QueryFailed
from apps.datasources import files, limits, rows
from apps.datasources.models import DataTable
from tests.apps.datasources.conftest import SALES
from tests.cast import client_of

PATH = "/api/v3/files/rows"
VISITS = b"visit,pier,note\n" + b"".join(
    b"%d,%s,%s\n" % (n, b"" if n % 10 == 0 else b"Pier %d" % (n % 4), b"x" * 600 if n == 1 else b"calm")
    for n in range(1, 61)
)


@pytest.fixture
def visits(upload, cast):
    upload(("visits.csv", VISITS))
    return cast


def read(user, **asked: Any) -> dict[str, Any]:
    told = client_of(user).get(PATH, {"filename": "visits.csv", **asked})
    assert told.status_code == 200, told.content
    return told.json()


def numbers(told: dict[str, Any]) -> list[int]:
    return [row[0] for row in told["rows"]]


def test_the_rows_come_page_by_page_with_how_many_there_are(visits):
    first = read(visits.ana)
    assert (first["table"], first["columns"], first["offset"]) == ("visits", ["visit", "pier", "note"], 0)
    assert (first["matched"], first["total"], len(first["rows"])) == (60, 60, limits.ROWS_AT_ONCE)
    assert first["rows"][1] == [2, "Pier 2", "calm"]
    assert numbers(read(visits.ben, offset=50)) == list(range(51, 61))
    assert numbers(read(visits.ana, offset=60)) == []


def test_a_search_finds_rows_anywhere_in_the_file(visits):
    told = read(visits.ana, search="pier 3 59")
    assert (told["rows"], told["matched"], told["total"]) == ([[59, "Pier 3", "calm"]], 1, 60)
    assert read(visits.ana, search="nowhere")["rows"] == []


def test_gaps_are_the_rows_without_a_value_as_many_as_the_profile_counts(visits):
    told = read(visits.ana, missing="pier", table="VISITS")
    assert numbers(told) == [10, 20, 30, 40, 50, 60]
    profile = client_of(visits.ana).get("/api/v3/files/profile?filename=visits.csv").json()
    counted = {column["name"]: column["missing"] for column in profile["tables"][0]["columns"]}
    assert (told["matched"], told["rows"][0][1]) == (counted["pier"], None)


def test_a_long_text_is_told_by_its_beginning(visits):
    assert read(visits.ana)["rows"][0][2] == "x" * limits.MAX_SHOWN_CELL + "…"


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"missing": "harbour"}, 404),
        ({"table": "sales"}, 404),
        ({"filename": "none.csv"}, 404),
        ({"offset": "-1"}, 400),
        ({"offset": "x"}, 400),
        ({"offset": "1" * 13}, 400),
        ({"search": "x" * 201}, 400),
        ({"search": "x\x00"}, 400),
    ],
)
def test_what_cannot_be_shown_is_refused(visits, asked, status):
    assert client_of(visits.ana).get(PATH, {"filename": "visits.csv", **asked}).status_code == status


def test_another_organization_sees_no_row(visits, upload):
    upload(("sales.csv", SALES), by=visits.gus)
    assert client_of(visits.gus).get(PATH, {"filename": "visits.csv"}).status_code == 404
    assert client_of(visits.gus).get(PATH, {"filename": "sales.csv", "table": "visits"}).status_code == 404


def test_a_file_that_could_not_be_read_or_is_gone_says_so(visits, upload):
    upload(("empty.csv", b"\n"))
    unread = client_of(visits.ana).get(PATH, {"filename": "empty.csv"})
    assert (unread.status_code, unread.json()["error"]["code"]) == (409, "not_ready")
    files.discard([DataTable.objects.get().key])
    gone = client_of(visits.ana).get(PATH, {"filename": "visits.csv"})
    assert (gone.status_code, "gone from the storage" in gone.json()["error"]["message"]) == (410, True)


def test_what_takes_too_long_or_finds_no_turn_says_so(visits, monkeypatch):
    def slow_look(*_: object, **__: object) -> None:
        raise QueryFailed("Looking through the rows took too long.")

    with monkeypatch.context() as patched:
        patched.setattr("apps.analyst.tables.looking.look", slow_look)
        slow = client_of(visits.ana).get(PATH, {"filename": "visits.csv", "search": "pier"})
    assert (slow.status_code, slow.json()["error"]["code"]) == (503, "too_slow")
    taken = threading.BoundedSemaphore(1)
    taken.acquire()
    monkeypatch.setattr(rows, "_slots", taken)
    monkeypatch.setattr(limits, "LOOKING_PATIENCE", 0.01)
    busy = client_of(visits.ana).get(PATH, {"filename": "visits.csv"})
    assert (busy.status_code, busy.json()["error"]["code"]) == (503, "busy")
