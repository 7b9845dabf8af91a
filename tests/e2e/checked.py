"""Made-up answers that were checked, with what was found out about each of them."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.approaches.grounds import Grounds
from apps.analyst.approaches.names import BUILTIN, FRAMES, LEARNED, NAMES, RULES, SHEET
from tests.e2e.gallery import Json, answer_parts, message

CONFIRMED = Grounds(computed_same=2, read_same=2, one_figure=True)
FOUND = {
    "agree": CONFIRMED,
    "unconfirmed": Grounds(computed_same=2, read_same=1, one_figure=True),
    "doubted": Grounds(computed_same=2, read_same=1, unread=("deals", "win"), chance=0.62, one_figure=True),
}
"""What may be found out about answers that agree."""


def checked_answer(groups: Sequence[str], best: int = 0, found: Grounds = CONFIRMED) -> list[Json]:
    """A question whose answer was checked: one answer a letter of `groups`, the first of them selected, those that
    differ by readers. `found` is what was found out about answers that agree."""
    selected = DATES[groups[best] != groups[0]]  # what is recommended goes by the close date, as people in sales do
    answers = [_approach(at, group, group == groups[0], selected) for at, group in enumerate(groups)]
    for answer, group in zip(answers, groups, strict=True):
        said = found if len(set(groups)) == 1 else _disputed(groups, group)
        answer["answer"]["check"] = {
            "state": said.state, "doubts": list(said.doubts), "recomputed": said.recomputed, "read": said.read,
        }  # fmt: skip
    answers[best]["metadata"]["is_best_answer"] = True
    return [message(0, "user", "How many deals did we win in 2025?", run_id="run-0", children=answers)]


def _disputed(groups: Sequence[str], group: str) -> Grounds:
    """Of the selected answer's group the others are recounts, of the others each is a reading."""
    alike, apart = groups.count(group), len(groups) - groups.count(groups[0])
    if group == groups[0]:
        return Grounds(computed_same=alike - 1, read_same=1, read_other=apart, one_figure=True)
    return Grounds(read_same=alike, read_other=1, one_figure=True)


METHODS = [NAMES[name] for name in (BUILTIN, FRAMES, SHEET)]
READ_BY = [NAMES[name] for name in (BUILTIN, RULES, LEARNED)]


DATES = ("close date", "create date")


def _approach(at: int, group: str, agrees: bool, selected: str) -> Json:
    figure = 42 + ord(group) - ord("A")
    said = f"{figure} deals were won in 2025."
    dated = selected if agrees else next(date for date in DATES if date != selected)
    parting = {"step": "date field", "text": f"Goes by {dated}; the selected approach goes by {selected}."}
    marks = {
        "is_thumbs_up": None,
        "is_selected_assistant": at == 0,
        "is_best_answer": False,
        "consensus_group": group,
        "reasoning_trace": "1. Read **deals**\n2. Kept rows where `stage` is *won*\n"
        f"3. Kept rows whose `{dated}` is in 2025\n4. Counted {figure}",
    }
    named = METHODS if agrees else READ_BY
    parts = answer_parts(
        said, approach=f"way-{at}", approach_name=named[at % len(named)], parting=None if agrees else parting
    )
    return message(at, "assistant", said, run_id="run-0", metadata=marks, answer=parts)
