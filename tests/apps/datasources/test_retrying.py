"""A file that could not be read can be read again, by those who may remove it."""

from __future__ import annotations

import pytest

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import ingest
from apps.datasources.models import StoredFile
from apps.datasources.services.ingestion import ingest_file
from tests.apps.datasources.conftest import SALES, read_waiting
from tests.cast import client_of

RETRY = "/api/v3/files/retry?filename=sales.csv"


@pytest.fixture
def failed(upload):
    """A file of Ana's that could not be read."""

    def refuses(*_):
        raise ReadFailed("sales.csv could not be read.", retryable=True)

    upload(("sales.csv", SALES), read=False)
    ingest_file(StoredFile.objects.get().pk, read=refuses)


def test_a_failed_file_is_read_again_and_ready(failed, cast, listing, django_capture_on_commit_callbacks):
    assert listing()["sales.csv"]["state"] == "failed"
    with django_capture_on_commit_callbacks(execute=True):
        told = client_of(cast.ana).post(RETRY).json()
    assert (told["state"], told["error"]) == ("received", None)
    read_waiting()
    assert listing()["sales.csv"]["state"] == "ready"
    assert (listing()["sales.csv"]["rows"], StoredFile.objects.get().attempt) == (3, 0)


def test_a_file_that_is_well_or_being_read_is_not_read_again(upload, cast):
    upload(("sales.csv", SALES))
    answer = client_of(cast.ana).post(RETRY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "not_failed")
    ingest_file(StoredFile.objects.get().pk, read=ingest)
    assert StoredFile.objects.get().state == "done"


def test_other_members_may_not_and_admins_may(failed, cast):
    answer = client_of(cast.ben).post(RETRY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "owners_only")
    assert client_of(cast.ada).post(RETRY).status_code == 200


@pytest.mark.parametrize("helps", [True, False])
def test_another_try_is_offered_only_where_it_can_help(upload, listing, helps):
    def refuses(*_):
        raise ReadFailed("sales.csv could not be read.", retryable=helps)

    upload(("sales.csv", SALES), read=False)
    assert not listing()["sales.csv"]["retryable"]
    ingest_file(StoredFile.objects.get().pk, read=refuses)
    assert listing()["sales.csv"]["retryable"] == helps


def test_no_other_try_is_offered_for_a_broken_workbook(upload, listing):
    upload(("plan.xlsx", b"PK\x03\x04 no workbook"))
    assert (listing()["plan.csv"]["state"], listing()["plan.csv"]["retryable"]) == ("failed", False)
