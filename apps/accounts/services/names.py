"""User names and addresses: which can be given to somebody. They are one for all organizations."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from apps.accounts.models import User
from apps.core.errors import Invalid

USERNAME_REFUSED = "This user name cannot be used. Please choose another one, of letters, digits and @ . + - _ only."
ADDRESS_REFUSED = "This address cannot be used. Please give another one."
INVITED_REFUSED = (
    "This user name cannot be used with this invitation. Please choose another one, of letters, digits and @ . + - _ "
    "only, or ask to be invited at another address."
)
"""Said alike of the name and of the invited address: the one of somebody who is a member elsewhere is not told."""


def must_be_usable(*, username: str | None, email: str, user: User | None = None) -> None:
    """Refuses a name or an address that somebody else has, or that cannot be one, in the same words: names and
    addresses are one for all organizations, and no text tells of another one. `user` keeps their own."""
    others = User.objects.exclude(pk=user.pk) if user else User.objects.all()
    if username is not None and (not _is_username(username) or others.filter(username__iexact=username).exists()):
        raise Invalid(USERNAME_REFUSED, code="username")
    if email and (not _is_address(email) or others.filter(email__iexact=email).exists()):
        raise Invalid(ADDRESS_REFUSED, code="email")


def _is_username(username: str) -> bool:
    field = User._meta.get_field("username")
    try:
        field.clean(username, None)
    except ValidationError:
        return False
    return True


def _is_address(email: str) -> bool:
    try:
        User._meta.get_field("email").clean(email, None)
    except ValidationError:
        return False
    return True
