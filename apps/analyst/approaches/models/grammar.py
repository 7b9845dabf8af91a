"""The plan's grammar in a compact form, generated from its types: what a rejection shows, so that it cannot go stale.

A node is written as `{"kind":"period","grain":"hour|day|...","of":EXPR,"first_month"?:NUMBER}`; a field with a question
mark may be left out.
"""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from apps.analyst.plan import Node, tree

_WORDS: dict[Any, str] = {str: "TEXT", int: "NUMBER", float: "NUMBER", bool: "true|false", NoneType: "null"}
_UNIONS = {tree.Expr: "EXPR", tree.Predicate: "PREDICATE", tree.Plan: "PLAN"}
_MEMBERS = {frozenset(get_args(get_args(union)[0])): name for union, name in _UNIONS.items()}
_TOLD_AS = frozenset({"noun", "scope", "known_until"})
"""Fields that only say how to word a query."""


@cache
def nodes() -> dict[str, type[Node]]:
    """All kinds of nodes by their `kind`, those without one by their name in lower case."""
    found = [one for one in vars(tree).values() if isinstance(one, type) and issubclass(one, Node) and one is not Node]
    return {_kind(one) or one.__name__.lower(): one for one in found}


def shape(kind: str) -> str:
    """How a node of this kind is written; "" where there is none."""
    node = nodes().get(kind)
    if node is None:
        return ""
    parts = [_part(name, field) for name, field in node.model_fields.items() if name not in _TOLD_AS]
    return "{" + ",".join(parts) + "}"


def _kind(node: type[Node]) -> str:
    field = node.model_fields.get("kind")
    return str(field.default) if field is not None else ""


def _part(name: str, field: FieldInfo) -> str:
    if name == "kind":
        return f'"kind":"{field.default}"'
    optional = "" if field.is_required() else "?"
    return f'"{name}"{optional}:{_written(field.annotation)}'


def _written(kind: Any) -> str:
    """A type in the grammar's words."""
    if get_origin(kind) is Annotated:
        return _written(get_args(kind)[0])
    if kind in _WORDS:
        return _WORDS[kind]
    if isinstance(kind, type) and issubclass(kind, Node):
        return _kind(kind).upper() or kind.__name__.upper()
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return '"' + "|".join(map(str, arguments)) + '"'
    if get_origin(kind) is tuple:
        return f"[{_written(arguments[0])},...]"
    if get_origin(kind) is dict:
        return "{...}"
    if get_origin(kind) in (Union, UnionType):
        known = _MEMBERS.get(frozenset(arguments) - {NoneType})
        return known or "|".join(dict.fromkeys(_written(one) for one in arguments if one is not NoneType))
    return str(kind)
