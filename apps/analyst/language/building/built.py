"""What building a query gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.scan import Scan, choose_base
from apps.analyst.plan import (
    Query,
)


@dataclass(slots=True)
class Built:
    """A query with what its reader needs to know about it."""

    query: Query
    asked: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    measures: list[str] = field(default_factory=list)
    lost: int = 0
    """Restrictions that could not be applied."""
    multiplied: bool = False


class Unbuildable(Exception):
    """The sketch's tables do not join, or nothing is asked."""


def scan_over(draft: Draft, needed: list[str], preferred: list[str]) -> Scan:
    scan = choose_base(draft.lexicon.schema, needed, preferred)
    if scan is None:
        raise Unbuildable
    return scan
