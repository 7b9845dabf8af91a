"""Every route of the API is a viewset's own method, put on its address by the one router."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.mixins import CreateModelMixin, DestroyModelMixin, RetrieveModelMixin, UpdateModelMixin
from rest_framework.viewsets import ViewSetMixin

CALLED_BY_SLACK = {"slack_events", "slack_commands"}
"""Bytes with a signature, from outside: no resource of the API."""
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


def test_every_route_is_a_viewset_and_names_its_methods():
    assert len(api_routes()) > 30
    for route in api_routes():
        viewset = route.callback.cls
        assert issubclass(viewset, ViewSetMixin), route
        assert route.callback.actions, route
        assert all(action in vars(viewset) for action in route.callback.actions.values()), route
        assert not issubclass(viewset, INHERITED_VERBS), route


def test_no_two_routes_share_a_name():
    names = [route.name for route in api_routes()]
    assert len(names) == len(set(names))
