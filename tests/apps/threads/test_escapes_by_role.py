"""Queries that must never run, written by a model for each role of an organization: nothing is read, and nothing left.

What a member may do differs by role, what a query may do does not. A few of each family by default; ESCAPES=1000 tries
all of them for every role.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pytest

from apps.accounts.models import User
from apps.analyst.approaches.models.layer import Reply
from apps.analyst.computing.warehouse.pool import ChildWarehouse
from apps.analyst.tables.catalog import catalog_from_files
from apps.threads import engine
from apps.threads.models import Run
from tests.analyst.warehouse.attacks import ATTACKS
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Letterbox, Member, Script
from tests.apps.threads.test_models import configure
from tests.cast import client_of

OF_EACH_FAMILY = int(os.environ.get("ESCAPES", "3"))
SECRET = "Globex secret"
FOUND = (SECRET, "root:", "memory_limit")
ROLES = ("basic", "admin", "staff")


def tried() -> list[str]:
    """Some of each family, at equal steps from its first one on."""
    chosen: list[str] = []
    for attacks in ATTACKS.values():
        step = max(1, len(attacks) // OF_EACH_FAMILY)
        chosen += islice(attacks, 0, None, step)
    return [sql for sql in chosen if sql.strip()]


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[ChildWarehouse]:
    warehouse = ChildWarehouse(size=1)
    yield warehouse
    warehouse.close()


def member(cast: Cast, role: str, letterbox: Letterbox) -> Member:
    """A member of Acme of that role."""
    if role == "staff":
        User.objects.filter(pk=cast.ben.pk).update(is_superuser=True, is_staff=True)
    return Member(client_of({"basic": cast.ana, "admin": cast.ada, "staff": cast.ben}[role]), letterbox)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("role", ROLES)
def test_no_query_of_a_model_reads_or_leaves_anything_for_any_role(
    role: str, cast: Cast, script: Script, letterbox: Letterbox, settings: Any, tmp_path: Path, sandbox: ChildWarehouse
) -> None:
    configure(settings, QUESTIONS_PER_MINUTE=0)
    own, theirs = tmp_path / "T.csv", tmp_path / "theirs.parquet"
    own.write_text("a,b,d\n" + "".join(f"x{n % 3},{n},2025-01-{n % 28 + 1:02}\n" for n in range(40)))
    duckdb.sql(f"SELECT '{SECRET}' AS a, 1 AS z").write_parquet(str(theirs))
    catalog = catalog_from_files([own], tmp_path / "tables")
    said: list[str] = []

    def scripted(spec: Any, system: str, turns: Any, **more: Any) -> Reply:
        wording = "Its template text:" in turns[-1].text
        said.append("Done." if wording else json.dumps({"sql": sql.replace("OTHER", f"'{theirs}'")}))
        return Reply(said[-1], 1, 1, 0.0)

    engine.use(replace(engine.current(), talk=scripted, catalog_of=lambda organization: catalog, warehouse=sandbox))
    asking, before = member(cast, role, letterbox), sorted(tmp_path.rglob("*"))
    attacks = tried()
    for sql in attacks:
        run = asking.ask("How many rows are there?", models=["local-7b"])
        assert run["status"] == "completed", sql
        told = json.dumps([run["messages"][0]["children"], asking.load(run["thread_id"])])
        assert not [word for word in FOUND if word in told.replace(json.dumps(sql)[1:-1], "")], sql
    assert sorted(tmp_path.rglob("*")) == before
    assert len(said) >= len(attacks), "the model was asked, and said what it was told to"
    assert Run.objects.filter(state="completed").count() == len(attacks)
