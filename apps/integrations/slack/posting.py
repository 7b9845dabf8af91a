"""Putting messages where they belong in Slack: for the asker alone, in the thread, the chart's picture beside it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from apps.integrations import crypto
from apps.integrations.connector import ConnectorError
from apps.integrations.models import ConnectionState
from apps.integrations.services.marks import connection_mark
from apps.integrations.services.tokens import access_token, needs_sign_in
from apps.integrations.slack import client, copy, limits
from apps.integrations.slack.chart_file import NotDrawable, chart_file
from apps.integrations.slack.messages import Message, answer_message
from apps.integrations.slack.models import SlackKind, SlackQuestion

if TYPE_CHECKING:
    from apps.integrations.slack.desk import Answered

logger = logging.getLogger("apps.integrations.slack")


def tell_privately(question: SlackQuestion, text: str) -> None:
    """A sentence of ours for the asker alone. Raises ConnectorError."""
    _privately(question, Message(text=text))


def say_if_possible(question: SlackQuestion, text: str) -> None:
    """A sentence of ours for the asker alone; nothing is lost where Slack does not take it."""
    try:
        tell_privately(question, text)
    except ConnectorError as error:
        logger.info("a word to the asker was not taken: %s", error.code)


def tell_answer(question: SlackQuestion, answer: Answered) -> None:
    """The answer with its table and link, then the pictures of its charts. Raises ConnectorError for the text only.

    The time the text was taken is kept at once: whoever takes over after that sends no second one.
    """
    pictures = _pictures(answer)
    open_to_all = _open_to_all(question)
    note = copy.CHART_IN_MESSAGES if pictures and not open_to_all and question.kind != SlackKind.DIRECT else ""
    message = answer_message(
        text=answer.text,
        table=answer.table,
        url=f"{settings.PUBLIC_URL}/chat/c/{question.thread_id}",
        product=settings.PRODUCT_NAME,
        question=question.text if question.kind == SlackKind.COMMAND else "",
        note=note.format(product=settings.PRODUCT_NAME),
    )
    thread_ts = question.thread_ts
    if question.posted_at is None:
        if open_to_all:
            thread_ts = _openly(question, message)
        else:
            _privately(question, message)
        question.posted_at = timezone.now()
        SlackQuestion.objects.filter(pk=question.pk).update(posted_at=question.posted_at)
    if question.connection.state == ConnectionState.FAILED:
        connection_mark(question.connection_id, ConnectionState.CONNECTED)
    if pictures:
        _show(question, pictures, thread_ts, in_channel=open_to_all or question.kind == SlackKind.DIRECT)


def connection_failed(question: SlackQuestion, error: ConnectorError) -> None:
    """Says on the connection what Slack's refusal means for all questions, where it means something for all."""
    if error.needs_sign_in:
        needs_sign_in(question.connection_id, error.message)
    elif not error.permanent:
        connection_mark(question.connection_id, ConnectionState.FAILED, error.message)
    logger.info("a message for question %s was not taken: %s", question.pk, error.code)


def _open_to_all(question: SlackQuestion) -> bool:
    """Whether an admin lets everybody in a channel see what members ask there."""
    return bool(question.connection.extra.get("answers_in_channel")) and question.kind != SlackKind.DIRECT


def _token(question: SlackQuestion) -> str:
    return access_token(question.connection_id)


def _openly(question: SlackQuestion, message: Message) -> str:
    """Into the channel, in the thread; for the asker alone where Slack does not take it there. Returns the thread."""
    try:
        posted = _post(question, message, channel=question.channel_id, thread_ts=question.thread_ts)
    except client.SlackRefused as error:
        logger.info("an answer was not taken in its channel: %s", error.code)
        _privately(question, message)
        return question.thread_ts
    return question.thread_ts or posted


def _privately(question: SlackQuestion, message: Message) -> None:
    """Where a command waits for its answer it goes there; else it is shown to the asker alone, or sent to them."""
    if (address := crypto.unseal(question.sealed)) and _responded(address, message):
        return
    if question.kind == SlackKind.DIRECT:
        _post(question, message, channel=question.channel_id, thread_ts=question.thread_ts)
        return
    try:
        client.post_ephemeral(
            _token(question),
            channel=question.channel_id,
            user=question.slack_user_id,
            text=message.text,
            thread_ts=question.thread_ts,
            blocks=message.blocks,
        )
    except client.SlackRefused as error:
        logger.info("a message for one's eyes was not taken: %s", error.code)
        direct = client.open_conversation(_token(question), user=question.slack_user_id)
        _post(question, message, channel=direct, thread_ts="")


def _responded(address: str, message: Message) -> bool:
    try:
        client.respond(address, text=message.text, blocks=message.blocks)
    except ConnectorError as error:
        logger.info("a response address did not take its answer: %s", error.code)
        return False
    return True


def _post(question: SlackQuestion, message: Message, *, channel: str, thread_ts: str) -> str:
    return client.post_message(
        _token(question), channel=channel, text=message.text, thread_ts=thread_ts, blocks=message.blocks
    )


def _pictures(answer: Answered) -> list[tuple[str, bytes]]:
    """The answer's charts as pictures with their titles; what cannot be drawn stays in the product."""
    from apps.integrations.slack.pictures import chart_png

    drawn: list[tuple[str, bytes]] = []
    for content in answer.charts[: limits.MOST_CHARTS]:
        try:
            chart = chart_file(content)
            drawn.append((chart.title or "Chart", chart_png(chart)))
        except NotDrawable:
            logger.info("a chart was not drawn for Slack")
    return drawn


def _show(question: SlackQuestion, pictures: list[tuple[str, bytes]], thread_ts: str, *, in_channel: bool) -> None:
    """Files cannot be shown to one person in a channel: they go to the asker's direct messages there."""
    try:
        token = _token(question)
        channel = question.channel_id if in_channel else client.open_conversation(token, user=question.slack_user_id)
        for number, (title, content) in enumerate(pictures, start=1):
            client.upload_picture(
                token,
                channel=channel,
                thread_ts=thread_ts if in_channel else "",
                name=f"chart-{number}.png",
                title=title[:200],
                content=content,
            )
    except ConnectorError as error:
        logger.info("a picture for question %s was not taken: %s", question.pk, error.code)
        say_if_possible(question, copy.CHART_ONLY_THERE.format(product=settings.PRODUCT_NAME))
