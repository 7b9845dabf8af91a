"""Columns and tables with their names as people say them."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.language.names import Name
from apps.analyst.types import Column, Table


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column with its name as said."""

    table: Table
    column: Column
    name: Name


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table with its name as said."""

    table: Table
    name: Name
