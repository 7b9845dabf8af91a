"""What goes on from a reading that was never told is told with how it was read."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.conversation.subject import UNTOLD
from apps.analyst.language import Reading
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.ports import Catalog
from apps.analyst.reading.weighing import DOUBT
from apps.analyst.telling.labelling import labelled
from apps.analyst.types import Answer


def doubted(made: Answer, reading: Reading, catalog: Catalog) -> Answer:
    """The answer with a word of doubt where its reading goes on from one that was only offered."""
    if reading.reader != "editing" or reading.score > UNTOLD:
        return made
    return replace(made, text=f"{made.text}\n\n{DOUBT.format(plan_sentence(labelled(reading.plan, catalog)))}")
