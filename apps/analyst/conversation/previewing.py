"""How a question that is still being typed would be read, as far as that can be told without computing anything.

The answer weighs readings by their results, for which there is no time between two keystrokes. Here the rules' reading
is taken where it is mostly told, else the one that the learned reader finds likeliest before it has seen a result: of
175 answers to the open dialogues of tests/analyst/dialogues 170 have the parts that were previewed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from apps.analyst.conversation.averaging import averaged
from apps.analyst.conversation.clarifying import taken_up
from apps.analyst.conversation.explaining_leaders import led_subject
from apps.analyst.conversation.findings import findings_parts
from apps.analyst.conversation.going_on import EDITING, gone_on_from, says_all
from apps.analyst.conversation.readas.answers import LEARNED
from apps.analyst.conversation.readas.marks import Span, unread, unread_by_rules
from apps.analyst.conversation.readas.others import SHOWN_ORDER
from apps.analyst.conversation.readas.pieces import pieces
from apps.analyst.conversation.subject import Subject
from apps.analyst.conversation.talk import reply, unaddressed, without_remarks
from apps.analyst.errors import AnalystError
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.lengths import is_too_long
from apps.analyst.plan import Aggregate, Clarify, Describe, Plan, Query
from apps.analyst.ports import Catalog
from apps.analyst.reading import following
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.closeness import content_fits
from apps.analyst.reading.coverage import unnamed
from apps.analyst.reading.following import Before, is_short, proposed_after
from apps.analyst.reading.keywords.applying import ways
from apps.analyst.reading.keywords.known_figures import with_known_figures
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.reading.reader import MOST_NETWORK, READER
from apps.analyst.reading.rules.understanding import SAID_BEFORE, understood
from apps.analyst.reading.weighing import is_of_examples, is_open
from apps.analyst.tables.scoped import narrowed, without_examples
from apps.analyst.types import Part, Question

LONGEST = 500
"""Characters of a text that is previewed: longer ones are briefs, and take longer to read than a pause lasts."""
MOST_DEFINED = 2
"""Ways to ask without a keyword that are tried; each costs a reading."""
LEAST_WORDS = 2
"""Of a text that begins a conversation: one word says too little to be read as a question."""
NAMED = 0.9
"""How well a word that is not finished, and is no word of any trade, has to fit a name to be read."""
SHORT = 2
"""Letters of a word that is the beginning of many others, though a trade may have it for a word of its own."""
_BEGUN = re.compile(r"(?<=\s)[^\W\d_]+$")
BEAMS, MOST_GUESSES = 4, 4
"""How wide the learned reader searches here, less than for an answer: as many previews have the answer's parts,
in two thirds of the time."""
NEAR = 3.0
"""How far behind its likeliest plan (natural logarithm) the learned reader may hold what the rules read surely."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The parts of a reading in their order, and the stretches of the text that found no place in it. What ends with
    the text is still being typed, and is none of them."""

    parts: tuple[tuple[Part, str], ...] = ()
    unread: tuple[Span, ...] = ()


def previewed(question: Question, catalog: Catalog) -> Preview:
    """What the text would be read as; empty where it is no question about the data, or none of its words found a
    place. Computes nothing and asks nobody."""
    catalog = narrowed(catalog, question.files)
    question = unaddressed(question)
    too_short = not question.turns and len(question.text.split()) < LEAST_WORDS
    too_long = len(question.text) > LONGEST or is_too_long(question.text, question.today)
    if not catalog.tables() or too_short or too_long:
        return Preview()
    try:
        outstanding = findings_parts(question, catalog)
        if outstanding is not None:
            return Preview(outstanding)
        question = _without_begun(question, catalog)
        if reply(question, catalog) is not None:
            return Preview()
        question = with_known_figures(replace(question, text=without_remarks(question.text)), catalog)
        reading = _reading(question, catalog)
        if reading is None or isinstance(reading.plan, Clarify | Describe):
            return Preview()
        found = _labels(reading, catalog)
        spans = _unread(question, reading, catalog)
    except AnalystError:
        return Preview()
    if reading.reader not in (*SAID_BEFORE, following.READER) and _all_unread(question.text, spans):
        return Preview()
    return Preview(tuple(found), tuple(span for span in spans if span[1] < len(question.text)))


def _without_begun(question: Question, catalog: Catalog) -> Question:
    """The question without a word that is still being typed and names nothing so far: what the learned reader would
    make of it says nothing of the word that it becomes."""
    begun = _BEGUN.search(question.text)
    if begun is None or any(begun[0].casefold() in name.casefold() for name in question.keywords):
        return question
    linked = link(question, catalog)
    if not linked.tokens:
        return question
    fits = dict(content_fits(linked))
    last = len(linked.tokens) - 1
    known = len(begun[0]) > SHORT and linked.tokens[last] in knowledge().vocabulary
    if known or fits.get(last, NAMED) >= NAMED:
        return question
    return replace(question, text=question.text[: begun.start()])


def _reading(question: Question, catalog: Catalog) -> Reading | None:
    if led_subject(question, catalog) is not None:
        return None  # who is first is not known before it is computed
    chosen = taken_up(question)
    readings: Sequence[Reading] = [chosen] if chosen is not None else understood(question, catalog)
    first = readings[0] if readings else None
    subject = gone_on_from(question, readings, catalog) if chosen is None else None
    if subject is not None and not says_all(question, subject, catalog):
        return _going_on(question, first, subject, catalog)
    if first is not None and not is_open(question, readings, catalog):
        return first
    defined = _defined(question, catalog)
    if defined is not None:
        return defined
    pairs = _ordered(question, catalog)
    if not pairs or (first is not None and _stands(first, pairs, catalog)):
        return first
    plan = pairs[0][0]
    if _only_examples_name_it(question, first, plan, catalog):
        return first
    return Reading(plan=averaged(plan, question.text, catalog), score=0.0, reader=READER)


def _defined(question: Question, catalog: Catalog) -> Reading | None:
    """The learned reader's likeliest reading by what keywords mean; None where none is said that it can use."""
    found: list[tuple[float, Reading]] = []
    for way in islice(ways(question, catalog), MOST_DEFINED):
        pairs = _ordered(replace(question, text=way.text, keywords={}, known={}, context=""), catalog)
        plan = way.meant(pairs[0][0]) if pairs else None
        if plan is not None:
            found.append((pairs[0][1], Reading(plan, 0.0, reader=READER, definitions=way.definitions)))
    return max(found, key=lambda pair: pair[0], default=(0.0, None))[1]


def _going_on(question: Question, first: Reading | None, subject: Subject, catalog: Catalog) -> Reading | None:
    """What goes on from an answer: the rules' change where there is one, which is mostly told, else what the learned
    reader holds for likeliest."""
    before = Before(subject.plan, None)
    changed = first is not None and first.reader == EDITING and not isinstance(first.plan, Clarify)
    if changed or not is_short(question, before):
        return first
    plans = proposed_after(question, before, catalog)[1]
    return Reading(plan=plans[0][0], score=0.0, reader=following.READER) if plans else first


def _ordered(question: Question, catalog: Catalog) -> list[tuple[Plan, float]]:
    """The learned reader's plans in the order in which they would be computed, each with what it is ordered by."""
    found = proposed(question, without_examples(catalog), beams=BEAMS, most=MOST_GUESSES)
    return [(one.plan, one.score) for one in found.candidates[:MOST_NETWORK]]


def _stands(first: Reading, pairs: Sequence[tuple[Plan, float]], catalog: Catalog) -> bool:
    """Whether what the rules read surely is mostly what is told: where the learned reader comes to it, too, and holds
    it for hardly less likely than its first."""
    if first.score < ANSWER_THRESHOLD:
        return False
    own = set(_labels(first, catalog))
    for plan in (plan for plan, score in pairs if score > pairs[0][1] - NEAR):
        apart = own ^ set(_labels(replace(first, plan=plan), catalog))
        counts = _is_count(first.plan) and _is_count(plan)  # "won deals", "deals": the rows are called otherwise
        if not apart or (counts and all(part == "figure" for part, _ in apart)):
            return True
    return False


def _is_count(plan: Plan) -> bool:
    """Whether a plan counts rows and tells no other figure."""
    if not isinstance(plan, Query) or len(plan.measures) != 1:
        return False
    figure = plan.measures[0].expr
    return isinstance(figure, Aggregate) and figure.fn == "count" and figure.of is None


def _labels(reading: Reading, catalog: Catalog) -> list[tuple[Part, str]]:
    found = pieces(reading.plan, catalog, reading.definitions)
    return [(piece.part, piece.label) for piece in sorted(found, key=lambda piece: SHOWN_ORDER.index(piece.part))]


def _only_examples_name_it(question: Question, first: Reading | None, plan: Plan, catalog: Catalog) -> bool:
    """Whether the rules read the question surely from the example tables, and people's own do not name all it asks."""
    if first is None or first.score < ANSWER_THRESHOLD or not is_of_examples(first.plan, catalog):
        return False
    return bool(unnamed(link(question, without_examples(catalog)), plan))


def _unread(question: Question, reading: Reading, catalog: Catalog) -> tuple[Span, ...]:
    if reading.reader not in LEARNED:  # the rules say themselves what they had no use for
        return unread_by_rules(question, reading, catalog)
    return unread(question, reading.plan, catalog)


def _all_unread(text: str, spans: Sequence[Span]) -> bool:
    """Whether no word with a meaning of its own is left besides the unread ones."""
    rest = "".join(" " if any(a <= place < b for a, b in spans) else letter for place, letter in enumerate(text))
    empty = english().stopwords | english().form_words
    return all(token in empty for token in tokens_of(rest))
