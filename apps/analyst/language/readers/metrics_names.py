"""Which figure a sales question names, of which table, and which rows by their age."""

from __future__ import annotations

import re

from apps.analyst.language.readers.metrics_line import Line
from apps.analyst.language.readers.metrics_parts import DOWN, NOUNS, REVENUE, ROLE_WORDS, UP, Ask


def read_ages(line: Line, ask: Ask) -> None:
    days = {"day": 1, "week": 7, "month": 30, "year": 365}
    old = line.take(
        r"(?:more than|over|older than|at least|longer than) (\d+) (day|week|month|year)s?(?: ago| old)?(?= ~|$)|"
        r"(?:older than) (\d+) (day|week|month|year)s?"
    )
    if old:
        number, unit = (old[1], old[2]) if old[1] else (old[3], old[4])
        ask.older = int(number) * days[unit]
    quiet = line.take(
        r"(?:(?:with|that have|having|have|had|has) )?(?:no|without(?: any)?) (?:recent )?(?:activity|activities|"
        r"contact|touch|engagement)"
        r"(?: (?:in|for|over|since|during|within)(?: the)?(?: last| past)?(?: more than| over| at least)? (\d+) "
        r"(day|week|month)s?)?"
    )
    if quiet:
        ask.silent = int(quiet[1]) * days[quiet[2]] if quiet[1] else 30
        if not quiet[1]:
            ask.assumed.append("No recent activity: none in the last 30 days")
    later = line.take(
        r"(?:(?:that |which )?(?:have |has |had |are |is |were )?(?:slipped |moved |gone |pushed |delayed )?)?(?:past|"
        r"beyond|after|behind|later than) (?:their|its|the|our) (?:original(?:ly)?|planned|initial|first|scheduled)"
        r"(?: expected| planned)? clos(?:e|ing) dates?"
    )
    if later:
        ask.states += ("later than planned",)
    past = line.take(
        r"(?:(?:with|have|has|had|having|whose) )?(?:(?:a|an|the|their) )?(?:expected )?close dates?(?: is| are| "
        r"lies| lie| has| have| that is)?"
        r"(?: already)? (?:in the past|passed|gone by|overdue)|past (?:their|its|the) (?:expected )?close dates?|"
        r"overdue|past due|"
        r"slipped|slipping|slippage|slip"
    )
    if past:
        ask.states += ("open", "overdue")
    if line.take(r"at(?: -)? risk|at ~ risk|endangered"):
        ask.states += ("open", "risk")
    if line.take(r"stale|stalled|inactive|neglected|going cold|gone quiet|silent"):
        ask.states += ("open",)
        ask.silent = ask.silent or 30
        ask.assumed.append(f"Stale: no activity for {ask.silent} days or more")


_SHARE = r"(?:share|percentages?|percent|per cent|proportion|fraction)"
_DEALS = r"(?:(?:all|the|our|closed|decided) )*(?:deals|opportunities)"
_HELP = r"(?: (?:we|do|did|have|has|are|were|was|is|been|get|got))*"
_METRICS = (
    (
        "stage conversion",
        r"stage (?:to stage )?conversions?(?: rates?)?|conversions? (?:rates? )?(?:by|between|"
        r"per|of) stages?",
    ),
    (
        "time in stage",
        r"(?:time|days|long)(?: spent)? in(?: each| every| the)? stages?|stay(?:ed|s)? in(?: each| "
        r"every| the| a)? stages?",
    ),
    (
        "win rate by value",
        r"(?:value based|value weighted|amount based) (?:win|close) rate|(?:win|close) rate by "
        r"(?:value|amount)",
    ),
    (
        "win rate",
        r"(?:win|close|closing|winning|success) (?:rates?|ratios?|percentages?)|"
        rf"{_SHARE} (?:of )?{_DEALS}(?: that| which)?{_HELP} (?:win|won|winning)|won {_SHARE}|"
        rf"how often(?: do| did)? we win(?: {_DEALS})?|"
        r"(?:deal |opportunity )?conversion rates?",
    ),
    ("weighted pipeline", r"weighted (?:pipeline|amount|value|forecast)(?: amount| value)?|(?:sales )?forecast"),
    ("coverage", r"pipeline coverage(?: ratio)?|coverage(?: ratio)?"),
    (
        "sales cycle",
        r"(?:number of )?days (?:from|between) creat\w+(?: date)? (?:to|and|until) clos\w+(?: date)?|"
        r"sales cycles?(?: length| time)?|"
        r"cycle (?:length|time)|(?:deal )?time to (?:close|win)|(?:long )?(?:does it |do we "
        r")?(?:take|need) to (?:close|win)(?: a)?|deal velocity|length of (?:the |our )?sales cycles?",
    ),
    (
        "gap",
        r"gap to (?:the |our )?(?:target|quota|goal)s?|(?:missing|left|remaining|short|lacking|to go)(?: to| "
        r"until| of| from| for)(?: the| our)? (?:target|quota|goal)s?|"
        r"(?:target|quota) gap",
    ),
    (
        "attainment",
        r"(?:(?:target|quota|goal) )?(?:attainment|achievement)(?: rates?)?(?: of (?:the |our "
        r")?(?:target|quota)s?)?|"
        r"(?:how )?(?:close|near) (?:are we )?to (?:the |our )?(?:target|quota)",
    ),
    (
        "below",
        r"(?:below|under|behind|short of|missed|missing|did not (?:reach|meet|hit))(?: their| the| its| "
        r"our)? (?:targets?|quotas?)",
    ),
    (
        "above",
        r"(?:above|over|ahead of|beat|hit|reached|met|exceeded|made)(?: their| the| its| our)? (?:targets?|"
        r"quotas?)",
    ),
    (
        "won against target",
        r"(?:compared? (?:with|to)|against|versus|vs|relative to|over)(?: the| our| their)? "
        r"(?:targets?|quotas?|goals?|plan)",
    ),
    ("churn rate", r"(?:customer |logo )?churn rates?"),
    ("retention", r"(?:customer |logo )?retention(?: rates?)?"),
)


def read_metric(line: Line, ask: Ask) -> None:
    for name, pattern in _METRICS:
        if line.take(pattern):
            ask.metric = name
            break
    if ask.metric in ("below", "above"):
        ask.below = ask.metric == "below"
        ask.metric = f"{ask.metric} target"


def kind_of(line: Line, ask: Ask) -> str:
    if ask.metric in ("churn rate", "retention") or line.has(
        r"churn(?:ed|s|ing)?|former customers?|lost customers?|customers? (?:left|lost)|lose customers?"
    ):
        return "companies"
    if line.has(
        r"(?:how many|number of)(?: new| active| current| existing)* (?:customers|clients)|new (?:customers|clients)"
    ) and not line.has(NOUNS["deals"]):
        return "companies"
    if ask.metric or (line.has(REVENUE) and not line.has(r"annual revenues?|annual recurring revenues?")):
        return "deals"
    for kind, more in (
        ("meetings", r"meet|met"),
        ("emails", r"write to|wrote to|written to"),
        ("tickets", "-"),
        ("contacts", "-"),
    ):
        if line.has(f"{NOUNS[kind]}|{more}"):
            return kind
    if line.has(rf"{NOUNS['deals']}|pipeline|wins?|won|lost|open amount"):
        return "deals"
    return "targets" if line.has(NOUNS["targets"]) else ""


def asks_for_rows(line: Line, ask: Ask) -> bool:
    """True where the rows themselves are asked for: "which deals", "our 10 largest open deals"."""
    adjectives = (
        rf"(?:{DOWN}|{UP}|\d+|~+|open|won|lost|closed|churned|new|recent|urgent|all|the|our|my|of|still|stale|~)"
    )
    found = line.sees(
        rf"(?:which|what (?:are|were|is|was)|list|show(?: me| us)?|give (?:me|us)|who (?:are|were)|name|see|"
        rf"find) (?:{adjectives} )*(?:{NOUNS[ask.kind]})(?! (?:{'|'.join(ROLE_WORDS.values())})(?!\S))"
    )
    if found is None and ask.kind == "deals":
        ranked = rf"^(?:(?:the|our|my) )?(?!most|fewest|least)(?:{DOWN}|{UP})(?: \d+)? "
        found = line.sees(rf"{ranked}(?:{adjectives} )*(?:{NOUNS['deals']})")
    ask.many = found is not None and found.group().endswith("s")
    return found is not None and not line.has(r"how many|(?:total )?number of (?!employees)|average|median|total|share")


def lists_rows(line: Line, ask: Ask) -> bool:
    """True for a bare noun with its conditions: "open deals in Germany", "deals over 50,000"."""
    told = ask.values or ask.bounds or ask.missing or ask.states or ask.periods or ask.older or ask.silent
    nouns = rf"(?:{NOUNS[ask.kind]})"
    found = re.match(
        rf"(?:(?:all|the|our|my|open|won|lost|closed|new|overdue|stale|urgent) )*({nouns})(?!\S)", line.whole
    )
    return bool(told) and found is not None and found[1].endswith("s")


def ranks_rows_within(line: Line, ask: Ask) -> bool:
    """True where rows are ranked inside each of some groups: "top 3 deals per owner", "biggest deal of each stage"."""
    adjectives = rf"(?:{DOWN}|{UP}|open|won|lost|closed|new)"
    return ask.kind == "deals" and line.has(
        rf"(?:{DOWN}|{UP})(?: \d+)? (?:{adjectives} )*(?:{NOUNS['deals']}) "
        r"(?:[^?]* )?(?:per|for each|for every|of each|of every|in each|in every|within each|by)"
    )
