"""Setting passwords. Django's session hash follows the password, so every other session ends with the change."""

from __future__ import annotations

from apps.accounts.models import User


def password_choose(*, user: User, password: str) -> None:
    """The member's own password replaces a temporary one. The caller has validated it."""
    user.set_password(password)
    user.must_change_password = False
    user.temporary_until = None
    user.save(update_fields=["password", "must_change_password", "temporary_until"])
