"""How much an organization asks, and how it ends, for its admins."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member
from apps.threads.services.overview import usage_overview


class OutcomesSerializer(serializers.Serializer):
    """Questions by how they ended. Those that are still worked on are in `asked` alone."""

    asked = serializers.IntegerField()
    answered = serializers.IntegerField()
    asked_back = serializers.IntegerField()
    declined = serializers.IntegerField()
    failed = serializers.IntegerField()
    stopped = serializers.IntegerField()
    rated_up = serializers.IntegerField()
    rated_down = serializers.IntegerField()


class MemberOutcomesSerializer(OutcomesSerializer):
    """The questions of one member."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class WeekOutcomesSerializer(OutcomesSerializer):
    """The questions of one week."""

    starts = serializers.DateTimeField()


class ModelCostSerializer(serializers.Serializer):
    """What one model took this month."""

    model = serializers.CharField()
    calls = serializers.IntegerField()
    cost = serializers.CharField()


class ModelCostsSerializer(serializers.Serializer):
    """What models took this month; `budget` is null where there is no limit."""

    budget = serializers.CharField(allow_null=True)
    each = ModelCostSerializer(many=True)


class UsageSerializer(serializers.Serializer):
    """The last 30 days in sums and by member, the last eight weeks, and the models of the running month."""

    month = OutcomesSerializer()
    members = MemberOutcomesSerializer(many=True)
    weeks = WeekOutcomesSerializer(many=True)
    models = ModelCostsSerializer()


class UsageViewSet(ViewSet):
    """The usage of the caller's organization."""

    @extend_schema(responses=UsageSerializer)
    def retrieve(self, request: Request) -> Response:
        """GET: all of it."""
        return Response(usage_overview(by=member(request)))
