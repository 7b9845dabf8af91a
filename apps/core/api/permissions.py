"""Who may call the API at all. What a role may do beyond that is decided in services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission

if TYPE_CHECKING:  # DRF loads this module while it loads its own views
    from rest_framework.request import Request
    from rest_framework.views import APIView


class IsMember(BasePermission):
    """A signed-in user who is let in and belongs to an organization."""

    message = "You are not a member of an organization."

    def has_permission(self, request: Request, view: APIView) -> bool:
        user = request.user
        return bool(user.is_authenticated and user.is_let_in and user.organization_id)
