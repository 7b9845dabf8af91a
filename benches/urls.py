"""The product's routes and the yardstick."""

from django.http import HttpRequest, JsonResponse
from django.urls import path

from config.urls import handler404, urlpatterns  # noqa: F401


def trivial(request: HttpRequest) -> JsonResponse:
    """What a Django view costs that does nothing."""
    return JsonResponse({"ok": True})


urlpatterns = [*urlpatterns, path("bench/trivial", trivial)]
