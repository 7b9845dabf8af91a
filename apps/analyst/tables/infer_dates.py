"""Decides whether a column holds dates or moments, and in which order day and month stand."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from apps.analyst.tables import dates
from apps.analyst.tables.names import says_code, says_date
from apps.analyst.tables.plans import ColumnPlan, FileHints, tolerated
from apps.analyst.tables.words import MISSING_AMONG_VALUES


def date_plan(filled: Mapping[str, int], name: str, hints: FileHints) -> ColumnPlan | None:
    total = sum(filled.values())
    first = next(iter(filled))
    if len(filled) > 50 and dates.take_apart(first) is None and not says_date(name):
        probe = sum(1 for text in list(filled)[:50] if dates.take_apart(text) is not None)
        if probe < 25:
            return None
    shapes = {text: shape for text in filled if (shape := dates.take_apart(text)) is not None}
    readable = sum(filled[text] for text in shapes)
    if not shapes or not tolerated(readable, total, share=0.95 if says_date(name) else 0.98):
        return None
    months = sum(1 for shape in shapes.values() if shape.month_only)
    if months and (months != len(shapes) or _seasons(shapes)):
        return None
    order, notes, evidence = _day_order(shapes, filled, hints)
    if order is None:
        return None
    moments = {text: dates.moment(shape, order) for text, shape in shapes.items()}
    if not tolerated(sum(filled[text] for text, value in moments.items() if value), total, share=0.95):
        return None
    keep_time = any(
        value is not None and (value.hour or value.minute or value.second or value.microsecond)
        for value in moments.values()
    )
    if any(shape.offset for shape in shapes.values()):
        notes.append("times with a zone were stored in UTC")
    style = dates.DateStyle(order=order, keep_time=keep_time)
    iso = all(not shape.ambiguous and shape.separator == "-" and shape.offset is None for shape in shapes.values())
    if months:
        notes.append("months were read as their first day")
    return ColumnPlan(
        "datetime" if keep_time else "date",
        style.read,
        unit="month" if months else None,
        missing_words=MISSING_AMONG_VALUES,
        date_style=style,
        notes=tuple(notes),
        evidence=evidence,
        native=iso,
        date_format=_one_format(shapes, order),
    )


def _one_format(shapes: Mapping[str, dates.DateShape], order: dates.DateOrder) -> str | None:
    """The format of all dates where they are written with one mark, a year of four digits, and no time."""
    marks = {shape.separator for shape in shapes.values()}
    alike = len(marks) == 1 and all(
        shape.ambiguous and shape.time is None and text[-4:].isdigit() for text, shape in shapes.items()
    )
    if not alike:
        return None
    return marks.pop().join(("%d", "%m", "%Y") if order == "dmy" else ("%m", "%d", "%Y"))


def _seasons(shapes: Mapping[str, dates.DateShape]) -> bool:
    """Whether "2010-11" style values are seasons (2010 to 2011), not months."""
    numeric = [shape for text, shape in shapes.items() if text[:4].isdigit()]
    return bool(numeric) and all(shape.first == (shape.year + 1) % 100 for shape in numeric)


def _day_order(
    shapes: Mapping[str, dates.DateShape], counts: Mapping[str, int], hints: FileHints
) -> tuple[dates.DateOrder | None, list[str], str]:
    """The order of day and month for a whole column, what to tell about it, and the evidence for other columns."""
    open_shapes = {text: shape for text, shape in shapes.items() if shape.ambiguous}
    if not open_shapes:
        return "mdy", [], ""
    day_first = sum(counts[text] for text, shape in open_shapes.items() if shape.first > 12)
    month_first = sum(counts[text] for text, shape in open_shapes.items() if shape.second > 12)
    if any(shape.first > 31 or shape.second > 31 for shape in open_shapes.values()):
        return None, [], ""
    if day_first and month_first:
        order: dates.DateOrder = "dmy" if day_first >= month_first else "mdy"
        words = "day before month" if order == "dmy" else "month before day"
        return order, [f"dates mix both orders of day and month; where either fits, read as {words}"], ""
    if day_first:
        return "dmy", [], "dmy"
    if month_first:
        return "mdy", [], "mdy"
    guess = _order_by_sorting(list(open_shapes.values()))
    if guess is None and hints.day_first is not None:
        return "dmy" if hints.day_first else "mdy", ["read in the order of day and month of the other date columns"], ""
    if guess is None:
        dotted = all(shape.separator == "." for shape in open_shapes.values())
        guess = "dmy" if dotted or hints.decimal_comma else "mdy"
        if dotted:
            return guess, [], ""
    if all(shape.first == shape.second for shape in open_shapes.values()):
        return guess, [], ""
    words = "day before month" if guess == "dmy" else "month before day"
    return guess, [f"the order of day and month is ambiguous; read as {words}"], ""


def _order_by_sorting(shapes: list[dates.DateShape]) -> dates.DateOrder | None:
    """The order under which the cells stand sorted, if only one does."""
    if len(shapes) < 4:
        return None

    def is_sorted(order: dates.DateOrder) -> bool:
        moments = [value for shape in shapes if (value := dates.moment(shape, order)) is not None]
        steps = list(pairwise(moments))
        return all(a <= b for a, b in steps) or all(a >= b for a, b in steps)

    us, eu = is_sorted("mdy"), is_sorted("dmy")
    if us == eu:
        return None
    return "mdy" if us else "dmy"


def date_number(filled: Mapping[str, int], texts: list[str], name: str, workbook: bool) -> ColumnPlan | None:
    """A date plan for whole numbers that are dates (20101229) or seconds since 1970 under a name that says so."""
    total = sum(filled.values())
    compact = sum(filled[text] for text in texts if dates.COMPACT.fullmatch(text))
    named = says_date(name)
    if (named and compact >= 0.9 * total) or (compact == total and len(texts) >= 5 and not says_code(name)):
        style = dates.DateStyle(compact=True)
        return ColumnPlan(
            "date",
            style.read,
            missing_words=MISSING_AMONG_VALUES,
            date_style=style,
            notes=("whole numbers such as 20101229 were read as dates",),
        )
    if not named:
        return None
    if workbook and all(len(text) == 5 and 20_000 <= int(text) <= 70_000 for text in texts):
        style = dates.DateStyle(day_number=True)
        return ColumnPlan(
            "date",
            style.read,
            missing_words=MISSING_AMONG_VALUES,
            date_style=style,
            notes=("the spreadsheet's day numbers were read as dates",),
        )
    for length, unit in ((13, "ms"), (10, "s")):
        if all(len(text) == length for text in texts):
            style = dates.DateStyle(keep_time=True, epoch="ms" if unit == "ms" else "s")
            return ColumnPlan(
                "datetime",
                style.read,
                missing_words=MISSING_AMONG_VALUES,
                date_style=style,
                notes=(f"read as moments counted in {'milliseconds' if unit == 'ms' else 'seconds'} since 1970 (UTC)",),
            )
    return None
