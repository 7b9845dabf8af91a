"""A prepared read gives what its query set gives, and makes its SQL once."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import BooleanField, CharField, DateTimeField, UUIDField
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Organization, User
from apps.core.prepared import Prepared
from apps.threads.models import Run, RunState, Thread
from apps.threads.services.questions import question_ask
from tests.apps.conftest import Cast

pytestmark = pytest.mark.django_db


def test_rows_are_the_models_that_the_query_set_gives_with_what_they_refer_to(cast: Cast) -> None:
    members = Prepared(
        lambda user: User.objects.select_related("organization").filter(pk=user, is_active=True), user=UUIDField()
    )
    wanted = User.objects.select_related("organization").get(pk=cast.ana.pk)
    with CaptureQueriesContext(connection) as queries:
        found = members.first(user=str(cast.ana.pk))
        assert found is not None
        assert found.organization == cast.acme
    assert len(queries) == 1
    for field in User._meta.concrete_fields:
        assert getattr(found, field.attname) == getattr(wanted, field.attname)
    assert found.organization.created_at == wanted.organization.created_at
    assert not found._state.adding
    assert members.first(user=cast.ben.pk) == cast.ben
    assert members.first(user=uuid.uuid4()) is None


def test_who_refers_to_nothing_has_nothing(cast: Cast) -> None:
    members = Prepared(lambda user: User.objects.select_related("organization").filter(pk=user), user=UUIDField())
    User.objects.filter(pk=cast.ana.pk).update(organization=None)
    with CaptureQueriesContext(connection) as queries:
        found = members.first(user=cast.ana.pk)
        assert found is not None
        assert found.organization is None
    assert len(queries) == 1


def test_values_come_as_python_keeps_them(cast: Cast) -> None:
    run = question_ask(member=cast.ana, prompt="How many deals are there?")
    Run.objects.filter(pk=run.pk).update(steps=[{"label": "Reading", "detail": "ü"}], data_sources=["deals.csv"])
    runs = Prepared(lambda thread: Run.objects.filter(thread_id=thread), thread=UUIDField())
    (found,) = runs.rows(thread=run.thread_id)
    assert (found.pk, found.steps, found.data_sources) == (
        run.pk,
        [{"label": "Reading", "detail": "ü"}],
        ["deals.csv"],
    )
    assert found.created_at == Run.objects.get(pk=run.pk).created_at
    lines = Prepared(
        lambda owner: Thread.objects.filter(owner=owner).values_list("id", "updated_at", "archived"), owner=UUIDField()
    )
    assert lines.rows(owner=cast.ana.pk) == list(Thread.objects.values_list("id", "updated_at", "archived"))
    assert lines.rows(owner=cast.gus.pk) == []


def test_moments_and_texts_are_parameters_too_and_constants_stay(cast: Cast) -> None:
    since = Prepared(
        lambda moment, name: Organization.objects.filter(created_at__gt=moment, name=name).exclude(name="Nobody"),
        moment=DateTimeField(),
        name=CharField(),
    )
    assert since.rows(moment=timezone.now() - timedelta(hours=1), name="Acme") == [cast.acme]
    assert since.rows(moment=datetime(2999, 1, 1, tzinfo=UTC), name="Acme") == []
    assert since.rows(moment=timezone.now() - timedelta(hours=1), name="Nobody") == []


def test_the_query_is_made_once_and_read_anew_each_time(cast: Cast) -> None:
    made = []

    def unfinished(owner: uuid.UUID) -> object:
        made.append(owner)
        return Run.objects.filter(thread__owner=owner, state=RunState.QUEUED)

    runs = Prepared(unfinished, owner=UUIDField())  # type: ignore[arg-type]
    assert runs.rows(owner=cast.ana.pk) == []
    run = question_ask(member=cast.ana, prompt="How many deals are there?")
    assert runs.rows(owner=cast.ana.pk) == [run]
    assert runs.rows(owner=cast.ben.pk) == []
    assert len(made) == 1


def test_what_cannot_be_prepared_is_refused() -> None:
    unused = Prepared(lambda name: Organization.objects.all(), name=CharField())
    with pytest.raises(ValueError, match="does not use name"):
        unused.rows(name="Acme")
    flags = Prepared(lambda flag: Organization.objects.filter(members_edit_context=flag), flag=BooleanField())
    with pytest.raises(TypeError, match="BooleanField"):
        flags.rows(flag=True)
    deep = Prepared(
        lambda run: Run.objects.select_related("thread__organization").filter(pk=run),
        run=UUIDField(),
    )
    with pytest.raises(ValueError, match="refers to itself"):
        deep.rows(run=uuid.uuid4())
