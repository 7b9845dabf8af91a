"""Those who work in the administration."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from tests.apps.conftest import Cast
from tests.cast import PASSWORD, enter


@pytest.fixture
def ada(cast: Cast) -> Client:
    """An organization's admin."""
    return enter("ada")


@pytest.fixture
def root(cast: Cast) -> Client:
    """One of the product's own staff."""
    user = User(username="root", is_superuser=True, is_staff=True)
    user.set_password(PASSWORD)
    user.save()
    return enter("root")
