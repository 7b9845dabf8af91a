"""Stated rules that turn a figure into a word: "linear if p < 0.05 and |r| >= 0.5, otherwise none"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.analyst.computing.statistics.program import Label, Test

NUMBER = r"[-+]?\s?\d+(?:\.\d+)?(?:[eE]-?\d+)?"
_FIGURES = (
    (r"\bp[\s_-]*val(?:ue)?s?\b|\bp(?=\s*(?:<|>|=|≤|≥))|\bsignificance of the test\b", "p"),
    (
        r"\babsolute value of (?:the )?(?:r\b|correlation|coefficient|pearson)[\w\s]*?|\|r\||\babsolute (?:r"
        r"|correlation)\b"
        r"(?: coefficient| value)?|\bmagnitude of (?:the )?(?:r|correlation)\b",
        "|r|",
    ),
    (r"\babsolute (?:value of )?(?:the )?skewness\b(?: value)?|\|skew\w*\|", "|skewness|"),
    (r"\bskew(?:ness)?\b(?: value)?", "skewness"),
    (r"\bkurtosis\b(?: value)?", "kurtosis"),
    (
        r"\bvalue of r\b|\br[\s_-]*values?\b|\b(?:pearson(?:'s)? |correlation )*coefficients?\b(?: \(r\)| "
        r"value)?|\br\b",
        "r",
    ),
)
_COMPARISONS = (
    (
        r"(?:is |are |was |be )?(?:greater|larger|higher|more|bigger) than or equal to|>=|≥|(?:is )?at least"
        r"|(?:is )?not less than"
        r"|equal to or (?:greater|more|higher) than",
        ">=",
    ),
    (
        r"(?:is |are |was |be )?(?:less|smaller|lower|fewer) than or equal to|<=|≤|(?:is )?at most|(?:is )?no more than"
        r"|equal to or (?:less|smaller|lower) than",
        "<=",
    ),
    (
        r"(?:is |are |was |be |being )?(?:greater|larger|higher|more|bigger) than|>|(?:is )?above|exceed(?:s"
        r"|ing)?|(?:is )?over",
        ">",
    ),
    (r"(?:is |are |was |be |being )?(?:less|smaller|lower|fewer) than|<|(?:is )?below|(?:is )?under", "<"),
)
_BETWEEN = (
    r"(?:lies |falls |is |are |being )*(?:within |in )?(?:the range )?(?:between|from|of)?"
    rf"\s*{NUMBER}\s*(?:to|and|–)\s*{NUMBER}"
)
_INEQUALITY_CHAIN = re.compile(rf"({NUMBER})\s*(<=|<|≤)\s*(\|?[a-z]+\|?)\s*(<=|<|≤)\s*({NUMBER})", re.IGNORECASE)
_COMPARED = "|".join(f"(?P<c{i}>{words})" for i, (words, _) in enumerate(_COMPARISONS))
_AGAINST = re.compile(
    rf"(?:{_COMPARED})\s*(?:the |an? |threshold |value |of |level )*\(?(?P<number>{NUMBER})|(?P<between>{_BETWEEN})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Condition:
    start: int
    end: int
    tests: tuple[tuple[Test, ...], ...]


def labels_from(text: str, choices: tuple[str, ...], topic: str, alpha: float) -> tuple[Label, ...]:
    """The choices with the tests that lead to each, in the order to try them; empty where no rule is stated or known.

    `topic` is what a bare yes or no is about: "normality", "correlation", "difference"; `alpha` its significance level.
    """
    stated = _stated(text, choices, topic)
    if stated:
        return stated
    return _default(choices, topic, alpha)


def _stated(text: str, choices: tuple[str, ...], topic: str) -> tuple[Label, ...]:
    found: dict[str, list[tuple[Test, ...]]] = {}
    for sentence in _sentences(text):
        conditions = _conditions(sentence)
        for index, condition in enumerate(conditions):
            before = sentence[conditions[index - 1].end if index else 0 : condition.start]
            after = sentence[
                condition.end : conditions[index + 1].start if index + 1 < len(conditions) else len(sentence)
            ]
            for choice, tests in _outcomes(before, after, choices, topic, condition.tests).items():
                found.setdefault(choice, []).extend(tests)
    if not found:
        return ()
    labels = [Label(text=choice, when=tuple(tests)) for choice, tests in found.items()]
    rest = [choice for choice in choices if choice not in found]
    if len(rest) == 1 or (rest and any(_negative(choice) for choice in rest)):
        labels.append(Label(text=next((c for c in rest if _negative(c)), rest[0])))
    return tuple(labels)


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[^\d])[.;]\s+|(?<=\d)\.\s+(?=[A-Z])|\n+|\.$", text) if part.strip()]


def _conditions(sentence: str) -> list[_Condition]:
    """The stretches that state tests, joined over "and"/"or" into one condition each."""
    atoms = _atoms(sentence)
    conditions: list[_Condition] = []
    for start, end, tests in atoms:
        previous = conditions[-1] if conditions else None
        glue = sentence[previous.end : start].strip(" ,").casefold() if previous else None
        if previous is not None and glue in ("and", "and the", "", "and if", "and if the", "and its"):
            merged = tuple(a + b for a in previous.tests for b in tests)
        elif previous is not None and glue in ("or", "or if", "or the"):
            merged = previous.tests + tests
        else:
            conditions.append(_Condition(start, end, tests))
            continue
        conditions[-1] = _Condition(previous.start, end, merged)
    return conditions


def _atoms(sentence: str) -> list[tuple[int, int, tuple[tuple[Test, ...], ...]]]:
    """Single tests with their place: a figure, said here or last before, against a number or a range."""
    figures = _figures(sentence)
    atoms: list[tuple[int, int, tuple[tuple[Test, ...], ...]]] = []
    taken = 0
    for match in _AGAINST.finditer(sentence):
        figure = next((f for f in reversed(figures) if f[1] <= match.start() + 1), None)
        if figure is None:
            continue
        tests = _tests(figure[2], match)
        if not tests:
            continue
        gap = sentence[figure[1] : match.start()]
        beside = len(gap.split()) <= 6 and not re.search(r"[.,;:]", gap) and figure[0] >= taken
        atoms.append((figure[0] if beside else match.start(), match.end(), tests))
        taken = match.end()
    for match in _INEQUALITY_CHAIN.finditer(sentence):
        name = {"|r|": "|r|", "r": "r", "p": "p"}.get(match.group(3).casefold())
        if name:
            atoms = [a for a in atoms if a[1] <= match.start() or a[0] >= match.end()]
            low = _test(name, ">=" if match.group(2) != "<" else ">", _number(match.group(1)))
            high = _test(name, "<=" if match.group(4) != "<" else "<", _number(match.group(5)))
            atoms.append((match.start(), match.end(), ((low, high),)))
    return sorted(atoms, key=lambda atom: atom[0])


def _figures(sentence: str) -> list[tuple[int, int, str]]:
    """Where a sentence names a figure, the longest name only ("absolute value of r", not the "r" in it)."""
    hits = sorted(
        (
            (m.start(), m.end(), name)
            for pattern, name in _FIGURES
            for m in re.finditer(pattern, sentence, re.IGNORECASE)
        ),
        key=lambda hit: (hit[0], -hit[1]),
    )
    kept: list[tuple[int, int, str]] = []
    for hit in hits:
        if not kept or hit[0] >= kept[-1][1]:
            kept.append(hit)
    return kept


def _tests(figure: str, match: re.Match[str]) -> tuple[tuple[Test, ...], ...]:
    """The alternatives that a comparison states of a figure; none where two numbers only stand side by side."""
    if match.group("between"):
        said = match.group("between")
        low, high = (_number(v) for v in re.findall(NUMBER, said)[:2])
        if not re.search(r"between|within|range|from|to", said, re.IGNORECASE) and not low < 0 < high:
            return ()
        low, high = min(low, high), max(low, high)
        return ((_test(figure, ">=", low), _test(figure, "<=", high)),)
    op = next(op for i, (_, op) in enumerate(_COMPARISONS) if match.group(f"c{i}"))
    return ((_test(figure, op, _number(match.group("number"))),),)


def _number(text: str) -> float:
    return float(text.replace(" ", ""))


def _test(name: str, op: str, value: float) -> Test:
    return Test.model_validate({"figure": name.strip("|"), "op": op, "value": value, "absolute": name.startswith("|")})


def _outcomes(
    before: str, after: str, choices: tuple[str, ...], topic: str, tests: tuple[tuple[Test, ...], ...]
) -> dict[str, tuple[tuple[Test, ...], ...]]:
    """The choices that a condition leads to, with the tests; where it leaves several, the sign of r tells them
    apart."""
    quoted = [c for c in choices if re.search(rf"[\"'“]{re.escape(c)}[\"'”]", after)]
    signed = [
        (c, ">" if "positive" in c.casefold() else "<")
        for c in quoted
        if re.match(r"(?:positive|negative)", c, re.IGNORECASE)
    ]
    if len(signed) == 2 and re.search(r"\bsign\b", after):
        return {c: tuple((*alternative, _test("r", op, 0.0)) for alternative in tests) for c, op in signed}
    choice = _outcome(before, after, choices, topic)
    return {} if choice is None else {choice: tests}


def _outcome(before: str, after: str, choices: tuple[str, ...], topic: str) -> str | None:
    """The choice a condition leads to, by the words around it: "... if COND", "If COND, ...", "COND means ..."."""
    opening = re.split(r"\b(?:if|when|where|whenever|for|in case)\b", before, flags=re.IGNORECASE)
    asks = len(opening) > 1 and len(opening[-1].split()) <= 4
    head = " ".join(opening[:-1]) if asks else ""
    head = re.split(r",\s+(?=if\b)|\botherwise\b", head, flags=re.IGNORECASE)[-1]
    tail = re.split(r"\b(?:otherwise|else)\b", after, flags=re.IGNORECASE)[0]
    tells = re.match(
        r"\s*(?:,|:|then\b|indicates?|means?|shows?|suggests?|implies|is\b|are\b|can\b|as\b)", tail, re.IGNORECASE
    )
    if asks and not tells:
        found = _choose(head, choices, topic, nearest_last=True)
        if found is not None:
            return found
    return _choose(tail, choices, topic, nearest_last=False)


def _choose(text: str, choices: tuple[str, ...], topic: str, *, nearest_last: bool) -> str | None:
    """The choice a stretch of text names: the one with most of its words there, then the nearest; or by yes and no."""
    plain = _canonical(text)
    scored = []
    for choice in choices:
        words = _canonical(choice).split()
        content = [word for word in words if word != "not"]
        places = [re.search(rf"\b{re.escape(word)}\b", plain) for word in content]
        denied = bool(content) and bool(re.search(rf"\bnot\b[\w\s]*?\b{re.escape(content[0])}\b", plain))
        if content and all(places) and ("not" in words) == denied:
            place = min(found.start() for found in places if found)
            scored.append((len(words), place if nearest_last else -place, choice))
    if scored:
        return max(scored)[2]
    signs = [choice for choice in choices if _negative(choice)]
    if len(choices) == 2 and len(signs) == 1 and _speaks(plain, topic):
        negative = bool(re.search(r"\bnot\b", plain))
        return signs[0] if negative else next(c for c in choices if c != signs[0])
    return signs[0] if signs and re.search(r"\bnot (?:significant|correlation|relationship|linear)", plain) else None


def _speaks(text: str, topic: str) -> bool:
    """Whether the text says anything about the topic that yes or no could answer."""
    words = {
        "normality": r"normal|gaussian|adhere|follow|null hypothesis",
        "correlation": r"correlat|significan|relationship|linear",
        "difference": r"differen|significan",
    }.get(topic, r"significan|normal|differen|correlat|symmetr")
    return bool(re.search(words, text))


def _canonical(text: str) -> str:
    """Folded text with every kind of negation as the word "not"; a rejected null hypothesis of normality is "not"."""
    plain = text.casefold().replace("_", " ").replace("-", " ")
    if "reject" in plain and "fail to reject" not in plain and "null" in plain:
        plain = re.sub(r"\bnot\b", "", plain) if "not normal" in plain else plain
        return re.sub(r"\breject", "not reject", plain)
    plain = plain.replace("fail to reject", "accept")
    plain = re.sub(r"\b(?:no|none|isn't|doesn't|does not|non|never|cannot|neither)\b", "not", plain)
    plain = re.sub(r"\bnon(?=(?:normal|significant))", "not ", plain)
    plain = plain.replace("insignificant", "not significant").replace("nonsignificant", "not significant")
    plain = re.sub(r"\bnormally\b", "normal", plain)
    plain = re.sub(r"\bskewed (?:to|towards?) the (left|right)\b", r"skewed \1", plain)
    plain = re.sub(r"\b(left|right) skewed\b", r"skewed \1", plain)
    return re.sub(r"\bsymmetrical\b", "symmetric", plain)


def _negative(choice: str) -> bool:
    """Whether a choice says no."""
    return bool(re.search(r"\bnot\b|\bfalse\b", _canonical(choice))) or choice.casefold() in ("no", "none", "n", "0")


def _default(choices: tuple[str, ...], topic: str, alpha: float) -> tuple[Label, ...]:
    """The usual rules where none is stated: by p against alpha, or by the sign of r."""
    negative = [choice for choice in choices if _negative(choice)]
    if len(choices) == 2 and len(negative) == 1:
        positive = next(choice for choice in choices if choice != negative[0])
        if topic == "normality":
            return Label(text=positive, when=((_test("p", ">=", alpha),),)), Label(text=negative[0])
        if topic in ("correlation", "difference", "independence"):
            return Label(text=positive, when=((_test("p", "<", alpha),),)), Label(text=negative[0])
    up = next((c for c in choices if c.casefold().startswith("positive")), None)
    down = next((c for c in choices if c.casefold().startswith("negative")), None)
    if topic == "correlation" and up and down:
        signs = (Label(text=up, when=((_test("r", ">", 0),),)), Label(text=down, when=((_test("r", "<", 0),),)))
        if negative:
            return Label(text=negative[-1], when=((_test("p", ">=", alpha),),)), *signs
        return signs
    return ()
