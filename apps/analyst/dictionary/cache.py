"""What the tables of a catalog mean, found out once for each version of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.analyst.dictionary.meaning import meanings_of
from apps.analyst.dictionary.taught import corrected
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.kept import Kept
from apps.analyst.ports import Catalog
from apps.analyst.tables.joins import settle_roles
from apps.analyst.types import Table

MOST_KEPT = 64

_kept: Kept[str, Mapping[str, TableMeaning]] = Kept(MOST_KEPT)


def dictionary_of(catalog: Catalog) -> Mapping[str, TableMeaning]:
    """The meanings of the catalog's tables, by their names, with what people said about them."""
    return _kept.get(catalog.version, lambda: _made(catalog, catalog.tables()))


def forget() -> None:
    """Lets go of all that is kept."""
    _kept.forget()


def dictionary_of_some(catalog: Catalog, tables: Sequence[Table]) -> Mapping[str, TableMeaning]:
    """The same for some of the catalog's tables. Of the others no more than the names is looked at, so that one source
    of a wide catalog takes as long as it is wide itself."""
    found = _kept.held(catalog.version)
    return _made(catalog, tables) if found is None else {table.name: found[table.name] for table in tables}


def _made(catalog: Catalog, tables: Sequence[Table]) -> Mapping[str, TableMeaning]:
    found_out = meanings_of(settle_roles(tables, catalog.joins()), catalog.tables())
    return {table.name: corrected(found_out[table.name], table.taught) for table in tables}
