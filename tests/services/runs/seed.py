"""`python -m tests.services.runs.seed`: an empty database with one organization and its member ana."""

from __future__ import annotations

import django
from django.core.management import call_command


def seed() -> None:
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    from apps.accounts.services.members import member_create, organization_create
    from tests.cast import PASSWORD

    member_create(organization=organization_create(name="Acme"), username="ana", password=PASSWORD, temporary=False)


if __name__ == "__main__":
    seed()
