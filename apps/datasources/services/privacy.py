"""Which columns of a source are private: no language model is told of them, neither their names nor their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.accounts.policy import Action, allowed, demand
from apps.core.errors import NotFound
from apps.datasources.naming import name_key, visible
from apps.datasources.selectors import source_named
from apps.preferences.selectors import private_columns
from apps.preferences.services.privacy import column_private_set

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.datasources.models import Source


def source_privacy(source: Source, *, viewer: User) -> dict[str, Any]:
    """`{may_edit, tables: [{name, columns}]}`: the private columns of each table."""
    private = private_columns(source.organization)
    return {
        "may_edit": allowed(viewer, Action.EDIT_DICTIONARY),
        "tables": [
            {"name": table.name, "columns": list(private.get(table.name_key, ()))}
            for table in source.tables.order_by("name").only("name", "name_key")
        ],
    }


@transaction.atomic
def column_privacy_set(*, by: User, file_name: str, table_name: str, column: str, private: bool) -> Source:
    """Marks a column as private, or takes the mark away. Raises NotFound, Refused."""
    assert by.organization is not None, "only members reach the services"
    source = source_named(by.organization, file_name)
    demand(by, Action.EDIT_DICTIONARY)
    table = source.tables.filter(name_key=name_key(table_name)).first()
    if table is None:
        raise NotFound(f"{source.file_name} has no table named {visible(table_name)[:200]}.")
    if column not in {known["name"] for known in table.profile["columns"]}:
        raise NotFound(f"{table.name} has no column named {visible(column)[:200]}.")
    column_private_set(
        by=by, table_key=table.name_key, column=column, private=private, target=f"{source.file_name}: {column}"
    )
    return source
