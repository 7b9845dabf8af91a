"""A thread says which of its sources were refreshed since it was last used."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import Organization
from apps.datasources.models import Source, StoredFile
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member, Script

pytestmark = pytest.mark.django_db(transaction=True)


def source(organization: Organization, name: str) -> Source:
    stored = StoredFile.objects.create(
        organization=organization, original_name=name, name=name, name_key=name, key=f"{organization.pk}-{name}", size=1
    )
    return Source.objects.create(
        organization=organization,
        stored=stored,
        file_name=name,
        name_key=name,
        group="uploaded",
        state="ready",
        refreshed_at=timezone.now(),
    )


def refresh(refreshed: Source) -> str:
    moment = timezone.now() + timedelta(seconds=1)
    Source.objects.filter(pk=refreshed.pk).update(refreshed_at=moment)
    return moment.isoformat()


def test_only_sources_of_its_answers_and_only_later_refreshes_are_named(ana: Member, cast: Cast) -> None:
    deals, other, foreign = source(cast.acme, "deals.csv"), source(cast.acme, "b.csv"), source(cast.globex, "deals.csv")
    thread_id = ana.ask()["thread_id"]
    assert ana.load(thread_id)["since_refreshed_files"] == []
    refresh(other)
    refresh(foreign)
    assert ana.load(thread_id)["since_refreshed_files"] == []
    moment = refresh(deals)
    named = [{"file_name": "deals.csv", "time_of_update": moment, "change": "refreshed"}]
    assert ana.load(thread_id)["since_refreshed_files"] == named


def test_the_next_question_keeps_the_notice_at_its_place(ana: Member, cast: Cast) -> None:
    deals = source(cast.acme, "deals.csv")
    thread_id = ana.ask()["thread_id"]
    moment = refresh(deals)
    done = ana.ask("Again?", thread_id=thread_id)
    question = done["messages"][0]["children"][0]["children"][0]
    assert question["since_refreshed_files"] == [
        {"file_name": "deals.csv", "time_of_update": moment, "change": "refreshed"}
    ]


def test_chosen_files_reach_the_engine_by_their_stored_names(ana: Member, cast: Cast, script: Script) -> None:
    source(cast.acme, "deals.csv")
    sent = ana.send("Revenue?", user_specified_files=["DEALS.csv"])
    assert sent["data_sources_being_accessed"] == ["deals.csv"]
    ana.letterbox.deliver()
    assert script.asked[-1].files == ("deals.csv",)
    assert ana.poll(sent)["messages"][0]["user_specified_files"] == ["deals.csv"]


def test_another_organizations_file_of_the_same_name_is_unknown(gus: Member, cast: Cast) -> None:
    source(cast.acme, "deals.csv")
    refused = gus.post({"prompt": "Revenue?", "user_specified_files": ["deals.csv"]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "unknown_files")
