"""What the administration says of answers: how each question ended, by member and week, and which were declined."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import AuditEvent, User
from apps.threads.models import Message, ModelBudget, ModelUsage, Run, Thread
from apps.threads.outcomes import Outcomes, outcomes, questions_since
from tests.apps.conftest import Cast
from tests.cast import client_of, enter

NOW = timezone.now()


def ended(
    member: User, status: str | None, *, state: str = "completed", up: bool | None = None, at: datetime = NOW,
    question: str = "How many?",
) -> Run:  # fmt: skip
    """A question of that member and how it ended; a second approach beside the answer changes no count."""
    thread = Thread.objects.create(organization=member.organization, owner=member)
    run = Run(thread=thread, deadline_at=at + timedelta(minutes=2), created_at=at)
    run.question = Message(thread=thread, run=run, role="user", content=question)
    run.save()
    run.question.save()
    if status is not None:
        for model, selected in (("builtin", True), ("another", False)):
            Message.objects.create(
                thread=thread, run=run, parent=run.question, role="assistant", content=f"Said of {question}",
                model=model, is_selected_assistant=selected, is_thumbs_up=up if selected else None,
                answer={"status": status if selected else "answered", "text": "x"},
            )  # fmt: skip
    Run.objects.filter(pk=run.pk).update(state=state, finished_at=at)
    return run


@pytest.fixture
def asked(cast: Cast) -> Cast:
    ended(cast.ana, "answered", up=True)
    ended(cast.ana, "answered")
    ended(cast.ana, "clarify", at=NOW - timedelta(weeks=2))
    ended(cast.ana, "declined", up=False, question="What is our karma?")
    ended(cast.ben, None, state="failed")
    ended(cast.ben, None, state="cancelled")
    ended(cast.gus, "declined", question="Who is the spy of Globex?")
    return cast


def table(page: str, title: str) -> list[list[str]]:
    """The cells of the page's table of that title."""
    part = page.split(f"<caption>{title}</caption>")[1].split("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", part, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub(r"<.*?>", "", cell).strip() for cell in row] for row in cells]


def test_each_question_is_counted_once_by_how_it_ended(asked: Cast) -> None:
    month = questions_since(NOW - timedelta(days=30), asked.acme)
    assert outcomes(month) == {(): Outcomes(6, 2, 1, 1, 1, 1, 1, 1)}
    by_member = outcomes(month, "thread__owner__username")
    assert by_member == {
        ("ana",): Outcomes(asked=4, answered=2, asked_back=1, declined=1, rated_up=1, rated_down=1),
        ("ben",): Outcomes(asked=2, failed=1, stopped=1),
    }


def test_the_first_page_says_how_the_questions_of_a_month_ended(asked: Cast) -> None:
    figures = dict(table(enter("ada").get(reverse("admin:index")).content.decode(), "Questions")[1:])
    told = ("Questions in 30 days", "Of these, answered", "Asked back", "Declined", "Failed", "Stopped", "Rated good",
            "Rated bad")  # fmt: skip
    assert [figures[name] for name in told] == ["6", "2", "1", "1", "1", "1", "1", "1"]


def test_it_says_so_for_each_member_and_week(asked: Cast) -> None:
    page = enter("ada").get(reverse("admin:index")).content.decode()
    heads, *members = table(page, "Usage by member")
    place = {name: heads.index(name) for name in ("Answered", "Asked back", "Declined", "Failed", "Rated good")}
    said = {row[0]: [row[at] for at in place.values()] for row in members}
    assert said["ana"] == ["2", "1", "1", "0", "1"]
    assert said["ben"] == ["0", "0", "0", "1", "0"]
    weeks = table(page, "Answers by week")
    assert [row[0].partition(",")[0] for row in weeks[1:]] == ["ana", "ben", "ana"]
    assert weeks[1][1:] == ["3", "2", "0", "1", "0", "0", "1", "1"]
    assert weeks[3][1:] == ["1", "0", "1", "0", "0", "0", "0", "0"]


def test_a_week_begins_on_monday(cast: Cast) -> None:
    sunday, monday = datetime(2026, 11, 22, 12, tzinfo=UTC), datetime(2026, 11, 23, 12, tzinfo=UTC)
    ended(cast.ana, "answered", at=sunday)
    ended(cast.ana, "answered", at=monday)
    weeks = outcomes(questions_since(sunday - timedelta(days=30), cast.acme), "week")
    assert [week.date().isoformat() for (week,) in sorted(weeks)] == ["2026-11-16", "2026-11-23"]


def test_declined_questions_are_read_by_the_own_admin_and_the_reading_is_written_down(asked: Cast) -> None:
    ada = enter("ada")
    page = ada.get(reverse("admin:threads_declinedanswer_changelist")).content.decode()
    assert "What is our karma?" in page
    assert "Said of What is our karma?" in page
    assert "spy of Globex" not in page
    assert "How many?" not in page
    declined = Message.objects.get(answer__status="declined", thread__owner=asked.ana)
    one = ada.get(reverse("admin:threads_declinedanswer_change", args=[declined.pk])).content.decode()
    assert "What is our karma?" in one
    read = AuditEvent.objects.of(asked.acme).filter(action="conversation_read").values_list("target", flat=True)
    assert set(read) == {"declined questions", str(declined.thread_id)}


def test_a_declined_question_stands_under_its_own_words(asked: Cast) -> None:
    declined = Message.objects.get(answer__status="declined", thread__owner=asked.ana)
    page = enter("ada").get(reverse("admin:threads_declinedanswer_change", args=[declined.pk])).content.decode()
    assert "<h2>What is our karma?</h2>" in page
    assert "What was said:" in page
    assert "assistant:" not in page


def test_staff_see_the_weeks_by_organization(asked: Cast) -> None:
    User.objects.filter(pk=asked.ada.pk).update(is_superuser=True, is_staff=True)
    weeks = table(enter("ada").get(reverse("admin:index")).content.decode(), "Answers by week")
    assert {row[0].partition(",")[0] for row in weeks[1:]} == {"Acme", "Globex"}


def test_the_pages_are_called_by_what_they_hold(cast: Cast) -> None:
    page = enter("ada").get(reverse("admin:index")).content.decode()
    for name in ("Models: usage", "Company contexts", "Verified questions", "Declined questions"):
        assert f">{name}</a>" in page, name


def test_admins_read_the_same_in_the_product_by_sum_member_and_week(asked: Cast) -> None:
    told = client_of(asked.ada).get("/api/v3/usage").json()
    assert told["month"] == {
        "asked": 6, "answered": 2, "asked_back": 1, "declined": 1, "failed": 1, "stopped": 1, "rated_up": 1,
        "rated_down": 1,
    }  # fmt: skip
    assert [(one["name"], one["asked"], one["declined"]) for one in told["members"]] == [("Ana", 4, 1), ("Ben", 2, 0)]
    assert [week["asked"] for week in told["weeks"]] == [5, 1]
    assert [week["starts"] for week in told["weeks"]] == sorted((w["starts"] for w in told["weeks"]), reverse=True)


def test_models_of_the_running_month_are_told_with_their_budget(asked: Cast) -> None:
    for member, cost in ((asked.ana, "1.5"), (asked.gus, "7")):
        run = Run.objects.filter(thread__owner=member).first()
        ModelUsage.objects.create(
            organization=member.organization, run=run, member=member, model="gpt", calls=3, input_tokens=9,
            output_tokens=9, cost=Decimal(cost), seconds=1,
        )  # fmt: skip
    ModelBudget.objects.create(organization=asked.acme, monthly=Decimal(20))
    assert client_of(asked.ada).get("/api/v3/usage").json()["models"] == {
        "budget": "20.00",
        "each": [{"model": "gpt", "calls": 3, "cost": "1.50"}],
    }


def test_basic_members_read_no_usage(asked: Cast) -> None:
    assert client_of(asked.ana).get("/api/v3/usage").status_code == 403
