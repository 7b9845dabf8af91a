"""Who answers questions from Slack: threads belong to an app above this one, which says at its start how it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from apps.core.errors import Unavailable

if TYPE_CHECKING:
    from apps.accounts.models import User


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was put, and where its answer will be."""

    thread_id: UUID
    run_id: UUID


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as people read it: every cell is a text already; `right` says which columns hold figures."""

    names: Sequence[str]
    right: Sequence[bool]
    rows: Sequence[Sequence[str]]
    total_rows: int


@dataclass(frozen=True, slots=True)
class Answered:
    """How a question ended: its answer in the product's Markdown, or the sentence that says why there is none."""

    text: str
    table: ShownTable | None = None
    charts: tuple[str, ...] = ()
    """Chart files (SPEC section 3) as text."""


class Desk(Protocol):
    """Takes questions of members and tells their answers."""

    def ask(self, *, member: User, prompt: str, thread_id: UUID | None) -> Asked:
        """Queues the question, in the member's thread of that id or a new one. Raises ProductError."""
        ...

    def answered(self, *, member: User, run_id: UUID) -> Answered | None:
        """The answer, None while it is being made. Raises NotFound for what is not the member's."""
        ...


_desk: Desk | None = None


def desk_served_by(served_by: Desk) -> None:
    """Says who takes the questions."""
    global _desk
    _desk = served_by


def desk() -> Desk:
    """Whoever takes the questions."""
    if _desk is None:
        raise Unavailable("Nobody takes questions here.")
    return _desk
