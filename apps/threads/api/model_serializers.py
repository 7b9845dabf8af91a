"""What of language models stands in other answers of the API."""

from __future__ import annotations

from rest_framework import serializers


class ModelChoiceSerializer(serializers.Serializer):
    """An approach that may be picked for a question."""

    id = serializers.CharField()
    name = serializers.CharField()
    provider = serializers.ChoiceField(choices=["builtin", "openai", "anthropic", "google"])
    takes_temperature = serializers.BooleanField()
    first = serializers.BooleanField(help_text="picked where a member has picked nothing")


class HeldSerializer(serializers.Serializer):
    """What the built-in analyst's reading of a question that a model answered came to."""

    state = serializers.ChoiceField(choices=["same", "other"])
    text = serializers.CharField(allow_blank=True, help_text="the other reading in words")
    opens = serializers.BooleanField(
        required=False, help_text='whether the other can be chosen, as the part "held" of answers/readings'
    )
