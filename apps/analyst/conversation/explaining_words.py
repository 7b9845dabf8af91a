"""How people ask why a figure changed: the figure, its periods and its direction. No meaning is read here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from apps.analyst.reading.rules.comparing import AGAINST, PERIOD

Direction = Literal["", "up", "down"]

_DOWN = (
    r"fall(?:en)?|fell|drop(?:ped)?|declined?|decreased?|shr[aiu]nk|(?:go|went|gone|going) down|c[ao]me down|down|lower"
    r"|sink|sank|sunk|dip(?:ped)?|slump(?:ed)?|worsen(?:ed)?|get worse|got worse|worse|falling|dropping|declining"
    r"|decreasing|shrinking|slip(?:ped)?"
)
_UP = (
    r"rise|rose|risen|gr[eo]w[n]?|increased?|improved?|(?:go|went|gone|going) up|come up|came up|up|higher|climb(?:ed)?"
    r"|jump(?:ed)?|surged?|better|get better|got better|rising|growing|increasing|improving"
)
_CHANGED = r"changed?|differ(?:ent)?|moved?|developed?|develop|the way (?:it is|they are)|changing"
_HOW_MUCH = r"(?: (?:so )?(?:much|strongly|sharply|a lot|significantly))?"
_DOWN_NOUN = r"drop|fall|decline|decrease|dip|slump|reduction|loss|shrinkage"
_UP_NOUN = r"rise|increase|growth|jump|surge|improvement|gain"
_CHANGE_NOUN = r"change|difference|development|movement|variation|shift"
_NOUN = rf"(?:(?P<downs>{_DOWN_NOUN})|(?P<ups>{_UP_NOUN})|(?P<moves>{_CHANGE_NOUN}))s?"
_CAUSE = (
    r"(?:what|which (?P<group>.+?)) (?:has |have |had |is |are |was |were )?(?:caused?|causing|drove|drives?|driven"
    r"|driving|explains?|explained|explaining|(?:lead|led) to|behind|contribut(?:ed?|es|ing)(?: (?:the )?most)? to"
    r"|responsible for|account(?:ed|s)? for|due to|made up)"
)
_QUESTIONS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"why (?:did|do|does|has|have|had|is|are|was|were) (?P<head>.+?) (?:been )?"
        rf"(?:(?P<down>{_DOWN})|(?P<up>{_UP})|(?P<move>{_CHANGED})){_HOW_MUCH}(?P<tail>(?: .*)?)",
        rf"{_CAUSE} (?:the |this |our )?{_NOUN} (?:in|of) (?P<head>.+)",
        rf"(?:please )?(?:explain|analy[sz]e|decompose|break down|split up)(?: to me| me)? (?:the |our )?{_NOUN}"
        rf" (?:in|of) (?P<head>.+)",
        rf"(?:what (?:are|were|is|was) )?(?:the )?(?:main |biggest |root |key )?(?:reasons?|causes?|drivers?)"
        rf"(?: for| of| behind) (?:the |our )?{_NOUN} (?:in|of) (?P<head>.+)",
    )
)
_TIMES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<head>.*?),? (?:from|between) (?:the )?(?P<b>{PERIOD}) (?:to|and) (?:the )?(?P<a>{PERIOD})(?P<rest>.*)",
        rf"(?P<head>.*?),? (?:in |for |during |of )?(?:the )?(?P<a>{PERIOD}),? (?:{AGAINST}|over|from|on|than(?: in)?)"
        rf" (?:that of |in )?(?:the )?(?P<b>{PERIOD})(?P<rest>.*)",
        rf"(?P<head>.*?),? (?:{AGAINST}|over|from|since|than(?: in)?) (?:that of |in )?(?:the )?(?P<b>{PERIOD})"
        rf"(?P<rest>.*)",
        rf"(?P<head>.*?),? (?:in |for |during |of )?(?:the )?(?P<a>{PERIOD})(?P<rest>.*)",
    )
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's parts: the figure with its conditions, the later and the earlier period, the direction."""

    head: str
    current: str
    baseline: str
    expected: Direction
    group: str = ""


def asked_why(text: str) -> Asked | None:
    """The parts of a question why a figure changed; None for others."""
    for pattern in _QUESTIONS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        groups = found.groupdict()
        down, up = groups.get("down") or groups.get("downs"), groups.get("up") or groups.get("ups")
        expected: Direction = "down" if down else "up" if up else ""
        head, current, baseline = _timed(f"{groups['head']}{groups.get('tail') or ''}".strip())
        head = re.sub(r"^(?:the|our|my|their) ", "", head)
        group = groups.get("group") or ""
        if head:
            return Asked(f"{head} by {group}" if group else head, current, baseline, expected, group)
    return None


def _timed(text: str) -> tuple[str, str, str]:
    """The figure, the later and the earlier period as said, "" for those that are not."""
    for pattern in _TIMES:
        found = pattern.fullmatch(f" {text}")
        if found is None:
            continue
        groups = found.groupdict()
        head = f"{groups['head'].strip()}{groups['rest'] or ''}".strip()
        head = re.sub(r" (?:so much|strongly|sharply|a lot)\b", "", head)
        current, baseline = groups.get("a") or "", groups.get("b") or ""
        if not current and re.fullmatch(r"(?:last|previous|prior) \w+", baseline):
            current = f"this {baseline.split()[-1]}"
        return head, current, baseline
    return text, "", ""
