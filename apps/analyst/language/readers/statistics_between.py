"""Statistics between columns: correlation, influence, groups, regression."""

from __future__ import annotations

import re

from apps.analyst.language.readers.statistics_asked import LIKELY, NAMED, SURE, Asked, Options, numbers_in, says
from apps.analyst.language.readers.statistics_mentions import MARK, Masked
from apps.analyst.language.readers.statistics_setting import group_test, method_of
from apps.analyst.language.reading import ChartWish


def influence(masked: Masked) -> Asked | None:
    """ "Which factors, such as 'a' or 'b', influence 'c'?" The factors stand before the verb, the target after it."""
    said = says(masked, r"\bfactors?\b")
    verb = says(masked, r"\b(?:influenc|impact|affect|contribut|driv|explain|determin)\w*\b(?!\s+factor)")
    if said is None or verb is None:
        return None
    factors = masked.columns(masked.masked[said.start() : verb.start()])
    target = next(iter(numbers_in(masked, masked.masked[verb.end() :])), None)
    if target is None:
        return None
    every = tuple(
        c.name for c in masked.table.columns if c.type in ("integer", "decimal", "float") and c.name != target
    )
    causes = tuple(name for name in factors if name != target) or every
    top = re.search(r"\btop\s*-?\s*(\d+|two|three)\b", masked.masked, re.IGNORECASE)
    count = {"two": 2, "three": 3}.get(top.group(1).casefold()) or int(top.group(1)) if top else None
    if count is None and re.search(
        r"\b(?:main|key|biggest|most important|strongest)\s+factor\b|\bimpacts?\s+most\b|\bmost\b[^.]*\bimpact",
        masked.masked,
        re.IGNORECASE,
    ):
        count = 1
    options: Options = {"show": "factors", "top": count, "threshold": 0.0 if top else 0.5}
    return Asked("influence", (target, *causes), options, SURE)


def direction(masked: Masked) -> Asked | None:
    """ "How does a impact b?": the direction in which b goes with a."""
    said = says(masked, r"\b(?:impact|influence|effect|affect)s?\b")
    if said is None or says(masked, r"\bfactors?\b"):
        return None
    columns = numbers_in(masked)
    if len(columns) < 2:
        return None
    if re.search(r"\b(?:impact|influence|effect)\s+of\b", masked.masked, re.IGNORECASE):
        cause, effect, outright = columns[0], columns[1], False
    else:
        after = numbers_in(masked, masked.masked[said.end() :])
        before = numbers_in(masked, masked.masked[: said.start()])
        outright = bool(before and after and re.match(r"\s*how\b", masked.masked, re.IGNORECASE))
        cause = before[0] if before else columns[0]
        effect = next((name for name in after if name != cause), columns[1])
    chart = ChartWish(mark="scatter", x=cause, y=effect)
    return Asked("direction", (cause, effect), {"show": "impact"}, SURE if outright else LIKELY, chart)


def correlation(masked: Masked) -> Asked | None:
    if not says(
        masked,
        r"\bcorrelat|\brelationship\b|\bassociat(?:ed|ion)\b|\brelated to\b|\bgo(?:es)? (?:up|along) with\b|\bdepend",
    ):
        return None
    method = method_of(masked.text)
    columns = numbers_in(masked)
    which = says(
        masked,
        r"\b(?:which|what)\b[^.?]*\b(?:correlat|related)\w*\b[^.?]*\b(?:most|strongest|highest|best)"
        r"|\bstrongest\b[^.?]*\bcorrelat"
        r"|\bmost\b[^.?]*\bcorrelat",
    )
    if which and len(columns) == 1:
        every = tuple(
            c.name for c in masked.table.columns if c.type in ("integer", "decimal", "float") and c.name != columns[0]
        )
        return (
            Asked("influence", (columns[0], *every), {"show": "strongest=column,r", "method": method, "top": 1}, SURE)
            if every
            else None
        )
    if says(masked, r"\bcorrelation matrix\b|\ball (?:the )?(?:numeric(?:al)? )?(?:columns|variables|measures)\b"):
        every = (
            columns
            if len(columns) > 2
            else tuple(c.name for c in masked.table.columns if c.type in ("integer", "decimal", "float"))
        )
        return Asked("correlation_matrix", every, {"method": method}, SURE) if len(every) > 1 else None
    between = re.split(r"\bbetween\b", masked.masked, maxsplit=1, flags=re.IGNORECASE)
    pair = numbers_in(masked, between[-1]) if len(between) > 1 else columns
    pair = pair if len(pair) >= 2 else columns
    if len(pair) < 2:
        return None
    strength = (
        r"\bcoefficient\b|\bsignificant|\bstrong(?:ly)?\b|\bstrength\b|^\W*(?:is|are|does|do)\b"
        r"|^\W*(?:(?:what(?:'s| is| was)|how is|calculate|compute|find|give me) )?(?:the |any )?correlations?\b"
    )
    named = bool(says(masked, r"\bcorrelat"))
    chart = ChartWish(mark="scatter", x=pair[0], y=pair[1])
    options: Options = {
        "method": method if method != "pearson" else None,
        "show": "strength=relationship,r=correlation coefficient",
    }
    return Asked(
        "correlation", pair[:2], options, (SURE if says(masked, strength) else NAMED) if named else LIKELY, chart
    )


def groups(masked: Masked) -> Asked | None:
    """ "Is there a significant difference in a between the groups of b?" """
    test = group_test(masked.text)
    if test is None and not says(masked, r"\bsignificant(?:ly)?\s+differen|\bdiffer(?:s)?\s+significantly"):
        return None
    value = next((name for name in numbers_in(masked) if masked.numeric(name)), None)
    group = next(
        (
            name
            for name in masked.columns(masked.masked)
            if name != value
            and (info := masked.info(name)) is not None
            and (info.type in ("text", "boolean") or info.distinct <= 20)
        ),
        None,
    )
    if value is None or group is None:
        return None
    return Asked("group_difference", (value, group), {"test": test}, SURE)


def independence(masked: Masked) -> Asked | None:
    if not says(masked, r"\bchi[\s-]?square|\bindependen(?:t|ce)\b"):
        return None
    columns = masked.columns(masked.masked)
    return Asked("independence", columns[:2], {}, SURE) if len(columns) >= 2 else None


def regression(masked: Masked) -> Asked | None:
    if not says(
        masked,
        r"\bregress|\bstraight line\b|\bline of best fit\b|\bslope\b|\bpredict\w*\b[^.?]*\b(?:from|based on"
        r"|using|given)\b",
    ):
        return None
    columns = numbers_in(masked)
    if len(columns) < 2:
        return None
    target, causes = columns[0], columns[1:]
    against = re.search(rf"{MARK}\s+(?:against|on|from|by|based on|using)\s+(?:the\s+)?{MARK}", masked.masked)
    if against:
        target, causes = masked.column(against.group(1)), (masked.column(against.group(2)),)
    elif re.search(r"\bbetween\b", masked.masked):
        causes, target = columns[:1], columns[1]
    elif (
        for_target := re.search(rf"\b(?:predict|explain|estimate)\w*\s+(?:the\s+)?{MARK}", masked.masked)
    ) is not None:
        target = masked.column(for_target.group(1))
        causes = tuple(name for name in columns if name != target)
    at = re.search(rf"{MARK}\s+(?:is|of|=|equals?|at)\s+(-?\d[\d,]*(?:\.\d+)?)", masked.masked)
    options: Options = {"at": float(at.group(2).replace(",", "")) if at and len(causes) == 1 else None}
    if options["at"] is not None:
        options["show"] = "prediction"
    return Asked("regression", (*causes, target), options, LIKELY, ChartWish(mark="scatter", x=causes[0], y=target))


def covariance(masked: Masked) -> Asked | None:
    columns = numbers_in(masked)
    if not says(masked, r"\bcovarian") or len(columns) < 2:
        return None
    return Asked("covariance", columns[:2], {}, SURE)
