"""What callers send to the file routes, parsed once."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from rest_framework.request import Request

from apps.core.api.parameters import id_parameter, json_object
from apps.core.errors import Invalid
from apps.datasources import rows
from apps.datasources.limits import MAX_SEARCH
from apps.preferences.values import MAX_CONTEXT_LENGTH, PreferencesChange, parse_preferences, plain_text


@dataclass(frozen=True, slots=True)
class Listing:
    """GET /files: all files."""


@dataclass(frozen=True, slots=True)
class AnswersFile:
    """GET /files {filename, thread_id, message_id}: a file of an answer."""

    thread_id: UUID
    message_id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class SourcesFile:
    """GET /files {filename}: a source's content."""

    name: str


Wanted = Listing | AnswersFile | SourcesFile


def parse_wanted(request: Request) -> Wanted:
    """What GET /files asks for. Raises Invalid without a name, NotFound for what cannot be an id."""
    if "filename" not in request.query_params:
        return Listing()
    name = file_name_parameter(request)
    if not request.query_params.get("message_id"):
        return SourcesFile(name)
    return AnswersFile(id_parameter(request, "thread_id"), id_parameter(request, "message_id"), name)


@dataclass(frozen=True, slots=True)
class ExplanationUpdate:
    """POST /explanation {explanation, file}: the text of a file, or of the organization."""

    text: str
    file_name: str | None


@dataclass(frozen=True, slots=True)
class PreferencesUpdate:
    """POST /explanation {user_preferences}: preferences through the older door (SPEC section 7)."""

    change: PreferencesChange


def parse_explanation(data: object) -> ExplanationUpdate | PreferencesUpdate:
    """Raises Invalid for anything else."""
    body = json_object(data)
    if body.get("user_preferences") is not None:
        return PreferencesUpdate(parse_preferences(body["user_preferences"]))
    if body.get("explanation") is None:
        raise Invalid("Send explanation or user_preferences.", code="nothing_sent")
    file = body.get("file")
    return ExplanationUpdate(
        text=plain_text(body["explanation"], "explanation", MAX_CONTEXT_LENGTH),
        file_name=plain_text(file, "file", 255) if file is not None else None,
    )


@dataclass(frozen=True, slots=True)
class Lesson:
    """PUT /files/dictionary {table, column, said}: what is said about a table, or with a column about that."""

    table: str
    column: str
    said: object = None


def parse_lesson(data: object) -> Lesson:
    """Raises Invalid for anything else."""
    body = json_object(data)
    column = body.get("column")
    return Lesson(
        table=plain_text(body.get("table"), "table", 255),
        column=plain_text(column, "column", 255) if column is not None else "",
        said=body.get("said"),
    )


def parse_rows_wanted(request: Request) -> rows.Wanted:
    """GET /files/rows {filename, table, search, missing, offset}. Raises Invalid."""
    asked = request.query_params
    offset = asked.get("offset", "0")
    if not offset.isascii() or not offset.isdigit() or len(offset) > 12:
        raise Invalid("offset must be a whole number from 0 on.", code="not_a_number")
    return rows.Wanted(
        table=plain_text(asked.get("table", ""), "table", 255),
        search=plain_text(asked.get("search", ""), "search", MAX_SEARCH),
        missing=plain_text(asked.get("missing", ""), "missing", 255),
        offset=int(offset),
    )


def file_name_parameter(request: Request) -> str:
    """The `filename` of the query string. Raises Invalid without one."""
    name: str = request.query_params.get("filename", "").strip()
    if not name:
        raise Invalid("Say which file: filename is missing.", code="no_filename")
    return name


def names_parameter(request: Request) -> list[str] | None:
    """The `files` of the query string, repeated or with commas between; None where it is not there."""
    values = request.query_params.getlist("files")
    names = [name.strip() for value in values for name in value.split(",")]
    return [name for name in names if name] if values else None
