"""The sign-in routes: those of allauth's headless app client that the product uses, and the views that are our own.

Listed one by one: allauth also brings routes for signing up, other e-mail addresses and phones, which nobody here may
use (accounts are made by admins and staff). What is not listed answers like any address that is not there.
"""

from allauth.headless.account import views as account
from allauth.headless.constants import Client
from allauth.headless.usersessions import views as usersessions
from django.urls import path

from apps.accounts.flows.views import NewPasswordView, RequestPasswordResetView, ResetPasswordView

urlpatterns = [
    path("auth/login", account.LoginView.as_api_view(client=Client.APP), name="sign_in"),
    path("auth/session", account.SessionView.as_api_view(client=Client.APP), name="session"),
    path("auth/sessions", usersessions.SessionsView.as_api_view(client=Client.APP), name="sessions"),
    path("auth/new-password", NewPasswordView.as_api_view(client=Client.APP), name="new_password"),
    path("auth/password/request", RequestPasswordResetView.as_api_view(client=Client.APP), name="reset_ask"),
    path("auth/password/reset", ResetPasswordView.as_api_view(client=Client.APP), name="reset_confirm"),
    path("account/password/change", account.ChangePasswordView.as_api_view(client=Client.APP), name="password_change"),
]
