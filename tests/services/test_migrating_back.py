"""The way to the version before and forward again, on both kinds of database: nobody comes in who was kept out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.prepared import migrated_folder
from tests.services.deployment import Deployment
from tests.services.servers import new_database

pytestmark = pytest.mark.services

BEFORE, SINCE = "0011", "0012"
TWO_ORGANIZATIONS = """
from apps.accounts.services.members import member_create, organization_create
from apps.accounts.services.organizations import organization_deactivate
for name, member in (("Acme", "ana"), ("Globex", "gus")):
    made = organization_create(name=name)
    member_create(organization=made, username=member, password="Correct-horse-9")
organization_deactivate(organization=made)
"""
LOOK = """
import json
from django.db import connection
with connection.cursor() as cursor:
    columns = [one.name for one in connection.introspection.get_table_description(cursor, "accounts_organization")]
    state = "is_active" if "is_active" in columns else "NULL"
    cursor.execute(f"SELECT name, {state} FROM accounts_organization ORDER BY name")
    organizations = {name: None if active is None else bool(active) for name, active in cursor.fetchall()}
    cursor.execute("SELECT username FROM accounts_user WHERE is_active ORDER BY username")
    print(json.dumps({"organizations": organizations, "let in": [row[0] for row in cursor.fetchall()]}))
"""


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Deployment:
    """An empty installation."""
    environment = {"REDIS_URL": "redis://127.0.0.1:1/0"}  # nothing here needs one
    folder = migrated_folder(tmp_path_factory, tmp_path / "data")
    if request.param == "PostgreSQL":
        like = request.getfixturevalue("migrated")
        environment["DATABASE_URL"] = new_database(request.getfixturevalue("postgres_url"), "back", like=like)
    return Deployment(folder, environment=environment)


def test_the_state_of_organizations_comes_and_goes_and_lets_nobody_in(installed: Deployment) -> None:
    def shell(code: str) -> str:
        return installed.manage("shell", "--no-imports", "-c", code)

    shell(TWO_ORGANIZATIONS)
    assert json.loads(shell(LOOK)) == {"organizations": {"Acme": True, "Globex": False}, "let in": ["ana", "gus"]}

    installed.manage("migrate", "accounts", BEFORE, "--verbosity", "0")
    # The version before knows the state of members only: those of Globex are kept out one by one.
    assert json.loads(shell(LOOK)) == {"organizations": {"Acme": None, "Globex": None}, "let in": ["ana"]}

    installed.manage("migrate", "accounts", SINCE, "--verbosity", "0")
    assert json.loads(shell(LOOK)) == {"organizations": {"Acme": True, "Globex": True}, "let in": ["ana"]}
