"""What a brief says to do with the table before figures are taken: fill, drop, remove outliers, rescale, classify."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from apps.analyst.computing.statistics.formulas import Col, Fn
from apps.analyst.computing.statistics.steps import (
    AnyStep,
    Classify,
    Derive,
    DropDuplicates,
    DropMissing,
    Encode,
    Fill,
    FillMissing,
    Outliers,
    Scale,
)
from apps.analyst.language.readers.statistics_formula import NewColumn
from apps.analyst.language.readers.statistics_mentions import MARK, Masked

Method = Literal["iqr", "zscore"]
_DENIED = re.compile(
    r"\b(?:do not|don't|without|no need to|never|not)\s+(?:\w+\s+)?(?:remov|exclud|drop|consider|modif|fill"
    r"|imput|delet)",
    re.IGNORECASE,
)
_GAPS = re.compile(r"\b(?:missing|nulls?|nan|empty|na)\b", re.IGNORECASE)
_FILLING = re.compile(r"\b(?:fill\w*|imput\w*|replac\w*|substitut\w*)\b", re.IGNORECASE)
_DROPPING = re.compile(r"\b(?:remov\w*|drop\w*|delet\w*|discard\w*|exclud\w*|listwise)\b", re.IGNORECASE)
_CLEARING = re.compile(
    r"\b(?:remov\w*|drop\w*|exclud\w*|prun\w*|eliminat\w*|delet\w*|discard\w*)\b(?:(?![.;]\s).){0,90}?\boutliers?\b"
    r"|\boutliers?\b(?:(?![.;]\s).){0,60}?\b(?:remov\w*|dropped|excluded|pruned|eliminated|deleted|discarded)\b"
    r"|\bwithout\s+(?:the\s+)?outliers\b|\bidentify\b[^.]{0,60}\boutliers\b[^.]{0,20}\band\s+remove\s+them",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A step and where in the masked text it is said."""

    step: AnyStep
    place: int


def read_steps(masked: Masked, new: NewColumn | None, focus: tuple[str, ...]) -> tuple[Placed, ...]:
    """The steps in the order of the text. `focus` are the columns that the figures are about."""
    found: list[Placed] = []
    for start, sentence in sentences(masked.masked):
        if _DENIED.search(sentence):
            continue
        found += [Placed(step, start) for step in _of_sentence(sentence, masked, focus)]
    found += _outliers(masked, focus)
    if new is not None:
        found.append(Placed(Derive(name=new.name, formula=new.formula), new.place))
    found.sort(key=lambda placed: placed.place)
    unique: dict[str, Placed] = {}
    for placed in found:
        unique.setdefault(_sameness(placed.step), placed)
    return tuple(unique.values())


def _sameness(step: AnyStep) -> str:
    """Two ways of saying one step are one step: the first column set stands for fills and outliers of one column."""
    match step:
        case FillMissing(columns=columns, by=by, per=per):
            return f"fill {columns[:1]} {by} {per}"
        case Outliers(column=column):
            return f"outliers {column}"
        case _:
            return step.model_dump_json()


def sentences(text: str) -> list[tuple[int, str]]:
    """The sentences of a text with where each begins; decimals do not end one."""
    found = []
    position = 0
    for match in re.finditer(r"(?<=[^\s\d])[.;]\s+|(?<=\d)\.\s+(?=[A-Z⟨])|\n+", text):
        found.append((position, text[position : match.start()]))
        position = match.end()
    found.append((position, text[position:]))
    return [(start, sentence) for start, sentence in found if sentence.strip()]


def _of_sentence(sentence: str, masked: Masked, focus: tuple[str, ...]) -> list[AnyStep]:
    """The steps that one sentence tells."""
    found: list[AnyStep] = []
    named = masked.columns(sentence)
    if re.search(r"\bduplicate", sentence, re.IGNORECASE) and re.search(
        r"\b(?:remov|drop|clean|delet|ensure|eliminat)", sentence, re.IGNORECASE
    ):
        found.append(DropDuplicates())
    if _GAPS.search(sentence) and _FILLING.search(sentence):
        found += _fills(sentence, masked, focus)
    elif _GAPS.search(sentence) and _DROPPING.search(sentence) and not re.search(r"outlier", sentence, re.IGNORECASE):
        own = tuple(name for name in focus if masked.info(name) is not None)
        found += [DropMissing(columns=named or own)]
    found += _scales(sentence, masked, named, focus)
    return found


def _fills(sentence: str, masked: Masked, focus: tuple[str, ...]) -> list[AnyStep]:
    """Fills: for each column named, the next "with ..." after it; without columns, all that the figures are about."""
    per = re.search(
        rf"\b(?:of|within|for)\s+(?:the\s+|each\s+)?(?:same|respective|each)\s+{MARK}|\bper\s+{MARK}|\bby\s+{MARK}",
        sentence,
    )
    group = masked.column(next(g for g in per.groups() if g)) if per else None
    ways = [(m.start(), by, value) for m in _WITH.finditer(sentence) for by, value in [_way(m)]]
    if not ways:
        return []
    columns = [(m.start(), masked.column(m.group(1))) for m in re.finditer(MARK, sentence)]
    columns = [(place, name) for place, name in columns if name != group]
    if not columns or re.search(r"\brespective\b|\ball\s+columns\b|\bany of the columns\b", sentence):
        by, value = ways[0][1:]
        own = tuple(name for name in focus if masked.info(name) is not None)
        return [FillMissing(columns=own, by=by, value=value, per=group)] if own else []
    steps: list[AnyStep] = []
    for place, name in columns:
        after = next((way for way in ways if way[0] >= place), ways[-1])
        step = FillMissing(columns=(name,), by=after[1], value=after[2], per=group)
        if step not in steps and not any(isinstance(s, FillMissing) and s.columns == (name,) for s in steps):
            steps.append(step)
    return steps


_WITH = re.compile(
    r"\b(?:with|by|using|to)\s+(?:the\s+|their\s+|its\s+|an?\s+|this\s+|that\s+)*(?:respective\s+|overall\s+"
    r"|column(?:'s)?\s+)*"
    r"(?P<word>mean|average|median|mode|most frequent|most common|zeros?|forward[\s-]fill\w*"
    r"|backward[\s-]fill\w*|previous|next)\b"
    r"|\b(?:with|by|to|using)\s+(?:the value\s+)?(?:[\"“'](?P<text>[^\"”'\n]{1,40})[\"”']|(?P<number>-?\d+(?:\.\d+)?))"
    r"|\b(?P<noun>mean|median|mode)\s+imputation\b",
    re.IGNORECASE,
)


def _way(match: re.Match[str]) -> tuple[Fill, str | float | None]:
    """How a gap is filled, and the value where it is a fixed one."""
    if match.group("text"):
        return "value", match.group("text")
    if match.group("number"):
        return "value", float(match.group("number"))
    word = (match.group("word") or match.group("noun") or "").casefold()
    if word.startswith("zero"):
        return "value", 0.0
    if word.startswith(("forward", "previous")):
        return "forward", None
    if word.startswith(("backward", "next")):
        return "backward", None
    if word.startswith("most") or word == "mode":
        return "mode", None
    return ("median" if word == "median" else "mean"), None


def _scales(sentence: str, masked: Masked, named: tuple[str, ...], focus: tuple[str, ...]) -> list[AnyStep]:
    """Rescaling and numbering of columns."""
    found: list[AnyStep] = []
    minmax = re.search(
        r"\bmin[\s-]*max\b|\brange\s+(?:of\s+)?\[?0\D{1,8}1\b|\bbetween 0 and 1\b|\bfeature scaling\b",
        sentence,
        re.IGNORECASE,
    )
    doing = re.search(r"\b(?:normali[sz]|re?scal|min[\s-]*max)\w*", sentence, re.IGNORECASE)
    if doing and not re.search(r"\bnormaliz?ed? distribut|\bnormality\b", sentence, re.IGNORECASE):
        tail = masked.columns(sentence[doing.start() :]) or named
        columns = tuple(c for c in tail if masked.numeric(c)) or focus
        method = (
            "zscore"
            if re.search(r"\bz[\s-]?score\b|\bstandardi[sz]", sentence, re.IGNORECASE) and not minmax
            else "minmax"
        )
        found.append(Scale(columns=columns, method="zscore" if method == "zscore" else "minmax"))
    elif re.search(r"\bstandardi[sz](?:e|ing)\b", sentence, re.IGNORECASE) and named:
        found.append(Scale(columns=tuple(c for c in named if masked.numeric(c)), method="zscore"))
    if (
        re.search(
            r"\bbinary (?:format|form|values?)\b|\blabel[\s-]encod|\bencod(?:e|ing)\b[^.]{0,40}⟨|\bnumeric codes\b",
            sentence,
            re.IGNORECASE,
        )
        and named
    ):
        texts = tuple(c for c in named if not masked.numeric(c))
        if texts:
            found.append(Encode(columns=texts))
    return found


def _outliers(masked: Masked, focus: tuple[str, ...]) -> list[Placed]:
    """Removal or replacement of outliers where the brief asks for it."""
    text = masked.masked
    found: list[Placed] = []
    method, threshold = outlier_rule(text)
    replaced = re.search(
        rf"\breplac\w*\s+(?:any\s+|all\s+|every\s+)?(?:the\s+)?{MARK}[^.]*?\b(?:standard deviations?|outliers?"
        rf"|iqr)\b[^.]*?\b"
        r"(mean|median)\b\s*(?:⟨\d+⟩|value|of|$|\.|,)",
        text,
        re.IGNORECASE,
    )
    if replaced:
        by: Literal["mean", "median"] = "median" if replaced.group(2).casefold() == "median" else "mean"
        step = Outliers(column=masked.column(replaced.group(1)), method=method, threshold=threshold, by=by)
        return [Placed(step, replaced.start())]
    for start, sentence in sentences(text):
        hit = _CLEARING.search(sentence)
        if hit is None or _DENIED.search(sentence):
            continue
        named = [c for c in masked.columns(sentence) if masked.numeric(c)] or list(focus)
        if named:
            found.append(Placed(Outliers(column=named[0], method=method, threshold=threshold), start + hit.start()))
    pronoun = re.search(r"\boutliers?\b[^.]*\.?[^.]*\bremove\s+(?:them|these)\b", text, re.IGNORECASE)
    if not found and pronoun and focus and not _DENIED.search(pronoun.group(0)):
        found.append(Placed(Outliers(column=focus[0], method=method, threshold=threshold), pronoun.start()))
    return found


def outlier_rule(text: str) -> tuple[Method, float | None]:
    """The rule for outliers that a text states: IQR with its factor, or z-scores with their threshold."""
    iqr = re.search(r"\b(?:iqr|interquartile|inter-quartile|quartiles?|tukey)\b", text, re.IGNORECASE)
    z = re.search(
        r"\bz[\s-]?scores?\b|\bstandard deviations? (?:away )?from the mean\b|⟨\d+⟩-scores?\b", text, re.IGNORECASE
    )
    if iqr:
        factor = re.search(
            r"(\d+(?:\.\d+)?)\s*(?:times|\*|x|×|⟨\d+⟩)?\s*(?:the\s+)?(?:iqr|interquartile)|threshold\s+(?:of|is"
            r"|=)?\s*(\d+(?:\.\d+)?)",
            text,
            re.IGNORECASE,
        )
        return "iqr", float(factor.group(1) or factor.group(2)) if factor else None
    if z:
        limit = re.search(
            r"(?:greater|more|larger|higher|above|exceed\w*|over|beyond|>|threshold (?:of|is|=))\s*(?:than\s+"
            r")?(?:or equal to\s+)?"
            r"[+±]?\s*(\d+(?:\.\d+)?|two|three|four)\b",
            text[max(0, z.start() - 120) :],
            re.IGNORECASE,
        )
        return "zscore", _WORDS.get(limit.group(1).casefold()) or float(limit.group(1)) if limit else None
    return "iqr", None


_WORDS = {"two": 2.0, "three": 3.0, "four": 4.0}


def read_classes(masked: Masked, made: str) -> Placed | None:
    """Classes that a brief defines by percentiles ("'High' ... 75th percentile") or by ranges ("morning (6:00 to
    11:59)")."""
    text = masked.masked
    by_share = _percentile_classes(text, masked, made)
    return by_share or _range_classes(text, masked, made)


_BELOW = re.compile(r"\b(?:less|lower|below|under|smaller)\b", re.IGNORECASE)
_ABOVE = re.compile(r"\b(?:greater|higher|above|over|more|larger)\b", re.IGNORECASE)


def _percentile_classes(text: str, masked: Masked, made: str) -> Placed | None:
    low: tuple[str, float] | None = None
    high: tuple[str, float] | None = None
    middle: str | None = None
    column: str | None = None
    for match in re.finditer(
        r"[\"'“]?(\w+|⟨\d+⟩)[\"'”]?\s+(?:is|are|if)\s+(?:\w+\s+){0,3}?(?:by\s+)?"
        + MARK
        + r"\s*([^;.]*?)(\d{1,2})(?:th|st|nd|rd)\s*(?:to\s+(\d{1,2})(?:th|st|nd|rd)\s*)?percentile",
        text,
    ):
        label = masked.text_of(match.group(1)) if match.group(1).startswith("⟨") else match.group(1)
        column = masked.column(match.group(2))
        if match.group(5) or "between" in match.group(3):
            middle = label
        elif _BELOW.search(match.group(3)):
            low = (label, float(match.group(4)) / 100)
        elif _ABOVE.search(match.group(3)):
            high = (label, float(match.group(4)) / 100)
    if column is None or low is None or high is None or low[1] >= high[1]:
        return None
    step = Classify(
        name=made, column=column, edges=(low[1], high[1]), labels=(low[0], middle or "Medium", high[0]), quantiles=True
    )
    return Placed(step, 0)


def _range_classes(text: str, masked: Masked, made: str) -> Placed | None:
    clock = re.findall(r"\b([A-Za-z]+)\s*\((\d{1,2}):\d\d\s*(?:to|-|–)\s*(\d{1,2}):\d\d\)", text)
    source = next((c for c in masked.columns(text) if is_time(masked, c)), None)
    if len(clock) >= 2 and source is not None:
        ordered = sorted((int(start), label) for label, start, _ in clock)
        edges = tuple(float(start) for start, _ in ordered[1:])
        labels = tuple(label for _, label in ordered)
        return Placed(Classify(name=made, column=HOUR, edges=edges, labels=labels), 0)
    return None


HOUR = "hour of the day"


def hour_of(column: str) -> Derive:
    """The step that adds the hour of a time column under the name that hour classes read."""
    return Derive(name=HOUR, formula=Fn(name="hour", args=(Col(name=column),)))


def is_time(masked: Masked, name: str) -> bool:
    info = masked.info(name)
    if info is None or info.type != "integer":
        return info is not None and info.type in ("date", "datetime")
    low, high = info.minimum, info.maximum
    seconds = isinstance(low, int | float) and isinstance(high, int | float) and 9e8 < low <= high < 5e9
    return seconds and bool(re.search(r"dt|date|time|stamp|epoch", name, re.IGNORECASE))
