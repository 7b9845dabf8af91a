"""Names are one where the engine takes them for one, and no table is called like an object of the engine."""

from __future__ import annotations

import itertools
import random
import sys
import unicodedata

import duckdb
import pytest

from apps.analyst.computing.warehouse.gate import check
from apps.analyst.computing.warehouse.session import quote_name
from apps.analyst.errors import PlanRejected
from apps.analyst.tables.reserved import ENGINE_OBJECTS, is_engine_name, same_to_engine

LISTED = "SELECT DISTINCT view_name FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema'"
CATALOGUE = sorted(name for (name,) in duckdb.connect().execute(LISTED).fetchall())


def look_alikes() -> dict[str, list[str]]:
    """By ASCII character, what some way of folding takes for it."""
    found: dict[str, list[str]] = {}
    for point in range(0x80, sys.maxunicode + 1):
        char = chr(point)
        if 0xD800 <= point <= 0xDFFF:
            continue
        ways = {char.lower(), char.upper().lower(), char.casefold(), unicodedata.normalize("NFKC", char).casefold()}
        for way in ways:
            if len(way) == 1 and way.isascii() and (way.isalpha() or way in "_0123456789"):
                found.setdefault(way, []).append(char)
    return found


def generated(count: int) -> list[tuple[str, str]]:
    alike, chance = look_alikes(), random.Random(7)
    made: dict[tuple[str, str], None] = {}
    while len(made) < count:
        real = chance.choice(CATALOGUE)
        places = [i for i, c in enumerate(real) if c in alike]
        chars = list(real.upper() if chance.random() < 0.2 else real)
        for place in chance.sample(places, chance.randint(1, min(4, len(places)))):
            chars[place] = chance.choice(alike[real[place]])
        made[real, "".join(chars)] = None
    return list(made)


def passes(sql: str, tables: list[str]) -> bool:
    try:
        check(sql, tables)
    except PlanRejected:
        return False
    return True


def test_every_object_of_the_engine_is_known_here() -> None:
    assert sorted(set(CATALOGUE) ^ ENGINE_OBJECTS) == []


def test_ten_thousand_look_alikes_of_the_engines_objects_open_none_of_them() -> None:
    open_to_models, allowed = [], []
    for real, alike in generated(10_000):
        if not is_engine_name(alike):
            allowed.append(alike)
        open_to_models += [alike] if passes(f"SELECT * FROM {real}", [alike]) else []
    assert (open_to_models, allowed) == ([], [])
    assert not passes("SELECT * FROM sqlite_master", ["ſqlite_master", "K"])


def test_a_name_passes_the_gate_exactly_where_the_engine_finds_it() -> None:
    names = ["Deals", "Ärger", "straße", "K", "ſales", "Ⅳ", "İstanbul", "ﬁles", "Σ", "dz"]
    engine = duckdb.connect()
    for name in names:
        engine.execute(f"CREATE VIEW {quote_name(name)} AS SELECT 1 AS a")
    ways = (str, str.lower, str.upper, str.casefold, str.title, lambda n: unicodedata.normalize("NFKC", n))
    for name, way in itertools.product(names, ways):
        sql = f"SELECT a FROM {quote_name(way(name))}"
        try:
            engine.execute(sql)
            found = True
        except duckdb.Error:
            found = False
        assert passes(sql, names) == found, sql


@pytest.mark.parametrize("name", ["sqlite_master", "SQLite_Master", "ſqlite_master", "ｐg_class", "duckdb_tables "])
def test_a_table_of_the_engines_name_is_no_table_of_the_run(name: str) -> None:
    assert is_engine_name(name)
    assert not passes(f"SELECT * FROM {quote_name(name)}", [name])


def test_ordinary_names_are_not_the_engines() -> None:
    assert not any(map(is_engine_name, ("pg sales", "master", "tables", "sqlite_masters", "columns", "duckdb")))
    assert same_to_engine("DEALS Ä") == "deals Ä"
