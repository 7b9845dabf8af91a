"""Numbers of this app that are no settings, each with where it comes from."""

from __future__ import annotations

from datetime import timedelta

STATE_LIFETIME = timedelta(minutes=10)
"""How long a started sign-in at a service may take."""
REFRESH_AHEAD = timedelta(minutes=5)
"""An access token is renewed once it has no longer than this to live: no call starts with one that ends under way."""
REFRESH_LOCK = timedelta(seconds=60)
"""How long the one who renews a token may take before another tries."""
REFRESH_WAIT_SECONDS = 45.0
"""How long the others wait for the one."""
CONNECT_SECONDS = 5.0
"""How long reaching a service may take."""
MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""A larger answer of a service is refused."""

REVOCATION_TRIES = 8
"""So often a service is asked to forget a token that we no longer hold for anybody."""
REVOCATION_PAUSE = timedelta(minutes=10)
"""The pause after a failed try."""
