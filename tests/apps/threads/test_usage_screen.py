"""What models took, as an organization's admin reads it in the administration."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.threads.models import Message, ModelUsage, Run, Thread
from tests.apps.conftest import Cast
from tests.cast import enter


def took(member: User, model: str, *, failed: bool = False) -> None:
    """A run of that member for which the model was asked."""
    thread = Thread.objects.create(organization=member.organization, owner=member)
    run = Run(thread=thread, deadline_at="2030-01-01T00:00Z")
    run.question = Message(thread=thread, run=run, role="user", content="How many?")
    run.save()
    run.question.save()
    ModelUsage.objects.create(
        organization=member.organization, run=run, member=member, model=model, calls=2, input_tokens=6545,
        output_tokens=1052, cost=Decimal("1.25"), seconds=3.25, failed=failed,
    )  # fmt: skip


@pytest.fixture
def ada(cast: Cast) -> Client:
    took(cast.ana, "big")
    took(cast.ben, "small", failed=True)
    took(cast.gus, "foreign")
    return enter("ada")


def rows(client: Client, **search: str) -> list[list[str]]:
    """The cells of the list's rows, without the day."""
    page = client.get(reverse("admin:threads_modelusage_changelist"), search).content.decode()
    lines = re.findall(r"<tr>(.*?)</tr>", page.split("<tbody>")[1].split("</tbody>")[0], re.DOTALL)
    cells = [re.findall(r"<t[dh] [^>]*>(.*?)</t[dh]>", line, re.DOTALL) for line in lines]
    return sorted([re.sub(r"<.*?>", "", cell) for cell in line][1:] for line in cells)


def test_each_use_is_a_line_of_figures_that_read_well(ada: Client) -> None:
    assert rows(ada) == [
        ["ana", "big", "2", "6,545", "1,052", "1.2500", "3.2", "answered"],
        ["ben", "small", "2", "6,545", "1,052", "1.2500", "3.2", "gave way"],
    ]


def test_uses_are_found_by_member_and_by_model(ada: Client) -> None:
    assert [row[0] for row in rows(ada, q="ben")] == ["ben"]
    assert [row[0] for row in rows(ada, q="big")] == ["ana"]


def test_the_first_page_tells_what_each_model_cost(ada: Client) -> None:
    page = ada.get(reverse("admin:index")).content.decode()
    assert "big: cost, mean time" in page
    assert "1.25, 3.2\N{NO-BREAK SPACE}s" in page
    assert "foreign" not in page


def test_the_first_page_tells_what_the_models_asked_for_each_member_cost(ada: Client) -> None:
    page = ada.get(reverse("admin:index")).content.decode()
    page = page.split("<caption>Usage by member</caption>")[1].split("</table>")[0]
    titles, *members = [
        re.findall(r"<t[hd][^>]*>\s*(.*?)\s*</t[hd]>", row, re.DOTALL)
        for row in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
        if "Model cost" in row or "ana" in row or "ada" in row
    ]
    cost = titles.index("Model cost this month")
    assert {row[0]: row[cost] for row in members} == {"ada": "0.00", "ana": "1.25"}
