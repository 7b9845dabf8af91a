"""A catalog cut down to some of its tables: the files a member chose for a question, or the tables of a plan."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from apps.analyst.ports import Catalog
from apps.analyst.tables.catalog import FixedCatalog


def without_examples(catalog: Catalog) -> Catalog:
    """The catalog without the tables that the product brought; all of it where there are none, or no others."""
    own = [table.name for table in catalog.tables() if not table.example]
    return narrowed(catalog, None, tables=own) if own else catalog


def narrowed(catalog: Catalog, files: Collection[str] | None, *, tables: Collection[str] | None = None) -> Catalog:
    """The catalog with only the tables of `files` and of the names `tables`; all of it where neither is given."""
    if files is None and tables is None:
        return catalog
    kept = tuple(
        table
        for table in catalog.tables()
        if (files is None or table.file_name in files) and (tables is None or table.name in tables)
    )
    if len(kept) == len(catalog.tables()):
        return catalog
    names = {table.name for table in kept}
    joins = tuple(join for join in catalog.joins() if {join.left_table, join.right_table} <= names)
    mark = hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:16]
    return FixedCatalog(f"{catalog.version}/{mark}", kept, joins)
