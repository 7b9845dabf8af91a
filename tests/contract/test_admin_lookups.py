"""The administration's addresses ask for what its filters ask, and for no other field or look-up of any model."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import SuspiciousOperation
from django.db import models
from django.test import RequestFactory
from django.urls import reverse

from tests.cast import enter
from tests.contract.world import plant

DEAR = ("regex", "iregex", "contains", "icontains", "startswith", "istartswith", "endswith", "iexact", "in", "search")
SECRETS = ("password", "digest", "key", "token", "sealed", "secret", "credentials", "session_data")
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label_lower)


def fields_of(model: type[models.Model], steps: int = 2) -> list[str]:
    """The names by which a look-up reaches every field of a model and of those it points to."""
    found: list[str] = []
    for field in model._meta.get_fields():
        found.append(field.name)
        if field.is_relation and field.related_model and steps > 1:
            found += [f"{field.name}__{inner}" for inner in fields_of(field.related_model, steps - 1)]
    return found


@pytest.fixture
def requests(cast: Any) -> list[Any]:
    made = []
    for user in (cast.ada, cast.gia):
        request = RequestFactory().get("/")
        request.user = user
        made.append(request)
    cast.gia.is_superuser = True
    return made


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_field_of_any_model_can_be_searched_by_pattern_or_read_letter_by_letter(model, requests):
    shown = admin.site._registry[model]
    for request in requests:
        for name in fields_of(model):
            for lookup in DEAR:
                assert not shown.lookup_allowed(f"{name}__{lookup}", "(a+)+$", request), f"{name}__{lookup}"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_field_that_holds_a_secret_can_be_asked_for_at_all(model, requests):
    shown = admin.site._registry[model]
    secret = [name for name in fields_of(model) if any(word in name.rsplit("__", 1)[-1] for word in SECRETS)]
    for request in requests:
        for name in secret:
            for lookup in ("", "__exact", "__gte", "__lt", "__isnull"):
                assert not shown.lookup_allowed(f"{name}{lookup}", "x", request), f"{name}{lookup}"


def test_an_address_with_a_nested_quantifier_is_refused_before_anything_is_searched(cast):
    client = enter("ada")
    members = reverse("admin:accounts_user_changelist")
    for query in ("name__regex=(a%2B)%2B%24", "password__contains=a", "organization__name__regex=a", "name__exact=a"):
        assert client.get(f"{members}?{query}").status_code == 400, query


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_every_choice_of_every_filter_still_works(model, cast):
    plant(cast.acme, cast.ana, "Acme's")
    cast.gia.is_superuser = True
    cast.gia.save()
    shown = admin.site._registry[model]
    for user in (cast.ada, cast.gia):
        request = RequestFactory().get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"))
        request.user = user
        if not shown.has_view_permission(request):
            continue
        changes = shown.get_changelist_instance(request)
        for spec in changes.filter_specs:
            for choice in spec.choices(changes):
                query = choice["query_string"]
                asked = RequestFactory().get(f"{request.path}{query}")
                asked.user = user
                try:
                    list(shown.get_changelist_instance(asked).get_queryset(asked)[:1])
                except (SuspiciousOperation, IncorrectLookupParameters) as error:
                    pytest.fail(f"{query}: {error}")


ENDLESS = (
    "q=" + "+".join(f"w{n}" for n in range(2_000)),
    "q=" + "x" * 60_000,
    "created_at__year=1&created_at__month=99999999999",
    "created_at__day=" + "9" * 5_000,
    "created_at__gte=" + "9" * 5_000,
    "role__exact=" + "x" * 60_000,
    "organization__id__exact=" + "9" * 400,
    "is_active__exact=" + "1" * 400,
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_search_and_no_value_makes_a_list_fall_over(model, cast):
    cast.ada.is_superuser = True
    cast.ada.save()
    client = enter("ada")
    client.raise_request_exception = False
    page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    answers = {query[:40]: client.get(f"{page}?{query}").status_code for query in ENDLESS}
    assert {query: status for query, status in answers.items() if status >= 500} == {}


NO_IDS = ("zz", "", "\x00", "-1", "9" * 5_000, "1e9", "\u0661", "' OR 1=1")


@pytest.mark.parametrize("staff", [False, True], ids=["admin", "staff"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_action_falls_over_ids_that_are_none_and_each_says_that_nothing_is_chosen(model, staff, cast):
    cast.ada.is_superuser = staff
    cast.ada.save()
    client = enter("ada")
    client.raise_request_exception = False
    page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    request = RequestFactory().get(page)
    request.user = cast.ada
    for action in admin.site._registry[model].get_actions(request):
        for chosen in (*NO_IDS, list(NO_IDS)):
            answer = client.post(page, {"action": action, "_selected_action": chosen}, follow=True)
            assert answer.status_code in (200, 403), (action, chosen)
            if answer.status_code == 200:
                assert "No items have been changed" in answer.content.decode(), (action, chosen)


def test_a_garbled_id_beside_good_ones_does_not_keep_an_action_from_these(cast):
    chosen = {"action": "deactivate", "confirmed": "yes", "_selected_action": ["zz", str(cast.ana.pk)]}
    enter("ada").post(reverse("admin:accounts_user_changelist"), chosen)
    cast.ana.refresh_from_db()
    assert not cast.ana.is_active


def test_a_search_for_too_many_words_finds_nothing_and_says_why(cast):
    page = enter("ada").get(reverse("admin:accounts_user_changelist"), {"q": "a " * 13}).content.decode()
    assert "at most 12 words" in page
    assert "ana@example.com" not in page


def test_there_is_no_way_from_the_id_of_a_row_to_a_page_of_the_site(cast):
    client = enter("ada")
    client.raise_request_exception = False
    assert {client.get(f"/admin/r/{kind}/zz/").status_code for kind in range(1, 30)} == {404}
