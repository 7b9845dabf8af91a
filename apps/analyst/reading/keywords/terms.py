"""Which keywords a question says, and how their definitions begin. No meaning is read here."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.analyst.types import Question

_IN_CONTEXT = re.compile(
    r"^\s*(?:[-*•]\s*)?(?:by |the term |we call )?[\"“']?(?P<term>[^\W_][\w &/%+-]{0,40}?)[\"”']?\s*"
    r"(?:=|:=| means | is defined as | stands for | we mean )\s*(?P<text>\S.*?)\s*\.?\s*$"
)
_MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class Definition:
    """A keyword with its definition as written. `shared` is False for one that stands in the context text, and for one
    that is `known` to everybody."""

    term: str
    text: str
    shared: bool = True
    known: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a question says a keyword: characters [start, end)."""

    definition: Definition
    start: int
    end: int


def definitions(question: Question) -> list[Definition]:
    """All keywords, the context's own lines of the form "X = Y", and what figures are known to be made of."""
    found = [Definition(term.strip(), text.strip()) for term, text in question.keywords.items()]
    known = {definition.term.casefold() for definition in found}
    for line in re.split(r"[\n;]|(?<=[.])\s+(?=[A-Z“\"])", question.context):
        match = _IN_CONTEXT.match(line)
        if match is not None and match["term"].casefold() not in known:
            found.append(Definition(match["term"].strip(), match["text"], shared=False))
    said = {definition.term.casefold() for definition in found}
    found += [Definition(t, text, shared=False, known=True) for t, text in question.known.items() if t not in said]
    return [definition for definition in found if definition.term and definition.text]


def mentions(question: Question) -> list[Mention]:
    """The keywords that the question says, left to right; a longer one hides those within it."""
    found: list[Mention] = []
    taken: list[tuple[int, int]] = []
    for definition in sorted(definitions(question), key=lambda d: (-len(d.term), d.term)):
        words = re.split(r"[\s_-]+", definition.term)
        if not any(words) or len(words) > _MOST_WORDS:
            continue
        pattern = r"(?<![\w])" + r"[\s_-]+".join(map(re.escape, words)) + r"(?:s|es)?(?![\w])"
        for match in re.finditer(pattern, question.text, re.IGNORECASE):
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                taken.append(match.span())
                found.append(Mention(definition, *match.span()))
    return sorted(found, key=lambda mention: mention.start)


def body(definition: Definition) -> str:
    """The definition without its own name in front and without its full stop."""
    text = definition.text.strip().rstrip(".").strip()
    named = re.match(rf"{re.escape(definition.term)}\s*(?:=|:|is|means)\s*", text, re.IGNORECASE)
    return text[named.end() :] if named is not None and named.end() < len(text) else text
