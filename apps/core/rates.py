"""How often one member may do what costs something, counted in the cache that all processes share."""

from __future__ import annotations

import time
from uuid import UUID

from django.core.cache import cache

from apps.core.errors import ProductError


class TooOften(ProductError):
    """Past a member's own rate; the message names the rate and when to go on."""

    status = 429
    code = "too_often"


def count(what: str, member_id: UUID, *, most: int, seconds: int, words: str, by: int = 1, verb: str = "send") -> None:
    """Counts one more (or `by` more) in the present stretch of time. Raises TooOften past the rate; 0 is no limit.

    Args:
        words: What may be done how often, as it is told: "30 questions a minute".
        verb: What is done with them.
    """
    if not most:
        return
    now = int(time.time())
    key = f"rate:{what}:{member_id}:{now // seconds}"
    cache.add(key, 0, 2 * seconds)
    try:
        counted = cache.incr(key, by)
    except ValueError:  # the cache let go of it in between
        counted = by
    if counted > most:
        left = seconds - now % seconds
        wait = f"{left} seconds" if left < 120 else f"{-(-left // 60)} minutes"
        raise TooOften(f"You can {verb} at most {words}. Please try again in {wait}.")
