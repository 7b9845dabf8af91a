"""What the chat says of files that were just brought: what they hold, and questions that were answered beforehand.

A worker finds it once for each version of the tables and keeps it in the cache; who asks meanwhile may ask again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypedDict
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone

from apps.accounts.selectors import accounts_let_in
from apps.analyst.errors import AnalystError
from apps.core.jobs.interrupting import TimeUp, within
from apps.core.jobs.sending import actor_named, send_after_commit
from apps.datasources.naming import display_name
from apps.datasources.selectors import sources_brought
from apps.preferences.selectors import answer_preferences
from apps.threads import engine, limits
from apps.threads.selectors import organization_of

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.analyst.ports import Catalog
    from apps.datasources.models import Source

logger = logging.getLogger("apps.threads.brought")

ON_THEIR_WAY = ("received", "reading")


class BroughtFile(TypedDict):
    """What one file holds: so many `noun`, and from when to when ("" where it has no date of its own)."""

    file_name: str
    display_name: str
    rows: int
    noun: str
    period: str


class BroughtQuestion(TypedDict):
    """A question that has an answer, and the file to ask it of: others may hold the like."""

    text: str
    file_name: str


class BroughtFiles(TypedDict):
    """What files hold and what is worth asking about them; nothing yet where that is not `ready`."""

    ready: bool
    files: list[BroughtFile]
    questions: list[BroughtQuestion]


class Wish(TypedDict):
    """What a worker is to find."""

    member_id: UUID
    file_names: list[str]


def files_brought(member: User, names: Sequence[str]) -> BroughtFiles:
    """What is known of the files of these names. What could not be read, or is not there, is left out."""
    organization = organization_of(member)
    sources = sources_brought(organization, names[: limits.BROUGHT_FILES])
    if any(source.state in ON_THEIR_WAY for source in sources):
        return BroughtFiles(ready=False, files=[], questions=[])
    held = _file_names(sources)
    if not held:
        return BroughtFiles(ready=True, files=[], questions=[])
    key = _key(member, engine.current().catalog_of(organization), held)
    found: BroughtFiles | None = cache.get(key)
    wish = Wish(member_id=member.pk, file_names=held)
    if found is None and cache.add(f"{key}.wish", wish, 2 * limits.BROUGHT_SECONDS):
        send_after_commit(actor_named("threads.find_brought"), key)
    return found or BroughtFiles(ready=False, files=[], questions=[])


def brought_find(key: str) -> None:
    """Finds and keeps what is told of the files that are wished for under this key, if nobody has yet."""
    wish: Wish | None = cache.get(f"{key}.wish")
    member = _member(wish["member_id"]) if wish is not None else None
    if wish is None or member is None or cache.get(key) is not None:
        return
    catalog, held = engine.current().catalog_of(organization_of(member)), wish["file_names"]
    found = BroughtFiles(ready=True, files=_described(catalog, held), questions=[])
    try:
        with within(limits.BROUGHT_SECONDS):
            _try_out(member, catalog, held, found["questions"])
    except TimeUp:
        logger.error("trying out questions for member %s took too long", member.pk)
    cache.set(key, found, limits.SUGGESTIONS_KEPT)


def _member(member_id: UUID) -> User | None:
    return accounts_let_in().filter(pk=member_id).exclude(organization=None).first()


def _described(catalog: Catalog, held: Sequence[str]) -> list[BroughtFile]:
    from apps.analyst.telling.brought import described

    return [
        BroughtFile(
            file_name=one.file_name,
            display_name=display_name(one.file_name),
            rows=one.rows,
            noun=one.noun,
            period=one.period,
        )
        for one in described(catalog, _tables(catalog, held))
    ]


def _try_out(member: User, catalog: Catalog, held: Sequence[str], questions: list[BroughtQuestion]) -> None:
    """Adds questions whose answers tell something, each from its file, as this member would be answered."""
    from apps.analyst.telling.brought import is_as_meant, is_from, tells, worth_asking
    from apps.analyst.types import Question

    analyst, names, preferences = engine.current().over(catalog), _tables(catalog, held), answer_preferences(member)
    for text, table in islice(worth_asking(catalog, names), limits.TRIED_OF_BROUGHT):
        question = Question(
            text,
            today=timezone.localdate(),
            files=(table.file_name,),
            keywords=preferences.keywords,
            context=preferences.context,
        )
        try:
            said = analyst.answer(question, catalog=catalog, warehouse=analyst.warehouse, emit=lambda step: None)
        except AnalystError:
            continue
        if is_from(said, {table.name}) and tells(said) and is_as_meant(said, text, table, catalog):
            questions.append(BroughtQuestion(text=text, file_name=table.file_name))
        if len(questions) >= limits.QUESTIONS_OF_BROUGHT:
            return


def _tables(catalog: Catalog, held: Sequence[str]) -> set[str]:
    return {table.name for table in catalog.tables() if table.file_name in held}


def _file_names(sources: Sequence[Source]) -> list[str]:
    return [source.file_name for source in sources if source.state == "ready"]


def _key(member: User, catalog: Catalog, held: Sequence[str]) -> str:
    names = hashlib.sha256("\n".join(held).encode()).hexdigest()
    return f"brought.{member.pk}.{catalog.version}.{names}"
