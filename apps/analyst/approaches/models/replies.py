"""What a model replied, read with patience: a query, a plan, or that there is none.

Where only the form is off (one name for another, a literal without its type, a query without braces), it is read as it
was meant; what stays unclear is refused with the node as it should be written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import TypeAdapter, ValidationError

from apps.analyst.approaches.models.grammar import nodes, shape
from apps.analyst.errors import AnalystError, PlanRejected, Unclear
from apps.analyst.plan import Clarify, Plan

_plans: TypeAdapter[Plan] = TypeAdapter(Plan)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_FENCED = re.compile(r"```(?:sql|duckdb)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)
_QUERY = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_THOUGHTS = re.compile(r"\A(?!\s*\{).*</think(?:ing)?>", re.DOTALL)
"""What a local model says to itself first, where its server does not tell it apart; the opening mark may be missing."""
_ALIKE = ("fn", "op", "name", "function")
"""What the nodes call the thing they do; models take one for another."""
_MEANT = {"==": "=", "<>": "!=", "mean": "avg", "average": "avg", "std": "stddev", "date_diff": "days_between"}


_NODE_AT = {
    "joins": "join", "on": "joinkey", "columns": "output", "groups": "output", "measures": "output", "order": "order",
    "parts": "namedquery", "cuts": "cut",
}  # fmt: skip
"""Nodes without a kind of their own, by the fields that hold them."""


class WrongForm(PlanRejected):
    """A plan that cannot be read. `shape` is how the node that is wrong should be written."""

    def __init__(self, message: str, shape: str = "") -> None:
        super().__init__(message)
        self.shape = shape


@dataclass(frozen=True, slots=True)
class Sql:
    """A query that a model wrote; what the algebra can say of it becomes a plan (`plan.lift`)."""

    text: str
    statistic: str = ""
    """The statistic to compute over the rows that it lists."""
    read: tuple[str, ...] = ()
    """What the model took for granted, in its own words (`assumed`)."""


class AskedBack(AnalystError):
    """The model asks which of several readings is meant. `choices` are whole questions."""

    def __init__(self, message: str, choices: tuple[str, ...]) -> None:
        super().__init__(message)
        self.choices = choices


def plan_of(text: str) -> Plan | Sql:
    """The plan or query in a model's reply. Raises AskedBack where it asks, Unclear where it says that it has none,
    PlanRejected otherwise."""
    text = _THOUGHTS.sub("", text)
    data = _object(text)
    if data is None:
        query = _bare_query(text)
        if query is None:
            raise WrongForm("There is no JSON object in the reply.", '{"sql":"SELECT ..."}')
        return Sql(query)
    read, choices = _texts(data.pop("read", ())), _texts(data.pop("choices", ()))
    ask = data.pop("ask", "")
    if ask and not data.get("sql"):
        raise AskedBack(str(ask), choices)
    if data.get("unclear"):
        raise Unclear(str(data["unclear"])[:300])
    if isinstance(data.get("sql"), str) and set(data) <= {"sql", "statistic"}:
        return Sql(data["sql"].strip().rstrip(";"), str(data.get("statistic") or ""), read)
    if isinstance(data.get("plan"), dict):
        data = data["plan"]
    return _plan(data)


def _object(text: str) -> dict[str, Any] | None:
    """The JSON object of the reply, without its empty fields; None where there is none."""
    found = _OBJECT.search(text)
    if found is None or _bare_query(text) is not None:
        return None
    try:
        # Queries are often written over several lines, which strict JSON does not allow within a text.
        data = json.loads(found.group(), strict=False)
    except ValueError as error:
        raise PlanRejected(f"The JSON cannot be read: {error}.") from error
    return {name: value for name, value in data.items() if value is not None}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _bare_query(text: str) -> str | None:
    """A query that stands in the reply without any JSON around it."""
    fenced = _FENCED.search(text)
    query = fenced.group(1) if fenced is not None else text
    return query.strip().rstrip(";") if _QUERY.match(query) else None


def _plan(data: dict[str, Any]) -> Plan:
    if "kind" not in data and "source" in data:
        data = {"kind": "query", **data}
    try:
        plan = _plans.validate_python(_meant(data))
    except ValidationError as error:
        raise _wrong_form(error) from error
    except RecursionError as error:
        raise PlanRejected("The plan is nested too deep.") from error
    if isinstance(plan, Clarify):
        raise PlanRejected("A question back is no plan.")
    return plan


def _meant(value: Any) -> Any:
    """The tree with each node's fields under the names that its kind has."""
    if isinstance(value, list):
        return [_meant(part) for part in value]
    if not isinstance(value, dict):
        return value
    node = {name: _meant(part) for name, part in value.items()}
    kind = nodes().get(str(node.get("kind")))
    if kind is None:
        return node
    if node["kind"] == "constant":
        return _typed(node)
    wanted = next((name for name in _ALIKE if name in kind.model_fields), None)
    given = next((name for name in _ALIKE if name in node and name not in kind.model_fields), None)
    if wanted is not None and wanted not in node and given is not None:
        node[wanted] = node.pop(given)
    if wanted is not None and isinstance(node.get(wanted), str):
        node[wanted] = _MEANT.get(node[wanted], node[wanted])
    return node


def _typed(constant: Mapping[str, Any]) -> dict[str, Any]:
    """A literal is of the type that it is written as."""
    value = constant.get("value")
    if isinstance(value, bool):
        return {**constant, "type": "boolean"}
    return {**constant, "type": "number"} if isinstance(value, int | float) else dict(constant)


def _wrong_form(error: ValidationError) -> WrongForm:
    """The first thing that is wrong, and how its node is written."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "union_tag_invalid":
        wrong = str((first.get("ctx") or {}).get("tag"))
        near = get_close_matches(wrong, nodes(), 1, 0.4)
        return WrongForm(f"At {place or 'the top'}: there is no {wrong!r}.", shape(near[0] if near else "query"))
    steps = (_NODE_AT.get(str(part), str(part)) for part in first["loc"][:-1])
    kinds = [step for step in steps if step in nodes()]
    return WrongForm(f"At {place or 'the top'}: {first['msg']}.", shape(kinds[-1] if kinds else "query"))
