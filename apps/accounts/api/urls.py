from django.urls import path

from apps.accounts.api.views import AcceptanceView, InvitationsView, MeView

urlpatterns = [
    path("me", MeView.as_view(), name="me"),
    path("invitations", InvitationsView.as_view(), name="invitations"),
    path("invitations/accept", AcceptanceView.as_view(), name="invitation_accept"),
]
