"""What the file picker in the browser needs besides the member's token, and which addresses a page may load for it."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings


def picker_settings() -> dict[str, str]:
    """The script's address, the API key (browsers see it anyway) and the project's number."""
    return {"script": settings.GOOGLE_PICKER_URL, "key": settings.GOOGLE_PICKER_KEY, "app_id": settings.GOOGLE_APP_ID}


def picker_sources() -> list[str]:
    """Where the picker's scripts and frames come from; none where Google is not set up."""
    if not settings.GOOGLE_CLIENT_ID:
        return []
    place = urlsplit(settings.GOOGLE_PICKER_URL)
    script = f"{place.scheme}://{place.netloc}"
    return [script] if place.hostname == "127.0.0.1" else [script, "https://docs.google.com"]
