"""The state of an OAuth round trip: random, single use, bound to the session and the organization, ten minutes."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.core.errors import Invalid
from apps.integrations import crypto, limits
from apps.integrations.models import SignInState

if TYPE_CHECKING:
    from apps.accounts.models import User

NOT_OURS = "This sign-in was not started here, or it took too long. Please try to connect again."


@dataclass(frozen=True, slots=True)
class StartedSignIn:
    """What goes to the consent page. Only the browser that started it can finish it."""

    state: str
    challenge: str


@dataclass(frozen=True, slots=True)
class FinishedSignIn:
    """What the exchange of the code needs of the start."""

    redirect_uri: str
    verifier: str


def sign_in_start(*, by: User, session_key: str, service: str, redirect_uri: str) -> StartedSignIn:
    """Remembers that this member's session is about to sign in at the service."""
    assert by.organization is not None, "only members reach the services"
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
    SignInState.objects.create(
        organization=by.organization,
        member=by,
        service=service,
        key_digest=_digest(state),
        session_digest=_digest(session_key),
        redirect_uri=redirect_uri,
        sealed=crypto.seal(verifier),
        expires_at=timezone.now() + limits.STATE_LIFETIME,
    )
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return StartedSignIn(state, challenge)


def sign_in_finish(*, by: User, session_key: str, service: str, state: str) -> FinishedSignIn:
    """Uses the state up. Raises Invalid where it is not this session's, not this service's, used or old."""
    found = SignInState.objects.filter(
        key_digest=_digest(state),
        session_digest=_digest(session_key),
        member=by,
        organization=by.organization,
        service=service,
        expires_at__gt=timezone.now(),
    ).first()
    if found is None or not SignInState.objects.filter(pk=found.pk).delete()[0]:
        raise Invalid(NOT_OURS, code="state")
    return FinishedSignIn(found.redirect_uri, crypto.unseal(found.sealed))


def sign_ins_forget() -> None:
    """Removes what nobody finished in time."""
    SignInState.objects.filter(expires_at__lte=timezone.now()).delete()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
