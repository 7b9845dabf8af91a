"""PRODUCT's table of roles, row by row."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.accounts.policy import Action, allowed, demand
from apps.core.errors import Refused


@pytest.mark.parametrize("action", [action for action in Action if action is not Action.EDIT_CONTEXT])
def test_what_is_an_admins_a_basic_member_may_not(cast, action):
    assert allowed(cast.ada, action)
    assert not allowed(cast.ana, action)
    with pytest.raises(Refused, match="Only an admin"):
        demand(cast.ana, action)


def test_a_basic_member_may_edit_the_context_until_an_admin_switches_it_off(cast):
    assert allowed(cast.ana, Action.EDIT_CONTEXT)
    cast.acme.members_edit_context = False
    cast.acme.save()
    assert not allowed(User.objects.select_related("organization").get(pk=cast.ana.pk), Action.EDIT_CONTEXT)
    assert allowed(cast.ada, Action.EDIT_CONTEXT)


@pytest.mark.parametrize("action", Action)
def test_the_deactivated_may_nothing_and_staff_everything(cast, action):
    cast.ada.is_active = False
    assert not allowed(cast.ada, action)
    assert allowed(User(username="root", is_superuser=True), action)
    assert not allowed(User(username="lost"), action)
