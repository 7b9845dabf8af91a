"""Who calls: the signed-in member of a request, as the permission `IsMember` has made sure of."""

from __future__ import annotations

from rest_framework.request import Request

from apps.accounts.models import Organization, User
from apps.accounts.sessions import Session


def member(request: Request) -> User:
    """The signed-in user."""
    assert isinstance(request.user, User)
    return request.user


def organization(request: Request) -> Organization:
    """The organization of the signed-in user: the tenant of everything the request may touch."""
    found = member(request).organization
    assert found is not None
    return found


def session(request: Request) -> Session:
    """The session whose token the request carries."""
    assert isinstance(request.auth, Session)
    return request.auth
