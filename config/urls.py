"""The product's addresses: screens, the API, sign-in, the admin and the health check."""

from collections.abc import Callable

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from apps.core.health import healthz
from apps.core.metrics import metrics
from apps.core.pages import not_found, screen
from apps.core.readiness import readyz
from apps.integrations.google.picker import picker_sources

chat_screen: Callable[..., HttpResponseBase] = screen("chat", "Chat", opener="same-origin-allow-popups")


def chat(request: HttpRequest) -> HttpResponseBase:
    """Google's file picker, where it is set up, is the only script and frame of somebody else, on this screen alone."""
    return csp_update(picker_sources())(chat_screen)(request)


urlpatterns = [
    path("", screen("login", "Sign in"), name="home"),
    path("login", screen("login", "Sign in"), name="login"),
    path("forgot-password", screen("forgot-password", "Forgot password"), name="forgot_password"),
    path("verify", screen("verify", "Verify"), name="verify"),
    path("change-password", screen("change-password", "Change password"), name="change_password"),
    path("create-password", screen("create-password", "Create password"), name="create_password"),
    path("privacy", screen("privacy", "Privacy policy"), name="privacy"),
    path("terms", RedirectView.as_view(url=settings.TERMS_URL), name="terms"),
    path("error", screen("error", "Error"), name="error"),
    path("hubspot-callback", screen("hubspot-callback", "HubSpot"), name="hubspot_callback"),
    path("google-callback", screen("google-callback", "Google", opener="unsafe-none"), name="google_callback"),
    path("slack-callback", screen("slack-callback", "Slack"), name="slack_callback"),
    re_path(r"^chat(?:/.*)?$", chat, name="chat"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("_allauth/app/v1/", include("apps.accounts.flows.urls")),
    path("api/v3/", include("config.api_urls")),
    path("admin/", admin.site.urls),
]
handler404 = not_found
