"""`manage.py organization VERB`: organizations, for staff."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from django.db.models import Count

from apps.accounts.management.staff import StaffCommand, delete_arguments, export_arguments, organization_named
from apps.accounts.models import Organization
from apps.accounts.services.erasure import erasure_preview, organization_delete
from apps.accounts.services.exports import export_write
from apps.accounts.services.members import organization_create
from apps.accounts.services.organizations import (
    organization_activate,
    organization_deactivate,
    organization_stops,
)


class Command(StaffCommand):
    help = "Create, list, deactivate, export and delete organizations."
    verbs: ClassVar[dict[str, str]] = {
        "create": "Make a new, empty organization.",
        "list": "List the organizations with their members' number.",
        "deactivate": "Sign an organization's members out, refuse them, and stop its work; nothing is deleted.",
        "activate": "Let an organization's members sign in again and its work go on.",
        "export": "Write everything held on an organization into a zip: JSON, CSV and the files.",
        "delete": "Delete an organization with its members and everything it holds, for good.",
    }

    def arguments_create(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")

    def do_create(self, *, name: str, **_: Any) -> dict[str, Any]:
        made = organization_create(name=name)
        return {"organization": made.name, "id": made.pk}

    def do_list(self, **_: Any) -> list[dict[str, Any]]:
        rows = Organization.objects.annotate(number=Count("members")).order_by("name")
        return [
            {"organization": row.name, "id": row.pk, "members": row.number, "active": row.is_active} for row in rows
        ]

    def _by_name(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")

    arguments_deactivate = arguments_activate = _by_name

    def do_deactivate(self, *, name: str, **_: Any) -> dict[str, Any]:
        organization = organization_named(name)
        stops = organization_stops(organization)
        organization_deactivate(organization=organization)
        return {"organization": organization.name, "active": False, **stops}

    def do_activate(self, *, name: str, **_: Any) -> dict[str, Any]:
        organization = organization_named(name)
        organization_activate(organization=organization)
        return {"organization": organization.name, "active": True}

    def arguments_export(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        export_arguments(parser)

    def do_export(self, *, name: str, path: str, **_: Any) -> dict[str, Any]:
        return asdict(export_write(subject=organization_named(name), path=Path(path)))

    def arguments_delete(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        delete_arguments(parser)

    def do_delete(self, *, name: str, dry_run: bool, **_: Any) -> dict[str, Any]:
        organization = organization_named(name)
        facts = erasure_preview(subject=organization) if dry_run else organization_delete(organization=organization)
        return {"organization": name, "deleted": not dry_run, **asdict(facts)}
