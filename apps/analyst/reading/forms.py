"""What a question's form asks for, held against what a plan does: a negation that no condition keeps, an average that
is asked for and a sum that is told. As figures for the judge; nothing is decided here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import (
    Aggregate,
    Among,
    AnyOf,
    Arithmetic,
    Between,
    Compare,
    Comparison,
    Constant,
    InQuery,
    Missing,
    Node,
    Not,
    Part,
    Period,
    Plan,
    Query,
    ScalarQuery,
    TextMatch,
    Window,
)
from apps.analyst.plan.nodes import every

LONGEST = 4
"""Words of the longest phrase that is looked for."""


def asked(tokens: Sequence[str]) -> frozenset[str]:
    """The forms that a question's words ask for."""
    said = phrases(tokens)
    return frozenset(form for form, cues in english().cues.items() if not said.isdisjoint(cues))


def phrases(tokens: Sequence[str]) -> set[str]:
    """The words and the phrases of a question, as far as any is looked for."""
    return {" ".join(tokens[a:b]) for a in range(len(tokens)) for b in range(a + 1, min(len(tokens), a + LONGEST) + 1)}


def done(plan: Plan) -> frozenset[str]:
    """The forms that a plan has."""
    found: set[str] = set()
    for node in every(plan):
        found.update(_forms(node))
    return frozenset(found)


def _forms(node: Node) -> Iterator[str]:
    if isinstance(node, Not) or (isinstance(node, Compare) and node.op == "!="):
        yield "negated"
    elif isinstance(node, Among | TextMatch | InQuery):
        if node.negated:
            yield "negated"
    elif isinstance(node, Missing):
        yield "filled" if node.negated else "missing"
    elif isinstance(node, Compare | Between):
        yield from _bounds(node)
    elif isinstance(node, AnyOf):
        yield "several"
    elif isinstance(node, Aggregate):
        yield from _aggregate(node)
    elif isinstance(node, Window):
        fn = str(node.fn)
        yield "running" if "running" in fn else "share" if "share" in fn else "change"
    elif isinstance(node, Arithmetic):
        yield {"/": "share", "-": "change"}.get(node.op, "computed")
    elif isinstance(node, Period | Part):
        yield "over_time"
    elif isinstance(node, ScalarQuery):
        yield "above_mean"
    elif isinstance(node, Comparison):
        yield "change"
    elif isinstance(node, Query):
        yield from _query(node)


def _bounds(node: Compare | Between) -> Iterator[str]:
    by_number = (
        isinstance(node, Compare)
        and node.op != "="
        and isinstance(node.right, Constant)
        and isinstance(node.right.value, int | float)
    )
    if by_number or isinstance(node, Between):
        yield "bounded"


def _aggregate(node: Aggregate) -> Iterator[str]:
    yield {"avg": "mean", "median": "median", "sum": "total", "count": "count", "max": "highest", "min": "lowest"}.get(
        node.fn, "computed"
    )
    if node.distinct:
        yield "distinct"


def _query(node: Query) -> Iterator[str]:
    if node.groups:
        yield "grouped"
    if node.columns:
        yield "listed"
    if node.distinct:
        yield "distinct"
    if node.order:
        yield "ordered"
        if node.limit is not None:
            yield "highest" if node.order[0].descending else "lowest"


def several_asked(tokens: Sequence[str]) -> int | None:
    """Where the thing stands with whose plural a question opens ("which countries", "list the top customers"), so that
    it asks for several and not for the first; None for other questions."""
    place = _opened_with(tokens)
    return place if place is not None and _is_plural(tokens[place]) else None


def several_of_two_words(tokens: Sequence[str]) -> tuple[int, int] | None:
    """Where the two words stand with whose plural a question may open ("top job types by cost"), as for
    `several_asked`. Whether the two are one name is not known here."""
    place = _opened_with(tokens)
    if place is None or place + 1 >= len(tokens) or _is_plural(tokens[place]):
        return None
    return (place, place + 1) if _is_plural(tokens[place + 1]) else None


def _opened_with(tokens: Sequence[str]) -> int | None:
    """The place of the first word that is no opening of a question, behind some that are; None where one is asked for
    among several."""
    known = english()
    opening = known.stopwords | known.form_words | known.cues["highest"] | known.cues["lowest"]
    place = next((n for n, token in enumerate(tokens) if token not in opening), None)
    return place if place and known.one_among.isdisjoint(tokens[:place]) else None


def _is_plural(word: str) -> bool:
    return singular(word) != word and not {word, singular(word)}.isdisjoint(knowledge().vocabulary)


def figures(tokens: Sequence[str], plan: Plan, within: Collection[int] = ()) -> dict[str, float]:
    """For each form: whether it is asked for, is asked for and not done, is done and not asked for. The words at the
    places `within` say which period is meant: "last month" asks for nothing along time."""
    wanted, has = asked(["" if n in within else word for n, word in enumerate(tokens)]), done(plan)
    if isinstance(plan, Query) and plan.order and plan.limit is None and several_asked(tokens) is not None:
        has |= wanted & {"highest" if plan.order[0].descending else "lowest"}  # of several the first ones stand on top
    made = {f"asks_{form}": float(form in wanted) for form in english().cues}
    made |= {f"unmet_{form}": float(form in wanted and form not in has) for form in english().cues}
    made |= {
        f"unasked_{form}": float(form in has and form not in wanted)
        for form in {*english().cues, "filled", "several", "computed"}
    }
    return made
