"""What a sales question asks for, phrase by phrase: figure, rows, dimensions, time, order. No plan is made here."""

from __future__ import annotations

import re
from datetime import date

from apps.analyst.computing.metrics.roles import Crm
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers.metrics_dimensions import read_groups, read_rank, read_share
from apps.analyst.language.readers.metrics_filters import read_bounds, read_gaps, read_values
from apps.analyst.language.readers.metrics_line import Line
from apps.analyst.language.readers.metrics_names import (
    asks_for_rows,
    kind_of,
    ranks_rows_within,
    read_ages,
    read_metric,
)
from apps.analyst.language.readers.metrics_parts import GRAIN, GRAINS, Ask, Dimension
from apps.analyst.language.readers.metrics_states import read_figure, read_nouns, read_states
from apps.analyst.language.readers.metrics_times import read_closing, read_comparison, read_dates, unit_of, whole_units

_SHOWN = re.compile(r"(?:please )?(?:show|give|see|display)\b")


def read_ask(line: Line, crm: Crm, lexicon: Lexicon, today: date) -> Ask | None:
    """The question's parts; None where it is not about sales data. `line` keeps the words that found no place."""
    ask = Ask()
    read_ages(line, ask)
    read_metric(line, ask)
    ask.kind = kind_of(line, ask)
    entity = crm.get(ask.kind)
    if entity is None:
        return None
    ask.listing = asks_for_rows(line, ask)
    ask.within = ranks_rows_within(line, ask)
    each = line.take(r"(?:(?:in|for|over|during) )?(?:each|every) of(?=(?: the)? (?:last|past|previous))")
    slide = line.take(rf"(?:from )?(?P<g>{GRAIN}) (?:to|over|on|by|after) (?P=g)")
    ask.periods = line.periods(today)
    line.take(r"changed?|changes|developed?|evolved?|grow|grew|grown")
    if slide:
        ask.change = True
        ask.groups.append(Dimension(grain=GRAINS[slide["g"].rstrip("s")]))
    if each and ask.periods:
        ask.groups.append(Dimension(grain=unit_of(ask.periods[0])))
    read_gaps(line, ask, entity, lexicon)
    read_bounds(line, ask)
    read_values(line, ask, entity, lexicon, least=2)
    read_share(line, ask)
    read_rank(line, ask)
    read_groups(line, ask, entity, crm, lexicon)
    read_dates(line, ask)
    read_states(line, ask, entity)
    read_figure(line, ask, entity, lexicon)
    read_nouns(line, ask)
    read_values(line, ask, entity, lexicon, least=1)
    read_comparison(line, ask, today)
    read_closing(line, ask)
    ask.periods = [whole_units(mention, ask, today) for mention in ask.periods]
    if ask.listing and ask.groups and ask.limit is None and not ask.within and _SHOWN.match(line.whole):
        ask.listing = ask.many = False  # "show me won deals by month": how many in each
    return ask
