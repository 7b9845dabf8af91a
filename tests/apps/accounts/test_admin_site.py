"""The Django admin as an organization's admin meets it: the own organization, and nothing of any other."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import AuditEvent, Invitation, Organization, User
from tests.cast import PASSWORD, enter, page_of

LISTS = ["accounts_user", "accounts_invitation", "accounts_organization", "accounts_auditevent"]


def test_admins_and_staff_enter_and_nobody_else(cast, ada, root):
    assert ada.get(reverse("admin:index")).status_code == 200
    assert root.get(reverse("admin:index")).status_code == 200
    answer = Client().post(reverse("admin:login"), {"username": "ana", "password": PASSWORD})
    assert answer.status_code == 200
    assert "Only admins of an organization have access here." in answer.content.decode()


@pytest.mark.parametrize("name", LISTS)
def test_lists_show_the_own_organization_only(cast, ada, root, name):
    enter("gia")  # leaves an audit event of Globex
    Invitation.objects.create(
        organization=cast.globex, email="gus2@example.com", key_digest="x", expires_at="2030-01-01T00:00Z"
    )
    page = ada.get(reverse(f"admin:{name}_changelist"))
    assert page.status_code == 200
    for foreign in ("gus", "gia", "Globex"):
        assert foreign not in page_of(page)
    assert root.get(reverse(f"admin:{name}_changelist")).status_code == 200


def test_foreign_ids_answer_like_absent_ones(cast, ada):
    absent = "00000000-0000-4000-8000-000000000000"
    event = AuditEvent.objects.create(organization=cast.globex, action="signed_in", target="gus")
    for name, foreign in (("user", cast.gus.pk), ("organization", cast.globex.pk), ("auditevent", event.pk)):
        for view in ("change", "history", "delete"):
            answers = [
                ada.get(reverse(f"admin:accounts_{name}_{view}", args=[pk]), follow=False).status_code
                for pk in (foreign, absent)
            ]
            assert answers[0] == answers[1], (name, view)
            assert answers[0] in (302, 403, 404)


def test_an_action_on_a_foreign_member_does_nothing(cast, ada):
    ada.post(
        reverse("admin:accounts_user_changelist"),
        {"action": "deactivate", "confirmed": "yes", "_selected_action": [str(cast.gus.pk)]},
    )
    assert User.objects.get(pk=cast.gus.pk).is_active


def test_an_admin_deactivates_and_activates_a_member(cast, ada):
    chosen = {"_selected_action": [str(cast.ana.pk)]}
    asked = ada.post(reverse("admin:accounts_user_changelist"), {"action": "deactivate", **chosen})
    assert "Deactivate ana" in asked.content.decode()
    assert User.objects.get(pk=cast.ana.pk).is_active
    ada.post(reverse("admin:accounts_user_changelist"), {"action": "deactivate", "confirmed": "yes", **chosen})
    assert not User.objects.get(pk=cast.ana.pk).is_active
    ada.post(reverse("admin:accounts_user_changelist"), {"action": "activate", **chosen})
    assert User.objects.get(pk=cast.ana.pk).is_active


def test_an_admin_changes_a_role_and_it_is_written_down(cast, ada):
    address = reverse("admin:accounts_user_change", args=[cast.ana.pk])
    answer = ada.post(address, {"name": "Ana B", "email": "ana@example.com", "role": "admin", "is_superuser": "on"})
    assert answer.status_code == 302
    ana = User.objects.get(pk=cast.ana.pk)
    assert (ana.role, ana.name, ana.is_superuser) == ("admin", "Ana B", False)
    role, name = AuditEvent.objects.of(cast.acme).filter(action="member_changed", target="ana", actor=cast.ada)
    assert role.details == {"role_before": "basic", "role_after": "admin"}
    assert name.details == {"name_before": "Ana", "name_after": "Ana B"}


def test_a_changed_address_is_written_down_and_one_of_somebody_else_refused(cast, ada):
    address = reverse("admin:accounts_user_change", args=[cast.ana.pk])
    ada.post(address, {"name": "Ana", "email": "other@example.com", "role": "basic"})
    assert User.objects.get(pk=cast.ana.pk).email == "other@example.com"
    event = AuditEvent.objects.of(cast.acme).get(action="member_changed")
    assert (event.actor, event.target) == (cast.ada, "ana")
    assert event.details == {"email_before": "ana@example.com", "email_after": "other@example.com"}
    ada.post(address, {"name": "Ana", "email": "BEN@example.com", "role": "basic"})
    assert User.objects.get(pk=cast.ana.pk).email == "other@example.com"
    assert AuditEvent.objects.of(cast.acme).filter(action="member_changed").count() == 1


def test_the_own_password_is_changed_by_the_same_rule_and_written_down(cast, ada):
    other = enter("ada")

    def change(new: str) -> int:
        body = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
        return ada.post(reverse("admin:password_change"), body).status_code

    assert change("weak") == 200
    assert not AuditEvent.objects.of(cast.acme).filter(action="password_changed").exists()
    assert change("Another-word-9") == 302
    event = AuditEvent.objects.of(cast.acme).get(action="password_changed")
    assert (event.actor, event.target) == (cast.ada, "ada")
    assert other.get(reverse("admin:index")).status_code == 302  # the other session is over
    assert ada.get(reverse("admin:index")).status_code == 200


def test_an_admin_invites_from_the_admin(cast, ada):
    answer = ada.post(reverse("admin:accounts_invitation_add"), {"email": "new@example.com", "role": "basic"})
    assert answer.status_code == 302
    assert Invitation.objects.get().organization == cast.acme


def test_the_audit_log_can_be_read_and_not_changed(cast, ada):
    event = AuditEvent.objects.of(cast.acme).first()
    assert ada.get(reverse("admin:accounts_auditevent_change", args=[event.pk])).status_code == 200
    assert ada.post(reverse("admin:accounts_auditevent_change", args=[event.pk]), {"target": "x"}).status_code == 403
    assert ada.get(reverse("admin:accounts_auditevent_delete", args=[event.pk])).status_code == 403
    assert ada.get(reverse("admin:accounts_auditevent_add")).status_code == 403


def test_a_basic_member_of_staff_less_rank_cannot_make_an_organization(cast, ada):
    assert ada.get(reverse("admin:accounts_organization_add")).status_code == 403
    address = reverse("admin:accounts_organization_change", args=[cast.acme.pk])
    ada.post(address, {"name": "Renamed", "members_edit_context": ""})
    acme = Organization.objects.get(pk=cast.acme.pk)
    assert (acme.name, acme.members_edit_context) == ("Acme", False)


def test_staff_find_organizations_by_name_in_lists_and_where_one_is_chosen(cast, root):
    Organization.objects.create(name="Beta")
    asked = {"app_label": "datasources", "model_name": "source", "field_name": "organization", "term": "e"}
    chosen = root.get(reverse("admin:autocomplete"), asked).json()["results"]
    assert [row["text"] for row in chosen] == ["Acme", "Beta", "Globex"]
    listed = root.get(reverse("admin:accounts_organization_changelist")).context["cl"].result_list
    assert [row.name for row in listed] == ["Acme", "Beta", "Globex"]


def test_wrong_guesses_are_limited_here_too(cast):
    client = Client()
    for _ in range(5):
        client.post(reverse("admin:login"), {"username": "ada", "password": "wrong"})
    answer = client.post(reverse("admin:login"), {"username": "ada", "password": PASSWORD})
    assert answer.status_code == 200
    assert "Too many wrong passwords" in answer.content.decode()


def test_lists_need_a_fixed_number_of_queries(cast, ada, django_assert_max_num_queries):
    for index in range(30):
        User.objects.create(username=f"m{index}", organization=cast.acme)
    with django_assert_max_num_queries(8):
        ada.get(reverse("admin:accounts_user_changelist"))
