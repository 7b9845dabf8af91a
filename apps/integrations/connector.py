"""What every service brings: how to sign in there, keep the sign-in alive and give it back. Imports no service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from apps.core.errors import ProductError

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.integrations.models import Connection


class ConnectorError(ProductError):
    """A service did not do what it was asked.

    `permanent`: asking again as things are cannot help (else a later try may). `needs_sign_in`: only a person who signs
    in there again can help. `retry_after`: seconds the service asks us to wait. The message never quotes the service:
    what it sends may hold secrets.
    """

    status = 502
    code = "service_failed"

    def __init__(
        self,
        message: str,
        *,
        permanent: bool,
        code: str | None = None,
        needs_sign_in: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, code=code)
        self.permanent = permanent
        self.needs_sign_in = needs_sign_in
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sign-in at a service. `expires_in` in seconds, None where the token does not end by itself.

    `account_id` and `account_name` say whose account it is, where the answer tells.
    """

    access_token: str
    refresh_token: str = ""
    expires_in: float | None = None
    scopes: tuple[str, ...] = ()
    account_id: str = ""
    account_name: str = ""
    extra: Mapping[str, Any] | None = None
    """What else a service says that its package wants to keep openly (no secrets): a bot's user id, for example."""

    def __repr__(self) -> str:
        return f"Tokens(account_id={self.account_id!r})"


class Connector(Protocol):
    """One service. Stateless: everything kept about a connection is in its row."""

    service: str
    """The value of models.Service."""
    name: str
    """As people call it."""
    personal: bool
    """True where each member connects an account of their own, False where the organization has one."""
    callback_path: str
    """Where the service's consent page leads back to: /hubspot-callback."""

    def configured(self) -> bool:
        """Whether this installation has what it needs to talk to the service (client id and secret)."""
        ...

    def authorize_url(self, *, state: str, redirect_uri: str, challenge: str) -> str:
        """The service's consent page. `challenge` is PKCE's (S256), for services that know it."""
        ...

    def exchange(self, *, code: str, redirect_uri: str, verifier: str) -> Tokens:
        """Turns the code of the consent into tokens and says whose account it is. Raises ConnectorError."""
        ...

    def refresh(self, *, refresh_token: str) -> Tokens:
        """New tokens; an empty refresh token means that the old one stays good. Raises ConnectorError."""
        ...

    def revoke(self, *, access_token: str, refresh_token: str) -> None:
        """Tells the service to forget the sign-in; what it does not know is no error. Raises ConnectorError."""
        ...

    def sources(self, connection: Connection) -> QuerySet[Any]:
        """The data sources that came through this connection."""
        ...
