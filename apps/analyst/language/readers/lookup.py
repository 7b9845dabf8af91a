"""Questions about single rows and pairs of them: choices ("who scored more, A or B"), differences, "the same as",
next and previous rows, how long something lasted. Each works on the sketch that the main reader makes of the question.
"""

from __future__ import annotations

from collections.abc import Callable

from apps.analyst.language.building.built import Unbuildable
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.readers.lookup_claims import claim
from apps.analyst.language.readers.lookup_degrees import asks_how_much_more, wants_yes_or_no
from apps.analyst.language.readers.lookup_pairs import LESS, MORE, choice, difference
from apps.analyst.language.readers.lookup_rows import duration, neighbour, same
from apps.analyst.language.readers.lookup_shared import Found
from apps.analyst.language.readers.lookup_versus import apart, verdict
from apps.analyst.language.readers.query import sketch
from apps.analyst.language.reading import Reading
from apps.analyst.language.resolve import resolve
from apps.analyst.language.scoring import unused_words
from apps.analyst.language.tagging import Tagged
from apps.analyst.ports import Catalog
from apps.analyst.types import Question


def read(question: Question, catalog: Catalog, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """Readings of the pair and row constructs that the question's words call for; none over several tables' rows."""
    if len(lexicon.tables) > 12:
        return []
    made: list[Reading] = []
    for reader, calls in _CONSTRUCTS:
        if not calls(tagged):
            continue
        draft = sketch(question, lexicon, tagged)
        resolve(draft)
        try:
            found = reader(draft)
        except Unbuildable:
            continue
        if found is not None:
            plan, asked, sure = found
            unused = tuple(word for word in unused_words(draft) if word.casefold() not in MORE | LESS)
            made.append(
                Reading(
                    plan,
                    max(0.05, sure + 0.07 - 0.05 * len(unused)),
                    unused=unused,
                    asked=asked,
                    reader="lookup",
                    wording=question.text,
                )
            )
    return made


def _says(*kinds: str) -> Callable[[Tagged], bool]:
    return lambda tagged: any(item.tag(*kinds) for item in tagged.items)


_CONSTRUCTS: tuple[tuple[Callable[[Draft], Found | None], Callable[[Tagged], bool]], ...] = (
    (difference, _says("difference")),
    (choice, lambda tagged: any(item.tag("or") or item.norm == "between" for item in tagged.items)),
    (same, _says("same")),
    (neighbour, _says("rel")),
    (duration, _says("long")),
    (verdict, wants_yes_or_no),
    (claim, wants_yes_or_no),
    (apart, asks_how_much_more),
)
