"""Which properties are read: describing an account while somebody else describes it, or chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apps.integrations.hubspot import choosing
from apps.integrations.hubspot.client import HubSpotClient
from apps.integrations.hubspot.columns import labels
from apps.integrations.hubspot.wire import Category
from apps.integrations.models import Connection


class Interrupted(HubSpotClient):
    """A client during whose first call something else happens."""

    def __init__(self, connection: Connection, happening: Callable[[], object]) -> None:
        super().__init__(connection.pk)
        self.happening: list[Callable[[], object]] = [happening]

    def properties(self, category: Category) -> list[dict[str, Any]]:
        if self.happening:
            self.happening.pop()()
        return super().properties(category)


def test_a_refresh_and_an_open_panel_may_describe_a_fresh_account_at_once(world):
    connection = world.connect()
    panel = Interrupted(connection, lambda: choosing.categories_describe(HubSpotClient(connection.pk), connection))
    described = choosing.categories_describe(panel, connection)
    assert [row.pk for row in described] == [row.pk for row in choosing.categories_of(connection)]


def test_a_choice_made_while_an_account_is_described_is_kept(world):
    connection = world.connect()
    first = choosing.categories_describe(HubSpotClient(connection.pk), connection)[0]
    dropped = first.selected[0]
    choose = {first.category: {labels(first.definitions)[dropped]: False}}
    refresh = Interrupted(connection, lambda: choosing.fields_update(by=world.cast.ada, chosen=choose))
    described = choosing.categories_describe(refresh, connection)[0]
    assert dropped not in described.selected
    assert described.selected == first.selected[1:]
