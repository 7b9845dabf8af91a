"""The reader of sales questions: win rate, pipeline, attainment, won and lost, activity, over data shaped like a CRM.

It proposes only what it understood to the last word; on data without deals that are won and lost it says nothing.
"""

from __future__ import annotations

from datetime import date

from apps.analyst.computing.metrics.figures import Lacking
from apps.analyst.computing.metrics.roles import Crm, find
from apps.analyst.knowledge.english import english
from apps.analyst.language.anchoring import OLD, data_end
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import keys, words
from apps.analyst.language.phrases import STOPWORDS
from apps.analyst.language.readers.metrics_ask import read_ask
from apps.analyst.language.readers.metrics_line import Line
from apps.analyst.language.readers.metrics_names import lists_rows
from apps.analyst.language.readers.metrics_parts import Ask
from apps.analyst.language.readers.metrics_plans import Maker
from apps.analyst.language.reading import METRICS, ChartWish, Reading
from apps.analyst.language.tagging import Tagged
from apps.analyst.plan import Clarify
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import day
from apps.analyst.types import ChartType, Question

_SURE, _UNSURE = 1.0, 0.4
_ENDS = ("created", "closed", "last activity")
_EMPTY = (STOPWORDS - words("not no nor never without but")) | frozenset(
    [
        "please",
        "pls",
        "plz",
        "our",
        "we",
        "us",
        "i",
        "my",
        "me",
        "the",
        "is",
        "are",
        "was",
        "were",
        "been",
        "there",
        "that",
        "which",
        "who",
        "what",
        "did",
        "do",
        "does",
        "have",
        "has",
        "had",
        "still",
        "ever",
        "so",
        "far",
        "now",
        "currently",
        "show",
        "tell",
        "give",
        "list",
        "would",
        "like",
        "see",
        "know",
        "overall",
        "all",
        "each",
        "one",
        "ones",
        "by",
        "of",
        "in",
        "and",
        "to",
        "for",
        "with",
        "at",
        "on",
        "as",
        "a",
        "an",
        "it",
        "its",
        "their",
        "they",
        "many",
        "much",
        "come",
        "from",
        "during",
        "over",
        "within",
        "make",
        "made",
        "makes",
        "doing",
        "do",
        "generate",
        "generated",
        "earn",
        "earned",
        "stand",
        "take",
        "taken",
        "need",
        "work",
        "worked",
        "look",
        "like",
        "much",
        "team",
        "business",
        "company",
        "sales",
        "crm",
        "data",
        "present",
        "current",
        "right",
        "biggest",
        "s",
        "re",
    ]
)
_CHARTS: dict[str, ChartType] = {
    "line": "line",
    "bar": "bar",
    "column": "bar",
    "pie": "pie",
    "doughnut": "doughnut",
    "donut": "doughnut",
    "radar": "radar",
    "scatter": "scatter",
}


def read(question: Question, catalog: Catalog, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """The question as a metric over the CRM's tables; nothing where there is no CRM or it is about something else."""
    crm = find(catalog)
    if crm is None or len(tagged.tokens) > 60:
        return []
    line = Line(tagged)
    wish = _wish(line)
    today = _present_day(crm, question.today)
    ask = read_ask(line, crm, lexicon, today)
    if ask is None:
        return []
    if today != question.today and _hangs_on_today(ask):
        ask.assumed.append(f"Your data end on {day(today)}, so relative times count from that day")
    unused = tuple(word for word in line.left() if word not in _EMPTY)
    if unused:
        if any(keys(word) & lexicon.table_by_form.keys() for word in unused):
            return []  # "time to close a ticket": of other things than deals
        if not english().statistic_words.isdisjoint(unused):
            return []  # "outliers in time to close": a statistic of that
        decided = bool({"won", "lost", "closed", "churned"} & set(ask.states)) and bool(ask.periods)
        return [_not_all(question, ask, unused)] if ask.metric or decided else []
    if not _says_something(ask):
        if not lists_rows(line, ask):
            return []
        ask.listing = ask.many = True
    try:
        made = Maker(ask, crm, lexicon, today).make()
    except Lacking as lack:
        return [
            Reading(plan=Clarify(question=str(lack), options=()), score=_SURE, reader=METRICS, wording=question.text)
        ]
    return [
        Reading(
            plan=made.plan,
            score=_SURE,
            understood=_understood(ask),
            assumptions=tuple(dict.fromkeys(made.assumed)),
            chart=wish,
            reader=METRICS,
            wording=question.text,
        )
    ]


def _present_day(crm: Crm, today: date) -> date:
    """Today, or the last day of deals that ended more than a month ago."""
    deals = crm.entities["deals"]
    ends = [data_end(part.column) for role, part in deals.parts.items() if role in _ENDS]
    newest = max((end for end in ends if end is not None), default=today)
    return newest if today - newest > OLD else today


def _hangs_on_today(ask: Ask) -> bool:
    return (
        any(mention.relative for mention in ask.periods)
        or ask.older is not None
        or ask.silent is not None
        or bool({"overdue", "risk"} & set(ask.states))
    )


def _says_something(ask: Ask) -> bool:
    """Whether there is a figure, a list or an order to give, and not only a noun."""
    return bool(
        ask.metric or ask.count or ask.column or ask.listing or ask.distinct or ask.share or ask.extremes or ask.groups
    )


def _not_all(question: Question, ask: Ask, unused: tuple[str, ...]) -> Reading:
    """A metric that was named beside words without a place: declined with them rather than answered for other rows."""
    plan = Clarify(question=f"I found nothing in your data for “{' '.join(unused)}”.", options=())
    return Reading(
        plan=plan, score=_UNSURE, understood=_understood(ask), unused=unused, reader=METRICS, wording=question.text
    )


def _understood(ask: Ask) -> tuple[str, ...]:
    return tuple(word for word in (ask.metric, *ask.states, *(p.label for p in ask.periods)) if word)


def _wish(line: Line) -> ChartWish | None:
    said = line.take(
        r"(?:(?:as|in|with|using|on) )?(?:(?:a|an) )?(line|bar|column|pie|doughnut|donut|radar|scatter) (?:chart|"
        r"graph|plot|diagram)s?"
    )
    return ChartWish(mark=_CHARTS[said[1]], explicit=True) if said else None
