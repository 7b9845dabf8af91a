"""What is told of the likeliest reading: the answer, a question back, or an honest refusal."""

from __future__ import annotations

from apps.analyst.conversation.answering.case import Case, Heard
from apps.analyst.conversation.doubting import asked_instead
from apps.analyst.conversation.readas.answers import as_read
from apps.analyst.conversation.readas.asking import asked_first, condition
from apps.analyst.conversation.readas.declining import asked_back_so
from apps.analyst.conversation.readas.unmade import refused_unmade
from apps.analyst.conversation.which_file import file_settled
from apps.analyst.reading import weighing
from apps.analyst.telling.answers import SEVERAL
from apps.analyst.types import Answer


def told_likeliest(case: Case, heard: Heard) -> Answer:
    """The answer by the likeliest of the weighed readings, over the file that is meant."""
    question, catalog, warehouse = case.question, case.catalog, case.warehouse
    ranked, which = file_settled(question, heard.ranked, catalog, warehouse)
    if which is not None and weighing.is_told(question.text, ranked[0].reading, catalog):
        return which
    made = weighing.told(question, ranked, heard.readings, catalog, warehouse, case.tell, case.wish, onward=case.onward)
    unmade = refused_unmade(question, made, catalog)
    if unmade is not made:
        return unmade
    before = asked_first(question, made, ranked, catalog, warehouse) if case.asks else None
    if before is not None:
        return before
    if made.status == "answered" and made.plan is not None:
        back = asked_instead(question, made.plan, made.confidence, catalog)
        made = back or weighing.with_origin(made, made.plan, catalog)
    if made.status == "clarify":
        asked = condition(question, ranked[0].reading, ranked, catalog) if case.asks else None
        made = asked_back_so(made, question, ranked, catalog, warehouse if case.asks else None, asked)
    if made.status == "declined":
        return case.asked_back(made, ranked, SEVERAL if SEVERAL in made.text else "")
    return as_read(made, question, catalog, ranked)
