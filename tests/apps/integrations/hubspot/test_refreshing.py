"""A refresh: everything at first, what changed afterwards, files that people can ask about."""

from __future__ import annotations

import pytest

from apps.integrations.fakes.hubspot_account import FIRST_ID
from apps.integrations.hubspot.columns import Names, columns
from apps.integrations.models import HubSpotRecord


def test_the_first_refresh_brings_every_kind_whole_with_names_for_ids(world):
    world.connect()
    done = world.refresh()
    assert (done.state, done.error) == ("done", "")
    assert done.read == sum(world.hubspot.account.sizes.values())
    assert sorted(world.sources()) == [
        "hubspot_companies.csv", "hubspot_contacts.csv", "hubspot_deals.csv", "hubspot_emails.csv",
        "hubspot_owners.csv", "hubspot_tickets.csv",
    ]  # fmt: skip
    deals = world.rows("deals")
    assert len(deals) == world.hubspot.account.sizes["deals"]
    deal = deals[0]
    assert deal["Deal ID"] == str(FIRST_ID)
    assert deal["Pipeline"] == "Renewals"
    assert deal["Deal Stage"] == "Renewal Due"
    assert deal["Deal owner"] == "Maya Brooks"
    assert deal["Owner ID"] == "51001"
    assert deal["Company ID"] == str(FIRST_ID)
    assert deal["Company name"] == "Northwind"
    assert deal["Contact name"] == "Amara Okafor"
    assert {row["Company ID"] for row in deals} <= {row["Company ID"] for row in world.rows("companies")}
    assert {row["Owner ID"] for row in deals} - {""} == {row["Owner ID"] for row in world.rows("owners")}
    assert world.status()["state"] == "connected"
    assert world.status()["progress"] is None


def test_deals_say_whether_they_are_won_whatever_their_pipeline_calls_it(world):
    world.connect()
    world.refresh()
    status = {row["Deal Stage"]: row["Deal Status"] for row in world.rows("deals")}
    assert status.keys() >= {"Renewal Due", "Renewal Agreed", "Renewal Lost", "Closed Won", "Closed Lost"}
    named = {"Renewal Agreed": "Won", "Closed Won": "Won", "Renewal Lost": "Lost", "Closed Lost": "Lost"}
    assert status == {stage: named.get(stage, "Open") for stage in status}


@pytest.mark.parametrize("chance", ["", None, "unknown"])
def test_of_a_deal_whose_chance_is_not_known_no_status_is_told(chance):
    properties = [{"name": "hs_deal_stage_probability", "label": "Deal probability", "type": "number"}]
    (status,) = (one for one in columns("deals", properties, [], Names()) if one.name == "Deal Status")
    assert status.cell("1", {"hs_deal_stage_probability": chance}, {}) == ""


def test_the_second_refresh_asks_only_for_what_changed(world):
    world.connect()
    world.refresh()
    account = world.hubspot.account
    account.change("deals", FIRST_ID + 3, amount="777777")
    account.change("contacts", FIRST_ID + 1, jobtitle="Chief Everything")
    account.archive("deals", FIRST_ID + 5)
    added = account.add("companies", name="Newcomer")
    account.change("deals", FIRST_ID + 4, links={"companies": (added,)})
    world.hubspot.log.clear()
    second = world.refresh()
    assert (second.state, second.error) == ("done", "")
    assert second.changed == 5
    assert second.read == 4
    assert len(world.hubspot.calls("objects.search")) == 5
    assert {call.query["archived"] for call in world.hubspot.calls("objects.list")} == {"true"}
    assert len(world.hubspot.calls("objects.get")) == 2
    deals = {row["Deal ID"]: row for row in world.rows("deals")}
    assert deals[str(FIRST_ID + 3)]["Amount"] == "777777"
    assert str(FIRST_ID + 5) not in deals
    assert deals[str(FIRST_ID + 4)]["Company name"] == "Newcomer"


def test_without_changes_nothing_is_stored_anew(world):
    world.connect()
    world.refresh()
    versions = HubSpotRecord.objects.count()
    before = {name: source.stored_id for name, source in world.sources().items()}
    again = world.refresh()
    assert (again.read, again.changed) == (0, 0)
    assert HubSpotRecord.objects.count() == versions
    assert {name: source.stored_id for name, source in world.sources().items()} == before
