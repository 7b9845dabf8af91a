"""Tabs of Google Sheets from the sign-in to the disconnecting, through the routes, against the stand-in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.datasources.models import Source
from apps.integrations.google.connecting import scheduled_sweep, tabs_sweep
from apps.integrations.models import Connection, RefreshSchedule, SheetTab
from tests.apps.integrations.consents import allow, start
from tests.apps.integrations.google.conftest import PIPELINE, connect, read_all, tab
from tests.cast import client_of

SHEETS = "/api/v3/google/manage-sheets"
DEALS = "googlesheets_Pipeline 2026__tab__Deals.csv"


def rows_of(title: str) -> list[str]:
    return tab(title).source.stored and open_text(tab(title).source).splitlines()


def open_text(source: Source) -> str:
    from apps.datasources import files

    newest = source.stored.replaced_by.order_by("-created_at").first() or source.stored
    with files.open_original(newest.key) as file:
        return file.read().decode()


def listed(client) -> dict[str, dict]:
    return {sheet["tab_title"]: sheet for sheet in client.get(SHEETS).json()["sheets"]}


def test_only_tabs_with_rows_are_offered(cast, signed_in):
    answer = signed_in(cast.ana).get(f"/api/v3/google/tabs?file_id={PIPELINE}").json()
    assert answer == {"file_id": PIPELINE, "title": "Pipeline 2026", "tabs": ["Deals", "Goals (draft)", "Notes"]}


def test_a_connected_tab_becomes_a_source_of_the_organization(cast, signed_in):
    client = signed_in(cast.ana)
    assert connect(client, "Deals").status_code == 200
    assert listed(client)["Deals"]["state"] == "waiting"
    read_all()
    assert listed(client)["Deals"] == {
        **listed(client)["Deals"], "file_name": DEALS, "state": "ready", "reason": None, "mine": True, "owner": "Ana",
    }  # fmt: skip
    assert rows_of("Deals") == [
        "Deal,Region,Amount,Close date,Discount,Won",
        "Harbour,North,$12000,2026-01-15,5%,TRUE",
        "Lighthouse,South,$8500.5,2026-02-20,10%,FALSE",
        "Beacon,North,$23250,2026-03-03,,",
        "Anchor,East,$4100,2026-03-28,0%,TRUE",
        ",,,,,",
        "Compass,South,$15750,2026-04-09,12.5%,TRUE",
    ]
    source = Source.objects.of(cast.acme).get()
    assert (source.file_name, source.group, source.owner) == (DEALS, "spreadsheet", cast.ana)
    assert DEALS in [row["file_name"] for row in client_of(cast.ben).get("/api/v3/files").json()["sources"]]


def test_two_choices_of_a_tab_are_one_and_titles_are_cleaned(cast, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Goals (draft)", "Goals (draft)")
    connect(client, "Goals (draft)")
    assert [sheet["file_name"] for sheet in listed(client).values()] == [
        "googlesheets_Pipeline 2026__tab__Goals draft.csv"
    ]


def test_the_time_of_the_last_change_is_kept_as_the_picker_says_it_until_google_says_it(cast, google, signed_in):
    client = signed_in(cast.ana)
    body = {
        "file_id": PIPELINE,
        "file_name": "Pipeline 2026",
        "last_updated": 1_764_000_000_000,
        "tab_names": ["Deals"],
    }
    assert client.put(SHEETS, {**body, "drive_last_modified": 1_763_999_999_999}, format="json").status_code == 200
    assert listed(client)["Deals"]["drive_last_modified"] == 1_763_999_999_999
    read_all()
    read = round(google.files[PIPELINE].modified.timestamp() * 1000)
    assert abs(listed(client)["Deals"]["drive_last_modified"] - read) <= 1


def test_a_picker_that_knows_a_later_change_does_not_hide_it(cast, google, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    file = google.files[PIPELINE]
    file.tab("Deals").rows.append(["Rudder", "West", 900])
    file.touch()
    later = round(file.modified.timestamp() * 1000)
    client.put(SHEETS, {"file_id": PIPELINE, "tab_names": ["Deals"], "drive_last_modified": later}, format="json")
    read_all()
    assert rows_of("Deals")[-1] == "Rudder,West,$900,,,"


@pytest.mark.parametrize("said", ["yesterday", -1, 2**63, 1.5, True])
def test_a_time_of_the_last_change_that_is_none_is_refused(cast, signed_in, said):
    body = {"file_id": PIPELINE, "tab_names": ["Deals"], "drive_last_modified": said}
    answer = signed_in(cast.ana).put(SHEETS, body, format="json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "drive_last_modified")
    assert not SheetTab.objects.exists()


def test_a_refresh_reads_only_what_changed(cast, google, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals", "Goals (draft)")
    read_all()
    before = len(google.calls("sheets.spreadsheets.values.batchGet"))
    assert client.post(SHEETS).json()["sheets"]
    read_all()
    assert len(google.calls("sheets.spreadsheets.values.batchGet")) == before
    file = google.files[PIPELINE]
    file.tab("Deals").rows.append(["Rudder", "West", 900])
    file.touch()
    client.post(SHEETS)
    read_all()
    assert rows_of("Deals")[-1] == "Rudder,West,$900,,,"
    assert {sheet["state"] for sheet in listed(client).values()} == {"ready"}


def test_a_renamed_tab_stays_the_same_source(cast, google, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    file = google.files[PIPELINE]
    file.title, file.tab("Deals").title = "Pipeline 2027", "Won and lost"
    file.touch()
    client.post(SHEETS)
    read_all()
    row = listed(client)["Won and lost"]
    assert (row["file_name"], row["file_title"], row["state"]) == (DEALS, "Pipeline 2027", "ready")
    assert Source.objects.of(cast.acme).count() == 1


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda file: file.tabs.pop(0), "This tab is no longer in its spreadsheet. The rows read before are kept."),
        (lambda file: file.tab("Deals").rows.clear(), "This tab is empty now. The rows read before are kept."),
        (
            lambda file: setattr(file, "reachable", False),
            "This spreadsheet is not available any more: it was deleted, or access to it was taken back.",
        ),
        (
            lambda file: setattr(file, "trashed", True),
            "This spreadsheet is not available any more: it was deleted, or access to it was taken back.",
        ),
    ],
    ids=["deleted tab", "emptied", "unpicked", "in the bin"],
)
def test_what_is_gone_over_there_is_said_and_its_rows_stay(cast, google, signed_in, spoil, reason):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    rows = rows_of("Deals")
    spoil(google.files[PIPELINE])
    google.files[PIPELINE].touch()
    client.post(SHEETS)
    read_all()
    assert (listed(client)["Deals"]["state"], listed(client)["Deals"]["reason"]) == ("failed", reason)
    assert rows_of("Deals") == rows
    assert Connection.objects.get().state == "connected"


def test_an_empty_tab_is_said_and_makes_no_source(cast, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Notes")
    read_all()
    assert listed(client)["Notes"]["reason"] == "This tab is empty."
    assert not Source.objects.of(cast.acme).exists()


def test_a_large_tab_is_read_in_blocks_with_its_empty_rows(cast, google, signed_in, monkeypatch):
    from apps.integrations.google import limits

    monkeypatch.setattr(limits, "CELLS_PER_CALL", 24)
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    assert rows_of("Deals")[5:] == [",,,,,", "Compass,South,$15750,2026-04-09,12.5%,TRUE"]
    assert len(google.calls("sheets.spreadsheets.values.batchGet")) == 9


def test_a_tab_that_a_colleague_connected_stays_the_colleagues(cast, google, signed_in):
    connect(signed_in(cast.ana), "Deals")
    read_all()
    google.account_id, google.email = "2", "ben@sheets.example"
    ben = signed_in(cast.ben)
    assert connect(ben, "Deals").status_code == 200
    assert not listed(ben)["Deals"]["mine"]
    assert ben.delete(f"{SHEETS}?file_name={DEALS}").status_code == 403
    assert client_of(cast.ada).delete(f"{SHEETS}?file_name={DEALS}").status_code == 200


def test_disconnecting_a_tab_takes_its_rows_away(cast, signed_in, django_capture_on_commit_callbacks):
    client = signed_in(cast.ana)
    connect(client, "Deals", "Goals (draft)")
    read_all()
    with django_capture_on_commit_callbacks(execute=True):
        left = client.delete(f"{SHEETS}?file_name={DEALS}").json()["sheets"]
    assert [sheet["tab_title"] for sheet in left] == ["Goals (draft)"]
    assert Source.objects.of(cast.acme).get().file_name == "googlesheets_Pipeline 2026__tab__Goals draft.csv"
    assert client.delete(f"{SHEETS}?file_name={DEALS}").status_code == 404


def test_a_source_that_is_deleted_elsewhere_does_not_come_back(cast, google, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    assert client.delete(f"/api/v3/files?filename={DEALS}").status_code == 200
    google.files[PIPELINE].touch()
    client.post(SHEETS)
    read_all()
    assert not SheetTab.objects.exists()
    assert not Source.objects.of(cast.acme).exists()


def test_data_kept_at_a_disconnect_is_taken_up_again(cast, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    assert client.delete("/api/v3/connections?service=google&data=keep").status_code == 200
    assert listed(client) == {}
    assert Source.objects.of(cast.acme).count() == 1
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    assert listed(client)["Deals"]["file_name"] == DEALS
    assert Source.objects.of(cast.acme).count() == 1


@pytest.mark.parametrize("tabs", [[], ["No such tab"], ["Chart"], None, [1], "Deals"])
def test_what_is_no_tab_is_refused(cast, signed_in, tabs):
    client = signed_in(cast.ana)
    body = {"file_id": PIPELINE, "tab_names": tabs}
    assert client.put(SHEETS, body, format="json").status_code == 400
    assert not SheetTab.objects.exists()


def test_without_a_sign_in_there_is_no_token_and_nothing_to_connect(cast, google):
    client = client_of(cast.ana)
    assert client.post("/api/v3/google/auth-check").json()["access_token"] is None
    assert connect(client, "Deals").status_code == 409
    assert client.post(SHEETS).status_code == 409


def test_consent_without_the_files_connects_nothing(cast, google):
    client = client_of(cast.ana)
    back = allow(start(client, "google"))
    body = {
        "authorization_code": back["code"],
        "state": back["state"],
        "redirect_uri": "http://testserver/google-callback",
    }
    answer = client.post("/api/v3/google/token", body, format="json")
    assert answer.status_code == 502
    assert answer.json()["error"]["code"] == "missing_scope"
    assert not Connection.objects.exists()


def test_a_worker_that_died_is_followed_by_another_and_the_third_gives_up(cast, signed_in):
    from datetime import timedelta

    from django.utils import timezone

    client = signed_in(cast.ana)
    connect(client, "Deals")
    past = timezone.now() - timedelta(minutes=1)
    SheetTab.objects.update(state="reading", worker="dead", lease_until=past, attempt=1)
    tabs_sweep()
    assert listed(client)["Deals"]["state"] == "waiting"
    SheetTab.objects.update(state="reading", worker="dead", lease_until=past, attempt=3)
    tabs_sweep()
    assert listed(client)["Deals"]["state"] == "failed"


def test_tabs_are_refreshed_by_the_clock_that_their_member_sets(cast, google, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    assert client.get(SHEETS).json()["every_hours"] == 24
    answer = client.post("/api/v3/google/schedule", {"every_hours": 6}, format="json")
    assert answer.json()["every_hours"] == 6
    scheduled_sweep()
    assert listed(client)["Deals"]["state"] == "ready"  # its time has not come
    google.files[PIPELINE].tab("Deals").rows.append(["Rudder", "West", 900])
    google.files[PIPELINE].touch()
    RefreshSchedule.objects.update(next_at=timezone.now() - timedelta(minutes=1))
    scheduled_sweep()
    assert listed(client)["Deals"]["state"] == "waiting"
    read_all()
    assert rows_of("Deals")[-1] == "Rudder,West,$900,,,"
    assert RefreshSchedule.objects.get().next_at > timezone.now() + timedelta(hours=5)


def test_a_schedule_is_ones_own_and_of_the_hours_there_are(cast, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    assert client.post("/api/v3/google/schedule", {"every_hours": 5}, format="json").status_code == 400
    assert client.post("/api/v3/google/schedule", {"every_hours": 0}, format="json").status_code == 200
    RefreshSchedule.objects.update(next_at=timezone.now() - timedelta(minutes=1))
    read_all()
    scheduled_sweep()
    assert listed(client)["Deals"]["state"] == "ready"  # only on demand
    for other in (cast.ben, cast.ada):
        assert client_of(other).get(SHEETS).json()["every_hours"] is None
        assert client_of(other).post("/api/v3/google/schedule", {"every_hours": 1}, format="json").status_code == 409
    assert RefreshSchedule.objects.get().every_hours == 0


def test_a_dead_sign_in_is_not_tried_by_the_clock(cast, google, signed_in):
    client = signed_in(cast.ana)
    connect(client, "Deals")
    read_all()
    Connection.objects.update(state="needs_sign_in")
    RefreshSchedule.objects.update(next_at=timezone.now() - timedelta(minutes=1))
    scheduled_sweep()
    assert listed(client)["Deals"]["state"] == "ready"
