"""Refreshes that are cut off, lost, repeated, due: they go on where they stopped and run once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.integrations.fakes.hubspot_account import FIRST_ID
from apps.integrations.hubspot.changes import told_text
from apps.integrations.hubspot.columns import Names, read_properties
from apps.integrations.hubspot.starting import GIVEN_UP, scheduled_sweep, sync_start, syncs_sweep, syncs_take_over
from apps.integrations.hubspot.sync import sync_run
from apps.integrations.models import Connection, HubSpotRecord, HubSpotSync, RefreshSchedule


class Killed(BaseException):
    """The worker is gone: nothing of it runs any more."""


def cut_off(world, after_pages: int) -> HubSpotSync:
    """A worker that ends without a word once it has kept so many pages."""
    world.client().post("/api/v3/hubspot/direct-export", {}, format="json")
    sync = HubSpotSync.objects.get(state="queued")

    def dying(seconds: float) -> None:
        raise Killed

    world.hubspot.fail("objects.list", status=503, skip=after_pages)
    with pytest.raises(Killed):
        sync_run(sync.pk, pause=dying)
    sync.refresh_from_db()
    assert sync.state == "running"
    return sync


def lists(world) -> list[tuple[str, str]]:
    return [(call.path, call.query.get("after", "")) for call in world.hubspot.calls("objects.list")]


def test_a_killed_refresh_goes_on_where_it_stopped(world):
    world.connect()
    sync = cut_off(world, after_pages=3)  # companies and two pages of contacts are in
    assert sync.cursor["category"] == "contacts"
    assert sync.read == 12 + 200
    HubSpotSync.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    syncs_sweep()
    assert world.work(sync).state == "done"
    listed = lists(world)
    assert len(set(listed)) == len(listed) - 1  # the page at which it died is asked for again, no other
    assert HubSpotRecord.objects.count() == sum(world.hubspot.account.sizes.values())
    assert len(world.rows("contacts")) == 210


def test_nobody_else_takes_a_refresh_whose_worker_lives(world):
    world.connect()
    sync = cut_off(world, after_pages=1)
    asked = len(world.hubspot.log)
    assert world.work(sync).state == "running"
    assert len(world.hubspot.log) == asked


def test_after_a_restart_of_the_only_process_it_goes_on_at_once(world):
    world.connect()
    sync = cut_off(world, after_pages=2)
    syncs_take_over()
    assert world.work(sync).state == "done"


def test_a_refresh_that_kills_its_workers_is_given_up_in_words(world):
    world.connect()
    sync = cut_off(world, after_pages=0)
    HubSpotSync.objects.update(attempt=3, lease_until=timezone.now() - timedelta(seconds=1))
    syncs_sweep()
    sync.refresh_from_db()
    assert (sync.state, sync.error) == ("failed", GIVEN_UP)
    assert world.status()["state"] == "failed"


def test_a_failed_refresh_is_gone_on_with_by_the_next_one(world):
    world.connect()
    world.hubspot.fail("objects.list", status=400, skip=2)
    assert world.refresh().state == "failed"
    done = world.refresh()
    assert done.state == "done"
    whole = [call for call in lists(world) if call[0].endswith("contacts")]
    assert len(set(whole)) == len(whole) - 1  # but for the page that failed
    assert len(world.rows("contacts")) == 210
    assert HubSpotRecord.objects.filter(seen_to=None).count() == sum(world.hubspot.account.sizes.values())


def test_going_on_later_also_asks_what_changed_in_the_meantime(world):
    world.connect()
    world.hubspot.fail("objects.list", status=400, skip=2)
    assert world.refresh().state == "failed"
    world.hubspot.account.change("companies", FIRST_ID, city="Oslo")
    assert world.refresh().state == "done"
    assert world.rows("companies")[0]["City"] == "Oslo"


def test_two_clicks_start_one_refresh(world):
    connection = world.connect()
    first, second = sync_start(connection), sync_start(connection)
    assert first.pk == second.pk
    assert world.status()["state"] == "refreshing"
    assert world.status()["progress"] == {"category": "", "read": 0, "waiting_until": None}


def test_disconnecting_ends_a_refresh_under_way(world):
    world.connect()
    sync = cut_off(world, after_pages=1)
    world.client().delete("/api/v3/connections?service=hubspot&data=delete")
    sync_run(sync.pk)
    assert world.sources() == {}
    assert not HubSpotRecord.objects.exists()


def test_another_choice_reads_that_kind_anew_and_no_other(world):
    world.connect()
    world.refresh()
    answer = world.client().get("/api/v3/hubspot/fields").json()
    assert answer["deals"]["Deal Name"] is True
    assert answer["deals"]["Record ID"] is False
    no_emails = dict.fromkeys(answer["emails"], False)
    sent = {"fields": {"deals": {"Record ID": True, "Next step": False}, "emails": no_emails}}
    saved = world.client().post("/api/v3/hubspot/fields", sent, format="json")
    assert (saved.status_code, saved.json()) == (200, "Successfully updated fields")
    world.hubspot.log.clear()
    assert world.refresh().state == "done"
    listed = {(call.path.rpartition("/")[2], call.query["archived"]) for call in world.hubspot.calls("objects.list")}
    assert {kind for kind, archived in listed if archived == "false"} == {"deals"}
    assert "emails" not in {kind for kind, _ in listed}
    deal = world.rows("deals")[0]
    assert deal["Record ID"] == str(FIRST_ID)
    assert "Next step" not in deal
    assert "hubspot_emails.csv" not in world.sources()


def test_unknown_properties_and_wrong_flags_are_refused_and_change_nothing(world):
    world.connect()
    before = world.client().get("/api/v3/hubspot/fields").json()
    for fields in ({"deals": {"No such": True}}, {"planets": {}}, {"deals": {"Amount": "yes"}}, {"deals": []}, "all"):
        answer = world.client().post("/api/v3/hubspot/fields", {"fields": fields}, format="json")
        assert answer.status_code == 400, fields
    assert world.client().get("/api/v3/hubspot/fields").json() == before


def test_the_schedule_starts_each_turn_once(world):
    world.connect()
    answer = world.client().post("/api/v3/hubspot/schedule", {"every_hours": 6}, format="json")
    assert answer.json()["every_hours"] == 6
    assert world.client().post("/api/v3/hubspot/schedule", {"every_hours": 7}, format="json").status_code == 400
    scheduled_sweep()
    assert not HubSpotSync.objects.exists()
    RefreshSchedule.objects.update(next_at=timezone.now() - timedelta(minutes=1))
    scheduled_sweep()
    scheduled_sweep()
    assert HubSpotSync.objects.count() == 1
    assert RefreshSchedule.objects.get().next_at > timezone.now() + timedelta(hours=5)


def test_a_new_connection_is_refreshed_every_day_until_somebody_says_otherwise(world):
    world.connect()
    world.refresh()
    assert RefreshSchedule.objects.get().every_hours == 24
    world.client().post("/api/v3/hubspot/schedule", {"every_hours": 0}, format="json")
    assert RefreshSchedule.objects.get().next_at is None


def test_more_changes_than_a_search_gives_are_all_found(world, monkeypatch):
    from apps.integrations.hubspot import wire

    world.connect()
    world.refresh()
    monkeypatch.setattr(wire, "SEARCH_PAGE", 10)
    monkeypatch.setattr(wire, "SEARCH_CAP", 20)
    for number in range(45):
        world.hubspot.account.change("contacts", FIRST_ID + number, jobtitle=f"New {number}")
    done = world.refresh()
    assert (done.state, done.error) == ("done", "")
    titles = {row["Contact ID"]: row["Job Title"] for row in world.rows("contacts")}
    assert [titles[str(FIRST_ID + number)] for number in range(45)] == [f"New {number}" for number in range(45)]
    assert len(world.hubspot.calls("objects.search")) >= 5


def test_what_moved_since_a_day_is_told_by_field_with_names(world):
    world.connect()
    world.refresh()
    since = timezone.now()
    account = world.hubspot.account
    account.change("deals", FIRST_ID + 1, dealstage="closedwon", hubspot_owner_id="51003")
    account.archive("deals", FIRST_ID + 2)
    account.add("deals", dealname="Fresh", pipeline="default", dealstage="contractsent")
    world.refresh()
    account.change("deals", FIRST_ID + 1, dealstage="closedlost")
    world.refresh()
    told = world.changes(since)
    kinds = {row["id"]: row for row in told["records"]}
    assert told["total"] == 3
    moved = kinds[str(FIRST_ID + 1)]
    assert moved["kind"] == "changed"
    fields = {row["field"]: (row["before"], row["after"]) for row in moved["fields"]}
    assert fields["Deal Stage"] == ("Qualified To Buy", "Closed Lost")
    assert fields["Deal owner"] == ("Tom Keller", "Aiko Mori")
    gone = kinds[str(FIRST_ID + 2)]
    assert gone["kind"] == "removed"
    assert {row["field"]: row["after"] for row in gone["fields"]}["Deal Stage"] == ""
    assert all(row["before"] for row in gone["fields"])
    (fresh,) = (row for row in told["records"] if row["kind"] == "added")
    assert fresh["name"] == "Fresh"
    assert {row["field"]: (row["before"], row["after"]) for row in fresh["fields"]}["Deal Stage"] == (
        "",
        "Contract Sent",
    )
    assert world.changes(timezone.now())["records"] == []
    assert world.client().get("/api/v3/hubspot/changes", {"category": "deals", "since": "soon"}).status_code == 400


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        ("number", "1284300.5", "1,284,300.5"),
        ("number", "-38000", "\u221238,000"),
        ("number", "n/a", "n/a"),
        ("date", "2026-11-14", "14 Nov 2026"),
        ("datetime", "2026-11-14T09:30:00Z", "14 Nov 2026, 09:30 UTC"),
        ("datetime", "2026-11-14T00:00:00Z", "14 Nov 2026"),
        ("string", "38000", "38000"),
        ("number", "", ""),
    ],
)
def test_a_moved_value_is_told_as_people_write_it(kind, value, told):
    assert told_text({"name": "field", "type": kind}, value, Names()) == told


@pytest.mark.parametrize(
    ("money", "currency", "value", "told"),
    [
        (True, "EUR", "38000", "38,000 EUR"),
        (True, "", "38000", "38,000"),
        (False, "EUR", "38000", "38,000"),
        (True, "EUR", "", ""),
    ],
)
def test_a_sum_of_money_is_told_with_its_currency_where_one_is_known(money, currency, value, told):
    definition = {"name": "amount", "type": "number", "showCurrencySymbol": money}
    assert told_text(definition, value, Names(), currency) == told


def test_a_deals_currency_is_read_where_the_account_has_several():
    assert read_properties("deals", ["amount"], ["amount", "dealname", "deal_currency_code"]) == [
        "amount",
        "dealname",
        "deal_currency_code",
    ]
    assert "deal_currency_code" not in read_properties("deals", ["amount"], ["amount", "dealname"])


def test_what_moved_is_told_in_the_currency_of_its_deal(world):
    world.hubspot.account.currencies = ("EUR", "USD")
    world.connect()
    world.refresh()
    since = timezone.now()
    world.hubspot.account.change("deals", FIRST_ID, amount="7500")
    world.refresh()
    told = world.changes(since)
    (field,) = told["records"][0]["fields"]
    assert (field["before"], field["after"]) == ("2,000 EUR", "7,500 EUR")


def test_a_version_that_came_back_to_what_it_was_has_not_moved(world):
    world.connect()
    world.refresh()
    since = timezone.now()
    world.hubspot.account.change("deals", FIRST_ID, amount="5")
    world.refresh()
    world.hubspot.account.change("deals", FIRST_ID, amount="2000")
    world.refresh()
    assert HubSpotRecord.objects.filter(category="deals", record_id=str(FIRST_ID)).count() == 3
    told = world.changes(since)
    assert told["records"] == []


def test_an_answer_comes_from_the_refreshed_files(world):
    world.connect()
    world.refresh()
    world.read_files()
    sources = world.sources()
    assert {source.state for source in sources.values()} == {"ready"}
    assert sources["hubspot_deals.csv"].rows == 30
    world.hubspot.account.change("deals", FIRST_ID, amount="1")
    world.refresh()
    assert world.sources()["hubspot_deals.csv"].rows == 30  # the tables from before answer until the new are read
    told = world.client().get("/api/v3/hubspot/status").json()
    assert (told["state"], told["unread"]) == ("connected", 1)  # the other files are the same as before
    world.read_files()
    assert world.client().get("/api/v3/hubspot/status").json()["unread"] == 0
    assert Connection.objects.get().refreshed_at is not None


def test_another_choice_of_properties_moves_no_record(world):
    world.connect()
    world.refresh()
    since = timezone.now()
    chosen = {"fields": {"deals": {"Next step": True, "Deal Type": False}}}
    assert world.client().post("/api/v3/hubspot/fields", chosen, format="json").status_code == 200
    world.hubspot.account.change("deals", FIRST_ID, amount="7", hs_next_step="Call")
    assert world.refresh().changed >= 30  # each record is another version
    told = world.changes(since)
    assert told["total"] == 1
    assert [field["field"] for field in told["records"][0]["fields"]] == ["Amount"]
