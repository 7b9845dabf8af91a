"""Reads statistical questions: the named values of a brief, or a statistic asked for in plain words."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.analyst.computing.statistics import program
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers import query as query_reader
from apps.analyst.language.readers.statistics_brief import read_named
from apps.analyst.language.readers.statistics_format import read_brief
from apps.analyst.language.readers.statistics_plain import read_plain
from apps.analyst.language.readers.statistics_series import figure_question, read_series, wants_series
from apps.analyst.language.reading import Reading
from apps.analyst.language.tagging import Tagged, tag
from apps.analyst.plan import Aggregate, AllOf, Query, Statistic
from apps.analyst.ports import Catalog
from apps.analyst.types import Question

STATISTICAL = re.compile(
    r"\bcorrelat|\brelationship\b|\bassociat(?:ed|ion)\b|\brelated to\b|\bgoes? along with\b|\bstandard error\b"
    r"|\bskew|\bkurtosis"
    r"|\boutliers?\b|\banomal|\bunusual|\bnormal(?:ly)? distribut|\bnormality\b|\bgaussian\b|\bdistributed\b"
    r"|\bdistribution of\b"
    r"|\bpercentile|\bquantile|\bquartile|\bp\d\d\b|\biqr\b|\bt[\s-]test|\banova\b|\bchi[\s-]square"
    r"|\bindependen(?:t|ce)\b"
    r"|\bregress|\bline of best fit\b|\bslope\b|\bpredict\w*\b[^.?]*\b(?:from|based on|using|given)\b"
    r"|\bmissing\b|\bnulls?\b|\bempty cells\b|\bgaps\b|\bincomplete\b"
    r"|\bduplicate|\bentropy\b|\bcovarian|\bsignificant(?:ly)?\b|\bfactors?\b|\bimpacts?\b|\binfluences?\b"
    r"|\beffect of\b"
    r"|\baffects?\b|\brange of\b|\bcoefficient of variation\b|\binterquartile",
    re.IGNORECASE,
)
DRAWING = re.compile(
    r"\b(?:plots?|charts?|graphs?|scatter\w*|draw|visuali[sz]\w*|histograms?|diagram|colou?r|show me|display"
    r"|axis|boxplots?|filtered by)\b",
    re.IGNORECASE,
)
"""A question that wants a picture belongs to the plain reader, whatever the picture is to show."""


_PLAIN_ENOUGH = 0.75
_FIGURES = {"avg": "mean", "sum": "sum", "median": "median", "min": "minimum", "max": "maximum"}
"""Aggregates of queries by what a summary calls them."""


def _narrower(plain: Reading, named: Reading) -> bool:
    """Whether the plain reading of a brief for one figure keeps to conditions that the brief's own reading missed."""
    query, statistic = plain.plan, named.plan
    if not isinstance(query, Query) or not isinstance(statistic, Statistic) or plain.score < _PLAIN_ENOUGH:
        return False
    if query.groups or len(query.measures) != 1 or query.joins:
        return False
    told, brief = query.measures[0].expr, program.parse(statistic.options["program"])
    if not isinstance(told, Aggregate) or brief.steps or len(brief.figures) != 1:
        return False
    figure = brief.figures[0]
    same = figure.study == "summary" and figure.figure == _FIGURES.get(told.fn)
    return same and _tests(query) > _tests(statistic.query) + len(figure.where)


def _tests(query: Query) -> int:
    where = query.where
    return len(where.of) if isinstance(where, AllOf) else int(where is not None)


def read(question: Question, catalog: Catalog, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """Readings of a statistical question; none where the statistical words are missing or their columns are."""
    if "@" in question.context:
        brief = read_brief(question.context)
        if brief.asked:
            named = read_named(question.text, brief, lexicon)
            plain = query_reader.read(question, catalog, lexicon, tagged) if len(brief.asked) == 1 else []
            return [] if named and plain and _narrower(plain[0], named[0]) else named

    def base(text: str = "") -> Query | None:
        asked = replace(question, text=text) if text else question
        read_as = tag(text, lexicon) if text else tagged
        readings = query_reader.read(asked, catalog, lexicon, read_as)
        return next((r.plan for r in readings if isinstance(r.plan, Query)), None)

    readings: list[Reading] = []
    if DRAWING.search(question.text) and not re.search(r"\bcoefficient\b|\bp[\s-]?value", question.text, re.IGNORECASE):
        return []
    if STATISTICAL.search(question.text):
        readings += read_plain(question.text, lexicon, base)
    elif wants_series(question.text):
        readings += read_series(question.text, catalog, base(figure_question(question.text)))
    return readings
