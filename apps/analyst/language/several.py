"""Several figures asked for at once: "win rate and average deal size by owner" is read figure by figure."""

from __future__ import annotations

import re

_AND = re.compile(r",?\s+and\s+|,\s+", re.IGNORECASE)
_TAIL = re.compile(
    r"\s(?:(?:broken |split )?(?:down )?by|per|for (?:each|every|the)|in|over|during|since|this|last|across|from"
    r"|between|as an?)\s.*$",
    re.IGNORECASE | re.DOTALL,
)
_LED_BY = re.compile(r"^((?:for|by|in) (?:each|every) [^,]+),\s+(.*)$", re.IGNORECASE | re.DOTALL)
_FILLING = r"(?:(?:please|show|give|tell|list|compare|what|which|is|are|was|were|me|us|the|our|their|its)\s+)*"
_FIGURE = re.compile(
    rf"^{_FILLING}(?:(?:number|count|sum) of|how (?:many|much)|total|average|avg|mean|median|"
    r"(?:[\w-]+\s+){0,3}(?:rate|cycle|size|revenue|pipeline|coverage|attainment|amount|value|length)s?$)\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(
    rf"^{_FILLING}(total|average|avg|mean|median|sum of)\s+(?:the\s+)?(amount|value|revenue)s?$", re.IGNORECASE
)
_COUNTED = re.compile(rf"^{_FILLING}(?:(?:number|count) of|how many)\s+(.+)$", re.IGNORECASE)
MOST = 4
"""So many figures are put side by side."""


def figures_asked(text: str) -> tuple[str, ...]:
    """A question for each of several figures, with what is said of all of them; empty where there is but one.

    "number of won deals and total amount by owner" gives "number of won deals by owner" and "total amount of won deals
    by owner": the amount is that of what is counted beside it.
    """
    asked = text.strip().rstrip("?.! ")
    if led := _LED_BY.match(asked):
        asked = f"{led[2]} {led[1]}"
    before, _, behind = asked.lower().rpartition(" and ")
    if not before:
        return ()
    behind = asked[-len(behind) :]
    tail = found.group() if (found := _TAIL.search(behind)) else ""
    head = asked[: len(asked) - len(tail)]
    parts = [part.strip() for part in _AND.split(head) if part.strip()]
    if not 2 <= len(parts) <= MOST or not all(_FIGURE.match(part) for part in parts):
        return ()
    things = next((found[1] for part in parts if (found := _COUNTED.match(part))), "")
    return tuple(f"{_of_things(part, things)}{tail}" for part in parts)


def _of_things(part: str, things: str) -> str:
    plain = _OF_THEM.match(part)
    return f"{plain[1]} {plain[2]} of {things}" if plain and things else part
