"""Deactivating an organization in the administration: by staff alone, from the list or the form, after a page that says
what stops."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import AuditEvent, Organization, User
from apps.threads.models import Message, Run, RunState, Thread
from tests.cast import PASSWORD, enter, page_of, sign_in
from tests.contract.world import plant

LIST = "admin:accounts_organization_changelist"


def chosen(*organizations: Organization, action: str = "deactivate", **more: str) -> dict[str, object]:
    return {"action": action, "_selected_action": [str(one.pk) for one in organizations], **more}


def form_of(organization: Organization) -> str:
    return reverse("admin:accounts_organization_change", args=[organization.pk])


def active(organization: Organization) -> bool:
    return Organization.objects.get(pk=organization.pk).is_active


def stops(answer) -> dict[str, str]:
    """What the page says that it affects."""
    return dict(re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', answer.content.decode()))


def ask_a_question(organization: Organization, owner: User) -> Run:
    """One that waits for a worker."""
    now = timezone.now()
    thread = Thread.objects.create(organization=organization, owner=owner, summary="Asked")
    run = Run(thread=thread, deadline_at=now, lease_until=now)
    question = Message(thread=thread, run=run, role="user", content="Revenue?")
    run.question = question
    run.save()
    question.save()
    return run


def test_the_action_asks_first_and_names_what_stops(cast, root):
    plant(cast.globex, cast.gus, "Zanzibar")
    run = ask_a_question(cast.globex, cast.gus)
    answer = root.post(reverse(LIST), chosen(cast.globex))
    assert "<h1>Deactivate Globex</h1>" in answer.content.decode()
    assert stops(answer) == {
        "Globex: members": "2",
        "Globex: sources": "1",
        "Globex: integrations": "3",
        "Globex: threads": "2",
        "Globex: questions under way": "1",
    }
    assert active(cast.globex)

    done = root.post(reverse(LIST), chosen(cast.globex, confirmed="yes"), follow=True)
    assert "Deactivated: Globex." in done.content.decode()
    assert not active(cast.globex)
    assert active(cast.acme)
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
    event = AuditEvent.objects.of(cast.globex).get(action="organization_deactivated")
    assert (event.actor_name, event.target) == ("root", "Globex")


def test_several_are_named_each_and_activated_again(cast, root):
    answer = root.post(reverse(LIST), chosen(cast.acme, cast.globex))
    assert "Deactivate 2 organizations" in answer.content.decode()
    assert (stops(answer)["Acme: members"], stops(answer)["Globex: members"]) == ("3", "2")
    root.post(reverse(LIST), chosen(cast.acme, cast.globex, confirmed="yes"))
    assert (active(cast.acme), active(cast.globex)) == (False, False)
    done = root.post(reverse(LIST), chosen(cast.acme, action="activate"), follow=True)
    assert "Activated: Acme." in done.content.decode()
    assert (active(cast.acme), active(cast.globex)) == (True, False)
    assert sign_in("ana")


def test_the_form_asks_before_it_keeps_anything(cast, root):
    typed = {"name": "Acme and Sons", "members_edit_context": "on", "_continue": "Save"}
    answer = root.post(form_of(cast.acme), typed)
    page = answer.content.decode()
    assert "<h1>Deactivate Acme</h1>" in page
    assert stops(answer)["Acme: members"] == "3"
    assert active(cast.acme)
    assert Organization.objects.get(pk=cast.acme.pk).name == "Acme"

    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    assert {name: hidden[name] for name in typed} == typed
    root.post(form_of(cast.acme), hidden)
    kept = Organization.objects.get(pk=cast.acme.pk)
    assert (kept.name, kept.is_active) == ("Acme and Sons", False)
    actions = AuditEvent.objects.of(cast.acme).filter(actor_name="root").values_list("action", flat=True)
    assert set(actions) == {"organization_changed", "organization_deactivated"}

    root.post(form_of(cast.acme), {"name": "Acme and Sons", "members_edit_context": "on", "is_active": "on"})
    assert active(cast.acme)
    assert AuditEvent.objects.of(cast.acme).filter(action="organization_changed").count() == 1


def test_a_form_that_is_filled_in_wrongly_is_told_so_first(cast, root):
    page = root.post(form_of(cast.acme), {"name": "", "members_edit_context": "on"}).content.decode()
    assert "This field is required." in page
    assert active(cast.acme)


def test_a_form_that_leaves_the_state_as_it_is_asks_nothing(cast, root):
    root.post(reverse(LIST), chosen(cast.globex, confirmed="yes"))
    root.post(form_of(cast.globex), {"name": "Globex Ltd", "members_edit_context": "on"})
    kept = Organization.objects.get(pk=cast.globex.pk)
    assert (kept.name, kept.is_active) == ("Globex Ltd", False)
    root.post(form_of(cast.acme), {"name": "Acme Ltd", "members_edit_context": "on", "is_active": "on"})
    kept = Organization.objects.get(pk=cast.acme.pk)
    assert (kept.name, kept.is_active) == ("Acme Ltd", True)


@pytest.mark.parametrize("confirmed", [{}, {"confirmed": "yes"}])
def test_one_that_staff_are_members_of_is_refused_as_its_deletion_is(cast, root, confirmed):
    User.objects.filter(username="root").update(organization=cast.acme)
    refusal = " is staff and a member of Acme: move that account first."
    body = {"name": "Other", "members_edit_context": "on", **confirmed}
    assert refusal in root.post(form_of(cast.acme), body).content.decode()
    assert refusal in root.post(reverse(LIST), chosen(cast.acme, **confirmed), follow=True).content.decode()
    kept = Organization.objects.get(pk=cast.acme.pk)
    assert (kept.name, kept.is_active) == ("Acme", True)


def test_an_admin_deactivates_and_activates_no_organization_as_they_delete_none(cast, ada):
    assert "Deactivate" not in ada.get(reverse(LIST)).content.decode()
    assert 'name="is_active"' not in ada.get(form_of(cast.acme)).content.decode()
    for organization in (cast.acme, cast.globex):
        ada.post(reverse(LIST), chosen(organization, confirmed="yes"))
        ada.post(form_of(organization), {"members_edit_context": "on", "confirmed": "yes"})
        assert active(organization)
    Organization.objects.filter(pk=cast.globex.pk).update(is_active=False)
    ada.post(reverse(LIST), chosen(cast.globex, action="activate"))
    assert not active(cast.globex)
    assert not AuditEvent.objects.filter(action__in=["organization_deactivated", "organization_activated"]).exists()


def test_staff_find_the_deactivated_ones_in_the_list(cast, root):
    Organization.objects.filter(pk=cast.globex.pk).update(is_active=False)
    listed = root.get(reverse(LIST), {"is_active__exact": "0"}).context["cl"].result_list
    assert list(listed) == [cast.globex]


def test_an_admin_of_another_one_hears_nothing_of_it(cast, root):
    root.post(reverse(LIST), chosen(cast.globex, confirmed="yes"))
    ada = enter("ada")
    for address in (reverse("admin:index"), reverse(LIST), form_of(cast.acme)):
        assert "Globex" not in page_of(ada.get(address))
    assert Client().post(reverse("admin:login"), {"username": "gia", "password": PASSWORD}).status_code == 200
