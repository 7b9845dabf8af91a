"""Slack's routes: what members call with their session, and what Slack calls with its signature."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member, session
from apps.core.errors import Invalid
from apps.integrations.api.bodies import redirect_uri, text
from apps.integrations.services.connections import connection_finish
from apps.integrations.slack import copy, intake, linking
from apps.integrations.slack.limits import MAX_BODY
from apps.integrations.slack.requests import Challenge, Delivery, Ignored, Uninstalled, command_of, event_of
from apps.integrations.slack.signing import is_from_slack
from apps.integrations.slack.status import answers_in_channel_set, slack_status

CODE = OpenApiParameter("code", str, required=True, description="The key of a link that Slack showed.")


class SlackAuthSerializer(serializers.Serializer):
    """The code of a consent with the state it came with."""

    slackCode = serializers.CharField()
    state = serializers.CharField()
    redirect_uri = serializers.CharField()


class SlackStatusSerializer(serializers.Serializer):
    """The workspace, whether answers may be seen by a whole channel, and who the member is there."""

    workspace = serializers.CharField(allow_null=True)
    answers_in_channel = serializers.BooleanField()
    linked_as = serializers.CharField(allow_null=True)
    command = serializers.CharField()


class SlackSettingsSerializer(serializers.Serializer):
    answers_in_channel = serializers.BooleanField()


class SlackOfferSerializer(serializers.Serializer):
    """What a link would do: the Slack user of that workspace becomes the member."""

    workspace = serializers.CharField()
    slack_name = serializers.CharField()


class SlackCodeSerializer(serializers.Serializer):
    code = serializers.CharField()


class SlackAuthViewSet(ViewSet):
    """POST /slack/auth: the end of connecting the workspace. GET says how it stands; PUT is an admin's choice."""

    @extend_schema(responses=SlackStatusSerializer)
    def retrieve(self, request: Request) -> Response:
        return Response(slack_status(member(request)))

    @extend_schema(request=SlackAuthSerializer, responses={200: SlackStatusSerializer})
    def create(self, request: Request) -> Response:
        connection_finish(
            by=member(request),
            session_key=session(request).key,
            service="slack",
            code=text(request.data, "slackCode"),
            state=text(request.data, "state"),
            redirect_uri=redirect_uri(request, "slack"),
        )
        return Response(slack_status(member(request)))

    @extend_schema(request=SlackSettingsSerializer, responses=SlackStatusSerializer)
    def update(self, request: Request) -> Response:
        answers_in_channel_set(by=member(request), shown=_shown(request.data))
        return Response(slack_status(member(request)))


class SlackLinkViewSet(ViewSet):
    """/slack/link: GET says who would be linked, POST confirms, DELETE takes the member's link away."""

    @extend_schema(parameters=[CODE], responses=SlackOfferSerializer)
    def retrieve(self, request: Request) -> Response:
        offer = linking.link_offer(by=member(request), key=text(request.query_params, "code"))
        return Response({"workspace": offer.workspace, "slack_name": offer.slack_name})

    @extend_schema(request=SlackCodeSerializer, responses={200: SlackStatusSerializer})
    def create(self, request: Request) -> Response:
        linking.link_confirm(by=member(request), key=text(request.data, "code"))
        return Response(slack_status(member(request)))

    @extend_schema(responses={200: SlackStatusSerializer})
    def destroy(self, request: Request) -> Response:
        linking.link_end(by=member(request))
        return Response(slack_status(member(request)))


def _shown(data: object) -> bool:
    shown = data.get("answers_in_channel") if isinstance(data, Mapping) else None
    if not isinstance(shown, bool):
        raise Invalid("answers_in_channel must be true or false.", code="invalid")
    return shown


# ---------------------------------------------------------------- called by Slack
def _signed(view: Callable[[bytes], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A view of the raw body that only Slack reaches. Anything else is 401, whatever is wrong with it."""

    @csrf_exempt
    @require_POST
    def checked(request: HttpRequest) -> HttpResponse:
        body = request.read(MAX_BODY + 1)
        genuine = len(body) <= MAX_BODY and is_from_slack(
            secret=settings.SLACK_SIGNING_SECRET,
            timestamp=request.headers.get("X-Slack-Request-Timestamp", ""),
            given=request.headers.get("X-Slack-Signature", ""),
            body=body,
            now=time.time(),
        )
        return view(body) if genuine else HttpResponse(status=401)

    return checked


def _event(body: bytes) -> HttpResponse:
    match event_of(body):
        case Challenge(challenge):
            return HttpResponse(challenge, content_type="text/plain")
        case Delivery() as delivery:
            intake.delivery_take(delivery)
        case Uninstalled(team_id):
            intake.workspace_left(team_id)
        case Ignored():
            pass
    return HttpResponse(status=200)


def _command(body: bytes) -> HttpResponse:
    delivery = command_of(body)
    known = isinstance(delivery, Delivery) and intake.delivery_take(delivery)
    said = copy.ACKNOWLEDGED if known else copy.NOT_CONNECTED.format(product=settings.PRODUCT_NAME)
    return JsonResponse({"response_type": "ephemeral", "text": said})


slack_events = _signed(_event)
slack_commands = _signed(_command)
