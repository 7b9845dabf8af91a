"""What the product says is spelled as Americans do. Words that people may use, British ones too, are no texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BRITISH = re.compile(
    r"\b(?:(?:col|fav|behavi|neighb|hon|lab)our\w*|(?:organ|custom|recogn|summar|optim|real|author)is(?:e|ed|es|ing|ation)"
    r"|centre|grey|licence|analys(?:e|ed|ing)|judgement|programme|catalogue)\b",
    re.IGNORECASE,
)
HEARD = ("language", "knowledge", "reading", "tables", "evaluate")
"""Packages of the engine whose strings are words of questions and of files."""
PERCENT = re.compile(r"(?:\}|\d)\s%(?=[`'\" ]|$)")
"""A percentage with a space before its sign."""


def said_in_python() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "apps").rglob("*.py")):
        place = path.relative_to(ROOT / "apps")
        if "migrations" in place.parts or place.parts[:2] in {("analyst", package) for package in HEARD}:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
                yield f"{place}:{node.lineno}", node.value


def said_in_the_browser() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "assets").rglob("*.ts*")):
        if ".test." in path.name or path.name == "schema.d.ts" or "test" in path.relative_to(ROOT).parts:
            continue
        text = re.sub(
            r"/\*.*?\*/", lambda part: "\n" * part[0].count("\n"), path.read_text(encoding="utf-8"), flags=re.S
        )
        for number, line in enumerate(text.split("\n"), 1):
            yield f"{path.relative_to(ROOT)}:{number}", re.sub(r"(?<!:)//.*$", "", line)


def said_in_templates() -> Iterator[tuple[str, str]]:
    for folder in (ROOT / "templates", *(ROOT / "apps").glob("*/templates")):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                shown = re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.S)
                yield str(path.relative_to(ROOT)), shown


def test_no_text_is_spelled_the_british_way() -> None:
    found = [
        f"{place}: {word[0]}"
        for texts in (said_in_python(), said_in_the_browser(), said_in_templates())
        for place, text in texts
        for word in BRITISH.finditer(text)
    ]
    assert not found


def test_a_percentage_has_no_space_before_its_sign() -> None:
    assert [place for place, text in said_in_the_browser() if PERCENT.search(text)] == []
