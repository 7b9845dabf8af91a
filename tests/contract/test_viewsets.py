"""Every route of the API is a viewset's own method of three statements, put on its address by the one router."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.mixins import CreateModelMixin, DestroyModelMixin, RetrieveModelMixin, UpdateModelMixin
from rest_framework.viewsets import ViewSetMixin

CALLED_BY_SLACK = {"slack_events", "slack_commands"}
"""Bytes with a signature, from outside: no resource of the API."""
MOST_STATEMENTS = 3
"""Parse, call, answer (ARCHITECTURE.md, "Rules that keep it straight")."""
INHERITED_VERBS = (CreateModelMixin, DestroyModelMixin, RetrieveModelMixin, UpdateModelMixin)


def api_routes() -> list[URLPattern]:
    [api] = [one for one in get_resolver().url_patterns if str(one.pattern) == "api/v3/"]
    return walked(api)


def walked(resolver: Any) -> list[URLPattern]:
    return [
        route
        for one in resolver.url_patterns
        for route in (walked(one) if isinstance(one, URLResolver) else [one])
        if route.name not in CALLED_BY_SLACK
    ]


def viewsets() -> set[type]:
    return {route.callback.cls for route in api_routes()}


def statements(method: Callable[..., Any]) -> int:
    """Its statements and those inside of them, without its docstring."""
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(method))).body
    assert isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef)
    inside = sum(isinstance(node, ast.stmt) for node in ast.walk(tree)) - 1
    return inside - (ast.get_docstring(tree) is not None)


def test_every_route_is_a_viewset_and_names_its_methods():
    assert len(api_routes()) > 30
    for route in api_routes():
        viewset = route.callback.cls
        assert issubclass(viewset, ViewSetMixin), route
        assert route.callback.actions, route
        assert all(action in vars(viewset) for action in route.callback.actions.values()), route
        assert not issubclass(viewset, INHERITED_VERBS), route


def test_every_method_of_a_viewset_is_three_statements_at_most():
    methods = [method for one in viewsets() for method in vars(one).values() if isinstance(method, FunctionType)]
    assert len(methods) > 50
    too_long = {method.__qualname__: said for method in methods if (said := statements(method)) > MOST_STATEMENTS}
    assert not too_long


def test_statements_inside_of_others_count_and_the_docstring_does_not():
    def nested(given: int) -> int:
        """Four statements."""
        if given:
            given += 1
            given += 2
        return given

    assert statements(nested) == 4


def test_no_two_routes_share_a_name():
    names = [route.name for route in api_routes()]
    assert len(names) == len(set(names))
