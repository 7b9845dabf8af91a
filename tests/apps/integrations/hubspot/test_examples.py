"""The product's example files and a connected account: never both, so that no question mixes them."""

from __future__ import annotations

from datetime import date

from apps.datasources.catalog import catalog_of
from apps.datasources.demo.dataset import make_files
from apps.datasources.models import Source
from apps.datasources.services.exports import export_keep


def examples(organization, owner, names=("hubspot_deals.csv", "hubspot_meetings.csv", "targets.csv")) -> None:
    """The demo's files, as an organization has them from its start."""
    made = make_files(date(2026, 11, 21))
    for name in names:
        export_keep(organization=organization, owner=owner, file_name=name, content=made[name], example=True)


def test_connecting_takes_the_examples_away_before_the_first_refresh(world):
    examples(world.cast.acme, world.cast.ada)
    world.read_files()
    listed = world.client().get("/api/v3/files").json()["sources"]
    assert {source["file_name"]: source["example"] for source in listed} == {
        "hubspot_deals.csv": True, "hubspot_meetings.csv": True, "targets.csv": True,
    }  # fmt: skip
    world.connect()
    assert world.sources() == {}
    assert catalog_of(world.cast.acme).tables() == ()


def test_what_people_brought_stays_and_other_organizations_keep_their_examples(world):
    examples(world.cast.acme, world.cast.ada)
    examples(world.cast.globex, world.cast.gia)
    export_keep(organization=world.cast.acme, owner=world.cast.ana, file_name="plan.csv", content=b"a,b\n1,2\n")
    world.connect()
    assert set(world.sources()) == {"plan.csv"}
    assert Source.objects.of(world.cast.globex).count() == 3


def test_a_refresh_of_an_account_that_was_connected_before_leaves_no_example_beside_its_files(world):
    world.connect()
    examples(world.cast.acme, world.cast.ada)
    world.read_files()
    assert world.refresh().state == "done"
    assert "hubspot_meetings.csv" not in world.sources()
    world.read_files()
    assert all(not table.example for table in catalog_of(world.cast.acme).tables())
    assert {table.file_name for table in catalog_of(world.cast.acme).tables()} == {
        f"hubspot_{kind}.csv" for kind in ("owners", "companies", "contacts", "deals", "tickets", "emails")
    }


def test_a_refused_sign_in_costs_no_example(world):
    examples(world.cast.acme, world.cast.ada)
    body = {"hubspotCode": "guessed", "redirect_uri": "http://testserver/hubspot-callback", "state": "guessed"}
    assert world.client().post("/api/v3/hubspot/auth", body, format="json").status_code == 400
    assert len(world.sources()) == 3
