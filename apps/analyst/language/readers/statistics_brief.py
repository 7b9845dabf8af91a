"""Readings of briefs that name the values to hand back: one frame program that computes them all."""

from __future__ import annotations

import re

from apps.analyst.computing.statistics.formulas import Col, Fn, columns_of
from apps.analyst.computing.statistics.program import Figure, Program
from apps.analyst.computing.statistics.program import worded as program_words
from apps.analyst.computing.statistics.steps import AnyStep, Classify, Derive
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.readers.statistics_figures import Setting, figure_for
from apps.analyst.language.readers.statistics_filters import Filters, read_filters
from apps.analyst.language.readers.statistics_format import Asked, Brief
from apps.analyst.language.readers.statistics_formula import (
    UNNAMED,
    NewColumn,
    defined_names,
    defines_column,
    new_names,
    read_new_column,
)
from apps.analyst.language.readers.statistics_mentions import MARK, Masked, mask
from apps.analyst.language.readers.statistics_setting import WEEKEND, group_test
from apps.analyst.language.readers.statistics_steps import (
    HOUR,
    Placed,
    hour_of,
    is_time,
    read_classes,
    read_steps,
    sentences,
)
from apps.analyst.language.reading import Reading
from apps.analyst.plan import ColumnRef, Output, Query, Statistic

FULL, PARTIAL = 0.99, 0.6
"""Scores of a reading that finds every asked value, and of one that leaves some open."""
_TWO_STAGES = re.compile(r"\b(?:same|corresponding)\b[^.]*\bas (?:this|that)\b", re.IGNORECASE)
"""What depends on a row found first ("the same year as this vehicle") is not read here."""
_FITTED = re.compile(
    rf"\b(?:regress\w*\s+(?:of\s+)?|predict\w*\s+)(?:the\s+)?{MARK}[^⟨⟩.]{{0,20}}?\b(?:on|from|using|based on)\b"
    rf"[^⟨⟩.]{{0,20}}?{MARK}",
    re.IGNORECASE,
)
"""The effect and the cause of a fitted line: "a regression of price on age"."""
_RELATED = re.compile(r"\bcorrelat|\brelation|\bassociat|\bcovarian|\bregress|\blinear\b", re.IGNORECASE)


def read_named(question: str, brief: Brief, lexicon: Lexicon) -> list[Reading]:
    """The reading that computes all asked values, or the most of them; none where it computes less than half."""
    stored = frozenset(named.column.name.strip().casefold() for named in lexicon.columns)
    if _TWO_STAGES.search(question) or brief.per_group:
        return []
    names = new_names(f"{question}\n{brief.constraints}", stored) or defined_names(brief.constraints, stored)
    made = names or ((UNNAMED,) if defines_column(f"{question}\n{brief.constraints}") else ())
    readings = [
        found
        for masked in mask(question, brief.constraints, lexicon, made)[:2]
        if (found := _reading(masked, brief, lexicon, names)) is not None
    ]
    return sorted(readings, key=lambda reading: -reading.score)[:1]


def _reading(masked: Masked, brief: Brief, lexicon: Lexicon, names: tuple[str, ...]) -> Reading | None:
    labelled = read_classes(masked, names[0] if names else UNNAMED)
    combines = re.search(r"\bby (?:subtracting|dividing|adding|multiplying)\b", masked.masked, re.IGNORECASE)
    said = defines_column(masked.text) or bool(names) or bool(combines) or _transforms(masked)
    defines = labelled is None and said
    new = read_new_column(masked, names) if defines else None
    if new is not None and not names and _in_place(masked, new):
        new = NewColumn(columns_of(new.formula)[0], new.formula, new.place)
    setting, steps, filters = _setting(masked, new, labelled, lexicon)
    if _strange_value(masked, filters):
        return None
    figures = _apart(_beside_winner([(asked, figure_for(asked, setting)) for asked in brief.asked]))
    found = [figure for _, figure in figures if figure is not None]
    if not found or len(found) * 2 < len(brief.asked):
        return None
    program = Program(steps=tuple(steps), figures=tuple(found))
    columns = needed(program, masked)
    if not columns:
        return None
    query = Query(
        source=masked.table.name,
        columns=tuple(Output(label=name, expr=ColumnRef(table=masked.table.name, column=name)) for name in columns),
        where=filters.where,
    )
    missed = tuple(asked.name for asked, figure in figures if figure is None)
    return Reading(
        plan=Statistic(
            name="program", query=query, options={"program": program.model_dump_json(exclude_none=True), "named": True}
        ),
        score=PARTIAL if missed else FULL,
        understood=(program_words(program), *filters.words),
        unused=missed,
        reader="statistics",
        wording=masked.text[:200],
    )


def _apart(figures: list[tuple[Asked, Figure | None]]) -> list[tuple[Asked, Figure | None]]:
    """Without values that came out as the same figure under different names: what tells them apart was not read."""
    keys = [figure and figure.model_dump_json(exclude={"name", "decimals", "separator"}) for _, figure in figures]
    return [
        (asked, None if figure is not None and keys.count(key) > 1 else figure)
        for (asked, figure), key in zip(figures, keys, strict=True)
    ]


def _beside_winner(figures: list[tuple[Asked, Figure | None]]) -> list[tuple[Asked, Figure | None]]:
    """ "Which region has the highest average price" with the region and a mean to hand back: the winner's mean."""
    first = next((f for _, f in figures if f is not None and f.study in ("at_maximum", "at_minimum")), None)
    per = first.options.get("per") if first is not None else None
    if first is None or per is None:
        return figures
    made: list[tuple[Asked, Figure | None]] = []
    for asked, figure in figures:
        own = figure is not None and figure.study == "summary" and figure.columns == first.columns[-1:]
        if own and figure is not None and figure.figure in (per, "maximum", "minimum", "sum", "mean"):
            kept = {"study": first.study, "figure": "value", "columns": first.columns, "options": first.options}
            figure = figure.model_copy(update=kept)
        made.append((asked, figure))
    return made


def _strange_value(masked: Masked, filters: Filters) -> bool:
    """Whether the question quotes a value beside a column's name that is not among the stored values."""
    for match in re.finditer(
        rf"[\"“'‘]([A-Z0-9][^\"”'’⟨⟩]{{1,60}})[\"”'’]\s*{MARK}|{MARK}\s*[\"“'‘]([A-Z0-9][^\"”'’⟨⟩]{{1,60}})[\"”'’]",
        masked.question,
    ):
        said = (match.group(1) or match.group(4)).strip().casefold()
        if not any(said in words.casefold() for words in filters.words):
            return True
    return False


def _transforms(masked: Masked) -> bool:
    return bool(re.search(r"\blog[\s-]?transform|\btransform\w*[^.]{0,60}\blog", masked.masked, re.IGNORECASE))


def _in_place(masked: Masked, new: NewColumn) -> bool:
    """Whether a transformation replaces its column: a function of one column, and no new column is spoken of."""
    return isinstance(new.formula, Fn) and len(columns_of(new.formula)) == 1 and not defines_column(masked.masked)


def _setting(
    masked: Masked, new: NewColumn | None, labelled: Placed | None, lexicon: Lexicon
) -> tuple[Setting, list[AnyStep], Filters]:
    topic = topic_of(masked.text)
    made = new.name if new else None
    group = _group(masked, topic)
    filters = read_filters(masked, lexicon, frozenset((group,)) if group else frozenset())
    focus = _focus(masked, made, frozenset((*filters.columns, *((group,) if group else ()))))
    placed = list(read_steps(masked, new, focus))
    classes: tuple[str, ...] = ()
    if labelled is not None and isinstance(labelled.step, Classify):
        classes, made = labelled.step.labels, labelled.step.name
        if labelled.step.column == HOUR:
            source = next(c for c in masked.columns(masked.masked) if is_time(masked, c))
            placed.append(Placed(hour_of(source), len(masked.masked)))
        placed.append(Placed(labelled.step, len(masked.masked)))
    steps = [entry.step for entry in placed]
    if group == WEEKEND:
        dated = [c.name for c in masked.table.columns if c.type in ("date", "datetime")]
        dated += [c.name for c in masked.table.columns if "date" in c.name.casefold()]
        if dated:
            steps.insert(0, Derive(name=WEEKEND, formula=Fn(name="weekend", args=(Col(name=dated[0]),))))
    lead = next((i for i, step in enumerate(steps) if not isinstance(step, Derive)), len(steps))
    setting = Setting(
        masked=masked,
        focus=focus,
        made=made,
        pair=_pair(masked, focus),
        group=group,
        topic=topic,
        changed=len(steps) > lead,
        classes=classes,
        before=lead,
    )
    return setting, steps, filters


def topic_of(text: str) -> str:
    """What is tested: "difference" between groups, "normality", "independence", "correlation", or nothing."""
    if group_test(text) or re.search(r"\bsignificant(?:ly)? differen", text, re.IGNORECASE):
        return "difference"
    if re.search(r"\bchi[\s-]?squared?\b", text, re.IGNORECASE):
        return "independence"
    normal = re.search(
        r"\bnormal(?:ly)?[\s_-]*distribut|\bnormality\b|\badheres? to a normal|\bgaussian|\bnormalcy|shapiro",
        text,
        re.IGNORECASE,
    )
    if normal:
        return "normality"
    return "correlation" if _RELATED.search(text) else ""


def _focus(masked: Masked, made: str | None, aside: frozenset[str]) -> tuple[str, ...]:
    """The columns the figures may be about: the made one, numbers of the question, of the constraints, then the
    rest."""
    question, constraints = masked.columns(masked.question), masked.columns(masked.constraints)
    ordered = [made] if made else []
    ordered += [c for c in question if masked.numeric(c) and c not in aside]
    ordered += [c for c in constraints if masked.numeric(c) and c not in aside]
    ordered += [c for c in (*question, *constraints) if c not in aside]
    usable = (name for name in ordered if name == made or (masked.info(name) is not None and masked.countable(name)))
    return tuple(dict.fromkeys(usable))


def _pair(masked: Masked, focus: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that a sentence about correlation names, those after "between" first."""
    usable = frozenset(focus)
    fitted = _FITTED.search(masked.masked)
    if fitted:
        effect, cause = (masked.column(mark) for mark in fitted.groups())
        if cause != effect and {cause, effect} <= usable:
            return cause, effect
    best: tuple[str, ...] = ()
    for _, sentence in sentences(masked.masked):
        if not _RELATED.search(sentence):
            continue
        after = re.split(r"\b(?:between|of|relate|affect)\b", sentence, maxsplit=1)
        for stretch in (after[-1], sentence):
            columns = tuple(name for name in masked.columns(stretch) if name in usable)
            if len(columns) >= 2:
                return columns
            best = best or columns
    if len(focus) < 2:
        return ()
    rest = tuple(name for name in focus if name not in best)
    return (*best, *rest)


def _group(masked: Masked, topic: str) -> str | None:
    """The column that tells groups apart in a test of differences."""
    if topic != "difference":
        return None
    if re.search(r"\bweekdays?\b.*\bweekends?\b", masked.text, re.IGNORECASE | re.DOTALL):
        return WEEKEND
    patterns = (
        rf"\b(?:between|across|among|for)\s+(?:different\s+|each\s+|the\s+|all\s+|groups of\s+)*{MARK}",
        rf"\b(?:different|each|by|per|based on|values of)\s+(?:\w+\s+){{0,3}}?{MARK}",
    )
    for pattern in patterns:
        for match in re.finditer(pattern, masked.masked, re.IGNORECASE):
            name = masked.column(match.group(1))
            info = masked.info(name)
            if info is not None and (info.type in ("text", "boolean") or info.distinct <= 60):
                return name
    return next(
        (c for c in masked.columns(masked.masked) if not masked.numeric(c) and masked.info(c) is not None), None
    )


def needed(program: Program, masked: Masked) -> tuple[str, ...]:
    """The stored columns that a program reads, in the table's order; all where it looks at the whole table."""
    names: set[str] = set()
    whole = False
    for step in program.steps:
        data = step.model_dump()
        names |= {data[key] for key in ("column", "per") if data.get(key)}
        names |= set(data.get("columns") or ()) | set(data.get("by") or () if step.do == "per_group" else ())
        whole |= step.do in ("drop_missing", "drop_duplicates") and not data.get("columns")
        if isinstance(step, Derive):
            names |= set(columns_of(step.formula))
    for figure in program.figures:
        names |= set(figure.columns) | {test.column for test in figure.where}
        whole |= _whole(figure)
    stored = tuple(c.name for c in masked.table.columns if whole or c.name in names)
    return stored or tuple(c.name for c in masked.table.columns[:1])


def _whole(figure: Figure) -> bool:
    return figure.study in ("missing", "duplicates") and not figure.columns
