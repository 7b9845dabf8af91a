"""The part of a brief that says what to hand back: named values, their rounding, and the words to choose from.

The form is `@name[placeholder] @other[placeholder] where "placeholder" is a number rounded to two decimals`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORMAT = re.compile(r"(?:^|\n)\s*\{?\s*(?:Format|Output format|Answer format|Return format)\s*:", re.IGNORECASE)
_NAME = re.compile(r"@([A-Za-z_]\w*)\s*\[([^\]]*)\]")
_QUOTED = re.compile(r"[\"“”]([^\"“”]{1,60})[\"“”]|(?<![A-Za-z0-9])'([^'\n]{1,60})'(?![A-Za-z])")
_COUNTS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "no": 0}
_PLACES = re.compile(
    r"\b(\d|zero|one|two|three|four|five|six|no)[\s-]+(?:decimal|digit)s?\b(?:\s+(?:places?|points?|digits?))?",
    re.IGNORECASE,
)
_ROUND_TO = re.compile(r"round\w*\s+(?:\w+\s+){0,5}?(?:up\s+)?to\s+(\d)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:whole number|integers?)\b", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)")


@dataclass(frozen=True, slots=True)
class Asked:
    """One value to hand back. `words` are its name split; `choices` the only texts it may be, if any are given."""

    name: str
    placeholder: str
    words: tuple[str, ...]
    description: str = ""
    decimals: int | None = None
    whole: bool = False
    choices: tuple[str, ...] = ()
    listed: bool = False
    """Several values in one, put together with `separator`."""
    separator: str = ", "


@dataclass(frozen=True, slots=True)
class Brief:
    """A question's context taken apart: the constraints in words, and the values to hand back in the given order."""

    constraints: str
    asked: tuple[Asked, ...]
    per_group: bool = False
    """True where the values are wanted once for each of several groups."""


def read_brief(context: str) -> Brief:
    """The constraints and the asked values of a context; a context without named values is all constraints."""
    text = context.replace("\\n", "\n")
    found = _FORMAT.search(text)
    first = _NAME.search(text, found.end() if found else 0)
    if first is None:
        return Brief(text.strip(" {}\n"), ())
    cut = found.start() if found else first.start()
    constraints, form = text[:cut], text[found.end() if found else first.start() :]
    words = frozenset(word.strip() for match in _NAME.finditer(form) for word in match.groups())
    spread = tuple(_asked(match, form, words) for match in _NAME.finditer(form))
    unique = {asked.name: asked for asked in reversed(spread)}
    overall = decimals_in(constraints)
    kept = [unique[name] for name in dict.fromkeys(asked.name for asked in spread)]
    return Brief(
        constraints.strip(" {}\n"),
        tuple(a if a.decimals is not None or a.whole else _with_decimals(a, overall) for a in kept),
        per_group=bool(re.match(r"\s*(?:for|per) (?:each|every|all)\b", form, re.IGNORECASE)),
    )


def _with_decimals(asked: Asked, decimals: int | None) -> Asked:
    return Asked(
        asked.name,
        asked.placeholder,
        asked.words,
        asked.description,
        decimals,
        asked.whole,
        asked.choices,
        asked.listed,
        asked.separator,
    )


def _asked(match: re.Match[str], form: str, words: frozenset[str]) -> Asked:
    name, placeholder = match.group(1), match.group(2).strip()
    description = _described(name, placeholder, match, form, words)
    choices = _choices(name, placeholder, description, form, words)
    parts = re.split(r"\s*,\s*", placeholder)
    several = "…" in placeholder or "..." in placeholder or bool(re.search(r"1\s*,.*2", placeholder))
    listed = (len(parts) > 1 and not choices and several) or bool(re.search(r"\blist|_list", placeholder))
    tight = listed and "," in placeholder and ", " not in placeholder
    own = decimals_in(placeholder)
    return Asked(
        name=name,
        placeholder=placeholder,
        words=split_words(name),
        description=description,
        decimals=own if own is not None else decimals_in(description),
        whole=bool(_WHOLE.search(placeholder) or _WHOLE.search(description)) and own is None,
        choices=choices,
        listed=listed,
        separator="," if tight else ", ",
    )


def split_words(name: str) -> tuple[str, ...]:
    """The lower-case words of a name: "std_dev_x" and "stdDevX" give std, dev, x."""
    return tuple(word.casefold() for word in re.split(r"[^0-9A-Za-z]+", _CAMEL.sub(" ", name)) if word)


def decimals_in(text: str) -> int | None:
    """The number of decimals a text asks for, or None."""
    found = _PLACES.search(text)
    if found:
        word = found.group(1).casefold()
        return _COUNTS.get(word, int(word) if word.isdigit() else None)
    found = _ROUND_TO.search(text)
    return int(found.group(1)) if found else None


def _described(name: str, placeholder: str, match: re.Match[str], form: str, others: frozenset[str]) -> str:
    """What the format says of a value: from where its placeholder or name is mentioned to the end of that clause."""
    rest = _NAME.sub(lambda m: " " * len(m.group(0)), form)
    for word in (placeholder, name):
        if len(word) < 2:
            continue
        said = []
        for found in re.finditer(rf"(?<![\w@]){re.escape(word)}(?!\w)[\"”']?", rest):
            tail = rest[found.end() :]
            stop = re.search(r"(?<!e\.g)(?<!i\.e)\.\s|\n\s*(?:where|and)?\s*[\"“'@]|\bwhere\s+[\"“']", tail)
            said.append(_own_part(tail[: stop.start()] if stop else tail, others - {word}))
        if said:
            return max(said, key=len)
    after = form[match.end() :]
    following = _NAME.search(after)
    return (after[: following.start()] if following else after) if after.strip().startswith((",", "where", "(")) else ""


def _own_part(text: str, others: frozenset[str]) -> str:
    """The text up to the mention of another value, unless nothing has been said by then ("a" and "b" are numbers)."""
    for found in _QUOTED.finditer(text):
        if (found.group(1) or found.group(2)) in others and len(text[: found.start()].split()) > 3:
            return text[: found.start()]
    return text


def _choices(name: str, placeholder: str, description: str, form: str, others: frozenset[str]) -> tuple[str, ...]:
    """The texts a value may be: quoted ones, words between slashes, True or False, yes or no."""
    for text in (placeholder, description):
        quoted = [(a or b).strip() for a, b in _QUOTED.findall(text)]
        quoted = [q for q in quoted if re.search(r"[A-Za-z]", q) and q not in others]
        listed = text is placeholder or bool(re.search(r"\b(?:string|either|one of|boolean|signif\w+|be)\b", text))
        if len(set(quoted)) >= 2 and listed:
            return tuple(dict.fromkeys(quoted))
    slashed = re.fullmatch(r"[A-Za-z][\w -]*(?:\s*/\s*[A-Za-z][\w -]*)+", placeholder)
    if slashed:
        return tuple(part.strip() for part in placeholder.split("/"))
    if re.search(rf"@{name}\[(?:True|False)\]", form):
        return ("True", "False")
    told = f"{placeholder} {description}"
    if re.search(r"\btrue\b.{0,60}\bfalse\b", told, re.IGNORECASE | re.DOTALL):
        return ("True", "False")
    if re.search(r"\byes\b.{0,60}\bno\b", told, re.IGNORECASE | re.DOTALL):
        return ("Yes", "No")
    return ()
