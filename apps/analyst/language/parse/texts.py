"""Text tests and missing values: "contain the letter a", "starts with S", "not shipped yet"."""

from __future__ import annotations

from typing import Literal

from apps.analyst.language.morphology import noun
from apps.analyst.language.parse.draft import Condition, Draft, Slot
from apps.analyst.language.parse.filters import negation_of
from apps.analyst.language.tagging import ColumnHit

_LIKELY, _SURE = 0.5, 0.9
"""From which score on a word behind "without" is a column with gaps, unless it surely is a table."""
_OF_VALUES = ("number", "address", "value", "entry")
"""Behind a column's name: "no phone number" where the column is called phone."""


def read_text_tests(draft: Draft) -> None:
    """ "contain the letter a", "starts with S", "name is unknown", "not shipped yet"."""
    for index, item in enumerate(draft.items):
        tag = item.tag("starts", "ends", "contain")
        if tag is not None and draft.free(index):
            _text_test(draft, index, tag.kind)
    for index, item in enumerate(draft.items):
        if item.tag("present") and any(other.tag("sup") for other in draft.items[max(0, index - 4) : index]):
            draft.use(index)  # "the highest level recorded": of what was recorded
        elif draft.free(index) and item.tag("missing", "present"):
            _gap(draft, index)
        elif draft.free(index) and item.tag("neg"):
            _not_happened(draft, index)


def _text_test(draft: Draft, index: int, kind: str) -> None:
    literal = None
    for position in range(index + 1, min(index + 5, len(draft.items))):
        item = draft.items[position]
        if item.quoted:
            literal = position
            break
        last = position + 1 >= len(draft.items) or draft.items[position + 1].norm in (".", "?", "!")
        if (last and item.text.isupper()) or (
            item.norm
            not in (
                "the",
                "letter",
                "word",
                "substring",
                "string",
                "a",
                "phrase",
                "letters",
                "text",
                "in",
            )
            and not item.tag("count", "contain")
        ):
            if kind != "contain" or (position > index + 1 and len(item.norm) <= 2):
                literal = position
            break
    if literal is None and kind == "contain" and _holding_word(draft, index):
        return
    if literal is None or not draft.free(literal):
        return
    column = None
    for position in range(index - 1, max(-1, index - 5), -1):
        hits = tuple(hit for hit in draft.items[position].columns if draft.column(hit).type == "text")
        if hits and (draft.free(position) or draft.roles.get(position) == "condition"):
            column = position
            break
    if column is None:
        named = next(
            (i for i in range(literal + 1, min(literal + 4, len(draft.items))) if draft.items[i].columns), None
        )
        column = named
    if column is None:
        return
    hits = tuple(hit for hit in draft.items[column].columns if draft.column(hit).type == "text")
    if not hits:
        return
    negation = negation_of(draft, index)
    draft.use(index, literal, column, *([negation] if negation is not None else []), role="condition")
    match: Literal["contains", "starts", "ends"] = (
        "contains" if kind == "contain" else "starts" if kind == "starts" else "ends"
    )
    draft.conditions.append(
        Condition(
            "text",
            Slot(column, hits),
            values=(draft.items[literal].text.strip("'\"`\u201c\u201d "),),
            match=match,
            negated=negation is not None,
            item=index,
        )
    )


def _holding_word(draft: Draft, index: int) -> bool:
    """ "how many soups contain leeks": the one column of texts of that table in which the word stands."""
    word = index + 1
    tables = [table for i in range(max(0, index - 4), index) if (table := draft.table_at(i, _SURE))]
    unknown = (
        word < len(draft.items) and draft.free(word) and not draft.items[word].names and not draft.items[word].tags
    )
    if not tables or not unknown or draft.items[word].number is not None or draft.is_filler(word):
        return False
    said = draft.items[word].norm
    stored = draft.lexicon.values.containing([said]) or draft.lexicon.values.containing([noun(said)])
    columns = {value.column for value in stored if value.table == tables[-1] and len(value.words) > 1}
    if len(columns) != 1:
        return False
    hit = ColumnHit(tables[-1], columns.pop(), _SURE)
    text = said if draft.lexicon.values.containing([said]) else noun(said)
    negation = negation_of(draft, index)
    draft.use(index, word, *([negation] if negation is not None else []), role="condition")
    draft.conditions.append(
        Condition("text", Slot(word, (hit,)), values=(text,), negated=negation is not None, item=index)
    )
    return True


def _gap(draft: Draft, index: int) -> None:
    for position in (*range(index - 1, max(-1, index - 5), -1), index + 1, index + 2, index + 3):
        if (
            0 <= position < len(draft.items)
            and draft.free(position)
            and draft.items[position].columns
            and not draft.items[position].tag("missing")
        ):
            negation = negation_of(draft, index)
            present = draft.items[index].tag("present") is not None or negation is not None
            draft.use(index, position, *([negation] if negation is not None else []), role="condition")
            draft.conditions.append(
                Condition("missing", Slot(position, draft.items[position].columns), negated=present, item=index)
            )
            return


def _not_happened(draft: Draft, index: int) -> None:
    """ "not shipped", "have no close date": the value that is spoken of is missing."""
    having = index + 1 < len(draft.items) and draft.items[index + 1].norm in ("have", "has", "had", "having")
    if draft.items[index].norm in ("no", "without", "with no", "lacking", "lack") or having:
        behind = index + (2 if having else 1)
        while behind < len(draft.items) and draft.items[behind].norm in ("a", "an", "any", "the", "a known"):
            behind += 1
        following = draft.items[behind] if behind < len(draft.items) else None
        if draft.table_at(behind + 1, _SURE) is not None:
            return  # "without open tickets": there are none of these
        hits = (
            tuple(h for h in following.columns if h.score >= _LIKELY and draft.column(h).missing)
            if following is not None and not (following.tables and following.tables[0].score >= _SURE)
            else ()
        )
        if hits and draft.free(behind):
            told = behind + 1 < len(draft.items) and draft.items[behind + 1].norm in _OF_VALUES
            draft.use(index, behind, *([behind + 1] if told else []), role="condition")
            draft.conditions.append(Condition("missing", Slot(behind, hits), item=index))
            return
    for position in range(index + 1, min(index + 4, len(draft.items))):
        item = draft.items[position]
        hits = tuple(
            hit for hit in item.columns if draft.column(hit).type in ("date", "datetime") and draft.column(hit).missing
        )
        token = item.token
        if item.tables and hits and item.tables[0].score > max(_SURE, hits[0].score):
            return  # "never rated" where ratings are rows of their own
        if hits and draft.free(position) and token is not None and token.norm.endswith(("ed", "en", "id")):
            draft.use(index, position, role="condition")
            draft.conditions.append(Condition("missing", Slot(position, hits), item=index))
            return
        if not draft.is_filler(position):
            return
