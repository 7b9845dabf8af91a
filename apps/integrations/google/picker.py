"""What the file picker in the browser needs besides the member's token, and which addresses a page may load for it."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings


def picker_settings() -> dict[str, str]:
    """The script's address, the API key (browsers see it anyway) and the project's number."""
    return {"script": settings.GOOGLE_PICKER_URL, "key": settings.GOOGLE_PICKER_KEY, "app_id": settings.GOOGLE_APP_ID}


def picker_sources() -> dict[str, list[str]]:
    """What the picker adds to a page's policy: its script's host and the hosts its frame shows; nothing where Google
    is not set up. Its style is let in by the page's nonce, which it looks for itself."""
    if not settings.GOOGLE_CLIENT_ID:
        return {}
    place = urlsplit(settings.GOOGLE_PICKER_URL)
    return {"script-src": [f"{place.scheme}://{place.netloc}"], "frame-src": list(settings.GOOGLE_PICKER_FRAMES)}
