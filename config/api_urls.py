"""All of /api/v3: each app brings its own routes, those that a chat calls all the time first."""

from django.urls import include, path

urlpatterns = [
    path("", include("apps.threads.api.urls")),
    path("", include("apps.accounts.api.urls")),
    path("", include("apps.preferences.api.urls")),
    path("", include("apps.datasources.api.urls")),
    path("", include("apps.integrations.api.urls")),
    path("", include("apps.feedback.api.urls")),
]
