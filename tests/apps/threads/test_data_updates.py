"""A thread's last message says what happened to its sources since: one quiet line, in every snapshot of the thread."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import Organization
from apps.datasources.models import Source
from apps.datasources.services.removal import source_remove
from tests.apps.conftest import Cast
from tests.apps.datasources.conftest import SALES, read_waiting
from tests.apps.threads.conftest import Member
from tests.apps.threads.test_refreshed import refresh, source
from tests.cast import client_of

pytestmark = pytest.mark.django_db(transaction=True)

NOTICE = "Data {change} since this thread was last used: {names}."


def updates(snapshot: dict[str, Any]) -> list[dict[str, Any]]:
    return [message for message in snapshot["messages"] if message["type"] == "data_update"]


def upload(cast: Cast, *, method: str = "post", query: str = "") -> Any:
    send = getattr(client_of(cast.ana), method)
    answer = send(f"/api/v3/files{query}", {"file-0": SimpleUploadedFile("deals.csv", SALES)})
    read_waiting()
    return answer


def brought(organization: Organization) -> list[str]:
    return list(Source.objects.of(organization).filter(refreshed_at__isnull=False).values_list("file_name", flat=True))


def test_a_refreshed_source_is_told_at_the_end_of_the_thread_and_only_once(ana: Member, cast: Cast) -> None:
    deals = source(cast.acme, "deals.csv")
    sent = ana.send()
    ana.letterbox.deliver()
    assert updates(ana.poll(sent)) == []
    moment = refresh(deals)
    [told] = updates(ana.load(sent["thread_id"]))
    assert told == ana.load(sent["thread_id"])["messages"][-1]
    assert (told["role"], told["children"], told["answer"]) == ("assistant", [], None)
    assert told["content"] == NOTICE.format(change="refreshed", names="deals")
    assert told["since_refreshed_files"] == [
        {"file_name": "deals.csv", "time_of_update": moment, "change": "refreshed"}
    ]


def test_load_and_poll_carry_the_same_message(ana: Member, cast: Cast) -> None:
    deals = source(cast.acme, "deals.csv")
    sent = ana.send()
    ana.letterbox.deliver()
    refresh(deals)
    assert updates(ana.load(sent["thread_id"])) == updates(ana.poll(sent)) != []


def test_a_removed_source_is_told_until_the_next_question_which_keeps_it(ana: Member, cast: Cast) -> None:
    upload(cast)
    thread_id = ana.ask()["thread_id"]
    source_remove(by=cast.ana, file_name="deals.csv")
    [told] = updates(ana.load(thread_id))
    assert told["content"] == NOTICE.format(change="removed", names="deals")
    done = ana.ask("Again?", thread_id=thread_id)
    assert updates(done) == []
    kept = done["messages"][0]["children"][0]["children"][0]["since_refreshed_files"]
    assert kept == told["since_refreshed_files"]
    assert [file["change"] for file in kept] == ["removed"]


@pytest.mark.parametrize("how", ["put in its place", "deleted and uploaded again"])
def test_a_file_that_took_the_place_of_another_is_told_as_replaced(ana: Member, cast: Cast, how: str) -> None:
    upload(cast)
    thread_id = ana.ask()["thread_id"]
    if how == "put in its place":
        assert upload(cast, method="put", query="?filename=deals.csv").status_code == 200
    else:
        source_remove(by=cast.ana, file_name="deals.csv")
        upload(cast)
    assert brought(cast.acme) == ["deals.csv"]
    assert [told["content"] for told in updates(ana.load(thread_id))] == [
        NOTICE.format(change="replaced", names="deals")
    ]


def test_while_a_question_is_worked_on_nothing_is_told(ana: Member, cast: Cast) -> None:
    deals = source(cast.acme, "deals.csv")
    thread_id = ana.ask()["thread_id"]
    ana.send("Again?", thread_id=thread_id)
    refresh(deals)
    assert updates(ana.load(thread_id)) == []


def test_the_next_question_follows_the_answer_and_not_the_notice(ana: Member, cast: Cast) -> None:
    deals = source(cast.acme, "deals.csv")
    done = ana.ask()
    answer = done["messages"][0]["children"][0]["message_id"]
    refresh(deals)
    again = ana.ask("Again?", thread_id=done["thread_id"])
    assert again["messages"][0]["children"][0]["children"][0]["parent_message_id"] == answer


def test_files_of_that_name_elsewhere_tell_nothing_here(ana: Member, gus: Member, cast: Cast) -> None:
    upload(cast)
    foreign = source(cast.globex, "deals.csv")
    ours, theirs = ana.ask()["thread_id"], gus.ask()["thread_id"]
    refresh(foreign)
    assert updates(ana.load(ours)) == []
    assert len(updates(gus.load(theirs))) == 1
    Source.objects.filter(pk=foreign.pk).delete()
    source_remove(by=cast.ana, file_name="deals.csv")
    assert updates(gus.load(theirs)) == []
    assert len(updates(ana.load(ours))) == 1
