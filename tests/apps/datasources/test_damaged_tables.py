"""A table that is damaged in the storage is as visible as one that is gone, and harms no other."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command

from apps.analyst.errors import QueryFailed, TookTooLong
from apps.analyst.tables import ingest
from apps.datasources import files
from apps.datasources.catalog import catalog_of
from apps.datasources.models import CatalogState, DataTable
from apps.datasources.services import missing, sweep
from apps.datasources.services.ingestion import find_connections
from apps.datasources.services.rebuilding import tables_rebuild
from tests.apps.datasources.conftest import SALES, read_waiting, workbook
from tests.cast import client_of

ROUTES = (
    "files?filename={}",
    "files/rows?filename={}",
    "files/rows?filename={}&search=west",
    "files/export?filename={}",
    "files/export?filename={}&type=xlsx",
    "files/export?filename={}&search=west",
)
SHEET = [["Region", "Amount"], *[[f"West {n}", n] for n in range(2_000)]]


def cut(path: Path) -> None:
    """Half of the file, as a full disk or a broken copy leaves it."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def spoil(path: Path) -> None:
    """The file with both its ends, and nothing of use between its beginning and its footer."""
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(len(whole) // 2) + whole[4 + len(whole) // 2 :])


def place(name: str) -> Path:
    return files.local_path(DataTable.objects.get(source__file_name=name).key)


@pytest.fixture(autouse=True)
def nobody_has_looked() -> None:
    cache.clear()


@pytest.fixture
def two(upload) -> None:
    upload(("hurt.xlsx", workbook(Sheet=SHEET)), ("kept.csv", SALES))


@pytest.mark.parametrize("damage", [cut, spoil, lambda path: path.write_bytes(b"")])
def test_everybody_who_wants_its_rows_is_told_the_same(two, cast, listing, damage: Callable[[Path], None]):
    client, name = client_of(cast.ana), next(name for name in listing() if name.startswith("hurt"))
    damage(place(name))
    answers = [client.get(f"/api/v3/{route.format(name)}") for route in ROUTES]
    assert [answer.status_code for answer in answers] == [410] * len(ROUTES)
    told = {(error["code"], error["message"]) for answer in answers if (error := answer.json()["error"])}
    assert told == {("damaged", f"The table of {name} is damaged. Please have it read again.")}
    assert client.get("/api/v3/files/rows?filename=kept.csv").status_code == 200


def test_whoever_met_the_damage_finds_it_on_the_source_and_can_have_it_read_again(
    two, cast, listing, django_capture_on_commit_callbacks
):
    client, name = client_of(cast.ana), next(name for name in listing() if name.startswith("hurt"))
    spoil(place(name))
    client.get(f"/api/v3/files/rows?filename={name}")
    source = listing()[name]
    assert (source["state"], source["retryable"], source["error"]) == ("failed", True, missing.TABLE_DAMAGED)
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(f"/api/v3/files/retry?filename={name}").status_code == 200
        read_waiting()
    assert (listing()[name]["state"], listing()[name]["error"]) == ("ready", None)
    assert client.get(f"/api/v3/files/rows?filename={name}").status_code == 200


def test_a_member_of_another_organization_marks_nothing(two, cast, listing):
    cut(place("kept.csv"))
    assert client_of(cast.gus).get("/api/v3/files/rows?filename=kept.csv").status_code == 404
    assert listing()["kept.csv"]["state"] == "ready"


def test_what_took_too_long_says_nothing_of_the_table_and_is_not_read_again(two, listing):
    spoil(place("kept.csv"))
    table = DataTable.objects.select_related("source__stored").get(source__file_name="kept.csv")
    with pytest.raises(TookTooLong), missing.table_opened(table):
        raise TookTooLong("Too long.")
    assert listing()["kept.csv"]["state"] == "ready"


def test_another_failure_over_a_whole_table_is_told_as_it_is(two, listing):
    table = DataTable.objects.select_related("source__stored").get(source__file_name="kept.csv")
    with pytest.raises(QueryFailed, match="memory"), missing.table_opened(table):
        raise QueryFailed("Too little memory.")
    assert listing()["kept.csv"]["state"] == "ready"


def test_of_a_lost_table_no_earlier_version_is_said_to_be_kept(two, cast, listing, django_capture_on_commit_callbacks):
    table = DataTable.objects.select_related("source__stored").get(source__file_name="kept.csv")
    cut(files.local_path(table.key))
    sweep.files_sweep()
    with django_capture_on_commit_callbacks(execute=True):
        client_of(cast.ana).post("/api/v3/files/retry?filename=kept.csv")
        files.local_path(table.source.stored.key).unlink()
        read_waiting()
    source = listing()["kept.csv"]
    assert source["state"] == "failed"
    assert "is kept" not in source["error"]


def test_a_cut_table_is_told_on_its_source_though_nobody_asks_for_it(two, listing):
    cut(place("kept.csv"))
    sweep.files_sweep()
    source = listing()["kept.csv"]
    assert (source["state"], source["retryable"], source["error"]) == ("failed", True, missing.TABLE_DAMAGED)


def test_without_the_original_another_reading_is_not_offered(two, listing):
    table = DataTable.objects.select_related("source__stored").get(source__file_name="kept.csv")
    cut(files.local_path(table.key))
    files.local_path(table.source.stored.key).unlink()
    sweep.files_sweep()
    assert (listing()["kept.csv"]["retryable"], listing()["kept.csv"]["error"]) == (False, missing.ORIGINAL_GONE)


def test_questions_are_asked_over_the_others_as_soon_as_it_is_told(two, cast):
    assert len(catalog_of(cast.acme).tables()) == 2
    cut(place("kept.csv"))
    sweep.files_sweep()
    assert [table.file_name.startswith("hurt") for table in catalog_of(cast.acme).tables()] == [True]


def test_a_damaged_list_of_texts_is_told_too(two, listing):
    cut(files.local_path(DataTable.objects.get(source__file_name="kept.csv").values_key))
    sweep.files_sweep()
    assert listing()["kept.csv"]["error"] == missing.TABLE_DAMAGED


def test_the_joins_of_the_others_are_found_though_one_table_cannot_be_read(upload, cast, listing):
    customers = b"Customer ID,City\nC1,Berlin\nC2,Paris\nC3,Rome\n"
    orders = b"Order ID,Customer ID,Total\nO1,C1,5\nO2,C2,6\nO3,C1,7\nO4,C3,9\n"
    upload(("customers.csv", customers), ("orders.csv", orders), ("hurt.csv", customers))
    spoil(place("hurt.csv"))
    CatalogState.objects.update(joins=[], joins_version=0)
    find_connections(cast.acme.pk)
    assert listing()["hurt.csv"]["error"] == missing.TABLE_DAMAGED
    assert [(join.left_table, join.right_table) for join in catalog_of(cast.acme).joins()] == [("orders", "customers")]


def test_what_was_replaced_meanwhile_is_not_called_lost(two, upload, listing, django_capture_on_commit_callbacks):
    stale = DataTable.objects.select_related("source__stored").get(source__file_name="kept.csv")
    with django_capture_on_commit_callbacks(execute=True):
        tables_rebuild(read=ingest)
    with pytest.raises(missing.Gone), missing.table_opened(stale):
        pass
    assert listing()["kept.csv"]["state"] == "ready"


def test_the_doctor_reads_tables_through_and_rebuilding_makes_them_anew(two, django_capture_on_commit_callbacks):
    spoil(place("kept.csv"))
    assert "1 tables are damaged: kept.csv." in missing.finding().seen
    out = StringIO()
    with pytest.raises(CommandError, match="files"):
        call_command("doctor", stdout=out)
    assert "rebuild_tables" in out.getvalue()
    with django_capture_on_commit_callbacks(execute=True):
        assert tables_rebuild(read=ingest).failed == 0
    assert missing.finding().ok


def test_the_doctor_counts_the_rows_of_a_table(two):
    table = DataTable.objects.get(source__file_name="kept.csv")
    DataTable.objects.filter(pk=table.pk).update(rows=table.rows + 1)
    assert "1 tables are damaged: kept.csv." in missing.finding().seen


def test_a_table_too_large_for_a_sheet_is_refused_without_being_read(two, cast, monkeypatch):
    read = []
    monkeypatch.setattr(missing, "decodes", lambda *_: read.append(1) or True)
    DataTable.objects.filter(source__file_name="kept.csv").update(rows=2_000_000)
    assert client_of(cast.ana).get("/api/v3/files/export?filename=kept.csv&type=xlsx").status_code == 413
    assert read == []
