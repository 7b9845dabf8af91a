"""Google's contract: the discovery documents' parameters and shapes, both ways; OAuth's token route by its RFC."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator

from apps.integrations.fakes.base import Reply, Request

_FOLDER = Path(__file__).parent / "contracts" / "google"
_DOCUMENTS = ("sheets.v4.json", "drive.v3.json", "oauth2.v2.json")
_TOKEN_FIELDS = {
    "authorization_code": {"grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier"},
    "refresh_token": {"grant_type", "refresh_token", "client_id", "client_secret"},
}


class GoogleContract:
    """apps.integrations.fakes.base.Contract for Google."""

    def __init__(self) -> None:
        self.methods: dict[str, tuple[Mapping[str, Any], Draft4Validator, set[str]]] = {}
        for name in _DOCUMENTS:
            document = json.loads((_FOLDER / name).read_text())
            definitions = {key: _as_schema(shape) for key, shape in document["schemas"].items()}
            for key, method in document["methods"].items():
                schema = {**_as_schema(method["response"]), "definitions": definitions}
                allowed = {*document["parameters"], *method.get("parameters", {})}
                self.methods[key] = (method, Draft4Validator(schema), allowed)

    def request_problems(self, operation: str, request: Request) -> Sequence[str]:
        if operation == "oauth.token":
            return _token_problems(request)
        known = self.methods.get(operation)
        if known is None:
            return []
        method, _, allowed = known
        problems = [f"unknown query parameter {name}" for name in request.queries if name not in allowed]
        for name, parameter in method.get("parameters", {}).items():
            values = request.queries.get(name, [])
            if len(values) > 1 and not parameter.get("repeated"):
                problems.append(f"{name} is given more than once")
            problems += [f"{name} cannot be {v}" for v in values if v not in parameter.get("enum", [v])]
        if not request.headers.get("authorization", "").startswith("Bearer "):
            problems.append("no bearer token")
        if request.body:
            problems.append("a GET carries no body")
        return problems

    def reply_problems(self, operation: str, reply: Reply) -> Sequence[str]:
        if operation == "oauth.token":
            needed = {"access_token", "expires_in", "token_type"} if reply.status == 200 else {"error"}
            return [f"{name} is missing" for name in needed - set(reply.json or {})]
        known = self.methods.get(operation)
        if known is None:
            return []
        if reply.status != 200:
            error = (reply.json or {}).get("error", {})
            return [] if {"code", "message"} <= set(error) else ["an error without code and message"]
        return [f"{error.json_path}: {error.message[:200]}" for error in known[1].iter_errors(reply.json)]


def _token_problems(request: Request) -> list[str]:
    form = request.form
    fields = _TOKEN_FIELDS.get(form.get("grant_type", ""), set())
    problems = [f"unknown form field {name}" for name in set(form) - fields]
    problems += [f"form field {name} is missing" for name in fields - set(form)]
    if request.headers.get("content-type") != "application/x-www-form-urlencoded":
        problems.append("the body is no form")
    return problems


def _as_schema(shape: Any) -> Any:
    """A discovery shape as JSON Schema: references by path, no property that is not named, `any` allows all."""
    if isinstance(shape, list):
        return [_as_schema(part) for part in shape]
    if not isinstance(shape, dict):
        return shape
    if "$ref" in shape:
        return {"$ref": f"#/definitions/{shape['$ref']}"}
    kept = {key: shape[key] for key in ("type", "enum") if key in shape and shape.get("type") != "any"}
    if "properties" in shape:
        kept["properties"] = {name: _as_schema(part) for name, part in shape["properties"].items()}
        kept["additionalProperties"] = False
    if "additionalProperties" in shape:
        kept["additionalProperties"] = _as_schema(shape["additionalProperties"])
    if "items" in shape:
        kept["items"] = _as_schema(shape["items"])
    return kept
