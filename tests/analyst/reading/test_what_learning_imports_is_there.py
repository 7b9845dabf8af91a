"""The programs in learning/ run seldom and need libraries that no test environment has: a name that has moved would
first be missed by whoever trains."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from pathlib import Path

import pytest

LEARNING = Path(__file__).parents[3] / "learning"


def named(program: Path) -> list[tuple[str, str]]:
    """The modules of the engine that a program imports from, each with a name it takes."""
    nodes = ast.walk(ast.parse(program.read_text(encoding="utf-8")))
    taken = (node for node in nodes if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("apps."))
    return [(node.module or "", alias.name) for node in taken for alias in node.names]


@pytest.mark.parametrize("program", sorted(LEARNING.rglob("*.py")), ids=lambda path: path.stem)
def test_every_name_that_a_program_takes_from_the_engine_is_there(program: Path) -> None:
    missing = [f"{module}.{name}" for module, name in named(program) if not is_there(module, name)]
    assert not missing


def is_there(module: str, name: str) -> bool:
    found = importlib.import_module(module)
    return hasattr(found, name) or importlib.util.find_spec(f"{module}.{name}") is not None
