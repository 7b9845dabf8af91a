"""What is said to messages before they are read as questions: small talk, what cannot be told, what stands out."""

from __future__ import annotations

from apps.analyst.conversation.findings import findings
from apps.analyst.conversation.nearest import MOST_OFFERED, nearest
from apps.analyst.conversation.subject import subject_of
from apps.analyst.conversation.talk import Reply, reply
from apps.analyst.plan import Clarify
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.telling.followups import follow_ups, suggest
from apps.analyst.types import Answer, Choice, Question


def spoken_to(question: Question, catalog: Catalog, warehouse: Warehouse) -> Answer | None:
    """The answer to a message that is no question about figures; None for all others."""
    said = reply(question, catalog)
    if said is not None:
        return _answer(said, question, catalog, warehouse)
    return findings(question, catalog, warehouse)


def _answer(said: Reply, question: Question, catalog: Catalog, warehouse: Warehouse) -> Answer:
    """What is said, with what can be asked instead or besides; what is nearest to the message's words answers at
    once."""
    options = tuple(nearest(question, said, catalog, warehouse)) if said.refusal is not None else ()
    if options:
        plan = Clarify(question=said.text, options=options)
        return Answer(said.status, said.text, plan=plan, choices=tuple(Choice(o.label, o.question) for o in options))
    offers = _of_the_thread(question, catalog) if said.leads_on else []
    return Answer(said.status, said.text, choices=tuple(Choice(offer, offer) for offer in offers))


def _of_the_thread(question: Question, catalog: Catalog) -> list[str]:
    """What can be asked of what the thread is about, else of the data."""
    subject = subject_of(question.turns)
    found = list(follow_ups(subject.plan, catalog, subject.turn.question)) if subject is not None else []
    return (found or suggest(catalog, MOST_OFFERED))[:MOST_OFFERED]
