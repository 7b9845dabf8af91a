"""When a question's readings are weighed by the judge, and what is told of them: the likeliest one where it is likely
enough, else a question back about those that come close, else an honest refusal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from apps.analyst.computing.compute import computed_of, evidenced
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded
from apps.analyst.language import ANSWER_THRESHOLD, METRICS, Reading
from apps.analyst.plan import ROW_NUMBER, Clarify, ColumnRef, Option, Plan, Query
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.agreeing import Told
from apps.analyst.reading.called_figures import with_figures_first
from apps.analyst.reading.choices import has_too_many
from apps.analyst.reading.closeness import unknown_places
from apps.analyst.reading.coverage import is_guessed, passes_code_over, passes_over, unnamed
from apps.analyst.reading.judging import answer_from, ask_from, sure_from, trained
from apps.analyst.reading.keywords.applying import ways
from apps.analyst.reading.keywords.defined import by_definitions
from apps.analyst.reading.linking import link
from apps.analyst.reading.reader import BEHIND, Weighed, weighed
from apps.analyst.reading.rules.understanding import SAID_BEFORE, understood
from apps.analyst.tables.scoped import narrowed, without_examples
from apps.analyst.telling.answers import SEVERAL, Found, declined, whole_ranking, with_file, worded
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.exports import Wish
from apps.analyst.telling.followups import follow_ups, offers_for
from apps.analyst.telling.formats import listed, spoken
from apps.analyst.telling.labelling import labels_of, told_sentence
from apps.analyst.types import Answer, Choice, Question

NEAR_SHARE = 0.4
"""How likely, against the likeliest, a reading is that is offered beside it."""
OWN_SHARE = 0.2
"""The same for the rules' sure reading by the figures of sales: over CRMs left out, five of ten that lie between
were right."""
MOST_OFFERED = 3
CRM_EXPORTS = "hubspot_"
"""How files of the CRM's connector begin; nobody else may call a file so."""
STAYS = 0.1
"""How much likelier a reading over other files has to be before a thread leaves those it is about."""
FROM_EXAMPLES = "This is from the example data, not from your files."
DOUBT = "I am not certain that this is what you asked. I read it as: {}"


def is_open(question: Question, readings: Sequence[Reading], catalog: Catalog) -> bool:
    """Whether a question is still to be read from its words: not said by a turn, a keyword or a definition before,
    and not worded by the product itself, unless the rules find the example data where people brought files of their
    own."""
    if not trained():
        return False
    first = readings[0] if readings else None
    if first is None:
        return True
    defined = bool(first.definitions) and first.score >= ANSWER_THRESHOLD and not any(ways(question, catalog))
    asks = isinstance(first.plan, Clarify) and bool(first.plan.options)  # without them it says what it cannot read
    if first.reader in SAID_BEFORE or defined or asks:
        return False
    if first.reader == "statistics" or (first.chart is not None and first.chart.explicit):
        # What the learned reader was not made for, unless its words only sound so: "forecast rooms", "product line".
        return passes_over(link(question, catalog), first.plan)
    if not question.offered or first.score < ANSWER_THRESHOLD:
        return True
    return is_of_examples(first.plan, catalog)


def is_of_examples(plan: Plan, catalog: Catalog) -> bool:
    """Whether a plan reads the product's example tables although people brought files of their own."""
    examples = {table.name for table in catalog.tables() if table.example}
    own = any(not table.example and not table.file_name.startswith(CRM_EXPORTS) for table in catalog.tables())
    return own and bool(tables_of(plan) & examples)


def with_origin(made: Answer, plan: Plan, catalog: Catalog) -> Answer:
    """An answer over the example tables says so to people who brought files of their own."""
    return replace(made, text=f"{made.text}\n\n{FROM_EXAMPLES}") if is_of_examples(plan, catalog) else made


def weigh(
    question: Question, catalog: Catalog, warehouse: Warehouse, rules: Sequence[Reading]
) -> tuple[Sequence[Reading], list[Weighed]]:
    """The rules' readings, and all with their probabilities, the likeliest first. A thread stays with its files: where
    the likeliest reading leaves them, or is not likely enough to be told beside those over other files, it is read over
    them alone, unless another is clearly likelier. What the rules read surely from the example tables is first read
    over the files that people brought."""
    if defined := by_definitions(question, catalog, warehouse) or _as_defined(rules, catalog, warehouse):
        return rules, defined
    if rules and rules[0].score >= ANSWER_THRESHOLD and is_of_examples(rules[0].plan, catalog):
        return _before_examples(question, catalog, warehouse, rules)
    found = _weighed(question, catalog, warehouse, rules)
    kept = _of_the_thread(question, catalog)
    if not kept or (found and found[0].reading.score >= answer_from() and tables_of(found[0].reading.plan) & kept):
        return rules, found
    inside = narrowed(catalog, None, tables=kept)
    own = understood(question, inside)
    stayed = _weighed(question, inside, warehouse, own)
    least = max(answer_from(), found[0].reading.score - STAYS) if found else answer_from()
    if not stayed or stayed[0].reading.score < least:
        return rules, found
    return own, stayed + found


def _as_defined(rules: Sequence[Reading], catalog: Catalog, warehouse: Warehouse) -> list[Weighed]:
    """The rules' reading by a definition that only they can use."""
    first = rules[0] if rules and rules[0].definitions and rules[0].score >= ANSWER_THRESHOLD else None
    computed = computed_of(first.plan, catalog, warehouse, checked=True) if first is not None else None
    return [Weighed(first, computed)] if first is not None and computed is not None else []


def _weighed(question: Question, catalog: Catalog, warehouse: Warehouse, rules: Sequence[Reading]) -> list[Weighed]:
    """The readings with their probabilities. Where one that would be offered reads a word as people taught it, those
    that pass it over lie behind: they settled what the judge is left to doubt."""
    found = with_figures_first(link(question, catalog), weighed(question, catalog, warehouse, rules), rules)
    first = next((one for one in found if is_of_taught(question.text, one.reading.plan, catalog)), None)
    if first is None or first is found[0] or first.reading.score < ask_from():
        return found
    place, behind = found.index(first), round(first.reading.score - BEHIND, 4)
    passed = [replace(one, reading=replace(one.reading, score=behind)) for one in found[:place]]
    return [first, *passed, *found[place + 1 :]]


def _before_examples(
    question: Question, catalog: Catalog, warehouse: Warehouse, rules: Sequence[Reading]
) -> tuple[Sequence[Reading], list[Weighed]]:
    """The readings over people's own files, where one of them would be told or offered; else those over the examples.
    So where a thing is asked for that the reading over their own files does not name. An offer names the example's
    reading beside them."""
    brought = without_examples(catalog)
    own = understood(question, brought)
    found = _weighed(question, brought, warehouse, own)
    if not found or found[0].reading.score < ask_from() or unnamed(link(question, brought), found[0].reading.plan):
        return _over_examples(question, catalog, warehouse, rules)
    if found[0].reading.score >= told_from(question.text, found[0].reading, catalog):
        return own, found
    example = computed_of(rules[0].plan, catalog, warehouse, checked=True)
    beside = [Weighed(replace(rules[0], score=found[0].reading.score), example)] if example is not None else []
    return own, [found[0], *beside, *found[1:]]


def _over_examples(
    question: Question, catalog: Catalog, warehouse: Warehouse, rules: Sequence[Reading]
) -> tuple[Sequence[Reading], list[Weighed]]:
    """The readings over the example tables alone, weighed unless the product itself words the question."""
    if question.offered:
        return rules, []
    inside = narrowed(catalog, None, tables={table.name for table in catalog.tables() if table.example})
    own = understood(question, inside)
    return own, _weighed(question, inside, warehouse, own)


def _of_the_thread(question: Question, catalog: Catalog) -> frozenset[str]:
    """The tables of the last answer that are still there."""
    last = next((turn.plan for turn in reversed(question.turns) if turn.plan is not None), None)
    return tables_of(last) & {table.name for table in catalog.tables()} if last is not None else frozenset()


def of_rules(readings: Sequence[Reading], ranked: Sequence[Weighed]) -> Weighed | None:
    """The rules' first reading as it was weighed; None where there is none or it could not be computed."""
    if not readings:
        return None
    return next((w for w in ranked if w.reading.plan == readings[0].plan), None)


def _of_trade(readings: Sequence[Reading], ranked: Sequence[Weighed]) -> Weighed | None:
    """The rules' sure reading by what sales people call figures ("revenue": what was won), as it was weighed."""
    sure = bool(readings) and readings[0].reader == METRICS and readings[0].score >= ANSWER_THRESHOLD
    return of_rules(readings, ranked) if sure else None


def is_literal(text: str, reading: Reading, catalog: Catalog) -> bool:
    """Whether a question names all columns of the plan whole and letter by letter, as the file or the dictionary has
    them, and says besides only words of form: as the questions do that the product itself suggests. A listing of a
    table's first rows names none."""
    nodes = list(every(reading.plan))
    sources = {n.source for n in nodes if isinstance(n, Query) and isinstance(n.source, str)}
    tables = [table for table in catalog.tables() if table.name in sources]
    labels = {name: label for table in tables for name, label in labels_of(table, catalog).items()}
    columns = {n.column for n in nodes if isinstance(n, ColumnRef)}
    ways = [{spoken(name).casefold(), labels.get(name, name).casefold()} for name in columns]
    said = text.casefold()
    plan = reading.plan
    listing = isinstance(plan, Query) and bool(plan.columns) and plan.where is None and _as_listed(plan)
    if not listing and not (ways and said.rstrip().endswith("?") and all(any(w in said for w in way) for way in ways)):
        return False
    known, meant = english(), dictionary_of(catalog)
    rows = [meant[table.name].rows for table in tables if table.name in meant]
    named = {word for name in (*sources, *rows, *(w for way in ways for w in way)) for word in _words(name)}
    limit = {"first", str(plan.limit)} if listing and isinstance(plan, Query) and plan.limit else set()
    return set(_words(text)) <= named | known.form_words | known.stopwords | limit


def is_suggested(text: str, reading: Reading, catalog: Catalog) -> bool:
    """Whether the product itself suggests the question, over a table that the reading uses."""
    names = tables_of(reading.plan)
    offers = (offer for table in catalog.tables() if table.name in names for offer in offers_for(table, catalog))
    return any(offer.question.casefold() == text.strip().casefold() for offer in offers)


def _as_listed(plan: Query) -> bool:
    """Whether rows come in the order of their file."""
    return all(isinstance(by.by, ColumnRef) and by.by.column == ROW_NUMBER for by in plan.order)


def _words(text: str) -> list[str]:
    return folded(text.replace("_", " ")).split()


def told_from(text: str, reading: Reading, catalog: Catalog) -> float:
    """The least probability at which a reading is told. One that uses a column or a value by a word that people taught
    only has to be one that would be offered: they settled what the judge is left to doubt."""
    return ask_from() if is_of_taught(text, reading.plan, catalog) else answer_from()


def is_of_taught(text: str, plan: Plan, catalog: Catalog) -> bool:
    """Whether a plan uses a column or a value for which the question has a word that people taught."""
    said = f" {folded(text)} "
    used = {(n.table, n.column) for n in every(plan) if isinstance(n, ColumnRef)}
    entries = (entry for t in catalog.tables() for entry in t.taught if (t.name, entry.column) in used)
    words = (word for e in entries for word in (*e.synonyms, *(w for ws in e.value_synonyms.values() for w in ws)))
    return any(f" {folded(word)} " in said for word in words)


def is_of_words(reading: Reading, proven: object) -> bool:
    """Whether a reading follows from the question's own words, and not from what was said, chosen or proven before."""
    return proven is None and reading.reader not in SAID_BEFORE


def is_told(text: str, reading: Reading, catalog: Catalog) -> bool:
    """Whether a weighed reading is likely enough to be told."""
    return reading.score >= told_from(text, reading, catalog)


def stands(
    text: str, readings: Sequence[Reading], own: Weighed | None, catalog: Catalog, likeliest: float = 0.0
) -> bool:
    """Whether the rules' own sure reading is told as it is: the product itself suggests the question, or nothing was
    weighed, or the judge finds it likely, and none likelier; `likeliest` is the highest probability of all. One that
    could not be computed where others were is not told."""
    if not readings or readings[0].score < ANSWER_THRESHOLD:
        return False
    if is_literal(text, readings[0], catalog) and is_suggested(text, readings[0], catalog):  # the cheap one first
        return True
    if own is None:
        if isinstance(readings[0].plan, Clarify):
            return bool(readings[0].plan.options) or likeliest < ask_from()
        return not likeliest  # else it is no reading of these tables
    return own.reading.score >= max(told_from(text, readings[0], catalog), likeliest)


def is_sure(question: Question, reading: Reading, catalog: Catalog) -> bool:
    """Whether a reading is told without a word of doubt: likely enough, and the question has no word that names nothing
    in the data and that knowledge does not have either."""
    return reading.score >= sure_from() and not unknown_places(link(question, catalog))


def told(
    question: Question,
    ranked: Sequence[Weighed],
    readings: Sequence[Reading],
    catalog: Catalog,
    warehouse: Warehouse,
    tell: Callable[..., None],
    wish: Wish | None,
    *,
    onward: bool,
) -> Answer:
    """What is said of weighed readings. `readings` are those of the rules, whose understanding a refusal tells where
    nothing could be computed."""
    tell("Computing")
    best = ranked[0] if ranked else None
    if best is None or best.reading.score < ask_from():
        return declined([w.reading for w in ranked] or readings, catalog, onward=onward)
    linked = link(question, catalog)
    if passes_code_over(linked, best.reading.plan):
        heeding = [w for w in ranked if not passes_code_over(linked, w.reading.plan)][:1]
        return offered([*heeding, *(w for w in ranked if w not in heeding)], catalog, _of_trade(readings, ranked))
    guessed = is_guessed(linked, best.reading.plan)
    if guessed or best.reading.score < told_from(question.text, best.reading, catalog):
        return offered(ranked, catalog, _of_trade(readings, ranked))
    if has_too_many(question.text, best.reading.plan, best.computed.result):
        return declined([best.reading], catalog, SEVERAL, onward=onward)
    sure = is_sure(question, best.reading, catalog)
    return answered(question, best, catalog, warehouse, tell, wish, sure=sure, onward=onward)


def answered(
    question: Question,
    best: Weighed,
    catalog: Catalog,
    warehouse: Warehouse,
    tell: Callable[..., None],
    wish: Wish | None,
    *,
    sure: bool,
    onward: bool,
) -> Answer:
    """The answer by a reading, with a word of doubt where it is not `sure`, and the file that was asked for."""
    looked_at = listed(sorted(tables_of(best.reading.plan)) or ["your data"], most=3)
    tell(f"Looking at {looked_at}", "; ".join(best.reading.understood), brief=True)
    tell("Writing the answer", brief=True)
    computed = evidenced(best.computed, catalog, warehouse)
    made = worded(question, best.reading, computed, catalog)
    made = replace(made, chart=whole_ranking(Found(best.reading, computed), catalog, warehouse) or made.chart)
    if not sure:
        made = replace(made, text=f"{made.text}\n\n{DOUBT.format(told_sentence(computed.plan, catalog))}")
    if wish is not None:
        made = with_file(made, wish, wish.text or best.reading.wording, question.today)
    more = follow_ups(computed.plan, catalog, question.text) if onward else ()
    return replace(made, follow_ups=more)


def without_covered(ranked: Sequence[Weighed]) -> list[Weighed]:
    """The readings without those that say the same as a likelier one, a column more or less apart."""
    kept: list[tuple[Weighed, Told]] = []
    for one in ranked:
        told = Told(one.computed.result)
        if not any(told.covers(other) or other.covers(told) for _, other in kept):
            kept.append((one, told))
    return [one for one, _ in kept]


def offered(ranked: Sequence[Weighed], catalog: Catalog, own: Weighed | None = None) -> Answer:
    """A question back: the readings that come close, each in words, to choose from; `own` is held to less."""
    first = ranked[0].reading.score
    near = [w for w in ranked if w.reading.score >= (OWN_SHARE if w is own else NEAR_SHARE) * first]
    said: dict[str, Option] = {}
    for one in without_covered(near):
        sentence = told_sentence(one.reading.plan, catalog).rstrip(".")
        if sentence:
            said.setdefault(sentence.casefold(), Option(label=sentence, question=sentence, plan=one.reading.plan))
    options = tuple(said.values())[:MOST_OFFERED]
    text = "I am not sure that I read this rightly." if len(options) == 1 else "I can read this in more than one way."
    choices = tuple(Choice(option.label, option.label) for option in options)
    return Answer(
        "clarify",
        text,
        plan=Clarify(question=text, options=options),
        choices=choices,
        confidence=ranked[0].reading.score,
    )
