"""A start readies the process for the questions that are likely to come."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.types import Table
from apps.threads import engine
from apps.threads.warming import warm
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import EmptyCatalog, Member, Script

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Watched:
    """A warehouse and a catalog maker that remember what they were used for."""

    organizations: list[str] = field(default_factory=list)
    queries: list[dict[str, Path]] = field(default_factory=list)

    def query(self, sql: str, parameters: Any, *, tables: dict[str, Path]) -> None:
        self.queries.append(tables)

    def catalog_of(self, organization: Any) -> Any:
        self.organizations.append(organization.name)
        table = Table(name="deals", file_name="deals.csv", path=Path("deals.parquet"), rows=1, columns=())
        catalog = EmptyCatalog()
        catalog.tables = lambda: (table,)  # type: ignore[assignment, method-assign, return-value]
        return catalog


def test_who_asked_last_is_readied_first_and_the_query_child_may_read_all_its_tables(
    gus: Member, cast: Cast, script: Script
) -> None:
    gus.ask()
    watched = Watched()
    engine.use(replace(engine.current(), catalog_of=watched.catalog_of, warehouse=watched))  # type: ignore[arg-type]
    warm()
    assert list(dict.fromkeys(watched.organizations)) == ["Globex", "Acme"]
    assert watched.queries == [{"deals": Path("deals.parquet")}]


def test_without_any_data_there_is_nothing_to_ready(cast: Cast, script: Script) -> None:
    warm()


def test_what_configured_models_are_asked_with_is_loaded_and_none_is_asked(
    cast: Cast, script: Script, settings: Any
) -> None:
    settings.MODEL_PROVIDERS = {"openai": {"api_key": "k", "base_url": "http://127.0.0.1:9/v1", "models": ["one"]}}

    def never(*args: Any, **limits: Any) -> Any:
        raise AssertionError("asked at the start")

    engine.use(replace(engine.current(), talk=never))
    warm()
    assert "pydantic_ai.models.openai" in sys.modules
