"""What the reader knows of English stands in data: no word of a question is named in its code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from apps.analyst import reading, types
from apps.analyst.dictionary import types as meanings
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import tree
from apps.analyst.reading.sketch import KINDS, PRODUCTIONS

FILES = sorted(p for p in Path(reading.__file__).parent.glob("*.py") if p.name != "labels.py")
"""`labels` holds words for people: what the columns of an answer are called."""
TERMS = {
    # files, arrays and weights
    "answer", "ask", "base", "boolean", "feature", "fit", "fits", "heads", "last", "left", "marks", "memory",
    "ignore", "network", "norm", "out", "pieces", "place", "pool", "right", "say", "scores", "sizes", "start", "states",
    "table", "threshold", "value", "width", "words",
    # parts of a plan and of a sketch
    "column", "conditions", "dates", "days", "g", "groups", "h", "hall", "having", "hm", "hours", "in", "k", "limit",
    "measures", "minutes", "months", "n", "order", "query", "several", "where", "x", "years",
    # ends of an order in `knowledge`, and the place of a value's words
    "high", "said", "half",
}  # fmt: skip


def literals(module: object) -> set[str]:
    """The values of a module's Literal types."""
    return {value for kind in vars(module).values() for value in get_args(kind) if isinstance(value, str)}


def fields(module: object) -> set[str]:
    """The names of all fields of a module's nodes."""
    return {name for kind in vars(module).values() for name in getattr(kind, "model_fields", ())}


def written(tree: ast.Module) -> Iterator[str]:
    """Texts of the code that are single words; names of figures (keys of a dict) and docstrings left out."""
    passed = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    passed |= {id(key) for n in ast.walk(tree) if isinstance(n, ast.Dict) for key in n.keys}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in passed:
            continue
        if node.value.isalpha() and node.value.islower():
            yield node.value


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.name)
def test_no_word_of_a_question_stands_in_the_code(file: Path) -> None:
    known = {
        *TERMS,
        *PRODUCTIONS,
        *KINDS,
        *literals(tree),
        *fields(tree),
        *literals(types),
        *literals(meanings),
        *english().cues,
    }
    words = {word for word in written(ast.parse(file.read_text(encoding="utf-8"))) if word in knowledge().vocabulary}
    assert words <= known
