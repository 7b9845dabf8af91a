from django.urls import path

from apps.integrations.api.views import ConnectionsView

urlpatterns = [
    path("connections", ConnectionsView.as_view(), name="connections"),
]
