"""The product's pages: each is one template with one mount point, one bundle and its page data as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from apps.core.api.errors import body


def product(request: HttpRequest) -> dict[str, Any]:
    """Context processor: what every template may know of the product."""
    return {"product": settings.PRODUCT_NAME}


def page_data(name: str) -> dict[str, Any]:
    """What a screen's script is told before it asks the API anything. Nothing of a user: pages are the same for all."""
    return {
        "screen": name,
        "product": settings.PRODUCT_NAME,
        "termsUrl": settings.TERMS_URL,
        "privacyEmail": settings.PRIVACY_EMAIL,
        "uploadMaxBytes": settings.UPLOAD_MAX_FILE_BYTES,
    }


Opener = Literal["same-origin", "same-origin-allow-popups", "unsafe-none"]


def screen(name: str, title: str, *, opener: Opener = "same-origin") -> Callable[..., HttpResponse]:
    """A view that shows the screen `name` (the bundle's entry) under a title.

    `opener` says who may hold the page's window (Cross-Origin-Opener-Policy): a page that opens a foreign sign-in lets
    its popups go and still hears from them; the page that such a sign-in comes back to must not lose its opener.
    """

    def view(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response = _page(request, name, title, 200)
        response["Cross-Origin-Opener-Policy"] = opener
        return response

    return view


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Any path that is no page: the 404 screen, or the API's error where a program asked."""
    if request.path.startswith("/api/"):
        return JsonResponse(body("Not found.", "not_found"), status=404)
    return _page(request, "not-found", "Page not found", 404)


def _page(request: HttpRequest, name: str, title: str, status: int) -> HttpResponse:
    context = {"entry": name, "title": title, "page_data": page_data(name)}
    response = render(request, "screen.html", context, status=status)
    response["Cache-Control"] = "no-cache"
    return response
