"""Members, organizations and invitations in the administration: made, changed, deactivated, deleted there, by staff for
all and by an admin inside the own organization, each taking away only after a page that names what goes."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.urls import reverse
from django.utils import timezone

from apps.accounts.admin_members import FOR_STAFF
from apps.accounts.models import AuditEvent, Invitation, Organization, User
from apps.accounts.services.members import member_move
from apps.accounts.services.names import ADDRESS_REFUSED, USERNAME_REFUSED
from apps.accounts.services.roster import OWN_ACCOUNT
from apps.datasources.models import Source
from apps.threads.models import Thread
from tests.cast import sign_in
from tests.contract.world import plant

MEMBERS, INVITATIONS, ORGANIZATIONS = (
    f"admin:accounts_{name}_changelist" for name in ("user", "invitation", "organization")
)


def delete_page(user: User) -> str:
    return reverse("admin:accounts_user_delete", args=[user.pk])


def said(answer) -> str:
    return answer.content.decode()


# ---------------------------------------------------------------- members
def test_an_admin_makes_a_member_of_the_own_organization_with_a_temporary_password(cast, ada):
    body = {"username": "new", "name": "New", "email": "new@example.com", "role": "basic",
            "organization": str(cast.globex.pk), "is_superuser": "on"}  # fmt: skip
    page = said(ada.post(reverse("admin:accounts_user_add"), body, follow=True))
    made = User.objects.get(username="new")
    assert (made.organization, made.role, made.is_superuser, made.must_change_password) == (
        cast.acme, "basic", False, True,
    )  # fmt: skip
    password = re.search(r"shown only now: (\S+)</li>", page)[1]
    assert made.check_password(password)
    event = AuditEvent.objects.of(cast.acme).get(action="member_created", target="new")
    assert event.actor == cast.ada


def test_staff_make_a_member_of_any_organization(cast, root):
    body = {"username": "new", "name": "", "email": "", "role": "admin", "organization": str(cast.globex.pk)}
    root.post(reverse("admin:accounts_user_add"), body)
    made = User.objects.get(username="new")
    assert (made.organization, made.role) == (cast.globex, "admin")


def test_staff_move_a_member_who_is_signed_out_and_leaves_what_they_made(cast, root):
    sign_in("ana")
    thread = Thread.objects.create(organization=cast.acme, owner=cast.ana, summary="x")
    body = {"name": "Ana", "email": "ana@example.com", "role": "admin", "organization": str(cast.globex.pk)}
    root.post(reverse("admin:accounts_user_change", args=[cast.ana.pk]), body)
    ana = User.objects.get(pk=cast.ana.pk)
    assert (ana.organization, ana.role) == (cast.globex, "basic")
    thread.refresh_from_db()
    assert thread.organization == cast.acme
    assert not UserSession.objects.filter(user=ana).exists()


@pytest.mark.parametrize(
    ("said_by", "refusal"),
    [
        ({"username": "gus"}, USERNAME_REFUSED),
        ({"username": "ANA"}, USERNAME_REFUSED),
        ({"email": "gus@example.com"}, ADDRESS_REFUSED),
        ({"email": "BEN@example.com"}, ADDRESS_REFUSED),
    ],
)
def test_what_is_taken_here_and_what_is_taken_elsewhere_is_refused_in_the_same_words(cast, ada, said_by, refusal):
    body = {"username": "new", "name": "", "email": "new@example.com", "role": "basic", **said_by}
    page = said(ada.post(reverse("admin:accounts_user_add"), body))
    assert refusal in page
    assert not User.objects.filter(username="new").exists()


def test_a_deletion_asks_first_and_names_what_goes(cast, ada):
    plant(cast.acme, cast.ana, "Plan")
    page = said(ada.get(delete_page(cast.ana)))
    for words in ("Delete ana", "Plan plan.csv", "Threads", "goes for good"):
        assert words in page, words
    ada.post(delete_page(cast.ana))  # nothing was confirmed
    assert User.objects.filter(pk=cast.ana.pk).exists()
    answer = ada.post(delete_page(cast.ana), {"confirmed": "yes"}, follow=True)
    assert "Deleted: ana." in said(answer)
    assert not User.objects.filter(pk=cast.ana.pk).exists()
    assert not Source.objects.exists()
    event = AuditEvent.objects.of(cast.acme).get(action="member_deleted")
    assert (event.actor, event.target) == (cast.ada, "a deleted member")


def test_the_files_of_a_deleted_member_can_stay(cast, ada):
    plant(cast.acme, cast.ana, "Plan")
    ada.post(delete_page(cast.ana), {"confirmed": "yes", "keep_files": "yes"})
    assert not User.objects.filter(pk=cast.ana.pk).exists()
    assert Source.objects.get().organization == cast.acme


def test_the_last_admin_and_the_own_account_stay(cast, ada, root):
    assert OWN_ACCOUNT in said(ada.post(delete_page(cast.ada), {"confirmed": "yes"}))
    assert "last admin" in said(root.post(delete_page(cast.ada), {"confirmed": "yes"}))
    chosen = {"action": "deactivate", "confirmed": "yes", "_selected_action": [str(cast.ada.pk)]}
    assert OWN_ACCOUNT in said(ada.post(reverse(MEMBERS), chosen, follow=True))
    assert User.objects.get(pk=cast.ada.pk).is_active


def test_an_admin_reaches_nothing_of_the_organization_a_member_came_from(cast, ada, root):
    plant(cast.globex, cast.gus, "Zanzibar")
    member_move(user=cast.gus, organization=cast.acme)
    for answer in (ada.get(delete_page(cast.gus)), ada.post(delete_page(cast.gus), {"confirmed": "yes"})):
        assert FOR_STAFF in said(answer)
        assert "Zanzibar" not in said(answer)
        assert "Threads" not in re.sub(r"<nav.*?</nav>", "", said(answer), flags=re.DOTALL)
    assert User.objects.filter(pk=cast.gus.pk).exists()
    assert "Zanzibar plan.csv" in said(root.get(delete_page(cast.gus)))


def test_many_at_once_are_never_deleted_from_the_list(cast, ada, root):
    for client, address, row in ((ada, MEMBERS, cast.ana), (root, ORGANIZATIONS, cast.acme)):
        client.post(reverse(address), {"action": "delete_selected", "_selected_action": [str(row.pk)], "post": "yes"})
        assert type(row).objects.filter(pk=row.pk).exists()


# ---------------------------------------------------------------- organizations
def test_staff_make_an_organization_and_rename_it(cast, root):
    root.post(reverse("admin:accounts_organization_add"), {"name": "Initech", "members_edit_context": ""})
    made = Organization.objects.get(name="Initech")
    assert made.members_edit_context is False
    assert AuditEvent.objects.of(made).get(action="organization_created").actor.username == "root"
    assert root.post(reverse("admin:accounts_organization_add"), {"name": "INITECH"}).status_code == 200
    address = reverse("admin:accounts_organization_change", args=[made.pk])
    root.post(address, {"name": "Initrode", "members_edit_context": "on", "is_active": "on"})
    assert Organization.objects.get(pk=made.pk).name == "Initrode"


def test_an_organization_goes_only_after_its_name_was_typed(cast, root):
    plant(cast.globex, cast.gus, "Zanzibar")
    address = reverse("admin:accounts_organization_delete", args=[cast.globex.pk])
    page = said(root.get(address))
    for words in ("Delete Globex", "gia, gus", "Zanzibar plan.csv", "type the name: Globex"):
        assert words in page, words
    assert "Nothing was deleted." in said(root.post(address, {"confirmed": "yes", "retyped": "globex"}))
    assert Organization.objects.filter(pk=cast.globex.pk).exists()
    root.post(address, {"confirmed": "yes", "retyped": "Globex"})
    assert not Organization.objects.filter(pk=cast.globex.pk).exists()
    assert not User.objects.filter(pk=cast.gus.pk).exists()
    assert AuditEvent.objects.get(action="organization_deleted").actor.username == "root"


def test_an_organization_that_staff_are_members_of_says_so(cast, root):
    User.objects.filter(username="root").update(organization=cast.globex)
    address = reverse("admin:accounts_organization_delete", args=[cast.globex.pk])
    assert "root is staff" in said(root.post(address, {"confirmed": "yes", "retyped": "Globex"}))


def test_an_admin_neither_makes_nor_deletes_organizations(cast, ada):
    assert ada.get(reverse("admin:accounts_organization_add")).status_code == 403
    address = reverse("admin:accounts_organization_delete", args=[cast.acme.pk])
    assert ada.post(address, {"confirmed": "yes", "retyped": "Acme"}).status_code == 403
    assert Organization.objects.filter(pk=cast.acme.pk).exists()


# ---------------------------------------------------------------- invitations
def invited(organization: Organization, email: str = "x@example.com") -> Invitation:
    expires = timezone.now() + timedelta(days=1)
    return Invitation.objects.create(organization=organization, email=email, key_digest=email, expires_at=expires)


def test_staff_invite_into_any_organization_and_an_admin_into_the_own_only(cast, ada, root):
    body = {"email": "new@example.com", "role": "basic", "organization": str(cast.globex.pk)}
    root.post(reverse("admin:accounts_invitation_add"), body)
    assert Invitation.objects.get().organization == cast.globex
    ada.post(reverse("admin:accounts_invitation_add"), body)
    assert Invitation.objects.of(cast.acme).get().email == "new@example.com"
    assert Invitation.objects.of(cast.globex).count() == 1


def test_an_invitation_is_sent_again_with_a_new_link(cast, ada):
    ours, theirs = invited(cast.acme), invited(cast.globex, "y@example.com")
    chosen = {"action": "send_again", "_selected_action": [str(ours.pk), str(theirs.pk)]}
    assert "on its way to x@example.com" in said(ada.post(reverse(INVITATIONS), chosen, follow=True))
    assert Invitation.objects.of(cast.acme).get().key_digest != ours.key_digest
    assert Invitation.objects.of(cast.globex).get().key_digest == theirs.key_digest


def test_a_withdrawn_invitation_is_named_first_and_written_down(cast, ada):
    one, two = invited(cast.acme), invited(cast.acme, "z@example.com")
    address = reverse("admin:accounts_invitation_delete", args=[one.pk])
    assert "x@example.com" in said(ada.get(address))
    ada.post(address, {"post": "yes"})
    ada.post(reverse(INVITATIONS), {"action": "delete_selected", "_selected_action": [str(two.pk)], "post": "yes"})
    assert not Invitation.objects.exists()
    events = AuditEvent.objects.of(cast.acme).filter(action="invitation_withdrawn", actor=cast.ada)
    assert {event.target for event in events} == {"x@example.com", "z@example.com"}


def test_each_list_leads_to_what_is_made_there(cast, ada, root):
    assert "Create a member</a>" in said(ada.get(reverse(MEMBERS)))
    assert "Create an organization</a>" in said(root.get(reverse(ORGANIZATIONS)))
    assert "Create an organization" not in said(ada.get(reverse(ORGANIZATIONS)))
    assert "Invite a member</a>" in said(root.get(reverse(INVITATIONS)))
    assert "Invite a member" not in said(root.get(reverse(ORGANIZATIONS)))
