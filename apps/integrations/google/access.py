"""Calling Google with a member's sign-in: a refused token is renewed once, what only a person can mend is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from apps.integrations.connector import ConnectorError
from apps.integrations.google import client, copy
from apps.integrations.services.tokens import access_token, needs_sign_in

T = TypeVar("T")


def with_token(connection_id: UUID, read: Callable[[str], T]) -> T:
    """Calls `read` with a good token; one that Google refuses is renewed once. Raises ConnectorError."""
    token = access_token(connection_id)
    try:
        try:
            return read(token)
        except client.Unauthorized:
            return read(access_token(connection_id, refused=token))
    except client.Unauthorized:
        needs_sign_in(connection_id, copy.SIGN_IN_AGAIN)
        raise ConnectorError(copy.SIGN_IN_AGAIN, permanent=True, code="sign_in_again", needs_sign_in=True) from None
    except ConnectorError as error:
        if error.needs_sign_in:
            needs_sign_in(connection_id, error.message)
        raise
