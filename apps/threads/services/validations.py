"""Checking an answer with other approaches: a run of its own beside the question's, and what it leaves in the tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.analyst.approaches.names import name_of
from apps.core.errors import Conflict
from apps.core.jobs.sending import actor_named, send_after_commit
from apps.threads import copy, limits
from apps.threads.answers import draft_of
from apps.threads.models import UNFINISHED, Message, ProvenReason, Role, Run, RunKind, RunState
from apps.threads.services.memory import proven_keep
from apps.threads.services.runs import Claim, run_finish
from apps.threads.services.written import files_write

if TYPE_CHECKING:
    from apps.analyst.approaches.checking import Check, Checked
    from apps.analyst.approaches.grounds import Grounds


def validation_start(*, run: Run) -> Run:
    """The check of the run's selected answer: the one at work or done, else a new one in the queue.

    Raises Conflict while the question is worked on, and where its answer holds no figure.
    """
    asked = run.validates if run.validates is not None else run
    if asked.state in UNFINISHED:
        raise Conflict(copy.RUN_NOT_FINISHED, code="run_not_finished")
    standing = _standing(asked)
    if standing is not None:
        return standing
    validation_subject(asked)
    now = timezone.now()
    validation = Run(
        thread_id=asked.thread_id,
        question_id=asked.question_id,
        kind=RunKind.VALIDATION,
        validates=asked,
        chosen_models=asked.chosen_models,
        temperature=asked.temperature,
        data_sources=asked.data_sources,
        deadline_at=now + limits.DEADLINE,
        lease_until=now + limits.REQUEUE_AFTER,
        created_at=now,
    )
    try:
        with transaction.atomic():
            validation.save(force_insert=True)
            send_after_commit(actor_named("threads.answer_run"), validation.pk)
    except IntegrityError:  # somebody pressed twice at once: one unfinished run a question
        return _standing(asked) or validation
    return validation


def _standing(asked: Run) -> Run | None:
    """The validation that is at work, or that was completed."""
    found = asked.validations.filter(state__in=(*UNFINISHED, RunState.COMPLETED))
    return found.order_by("-created_at").first()


def validation_subject(run: Run) -> Message:
    """The selected answer to the run's question. Raises Conflict where there is none with a figure in it."""
    answers = Message.objects.filter(parent_id=run.question_id, role=Role.ASSISTANT, is_selected_assistant=True)
    selected = answers.first()
    parts = selected.answer if selected is not None else None
    if selected is None or not parts or parts.get("status") != "answered" or not parts.get("table"):
        raise Conflict(copy.NOTHING_TO_CHECK, code="nothing_to_check")
    return selected


def validation_beside(selected: Message) -> list[Message]:
    """The answers that other approaches gave when the question was asked; those by another reading stand apart."""
    others = Message.objects.filter(run_id=selected.run_id, role=Role.ASSISTANT).exclude(pk=selected.pk)
    return list(others.order_by("created_at", "id"))


@transaction.atomic
def validation_record(*, claim: Claim, selected: Message, check: Check, seconds: float) -> None:
    """Ends the validation: every answer gets its group and trace, one is the best; the selected one stays selected.

    Raises RunStopped, and writes nothing, where the run was lost.
    """
    run_finish(claim=claim)
    first, *others = check.checked
    Message.objects.filter(run_id=selected.run_id, is_best_answer=True).update(is_best_answer=False)
    trace = [selected.reasoning_trace, _summary(check)]
    selected.reasoning_trace = "\n\n".join(part for part in trace if part)
    selected.answer = {**(selected.answer or {}), "check": _grounds(first.grounds)}
    selected.consensus_group, selected.is_best_answer = first.standing.group, first.standing.best
    selected.save(update_fields=["answer", "reasoning_trace", "consensus_group", "is_best_answer"])
    there = {message.model: message for message in validation_beside(selected)}
    for other in others:
        if other.answer is None:
            _placed(there[other.approach], other)
        else:
            _answer(claim.run, other, seconds)
    if check.verdict == "agree" and first.grounds is not None and first.grounds.state == "confirmed":
        proven_keep(answer=selected, reason=ProvenReason.AGREED)


def _placed(message: Message, checked: Checked) -> None:
    """Writes down where an answer stands that was there before the check."""
    parting = {"step": checked.parting.step, "text": checked.parting.text} if checked.parting else None
    message.answer = {**(message.answer or {}), "parting": parting, "check": _grounds(checked.grounds)}
    message.reasoning_trace = f"{_opening(checked)}\n\n{message.reasoning_trace}".strip()
    message.consensus_group, message.is_best_answer = checked.standing.group, checked.standing.best
    message.save(update_fields=["answer", "reasoning_trace", "consensus_group", "is_best_answer"])


def _answer(validation: Run, checked: Checked, seconds: float) -> None:
    """Writes one approach's answer as a child of the question."""
    assert checked.answer is not None
    assert validation.validates_id is not None
    draft = draft_of(checked.answer, steps=(), seconds=seconds, parting=checked.parting)
    message, _ = Message.objects.update_or_create(
        run_id=validation.validates_id,
        model=checked.approach,
        role=Role.ASSISTANT,
        defaults={
            "thread_id": validation.thread_id,
            "parent_id": validation.question_id,
            "content": draft.content,
            "answer": {**draft.parts, "check": _grounds(checked.grounds)},
            "plan": draft.plan,
            "reasoning_trace": f"{_opening(checked)}\n\n{draft.trace}",
            "consensus_group": checked.standing.group,
            "is_best_answer": checked.standing.best,
        },
    )
    message.output_files.all().delete()
    files_write(message=message, draft=draft)


def _grounds(grounds: Grounds | None) -> dict[str, Any] | None:
    """What was found out about an answer, in the words that the page shows."""
    if grounds is None:
        return None
    return {
        "state": grounds.state,
        "doubts": list(grounds.doubts),
        "recomputed": grounds.recomputed,
        "read": grounds.read,
    }


def _opening(checked: Checked) -> str:
    if checked.parting is None:
        return "Comes to the same figures as the approach that was selected."
    return f"**Parts from the selected approach at the {checked.parting.step}.** {checked.parting.text}"


def _summary(check: Check) -> str:
    """How the others stand to the selected answer, for its own trace."""
    lines = ["**Checked against**", *(_line(other) for other in check.checked[1:])]
    lines += [f"- {name_of(name)}: could not do this question. {reason}" for name, reason in check.absent]
    read = [f"- {name_of(reader)}: {told}" for reader, told in check.readers]
    found = check.checked[0].grounds
    said = [*found.doubts, found.recomputed, found.read] if found is not None else []
    parts = ["\n".join(said), "\n".join(_unique(lines)), "\n".join(["**Read again**", *read]) if read else ""]
    return "\n\n".join(part for part in parts if part)


def _line(other: Checked) -> str:
    if other.parting is None:
        return f"- {name_of(other.approach)}: the same figures"
    return f"- {name_of(other.approach)}: other figures, from the {other.parting.step} on. {other.parting.text}"


def _unique(lines: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(lines))
