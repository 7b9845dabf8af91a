"""The fixed cast of the Django tests: two organizations and their members."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.test import RequestFactory

from apps.accounts.models import Organization, Role, User
from apps.accounts.services.members import member_create, organization_create
from tests.cast import PASSWORD


@dataclass(frozen=True)
class Cast:
    """Acme has two basic members (ana, ben) and an admin (ada); Globex has a basic member (gus) and an admin (gia)."""

    acme: Organization
    globex: Organization
    ana: User
    ben: User
    ada: User
    gus: User
    gia: User


@pytest.fixture
def cast(db: None) -> Cast:
    acme = organization_create(name="Acme")
    globex = organization_create(name="Globex")

    def member(organization: Organization, username: str, role: Role = Role.BASIC) -> User:
        return member_create(
            organization=organization,
            username=username,
            name=username.title(),
            email=f"{username}@example.com",
            password=PASSWORD,
            role=role,
            temporary=False,
        )

    return Cast(
        acme=acme,
        globex=globex,
        ana=member(acme, "ana"),
        ben=member(acme, "ben"),
        ada=member(acme, "ada", Role.ADMIN),
        gus=member(globex, "gus"),
        gia=member(globex, "gia", Role.ADMIN),
    )


@pytest.fixture(scope="session", autouse=True)
def callers_name_the_host() -> Iterator[None]:
    """Django's test clients leave out the one header that every browser sends, and pages look at it."""
    bare = RequestFactory._base_environ

    def named(self: RequestFactory, **request: Any) -> dict[str, Any]:
        environ = bare(self, **request)
        return {"HTTP_HOST": environ["SERVER_NAME"], **environ}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RequestFactory, "_base_environ", named)
        yield


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Rate limits are counted in the cache; each test starts from none."""
    cache.clear()
    yield
    cache.clear()
