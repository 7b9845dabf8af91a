"""The admin's first page: an organization's figures at a glance.

Each app offers its own figures (from its `admin` module, which Django loads with the site), so that this lowest app
needs to know none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.formats import date_format

from apps.accounts.models import AuditAction, AuditEvent, Invitation, Organization, User

ABSENT = "–"
"""What stands where there is no value (as in the product's own tables)."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure with what it counts. `url_name` is the admin page behind it, `query` narrows that page."""

    label: str
    value: str
    url_name: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Figures that belong together."""

    title: str
    figures: Sequence[Figure]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table of members: its title, its value by the member's id, and what the others show."""

    title: str
    values: dict[object, str]
    absent: str = "0"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of its own: heads, and rows whose first cell names them."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


Figures = Callable[[Organization | None], Sequence[Figure]]
Columns = Callable[[Organization], Sequence[Column]]
Tables = Callable[[Organization | None], Table]

_sections: dict[str, Figures] = {}
_columns: dict[str, Columns] = {}
_tables: dict[str, Tables] = {}


def offer(title: str, figures: Figures, columns: Columns | None = None, table: Tables | None = None) -> None:
    """Adds a section to the page, columns to the table of members, and a table. `None` stands for all organizations."""
    if table is not None:
        _tables[title] = table
    _sections[title] = figures
    if columns is not None:
        _columns[title] = columns


def sections(organization: Organization | None) -> list[Section]:
    """All figures of an organization, or of the whole product for staff."""
    return [Section(title, figures(organization)) for title, figures in _sections.items()]


def usage(organization: Organization) -> tuple[list[str], list[list[str]]]:
    """Who used how much: titles, and a row for each member with the name first."""
    columns = [column for offered in _columns.values() for column in offered(organization)]
    members = User.objects.filter(organization=organization).order_by("username")
    rows = [
        [member.username, *(column.values.get(member.pk, column.absent) for column in columns)] for member in members
    ]
    return [column.title for column in columns], rows


def tables(organization: Organization | None) -> list[Table]:
    """The tables that have rows."""
    return [made for made in (table(organization) for table in _tables.values()) if made.rows]


def number(value: int | None) -> str:
    """A count as the page shows it."""
    return f"{value or 0:,}"


def seconds(value: float | None) -> str:
    """A mean of times as the page shows it; of nothing there is none."""
    return ABSENT if value is None else f"{value:.1f}\N{NO-BREAK SPACE}s"


def moment(value: datetime) -> str:
    """A moment as all pages of the administration write it, with its time zone."""
    return date_format(timezone.localtime(value), "DATETIME_FORMAT")


def day(value: datetime) -> str:
    """A day as all pages of the administration write it."""
    return date_format(timezone.localtime(value), "DATE_FORMAT")


def size(value: int) -> str:
    """Bytes as the product's own screens write them (assets/lib/format.ts): 820 B, 12 kB, 3.4 MB."""
    amount, unit = float(value), "B"
    for larger in ("kB", "MB", "GB"):
        if amount < (1000 if unit == "B" else 999.5):
            break
        amount, unit = amount / 1000, larger
    shown = f"{amount:.1f}".removesuffix(".0") if unit != "B" and amount < 9.95 else f"{amount:.0f}"
    return f"{shown}\N{NO-BREAK SPACE}{unit}"


def member_figures(organization: Organization | None) -> list[Figure]:
    """People: how many, who waits, and what went wrong at the door."""
    mine = {} if organization is None else {"organization": organization}
    people = User.objects.filter(**mine).aggregate(
        active=Count("pk", filter=Q(is_active=True)),
        gone=Count("pk", filter=Q(is_active=False)),
        temporary=Count("pk", filter=Q(is_active=True, must_change_password=True)),
    )
    now = timezone.now()
    waiting = Invitation.objects.filter(**mine, accepted_at=None, expires_at__gt=now).count()
    failed = AuditEvent.objects.filter(
        **mine, action=AuditAction.SIGN_IN_FAILED, created_at__gt=now - timedelta(days=1)
    ).count()
    shown = [
        Figure("Active members", number(people["active"]), "admin:accounts_user_changelist", "is_active__exact=1"),
        Figure("Deactivated", number(people["gone"]), "admin:accounts_user_changelist", "is_active__exact=0"),
        Figure(
            "With a temporary password",
            number(people["temporary"]),
            "admin:accounts_user_changelist",
            "is_active__exact=1&temporary=yes",
        ),
        Figure("Open invitations", number(waiting), "admin:accounts_invitation_changelist", "state=open"),
        Figure(
            "Failed sign-ins in 24 hours",
            number(failed),
            "admin:accounts_auditevent_changelist",
            f"action__exact={AuditAction.SIGN_IN_FAILED}",
        ),
    ]
    if organization is None:
        shown.append(Figure("Open sessions", number(Session.objects.filter(expire_date__gt=now).count())))
    return shown


offer("Members", member_figures)
