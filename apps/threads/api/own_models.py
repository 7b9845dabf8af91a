"""The routes under which an organization's admins set models up."""

from __future__ import annotations

from decimal import Decimal

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.caller import member
from apps.core.api.parameters import id_parameter, valid_body
from apps.threads import copy
from apps.threads.api.views import JSONViewSet
from apps.threads.services.own_models import (
    Wanted,
    budget_set,
    names_offered,
    own_model_add,
    own_model_remove,
    own_model_test,
    own_models,
)


class OwnModelSerializer(serializers.Serializer):
    """A model as admins see it; its key is never shown."""

    id = serializers.UUIDField(allow_null=True, help_text="null for a model of the installation")
    name = serializers.CharField()
    provider = serializers.CharField()
    base_url = serializers.CharField(allow_blank=True)
    input_price = serializers.FloatField()
    output_price = serializers.FloatField()


class ModelsSetUpSerializer(serializers.Serializer):
    """The organization's models, those of the installation, and what they may cost."""

    may_manage = serializers.BooleanField()
    models = OwnModelSerializer(many=True)
    monthly_budget = serializers.FloatField(help_text="0: no limit")
    spent = serializers.FloatField(help_text="since the first of the month")


class WantedModelSerializer(serializers.Serializer):
    """A model to add."""

    provider = serializers.ChoiceField(choices=["openai", "anthropic", "google"])
    model = serializers.CharField(max_length=90)
    key = serializers.CharField(max_length=1000, allow_blank=True, required=False, default="")
    base_url = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")
    input_price = serializers.DecimalField(max_digits=9, decimal_places=4, required=False, default=Decimal(0))
    output_price = serializers.DecimalField(max_digits=9, decimal_places=4, required=False, default=Decimal(0))


class OfferSerializer(serializers.Serializer):
    """Where to ask for names of models, and with which key."""

    provider = serializers.ChoiceField(choices=["openai", "anthropic", "google"])
    key = serializers.CharField(max_length=1000, allow_blank=True, required=False, default="")
    base_url = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")


class NamesSerializer(serializers.Serializer):
    """Names of models that a provider lists."""

    names = serializers.ListField(child=serializers.CharField())


class ModelIdSerializer(serializers.Serializer):
    """Which model."""

    id = serializers.UUIDField()


class TriedSerializer(serializers.Serializer):
    """What came of a test."""

    works = serializers.BooleanField()
    message = serializers.CharField()
    seconds = serializers.FloatField()
    cost = serializers.FloatField()


class BudgetSerializer(serializers.Serializer):
    """What models may cost in a month."""

    monthly_budget = serializers.DecimalField(max_digits=9, decimal_places=2)


class OwnModelsViewSet(JSONViewSet):
    """The models of an organization, and its budget for them."""

    @extend_schema(responses=ModelsSetUpSerializer)
    def retrieve(self, request: Request) -> Response:
        """GET: every model with its price, the budget and what was spent of it."""
        return Response(own_models(by=member(request)))

    @extend_schema(request=WantedModelSerializer, responses={201: ModelsSetUpSerializer})
    def create(self, request: Request) -> Response:
        """POST: adds a model; its key is sealed and never shown again."""
        own_model_add(by=member(request), wanted=Wanted(**valid_body(WantedModelSerializer, request)))
        return Response(own_models(by=member(request)), status=201)

    @extend_schema(request=BudgetSerializer, responses=ModelsSetUpSerializer)
    def update(self, request: Request) -> Response:
        """PUT: what models may cost in a month."""
        budget_set(by=member(request), monthly=valid_body(BudgetSerializer, request)["monthly_budget"])
        return Response(own_models(by=member(request)))

    @extend_schema(
        parameters=[OpenApiParameter("id", str, required=True)], request=None, responses={200: ModelsSetUpSerializer}
    )
    def destroy(self, request: Request) -> Response:
        """DELETE: takes a model away, with its key."""
        own_model_remove(by=member(request), pk=id_parameter(request, "id", copy.MODEL_GONE))
        return Response(own_models(by=member(request)))

    @extend_schema(request=ModelIdSerializer, responses={200: TriedSerializer})
    @action(detail=False, methods=["post"], url_name="own_model_test")
    def test(self, request: Request) -> Response:
        """POST: asks a model a real question and says what it took."""
        tried = own_model_test(by=member(request), pk=valid_body(ModelIdSerializer, request)["id"])
        return Response(TriedSerializer(tried).data)

    @extend_schema(request=OfferSerializer, responses={200: NamesSerializer})
    @action(detail=False, methods=["post"], url_name="own_model_names")
    def names(self, request: Request) -> Response:
        """POST: the names of models that a provider lists for a key, which is not kept."""
        wanted = Wanted(model="", **valid_body(OfferSerializer, request))
        return Response({"names": names_offered(by=member(request), wanted=wanted)})
