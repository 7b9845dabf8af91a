"""A question from Slack on its way: who asks, put to the desk, and told where it was asked once it is answered.

Each step is claimed, so that a message that comes twice does nothing twice. What only the asker may see stays so:
answers are ephemeral or direct messages unless an admin lets the workspace's channels see them.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.core.errors import NotFound, ProductError
from apps.integrations.connector import ConnectorError
from apps.integrations.slack import copy, limits, posting
from apps.integrations.slack.desk import Asked, desk
from apps.integrations.slack.linking import link_address, link_of
from apps.integrations.slack.models import SlackLink, SlackQuestion, SlackState

logger = logging.getLogger("apps.integrations.slack")

OPEN = (SlackState.RECEIVED, SlackState.ASKED)


def question_answer(question_id: UUID) -> None:
    """Takes the question a step further, unless somebody else does: puts it, or tells its answer where there is one."""
    question = _claim(question_id)
    if question is None:
        return
    try:
        late = question.created_at < timezone.now() - limits.GIVE_UP_AFTER
        if question.state == SlackState.ASKED:
            _tell(question, late)
        elif late:
            _give_up(question)
        else:
            _put(question)
    except ConnectorError as error:
        posting.connection_failed(question, error)
        _settle(question, SlackState.FAILED if error.permanent or _is_last(question) else question.state, error.code)
    except Exception:
        logger.exception("the question %s from Slack failed", question.pk)
        if _is_last(question):
            posting.say_if_possible(question, copy.FAILED)
        _settle(question, SlackState.FAILED if _is_last(question) else question.state, "error")


def _claim(question_id: UUID) -> SlackQuestion | None:
    now, claim = timezone.now(), uuid4().hex
    free = Q(worker="") | Q(lease_until__lt=now)
    claimed = SlackQuestion.objects.filter(free, pk=question_id, state__in=OPEN).update(
        worker=claim, lease_until=now + limits.LEASE, attempt=F("attempt") + 1
    )
    if not claimed:
        return None
    rows = SlackQuestion.objects.select_related("connection__organization", "member__organization")
    return rows.filter(pk=question_id, worker=claim).first()


def _put(question: SlackQuestion) -> None:
    """Puts the question for the member behind the Slack user; others get a link, or a sentence that helps."""
    link = link_of(question.connection, question.slack_user_id)
    if link is None:
        if question.connection.organization.is_active:
            _offer_link(question)
        else:
            _refuse(question)
        return
    if not question.text or len(question.text) > limits.MAX_QUESTION:
        sentence = copy.LONG_QUESTION.format(limit=limits.MAX_QUESTION) if question.text else copy.EMPTY_QUESTION
        posting.tell_privately(question, sentence.format(command=settings.SLACK_COMMAND))
        _settle(question, SlackState.DECLINED, "nothing to ask")
        return
    try:
        asked = _asked(question, link)
    except ProductError as error:
        posting.tell_privately(question, error.message)
        _settle(question, SlackState.DECLINED, error.code)
        return
    logger.info("question %s from Slack is run %s", question.pk, asked.run_id)
    if desk().answered(member=link.member, run_id=asked.run_id) is not None:
        question_answer(question.pk)
    elif question.kind == "mention":
        posting.say_if_possible(question, copy.ACKNOWLEDGED)


def _asked(question: SlackQuestion, link: SlackLink) -> Asked:
    """One transaction: the question is the product's and this row knows its run, or neither."""
    with transaction.atomic():
        asked = desk().ask(member=link.member, prompt=question.text, thread_id=_earlier_thread(question, link))
        question.member, question.run_id, question.thread_id = link.member, asked.run_id, asked.thread_id
        question.text = question.text if question.kind == "command" else ""
        _settle(question, SlackState.ASKED)
    return asked


def _earlier_thread(question: SlackQuestion, link: SlackLink) -> UUID | None:
    """The product's thread of the same member in the same Slack thread: what is asked there follows on it."""
    if not question.thread_ts:
        return None
    earlier = SlackQuestion.objects.filter(
        connection=question.connection,
        channel_id=question.channel_id,
        thread_ts=question.thread_ts,
        member=link.member,
        thread_id__isnull=False,
    )
    found = earlier.order_by("-created_at").first()
    return found.thread_id if found else None


def _offer_link(question: SlackQuestion) -> None:
    address = link_address(question.connection, slack_user_id=question.slack_user_id, slack_name=question.slack_name)
    minutes = int(limits.LINK_LIFETIME / timedelta(minutes=1))
    sentence = copy.LINK_FIRST.format(product=settings.PRODUCT_NAME, url=address, minutes=minutes)
    posting.tell_privately(question, sentence)
    _settle(question, SlackState.DECLINED, "not linked")


def _tell(question: SlackQuestion, late: bool) -> None:
    """Tells the answer, once it is there and while its member may still see it."""
    link = link_of(question.connection, question.slack_user_id)
    if link is None or link.member_id != question.member_id or question.run_id is None:
        _refuse(question)
        return
    try:
        answer = desk().answered(member=link.member, run_id=question.run_id)
    except NotFound:
        _settle(question, SlackState.DECLINED, "the conversation was deleted")
        return
    if answer is None and late:
        _give_up(question)
        return
    if answer is None:
        _settle(question, SlackState.ASKED)
        return
    posting.tell_answer(question, answer)
    _settle(question, SlackState.ANSWERED)


def _refuse(question: SlackQuestion) -> None:
    """Says that whoever asks is not let in, or not any more."""
    posting.tell_privately(question, copy.NO_LONGER_MEMBER)
    _settle(question, SlackState.DECLINED, "not a member")


def _give_up(question: SlackQuestion) -> None:
    """Says that no answer will come here, to whoever still waits for one."""
    posting.tell_privately(question, copy.LATE)
    _settle(question, SlackState.FAILED, "late")


def _is_last(question: SlackQuestion) -> bool:
    return question.attempt >= limits.MAX_ATTEMPTS


def _settle(question: SlackQuestion, state: str, reason: str = "") -> None:
    """Says how the question stands, where it is still this worker's, and lets it go."""
    if state not in OPEN:
        question.text = ""
    wait = timezone.now() + limits.RESEND_AFTER if state in OPEN else None
    SlackQuestion.objects.filter(pk=question.pk, worker=question.worker).update(
        state=state,
        reason=reason[:300],
        text=question.text,
        member_id=question.member_id,
        run_id=question.run_id,
        thread_id=question.thread_id,
        posted_at=question.posted_at,
        attempt=0 if state == SlackState.ASKED and not reason else question.attempt,
        worker="",
        lease_until=wait,
    )
    question.state = state
