"""`manage.py member VERB`: the members of organizations, for staff."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from apps.accounts.management.staff import (
    StaffCommand,
    delete_arguments,
    export_arguments,
    organization_named,
    user_named,
)
from apps.accounts.models import Role, User
from apps.accounts.services import members
from apps.accounts.services.erasure import erasure_preview, member_delete
from apps.accounts.services.exports import export_write
from apps.accounts.services.sessions import sessions_end

ROLES = [role.value for role in Role]


class Command(StaffCommand):
    help = "Create, change and send away members."
    verbs: ClassVar[dict[str, str]] = {
        "create": "Make a member with a random temporary password, which is told once.",
        "invite": "Send an invitation by e-mail, in the name of one of the organization's admins.",
        "list": "List members.",
        "role": "Give a member another role.",
        "move": "Move a member to another organization; what they made stays behind.",
        "deactivate": "Sign a member out at once and refuse further sign-ins.",
        "activate": "Allow a member to sign in again.",
        "password": "Set a random temporary password, which is told once; all sessions end.",
        "sessions": "End all sessions of a member.",
        "export": "Write everything held on a member into a zip: JSON, CSV and the files.",
        "delete": "Delete a member with everything they brought and wrote, for good.",
    }

    def arguments_create(self, parser: ArgumentParser) -> None:
        parser.add_argument("organization")
        parser.add_argument("username")
        parser.add_argument("--email", default="")
        parser.add_argument("--name", default="", help="How the product addresses the member.")
        parser.add_argument("--role", choices=ROLES, default=Role.BASIC.value)

    def do_create(
        self, *, organization: str, username: str, email: str, name: str, role: str, **_: Any
    ) -> dict[str, Any]:
        password = members.temporary_password()
        user = members.member_create(
            organization=organization_named(organization),
            username=username,
            password=password,
            email=email,
            name=name,
            role=Role(role),
        )
        return {**_facts(user), "temporary_password": password}

    def arguments_invite(self, parser: ArgumentParser) -> None:
        parser.add_argument("admin", help="User name of the admin who invites.")
        parser.add_argument("email")
        parser.add_argument("--role", choices=ROLES, default=Role.BASIC.value)

    def do_invite(self, *, admin: str, email: str, role: str, **_: Any) -> dict[str, Any]:
        invitation = members.member_invite(actor=user_named(admin), email=email, role=Role(role))
        return {"email": invitation.email, "role": invitation.role, "expires_at": invitation.expires_at}

    def arguments_list(self, parser: ArgumentParser) -> None:
        parser.add_argument("organization", nargs="?", default="")

    def do_list(self, *, organization: str, **_: Any) -> list[dict[str, Any]]:
        rows = User.objects.select_related("organization").order_by("organization__name", "username")
        return [
            _facts(user)
            for user in (rows.filter(organization=organization_named(organization)) if organization else rows)
        ]

    def arguments_role(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("role", choices=ROLES)

    def do_role(self, *, username: str, role: str, **_: Any) -> dict[str, Any]:
        user = user_named(username)
        members.member_set_role(actor=None, user=user, role=Role(role))
        return _facts(user)

    def arguments_move(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("organization")

    def do_move(self, *, username: str, organization: str, **_: Any) -> dict[str, Any]:
        user = user_named(username)
        members.member_move(user=user, organization=organization_named(organization))
        return _facts(user)

    def _by_name(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    arguments_deactivate = arguments_activate = arguments_password = arguments_sessions = _by_name

    def do_deactivate(self, *, username: str, **_: Any) -> dict[str, Any]:
        user = user_named(username)
        members.member_deactivate(actor=None, user=user)
        return _facts(user)

    def do_activate(self, *, username: str, **_: Any) -> dict[str, Any]:
        user = user_named(username)
        members.member_activate(actor=None, user=user)
        return _facts(user)

    def do_password(self, *, username: str, **_: Any) -> dict[str, Any]:
        user = user_named(username)
        if not user.is_active:
            raise CommandError(f"{user.username} is deactivated: activate the account first.")
        return {**_facts(user), "temporary_password": members.member_set_temporary_password(actor=None, user=user)}

    def do_sessions(self, *, username: str, **_: Any) -> dict[str, Any]:
        user = user_named(username)
        return {**_facts(user), "sessions_ended": sessions_end(user=user)}

    def arguments_export(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        export_arguments(parser)

    def do_export(self, *, username: str, path: str, **_: Any) -> dict[str, Any]:
        return asdict(export_write(subject=user_named(username), path=Path(path)))

    def arguments_delete(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--keep-files", action="store_true", help="The organization keeps the files they uploaded.")
        delete_arguments(parser)

    def do_delete(self, *, username: str, dry_run: bool, keep_files: bool, **_: Any) -> dict[str, Any]:
        user = user_named(username)
        facts = (
            erasure_preview(subject=user, keep_files=keep_files)
            if dry_run
            else member_delete(user=user, keep_files=keep_files)
        )
        return {"username": username, "deleted": not dry_run, **asdict(facts)}


def _facts(user: User) -> dict[str, Any]:
    return {
        "username": user.username,
        "organization": user.organization.name if user.organization else "",
        "role": user.account_type,
        "active": user.is_active,
    }
