"""Putting the demo organization in: once, and again where its days have grown old. Safe to call at every start."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Organization, Role, User
from apps.accounts.services.members import member_create, organization_create
from apps.accounts.services.passwords import password_choose
from apps.core.secrets import kept_secret
from apps.datasources.models import Source, StoredFile
from apps.datasources.naming import CRM_PREFIX
from apps.datasources.services.exports import ExportRefused, export_keep
from apps.datasources.services.ingestion import Reader, ingest_file
from apps.preferences.services.contexts import keywords_replace, organization_context_update

ORGANIZATION = "Demo"
USERNAME = "demo"
FILE_NAMES = (
    *(
        f"{CRM_PREFIX}{kind}.csv"
        for kind in ("owners", "companies", "contacts", "deals", "tickets", "emails", "meetings")
    ),
    "targets.csv",
)
STALE_AFTER = timedelta(days=7)
"""The data ends on the day it was made; after so long it is made anew, up to the present day."""
CONTEXT = (
    "We sell software subscriptions to companies in four regions. A deal is won when its stage is Closed Won; "
    "the Close Date of an open deal is when its owner expects it. Targets are set for each owner and quarter."
)
KEYWORDS = {
    "Pipeline coverage": "the amount of open deals divided by what is left of the target",
    "Churned": "a company whose lifecycle stage is Former Customer",
}


@dataclass(frozen=True, slots=True)
class DemoSignIn:
    """How to sign in to the demo, and whether its files were made or renewed by this call."""

    username: str
    password: str
    loaded: bool


def present() -> bool:
    """Whether there is a demo user."""
    return User.objects.filter(username=USERNAME, organization__name=ORGANIZATION).exists()


def load(*, today: date | None = None, read: Reader | None = None) -> DemoSignIn:
    """Makes the organization, its user and its files where they are missing, and renews files that have grown old.

    First tables are read before this returns (what a kill leaves unread, a worker reads at the next start); renewed
    ones later, by a worker, while the earlier ones still answer.
    """
    password = demo_password()
    organization = Organization.objects.filter(name=ORGANIZATION).first()
    if organization is None:
        for stored in _make(password, today or timezone.localdate()):
            _read_here(stored, read)
        return DemoSignIn(USERNAME, password, loaded=True)
    user = _user(organization, password)
    renewed = _is_old(organization)
    if renewed:
        _keep(organization, user, today or timezone.localdate())
    return DemoSignIn(USERNAME, password, loaded=renewed)


def demo_password() -> str:
    """DEMO_PASSWORD, or the random one that was made on the first start and is kept beside the data."""
    return settings.DEMO_PASSWORD or kept_secret(settings.DATA_DIR / "demo_password", length=14)


def _user(organization: Organization, password: str) -> User:
    user = User.objects.filter(username=USERNAME).select_related("organization").first()
    if user is None:
        return member_create(
            organization=organization,
            username=USERNAME,
            password=password,
            email="demo@example.com",
            role=Role.ADMIN,
            temporary=False,
        )
    if not user.check_password(password):
        password_choose(user=user, password=password)
    return user


@transaction.atomic
def _make(password: str, today: date) -> list[StoredFile]:
    """Organization, user and files, all of it or nothing."""
    organization = organization_create(name=ORGANIZATION)
    user = _user(organization, password)
    organization_context_update(by=user, text=CONTEXT)
    keywords_replace(by=user, keywords=KEYWORDS)
    return _keep(organization, user, today)


def _is_old(organization: Organization) -> bool:
    made = StoredFile.objects.of(organization).filter(name__in=FILE_NAMES).order_by("-created_at").first()
    return made is not None and timezone.now() - made.created_at > STALE_AFTER


@transaction.atomic
def _keep(organization: Organization, user: User, today: date) -> list[StoredFile]:
    """Stores the files of that day, all or none. Where a member deleted one it stays away."""
    from apps.datasources.demo.dataset import make_files

    present = set(Source.objects.of(organization).values_list("file_name", flat=True))
    kept = []
    for name, content in make_files(today).items():
        if name in present or not present:
            with suppress(ExportRefused):  # somebody's own file of that name: HubSpot's, for one
                kept.append(
                    export_keep(organization=organization, owner=user, file_name=name, content=content, example=True)
                )
    return [stored for stored in kept if stored is not None]


def _read_here(stored: StoredFile, read: Reader | None) -> None:
    """Reads our own harmless file in this process: at a first start no worker runs yet."""
    from apps.analyst.tables import ingest

    ingest_file(stored.pk, read=read or ingest)
