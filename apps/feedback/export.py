"""Feedback as a table for a spreadsheet: the fields that are passed on, with who said it. Pure but for the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apps.analyst.tables.neutral import csv_line, neutral
from apps.feedback.fields import new_york_time
from apps.feedback.models import Feedback

HEADS = (
    "Datetime",
    "Organization",
    "Author",
    "Kind",
    "Feedback",
    "ThumbUp",
    "UserSelectedFiles",
    "ChatHistory",
    "Passed on",
)
BYTE_ORDER_MARK = "\ufeff"


def as_csv(rows: Iterable[Feedback]) -> Iterator[str]:
    """The lines of the file. Words that a spreadsheet would run as a formula get a leading single quote."""
    yield BYTE_ORDER_MARK + csv_line(HEADS)
    for row in rows:
        yield csv_line(neutral(cell) for cell in _cells(row))


def _cells(row: Feedback) -> tuple[str, ...]:
    thumb = row.is_thumbs_up
    return (
        new_york_time(row.created_at),
        row.organization.name,
        row.author.username if row.author else "",
        row.get_kind_display(),
        row.text,
        "" if thumb is None else str(thumb).lower(),
        "\n".join(row.files),
        row.chat_history,
        row.get_passing_display(),
    )
