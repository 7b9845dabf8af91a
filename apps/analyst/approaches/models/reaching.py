"""Addresses that an organization named: reached only where they lie outside the own network, and without redirects.

The name is looked up once and the connection goes to the address that was found, so that it cannot mean another one a
moment later.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from apps.analyst.errors import ProviderFailed

_UNICAST = ipaddress.IPv6Network("2000::/3")
"""What is handed out to networks of the world. Other forms, old ones among them, may be led anywhere by a machine."""
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
NOT_PUBLIC = "This address lies within the server's own network, which may not be reached from here."


def public_address(host: str) -> str:
    """The address of a host. Raises ProviderFailed where any of its addresses is not public, or it has none."""
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except OSError as error:
        raise ProviderFailed(f"There is no host called {host}.", retryable=True) from error
    if not found or not all(_is_public(str(address)) for address in found):
        raise ProviderFailed(NOT_PUBLIC)
    return str(min(found))


def checked(base_url: str, *, private: bool) -> str:
    """The address as it is kept. Raises ProviderFailed where it is none, or may not be reached."""
    parts = urlsplit(base_url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ProviderFailed("The address must look like https://models.example.com/v1.")
    if not private:
        if parts.scheme != "https":
            raise ProviderFailed("The address must begin with https://.")
        public_address(parts.hostname)
    return parts.geturl().rstrip("/")


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = _within(found)
        if inner is None:
            return found in _UNICAST and found.is_global and not found.is_multicast
        found = inner
    return found.is_global and not found.is_multicast


def _within(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The older address that a newer one stands for: mapped, by a tunnel, or by a network's translator."""
    if address in _TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour
