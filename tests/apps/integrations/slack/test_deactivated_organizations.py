"""Slack users of an organization that is deactivated: told that their account is not active, and nothing else."""

from __future__ import annotations

import pytest

from apps.accounts.models import Organization
from apps.accounts.services.organizations import organization_activate, organization_deactivate
from apps.integrations.models import SlackLinkRequest, SlackQuestion
from apps.integrations.slack import copy
from apps.integrations.slack.desk import Answered
from tests.apps.integrations.slack.conftest import ANA, BEN, send, work


@pytest.mark.parametrize("how", ["commands", "events"])
@pytest.mark.parametrize("who", [ANA, BEN])
def test_whoever_asks_is_told_so_and_nothing_is_asked_for_them(cast, slack, linked, desk_of_test, how, who):
    organization_deactivate(organization=cast.acme)
    body = slack.command_body(who, "secret sums") if how == "commands" else slack.event_body(who, "secret sums")
    assert send(how, body).status_code == 200
    work()
    (post,) = slack.posts
    assert (post.user, post.text) == (who, copy.NO_LONGER_MEMBER)
    assert desk_of_test.asked == []
    assert not SlackLinkRequest.objects.exists()  # a link could not be opened
    question = SlackQuestion.objects.get()
    assert (question.state, question.text) == ("declined", "")


def test_an_answer_that_was_being_made_is_not_told(cast, slack, linked, desk_of_test):
    desk_of_test.answer = None
    send("commands", slack.command_body(ANA, "amount by region"))
    work()
    Organization.objects.filter(pk=cast.acme.pk).update(is_active=False)
    desk_of_test.answer = Answered("Seven.")
    work()
    assert [post.text for post in slack.posts] == [copy.NO_LONGER_MEMBER]
    assert SlackQuestion.objects.get().state == "declined"


def test_once_it_is_active_again_the_linked_are_answered(cast, slack, linked, desk_of_test):
    organization_deactivate(organization=cast.acme)
    organization_activate(organization=cast.acme)
    send("commands", slack.command_body(ANA, "amount by region"))
    work()
    assert desk_of_test.asked == [("ana", "amount by region", None)]


def test_other_workspaces_are_answered_meanwhile(cast, slack, linked, desk_of_test):
    organization_deactivate(organization=cast.globex)
    send("commands", slack.command_body(ANA, "amount by region"))
    work()
    assert desk_of_test.asked == [("ana", "amount by region", None)]
