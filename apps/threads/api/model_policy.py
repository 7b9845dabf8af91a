"""The routes of what models see: what an organization lets them see, and what one saw for an answer."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.caller import member, organization
from apps.core.api.parameters import valid_body
from apps.threads.api.named import message_in_query
from apps.threads.api.views import JSONViewSet
from apps.threads.services.model_policy import model_policy, model_policy_set
from apps.threads.told import told_for

LEVELS = ["names", "ranges", "values"]


class ApproachSerializer(serializers.Serializer):
    """An approach that may answer first."""

    id = serializers.CharField()
    name = serializers.CharField()


class ModelPolicySerializer(serializers.Serializer):
    """How much models see, and which approach answers where a member has picked none."""

    may_manage = serializers.BooleanField()
    told = serializers.ChoiceField(choices=LEVELS)
    first = serializers.CharField()
    choices = ApproachSerializer(many=True)


class ModelPolicyChangeSerializer(serializers.Serializer):
    """What is to change; what is left out stays."""

    told = serializers.ChoiceField(choices=LEVELS, required=False)
    first = serializers.CharField(max_length=100, required=False)


class TurnSerializer(serializers.Serializer):
    """Something that was sent, or came back."""

    by = serializers.ChoiceField(choices=["rules", "form", "us", "model"])
    text = serializers.CharField()


class ToldSerializer(serializers.Serializer):
    """What one model was sent for an answer, and what it replied."""

    name = serializers.CharField()
    gave_way = serializers.BooleanField(help_text="it failed, and another answered")
    turns = TurnSerializer(many=True)


class AnswerToldSerializer(serializers.Serializer):
    """What left the house for an answer."""

    models = ToldSerializer(many=True)


class ModelPolicyViewSet(JSONViewSet):
    """What an organization decides about language models."""

    @extend_schema(responses=ModelPolicySerializer)
    def retrieve(self, request: Request) -> Response:
        """GET: what models see of the data, and which approach answers first."""
        return Response(model_policy(by=member(request)))

    @extend_schema(request=ModelPolicyChangeSerializer, responses=ModelPolicySerializer)
    def update(self, request: Request) -> Response:
        """PUT: an admin changes either."""
        model_policy_set(by=member(request), **valid_body(ModelPolicyChangeSerializer, request))
        return Response(model_policy(by=member(request)))


class AnswerToldViewSet(JSONViewSet):
    """What language models were told for an answer."""

    @extend_schema(
        parameters=[OpenApiParameter(name, str, required=True) for name in ("thread_id", "message_id")],
        responses=AnswerToldSerializer,
    )
    def retrieve(self, request: Request) -> Response:
        """GET: every prompt and reply, word for word."""
        return Response({"models": told_for(message_in_query(request), organization(request))})
