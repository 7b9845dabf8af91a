"""A question asked while files are still being read: it waits for those its member brought, within bounds, and says in
its answer which ones it goes without. Nobody waits for a colleague's files, but they are named, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import BoundedSemaphore

from django.conf import settings
from django.utils import timezone

from apps.analyst.telling.formats import listed
from apps.analyst.types import Answer
from apps.datasources.naming import name_key
from apps.datasources.selectors import file_names
from apps.datasources.unread import (
    UnreadFile,
    failed_of,
    file_names_of,
    files_unread,
    joins_on_their_way,
    tables_on_their_way,
)
from apps.threads import copy, limits
from apps.threads.answers import escaped
from apps.threads.models import Message
from apps.threads.services.runs import Claim, run_check, run_step

_slots = BoundedSemaphore(max(1, settings.WORKER_THREADS // 2))
"""Half of the workers may wait for files, so that other questions always find one."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What waiting asks of time."""

    now: Callable[[], float] = time.monotonic
    pause: Callable[[float], object] = time.sleep


CLOCK = Clock()


@dataclass(frozen=True, slots=True)
class Missing:
    """The files that an answer goes without."""

    unread: tuple[UnreadFile, ...] = ()
    failed: tuple[UnreadFile, ...] = ()

    def told(self, answer: Answer) -> Answer:
        """The answer, which says so."""
        said = [_sentence(copy.STILL_READ, self.unread), _sentence(copy.NOT_READABLE, self.failed)]
        return replace(answer, text="\n\n".join(part for part in (answer.text, *said) if part))


def files_awaited(claim: Claim, clock: Clock) -> Missing:
    """Waits for the member's own new files, and for the connections between tables. Raises RunStopped, RunLate."""
    organization, question = claim.run.thread.organization, claim.run.question
    if not tables_on_their_way(organization):
        return Missing()
    files = _meant(question, files_unread(organization))
    mine = [file for file in files if file.recent and file.owner_id == claim.member_id]
    if mine and not _names_another(claim, mine) and _slots.acquire(blocking=False):
        try:
            _wait_for(claim, clock, mine)
        finally:
            _slots.release()
    _until(claim, clock, limits.JOINS_AWAITED, lambda: not joins_on_their_way(organization))
    _follow_names(claim, mine)
    still = {file.stored_id for file in files_unread(organization)}
    failed = failed_of(organization, [pk for file in files for pk in file.sources])
    return Missing(
        unread=tuple(file for file in files if file.stored_id in still),
        failed=tuple(file for file in files if file.stored_id not in still and failed & file.sources.keys()),
    )


def _wait_for(claim: Claim, clock: Clock, files: Sequence[UnreadFile]) -> None:
    run_step(claim=claim, label=copy.READING_FIRST.format(names=listed([file.shown for file in files], most=3)))
    ids = {file.stored_id for file in files}

    def read() -> bool:
        return not any(file.stored_id in ids for file in files_unread(claim.run.thread.organization))

    left = (claim.run.deadline_at - timezone.now()).total_seconds() - limits.ANSWERING_TAKES
    _until(claim, clock, min(limits.FILES_AWAITED, left), read)


def _until(claim: Claim, clock: Clock, seconds: float, done: Callable[[], bool]) -> None:
    """Looks again and again until it is done, the seconds are over, or the run is no longer ours (RunStopped)."""
    end = clock.now() + seconds
    while not done() and clock.now() < end:
        clock.pause(limits.AWAITING_PAUSE)
        run_check(claim=claim)


def _meant(question: Message, files: Sequence[UnreadFile]) -> list[UnreadFile]:
    """Those of the files that the question is about: all, unless files were chosen for it."""
    chosen = set(question.user_specified_files)
    return [file for file in files if not chosen or chosen & set(file.sources.values())]


def _names_another(claim: Claim, files: Sequence[UnreadFile]) -> bool:
    """Whether the question names a file that can be read, and none of these."""
    text = name_key(claim.run.question.content)
    awaited = {name_key(name) for file in files for name in (file.shown, *file.sources.values())}
    if any(name in text for name in awaited):
        return False
    return any(name_key(name) in text for name in file_names(claim.run.thread.organization))


def _follow_names(claim: Claim, files: Sequence[UnreadFile]) -> None:
    """A workbook that was chosen before it was read is chosen with all its sheets, which have other names."""
    question = claim.run.question
    chosen = set(question.user_specified_files)
    for file in files:
        now = file_names_of(claim.run.thread.organization, [file.stored_id])
        if now and chosen & set(file.sources.values()) and not chosen & set(now):
            question.user_specified_files = [
                *(name for name in question.user_specified_files if name not in file.sources.values()), *now
            ]  # fmt: skip


def _sentence(text: str, files: Sequence[UnreadFile]) -> str:
    if not files:
        return ""
    names = [
        copy.NEWER_VERSION.format(name=escaped(file.shown)) if file.newer else escaped(file.shown) for file in files
    ]
    return text.format(names=listed(names, most=3), were="was" if len(files) == 1 else "were")
