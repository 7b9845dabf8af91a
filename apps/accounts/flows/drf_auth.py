"""How the API knows its caller: the bearer token of the sign-in, nothing else. Two queries a call."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from apps.accounts.flows.tokens import bearer
from apps.accounts.models import User
from apps.accounts.sessions import Session, session_of
from apps.core.logs import working_for


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`; a token that is no longer good answers 401, whatever made it so."""

    def authenticate(self, request: Request) -> tuple[User, Session] | None:
        token = bearer(request)
        if token is None:
            return None
        session = session_of(token)
        if session is None:
            raise AuthenticationFailed("Your session has ended. Please log in again.", code="signed_out")
        working_for(session.user.organization_id)
        return session.user, session

    def authenticate_header(self, request: Request) -> str:
        """Named, so that DRF answers 401 rather than 403 to those who are not signed in."""
        return "Bearer"
