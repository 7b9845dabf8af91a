"""Signing in as the tests' people do: through the real route, with a real token."""

from __future__ import annotations

import re

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.flows.session_store import SessionStore
from apps.accounts.models import User

PASSWORD = "Correct-horse-9"
TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')


def page_of(answer: HttpResponse) -> str:
    """The page of an answer without its form's token, whose random letters may spell anybody's name."""
    return TOKEN.sub("", answer.content.decode())


def sign_in(username: str, password: str = PASSWORD) -> str:
    """The session token of a real sign-in."""
    answer = Client().post(
        "/_allauth/app/v1/auth/login", {"username": username, "password": password}, content_type="application/json"
    )
    assert answer.status_code == 200, answer.content
    return answer.json()["meta"]["session_token"]


def client_of(user: User) -> APIClient:
    """An API client that sends the user's token, as the browser does."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {sign_in(user.username)}")
    return client


def enter(username: str) -> Client:
    """A client that came in through the administration's own door."""
    client = Client()
    assert client.post(reverse("admin:login"), {"username": username, "password": PASSWORD}).status_code == 302
    return client


def cookie_client(user: User) -> Client:
    """A client with a cookie of the administration, also for those whom its own door does not let in."""
    session = SessionStore.carried(None, "cookie")
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.secret
    return client
