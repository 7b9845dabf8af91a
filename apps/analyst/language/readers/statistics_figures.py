"""From asked value names to figures: which statistic of which column each name means."""

from __future__ import annotations

import re

from apps.analyst.computing.statistics.program import Figure
from apps.analyst.computing.statistics.steps import Keep
from apps.analyst.language.readers.statistics_format import Asked, split_words
from apps.analyst.language.readers.statistics_mentions import MARK
from apps.analyst.language.readers.statistics_rules import labels_from
from apps.analyst.language.readers.statistics_setting import (
    KINDS,
    WEEKEND,
    Options,
    Setting,
    alpha_of,
    convention,
    group_test,
    kind_of,
    method_of,
    normality_test,
    population,
)
from apps.analyst.language.readers.statistics_steps import outlier_rule

_SUMMARY = frozenset(
    ["mean", "median", "mode", "std", "variance", "iqr", "q1", "q3", "maximum", "minimum", "range", "sum"]
)
_OF_GAPS = frozenset(
    ["missing", "null", "nulls", "nan", "na", "values", "value", "entries", "count", "number", "total"]
)
_SHAPE = ("skewness", "kurtosis")
_BEFORE = frozenset(["before", "pre", "original", "initial", "old", "raw"])
_AFTER = frozenset(["after", "post", "new", "remaining", "cleaned", "clean", "updated", "final", "filtered"])


def figure_for(asked: Asked, setting: Setting) -> Figure | None:
    """The figure behind an asked value, or None where the brief does not tell."""
    words = " ".join(asked.words)
    if "," in asked.placeholder and not asked.listed and not asked.choices and len(asked.placeholder) < 60:
        return None
    if asked.choices:
        labelled = _label_figure(asked, setting)
        if labelled is not None:
            return labelled
    if _names_entity(asked, setting):
        return _entity(asked, setting)
    said = asked.placeholder.casefold().replace("_", " ")
    found = kind_of(words) or kind_of(said) or kind_of(asked.description.casefold().split(".")[0])
    if found is None:
        return _by_class(asked, setting) or _entity(asked, setting)
    kind, match = found
    figure = _figure_of(kind, match, asked, setting)
    if figure is None:
        return None
    return figure.model_copy(
        update={
            "name": asked.name,
            "decimals": _decimals(asked, figure),
            "where": figure.where or _where(asked, setting),
            "at": _moment(asked, setting),
            "separator": asked.separator,
        }
    )


def _decimals(asked: Asked, figure: Figure) -> int | None:
    if asked.decimals is not None:
        return asked.decimals
    return 0 if asked.whole else None


def _moment(asked: Asked, setting: Setting) -> int | None:
    """The state the figure is taken at: outliers and "before" figures before the table is changed."""
    words = set(asked.words)
    if not setting.changed or words & _AFTER:
        return None
    if words & _BEFORE or "outliers" in words or "outlier" in words:
        return setting.before
    return None


def _of(
    study: str, figure: str, columns: tuple[str | None, ...] | None, options: Options | None = None
) -> Figure | None:
    """The figure, not yet named; None where one of its columns is not known."""
    named = tuple(name for name in columns or () if name is not None)
    if not columns or len(named) < len(columns):
        return None
    return Figure(name="", study=study, figure=figure, columns=named, options=options or {})


def _figure_of(kind: str, match: re.Match[str], asked: Asked, setting: Setting) -> Figure | None:
    """The figure of that kind over the columns that the name, or the brief, is about."""
    column = _column(asked, setting)
    if kind in _SUMMARY:
        named = f"{kind}_pop" if kind in ("std", "variance") and population(setting.text) else kind
        return _of("summary", named, (column,))
    if kind == "quantile":
        share = float(next(g for g in match.groups() if g)) / 100
        return _of("quantile", "value", (column,), {"q": share})
    if kind in _SHAPE:
        return _of("shape", kind, (column,), {"convention": convention(setting.text)})
    if kind == "r":
        return _of("correlation", kind, _pair(asked, setting), {"method": method_of(setting.text)})
    if kind == "covariance":
        return _of("covariance", kind, _pair(asked, setting))
    if kind in ("p", "statistic"):
        return _test_figure(kind, asked, setting)
    if kind.startswith("outlier"):
        return _outlier_figure(kind, asked, setting, column)
    if kind in ("slope", "intercept", "r_squared", "rmse", "mse"):
        return _of("regression", kind, _pair(asked, setting))
    return _counting(kind, asked, setting, column)


def _counting(kind: str, asked: Asked, setting: Setting, column: str | None) -> Figure | None:
    """Figures that count: missing values, duplicates, rows, shares."""
    words = set(asked.words)
    if kind == "missing":
        named = tuple(dict.fromkeys(setting.focus))
        if asked.listed or "columns" in words:
            texts = bool(re.search(r"\bobject\b|\bstrings?\b", setting.text, re.IGNORECASE))
            return Figure(name=asked.name, study="missing", figure="columns", options={"texts_only": texts})
        if words & {"max", "most", "highest"} or ("column" in words and not named):
            return Figure(name=asked.name, study="missing", figure="most")
        if asked.choices:
            return Figure(name=asked.name, study="missing", figure="any", columns=named[:1])
        figure = "percent" if words & {"percentage", "percent", "pct", "rate"} else "count"
        own = tuple(word for word in asked.words if word not in _OF_GAPS)
        mentioned = setting.masked.columns(setting.masked.question)
        told = max(mentioned, key=lambda n: overlap(own, n), default=None)
        if told is not None and told not in setting.focus and overlap(own, told) >= 1:
            return Figure(name=asked.name, study="missing", figure=figure, columns=(told,))
        return Figure(name=asked.name, study="missing", figure=figure, columns=(column,) if column and named else ())
    if kind == "duplicates":
        return Figure(name=asked.name, study="duplicates", figure="count")
    if kind == "entropy":
        return _of("entropy", "entropy", (column,))
    if kind in ("count", "share", "percent"):
        by_class = _by_class(asked, setting)
        if by_class is not None:
            return by_class
        if kind == "count" and (_where(asked, setting) or words & (_AFTER | {"rows", "entries", "records"})):
            return Figure(name=asked.name, study="rows", figure="count")
    return None


def _by_class(asked: Asked, setting: Setting) -> Figure | None:
    """The rows of one class of a classification: how many, or which share."""
    if not setting.classes or setting.made is None:
        return None
    hit = next((label for label in setting.classes if label.casefold() in asked.words), None)
    if hit is None:
        return None
    share = bool({"proportion", "share", "ratio", "fraction"} & set(asked.words))
    percent = bool({"percentage", "percent"} & set(asked.words))
    kept = (Keep(column=setting.made, op="=", value=hit),)
    whole: Options = {"of": setting.masked.table.rows}
    figure = "share" if share else "percent" if percent else "count"
    return Figure(name=asked.name, study="rows", figure=figure, where=kept, options=whole, decimals=asked.decimals)


def _test_figure(kind: str, asked: Asked, setting: Setting) -> Figure | None:
    """A p-value or test statistic of what the brief tests."""
    if setting.topic == "normality":
        column = _column(asked, setting)
        test = normality_test(f"{asked.name} {setting.text}") or "shapiro"
        return _of("normality", kind, (column,), {"test": test})
    if setting.topic == "difference" and setting.group and setting.focus:
        return _of("group_difference", kind, (setting.focus[0], setting.group), {"test": group_test(setting.text)})
    if setting.topic == "independence" and len(setting.pair) == 2:
        return Figure(name=asked.name, study="independence", figure=kind, columns=setting.pair)
    pair = _pair(asked, setting)
    if pair is None or kind == "statistic":
        return None
    return Figure(
        name=asked.name, study="correlation", figure="p", columns=pair, options={"method": method_of(setting.text)}
    )


def _outlier_figure(kind: str, asked: Asked, setting: Setting, column: str | None) -> Figure | None:
    """Numbers of, values of and names for outliers."""
    if column is None:
        return None
    method, threshold = outlier_rule(setting.masked.masked)
    options: Options = {"method": method, "threshold": threshold}
    words = set(asked.words)
    if kind == "outlier_figure":
        figure = next((k for k in ("median", "std", "maximum", "minimum") if kind_in(k, asked)), "mean")
        return Figure(name=asked.name, study="outliers", figure=figure, columns=(column,), options=options)
    if kind == "outlier_share":
        return Figure(name=asked.name, study="outliers", figure="share", columns=(column,), options=options, scale=100)
    if kind == "outlier_bound":
        bound = "lower bound" if "lower" in words else "upper bound"
        return Figure(name=asked.name, study="outliers", figure=bound, columns=(column,), options=options)
    entity = _entity_column(asked, setting)
    if kind == "outliers" and entity is not None and (asked.listed or not words & {"count", "number", "num", "total"}):
        return Figure(name=asked.name, study="outlier_rows", figure="names", columns=(column, entity), options=options)
    if kind == "outlier_values" or asked.listed:
        return Figure(name=asked.name, study="outlier_rows", figure="values", columns=(column,), options=options)
    return Figure(name=asked.name, study="outliers", figure="count", columns=(column,), options=options)


def kind_in(kind: str, asked: Asked) -> bool:
    """Whether an asked name speaks of that kind."""
    pattern = next(p for p, k in KINDS if k == kind)
    return bool(re.search(pattern, " ".join(asked.words)))


def _entity_column(asked: Asked, setting: Setting) -> str | None:
    """The text column that the asked name names by one of its words."""
    best = None
    for name in dict.fromkeys(setting.masked.columns(setting.masked.masked)):
        info = setting.masked.info(name)
        if (
            info is not None
            and info.role != "measure"
            and info.type not in ("float", "decimal")
            and overlap(asked.words, name) > 0
        ):
            best = best or name
    return best


def _entity(asked: Asked, setting: Setting) -> Figure | None:
    """ "Which country has the highest score": the rows' name where the measure is highest or lowest."""
    told = f"{' '.join(asked.words)} {setting.masked.question}".casefold()
    high = re.search(r"\b(?:highest|largest|most|maximum|greatest|max|biggest|best|top)\b", told)
    low = re.search(r"\b(?:lowest|smallest|least|minimum|fewest|min|worst)\b", told)
    entity = _entity_column(asked, setting)
    measures = [c for c in setting.focus if c != entity and setting.masked.numeric(c)]
    if entity is None or not measures or bool(high) == bool(low):
        return None
    if re.search(r"\b(?:skew\w*|correlat\w*|varia\w*|deviation)\b", told):
        return None
    options: Options = {}
    info = setting.masked.info(entity)
    if info is not None and not info.unique:
        per = next((fn for word, fn in _PER if re.search(rf"\b{word}\b", told)), None)
        options = {"per": per} if per else {}
    return Figure(
        name=asked.name,
        study="at_maximum" if high else "at_minimum",
        figure="name",
        columns=(entity, measures[0]),
        options=options,
        separator=asked.separator,
    )


_PER = (("average", "mean"), ("mean", "mean"), ("total", "sum"), ("sum", "sum"), ("median", "median"))


def _names_entity(asked: Asked, setting: Setting) -> bool:
    """Whether an asked value is the name of something: a word of a text column's name, and a text to hand back."""
    told = f"{asked.placeholder} {asked.description}".casefold().replace("_", " ")
    if "outlier" in " ".join(asked.words) or kind_in("missing", asked) or _entity_column(asked, setting) is None:
        return False
    return bool(re.search(r"\b(?:name|string|identifiers?|id|country|title)\b", told))


# ---------------------------------------------------------------- labels
def _label_figure(asked: Asked, setting: Setting) -> Figure | None:
    """The word to answer with, by the stated rule over what is tested."""
    kind = kind_of(" ".join(asked.words))
    if kind is not None and kind[0] == "missing":
        return None
    constraints = setting.masked.text[setting.masked.text.find("\n") :]
    rules = "\n".join((constraints, asked.description, setting.masked.text))
    labels = labels_from(rules, asked.choices, setting.topic, alpha_of(setting.text))
    figures = {test.figure for label in labels for tests in label.when for test in tests}
    found: Figure | None = None
    if figures & {"skewness", "kurtosis"}:
        found = _of("shape", "", (_column(asked, setting),), {"convention": convention(setting.text)})
    elif "r" in figures or setting.topic == "correlation":
        found = _of("correlation", "", _pair(asked, setting), {"method": method_of(setting.text)})
    elif labels:
        found = _test_figure("p", asked, setting)
    if found is None or not labels:
        return None
    where, moment = _where(asked, setting), _moment(asked, setting)
    return found.model_copy(update={"name": asked.name, "labels": labels, "where": where, "at": moment})


# ---------------------------------------------------------------- columns and groups of a name
def overlap(words: tuple[str, ...], name: str) -> float:
    """How much of a column's name the asked words hold: whole words and starts of words count."""
    own = split_words(name)
    joined = "".join(own)
    hits = sum(1.0 for part in own if any(_alike(part, word) for word in words))
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            run = "".join(words[start:end])
            if run == joined:
                return 2.0 + len(run) / 100
            if len(run) == 2 and len(own) == 1 and own[0] == run:
                hits = max(hits, 1.0)
    return hits / max(1, len(own)) if hits else 0.0


def _alike(part: str, word: str) -> bool:
    if part == word or part.rstrip("s") == word.rstrip("s"):
        return True
    short, long = sorted((part, word), key=len)
    return len(short) >= 3 and long.startswith(short)


def _column(asked: Asked, setting: Setting) -> str | None:
    """The column an asked value is about: named in its name, else the first in focus."""
    stripped = tuple(word for word in asked.words if word not in _AFTER | _BEFORE)
    best, score = None, 0.0
    for name in setting.focus:
        found = overlap(stripped, name)
        if name == setting.made and {"new", "feature"} & set(asked.words):
            found = max(found, 1.5)
        if found > score:
            best, score = name, found
    if best is not None:
        return best
    return setting.focus[0] if setting.focus else None


def _pair(asked: Asked, setting: Setting) -> tuple[str, str] | None:
    """The two columns of a correlation: those the asked name names, else the pair the brief speaks of."""
    candidates = tuple(dict.fromkeys((*setting.pair, *setting.focus)))
    letters = "".join(asked.words[-1:])
    named = [name for name in candidates if overlap(asked.words, name) >= 0.5]
    if len(letters) == 2:
        by_letter = [next((n for n in candidates if n.casefold() == letter), None) for letter in letters]
        if all(by_letter):
            named = [n for n in by_letter if n]
    if len(named) == 2:
        return named[0], named[1]
    if len(named) == 1 and len(candidates) > 2:
        other = setting.made if setting.made and setting.made != named[0] else None
        other = other or next((n for n in reversed(setting.pair) if n != named[0]), None)
        return (named[0], other) if other else None
    return (setting.pair[0], setting.pair[1]) if len(setting.pair) >= 2 else None


def _where(asked: Asked, setting: Setting) -> tuple[Keep, ...]:
    """The group whose value the asked name holds, e.g. graduate_mean_loan."""
    if setting.classes or setting.group is None:
        return ()
    info = setting.masked.info(setting.group)
    if info is None:
        return _made_group(asked, setting)
    joined = f" {' '.join(asked.words)} "
    values = sorted((value.value for value in info.values), key=len, reverse=True)
    hit = next((v for v in values if f" {' '.join(split_words(v))} " in joined), None)
    return (Keep(column=setting.group, op="=", value=hit),) if hit is not None else ()


def _made_group(asked: Asked, setting: Setting) -> tuple[Keep, ...]:
    """Weekdays and weekends, told apart by a made column that is 1 on weekends."""
    if setting.group != WEEKEND:
        return ()
    if {"weekend", "weekends"} & set(asked.words):
        return (Keep(column=WEEKEND, op="=", value=1),)
    return (Keep(column=WEEKEND, op="=", value=0),) if {"weekday", "weekdays"} & set(asked.words) else ()


__all__ = ["MARK", "Figure", "Setting", "figure_for"]
