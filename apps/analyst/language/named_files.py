"""A file named in a question: "total sales in sales_2024.csv", "profit by country in the budget file".

The name says where to look and nothing of what is asked, so it is taken out before the question is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from apps.analyst.language.names import split
from apps.analyst.types import Table

_IN = r"(?:,\s*)?\b(?:in|from|of|for|using|within|on|per|according to)\s+"
_KIND = r"(?:file|spreadsheet|workbook|worksheet|sheet|tab|data ?set|export|upload|csv|excel|xlsx)"
_ENDING = r"(?:\.(?:csv|xlsx|xls))"
_PARTIAL = re.compile(rf"{_IN}(?:the|my|our)\s+(?P<words>\w[\w .-]*?)\s+{_KIND}\b(?:\s+{_KIND}\b)?", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s_.-]+")
_TELLING = 3
"""A name of so many words is no word of a question by chance."""


def file_named(text: str, tables: Sequence[Table]) -> tuple[str, frozenset[str]] | None:
    """The question without the file it names, and the tables of that file; None where it names none or all."""
    if len({table.file_name for table in tables}) < 2:
        return None
    asked = text.casefold()
    for name, owners in _names(tables):
        if not all(word in asked for word in _words(name.casefold())):
            continue  # without a pattern of its own: an organisation may have a thousand files
        found = _whole(name).search(text)
        if found is not None and _is_telling(name, found.group()):
            return _without(text, found), owners
    for found in _PARTIAL.finditer(text):
        said = frozenset(word for word in split(found["words"]))
        files = {t.file_name for t in tables if said and said <= frozenset(split(PurePath(t.file_name).stem))}
        if len(files) == 1:
            return _without(text, found), frozenset(t.name for t in tables if t.file_name in files)
    return None


def _names(tables: Sequence[Table]) -> Iterator[tuple[str, frozenset[str]]]:
    """File and table names, the longest first, with the tables they stand for."""
    owners: dict[str, set[str]] = {}
    for table in tables:
        for name in (table.name, PurePath(table.file_name).stem):
            owners.setdefault(name, set()).add(table.name)
    for name in sorted(owners, key=lambda name: (-len(name), name)):
        yield name, frozenset(owners[name])


def _words(name: str) -> list[str]:
    return [word for word in _BETWEEN.split(name) if word]


def _whole(name: str) -> re.Pattern[str]:
    said = r"[\s_.-]+".join(re.escape(word) for word in _words(name))
    return re.compile(
        rf"{_IN}(?:the\s+)?(?:{_KIND}\s+)?[\"'“‘`]?{said}{_ENDING}?[\"'”’`]?(?:\s+{_KIND})?(?![\w.]*\w)", re.IGNORECASE
    )


def _is_telling(name: str, said: str) -> bool:
    marked = re.search(rf"{_ENDING}|\b{_KIND}\b", said, re.IGNORECASE) is not None
    return marked or len(_words(name)) >= _TELLING or ("_" in name and name.casefold() in said.casefold())


def _without(text: str, found: re.Match[str]) -> str:
    return re.sub(r"\s+([?.!,])", r"\1", " ".join(f"{text[: found.start()]} {text[found.end() :]}".split()))
