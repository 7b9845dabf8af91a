"""How people word a follow-up that changes the answer before by a whole sentence: patterns over its folded text."""

from __future__ import annotations

import re

LEAD = r"(?:(?:and|now|but|then|ok|okay|please|also|so)[, ]+)*"
PLACES = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "next": None}
PLACE = re.compile(
    rf"{LEAD}(?:(?:who|which|what)(?: one)? (?:is|was|comes|came) )?(?:the |in )?(?P<place>{'|'.join(PLACES)})(?: one)?"
    r"(?: place)?(?: best| highest| largest)?"
)
ONWARD = re.compile(
    rf"{LEAD}(?:(?:show|give|list|see|what are|who are) )?(?:me )?(?:the )?(?:(?:next|following)"
    r"(?: ones| (?P<next>\w+)(?: (?!(?:day|week|month|quarter|year)s?\b)\w+)?)|(?:(?P<more>\w+) )?more)"
)
"""The places behind those that a ranking shows: "and the next 5?", "the next ones", "3 more"."""
WHY = re.compile(rf"{LEAD}why(?: (?:is|was|did|does|has) (?:that|it|this)(?: .{{0,40}})?| so| that)?")
COMPARE = re.compile(
    rf"{LEAD}(?:how does (?:it|that|this) )?(?:compare[ds]?|versus|vs\.?)(?: (?:it|that|this|them|these|those))?"
    r"(?: (?:with|to|against))?(?: the)?(?: same)? (?P<what>.+)"
)
BOLD = re.compile(r"\*\*(.+?)\*\*")
GROWTH = re.compile(
    rf"{LEAD}(?:(?:what(?:'s| is| was)|how (?:much|big|large) (?:is|was)|show|give me) )?(?:the |that (?:is )?a )?"
    r"(?:growth(?: rate)?|change|increase|decrease|difference)(?: (?:in|as)(?: a)? ?(?:%|percent|per cent|percentage))?"
)
BEFORE = re.compile(
    r"(?:(?:the )?(?:last|previous|prior|preceding|past) (?P<unit>year|quarter|month|period)|(?:the )?"
    r"(?P<named>year|quarter|month|period) (?:before|earlier)|(?:period |time )?(?:of )?(?:a )?year ago|"
    r"(?:same )?(?:period|time|quarter|month) (?:of )?last (?P<same>year)|(?P<year>(?:19|20)\d\d))"
)
_BEFORE_IT = BEFORE.fullmatch("the period before")
assert _BEFORE_IT is not None
BEFORE_IT = _BEFORE_IT
"""What a figure is held against where nothing is named."""
