"""Reads whose SQL is made once.

Django makes the SQL of a query set anew for each read. Where one row is looked up by its key, that takes ten times what
the database takes (docs/benchmarks.md). The few reads that each call of the API makes, and those of a thread, are
prepared here; for all others a query set is fast enough and says more.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import CharField, DateTimeField, Field, QuerySet, UUIDField

R = TypeVar("R")
Parameter: TypeAlias = "Field[Any, Any]"


@dataclass(frozen=True, slots=True)
class _Part:
    """The columns of one model in a row, and how it is put into the one that refers to it."""

    model: Any
    names: Sequence[str]
    places: Sequence[int]
    key: int
    put: Callable[[Any, Any], None] | None


@dataclass(frozen=True, slots=True)
class _Plan:
    sql: str
    parameters: Sequence[Any]
    """Each the name of one to be filled in, or what always stands there."""
    converters: Sequence[tuple[int, Sequence[Callable[..., Any]], Any]]
    parts: Sequence[_Part]
    """Of rows of models; none where rows are tuples."""


@dataclass(frozen=True, slots=True)
class _Named:
    name: str


class Prepared(Generic[R]):
    """A query set with parameters: `Prepared(lambda key: User.objects.filter(pk=key), key=UUIDField())`.

    `query` gives objects of a model, with those it selects as related, or a values_list. It is called once, with values
    that stand for those to come, so it must not decide by them.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, R]], **parameters: Parameter) -> None:
        self._query = query
        self._parameters = parameters
        self._plan: _Plan | None = None

    def rows(self, **values: Any) -> list[R]:
        """All rows for these values of the parameters."""
        plan = self._plan or self._made()
        given = {name: field.get_db_prep_value(values[name], connection) for name, field in self._parameters.items()}
        parameters = [given[one.name] if isinstance(one, _Named) else one for one in plan.parameters]
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, parameters)
            found = cursor.fetchall()
        return [_read(plan, row) for row in found]

    def first(self, **values: Any) -> R | None:
        """The first of them, or None."""
        return next(iter(self.rows(**values)), None)

    def _made(self) -> _Plan:
        stand_ins = {name: _stand_in(field) for name, field in self._parameters.items()}
        query: Any = self._query(**stand_ins)
        compiler = query.query.get_compiler(connection=connection)
        sql, values = compiler.as_sql()
        names = {
            field.get_db_prep_value(stand_ins[name], connection): _Named(name)
            for name, field in self._parameters.items()
        }
        parameters = [names.get(value, value) for value in values]
        if missing := set(names.values()) - {one for one in parameters if isinstance(one, _Named)}:
            raise ValueError(f"The query does not use {', '.join(sorted(one.name for one in missing))}.")
        converters = compiler.get_converters([one[0] for one in compiler.select[: compiler.col_count]])
        self._plan = _Plan(
            sql=sql,
            parameters=parameters,
            converters=[(place, tuple(steps), column) for place, (steps, column) in converters.items()],
            parts=tuple(_parts(compiler.klass_info, compiler.select)) if query._fields is None else (),
        )
        return self._plan


def _stand_in(field: Parameter) -> Any:
    """A value that nothing else in the query has."""
    if isinstance(field, UUIDField):
        return uuid.uuid4()
    if isinstance(field, DateTimeField):
        return datetime.fromtimestamp(uuid.uuid4().int % 10**9, UTC)
    if isinstance(field, CharField):
        return uuid.uuid4().hex
    raise TypeError(f"A parameter cannot be a {type(field).__name__}.")


def _parts(info: Any, select: Any) -> Iterator[_Part]:
    places = info["select_fields"]
    names = [select[place][0].target.attname for place in places]
    key = places[names.index(info["model"]._meta.pk.attname)]
    yield _Part(info["model"], names, places, key, info.get("local_setter"))
    for related in info.get("related_klass_infos", ()):
        if related.get("related_klass_infos"):
            raise ValueError("Only what a row refers to itself can be read with it.")
        yield from _parts(related, select)


def _read(plan: _Plan, found: Sequence[Any]) -> Any:
    row = list(found)
    for place, steps, column in plan.converters:
        for step in steps:
            row[place] = step(row[place], column, connection)
    if not plan.parts:
        return tuple(row)
    whole: Any = None
    for part in plan.parts:
        there = row[part.key] is not None
        values = [row[place] for place in part.places]
        one = part.model.from_db(DEFAULT_DB_ALIAS, part.names, values) if there else None
        if part.put is None:
            whole = one
        else:
            part.put(whole, one)
    return whole
