"""The product's addresses: screens, the API, sign-in, the admin and the health check."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from apps.core.health import healthz
from apps.core.pages import not_found, screen

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
    re_path(r"^chat(?:/.*)?$", screen("chat", "Chat", opener="same-origin-allow-popups"), name="chat"),
    path("healthz", healthz, name="healthz"),
    path("_allauth/app/v1/", include("apps.accounts.flows.urls")),
    path("api/v3/", include("config.api_urls")),
    path("admin/", admin.site.urls),
]
handler404 = not_found
