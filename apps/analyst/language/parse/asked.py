"""What a question word asks for where no column is named: "when" a date, "where" a place, "who" a person, "how tall"
a height."""

from __future__ import annotations

from apps.analyst.language.morphology import parts_of_speech, verb_forms
from apps.analyst.language.parse.draft import Draft, Measure, Slot, is_time
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import vocabulary

_ROOT = 3


def read_asked(draft: Draft) -> None:
    """Adds the column that the question word asks for, where nothing else is asked."""
    if draft.select or draft.measures or draft.groups:
        return
    for index, item in enumerate(draft.items):
        if item.quoted:
            continue
        if item.tag("when") and _select_moment(draft, index):
            return
        if item.tag("where") and _select_words(draft, index, vocabulary().wh["where"]):
            return
        if item.tag("long") and _select_degree(draft, index):
            return
        if item.norm.startswith("how") and _select_verb(draft, index):
            return
    who = next((i for i, item in enumerate(draft.items) if item.norm.split(" ")[0] in ("who", "whom")), None)
    if who is None:
        return
    if len(draft.lexicon.tables) == 1:
        if not _select_doer(draft, who):
            _select_words(draft, who, vocabulary().wh["who"])
        return
    ranked = {_counted(sort.measure) for sort in draft.sorts if sort.superlative and sort.measure is not None}
    if len(ranked) == 1 and None not in ranked:  # "who made the most calls": of the table of calls
        _select_words(draft, who, vocabulary().wh["who"], ranked.pop())


def _counted(measure: Measure) -> str | None:
    return measure.slot.hits[0].table if measure.slot is not None and measure.slot.hits else measure.table


def _free_of_conditions(draft: Draft, hits: tuple[ColumnHit, ...]) -> tuple[ColumnHit, ...]:
    taken = {(hit.table, hit.column) for c in draft.conditions if c.slot is not None for hit in c.slot.hits[:1]}
    return tuple(hit for hit in hits if (hit.table, hit.column) not in taken)


def _select_moment(draft: Draft, index: int) -> bool:
    year = "year" in draft.items[index].norm
    hits = columns_named(draft, ("year", "season", "date") if year else vocabulary().wh["when"])
    moments = tuple(
        ColumnHit(named.table.name, named.column.name, 0.6) for named in draft.lexicon.columns if is_time(named.column)
    )
    known = {(hit.table, hit.column) for hit in hits}
    ranked = _free_of_conditions(draft, (*hits, *(hit for hit in moments if (hit.table, hit.column) not in known)))
    if not ranked:
        return False
    draft.select.append(Slot(index, ranked))
    draft.use(index, role="select")
    return True


def _select_words(draft: Draft, index: int, words: tuple[str, ...], table: str | None = None) -> bool:
    hits = _free_of_conditions(draft, columns_named(draft, words))
    hits = tuple(hit for hit in hits if draft.column(hit).type == "text" and table in (None, hit.table))
    if not hits:
        return False
    draft.select.append(Slot(index, hits))
    draft.use(index, role="select")
    return True


def _select_degree(draft: Draft, index: int) -> bool:
    for token in draft.tagged.tokens[draft.items[index].start : draft.items[index].end]:
        adjective = vocabulary().adjective(token.keys)
        if adjective is not None:
            hits = columns_named(draft, adjective.of)
            if hits:
                draft.select.append(Slot(index, hits))
                draft.use(index, role="select")
                return True
    return False


def _select_verb(draft: Draft, index: int) -> bool:
    """ "how much does it weigh", "how is it described": the column its verb points at."""
    for position in range(len(draft.items) - 1, index, -1):
        token = draft.items[position].token
        if token is None or not draft.free(position):
            continue
        words = vocabulary().verb(token.keys)
        hits = columns_named(draft, words) if words else ()
        if not hits and token.norm.endswith("ed"):
            forms = {key[:6] for key in token.keys if len(key) >= 6}
            hits = tuple(
                ColumnHit(named.table.name, named.column.name, 0.6)
                for named in draft.lexicon.columns
                if any(form[:6] in forms for own in named.name.forms for form in own)
            )
        if hits:
            draft.select.append(Slot(position, hits))
            draft.use(position, role="select")
            return True
    return False


def _select_doer(draft: Draft, who: int) -> bool:
    """ "who wrote it", "who trained the horse": the writer and the trainer, where there are such columns."""
    for index in range(who + 1, min(who + 3, len(draft.items))):
        token = draft.items[index].token
        named = tuple(hit for hit in draft.items[index].columns if draft.column(hit).type == "text")
        if named and draft.roles.get(index) == "select" and "VERB" in parts_of_speech(draft.items[index].norm):
            draft.select.append(Slot(index, named))
            draft.use(who, role="select")
            return True
        if token is None or not draft.free(index) or draft.items[index].norm in ("is", "was", "are", "were", "did"):
            continue
        roots = {form for form in verb_forms(token.norm) if len(form) >= _ROOT}
        doers = {root + ending for root in roots for ending in ("r", "er", "or", root[-1] + "er")}
        hits = (*columns_named(draft, tuple(sorted(doers))), *columns_named(draft, vocabulary().verb(token.keys)))
        texts = _free_of_conditions(draft, tuple(hit for hit in hits if draft.column(hit).type == "text"))
        if texts:
            draft.select.append(Slot(index, texts))
            draft.use(who, index, role="select")
            return True
    return False
