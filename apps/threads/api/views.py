"""The routes of asking: parse, call, answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member, organization, session
from apps.core.api.parsers import AnyJSONParser
from apps.threads import limits
from apps.threads.api import commands
from apps.threads.api.model_serializers import ModelChoiceSerializer
from apps.threads.api.serializers import (
    ASK_ANSWERS,
    AskSerializer,
    RunSnapshotSerializer,
    SuggestionSerializer,
    TicketSerializer,
)
from apps.threads.providers import model_choices
from apps.threads.selectors import run_get, run_snapshot, thread_get, thread_list, thread_snapshot
from apps.threads.services.approaches import approach_select
from apps.threads.services.questions import question_ask
from apps.threads.services.runs import run_cancel
from apps.threads.services.validations import validation_start
from apps.threads.suggestions import question_suggestions
from apps.threads.tickets import ticket_issue

if TYPE_CHECKING:
    from apps.accounts.models import User


class JSONViewSet(ViewSet):
    """Takes JSON and nothing else."""

    parser_classes: list[type[BaseParser]] = [AnyJSONParser]


class AskViewSet(JSONViewSet):
    """POST: send a question, poll its run, list threads, load one, validate, select."""

    @extend_schema(request=AskSerializer, responses={200: ASK_ANSWERS})
    def create(self, request: Request) -> Response:
        command = commands.parse_command(request.data)
        return Response(_obey(command, member(request)))


class RunsViewSet(JSONViewSet):
    """The work on a question."""

    lookup_url_kwarg = "run_id"
    lookup_value_converter = "uuid"

    @extend_schema(request=None, responses=RunSnapshotSerializer)
    @action(detail=True, methods=["post"], url_name="run_cancel")
    def cancel(self, request: Request, run_id: UUID) -> Response:
        """POST: stop a run."""
        run = run_cancel(run=run_get(member(request), run_id))
        return Response(run_snapshot(run))


class SocketTicketViewSet(JSONViewSet):
    """POST: a ticket for the socket."""

    @extend_schema(request=None, responses={200: TicketSerializer})
    def create(self, request: Request) -> Response:
        return Response({"ticket": ticket_issue(session(request)), "expires_in": limits.TICKET_SECONDS})


class ModelsViewSet(ViewSet):
    """GET: the approaches that may be picked for a question, the built-in analyst first."""

    @extend_schema(responses=ModelChoiceSerializer(many=True))
    def retrieve(self, request: Request) -> Response:
        return Response(model_choices(organization(request)))


class QuestionSuggestionsViewSet(ViewSet):
    """GET: example questions."""

    @extend_schema(responses=SuggestionSerializer(many=True))
    def retrieve(self, request: Request) -> Response:
        return Response(question_suggestions(member(request)))


def _obey(command: commands.Command, asker: User) -> Any:
    match command:
        case commands.SendQuestion():
            return _send(command, asker)
        case commands.PollRun():
            return run_snapshot(run_get(asker, command.run_id, command.thread_id))
        case commands.ListThreads():
            return thread_list(asker)
        case commands.LoadThread():
            return thread_snapshot(thread_get(asker, command.thread_id))
        case commands.ValidateRun():
            return run_snapshot(validation_start(run=run_get(asker, command.run_id, command.thread_id)))
        case commands.SelectAnswer():
            approach_select(run=run_get(asker, command.run_id, command.thread_id), message_id=command.message_id)
            return {}


def _send(command: commands.SendQuestion, asker: User) -> dict[str, Any]:
    run = question_ask(
        member=asker,
        prompt=command.prompt,
        thread_id=command.thread_id,
        parent_message_id=command.parent_message_id,
        models=command.models,
        temperature=command.temperature,
        files=command.files,
    )
    return {
        "thread_id": str(run.thread_id),
        "run_id": str(run.pk),
        "user_message_id": str(run.question_id),
        "data_sources_being_accessed": run.data_sources,
    }
