"""What is shown under a question while it is typed: how it would be read so far, and what its last word may become.

The built-in analyst alone is asked, no language model; nothing is computed and nothing is kept.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from apps.core import rates
from apps.core.jobs.interrupting import TimeUp, within
from apps.preferences.selectors import answer_preferences
from apps.threads import engine, limits
from apps.threads.presets import is_offered
from apps.threads.readying import question_expected
from apps.threads.selectors import last_shown, organization_of, thread_get
from apps.threads.turns import turns_above

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.analyst.ports import Catalog
    from apps.analyst.types import Question

logger = logging.getLogger("apps.threads.previews")

free = threading.BoundedSemaphore(limits.PREVIEWS_AT_ONCE)


class PreviewChip(TypedDict):
    """A part of the reading."""

    part: str
    label: str


class CompletedWord(TypedDict):
    """What may stand instead of `replaces`, the end of what is typed; `where` says of what it is."""

    text: str
    where: str
    replaces: str


class QuestionPreview(TypedDict):
    """How a text would be read, its words without a place, and what its last word may become."""

    chips: list[PreviewChip]
    unread: list[str]
    completions: list[CompletedWord]


def question_preview(
    *, by: User, text: str, before: str, thread_id: UUID | None = None, files: Sequence[str] = ()
) -> QuestionPreview:
    """The preview of `text`, of which `before` stands before the cursor, after the last answer of a thread of the
    member, of these files alone. Empty where the process is busy with others, the text takes too long to read, or the
    tables have so many columns that a question is read in a child: it would begin and end after what was typed.

    Raises NotFound for foreign and absent threads, TooOften.
    """
    thread = thread_get(by, thread_id) if thread_id is not None else None
    rate = limits.PREVIEWS_A_MINUTE
    rates.count("previews", by.pk, most=rate, seconds=60, words=f"{rate:,} texts a minute to be previewed")
    last = last_shown(thread) if thread is not None else None
    turns = turns_above(last.thread_id, last.pk) if last is not None else ()
    if not free.acquire(blocking=False):
        return _empty()
    try:
        from apps.analyst.tables.scoped import narrowed
        from apps.analyst.types import Question

        preferences = answer_preferences(by)
        question = Question(
            text=text,
            today=timezone.localdate(),
            turns=turns,
            files=tuple(files) or None,
            keywords=preferences.keywords,
            offered=is_offered(text),
            assistant=settings.PRODUCT_NAME,
        )
        catalog = narrowed(engine.current().catalog_of(organization_of(by)), question.files)
        if engine.current().is_wide(catalog):
            question_expected(organization_of(by).pk)
            return _empty()
        with within(limits.PREVIEW_SECONDS):
            return _preview(question, before, catalog)
    except TimeUp:
        logger.info("a text took too long to be previewed")
        return _empty()
    except (ArithmeticError, RecursionError):
        logger.exception("a text could not be previewed")
        return _empty()
    finally:
        free.release()


def _preview(question: Question, before: str, catalog: Catalog) -> QuestionPreview:
    from apps.analyst.conversation.completing import completions
    from apps.analyst.conversation.previewing import previewed

    words = completions(before, catalog, question.today, question.keywords, question.files)
    found = previewed(question, catalog)
    return {
        "chips": [{"part": part, "label": label} for part, label in found.parts],
        "unread": [question.text[start:end] for start, end in found.unread],
        "completions": [{"text": w.text, "where": w.where, "replaces": before[w.start :]} for w in words],
    }


def _empty() -> QuestionPreview:
    return {"chips": [], "unread": [], "completions": []}
