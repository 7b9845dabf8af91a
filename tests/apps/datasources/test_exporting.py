"""Taking a source home as CSV or XLSX: as it was read, harmless to open, and only what is one's own."""

from __future__ import annotations

import io

import openpyxl
import pytest

from apps.accounts.models import AuditAction, AuditEvent
from apps.analyst.errors import QueryFailed
from apps.analyst.tables import exporting
from apps.datasources import downloads, limits
from tests.apps.datasources.conftest import SALES
from tests.cast import client_of

EXPORT = "/api/v3/files/export"
HOSTILE = b"name,amount\n=1+1,5\n@SUM(A1),-7\nplain,9\n"


@pytest.fixture
def ana(cast):
    return client_of(cast.ana)


def body_of(answer) -> bytes:
    return b"".join(answer.streaming_content)


def test_a_source_leaves_as_csv_without_formulas_and_comes_back_the_same(upload, ana, listing, cast):
    upload(("deals.csv", HOSTILE))
    answer = ana.get(EXPORT, {"filename": "deals.csv"})
    content = body_of(answer)
    assert content.decode("utf-8-sig") == 'name,amount\n"\'=1+1",5\n"\'@SUM(A1)",-7\n"plain",9\n'
    assert answer["Content-Disposition"] == 'attachment; filename="deals.csv"'
    assert (answer["Cache-Control"], answer["X-Content-Type-Options"]) == ("private, no-store", "nosniff")
    upload(("again.csv", content))
    profile = ana.get("/api/v3/files/profile", {"filename": "again.csv"}).json()
    assert profile["tables"][0]["sample"]["rows"] == [["=1+1", 5], ["@SUM(A1)", -7], ["plain", 9]]
    event = AuditEvent.objects.get(action=AuditAction.EXPORTED)
    assert (event.organization, event.actor, event.target) == (cast.acme, cast.ana, "deals.csv")


def test_a_source_leaves_as_a_workbook_with_its_types(upload, ana):
    upload(("sales.csv", SALES))
    answer = ana.get(EXPORT, {"filename": "SALES.csv", "type": "xlsx"})
    assert answer["Content-Disposition"] == 'attachment; filename="sales.xlsx"'
    sheet = openpyxl.load_workbook(io.BytesIO(body_of(answer))).active
    assert [cell.value for cell in sheet[1]] == ["Region", "Amount", "Date"]
    assert [cell.data_type for cell in sheet[2]] == ["s", "n", "d"]


VISITS = b"visit,pier,fee\n1,North,12.5\n2,,3\n3,South,4\n4,,5\n5,North,6\n"


@pytest.mark.parametrize(
    ("asked", "visits"),
    [
        ({"search": "north"}, ["1", "5"]),
        ({"missing": "pier"}, ["2", "4"]),
        ({"search": "4", "missing": "pier", "table": "visits"}, ["4"]),
        ({"search": "it's nowhere"}, []),
        ({"search": " "}, ["1", "2", "3", "4", "5"]),
        ({"offset": "3"}, ["1", "2", "3", "4", "5"]),
    ],
)
def test_the_rows_that_are_looked_at_leave_in_the_order_of_the_file(upload, ana, asked, visits):
    upload(("visits.csv", VISITS))
    written = body_of(ana.get(EXPORT, {"filename": "visits.csv", **asked})).decode("utf-8-sig").splitlines()
    assert written[0] == "visit,pier,fee"
    assert [line.split(",")[0] for line in written[1:]] == visits
    book = openpyxl.load_workbook(
        io.BytesIO(body_of(ana.get(EXPORT, {"filename": "visits.csv", "type": "xlsx", **asked})))
    )
    assert [str(row[0].value) for row in book.active.iter_rows(min_row=2)] == visits


def test_a_part_of_the_rows_is_named_as_one_and_keeps_its_types(upload, ana, settings):
    upload(("sales.csv", SALES))
    answer = ana.get(EXPORT, {"filename": "sales.csv", "type": "xlsx", "search": "east"})
    assert answer["Content-Disposition"] == 'attachment; filename="sales - found rows.xlsx"'
    sheet = openpyxl.load_workbook(io.BytesIO(body_of(answer))).active
    assert [cell.data_type for cell in sheet[2]] == ["s", "n", "d"]
    assert not list((settings.DATA_DIR / "tmp").glob("*.export*"))


def test_a_part_of_a_table_that_is_too_large_for_a_workbook_fits_where_it_is_small(upload, ana, monkeypatch):
    monkeypatch.setattr(exporting, "MAX_SHEET_CELLS", 6)
    upload(("visits.csv", VISITS))
    asked = {"filename": "visits.csv", "type": "xlsx"}
    assert ana.get(EXPORT, asked).status_code == 413
    assert ana.get(EXPORT, {**asked, "search": "north"}).status_code == 200


@pytest.mark.parametrize(
    ("asked", "status"), [({"missing": "harbor"}, 404), ({"table": "sales"}, 404), ({"search": "x" * 201}, 400)]
)
def test_rows_that_cannot_be_asked_for_are_refused(upload, ana, asked, status):
    upload(("visits.csv", VISITS))
    assert ana.get(EXPORT, {"filename": "visits.csv", **asked}).status_code == status


@pytest.mark.parametrize(
    ("failure", "told"),
    [(QueryFailed("This took too long."), (503, "too_slow")), (OSError("no room"), (507, "storage_failed"))],
)
def test_rows_that_cannot_be_found_in_time_or_kept_say_so(upload, ana, monkeypatch, failure, told):
    def broken_find(*_: object, **__: object) -> int:
        raise failure

    upload(("visits.csv", VISITS))
    monkeypatch.setattr("apps.analyst.tables.looking.keep_found", broken_find)
    answer = ana.get(EXPORT, {"filename": "visits.csv", "search": "north"})
    assert (answer.status_code, answer.json()["error"]["code"]) == told


def test_other_formats_and_absent_files_are_refused_in_words(upload, ana):
    upload(("sales.csv", SALES))
    assert ana.get(EXPORT, {"filename": "sales.csv", "type": "pdf"}).json()["error"]["code"] == "unknown_format"
    assert ana.get(EXPORT, {"filename": "nothing.csv"}).status_code == 404


def test_a_file_that_is_not_read_yet_says_so(upload, ana):
    upload(("sales.csv", SALES), read=False)
    answer = ana.get(EXPORT, {"filename": "sales.csv"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_ready")


def test_a_table_too_large_for_a_workbook_points_to_the_csv(upload, ana, monkeypatch):
    monkeypatch.setattr(exporting, "MAX_SHEET_CELLS", 5)
    upload(("sales.csv", SALES))
    answer = ana.get(EXPORT, {"filename": "sales.csv", "type": "xlsx"})
    assert answer.status_code == 413
    assert answer.json()["error"]["message"].endswith("Please take the CSV file.")


def test_while_all_places_are_taken_a_download_is_asked_to_wait(upload, ana, monkeypatch):
    monkeypatch.setattr(limits, "EXPORT_PATIENCE", 0.01)
    upload(("sales.csv", SALES))
    for _ in range(limits.EXPORTS_AT_ONCE):
        downloads._slots.acquire()
    try:
        assert ana.get(EXPORT, {"filename": "sales.csv"}).status_code == 503
    finally:
        for _ in range(limits.EXPORTS_AT_ONCE):
            downloads._slots.release()


def test_nothing_of_a_download_stays_on_the_disk(upload, ana, settings):
    upload(("sales.csv", SALES))
    body_of(ana.get(EXPORT, {"filename": "sales.csv", "type": "xlsx"}))
    assert not list((settings.DATA_DIR / "tmp").glob("*.export*"))
