"""The state of a sign-in round trip: random, used once, this session's and this organization's, ten minutes long."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.core.errors import Invalid
from apps.integrations.models import SignInState
from apps.integrations.services.states import sign_in_finish, sign_in_start, sign_ins_forget

HERE = "https://app.example/hubspot-callback"


def start(user, session="session-one", service="hubspot"):
    return sign_in_start(by=user, session_key=session, service=service, redirect_uri=HERE)


def finish(user, state, session="session-one", service="hubspot"):
    return sign_in_finish(by=user, session_key=session, service=service, state=state)


def test_it_comes_back_once_with_the_address_and_the_verifier(cast):
    started = start(cast.ada)
    finished = finish(cast.ada, started.state)
    assert finished.redirect_uri == HERE
    assert len(finished.verifier) >= 43
    with pytest.raises(Invalid):
        finish(cast.ada, started.state)


def test_no_two_are_alike_and_the_row_holds_none(cast):
    states = {start(cast.ada).state for _ in range(20)}
    assert len(states) == 20
    assert all(len(state) >= 43 for state in states)
    assert not states & set(SignInState.objects.values_list("key_digest", flat=True))


@pytest.mark.parametrize(
    "other",
    [
        lambda cast: {"session": "session-two"},
        lambda cast: {"service": "slack"},
        lambda cast: {"user": cast.ana},
        lambda cast: {"user": cast.gia},
        lambda cast: {"state": "made-up"},
    ],
)
def test_another_session_member_organization_service_or_guess_is_refused_and_uses_nothing_up(cast, other):
    started = start(cast.ada)
    with pytest.raises(Invalid):
        finish(**{"user": cast.ada, "state": started.state, **other(cast)})
    assert finish(cast.ada, started.state).redirect_uri == HERE


def test_a_member_who_moved_to_another_organization_cannot_finish(cast):
    started = start(cast.ada)
    cast.ada.organization = cast.globex
    cast.ada.save()
    with pytest.raises(Invalid):
        finish(cast.ada, started.state)


def test_after_ten_minutes_it_is_over_and_forgotten(cast):
    started = start(cast.ada)
    row = SignInState.objects.get()
    assert timedelta(minutes=9) < row.expires_at - timezone.now() <= timedelta(minutes=10)
    SignInState.objects.update(expires_at=timezone.now())
    with pytest.raises(Invalid):
        finish(cast.ada, started.state)
    sign_ins_forget()
    assert not SignInState.objects.exists()
