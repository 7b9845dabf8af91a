"""What the tables of a catalog mean, found out once for each version of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock

from apps.analyst.dictionary.meaning import meanings_of
from apps.analyst.dictionary.taught import corrected
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.ports import Catalog
from apps.analyst.tables.joins import settle_roles
from apps.analyst.types import Table

MOST_KEPT = 64

_kept: OrderedDict[str, Mapping[str, TableMeaning]] = OrderedDict()
_lock = Lock()


def dictionary_of(catalog: Catalog) -> Mapping[str, TableMeaning]:
    """The meanings of the catalog's tables, by their names, with what people said about them."""
    with _lock:
        found = _kept.get(catalog.version)
        if found is not None:
            _kept.move_to_end(catalog.version)
            return found
    made = _made(catalog, catalog.tables())
    with _lock:
        _kept[catalog.version] = made
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made


def forget() -> None:
    """Lets go of all that is kept."""
    with _lock:
        _kept.clear()


def dictionary_of_some(catalog: Catalog, tables: Sequence[Table]) -> Mapping[str, TableMeaning]:
    """The same for some of the catalog's tables. Of the others no more than the names is looked at, so that one source
    of a wide catalog takes as long as it is wide itself."""
    with _lock:
        found = _kept.get(catalog.version)
    return _made(catalog, tables) if found is None else {table.name: found[table.name] for table in tables}


def _made(catalog: Catalog, tables: Sequence[Table]) -> Mapping[str, TableMeaning]:
    found_out = meanings_of(settle_roles(tables, catalog.joins()), catalog.tables())
    return {table.name: corrected(found_out[table.name], table.taught) for table in tables}
