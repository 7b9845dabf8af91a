"""JSON of values nested deeper than Python's encoder goes: the messages of a long thread hang on each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Default = Callable[[Any], Any]


def dumps(value: Any, *, default: Default | None = None) -> str:
    """The value as compact JSON, however deep. `default` is asked about what JSON has no word for, as in json.dumps."""
    try:
        return _plain(value, default)
    except RecursionError:
        return "".join(_pieces(value, default))


@dataclass(frozen=True, slots=True)
class _Text:
    """A piece that is written out already."""

    text: str


def _pieces(value: Any, default: Default | None) -> Iterator[str]:
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, _Text):
            yield item.text
        elif isinstance(item, dict):
            waiting.extend(reversed(_opened(item, default)))
        elif isinstance(item, list | tuple):
            parts = [part for index, one in enumerate(item) for part in (_Text("," if index else "["), one)]
            waiting.extend(reversed([*parts, _Text("]" if parts else "[]")]))
        else:
            yield _plain(item, default)


def _opened(item: dict[str, Any], default: Default | None) -> list[Any]:
    """A mapping's pieces: its scalars are written, what may be deep is left as it is."""
    parts: list[Any] = []
    for index, (name, inner) in enumerate(item.items()):
        head = f"{',' if index else '{'}{_plain(str(name), None)}:"
        deep = isinstance(inner, dict | list | tuple)
        parts += [_Text(head), inner] if deep else [_Text(head + _plain(inner, default))]
    return [*parts, _Text("}" if parts else "{}")]


def _plain(value: Any, default: Default | None) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=default)
