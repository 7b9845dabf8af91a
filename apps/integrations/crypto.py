"""Sealing of what opens an account elsewhere. Only ciphertext reaches the database; nothing here may log.

The first key of CREDENTIAL_KEYS seals, every key opens: a new key goes first, `encryption_keys rotate` seals all rows
anew, then the old key may go.
"""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from apps.core.errors import Conflict, Unavailable


class Unopenable(Unavailable):
    """What is sealed was sealed with a key that is not there any more, or is not what it says."""

    code = "key_missing"

    def __init__(self) -> None:
        super().__init__("The stored sign-in cannot be opened any more. Please connect again.")


class NoKey(Conflict):
    """This installation has no key to seal with."""

    code = "no_key"

    def __init__(self) -> None:
        super().__init__("This installation has no CREDENTIAL_KEYS to keep a sign-in under. Please ask who runs it.")


def seal(text: str) -> str:
    """The text under the first key. Raises NoKey."""
    if not settings.CREDENTIAL_KEYS:
        raise NoKey
    return _box(tuple(settings.CREDENTIAL_KEYS)).encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """What was sealed under any of the keys. Raises Unopenable."""
    try:
        return _box(tuple(settings.CREDENTIAL_KEYS)).decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise Unopenable from None


def reseal(sealed: str) -> str:
    """The same text under the first key. Raises Unopenable."""
    try:
        return _box(tuple(settings.CREDENTIAL_KEYS)).rotate(sealed.encode()).decode()
    except InvalidToken:
        raise Unopenable from None


def key_of(sealed: str) -> str | None:
    """The fingerprint of the key that opens this, or None where none does."""
    for key in settings.CREDENTIAL_KEYS:
        try:
            _box((key,)).decrypt(sealed.encode())
        except InvalidToken:
            continue
        return fingerprint(key)
    return None


def fingerprint(key: str) -> str:
    """What a key is called where people see it: nothing can be opened with it."""
    return hashlib.sha256(b"credential key " + base64.urlsafe_b64decode(key)).hexdigest()[:12]


@lru_cache(maxsize=16)
def _box(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])
