"""What an answer is made of before it is written down: values only, made by `answers`, kept by `services.written`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class FileDraft:
    """A file of an answer: `content` is text, or base64 where `encoding` says so."""

    filename: str
    mime_type: str
    encoding: str
    content: str


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """An answer ready to be stored: Markdown, its parts and plan as JSON, its trace, and its files."""

    content: str
    model: str
    parts: dict[str, Any]
    plan: dict[str, Any] | None = None
    rivals: list[dict[str, Any]] = field(default_factory=list)
    trace: str = ""
    data_sources: list[str] = field(default_factory=list)
    files: tuple[FileDraft, ...] = ()
