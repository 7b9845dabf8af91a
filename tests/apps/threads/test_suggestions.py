"""Example questions are found once for each version of an organization's tables, by a worker, within a time."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import dramatiq
import pytest
from django.core.cache import cache
from dramatiq.common import iter_queue

from apps.analyst.approaches.aside import WIDE
from apps.analyst.types import Table
from apps.datasources.models import Source, StoredFile
from apps.threads import engine, limits
from apps.threads.presets import PRESET_QUESTIONS
from apps.threads.readying import tables_came
from apps.threads.suggestions import suggestions_find
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import EmptyCatalog, Member, Script

pytestmark = pytest.mark.django_db(transaction=True)

DEALS = Table(name="deals", file_name="deals.csv", path=Path("deals.parquet"), rows=1, columns=())


class Deals(EmptyCatalog):
    """One table, in whichever version."""

    def tables(self) -> Any:
        return (DEALS,)


@pytest.fixture
def looked(ana: Member, script: Script, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The versions that were read for questions; the page waits for none."""
    monkeypatch.setattr(limits, "SUGGESTIONS_AWAITED", 0.0)
    looked: list[str] = []

    def suggest(catalog: Any, count: int) -> list[str]:
        looked.append(catalog.version)
        return script.suggestions[:count]

    engine.use(replace(engine.current(), catalog_of=lambda organization: Deals(version="1"), suggest=suggest))
    dramatiq.get_broker().flush_all()
    return looked


def offered(member: Member) -> list[str]:
    answer = member.client.get("/api/v3/question-suggestions")
    assert answer.status_code == 200
    return [one["suggested_question"] for one in answer.json()]


def sent() -> int:
    return len(list(iter_queue(dramatiq.get_broker().queues["suggestions"])))


def test_the_page_itself_reads_nothing_and_sends_for_a_worker_once(ana: Member, looked: list[str]) -> None:
    assert offered(ana) == []
    assert offered(ana) == []
    assert looked == []
    assert sent() == 1


def test_what_a_worker_found_is_shown_to_all_and_found_once(
    ana: Member, script: Script, looked: list[str], cast: Cast
) -> None:
    script.suggestions = ["Total by region?", "Total by month?", "Total by owner?", "How many deals?"]
    suggestions_find(cast.acme.pk)
    suggestions_find(cast.acme.pk)
    assert sorted(offered(ana)) == sorted(script.suggestions)
    assert looked == ["1"]


def test_another_version_of_the_tables_is_read_anew(ana: Member, script: Script, looked: list[str], cast: Cast) -> None:
    suggestions_find(cast.acme.pk)
    engine.use(replace(engine.current(), catalog_of=lambda organization: Deals(version="2")))
    suggestions_find(cast.acme.pk)
    assert looked == ["1", "2"]


def test_finding_that_takes_too_long_is_ended_and_not_tried_again(
    ana: Member, looked: list[str], cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SUGGESTING_SECONDS", 0.2)
    begun: list[int] = []

    def endless(catalog: Any, count: int) -> list[str]:
        begun.append(1)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            sum(range(1000))
        return []

    engine.use(replace(engine.current(), suggest=endless))
    started = time.monotonic()
    suggestions_find(cast.acme.pk)
    suggestions_find(cast.acme.pk)
    assert time.monotonic() - started < 5
    assert begun == [1]
    assert offered(ana) == []


def test_wide_tables_are_made_ready_before_they_are_asked_about(
    ana: Member, script: Script, looked: list[str], cast: Cast
) -> None:
    cache.clear()
    script.suggestions = ["Total by region?"]
    readied: list[str] = []
    ready = lambda catalog: readied.append(catalog.version)  # noqa: E731
    engine.use(replace(engine.current(), is_wide=lambda catalog: True, ready=ready))
    suggestions_find(cast.acme.pk)
    suggestions_find(cast.acme.pk)  # what can be asked is known, but what reads may have ended
    assert (readied, looked) == (["1", "1"], ["1"])
    assert "Total by region?" in offered(ana)
    assert "Total by region?" in offered(ana)
    assert sent() == 1, "once in a while for all who open a page"


def test_wide_tables_that_change_meanwhile_are_not_read_on(
    ana: Member, script: Script, looked: list[str], cast: Cast
) -> None:
    versions = iter(["1", "1", "2"])
    tried: list[str] = []

    def can_answer(text: str, catalog: Any) -> bool:
        tried.append(text)
        return False

    newest = lambda organization: Deals(version=next(versions))  # noqa: E731
    engine.use(replace(engine.current(), catalog_of=newest, is_wide=lambda catalog: True, can_answer=can_answer))
    suggestions_find(cast.acme.pk)
    assert (looked, tried) == (["1"], [])


def test_workers_are_sent_for_when_wide_tables_came(looked: list[str], cast: Cast) -> None:
    tables_came(cast.acme.pk)
    assert sent() == 0
    stored = StoredFile.objects.create(organization=cast.acme, original_name="w.csv", key="w", size=1)
    Source.objects.create(organization=cast.acme, stored=stored, file_name="w.csv", name_key="w.csv", columns=WIDE)
    tables_came(cast.acme.pk)
    assert sent() == 1


def test_without_tables_presets_show_what_may_be_asked(ana: Member) -> None:
    shown = offered(ana)
    assert len(shown) == 4
    assert set(shown) <= set(PRESET_QUESTIONS)


def test_presets_fill_up_as_far_as_they_can_be_answered(
    ana: Member, script: Script, looked: list[str], cast: Cast
) -> None:
    script.suggestions = ["Total by region?"]
    engine.use(replace(engine.current(), can_answer=lambda text, catalog: text == PRESET_QUESTIONS[0]))
    suggestions_find(cast.acme.pk)
    assert sorted(offered(ana)) == sorted(["Total by region?", PRESET_QUESTIONS[0]])
