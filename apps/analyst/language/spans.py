"""Stretches of a question with what they may mean, while they are collected."""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.language.phrases import Tag


@dataclass(slots=True)
class Span:
    start: int
    end: int
    weight: float = 0.0
    columns: dict[tuple[str, str], float] | None = None
    tables: dict[str, float] | None = None
    values: dict[tuple[str, str, str], float] | None = None
    tags: tuple[Tag, ...] = ()


def span_at(spans: dict[tuple[int, int], Span], start: int, end: int) -> Span:
    return spans.setdefault((start, end), Span(start, end))
