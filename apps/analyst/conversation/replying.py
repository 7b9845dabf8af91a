"""What is said to messages before they are read as questions: small talk, what cannot be told, what stands out."""

from __future__ import annotations

from apps.analyst.conversation.findings import findings
from apps.analyst.conversation.talk import reply
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import Answer, Question


def spoken_to(question: Question, catalog: Catalog, warehouse: Warehouse) -> Answer | None:
    """The answer to a message that is no question about figures; None for all others."""
    return reply(question, catalog) or findings(question, catalog, warehouse)
