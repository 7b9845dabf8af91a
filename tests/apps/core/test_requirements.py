"""What the product imports itself stands in its requirements: nothing comes by way of somebody else's."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OF_OTHER_ENVIRONMENTS = {"pyspark"}
"""Spark's driver runs in an environment of its own (requirements/spark.in)."""


def imported() -> dict[str, str]:
    """Each package with a file that imports it, the product's own and the standard library's left out."""
    found = {}
    for root in ("apps", "config"):
        for path in sorted((ROOT / root).rglob("*.py")):
            for name in _names(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(name, str(path.relative_to(ROOT)))
    return {name: path for name, path in found.items() if name not in {"apps", "config", *sys.stdlib_module_names}}


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name.split(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]


def required(*names: str) -> set[str]:
    """The distributions that these files name themselves."""
    lines = [line for name in names for line in (ROOT / "requirements" / f"{name}.in").read_text().splitlines()]
    return {_plain(re.split(r"[\[=<>~! ]", line)[0]) for line in lines if line[:1].isalpha()}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_package_that_is_imported_is_required():
    known, homes = required("analyst", "base", "production"), packages_distributions()
    lacking = {
        name: path
        for name, path in imported().items()
        if name not in OF_OTHER_ENVIRONMENTS and not known & {_plain(one) for one in homes.get(name, [])}
    }
    assert lacking == {}
