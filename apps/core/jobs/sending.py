"""Work is sent once the row it is about is committed. A broker that is away fails nobody: the sweep finds the row."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from django.db import transaction
from dramatiq import Actor, get_broker

logger = logging.getLogger("apps.jobs")


def actor_named(name: str) -> Actor[..., Any]:
    """The actor of that name, for what the actor itself calls: importing it there would go in a circle."""
    return get_broker().get_actor(name)


def send_after_commit(actor: Actor[..., Any], key: object) -> None:
    """Sends the actor a row's id with the commit of the transaction, which stands whatever becomes of the message."""
    transaction.on_commit(partial(_send, actor, str(key)))


def _send(actor: Actor[..., Any], key: str) -> None:
    try:
        actor.send(key)
    except Exception as error:
        logger.warning(
            "%s of %s waits for the sweep: it could not be sent (%s)", actor.actor_name, key, type(error).__name__
        )
