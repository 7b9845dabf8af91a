"""The password rule of SPEC section 5, as its hint words it."""

from __future__ import annotations

import re

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError

HINT = (
    "Use one uppercase letter, one lowercase letter, one number, one special character, and make it longer than "
    "8 characters."
)


class SpecPasswordValidator:
    """One upper, one lower, one number, one special character, longer than 8 characters."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        good = (
            len(password) > 8
            and re.search(r"[A-Z]", password)
            and re.search(r"[a-z]", password)
            and re.search(r"\d", password)
            and re.search(r"[^A-Za-z0-9\s]", password)
        )
        if not good:
            raise ValidationError(HINT, code="password_rule")

    def get_help_text(self) -> str:
        return HINT
