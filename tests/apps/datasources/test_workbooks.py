"""Workbooks: a source for each non-empty sheet (PRODUCT "Data")."""

from __future__ import annotations

from apps.datasources.models import DataTable, Source, StoredFile
from tests.apps.datasources.conftest import SALES, workbook

ROWS = [["Region", "Amount"], ["West", 1], ["East", 2]]


def test_one_sheet_keeps_the_name_of_the_workbook(upload, listing):
    told = upload(("Budget.xlsx", workbook(Sheet1=ROWS)))
    assert told["sources"][0]["file_name"] == "Budget.csv"
    assert {name: source["state"] for name, source in listing().items()} == {"Budget.csv": "ready"}


def test_several_sheets_become_several_sources_of_one_upload(upload, listing):
    upload(("Budget.xlsx", workbook(Plan=ROWS, Actual=[*ROWS, ["North", 3]], Empty=[])))
    assert {name: source["rows"] for name, source in listing().items()} == {
        "Budget - Plan.csv": 2,
        "Budget - Actual.csv": 3,
    }
    assert StoredFile.objects.count() == 1
    assert set(DataTable.objects.values_list("name", flat=True)) == {"Budget - Plan", "Budget - Actual"}


def test_the_same_workbook_again_is_a_name_that_exists(upload):
    upload(("Budget.xlsx", workbook(Plan=ROWS, Actual=ROWS)))
    assert upload(("Budget.xlsx", workbook(Plan=ROWS)))["errors"][0]["code"] == "exists"


def test_a_sheet_whose_name_is_taken_is_left_out_in_words(upload, listing):
    upload(("Budget - Plan.csv", SALES))
    upload(("Budget.xlsx", workbook(Plan=ROWS, Actual=ROWS)))
    assert set(listing()) == {"Budget - Plan.csv", "Budget - Actual.csv"}
    assert listing()["Budget - Plan.csv"]["rows"] == 3
    note = "A sheet was left out: a file with the name Budget - Plan.csv already exists."
    assert note in listing()["Budget - Actual.csv"]["report"]


def test_the_upload_is_kept_until_the_last_of_its_sheets_is_deleted(upload, cast, django_capture_on_commit_callbacks):
    from apps.datasources import files
    from apps.datasources.services.removal import source_remove

    upload(("Budget.xlsx", workbook(Plan=ROWS, Actual=ROWS)))
    path = files.local_path(StoredFile.objects.get().key)
    with django_capture_on_commit_callbacks(execute=True):
        source_remove(by=cast.ana, file_name="Budget - Plan.csv")
    assert path.exists()
    with django_capture_on_commit_callbacks(execute=True):
        source_remove(by=cast.ana, file_name="Budget - Actual.csv")
    assert not path.exists()
    assert not Source.objects.exists()
    assert not StoredFile.objects.exists()


def test_sheets_name_the_workbook_they_stand_together_under(upload, listing):
    upload(("Budget.xlsx", workbook(Plan=ROWS, Actual=ROWS)), ("Alone.xlsx", workbook(Sheet1=ROWS)), ("s.csv", SALES))
    assert {name: source["workbook"] for name, source in listing().items()} == {
        "Budget - Plan.csv": "Budget", "Budget - Actual.csv": "Budget", "Alone.csv": None, "s.csv": None,
    }  # fmt: skip
