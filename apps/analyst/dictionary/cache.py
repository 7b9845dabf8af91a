"""What the tables of a catalog mean, found out once for each version of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock

from apps.analyst.dictionary.meaning import meanings_of
from apps.analyst.dictionary.taught import corrected
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.ports import Catalog
from apps.analyst.tables.joins import settle_roles

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
    tables = catalog.tables()
    found_out = meanings_of(settle_roles(tables, catalog.joins()))
    made = {table.name: corrected(found_out[table.name], table.taught) for table in tables}
    with _lock:
        _kept[catalog.version] = made
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made
