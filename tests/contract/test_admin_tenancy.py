"""The Django admin in the matrix: every page of every model, for everyone who might call it, with foreign ids."""

from __future__ import annotations

import re
import uuid

import pytest
from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse

from apps.accounts.models import AuditEvent, Organization, User
from apps.accounts.site import TenantAdmin
from apps.core.parked import park
from apps.feedback.models import Feedback
from apps.integrations.models import SlackLink
from apps.threads.models import Thread
from tests.cast import cookie_client, enter, page_of
from tests.contract.world import plant, routes

MARKER = "Zanzibar"
METHODS = ("get", "head", "options", "post", "put", "patch", "delete")
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label_lower)
NAMES = [f"{model._meta.app_label}_{model._meta.model_name}" for model in MODELS]
MODEL_OF = dict(zip(NAMES, MODELS, strict=True))
HEX = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")


@pytest.fixture
def world(cast):
    """Globex full of marked data, with one of everything the admin shows; Acme has its own."""
    plant(cast.globex, cast.gus, MARKER)
    Feedback.objects.create(organization=cast.globex, author=cast.gus, text=f"{MARKER} feedback")
    AuditEvent.objects.create(organization=cast.globex, action="signed_in", target=f"{MARKER} target", actor=cast.gus)
    park("threads.answer_run", "questions", [f"{MARKER} run"], f"{MARKER} failure")
    plant(cast.acme, cast.ben, "Acme's")
    Feedback.objects.create(organization=cast.acme, author=cast.ben, text="Acme's feedback")
    return cast


def pages(name: str, pk: object) -> list[str]:
    one = [reverse(f"admin:{name}_{view}", args=[pk]) for view in ("change", "delete", "history")]
    return [reverse(f"admin:{name}_changelist"), reverse(f"admin:{name}_add"), *one]


def foreign_id(name: str, world) -> object:
    """An id of a row of Globex."""
    model = MODEL_OF[name]
    if name == "accounts_organization":
        return world.globex.pk
    if admin.site._registry[model].staff_only:  # of no organization: nobody's admin may see it
        return model._default_manager.values_list("pk", flat=True)[0]
    path = getattr(model, "tenant_path", "organization")
    return model._default_manager.filter(**{path: world.globex}).values_list("pk", flat=True)[0]


def test_every_model_of_the_admin_is_kept_to_its_organization():
    assert [model for model, shown in admin.site._registry.items() if not isinstance(shown, TenantAdmin)] == []


def addresses(world) -> list[str]:
    """Every route of the admin, as the URL configuration spells it, with ids of Globex in the places for ids."""
    filled = []
    for route in (route for route in routes() if route.startswith("admin/")):
        name = route.removeprefix("admin/").split("/<path:object_id>")[0].replace("/", "_")
        pk = str(foreign_id(name, world)) if name in MODEL_OF else str(uuid.uuid4())
        kind = str(ContentType.objects.get_for_model(Thread).pk)
        path = route.replace("<path:object_id>", pk).replace("<path:content_type_id>", kind)
        path = re.sub(r"\^?\(\?P<app_label>.*?\)/\$", "threads/", path)
        filled.append("/" + re.sub(r"\(\?P<url>.*?\)\$", "nowhere/", path))
    return filled


def test_every_route_of_the_admin_is_closed_to_visitors_members_and_the_deactivated(world):
    deactivated = enter("gia")
    User.objects.filter(pk=world.gia.pk).update(is_active=False)
    member, other = cookie_client(world.ben), cookie_client(world.gus)
    found = addresses(world)
    assert not [address for address in found if "<" in address or "(" in address]
    assert len(found) > 5 * len(NAMES)
    for client in (Client(), member, other, deactivated):
        must_be_closed_to(client, found)
    assert User.objects.filter(pk=world.gus.pk).exists()


def test_every_route_of_the_admin_is_closed_to_the_admins_of_a_deactivated_organization(world):
    gia = enter("gia")
    found = addresses(world)
    Organization.objects.filter(pk=world.globex.pk).update(is_active=False)
    must_be_closed_to(gia, found)
    assert User.objects.filter(pk=world.gus.pk).exists()


def must_be_closed_to(client: Client, found: list[str]) -> None:
    for address in found:
        for method in METHODS:
            answer = getattr(client, method)(address)
            open_to_all = address in ("/admin/login/", "/admin/logout/", "/admin/jsi18n/")
            assert answer.status_code in ((200, 302, 403, 405) if open_to_all else (302, 403)), (address, method)
            assert MARKER not in answer.content.decode()


def test_no_route_of_the_admin_tells_another_organizations_admin_anything(world):
    ada = enter("ada")
    before = {name: list(MODEL_OF[name]._base_manager.filter(pk=foreign_id(name, world)).values()) for name in NAMES}
    for address in addresses(world):
        for method in ("head", "options", "put", "patch", "delete"):  # get and post: with absent ids beside them, below
            if address != "/admin/logout/":
                answer = getattr(ada, method)(address)
                assert answer.status_code < 500, (address, method)
                assert MARKER not in answer.content.decode(), (address, method)
    after = {name: list(MODEL_OF[name]._base_manager.filter(pk=foreign_id(name, world)).values()) for name in NAMES}
    assert after == before


@pytest.mark.parametrize("name", NAMES)
def test_foreign_rows_answer_another_organizations_admin_as_absent_ones_do(world, name):
    ada = enter("ada")
    foreign = foreign_id(name, world)
    before = list(MODEL_OF[name]._base_manager.filter(pk=foreign).values())
    for theirs, nothing in zip(pages(name, foreign), pages(name, uuid.uuid4()), strict=True):
        for method in ("get", "post"):
            answers = [getattr(ada, method)(address) for address in (theirs, nothing)]
            told = [HEX.sub("an id", page_of(answer)) for answer in answers]
            assert answers[0].status_code == answers[1].status_code, (theirs, method)
            assert MARKER not in told[0], theirs
            assert "Globex" not in told[0], theirs
            assert "gus" not in told[0], theirs
    assert list(MODEL_OF[name]._base_manager.filter(pk=foreign).values()) == before


@pytest.mark.parametrize("name", NAMES)
def test_neither_search_nor_filter_nor_action_reaches_a_foreign_row(world, name):
    ada = enter("ada")
    address = reverse(f"admin:{name}_changelist")
    shown = ada.get(address)
    staff_only = admin.site._registry[MODEL_OF[name]].staff_only
    assert shown.status_code == (403 if staff_only else 200)
    for query in (f"?q={MARKER}", f"?organization__id__exact={world.globex.pk}", f"?organization__name={MARKER}"):
        answer = ada.get(address + query)
        assert answer.status_code in ((403,) if staff_only else (200, 302, 400))
        found = answer.content.decode().replace(query[3:], "")
        assert "Zanzibar plan" not in found
        assert str(foreign_id(name, world)) not in found
    foreign = foreign_id(name, world)
    ada.post(address, {"action": "delete_selected", "_selected_action": [str(foreign)], "post": "yes"})
    assert MODEL_OF[name]._base_manager.filter(pk=foreign).exists()


@pytest.mark.parametrize("name", NAMES)
def test_lists_do_not_ask_once_a_row(world, name, django_assert_max_num_queries):
    for index in range(20):
        Thread.objects.create(organization=world.acme, owner=world.ben, summary=f"t{index}")
        Feedback.objects.create(organization=world.acme, author=world.ben, text=f"f{index}")
        User.objects.create(username=f"m{index}", organization=world.acme)
    ada = enter("ada")
    with django_assert_max_num_queries(12):
        ada.get(reverse(f"admin:{name}_changelist"))


def test_autocompletes_offer_nothing_foreign(world):
    ada = enter("ada")
    for field, model in (("owner", "thread"), ("author", "feedback"), ("organization", "source")):
        app = {"thread": "threads", "feedback": "feedback", "source": "datasources"}[model]
        answer = ada.get(
            reverse("admin:autocomplete"),
            {"app_label": app, "model_name": model, "field_name": field, "term": "g"},
        )
        assert answer.status_code in (403, 404) or answer.json()["results"] == []


def test_the_first_page_counts_the_own_organization_only(world):
    page = page_of(enter("ada").get(reverse("admin:index")))
    for label in (
        "Active members",
        "Sources ready",
        "Questions in 7 days",
        "Asked back",
        "Declined",
        "Rated good",
        "Connected tabs",
        "Usage by member",
        "Answers by week",
    ):
        assert label in page, label
    assert ">ben<" in page
    for foreign in ("gus", "Globex", MARKER):
        assert foreign not in page


def test_opening_a_conversation_is_written_down_and_the_list_holds_no_words(world):
    ada = enter("ada")
    thread = Thread.objects.of(world.acme).get(deleted_at=None)
    listed = ada.get(reverse("admin:threads_thread_changelist")).content.decode()
    assert "Acme&#x27;s" not in listed
    assert not AuditEvent.objects.of(world.acme).filter(action="conversation_read").exists()
    opened = ada.get(reverse("admin:threads_thread_change", args=[thread.pk])).content.decode()
    assert "Acme&#x27;s answer" in opened
    event = AuditEvent.objects.of(world.acme).get(action="conversation_read")
    assert (event.actor_name, event.target, event.details) == ("ada", str(thread.pk), {"owner": "ben"})


def test_a_foreign_conversation_leaves_no_trace_of_reading(world):
    foreign = Thread.objects.of(world.globex).get(deleted_at=None)
    enter("ada").get(reverse("admin:threads_thread_change", args=[foreign.pk]))
    assert not AuditEvent.objects.filter(action="conversation_read").exists()


def test_the_context_is_changed_as_in_the_product(world):
    ada = enter("ada")
    context = world.acme.context
    address = reverse("admin:preferences_organizationcontext_change", args=[context.pk])
    answer = ada.post(address, {"text": "We sell boats.", "words": "ARR: annual recurring revenue\n\nNRR: net: all"})
    assert answer.status_code == 302
    context.refresh_from_db()
    assert context.text == "We sell boats."
    assert context.keywords == [["ARR", "annual recurring revenue"], ["NRR", "net: all"]]
    assert AuditEvent.objects.of(world.acme).filter(action="context_changed", actor=world.ada).count() == 2
    wrong = ada.post(address, {"text": "x", "words": "no definition"})
    assert "is not a keyword" in wrong.content.decode()


def test_deleting_a_source_in_the_admin_names_who_did_it(world):
    ada = enter("ada")
    source = world.acme.sources.get()
    ada.post(reverse("admin:datasources_source_delete", args=[source.pk]), {"post": "yes"})
    event = AuditEvent.objects.of(world.acme).get(action="source_deleted")
    assert (event.actor_name, event.target) == ("ada", source.file_name)


def test_an_admin_takes_a_slack_link_away_and_it_is_written_down(world):
    ada = enter("ada")
    link = SlackLink.objects.of(world.acme).get()
    ada.post(reverse("admin:integrations_slacklink_delete", args=[link.pk]), {"post": "yes"})
    assert not SlackLink.objects.of(world.acme).exists()
    assert SlackLink.objects.of(world.globex).exists()
    event = AuditEvent.objects.of(world.acme).get(action="disconnected")
    assert (event.actor_name, event.target) == ("ada", "Slack user Acme's in Slack")


def test_connected_tabs_are_shown_with_whom_they_came_from_and_disconnected(world):
    ada = enter("ada")
    page = ada.get(reverse("admin:integrations_sheettab_changelist")).content.decode()
    assert "Acme&#x27;s tab" in page
    assert ">ben<" in page
    tab = world.acme.sheet_tabs.get()
    ada.post(reverse("admin:integrations_sheettab_delete", args=[tab.pk]), {"post": "yes"})
    assert not world.acme.sheet_tabs.exists()
    assert not world.acme.sources.exists()
    assert world.globex.sheet_tabs.exists()
    assert AuditEvent.objects.of(world.acme).get(action="source_deleted").actor == world.ada
