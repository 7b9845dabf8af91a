"""Secrets that a local installation makes once and keeps beside its data, readable by its owner only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def kept_secret(path: Path, *, length: int = 64) -> str:
    """The secret kept at `path`; a random URL-safe one of at least `length` characters is made where there is none."""
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        pass
    secret = secrets.token_urlsafe(length)[:length]
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another start of the same installation was faster
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secret)
    return secret
