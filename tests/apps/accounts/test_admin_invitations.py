"""Inviting a member in the administration: the way there, what the form says, and what it refuses."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.admin_invitations import InvitationAdmin
from apps.accounts.models import AuditEvent, Invitation, Organization, OutgoingMail, Role, User
from apps.accounts.services.invitations import invitation_change
from apps.accounts.services.members import invitation_accept, member_invite
from apps.accounts.services.roster import INVITATION_GONE
from apps.core.errors import NotFound, Refused
from tests.cast import enter


def test_the_members_list_leads_to_the_invitation(cast, ada):
    page = ada.get(reverse("admin:accounts_user_changelist")).content.decode()
    assert f'<a href="{reverse("admin:accounts_invitation_add")}" class="addlink">Invite a member</a>' in page
    User.objects.filter(pk=cast.ben.pk).update(is_superuser=True, organization=None)
    page = enter("ben").get(reverse("admin:accounts_invitation_add")).content.decode()
    assert 'name="organization"' in page  # staff choose into which one; an admin is not asked
    assert 'name="organization"' not in ada.get(reverse("admin:accounts_invitation_add")).content.decode()


def test_the_form_says_that_it_sends_an_email_and_what_the_roles_may_do(ada):
    page = ada.get(reverse("admin:accounts_invitation_add")).content.decode()
    assert "Add invitation" not in page
    for words in ("Invite a member", "sent to this address at once", "Basic members ask", 'value="Send invitation"'):
        assert words in page


def test_the_figure_of_open_invitations_leads_to_those_only(cast, ada):
    for index, (email, expires, accepted) in enumerate(
        (
            ("open@example.com", "2100-01-01T00:00Z", None),
            ("late@example.com", "2020-01-01T00:00Z", None),
            ("here@example.com", "2020-01-01T00:00Z", "2019-12-30T00:00Z"),
        )
    ):
        Invitation.objects.create(
            organization=cast.acme, email=email, key_digest=str(index), expires_at=expires, accepted_at=accepted
        )
    address = reverse("admin:accounts_invitation_changelist")
    assert f'<a href="{address}?state=open">Open invitations</a>' in ada.get(reverse("admin:index")).content.decode()
    for state, email in (("open", "open@"), ("expired", "late@"), ("accepted", "here@")):
        listed = ada.get(address, {"state": state}).content.decode()
        assert [name for name in ("open@", "late@", "here@") if f">{name}example.com</a>" in listed] == [email]


def test_an_invitation_is_on_its_way_and_the_page_says_so(ada):
    body = {"email": "new@example.com", "role": "basic", "_addanother": "1"}
    answer = ada.post(reverse("admin:accounts_invitation_add"), body, follow=True)
    assert "An invitation is on its way to new@example.com." in answer.content.decode()
    assert answer.request["PATH_INFO"] == reverse("admin:accounts_invitation_add")


def test_somebody_who_is_a_member_is_refused_beside_the_field(cast, ada):
    answer = ada.post(reverse("admin:accounts_invitation_add"), {"email": "BEN@example.com", "role": "admin"})
    assert answer.status_code == 200
    assert "BEN@example.com is already a member." in answer.content.decode()
    assert not Invitation.objects.exists()


# ---------------------------------------------------------------- changing one that was sent
def form_of(invitation: Invitation) -> str:
    return reverse("admin:accounts_invitation_change", args=[invitation.pk])


def key_sent_to(email: str) -> str:
    return re.search(r"key=([\w-]+)", OutgoingMail.objects.get(recipient=email).text)[1]


def accepted(key: str) -> User:
    return invitation_accept(key=key, username="new", password="First-word-of-9", privacy_accepted=True)


def events(organization: Organization) -> list[tuple[str, str, dict[str, object]]]:
    found = AuditEvent.objects.of(organization).filter(action__in=INVITING).order_by("created_at")
    return [(event.action, event.target, event.details) for event in found]


INVITING = ["member_invited", "invitation_changed", "invitation_withdrawn"]


def test_another_role_is_given_and_the_link_stays_good(cast, ada):
    invitation = member_invite(actor=cast.ada, email="new@example.com")
    key = key_sent_to("new@example.com")
    answer = ada.post(form_of(invitation), {"email": "new@example.com", "role": "admin"}, follow=True)
    assert "was changed successfully" in answer.content.decode()
    assert "on its way" not in answer.content.decode()
    assert OutgoingMail.objects.count() == 1
    assert events(cast.acme)[1:] == [
        ("invitation_changed", "new@example.com", {"role_before": "basic", "role_after": "admin"})
    ]
    assert accepted(key).role == Role.ADMIN


def test_another_address_ends_the_link_that_was_sent_and_gets_a_new_one(cast, ada):
    invitation = member_invite(actor=cast.ada, email="old@example.com", role=Role.ADMIN)
    old = key_sent_to("old@example.com")
    Invitation.objects.update(expires_at=timezone.now() + timedelta(hours=1))
    answer = ada.post(form_of(invitation), {"email": "new@example.com", "role": "admin"}, follow=True)
    assert "An invitation is on its way to new@example.com." in answer.content.decode()
    with pytest.raises(NotFound, match="no longer valid"):
        accepted(old)
    assert not OutgoingMail.objects.filter(recipient="old@example.com").exists()  # had it not left yet
    kept = Invitation.objects.get()
    assert (kept.pk, kept.email, kept.role) == (invitation.pk, "new@example.com", "admin")
    assert kept.expires_at > timezone.now() + timedelta(days=6)
    assert [event[:2] for event in events(cast.acme)[1:]] == [
        ("invitation_withdrawn", "old@example.com"), ("member_invited", "new@example.com"),
    ]  # fmt: skip
    made = accepted(key_sent_to("new@example.com"))
    assert (made.email, made.role, made.organization) == ("new@example.com", "admin", cast.acme)


def test_both_are_changed_at_once_and_an_earlier_one_to_the_address_ends(cast, ada):
    earlier = member_invite(actor=cast.ada, email="new@example.com")
    invitation = member_invite(actor=cast.ada, email="old@example.com")
    ada.post(form_of(invitation), {"email": "NEW@example.com", "role": "admin"})
    assert not Invitation.objects.filter(pk=earlier.pk).exists()
    kept = Invitation.objects.get()
    assert (kept.email, kept.role) == ("NEW@example.com", "admin")


@pytest.mark.parametrize("email", ["ben@example.com", "BEN@example.com", "no address", ""])
def test_an_address_that_cannot_be_invited_leaves_the_invitation_as_it_is(cast, ada, email):
    invitation = member_invite(actor=cast.ada, email="old@example.com")
    before = Invitation.objects.values().get()
    answer = ada.post(form_of(invitation), {"email": email, "role": "admin"})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert Invitation.objects.values().get() == before
    assert len(events(cast.acme)) == 1


def test_the_form_says_what_another_address_does(cast, ada):
    page = ada.get(form_of(member_invite(actor=cast.ada, email="old@example.com"))).content.decode()
    for words in ("the link that was sent opens nothing any more", "Basic members ask", 'value="Save"'):
        assert words in page
    assert "Send invitation" not in page


def test_an_accepted_one_is_shown_and_changed_no_more(cast, ada):
    invitation = member_invite(actor=cast.ada, email="new@example.com")
    accepted(key_sent_to("new@example.com"))
    page = ada.get(form_of(invitation)).content.decode()
    assert "new@example.com" in page
    assert 'value="Save"' not in page
    assert ada.post(form_of(invitation), {"email": "other@example.com", "role": "admin"}).status_code == 403
    with pytest.raises(NotFound) as gone:
        invitation_change(actor=cast.ada, invitation=invitation, email="other@example.com", role=Role.ADMIN)
    assert gone.value.message == INVITATION_GONE
    assert Invitation.objects.get().email == "new@example.com"


def test_one_of_another_organization_is_changed_by_nobody_but_staff(cast, ada, root):
    theirs = member_invite(actor=cast.gia, email="old@example.com")
    body = {"email": "new@example.com", "role": "admin", "organization": str(cast.acme.pk)}
    before = Invitation.objects.values().get()
    absent = reverse("admin:accounts_invitation_change", args=["00000000-0000-4000-8000-000000000000"])
    assert ada.post(form_of(theirs), body).status_code == ada.post(absent, body).status_code == 302
    for actor, refused in ((cast.ada, NotFound), (cast.ana, Refused), (cast.gus, Refused)):
        with pytest.raises(refused):
            invitation_change(actor=actor, invitation=theirs, email="new@example.com", role=Role.ADMIN)
    assert Invitation.objects.values().get() == before

    root.post(form_of(theirs), body)  # which organization it leads into is not changed there
    kept = Invitation.objects.get()
    assert (kept.email, kept.role, kept.organization) == ("new@example.com", "admin", cast.globex)
    assert "Globex" in OutgoingMail.objects.get(recipient="new@example.com").text


def test_what_was_accepted_while_its_form_was_open_is_said_in_the_list(cast, ada, monkeypatch):
    invitation = member_invite(actor=cast.ada, email="new@example.com")
    shown = Invitation.objects.get(pk=invitation.pk)
    accepted(key_sent_to("new@example.com"))
    monkeypatch.setattr(InvitationAdmin, "get_object", lambda *_: shown)
    answer = ada.post(form_of(invitation), {"email": "other@example.com", "role": "basic"}, follow=True)
    assert INVITATION_GONE in answer.content.decode()
    assert Invitation.objects.get().email == "new@example.com"


def test_nobody_is_invited_anew_into_a_deactivated_organization(cast, root):
    invitation = member_invite(actor=cast.ada, email="old@example.com")
    Organization.objects.filter(pk=cast.acme.pk).update(is_active=False)
    page = root.post(form_of(invitation), {"email": "new@example.com", "role": "basic"}).content.decode()
    assert "Acme is deactivated. Activate it first." in page
    body = {"email": "more@example.com", "role": "basic", "organization": str(cast.acme.pk)}
    assert "Acme is deactivated." in root.post(reverse("admin:accounts_invitation_add"), body).content.decode()
    assert [row.email for row in Invitation.objects.all()] == ["old@example.com"]
