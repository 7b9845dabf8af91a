"""The shapes that the schema promises are the shapes that are sent."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework import serializers

from apps.threads.api.serializers import (
    AskReceiptSerializer,
    RunSnapshotSerializer,
    ThreadRowSerializer,
    ThreadSerializer,
)
from tests.apps.threads.conftest import Member

pytestmark = pytest.mark.django_db(transaction=True)


def differences(value: Any, field: Any, path: str = "") -> list[str]:
    """Where a sent value has other keys than its serializer, however deep."""
    if value is None:
        return [] if field.allow_null else [f"{path} is null"]
    if isinstance(field, serializers.ListSerializer):
        return [d for n, item in enumerate(value) for d in differences(item, field.child, f"{path}[{n}]")]
    if not isinstance(field, serializers.Serializer):
        return []
    found = [f"{path}.{name}" for name in set(value) ^ set(field.fields)]
    for name in set(value) & set(field.fields):
        found += differences(value[name], field.fields[name], f"{path}.{name}")
    return found


def test_every_answer_of_ask_has_the_keys_of_its_serializer(ana: Member) -> None:
    sent = ana.send()
    assert differences(sent, AskReceiptSerializer()) == []
    assert differences(ana.poll(sent), RunSnapshotSerializer()) == []
    assert differences(ana.load(sent["thread_id"]), ThreadSerializer()) == []
    ana.letterbox.deliver()
    done = ana.poll(sent)
    assert differences(done, RunSnapshotSerializer()) == []
    assert differences(done["messages"][0]["children"], RunSnapshotSerializer().fields["messages"]) == []
    assert differences(ana.load(sent["thread_id"]), ThreadSerializer()) == []
    assert differences(ana.history(), ThreadRowSerializer(many=True)) == []
