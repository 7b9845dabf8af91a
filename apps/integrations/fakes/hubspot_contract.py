"""HubSpot's contract: which parameters an operation takes, and the shapes of bodies both ways."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from apps.integrations.fakes.base import Reply, Request
from apps.integrations.hubspot import wire

_FOLDER = Path(__file__).parent / "contracts" / "hubspot"
ROWS = 10
_ASSOCIATIONS_OF_ONE = ["properties", "propertiesWithHistory", "associations", "archived", "idProperty"]
"""Parameters of objects.get, which operations.json leaves out; they are those of the list without its paging."""


class HubSpotContract:
    """apps.integrations.fakes.base.Contract for HubSpot."""

    def __init__(self) -> None:
        written = json.loads((_FOLDER / "operations.json").read_text())
        self.operations: dict[str, Any] = {operation["id"]: operation for operation in written["operations"]}
        self.error: str = written["error"]
        self.root: str = written["root"]
        assert written["api_version"] == wire.API_VERSION, "the client speaks the version of the contract"

    def request_problems(self, operation: str, request: Request) -> Sequence[str]:
        known = self.operations.get(operation)
        if known is None:
            return []
        problems: list[str] = []
        if known["method"] == "GET":
            allowed = known.get("query", _ASSOCIATIONS_OF_ONE)
            problems += _unknown("query parameter", request.query, allowed)
            if request.body:
                problems.append("a GET carries no body")
        elif known.get("content_type"):
            if request.headers.get("content-type") != known["content_type"]:
                problems.append(f"the content type is {request.headers.get('content-type')}")
            if known["form"] is not None:
                problems += _unknown("form field", request.form, known["form"])
        elif known.get("request"):
            problems += _mismatches(known["request"], request.json)
        return problems

    def reply_problems(self, operation: str, reply: Reply) -> Sequence[str]:
        known = self.operations.get(operation)
        if known is None:
            return []
        if reply.status >= 400:
            return _mismatches(self.error, reply.json)
        return _mismatches(known["response"], _some_rows(reply.json)) if known.get("response") else []


def _some_rows(answer: Any) -> Any:
    """The answer with its first rows: the others are made by the same lines, and checking each costs too much."""
    if isinstance(answer, dict) and isinstance(answer.get("results"), list):
        return {**answer, "results": answer["results"][:ROWS]}
    return answer


def _unknown(what: str, sent: Mapping[str, Any], allowed: Iterable[str]) -> list[str]:
    return [f"there is no {what} {name}" for name in sent if name not in allowed]


def _mismatches(schema: str, value: Any) -> list[str]:
    errors = _validator(schema).iter_errors(value)
    return [f"{schema}: {'/'.join(map(str, error.path))} {error.message[:200]}" for error in errors]


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{schema}", "$defs": _shapes()})


@cache
def _shapes() -> dict[str, Any]:
    """The shapes with what the API is known to do otherwise: a property without a value is null (INTEGRATIONS 1.2)."""
    shapes: dict[str, Any] = copy.deepcopy(json.loads((_FOLDER / "schemas.json").read_text())["$defs"])
    for name in ("objects.SimplePublicObject", "objects.SimplePublicObjectWithAssociations"):
        shapes[name]["properties"]["properties"]["additionalProperties"] = {"type": ["string", "null"]}
    return shapes
