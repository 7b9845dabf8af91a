"""How two named things are compared: "taller", "more or less", "the same", "grew", and which way that points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from apps.analyst.language.figure_texts import holds_lengths
from apps.analyst.language.morphology import keys, lemmas, words
from apps.analyst.language.parse.draft import Draft, is_time
from apps.analyst.language.parse.extremes import is_rank
from apps.analyst.language.tagging import ColumnHit, Tagged
from apps.analyst.language.vocabulary import vocabulary

PAIRS = words("did does do is was are were has have had")
"""They open a question about two named things, which wants a yes or no."""
_MORE = words("more greater higher larger bigger after later")
_LESS = words("less fewer lower smaller before earlier")
_GROW = words("grow increase rise improve gain climb")
_SHRINK = words("shrink decrease decline fall drop sink reduce")
_RANKED = words("higher lower")


@dataclass(frozen=True, slots=True)
class Degree:
    """How the two are compared: the items that say so, and which way."""

    items: tuple[int, ...]
    op: Literal[">", "<", "=", "!="]
    said: tuple[str, str] = ("Yes", "No")
    """What is answered where it holds and where it does not."""
    measures: tuple[str, ...] = ()
    """The column words of an adjective ("older": age, birth, founded)."""


def wants_yes_or_no(tagged: Tagged) -> bool:
    """True for questions that a form of be, do or have opens."""
    return bool(tagged.items) and tagged.items[0].norm.split()[0] in PAIRS


def asks_how_much_more(tagged: Tagged) -> bool:
    """ "how much taller", "how many years earlier", "how much higher is the rent"."""
    if not tagged.items or tagged.items[0].norm.split()[:2] not in (["how", "much"], ["how", "many"]):
        return False
    return any(token.norm == "than" for token in tagged.tokens) and _comparative(tagged) is not None


def is_either_way(draft: Draft) -> bool:
    """ "did A have more or less than B" asks which of the words is right, and not for A or B."""
    return _either_way(draft) is not None


def moved(draft: Draft) -> tuple[int, bool] | None:
    """ "did the seats grow": the item of the verb, and whether it says upwards."""
    for index, item in enumerate(draft.items):
        forms = lemmas(item.norm) | {item.norm}
        if forms & (_GROW | _SHRINK) and not item.columns:
            return index, bool(forms & _GROW)
    return None


def degree_of(draft: Draft) -> Degree | None:
    """How the question compares what it names; None where it does not."""
    choice = _either_way(draft)
    if choice is not None:
        return choice
    same = next((i for i, item in enumerate(draft.items) if item.tag("same") or item.norm == "the same as"), None)
    if same is not None:
        return Degree((same,), "=")
    verb = moved(draft)
    if verb is not None:
        return Degree((verb[0],), "<" if verb[1] else ">")
    found = _comparative(draft.tagged)
    if found is None:
        return None
    index, word = found
    adjective = vocabulary().adjective(keys(word))
    if word in _MORE | _LESS:
        timed = adjective.of if adjective is not None and word in ("earlier", "later") else ()
        return Degree((index,), ">" if word in _MORE else "<", measures=timed)
    if adjective is None:
        return None
    return Degree((index,), ">" if adjective.best == "desc" else "<", measures=adjective.of)


def _either_way(draft: Draft) -> Degree | None:
    """ "more or less", "higher/lower": the word that is right is the answer."""
    tokens = draft.tagged.tokens
    for place in range(len(tokens) - 2):
        one, between, other = (token.norm for token in tokens[place : place + 3])
        opposite = (one in _MORE and other in _LESS) or (one in _LESS and other in _MORE)
        if opposite and between in ("or", "/"):
            items = (i for i, item in enumerate(draft.items) if item.start < place + 3 and item.end > place)
            return Degree(tuple(items), ">" if one in _MORE else "<", (one, other))
    return None


def _comparative(tagged: Tagged) -> tuple[int, str] | None:
    """The item of a comparing word ("taller", "more", "before") and the word."""
    said = ((index, item) for index, item in enumerate(tagged.items) if item.tags or not item.values)
    for index, item in said:
        for token in tagged.tokens[item.start : item.end]:
            degree = token.norm.endswith(("er", "ier")) and vocabulary().adjective(token.keys) is not None
            if token.norm in _MORE | _LESS or degree:
                return index, token.norm
    return None


def turned(draft: Draft, degree: Degree, hit: ColumnHit | None) -> Degree:
    """Who is older was born earlier, who is faster needed less time, and who ranks higher has the smaller number."""
    said = draft.items[degree.items[0]]
    for token in draft.tagged.tokens[said.start : said.end] if hit is not None else ():
        judged = token.norm in ("better", "worse") and hit is not None
        if judged and hit is not None and (is_rank(draft, hit) or holds_lengths(draft.column(hit))):
            return replace(degree, op="<" if token.norm == "better" else ">")
        adjective = vocabulary().adjective(token.keys) if degree.measures else None
        if adjective is not None and hit is not None:
            name = draft.named(hit).name.words
            known = next((own for own in adjective.of if own in name), "")
            moment = is_time(draft.column(hit)) or "birth" in name or "born" in name
            return replace(degree, op=">" if adjective.direction(known, moment=moment) == "desc" else "<")
        if degree.op in (">", "<") and token.norm in _RANKED and hit is not None and is_rank(draft, hit):
            return replace(degree, op="<" if degree.op == ">" else ">")
    return degree
