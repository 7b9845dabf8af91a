"""The message that a request names, by its own id and its thread's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request

from apps.accounts.caller import member
from apps.core.api.parameters import id_parameter, json_object
from apps.threads import copy
from apps.threads.api.commands import uuid_of
from apps.threads.selectors import message_get

if TYPE_CHECKING:
    from apps.threads.models import Message


def message_in_query(request: Request) -> Message:
    """The one of the query string. Raises NotFound."""
    ids = [id_parameter(request, name, copy.MESSAGE_NOT_FOUND) for name in ("message_id", "thread_id")]
    return message_get(member(request), *ids)


def message_in_body(request: Request) -> Message:
    """The one of the body. Raises NotFound, and Invalid for what cannot be an id."""
    body = json_object(request.data)
    return message_get(member(request), uuid_of(body, "message_id"), uuid_of(body, "thread_id"))
