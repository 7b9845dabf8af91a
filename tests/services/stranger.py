"""`python -m tests.services.stranger NAME`: an organization of that name with an admin of that name, for one test."""

from __future__ import annotations

import sys

import django


def make(name: str) -> None:
    django.setup()
    from apps.accounts.models import Role
    from apps.accounts.services.members import member_create, organization_create
    from tests.cast import PASSWORD

    organization = organization_create(name=name)
    member_create(organization=organization, username=name, password=PASSWORD, role=Role.ADMIN, temporary=False)


if __name__ == "__main__":
    make(sys.argv[1])
