"""Text that rows hold under this installation's key: a copy of the database alone does not show it."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    _TextField = models.TextField[str, str]
else:
    _TextField = models.TextField


def seal(text: str) -> str:
    """The text as a row holds it."""
    return _box(settings.SECRET_KEY).encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """What `seal` sealed; empty where that was under another key."""
    try:
        return _box(settings.SECRET_KEY).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return ""


class SealedTextField(_TextField):
    """A text that is sealed on its way into the database. It cannot be searched."""

    def get_prep_value(self, value: Any) -> Any:
        plain = super().get_prep_value(value)
        return plain if plain is None else seal(plain)

    def from_db_value(self, value: str | None, *_: object) -> str | None:
        """Django's hook for reading; empty where the row was sealed under another key."""
        return value if value is None else unseal(value)


@lru_cache(maxsize=4)
def _box(secret: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"sealed text " + secret.encode()).digest()))
