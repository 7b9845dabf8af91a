"""The shapes of the routes about ways between tables, for the schema."""

from __future__ import annotations

from rest_framework import serializers

from apps.datasources.joins import FOUND
from apps.datasources.ways import VERDICTS


class JoinSerializer(serializers.Serializer):
    """A way from a table to another, with its standing and who settled it when.

    `match_rate` is the share of the referring rows that find a partner. It and the direction are null where the columns
    have nothing in common any more.
    """

    columns = serializers.ListField(child=serializers.CharField())
    table = serializers.CharField()
    table_columns = serializers.ListField(child=serializers.CharField())
    refers = serializers.BooleanField()
    direction = serializers.ChoiceField(
        choices=["many_to_one", "one_to_many", "one_to_one", "many_to_many"], allow_null=True
    )
    match_rate = serializers.FloatField(allow_null=True)
    loose = serializers.BooleanField()
    standing = serializers.ChoiceField(choices=[FOUND, *VERDICTS])
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class JoinColumnSerializer(serializers.Serializer):
    """A column by which tables may be joined."""

    name = serializers.CharField()
    type = serializers.CharField()


class JoinTableSerializer(serializers.Serializer):
    """A table of the source, with the ways from it."""

    table = serializers.CharField()
    columns = JoinColumnSerializer(many=True)
    joins = JoinSerializer(many=True)


class OtherTableSerializer(serializers.Serializer):
    """A table that a way may be drawn to."""

    display_name = serializers.CharField()
    table = serializers.CharField()
    columns = JoinColumnSerializer(many=True)


class JoinsSerializer(serializers.Serializer):
    """The ways from the tables of a source."""

    file_name = serializers.CharField()
    may_edit = serializers.BooleanField()
    tables = JoinTableSerializer(many=True)
    others = OtherTableSerializer(many=True)


class WaySerializer(serializers.Serializer):
    """Two tables with the columns by which they are joined; `table` is one of the source."""

    table = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    other_table = serializers.CharField()
    other_columns = serializers.ListField(child=serializers.CharField())


class JoinSayingSerializer(WaySerializer):
    """What is said of a way; one that was not found out is drawn."""

    verdict = serializers.ChoiceField(choices=list(VERDICTS))
