"""By what rows are told apart and ranked: "by owner and month", "which industries", "top 5 reps", "share of"."""

from __future__ import annotations

import re

from apps.analyst.computing.metrics.roles import Crm, Entity
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers.metrics_columns import resolve
from apps.analyst.language.readers.metrics_line import Line
from apps.analyst.language.readers.metrics_parts import (
    DOWN,
    GRAIN,
    GRAINS,
    MONEY,
    NOUNS,
    OWNER,
    REVENUE,
    ROLE_WORDS,
    UP,
    Ask,
    Dimension,
)


def read_share(line: Line, ask: Ask) -> None:
    if line.take(
        r"(?:what |which )?(?:is the |was the )?(?:share|percentages?|percent|proportion|fraction)(?: of(?: the| "
        r"our)?)?"
    ):
        ask.share = True
        line.take(r"comes? from|goes to|falls? (?:on|to)|is in|are in|has|have|had")


def read_rank(line: Line, ask: Ask) -> None:
    for pattern, descending in ((DOWN, True), (UP, False)):
        match = line.take(rf"(?:{pattern}) (?P<n>\d+)(?: (?:{pattern}))?|(?P<m>\d+) (?:{pattern})") or line.take(
            rf"(?:{pattern})(?! (?:touch|activity))"
        )
        if match:
            word = match.group()
            ask.descending = descending
            groups = match.groupdict()
            number = groups.get("n") or groups.get("m")
            if number is None and (ask.listing or ask.groups) and (alone := line.take(r"\d+")):
                number = alone.group()
            ask.limit = int(number) if number else None
            if re.search(r"last|latest|newest|recent|oldest|earliest|first", word):
                ask.key = "time"
                ask.descending = not re.search(r"oldest|earliest|first", word)
            elif re.search(r"largest|biggest|smallest|highest|lowest|valuable|greatest", word):
                ask.key = "size"
            return


def read_groups(line: Line, ask: Ask, entity: Entity, crm: Crm, lexicon: Lexicon) -> None:
    opener = (
        r"(?:broken down |split |grouped |breakdown )?(?:by|per|for each|for every|in each|in every|of each|"
        r"of every|across|each|every|did each|does each|has each|had each|over time by)"
    )
    adverb = line.take("|".join(word for word in GRAINS if word.endswith("ly")))
    if adverb:
        ask.groups.append(Dimension(grain=GRAINS[adverb.group()]))
    start = 0
    while match := re.compile(rf"(?<!\S){opener}(?: the| our| different)?(?= \S)").search(line.text, start):
        found = _dimension_at(line, match.end() + 1, entity, crm, lexicon, ask)
        start = match.end()
        if (
            found is None
            and re.match(rf" (?:{MONEY}|{REVENUE}|number|count|total|average|~)", line.text[match.end() :])
            and match.group().startswith("by")
        ):
            line.blank(match.start(), match.end())
        while found is not None:
            dimension, end = found
            line.blank(match.start(), end)
            ask.groups.append(dimension)
            more = re.match(r" (?:and(?: by)?|then|,) ", line.text[end:]) or re.match(
                r" ~ (?:and )?(?=\S)", line.text[end:]
            )
            found = _dimension_at(line, end + more.end(), entity, crm, lexicon, ask) if more else None
    which = re.search(r"(?<!\S)(?:which|what)(?: \d+)?(?= \S)", line.text)
    if which and not ask.listing:
        number = re.search(r"\d+", which.group())
        found = _dimension_at(line, which.end() + 1, entity, crm, lexicon, ask)
        if found is not None:
            ask.many = line.text[: found[1]].endswith("s") and not line.text[: found[1]].endswith("ss")
            line.blank(which.start(), found[1])
            ask.groups.insert(0, found[0])
            ask.asked = True
            ask.limit = int(number.group()) if number else ask.limit
    elif not ask.groups and not ask.listing and ask.kind != "companies" and line.sees(r"who(?: are| were)?"):
        line.take(r"who(?: are| were| is| was)?")
        line.take(rf"the {OWNER}|{OWNER}")
        ask.groups.insert(0, _role("owner", entity, ask))
        ask.asked = True
    if ask.limit is not None and not ask.groups and not ask.listing:
        _ranked_noun(line, ask, entity, crm, lexicon)
    if ask.kind in ("companies",) and ask.listing:
        return
    if line.take(r"(?:how many )?different (?:companies|customers|accounts|clients)"):
        ask.distinct = entity.part("company")
        ask.lacking = ask.lacking or ("" if ask.distinct else "I need a column that names the company, and found none.")


def _ranked_noun(line: Line, ask: Ask, entity: Entity, crm: Crm, lexicon: Lexicon) -> None:
    """ "top 5 owners": what is ranked stands behind the number."""
    for match in re.finditer(r"(?<!\S)~+ (?=[^~\s])", line.text):
        found = _dimension_at(line, match.end(), entity, crm, lexicon, ask)
        if found is not None:
            line.blank(match.end(), found[1])
            ask.groups.append(found[0])
            ask.asked = True
            return


def _dimension_at(
    line: Line, at: int, entity: Entity, crm: Crm, lexicon: Lexicon, ask: Ask
) -> tuple[Dimension, int] | None:
    """The dimension whose words begin at a character, with the character it ends at; the rows' own noun may lead
    it ("deal owner")."""
    rest = line.text[at:]
    grain = re.match(rf"({GRAIN})(?!\S)", rest)
    if grain:
        return Dimension(grain=GRAINS[grain[1].rstrip("s")]), at + grain.end()
    team = re.match(r"(?:sales )?teams?(?!\S)", rest)
    if team and entity.part("team") is None and crm.get("owners") is not None:
        part = crm.entities["owners"].part("team")
        return (Dimension(part=part, role="team"), at + team.end()) if part else None
    for role, pattern in ROLE_WORDS.items():
        said = re.match(rf"(?:{pattern})(?!\S)", rest)
        if said and (entity.part(role) is not None or role == "owner"):
            return _role(role, entity, ask), at + said.end()
    noun = re.match(rf"(?:{NOUNS[entity.kind]})(?!\S) ?", rest) if entity.kind != "companies" else None
    words = list(rest.split()[:4])
    for size in range(len(words), 1 if noun else 0, -1):
        if any("~" in word for word in words[:size]):
            continue
        part = resolve(words[:size], entity, crm, lexicon)
        if part is not None:
            return Dimension(part=part), at + len(" ".join(words[:size]))
    return _dimension_at(line, at + noun.end(), entity, crm, lexicon, ask) if noun and noun.end() < len(rest) else None


def _role(role: str, entity: Entity, ask: Ask) -> Dimension:
    part = entity.part(role)
    if part is None:
        ask.lacking = (
            f"I need a column that says the {role} of each {entity.kind.rstrip('s')}, and found none "
            f"in {entity.table.name}."
        )
    return Dimension(part=part, role=role)
