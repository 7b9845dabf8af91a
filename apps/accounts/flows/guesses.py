"""How many guesses at one account reach its password, by where they come from.

An account's own places are the last ten from which its member signed in or reset the password within a month. Nobody
far away can use their tries up: whoever guesses from elsewhere keeps no member out of their office. Each has one try of
its own, which no other place takes, and four that they share. All other places together have five tries in five
minutes, however many they are, and one of them alone has four: a single guesser leaves one to a member who travels. Who
is held up there resets the password by mail, and the place is known with it. So nineteen tries reach an account in five
minutes, wherever they come from.

A try that succeeds is given back. Names without an account are counted alike, so that nothing is told by it.
"""

from __future__ import annotations

from datetime import timedelta

from allauth.core.internal.ratelimit import RateLimitUsage, consume, truncate_ip
from django.http import HttpRequest

from apps.accounts.selectors import account_named, known_places

OWN_PLACES = 10
OF_ITS_OWN = 1
SHARED = 4
TOGETHER = 5
FROM_ONE = 4
WINDOW_SECONDS = 300
KNOWN_FOR = timedelta(days=30)


def place_of(address: str) -> str:
    """What counts as one place: an IPv4 address, or the network that one subscriber of IPv6 has to themselves."""
    return truncate_ip(address)


def taken(request: HttpRequest, name: str, address: str) -> RateLimitUsage | None:
    """Takes one try at the account of a user name or e-mail; None where there is none left for this place."""
    account, place = account_named(name), place_of(address)
    key = f"account:{account.pk}" if account else f"name:{name.lower()}"
    if account and place in known_places(account, place_of, KNOWN_FOR, OWN_PLACES):
        own = _counted(request, "home", f"{key}@{place}", OF_ITS_OWN)
        return own or _counted(request, "homes", key, SHARED)
    together = _counted(request, "together", key, TOGETHER)
    if together is None:
        return None
    alone = _counted(request, "alone", f"{key}@{place}", FROM_ONE)
    if alone is None:
        together.rollback()
        return None
    return RateLimitUsage([*together.usage, *alone.usage])


def _counted(request: HttpRequest, count: str, key: str, most: int) -> RateLimitUsage | None:
    """One more of a count in the window, under a lock that all processes share; None where it is full."""
    config = {count: f"{most}/{WINDOW_SECONDS}s/key"}
    return consume(request, app="accounts.guesses", action=count, config=config, key=key)
