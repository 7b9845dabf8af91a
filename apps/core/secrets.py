"""Secrets that a local installation makes once and keeps beside its data, readable by its owner only."""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path


def kept_keys(path: Path) -> list[str]:
    """The encryption keys kept at `path`, one a line; a random one is made where there is none."""
    made = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()
    return [line.strip() for line in _kept(path, made).splitlines() if line.strip()]


def kept_secret(path: Path, *, length: int = 64) -> str:
    """The secret kept at `path`; a random URL-safe one of at least `length` characters is made where there is none."""
    return _kept(path, secrets.token_urlsafe(length)[:length])


def _kept(path: Path, made: str) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another start of the same installation was faster
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(made)
    return made
