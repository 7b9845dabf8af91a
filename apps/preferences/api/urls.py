from django.urls import path

from apps.preferences.api.views import PreferencesView

urlpatterns = [path("preferences", PreferencesView.as_view(), name="preferences")]
