"""Bringing files: the rules, the limits, and that a bad file does not hurt the others of its upload."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.datasources.models import IngestionState, Source, StoredFile
from apps.datasources.services.ingestion import ingest_file
from tests.apps.datasources.conftest import SALES, workbook
from tests.cast import client_of


def test_a_csv_becomes_a_ready_source(upload, listing, cast):
    told = upload(("sales.csv", SALES))
    assert (told["status"], told["failed_uploads"], told["errors"]) == (200, 0, [])
    assert told["sources"][0]["state"] == "received"
    source = listing()["sales.csv"]
    assert source["state"] == "ready"
    assert (source["rows"], source["columns"], source["size"]) == (3, 3, len(SALES))
    assert (source["display_name"], source["group"], source["owner"]) == ("sales", "uploaded", "Ana")
    assert (source["mine"], source["error"], source["step"]) == (True, None, "")
    assert source["refreshed_at"]
    assert listing(cast.ben)["sales.csv"]["mine"] is False


def test_the_listing_gives_paths_as_the_specification_does(upload, cast):
    upload(("sales.csv", SALES))
    assert client_of(cast.ana).get("/api/v3/files").json()["content"] == ["files/sales.csv"]


def test_every_bad_file_gets_its_text_and_the_good_ones_are_kept(upload, listing, settings):
    settings.PRODUCT_NAME = "Sextant"
    upload(("sales.csv", SALES))
    told = upload(
        ("orders.csv", SALES),
        ("deals (1).csv", SALES),
        ("SALES.csv", SALES),
        ("notes.txt", b"hello"),
        ("hubspot_deals.csv", SALES),
        ("empty.csv", b""),
        ("orders.xlsx", workbook(One=[["A"], [1]])),
    )
    assert (told["status"], told["failed_uploads"]) == (200, 6)
    assert {error["file"]: error["message"] for error in told["errors"]} == {
        "deals (1).csv": "Please remove parentheses from: deals (1).csv",
        "SALES.csv": "A file with the name: SALES.csv already exists. Please delete it and try again.",
        "notes.txt": "We apologize. Sextant does not support this file type yet.",
        "hubspot_deals.csv": "Please remove the prefix: hubspot_ from hubspot_deals.csv",
        "empty.csv": "empty.csv is empty.",
        "orders.xlsx": "A file with the name: orders.xlsx already exists. Please delete it and try again.",
    }
    assert {name: source["state"] for name, source in listing().items()} == {
        "sales.csv": "ready",
        "orders.csv": "ready",
    }


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("headers.csv", b"Region,Amount\n"),
        ("broken.xlsx", b"PK\x03\x04 this is no workbook"),
        ("renamed.csv", workbook(One=[["A"], [1]])),
        ("renamed.xlsx", SALES),
        ("nothing.xlsx", workbook(One=[])),
        ("zeros.csv", bytes(5000)),
        ("blank.csv", b"\n\n  \n"),
    ],
)
def test_an_unreadable_file_says_why_and_makes_room_for_a_better_one(upload, listing, cast, name, content):
    upload((name, content))
    source = listing()[name.replace(".xlsx", ".csv")]
    assert source["state"] == "failed"
    assert len(source["error"]) > 10
    assert client_of(cast.ana).get("/api/v3/files").json()["content"] == []
    good = workbook(One=[["Region", "Amount"], ["West", 3], ["East", 4]]) if name.endswith("xlsx") else SALES
    assert upload((name, good))["failed_uploads"] == 0
    assert listing()[name.replace(".xlsx", ".csv")]["state"] == "ready"
    assert StoredFile.objects.count() == 1


def test_three_hundred_columns_are_read(upload, listing):
    row = ",".join(str(n) for n in range(300))
    upload(("wide.csv", f"{','.join(f'c{n}' for n in range(300))}\n{row}\n{row}\n".encode()))
    assert listing()["wide.csv"]["columns"] == 300


def test_more_columns_than_the_limit_are_refused_in_words(upload, listing, settings):
    settings.MAX_COLUMNS = 2
    upload(("sales.csv", SALES))
    assert listing()["sales.csv"]["error"] == "sales.csv has 3 columns; at most 2 are possible."


def test_more_columns_in_all_files_than_an_organization_may_have_are_refused_in_words(upload, listing, settings):
    settings.ORGANIZATION_MAX_COLUMNS = 7
    upload(("sales.csv", SALES), ("more.csv", SALES), ("last.csv", SALES))
    told = [source for source in listing().values() if source["state"] == "failed"]
    assert [source["error"] for source in told] == [
        f"{told[0]['file_name']} has 3 columns, and your organization's other files have 6: together at most 7 are "
        "possible. Please delete files you no longer need, or upload fewer columns."
    ]


def test_the_columns_of_another_organization_are_not_counted(upload, listing, cast, settings):
    settings.ORGANIZATION_MAX_COLUMNS = 3
    upload(("sales.csv", SALES), by=cast.gus)
    upload(("sales.csv", SALES))
    assert listing()["sales.csv"]["state"] == "ready"


def test_a_file_that_gets_no_wider_is_read_again_past_a_bound_that_was_lowered(upload, listing, cast, settings):
    upload(("sales.csv", SALES), ("more.csv", SALES))
    settings.ORGANIZATION_MAX_COLUMNS = 2
    stored = StoredFile.objects.get(name="sales.csv")
    StoredFile.objects.filter(pk=stored.pk).update(state=IngestionState.QUEUED, lease_until=None)
    ingest_file(stored.pk)
    stored.refresh_from_db()
    assert stored.state == IngestionState.DONE
    assert listing()["sales.csv"]["error"] is None


def test_latin_1_with_semicolons_and_decimal_commas_is_read(upload, cast):
    upload(("umsatz.csv", "Ort;Umsatz\nKöln;1.234,50\nMünchen;99,25\n".encode("latin-1")))
    profile = client_of(cast.ana).get("/api/v3/files/profile", {"filename": "umsatz.csv"}).json()
    columns = {column["name"]: column for column in profile["tables"][0]["columns"]}
    assert columns["Umsatz"]["maximum"] == 1234.5
    assert {value["value"] for value in columns["Ort"]["values"]} == {"Köln", "München"}


def test_one_byte_over_the_limit_is_refused_with_413_and_the_limit(upload, settings):
    settings.UPLOAD_MAX_FILE_BYTES = len(SALES)
    assert upload(("fits.csv", SALES))["failed_uploads"] == 0
    told = upload(("large.csv", SALES + b"\n"))
    assert told["status"] == 413
    assert told["error"]["message"] == f"large.csv is too large: a file can have at most {len(SALES)} bytes."
    assert told["failed_uploads"] == 1
    assert not Source.objects.filter(file_name="large.csv").exists()


def test_a_file_over_the_limit_leaves_the_others_of_its_upload(upload, listing, settings):
    settings.UPLOAD_MAX_FILE_BYTES = 200_000
    told = upload(("large.csv", b"x" * 900_000), ("sales.csv", SALES), ("also.csv", SALES))
    assert (told["status"], told["failed_uploads"], told["errors"][0]["code"]) == (200, 1, "file_too_large")
    assert "195.3 KB" in told["errors"][0]["message"]
    assert {source["state"] for source in listing().values()} == {"ready"}
    assert set(listing()) == {"sales.csv", "also.csv"}


def test_files_past_the_count_are_left_out_in_words(upload, listing, settings):
    settings.UPLOAD_MAX_FILES = 2
    told = upload(("a.csv", SALES), ("b.csv", SALES), ("c.csv", SALES))
    assert told["failed_uploads"] == 1
    assert told["errors"][0]["message"] == "c.csv was left out: at most 2 files can be uploaded at once."
    assert set(listing()) == {"a.csv", "b.csv"}


def test_an_organization_keeps_at_most_its_share_and_others_keep_theirs(upload, listing, settings, cast):
    settings.ORGANIZATION_MAX_BYTES = 2 * len(SALES)
    assert upload(("a.csv", SALES), ("b.csv", SALES), ("c.csv", SALES))["errors"][0]["code"] == "organization_full"
    assert upload(("c.csv", SALES), by=cast.gus)["failed_uploads"] == 0
    assert set(listing()) == {"a.csv", "b.csv"}


def test_two_files_of_one_name_in_an_upload_are_one(upload, listing):
    told = upload(("sales.csv", SALES), ("Sales.csv", SALES))
    assert [error["code"] for error in told["errors"]] == ["exists"]
    assert set(listing()) == {"sales.csv"}


def test_a_body_without_files_is_the_senders_error(cast):
    client = client_of(cast.ana)
    for answer in (
        client.post("/api/v3/files", {"a": "b"}),
        client.post("/api/v3/files", {"a": "b"}, format="json"),
        client.post("/api/v3/files", b"nonsense", content_type="multipart/form-data; boundary=x"),
        client.post("/api/v3/files", b"nonsense", content_type="multipart/form-data"),
        client.post("/api/v3/files"),
    ):
        assert answer.status_code == 400
        assert set(answer.json()["error"]) == {"message", "code"}
    assert client.post("/api/v3/files", b"a", content_type="text/plain").status_code == 415


def test_a_storage_that_takes_nothing_refuses_plainly_and_lists_nothing(cast, settings, tmp_path, listing):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {**settings.STORAGES["default"], "OPTIONS": {"location": str(blocked), "base_url": None}},
    }
    answer = client_of(cast.ana).post("/api/v3/files", {"file-0": SimpleUploadedFile("sales.csv", SALES)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (507, "storage_failed")
    assert listing() == {}


def test_an_upload_folder_that_takes_nothing_refuses_plainly(cast, settings, listing):
    settings.FILE_UPLOAD_TEMP_DIR = "/nonexistent"
    answer = client_of(cast.ana).post("/api/v3/files", {"file-0": SimpleUploadedFile("sales.csv", SALES)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (507, "storage_failed")
    assert listing() == {}
