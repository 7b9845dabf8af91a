"""How a model is held to the form of a reply: by its provider's schema, by a tool that it must call, or in words alone.

The ways are tried in this order. Servers of one wire format differ in what they know; a way that a server refused is
not asked of it again once another one brought an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from apps.analyst.approaches.models.refusing import refused, refuses_temperature
from apps.analyst.approaches.models.specs import ModelSpec

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

Form = Mapping[str, Any]
"""A JSON schema that a reply keeps, where the model's provider can hold it to one."""
Way = Literal["schema", "tool", "words"]
TOOL = "reply"
_works: dict[ModelSpec, Way] = {}
"""The first way that did not refuse, where it is not the first of all. Touched on the models' loop only."""


async def formed(
    spec: ModelSpec, model: Model, messages: list[ModelMessage], settings: ModelSettings, form: Form
) -> ModelResponse:
    """One reply in a form, in the strictest way that the model's server knows. Raises what the library does."""
    from pydantic_ai.direct import model_request

    ways = _ways(spec, model)
    for way in ways[:-1]:
        try:
            asked = _parameters(way, form)
            response = await model_request(model, messages, model_settings=settings, model_request_parameters=asked)
        except Exception as error:
            if not refused(error) or refuses_temperature(error):
                raise
        else:
            _keep(spec, way, ways)
            return response
    response = await model_request(model, messages, model_settings=settings)  # the rules ask for JSON in text
    _keep(spec, ways[-1], ways)
    return response


def said(response: ModelResponse) -> str:
    """What a model says: what it called the tool with, else its text."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    for part in response.parts:
        if isinstance(part, ToolCallPart) and part.tool_name == TOOL:
            # To the letter, also where it is broken: what is wrong with it is told to the model.
            return part.args if isinstance(part.args, str) else part.args_as_json_str()
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def _ways(spec: ModelSpec, model: Model) -> Sequence[Way]:
    """The ways that are left to try, the strictest first; words are always left."""
    ways: list[Way] = []
    if model.profile.get("supports_json_schema_output"):
        ways.append("schema")
    if model.profile.get("supports_tools", True):
        ways.append("tool")
    ways.append("words")
    known = _works.get(spec)
    return ways[ways.index(known) :] if known in ways else ways


def _keep(spec: ModelSpec, way: Way, ways: Sequence[Way]) -> None:
    if way != ways[0]:
        _works[spec] = way


def _parameters(way: Way, form: Form) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    if way == "schema":
        wanted = OutputObjectDefinition(json_schema=dict(form), name=TOOL, strict=True)
        return ModelRequestParameters(output_mode="native", output_object=wanted)
    # Not strict: a server that can hold arguments to a schema knows the first way.
    tool = ToolDefinition(
        name=TOOL, parameters_json_schema=dict(form), description="Gives the reply.", strict=False, kind="output"
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
