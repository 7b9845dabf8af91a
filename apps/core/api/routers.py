"""The one router of the API: addresses as the specification spells them (SPEC section 7)."""

from __future__ import annotations

from rest_framework.routers import DynamicRoute, Route, SimpleRouter


class ResourceRouter(SimpleRouter):
    """A resource lies on its prefix with the methods that its viewset has, and each of its actions below.

    No address ends with a slash. What a call is about stands in its query or its body, so that reading, making,
    replacing and removing share one address; only an action of a single thing has an id in its path.
    """

    routes = [
        Route(
            url="{prefix}",
            mapping={"get": "retrieve", "post": "create", "put": "update", "delete": "destroy"},
            name="{basename}",
            detail=False,
            initkwargs={},
        ),
        DynamicRoute(url="{prefix}/{url_path}", name="{url_name}", detail=False, initkwargs={}),
        DynamicRoute(url="{prefix}/{lookup}/{url_path}", name="{url_name}", detail=True, initkwargs={}),
    ]

    def __init__(self) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)
