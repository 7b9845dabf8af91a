"""How people word a follow-up that changes the answer before: patterns over the folded text of the question."""

from __future__ import annotations

import re

from apps.analyst.plan import AggregateName
from apps.analyst.types import ChartType

LEAD = r"(?:(?:and|now|but|then|ok|okay|please|also|so)[, ]+)*"
MARKS: dict[str, ChartType] = {
    "pie": "pie", "bar": "bar", "column": "bar", "line": "line", "doughnut": "doughnut", "donut": "doughnut",
    "scatter": "scatter", "radar": "radar", "polar area": "polarArea",
}  # fmt: skip
CHART = re.compile(
    rf"{LEAD}(?:(?:show|draw|plot|make|turn|give) (?:it|that|this|them|me) ?)?(?:as|in|into|using|use)? ?(?:an? )?"
    rf"(?P<mark>{'|'.join(MARKS)})(?: (?:chart|graph|plot))?(?: instead| please)?"
)
TABLE = re.compile(
    rf"{LEAD}(?:(?:show|give) (?:it|that|this|me) ?)?(?:as|in) (?:an? )?(?:plain )?(?:table|list)(?: please)?"
)
PLACES = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "next": None}
PLACE = re.compile(
    rf"{LEAD}(?:(?:who|which|what)(?: one)? (?:is|was|comes|came) )?(?:the |in )?(?P<place>{'|'.join(PLACES)})(?: one)?"
    r"(?: place)?(?: best| highest| largest)?"
)
WHY = re.compile(rf"{LEAD}why(?: (?:is|was|did|does|has) (?:that|it|this)(?: .{{0,40}})?| so| that)?")
COMPARE = re.compile(
    rf"{LEAD}(?:how does (?:it|that|this) )?(?:compare[ds]?|versus|vs\.?)(?: (?:it|that|this|them))?"
    r"(?: (?:with|to|against))?(?: the)?(?: same)? (?P<what>.+)"
)
TOP = re.compile(
    rf"{LEAD}(?:only |just |show )?(?:the )?(?P<end>top|first|best|highest|largest|bottom|worst|lowest|smallest) "
    r"(?P<count>\d{1,4}|two|three|four|five|six|seven|eight|nine|ten)(?: only)?"
)
NUMBERS = {
    word: n for n, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2)
}
BY = re.compile(
    rf"(?P<lead>{LEAD})(?:(?:broken down|split|grouped?|break (?:it|that) down|show (?:it|that)) )?(?:it |that )?"
    r"(?:by|per|for each|for every) (?:the )?(?P<what>.+?)(?P<instead> instead)?"
)
WITHOUT = re.compile(
    rf"{LEAD}(?:without|excluding|exclude|except|leave out|remove|not)(?: for| in)?(?: the)? (?P<what>.+)"
)
ONLY = re.compile(
    rf"{LEAD}(?:only|just|limit (?:it|that) to|restrict (?:it|that) to|filter (?:it |that )?(?:to|by|for|on)|"
    r"what about|how about|same for|the same for|for|in)(?: only| just)?(?: for| in| with| by| from)?(?: the)? "
    r"(?P<what>.+?)(?: only)?(?: instead)?"
)
AND = re.compile(r"and (?:for |in )?(?:the )?(?P<what>.+)")
FIGURE = re.compile(
    rf"{LEAD}(?:(?:what about|how about|show(?: me)?|take|use) )?(?:the )?"
    r"(?P<fn>average|mean|median|total|sum|minimum|maximum|smallest|largest)(?: instead)?"
)
SORT = re.compile(
    rf"{LEAD}(?:sort(?:ed)?|order(?:ed)?)(?: (?:it|that|this|them))? by (?:the )?"
    r"(?P<what>.+?)(?:,? (?P<way>asc\w*|desc\w*))?"
)
FUNCTIONS: dict[str, AggregateName] = {
    "average": "avg", "mean": "avg", "median": "median", "total": "sum", "sum": "sum", "minimum": "min",
    "smallest": "min", "maximum": "max", "largest": "max",
}  # fmt: skip
BEFORE = re.compile(
    r"(?:(?:the )?(?:last|previous|prior|preceding|past) (?P<unit>year|quarter|month|period)|(?:the )?"
    r"(?P<named>year|quarter|month|period) (?:before|earlier)|(?:period |time )?(?:of )?(?:a )?year ago|"
    r"(?:same )?(?:period|time|quarter|month) (?:of )?last (?P<same>year)|(?P<year>(?:19|20)\d\d))"
)
