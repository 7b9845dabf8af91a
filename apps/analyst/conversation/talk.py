"""What is said to messages that ask nothing of the data: greetings, thanks, forecasts, advice, other languages.

Nothing of this is told where the message's words stand in the data: a table of weather may be asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

from apps.analyst.conversation.words import phrases
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.ports import Catalog
from apps.analyst.reading.index import index_of
from apps.analyst.reading.linking import tokens_of
from apps.analyst.tables.scoped import without_examples
from apps.analyst.telling.formats import listed, spoken
from apps.analyst.types import Question

PhraseSet = frozenset[tuple[str, ...]]
"""Phrases by their tokens."""
FORECAST = "forecast"
CAUSE = "cause"
"""Of what was answered, where anything was."""
LEADING_ON = ("greeting", "abilities", CAUSE)
"""Kinds of small talk beside which questions stand."""
_FOREIGN_SHARE = 0.34
"""Words of another language, of all words, from which a message is in it."""
_SEVERAL = 2
_PART = re.compile(r"[^\s.,!?;:–—](?:[^.,!?;:–—]|[.,:](?=\S))*")
"""A stretch of a message between the signs that set it off; a sign inside a number or a code sets nothing off."""
_SET_OFF = tuple(",:;.!–—")
"""Signs that set a name off from what is asked."""
_LONGEST = 12
"""Words of a message that one of its words makes a request for what cannot be told."""
_BEGINNING = 6


@dataclass(frozen=True, slots=True)
class Refusal:
    """What cannot be told: the words and the beginnings of questions for it, and what is said."""

    words: frozenset[str]
    asks: PhraseSet
    answer: str
    done: frozenset[str] = frozenset()
    """Figures of what has happened: asked for of days to come they are refused whatever the data hold of those."""


@dataclass(frozen=True, slots=True)
class Talk:
    """talk.yaml, read."""

    said: Mapping[str, PhraseSet]
    remarks: PhraseSet
    answers: Mapping[str, str]
    refused: Mapping[str, Refusal]
    languages: Mapping[str, tuple[frozenset[str], str]]
    findings: PhraseSet
    readers: PhraseSet
    about_it: frozenset[str]


@cache
def talk() -> Talk:
    """What is said besides questions, the same object at each call."""
    raw = yaml.safe_load((Path(__file__).parent / "talk.yaml").read_text(encoding="utf-8"))
    return Talk(
        said={kind: _phrases(listed_) for kind, listed_ in raw["said"].items()},
        remarks=_phrases(raw["remarks"]),
        answers=raw["answers"],
        refused={
            kind: Refusal(
                frozenset(entry.get("words", ())),
                _phrases(entry.get("asks", ())),
                entry["answer"],
                frozenset(entry.get("done", ())),
            )
            for kind, entry in raw["refused"].items()
        },
        languages={
            name: (frozenset(map(str, entry["words"])), entry["answer"]) for name, entry in raw["languages"].items()
        },
        findings=_phrases(raw["findings"]["asks"]),
        readers=_phrases(raw["findings"]["readers"]),
        about_it=frozenset(raw["findings"]["about_it"]),
    )


def _phrases(listed_: list[str]) -> PhraseSet:
    return frozenset(tuple(tokens_of(str(phrase))) for phrase in listed_)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said to a message that asks nothing of the data. `refusal` is what it asks for that cannot be told."""

    kind: str
    text: str
    status: Literal["answered", "declined"] = "answered"
    refusal: Refusal | None = None

    @property
    def leads_on(self) -> bool:
        """Whether questions to go on with stand beside it."""
        return self.refusal is not None or self.kind in LEADING_ON


def reply(question: Question, catalog: Catalog) -> Reply | None:
    """What is said to a message that asks nothing of the data; None where it may ask something."""
    tokens = tokens_of(question.text)
    if not tokens:
        return None
    known = talk()
    whole = tuple(token for token in tokens if token not in ("please", "there")) or tuple(tokens)
    kind = _small_talk(tuple(tokens)) or _small_talk(whole) or _small_talk(tuple(_to_itself(question)))
    if kind and not (kind == CAUSE and question.turns):
        return Reply(kind, _plain(known.answers[kind].format(data=_data(catalog))))
    language = language_of(tokens, catalog)
    if language is not None:
        return Reply(language, _plain(known.languages[language][1]), "declined")
    for kind, refusal in known.refused.items():
        if _is_refused(refusal, tokens, catalog, open_=kind == FORECAST and _knows_later(question, catalog)):
            return Reply(kind, _plain(refusal.answer), "declined", refusal)
    return None


def unaddressed(question: Question) -> Question:
    """The question with the assistant's name left blank where it is called by it ("Hey Ada, how many?", "thanks Ada");
    a name that is asked about stays."""
    for found in _named(question):
        before, after = question.text[: found.start()], question.text[found.end() :]
        if _calls(before, after):
            return replace(question, text=before + " " * len(found.group()) + after)
    return question


def _named(question: Question) -> Iterator[re.Match[str]]:
    """Where the question says the assistant's name."""
    name = question.assistant.strip()
    return re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question.text, re.IGNORECASE) if name else iter(())


def _calls(before: str, after: str) -> bool:
    """Whether a name between these words is called: set off at an end, or behind a greeting or thanks."""
    ahead, behind = tuple(tokens_of(before)), tokens_of(after)
    if not ahead:
        return bool(behind) and after.lstrip()[:1] in _SET_OFF
    return bool(_small_talk(ahead)) or (not behind and before.rstrip()[-1:] in _SET_OFF)


def _to_itself(question: Question) -> list[str]:
    """The words of a message about the assistant by its name, as they are said to it: "what can you do"."""
    text = question.text
    for found in _named(question):
        text = f"{text[: found.start()]}you{text[found.end() :]}"
    return tokens_of(text)


def without_remarks(text: str) -> str:
    """A message with what is only remarked before and behind its request left blank ("Right, so which ones?", "by
    month, ta"), so that all else stands where it stood; as it is where it says nothing else."""
    parts = [found.span() for found in _PART.finditer(text)]
    while len(parts) > 1 and _is_remark(text[slice(*parts[0])]):
        parts = parts[1:]
    while len(parts) > 1 and _is_remark(text[slice(*parts[-1])]):
        parts = parts[:-1]
    if not parts or all(_is_remark(text[slice(*part)]) for part in parts):
        return text
    start, end = parts[0][0], parts[-1][1]
    return " " * start + text[start:end] + ("?" if "?" in text[end:] else "")


def _is_remark(text: str) -> bool:
    known, tokens = talk(), tuple(tokens_of(text))
    return tokens in known.remarks or any(tokens in known.said[kind] for kind in ("greeting", "thanks"))


def _small_talk(tokens: tuple[str, ...]) -> str:
    """The kind of a message that is small talk and nothing else, of several the last: "thanks, bye"; "" for others."""
    for end in range(len(tokens), 0, -1):
        kind = next((kind for kind, said in talk().said.items() if tokens[:end] in said), "")
        rest = _small_talk(tokens[end:]) if kind and end < len(tokens) else kind
        if rest:
            return rest
    return ""


def _is_refused(refusal: Refusal, tokens: list[str], catalog: Catalog, *, open_: bool) -> bool:
    """Whether a message asks for what cannot be told; `open_`: only where it says so itself, or asks for what
    has happened."""
    named = {token for token in tokens if token in refusal.words}
    if named and len(tokens) <= _LONGEST and not any(_names_data(word, catalog) for word in named):
        return True
    told = open_ and refusal.done.isdisjoint(tokens)
    return not told and any(stretch in refusal.asks for stretch in stretches(tokens))


def _names_data(word: str, catalog: Catalog) -> bool:
    """True for a word that begins as one of the names in the data does: a column of forecasts may be asked for."""
    begun = word[:_BEGINNING]
    return _stands_in_data(word, catalog) or any(other.startswith(begun) for other in index_of(catalog).words)


def stretches(tokens: list[str]) -> Iterator[tuple[str, ...]]:
    """Every stretch of a message's words."""
    return (tuple(tokens[a:b]) for a in range(len(tokens)) for b in range(a + 1, len(tokens) + 1))


def _knows_later(question: Question, catalog: Catalog) -> bool:
    """True where people's data hold days to come: what is due next month is no forecast."""
    newest = (column.maximum for table in without_examples(catalog).tables() for column in table.columns)
    days = (day.date() if isinstance(day, datetime) else day for day in newest if isinstance(day, date))
    return any(day > question.today for day in days)


def _stands_in_data(word: str, catalog: Catalog) -> bool:
    """True for a word of a column's or table's name, or a stored value."""
    index, bare = index_of(catalog), singular(word)
    return bare in index.words or word in index.words or bare in index.stored or word in index.stored


def language_of(tokens: list[str], catalog: Catalog) -> str | None:
    """The other language that a message is in; None for English, and for what may as well be names of the data."""
    words = [token for token in tokens if token.isalpha()]
    own = sum(word in _english() for word in words)
    foreign = {word for word in words if word not in _english() and not _stands_in_data(word, catalog)}
    hits = {name: sum(word in function for word in foreign) for name, (function, _) in talk().languages.items()}
    best = max(hits, key=lambda name: hits[name])
    enough = hits[best] >= _SEVERAL or (hits[best] == 1 and (len(words) == 1 or any(not w.isascii() for w in foreign)))
    return best if enough and hits[best] > own and hits[best] >= _FOREIGN_SHARE * len(words) else None


@cache
def _english() -> frozenset[str]:
    """Words of English that other languages know too, with other meanings."""
    known = english()
    said = {
        word
        for listed_ in (*known.cues.values(), *known.units.values())
        for phrase in listed_
        for word in phrase.split()
    }
    return known.stopwords | said | {word for words in phrases().by_words for word in words}


def _data(catalog: Catalog) -> str:
    """What there is to ask about, in a few words."""
    own = [table for table in catalog.tables() if not table.example] or list(catalog.tables())
    names = [spoken(table.name) for table in own]
    return listed(names, most=3) if names else "your data"


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
