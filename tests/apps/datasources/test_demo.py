"""The demo organization: the same every time, and with something true to find."""

from __future__ import annotations

import csv
import io
from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.models import Organization, User
from apps.accounts.services.members import organization_create
from apps.datasources.catalog import catalog_of
from apps.datasources.demo import loading
from apps.datasources.demo.dataset import make_files
from apps.datasources.models import DataTable, IngestionState, Source, StoredFile
from apps.datasources.selectors import file_listing
from apps.datasources.services.exports import export_keep
from apps.datasources.services.sweep import orphans_requeue
from tests.apps.datasources.conftest import read_waiting
from tests.cast import sign_in

TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def tables() -> dict[str, list[dict[str, str]]]:
    return {name: list(csv.DictReader(io.StringIO(content.decode()))) for name, content in make_files(TODAY).items()}


@pytest.fixture
def demo(db, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.DEMO_PASSWORD = ""
    return loading.load()


def test_the_same_day_gives_the_same_bytes():
    assert make_files(TODAY) == make_files(TODAY)
    assert make_files(TODAY) != make_files(TODAY + timedelta(days=1))


def test_its_files_are_known_by_name(tables):
    assert set(loading.FILE_NAMES) == set(tables)


def test_it_has_the_size_and_the_labels_of_a_crm(tables):
    assert {name: len(rows) // 100 for name, rows in tables.items()} == {
        "hubspot_owners.csv": 0,
        "hubspot_companies.csv": 3,
        "hubspot_contacts.csv": 8,
        "hubspot_deals.csv": 24,
        "hubspot_tickets.csv": 12,
        "hubspot_emails.csv": 45,
        "hubspot_meetings.csv": 23,
        "targets.csv": 0,
    }
    expected = {
        "Deal Name",
        "Deal Stage",
        "Amount",
        "Close Date",
        "Create Date",
        "Deal owner",
        "Pipeline",
        "Company name",
    }
    assert expected <= set(tables["hubspot_deals.csv"][0])


def test_nothing_has_happened_later_than_today_but_plans(tables):
    today = TODAY.isoformat()
    for name, columns in {
        "hubspot_deals.csv": ["Create Date", "Last Activity Date"],
        "hubspot_companies.csv": ["Create Date", "Became a customer date", "Churn date"],
        "hubspot_contacts.csv": ["Create Date"],
        "hubspot_tickets.csv": ["Create Date", "Close Date"],
        "hubspot_emails.csv": ["Send date"],
    }.items():
        assert all(row[column] <= today for row in tables[name] for column in columns), name
    closed = [row for row in tables["hubspot_deals.csv"] if row["Deal Status"] != "Open"]
    assert all(row["Close Date"] <= today for row in closed)
    assert max(row["Create Date"] for row in tables["hubspot_deals.csv"]) > (TODAY - timedelta(days=5)).isoformat()


def test_the_dirt_is_there(tables):
    deals = tables["hubspot_deals.csv"]
    owners = {row["Deal owner"] for row in deals}
    assert {"James Carter", "J. Carter", ""} <= owners
    assert any(not row["Amount"] for row in deals)
    assert any(not row["Close Date"] for row in deals)
    late = [row for row in deals if row["Deal Status"] == "Open" and "" < row["Close Date"] < TODAY.isoformat()]
    assert 10 < len(late) < 100
    assert any(row["Close Date"] < row["Create Date"] for row in deals if row["Deal Status"] != "Open")


def test_there_is_something_true_to_find(tables):
    deals = tables["hubspot_deals.csv"]
    closed = [row for row in deals if row["Deal Status"] != "Open" and row["Pipeline"] == "Sales Pipeline"]

    def win_rate(**wanted: str) -> float:
        chosen = [row for row in closed if all(row[k.replace("_", " ")] == v for k, v in wanted.items())]
        assert len(chosen) > 50
        return sum(row["Deal Status"] == "Won" for row in chosen) / len(chosen)

    assert win_rate(Deal_owner="Maria Lopez") > win_rate(Deal_owner="Daniel Novak") + 0.08
    assert win_rate(Deal_source="Referrals") > win_rate(Deal_source="Outbound") + 0.1
    stages = [row["Deal Stage"] for row in deals]
    assert all(stages.count(stage) > 40 for stage in ("Appointment Scheduled", "Contract Sent", "Closed Won"))
    assert sum(bool(row["Churn date"]) for row in tables["hubspot_companies.csv"]) > 15
    assert {row["Priority"] for row in tables["hubspot_tickets.csv"] if row["Ticket status"] == "Open"} >= {
        "Low",
        "High",
    }
    names = {row["Company name"] for row in tables["hubspot_companies.csv"]}
    assert len(names) == 300
    assert {row["Company name"] for row in deals} <= names
    assert {row["Owner"] for row in tables["targets.csv"]} <= {
        row["Owner name"] for row in tables["hubspot_owners.csv"]
    }


def test_loading_makes_an_organization_that_can_be_asked_and_again_doubles_nothing(demo, settings):
    user = User.objects.get(username="demo")
    assert sign_in("demo", demo.password)
    listing = file_listing(user)
    assert {source["state"] for source in listing["sources"]} == {"ready"}
    assert {source["group"] for source in listing["sources"]} == {"crm", "uploaded"}
    catalog = catalog_of(user.organization)
    assert {table.name for table in catalog.tables()} == {
        "companies", "contacts", "deals", "emails", "meetings", "owners", "targets", "tickets",
    }  # fmt: skip
    assert ("deals", "companies") in {(join.left_table, join.right_table) for join in catalog.joins()}

    again = loading.load()
    assert (again.loaded, again.password) == (False, demo.password)
    counts = (Source.objects.count(), DataTable.objects.count(), StoredFile.objects.count(), User.objects.count())
    assert counts == (8, 8, 8, 1)

    settings.DEMO_PASSWORD = "Something-else-7"
    assert loading.load().password == "Something-else-7"
    assert sign_in("demo", "Something-else-7")


def test_a_loading_that_was_killed_half_way_is_finished_by_the_next_start(db, settings, tmp_path):
    class Killed(BaseException):
        pass

    def dies(*_):
        raise Killed

    settings.DATA_DIR = tmp_path
    with pytest.raises(Killed):
        loading.load(read=dies)
    assert loading.load().loaded is False
    assert orphans_requeue() == 8
    read_waiting()
    assert DataTable.objects.count() == Source.objects.filter(state="ready").count() == 8


def test_old_data_is_renewed_while_the_earlier_still_answers(demo, django_capture_on_commit_callbacks):
    StoredFile.objects.update(created_at=timezone.now() - timedelta(days=30))
    Source.objects.get(file_name="hubspot_contacts.csv").delete()
    with django_capture_on_commit_callbacks(execute=True):
        assert loading.load(today=timezone.localdate() + timedelta(days=30)).loaded
    organization = Organization.objects.get()
    assert len(catalog_of(organization).tables()) == 7, "what a member deleted stays away"
    assert StoredFile.objects.filter(state=IngestionState.QUEUED).count() == 6, "owners stay the same"
    read_waiting()
    assert Source.objects.count() == DataTable.objects.count() == 7
    assert loading.load().loaded is False


def test_the_command_prints_the_sign_in_and_leaves_other_installations_alone(db, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.DEMO_PASSWORD = "Given-by-hand-1"
    organization_create(name="A real one")
    out = StringIO()
    call_command("load_demo", if_alone=True, stdout=out)
    assert out.getvalue() == ""
    assert not User.objects.exists()
    call_command("load_demo", stdout=out)
    assert out.getvalue() == "Demo sign-in: user demo, password Given-by-hand-1\n"


def test_its_files_are_examples_until_somebody_brings_one_of_that_name(demo):
    organization = Organization.objects.get(name=loading.ORGANIZATION)
    tables = catalog_of(organization).tables()
    assert {table.example for table in tables} == {True}
    export_keep(organization=organization, owner=None, file_name="targets.csv", content=b"Owner,Target\nAnn,5\n")
    read_waiting()
    assert {t.file_name for t in catalog_of(organization).tables() if not t.example} == {"targets.csv"}
