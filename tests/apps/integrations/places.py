"""Where words come out of the product: the places in which no secret may stand."""

from __future__ import annotations

from django.db import connection as database
from django.test import Client
from django.urls import reverse

from apps.integrations.models import Connection
from tests.cast import PASSWORD


def dumped() -> str:
    """Every table as anybody with the database's file reads it."""
    with database.cursor() as cursor:
        rows = []
        for table in database.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            rows += [str(row) for row in cursor.fetchall()]
    return "\n".join(rows)


def admin_pages() -> str:
    """The pages of the administration that show the only connection."""
    admin = Client()
    admin.post(reverse("admin:login"), {"username": "ada", "password": PASSWORD})
    row = Connection.objects.get()
    pages = [admin.get(reverse("admin:integrations_connection_changelist"))]
    pages += [
        admin.get(reverse(f"admin:integrations_connection_{view}", args=[row.pk])) for view in ("change", "history")
    ]
    assert [page.status_code for page in pages] == [200, 200, 200]
    return "".join(page.content.decode() for page in pages)


def found_in(places: dict[str, str], secrets: dict[str, str]) -> list[tuple[str, str]]:
    """Which secrets stand in which places; every place says something, every secret is one."""
    assert all(len(text) > 20 for text in places.values())
    assert all(len(secret) >= 8 for secret in secrets.values()), secrets
    return [(name, place) for name, secret in secrets.items() for place, text in places.items() if secret in text]
