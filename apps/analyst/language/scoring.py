"""How sure a reading is: what share of the question's content found a place, and how well it fits the data."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.computing.compile.walk import inner_queries, references
from apps.analyst.language.building.built import Built
from apps.analyst.language.morphology import parts_of_speech, words
from apps.analyst.language.parse.draft import Draft, is_number
from apps.analyst.language.parse.flags import is_flag
from apps.analyst.language.phrases import FILLERS, STOPWORDS
from apps.analyst.plan import Aggregate, ColumnRef, Query

_BETWEEN_THINGS = words(
    "place placed make made buy bought purchase purchased order ordered sell sold handle handled supply supplied "
    "process processed serve served take took manage managed work works worked assign assigned belong belongs rent "
    "rented book booked"
)
"""Verbs that tie a thing to what happened with it: "customers who *placed* orders"."""
_DOERS = words("they he she it")
"""In "and the courses they teach", the word behind only says how things of two tables belong together."""
_NOUNS = 3
_HAPPENED = words("placed made")
"""Said of things that exist because of it: "orders *placed*"."""
_EACH = words("each every per")
_ARE = words("are were is was")
_MORE = words("more fewer less")
"""Without what it is more than, the most is meant: "which region buys more bikes"."""
_WELL = 0.95
_LOST = 0.4
"""Taken off for each restriction that was read and cannot be applied: the figure would be about other rows."""


def unused_words(draft: Draft, tables: int = 1) -> tuple[str, ...]:
    """Content words that found no place; over several tables the verbs between things are what joins them."""
    found = []
    small = FILLERS | STOPWORDS | (_BETWEEN_THINGS if tables > 1 else _HAPPENED)
    rows = _row_nouns(draft)
    for index, item in enumerate(draft.items):
        if not draft.free(index) or index in rows:
            continue
        if item.tag("neg"):
            found.append(item.text)  # passed over, it turns an answer round
            continue
        joins = tables > 1 and index > 0 and draft.items[index - 1].norm in _DOERS
        for token in draft.tagged.tokens[item.start : item.end]:
            if token.is_word and token.norm not in small and len(token.norm) > 1 and not joins:
                found.append(token.text)
    return tuple(found)


def _row_nouns(draft: Draft) -> frozenset[int]:
    """ "how many coins were issued": of a single table whose rows are counted, what is counted are its rows."""
    rows = [m for m in draft.measures if m.fn == "count" and m.slot is None and m.table is None]
    if len(draft.lexicon.tables) > 1 or len(rows) != 1 or len(draft.measures) > 1 or rows[0].item < 0:
        return frozenset()
    found: list[int] = []
    for index in range(rows[0].item + 1, min(rows[0].item + 1 + _NOUNS, len(draft.items))):
        item = draft.items[index]
        if not draft.free(index) or item.tags or item.token is None or draft.is_filler(index):
            break
        if "NOUN" not in parts_of_speech(item.norm):
            break
        found.append(index)
    return frozenset(found[-1:] if found and draft.items[found[-1]].norm.endswith("s") else ())


def score(draft: Draft, built: Built, unused: tuple[str, ...]) -> float:
    """0 to 1: see `reading.ANSWER_THRESHOLD`."""
    used = sum(1 for index, item in enumerate(draft.items) if not draft.free(index) and not draft.is_filler(index))
    content = used + len(unused)
    covered = used / content if content else 0.0
    hits = [slot.best.score for slot in draft.select if slot.hits]
    hits += [m.slot.best.score for m in draft.measures if m.slot and m.slot.hits]
    hits += [s.slot.best.score for s in draft.sorts if s.superlative and s.slot and s.slot.hits]
    hits += [c.slot.best.score for c in draft.conditions if c.slot and c.slot.hits and c.kind != "period"]
    fit = sum(min(1.0, hit) for hit in hits) / len(hits) if hits else 0.8
    lost = built.lost + _passed_over(draft, built)
    value = 0.1 + 0.68 * covered + 0.2 * fit - _LOST * lost - 0.08 * built.multiplied
    return max(0.05, min(0.98, value))


def _passed_over(draft: Draft, built: Built) -> int:
    """ "buys the most", "how much did we", "not", "in each realm": what was said and came to nothing."""
    if _counts_single_rows(draft, built) or _counts_others(draft, built) or _ranks_nothing(draft, built):
        return 1
    figures = bool(built.query.measures) or any(is_number(draft.column(s.best)) for s in draft.select if s.hits)
    kinds = ("sup", "common", "difference") if figures else ("sup", "common", "difference", "agg")
    compared = any(item.tag("than") for item in draft.items)
    lost = _things_not_compared(draft) + _lost_dimensions(draft) + _lost_columns(draft, built) + _lost_bounds(draft)
    lost += _lost_flags(draft)
    return lost + sum(
        draft.free(index)
        and (item.tag(*kinds, "neg") is not None or (item.norm in _MORE and not compared))
        and not item.columns
        and not item.values
        for index, item in enumerate(draft.items)
    )


def _lost_columns(draft: Draft, built: Built) -> int:
    """ "How many players scored in the cup": a column that is named, and of which the number of all rows tells
    nothing."""
    query = built.query
    if len(draft.lexicon.tables) > 1 or query.groups or not query.measures or not isinstance(query.source, str):
        return 0
    if any(not isinstance(o.expr, Aggregate) or o.expr.fn != "count" for o in query.measures):
        return 0
    used = {ref.column for ref in references(query)}
    asked = [i for i in range(1, len(draft.items)) if draft.roles.get(i) == "select" and draft.items[i].columns]
    # Behind a figure it only says of what ("400 inhabitants"), and before a used column of what that is ("population
    # density").
    asked = [i for i in asked if draft.free(i - 1) and not _names(draft, i + 1, used)]
    return sum(
        draft.items[i].columns[0].score >= _WELL and not any(hit.column in used for hit in draft.items[i].columns)
        for i in asked
    )


def _lost_flags(draft: Draft) -> int:
    """ "Which contacts replied in May" where mails say whether they were replied: it was asked, whoever is listed."""
    return sum(
        draft.free(index)
        and item.norm.endswith("ed")
        and bool(item.columns)
        and item.columns[0].score >= _WELL
        and is_flag(draft.column(item.columns[0]))
        for index, item in enumerate(draft.items)
    )


def _names(draft: Draft, index: int, columns: set[str]) -> bool:
    return index < len(draft.items) and any(hit.column in columns for hit in draft.items[index].columns)


def _lost_dimensions(draft: Draft) -> int:
    """ "in each realm" of data that know no realms: the figure of all together was not asked for."""
    asked = [i for i, item in enumerate(draft.items) if item.tag("by") and item.norm.split()[-1] in _EACH]
    behind = [draft.items[i + 1] for i in asked if draft.free(i) and draft.free(i + 1)]
    return sum(
        item.token is not None and item.norm not in FILLERS | STOPWORDS and "NOUN" in parts_of_speech(item.norm)
        for item in behind
        if not (item.names or item.values or item.tags)
    )


def _lost_bounds(draft: Draft) -> int:
    """ "clients who only ordered in May", "whose orders are all paid": that there is nothing else is not looked up."""
    pairs = zip(draft.items, draft.items[1:], strict=False)
    return sum(
        (one.norm == "only" and draft.free(index) and other.norm.split()[0] in _BETWEEN_THINGS)
        or (other.norm == "all" and draft.free(index + 1) and one.norm in _ARE)
        for index, (one, other) in enumerate(pairs)
    )


def _things_not_compared(draft: Draft) -> int:
    """ "more albums than A" of which only A was taken: the rows of A are not what it is compared with."""
    named = {c.item for c in draft.conditions if c.kind == "value"}
    than = [i for i, item in enumerate(draft.items) if item.norm.split()[-1] == "than" and draft.free(i)]
    return sum(any(i in named for i in range(index + 1, index + 4)) for index in than)


def _counts_single_rows(draft: Draft, built: Built) -> bool:
    """ "The song with the most artists" where each song is one row: ranked by their numbers, all are equal."""
    query, counted = built.query, [sort.measure for sort in draft.sorts if sort.superlative and sort.measure]
    if not counted or counted[0].fn != "count" or len(query.groups) != 1 or len(draft.lexicon.tables) > 1:
        return False
    of = query.groups[0].expr
    return isinstance(of, ColumnRef) and draft.lexicon.schema.columns[of.table, of.column].column.unique


def _counts_others(draft: Draft, built: Built) -> bool:
    """ "Which reps booked the most meetings" of reps whom no meeting leads to: other rows are counted."""
    counted = [sort for sort in draft.sorts if sort.superlative and sort.measure and sort.measure.fn == "count"]
    things = {table for index, table, sure in draft.entities if sure >= _WELL and any(index > s.item for s in counted)}
    return bool(things) and not things & set(_scanned(built.query))


def _ranks_nothing(draft: Draft, built: Built) -> bool:
    """ "Who made the most calls" of data that do not say who: the number of all calls was not asked for."""
    counted = [s for s in draft.sorts if s.superlative and s.measure is not None and s.measure.fn == "count"]
    return bool(counted) and not built.query.groups and not built.query.columns


def _scanned(query: Query) -> Iterator[str]:
    """The tables that a query and the queries inside it read."""
    yield from (query.source,) if isinstance(query.source, str) else _scanned(query.source)
    yield from (join.table for join in query.joins)
    for part in (query.where, query.having):
        for inner in inner_queries(part) if part is not None else ():
            yield from _scanned(inner)
