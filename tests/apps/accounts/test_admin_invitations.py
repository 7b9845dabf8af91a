"""Inviting a member in the administration: the way there, what the form says, and what it refuses."""

from __future__ import annotations

from django.urls import reverse

from apps.accounts.models import Invitation, User
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
