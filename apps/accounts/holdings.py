"""Everything that is held on an organization or on a person, found by following the models' foreign keys.

It asks the app registry, so an app that is added later is covered without a word here. What a model may say of itself:

- `stored_keys`: names of its fields that hold keys of the storage; `stored_name`: the field with the file's own name
- `outlives_member`: the row belongs to the organization and only mentions the person (a foreign key set to null)

and an app of itself, in its AppConfig, as dotted paths: `discard_files` (takes keys, removes the bytes and whatever was
kept of them elsewhere), `drop_member_files` (takes a user, removes the files this person brought) and `before_deletion`
(takes the subject, gives back what is held in its name elsewhere). What it may say of an organization that is only
deactivated stands in `services.organizations`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import Q
from django.utils.module_loading import import_string

from apps.accounts.models import AuditAction, AuditEvent, Invitation, Organization, OutgoingMail, User

Subject = Organization | User
MAX_STEPS = 4


@dataclass(frozen=True, slots=True)
class Holding:
    """The rows of one model that belong to the subject."""

    model: type[models.Model]
    rows: models.QuerySet[Any]

    @property
    def label(self) -> str:
        return self.model._meta.label

    def stored(self) -> Iterator[str]:
        """The keys of the stored bytes that these rows name."""
        names: tuple[str, ...] = getattr(self.model, "stored_keys", ())
        if names:
            for row in self.rows.values_list(*names):
                yield from filter(None, row)


def holdings(subject: Subject) -> list[Holding]:
    """All rows on the subject, model by model; the subject's own row is among them."""
    found, persons = [], people(subject)
    addresses = addresses_of(persons)
    for model in (model for model in apps.get_models() if not model._meta.proxy):
        rows = models.QuerySet[Any](model)
        condition = _condition(model, subject, persons, addresses)
        if condition is not None:
            found.append(Holding(model, rows.filter(condition)))
    return found


def people(subject: Subject) -> list[User]:
    """The person, or the organization's members."""
    return [subject] if isinstance(subject, User) else list(User.objects.filter(organization=subject))


def addresses_of(users: Sequence[User]) -> list[str]:
    """Their e-mail addresses, former ones too: the log tells of them, and so may invitations and mails."""
    changes = AuditEvent.objects.filter(
        action=AuditAction.MEMBER_CHANGED, target__in=[user.username for user in users], details__has_key="email_before"
    )
    former = [str(details["email_before"]) for details in changes.values_list("details", flat=True)]
    return sorted({address for address in (*(user.email for user in users), *former) if address})


def sessions_of(users: Iterable[User]) -> list[Session]:
    """Their sessions, those of a sign-in or a reset under way among them: these know a person by id or address only."""
    marks = {mark for user in users for mark in (str(user.pk), user.email) if mark}
    return [
        session
        for session in Session.objects.iterator()
        if any(mark in json.dumps(session.get_decoded(), default=str) for mark in marks)
    ]


def hooks(name: str) -> list[Callable[[Any], Any]]:
    """The functions that apps name under `name` in their AppConfig."""
    return [import_string(path) for config in apps.get_app_configs() if (path := getattr(config, name, None))]


def _condition(model: type[models.Model], subject: Subject, persons: Sequence[User], addresses: list[str]) -> Q | None:
    """What makes a row of `model` the subject's: its shortest way there over foreign keys, or an address."""
    if isinstance(subject, model):
        return Q(pk=subject.pk)
    if model is LogEntry:
        ids = [str(user.pk) for user in persons]
        return Q(user_id__in=ids) | Q(object_id__in=[*ids, str(subject.pk)])
    found = [Q(**{path: subject.pk}) for path in _paths(model, type(subject))]
    if model is OutgoingMail:
        found.append(_any_of("recipient", addresses))
    if model is Invitation and isinstance(subject, User):
        found.append(_any_of("email", addresses))
    if not found:
        return None
    condition = found[0]
    for other in found[1:]:
        condition |= other
    return condition


def _any_of(field: str, addresses: list[str]) -> Q:
    condition = Q(pk__in=[])
    for address in addresses:
        condition |= Q(**{f"{field}__iexact": address})
    return condition


@cache
def _paths(model: type[models.Model], target: type[models.Model]) -> list[str]:
    """All shortest ways from the model to the target over forward foreign keys, as look-ups."""
    level: list[tuple[str, type[models.Model]]] = [("", model)]
    seen = {model}
    for _ in range(MAX_STEPS):
        following: list[tuple[str, type[models.Model]]] = []
        for path, at in level:
            for field in at._meta.concrete_fields:
                other = field.related_model
                if field.is_relation and isinstance(other, type) and other not in seen:
                    following.append((f"{path}__{field.name}" if path else field.name, other))
        arrived = [path for path, at in following if at is target]
        if arrived:
            return arrived
        seen |= {at for _, at in following}
        level = following
    return []
