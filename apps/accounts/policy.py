"""Who may do what, in one place. Services call `demand`; pages and the admin ask `allowed` for what they offer.

Being in the same organization is not decided here: selectors start from the member's organization.
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from apps.accounts.models import Role, User
from apps.core.errors import Refused


class Action(StrEnum):
    """Everything whose permission depends on the role. What every member may do (ask, upload, ...) needs no entry."""

    EDIT_CONTEXT = "edit the organization's context and keywords"
    EDIT_DICTIONARY = "change what the data mean"
    DELETE_ANY_FILE = "delete files of other members"
    MANAGE_MEMBERS = "manage members and invitations"
    MANAGE_CONNECTIONS = "manage the organization's connections"
    READ_USAGE = "read the organization's usage"
    READ_AUDIT_LOG = "read the organization's audit log"


def allowed(user: User, action: Action) -> bool:
    """Whether the user may do this within the own organization. Staff may do everything; who is not let in nothing."""
    if not user.is_let_in:
        return False
    if user.is_superuser:
        return True
    if user.organization is None:
        return False
    match action:
        case Action.EDIT_CONTEXT:
            return user.role == Role.ADMIN or user.organization.members_edit_context
        case (
            Action.EDIT_DICTIONARY
            | Action.DELETE_ANY_FILE
            | Action.MANAGE_MEMBERS
            | Action.MANAGE_CONNECTIONS
            | Action.READ_USAGE
            | Action.READ_AUDIT_LOG
        ):
            return bool(user.role == Role.ADMIN)
        case _:
            assert_never(action)


def demand(user: User, action: Action) -> None:
    """Raises Refused, in words, where the user may not do this."""
    if not allowed(user, action):
        raise Refused(f"Only an admin of your organization may {action.value}.")
