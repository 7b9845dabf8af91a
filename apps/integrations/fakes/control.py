"""The stand-ins' levers over HTTP, for people who try the product by hand: all under /_fake."""

from __future__ import annotations

from apps.integrations.fakes.base import FakeService, Reply, Request, Route


def control_routes(service: FakeService) -> list[Route]:
    """GET says; POST /_fake/faults {operation, kind, status, json, headers, seconds, times, skip} orders a fault."""

    def order(request: Request) -> Reply:
        service.fail(**request.json)
        return Reply(201, {"faults": len(service.faults)})

    def heal(request: Request) -> Reply:
        service.heal()
        return Reply(200, {"faults": 0})

    def log(request: Request) -> Reply:
        return Reply(200, [vars(call) for call in service.log[-500:]])

    def violations(request: Request) -> Reply:
        return Reply(200, service.violations)

    return [
        Route("POST", "/_fake/faults", "control", order),
        Route("DELETE", "/_fake/faults", "control", heal),
        Route("GET", "/_fake/log", "control", log),
        Route("GET", "/_fake/violations", "control", violations),
    ]
