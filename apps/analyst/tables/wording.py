"""Counted words for ingestion reports."""

from __future__ import annotations


def counted(number: int, word: str, plural: str | None = None) -> str:
    """ "1 row", "3 rows"."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def was(number: int) -> str:
    """ "was" or "were"."""
    return "was" if number == 1 else "were"


def shortened(text: str, limit: int = 120) -> str:
    """A text that is no longer than `limit` characters."""
    return text if len(text) <= limit else text[: limit - 3] + "..."
