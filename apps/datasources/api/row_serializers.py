"""The shape of a page of rows, for the schema."""

from __future__ import annotations

from rest_framework import serializers


class RowsSerializer(serializers.Serializer):
    """Rows from `offset` on, of `matched` that were asked for, of `total` that the table has."""

    table = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.JSONField(allow_null=True)))
    offset = serializers.IntegerField()
    matched = serializers.IntegerField()
    total = serializers.IntegerField()
