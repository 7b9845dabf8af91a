"""Whether a request comes from Slack: its signature over the raw body, and a stamp of the last five minutes. Pure."""

from __future__ import annotations

import hashlib
import hmac

VERSION = "v0"
PATIENCE_SECONDS = 300
"""A request whose stamp is further off than this is refused: it may be a recording."""


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """The signature Slack puts on a body sent at `timestamp` (seconds since the epoch, as text)."""
    base = b":".join((VERSION.encode(), timestamp.encode(), body))
    return f"{VERSION}={hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()}"


def is_from_slack(*, secret: str, timestamp: str, given: str, body: bytes, now: float) -> bool:
    """False for a wrong or missing signature, an old or future stamp, a stamp that is no number, and without a secret.

    Everything of the request is hostile: nothing here raises, whatever it holds.
    """
    if not secret or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    if abs(now - int(timestamp)) > PATIENCE_SECONDS:
        return False
    return hmac.compare_digest(signature(secret, timestamp, body).encode(), given.encode(errors="replace"))
