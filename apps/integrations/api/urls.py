from django.urls import include, path

from apps.integrations.api.views import ConnectionsView

urlpatterns = [
    path("hubspot/", include("apps.integrations.hubspot.urls")),
    path("connections", ConnectionsView.as_view(), name="connections"),
]
