"""Deleting an organization or a person for good: rows, stored bytes, sessions, mails on their way, and mentions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.db import connection, models, transaction
from django.db.models import Q

from apps.accounts.audit import record
from apps.accounts.holdings import Holding, Subject, addresses_of, holdings, hooks, people, sessions_of
from apps.accounts.models import AuditAction, AuditEvent, Invitation, Organization, OutgoingMail, User
from apps.accounts.services.members import member_must_not_orphan
from apps.accounts.services.organizations import staff_must_not_be_in

DELETED = "a deleted member"
"""What the audit log of an organization calls somebody who was deleted: it keeps what happened, not who it was."""

DELETED_FILE = "a deleted file"
OF_FILES = (AuditAction.SOURCE_ADDED, AuditAction.SOURCE_DELETED, AuditAction.CONTEXT_CHANGED)


@dataclass(slots=True)
class ErasureFacts:
    """What a deletion takes or would take: rows by model, and stored files."""

    rows: dict[str, int] = field(default_factory=dict)
    files: int = 0


def erasure_preview(*, subject: Subject, keep_files: bool = False) -> ErasureFacts:
    """What a deletion would take. Changes nothing; raises Conflict where the deletion would be refused."""
    _may_go(subject)
    taken = [holding for holding in holdings(subject) if _goes(holding, subject, keep_files)]
    return ErasureFacts(
        {holding.label: number for holding in taken if (number := holding.rows.count())},
        len({key for holding in taken for key in holding.stored()}),
    )


def erasure_files(*, subject: Subject, keep_files: bool = False) -> list[str]:
    """The names of the stored files that a deletion would take, as people gave them."""
    named = [
        (holding.rows, name)
        for holding in holdings(subject)
        if (name := getattr(holding.model, "stored_name", "")) and _goes(holding, subject, keep_files)
    ]
    return sorted(str(name) for rows, field in named for name in rows.values_list(field, flat=True))


def holds_elsewhere(user: User) -> bool:
    """Whether a deletion would take something that another organization than the member's has."""
    for holding in holdings(user):
        path = getattr(holding.model, "tenant_path", "organization")
        known = path.split("__")[0] in {found.name for found in holding.model._meta.concrete_fields}
        if known and _goes(holding, user, keep_files=False):
            others = holding.rows.exclude(**{path: user.organization_id}).exclude(**{f"{path}__isnull": True})
            if others.exists():
                return True
    return False


def organization_delete(*, organization: Organization, actor: User | None = None) -> ErasureFacts:
    """The organization with its members and everything it holds. Raises Conflict where staff are members of it."""
    facts = erasure_preview(subject=organization)
    _forget_deleted_pages()
    with transaction.atomic():
        _announce(organization)
        members = people(organization)
        keys = [key for holding in holdings(organization) for key in holding.stored()]
        _outside(organization, members)
        _mentions(members, files_go=True)
        known_as = str(organization.pk)
        organization.delete()
        record(AuditAction.ORGANIZATION_DELETED, organization=None, actor=actor, target=known_as, members=len(members))
        transaction.on_commit(partial(_discard, keys))
    _empty_log()
    return facts


def member_delete(*, user: User, keep_files: bool = False, actor: User | None = None) -> ErasureFacts:
    """The person with everything they brought and wrote; with `keep_files` their files stay with the organization.

    Raises Conflict for the last admin of an organization: it could not be managed any more.
    """
    facts = erasure_preview(subject=user, keep_files=keep_files)
    _forget_deleted_pages()
    organization = user.organization
    with transaction.atomic():
        _announce(user)
        taken = [holding for holding in holdings(user) if _goes(holding, user, keep_files)]
        keys = [key for holding in taken for key in holding.stored()]
        if not keep_files:
            for drop in hooks("drop_member_files"):
                drop(user)
        _outside(user, [user])
        for holding in taken:
            if holding.model is not User:
                holding.rows.delete()
        _mentions([user], files_go=not keep_files)
        user.delete()
        record(AuditAction.MEMBER_DELETED, organization=organization, actor=actor, target=DELETED)
        transaction.on_commit(partial(_discard, keys))
    _empty_log()
    return facts


def _announce(subject: Subject) -> None:
    """Tells the apps that hold something of the subject elsewhere, while it can still be read."""
    for told in hooks("before_deletion"):
        told(subject)


def _may_go(subject: Subject) -> None:
    if isinstance(subject, User):
        member_must_not_orphan(subject)
    else:
        staff_must_not_be_in(subject)


def _goes(holding: Holding, subject: Subject, keep_files: bool) -> bool:
    """Whether the rows go with the subject, or only lose their mention of it."""
    if isinstance(subject, Organization):
        return True
    if getattr(holding.model, "outlives_member", False):
        return False
    return not (keep_files and _is_of_files(holding.model))


def _is_of_files(model: type[models.Model]) -> bool:
    """Holds stored bytes, or hangs on something that does."""
    related = (found.related_model for found in model._meta.concrete_fields if found.is_relation)
    return hasattr(model, "stored_keys") or any(hasattr(other, "stored_keys") for other in related)


def _outside(subject: Subject, members: Sequence[User]) -> None:
    """What knows the members, but by no foreign key."""
    for session in sessions_of(members):
        session.delete()
    UserSession.objects.filter(user__in=members).delete()
    for address in addresses_of(members):
        OutgoingMail.objects.filter(recipient__iexact=address).delete()
        Invitation.objects.filter(email__iexact=address).delete()
    ids = [str(row) for holding in holdings(subject) for row in holding.rows.values_list("pk", flat=True)]
    for start in range(0, len(ids), 500):
        LogEntry.objects.filter(object_id__in=ids[start : start + 500]).delete()


def _mentions(members: Sequence[User], *, files_go: bool) -> None:
    """Names and addresses in audit events that stay. The one place where the log is not only added to."""
    events = models.QuerySet[AuditEvent](AuditEvent)
    for user in members:
        names = [user.username, *addresses_of([user])]
        theirs = events.filter(Q(actor=user) | Q(actor_name__iexact=user.username))
        if files_go:
            theirs.filter(action__in=OF_FILES).update(target=DELETED_FILE)
        theirs.update(actor=None, actor_name=DELETED, address=None)
        for name in names:
            events.filter(target__iexact=name).update(target=DELETED, details={}, address=None)
        events.filter(details__owner=user.username).update(details={"owner": DELETED})


def _discard(keys: list[str]) -> None:
    for discard in hooks("discard_files"):
        discard(keys)


def _forget_deleted_pages() -> None:
    """SQLite leaves deleted words in its free pages unless it is told to overwrite them."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def _empty_log() -> None:
    """The write-ahead log holds the earlier pages until it is written back."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
