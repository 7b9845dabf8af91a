"""Names that the query engine keeps for its own catalogue. No table may be called so, or like it.

The engine compares names by ASCII case alone; people, and files on their way, by more. A name counts as the engine's
where any of these would take it for one.
"""

from __future__ import annotations

import string
import unicodedata


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGINE_OBJECTS = _words(
    "duckdb_columns duckdb_constraints duckdb_databases duckdb_indexes duckdb_logs duckdb_schemas duckdb_tables "
    "duckdb_types duckdb_views pg_am pg_attrdef pg_attribute pg_class pg_collation pg_constraint pg_database pg_depend "
    "pg_description pg_enum pg_index pg_indexes pg_namespace pg_prepared_statements pg_proc pg_sequence pg_sequences "
    "pg_settings pg_tables pg_tablespace pg_type pg_views pragma_database_list sqlite_master sqlite_schema "
    "sqlite_temp_master sqlite_temp_schema"
)
"""What can be read by its name alone; a test holds it against the engine's own list."""
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def same_to_engine(name: str) -> str:
    """What two names have in common that the engine takes for one: ASCII case does not count, all else does."""
    return name.translate(_SMALL)


def is_engine_name(name: str) -> bool:
    """Whether a name is, or could be taken for, one of the engine's own."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).upper().casefold())
    plain = "".join(c for c in folded if unicodedata.category(c) not in ("Cf", "Cc", "Mn"))
    return plain.strip() in ENGINE_OBJECTS or same_to_engine(name.strip()) in ENGINE_OBJECTS
