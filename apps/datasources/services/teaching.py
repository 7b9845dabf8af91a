"""Changing what the data mean: an admin teaches an entry, or takes the last change back. What was found out stays."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone

from apps.accounts.audit import AuditAction, record
from apps.accounts.policy import Action, demand
from apps.core.errors import Conflict, Invalid, NotFound
from apps.datasources.models import CatalogState, DataTable, Source, Teaching
from apps.datasources.naming import name_key, visible
from apps.datasources.selectors import source_named
from apps.datasources.services.catalogs import catalog_lock
from apps.datasources.teachings import Said, parse_said

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User


@transaction.atomic
def teach(*, by: User, file_name: str, table_name: str, column: str, said: object) -> Source:
    """The entry of a column, or with column "" of the table itself, becomes what is said; {} leaves everything as it is
    found. Raises NotFound, Refused, Invalid."""
    source, table = _table(by, file_name, table_name)
    if column and column not in {known["name"] for known in table.profile["columns"]}:
        raise NotFound(f"{table.name} has no column named {visible(column)[:200]}.")
    entry: Said = parse_said(said, about="column" if column else "table")
    _refuse_undated(table, entry)
    _refuse_numberless(table, column, entry)
    if _entered(by, table, column, entry):
        for name in entry.get("before", ()):
            _put_behind(by, table, name)
        _changed(by, source, column)
    return source


def _entered(by: User, table: DataTable, column: str, entry: Said) -> bool:
    """Writes the entry down as the one that holds; False where it did before."""
    earlier = _changes(table, column)
    held = earlier.filter(current=True).first()
    before: Said = held.after if held else {}
    if before == entry:
        return False
    earlier.filter(current=True).update(current=False)
    Teaching.objects.create(
        organization=table.organization,
        table_name=table.name,
        name_key=table.name_key,
        column=column,
        number=(earlier.aggregate(last=Max("number"))["last"] or 0) + 1,
        before=before,
        after=entry,
        by=by,
    )
    return True


def _put_behind(by: User, first: DataTable, name: str) -> None:
    """A table that was taken before `first` no longer is: of two files one comes before the other."""
    table = DataTable.objects.of(first.organization).filter(name_key=name_key(name)).first()
    held = _changes(table, "").filter(current=True).first() if table is not None else None
    if table is None or held is None or first.name not in held.after.get("before", ()):
        return
    left = {said: value for said, value in held.after.items() if said != "before"}
    kept = [other for other in held.after["before"] if other != first.name]
    if _entered(by, table, "", {**left, "before": kept} if kept else left):
        _changed(by, table.source, "")


@transaction.atomic
def teaching_undo(*, by: User, file_name: str, table_name: str, column: str) -> Source:
    """Takes the last change of an entry back; the one before it holds again. Raises NotFound, Refused, Conflict."""
    source, table = _table(by, file_name, table_name)
    changes = _changes(table, column)
    last = changes.filter(current=True).first()
    if last is None:
        raise Conflict("There is no change to take back.", code="nothing_to_undo")
    changes.filter(pk=last.pk).update(current=False, undone_at=timezone.now(), undone_by=by)
    earlier = changes.filter(undone_at=None).order_by("-number").first()
    if earlier is not None:
        changes.filter(pk=earlier.pk).update(current=True)
    _changed(by, source, column)
    return source


def teachings_forget(*, organization: Organization, name_keys: Collection[str]) -> None:
    """Removes what was taught about tables that are gone, inside the caller's transaction."""
    Teaching.objects.of(organization).filter(name_key__in=list(name_keys)).delete()


def _table(by: User, file_name: str, table_name: str) -> tuple[Source, DataTable]:
    """The source and its table of that name, held until the transaction ends, for somebody who may change it."""
    assert by.organization is not None, "only members reach the services"
    catalog_lock(by.organization)
    source = source_named(by.organization, file_name)
    demand(by, Action.EDIT_DICTIONARY)
    table = source.tables.filter(name_key=name_key(table_name)).first()
    if table is None:
        raise NotFound(f"{source.file_name} has no table named {visible(table_name)[:200]}.")
    return source, table


def _refuse_undated(table: DataTable, entry: Said) -> None:
    """Rows go by dates only. Raises Invalid."""
    dated = entry.get("date_column")
    if dated is None:
        return
    if dated not in [known["name"] for known in table.profile["columns"] if known["type"] in ("date", "datetime")]:
        raise Invalid(f"{table.name} has no date named {visible(dated)[:200]}.", code="no_such_date")


def _refuse_numberless(table: DataTable, column: str, entry: Said) -> None:
    """Only a column of numbers, or of texts that begin with one ("145 m", "4:32"), is a figure. Raises Invalid."""
    if entry.get("kind") != "measure":
        return
    # Imported here: what reads questions takes a moment to load, and most requests need none of it.
    from apps.analyst.language.figure_texts import holds_figures
    from apps.analyst.tables.codec import table_from_json

    held = table_from_json(table.profile).column(column)
    if held is not None and held.type not in ("integer", "decimal", "float") and not holds_figures(held):
        raise Invalid(f"{visible(column)[:200]} holds no numbers, so it is no figure.", code="no_figure")


def _changes(table: DataTable, column: str) -> QuerySet[Teaching]:
    return Teaching.objects.of(table.organization).filter(name_key=table.name_key, column=column)


def _changed(by: User, source: Source, column: str) -> None:
    CatalogState.objects.of(source.organization).update(taught_version=F("taught_version") + 1)
    target = f"{source.file_name}: {column}" if column else source.file_name
    record(AuditAction.CONTEXT_CHANGED, organization=source.organization, actor=by, target=target)
