"""An answer as Slack shows it: text, the table as aligned characters, a link to the product's thread. Pure.

Cells, names and answers are data: what Slack would read as markup (&, <, >, a closing code fence) is written out, so
that nothing in a table can mention a channel, hide a link or leave its block.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.integrations.slack import copy
from apps.integrations.slack.desk import ShownTable

MAX_SECTION = 2_900
"""Slack takes 3,000 characters in a section."""
MAX_ROWS = 15
MAX_CELL = 28
MAX_LINE = 110
_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ESCAPED = re.compile(r"\\([\\`*_\[\]<>|!~#$])")
_REFERENCE = re.compile(r"<([^<>|]*)(?:\|([^<>]*))?>")


@dataclass(frozen=True, slots=True)
class Message:
    """What is posted: a plain text for notifications and readers, and the blocks that are shown."""

    text: str
    blocks: list[dict[str, Any]] = field(default_factory=list)


def escaped(text: str) -> str:
    """Text that was not written by us, without anything that Slack reads as markup of its own."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\x00", "")


def plain_question(text: str, *, bot_user_ids: Collection[str] = ()) -> str:
    """What somebody typed, as they see it: without the mention of the app, links and channels by their names."""
    for bot in bot_user_ids:
        text = text.replace(f"<@{bot}>", " ")
    named = _REFERENCE.sub(lambda found: found[2] or found[1].lstrip("#@!"), text)
    return " ".join(html.unescape(named).split())


def mrkdwn(markdown: str) -> str:
    """The product's Markdown in Slack's own way of writing; links keep their words only."""
    named = _LINK.sub(lambda found: found[1], markdown)
    bold = _BOLD.sub(lambda found: f"*{found[1]}*", escaped(named))
    return _ESCAPED.sub(lambda found: escaped(found[1]), bold).strip()


def answer_message(
    *, text: str, table: ShownTable | None, url: str, product: str, question: str = "", note: str = ""
) -> Message:
    """The message of an answer.

    Args:
        text: The answer in the product's Markdown.
        table: None where the text says all there is.
        url: The product's thread, which asks for a sign-in.
        question: Repeated above the answer where the channel does not show it.
        note: A line at the end, for example where the chart is.
    """
    said = mrkdwn(text)
    parts = [copy.ASKED.format(question=escaped(question))] if question else []
    parts.append(said)
    sections = [_section(part[:MAX_SECTION]) for part in parts if part]
    if table is not None:
        sections.append(_section(_code(table_text(table))))
    end = f"<{url}|{copy.OPEN_IN.format(product=escaped(product))}>"
    elements = [{"type": "mrkdwn", "text": f"{escaped(note)}  {end}" if note else end}]
    return Message(
        text=said[:MAX_SECTION] or copy.FAILED, blocks=[*sections, {"type": "context", "elements": elements}]
    )


def table_text(table: ShownTable) -> str:
    """The first rows in columns of their own; figures to the right; what does not fit is said."""
    rows = [[_cut(cell) for cell in row] for row in table.rows[:MAX_ROWS]]
    head = [_cut(name) for name in table.names]
    widths = [max(map(len, texts)) for texts in zip(head, *rows, strict=True)]
    fitting = _fitting(widths)
    lines = [_line(head, widths, table.right, fitting), "  ".join("-" * width for width in widths[:fitting])]
    lines += [_line(row, widths, table.right, fitting) for row in rows]
    if table.total_rows > len(rows):
        lines.append(copy.MORE_ROWS.format(shown=f"{len(rows):,}", total=f"{table.total_rows:,}"))
    if fitting < len(head):
        lines.append(copy.MORE_COLUMNS.format(shown=fitting, total=len(head)))
    return "\n".join(lines)


def _fitting(widths: Sequence[int]) -> int:
    total = 0
    for count, width in enumerate(widths):
        total += width + 2
        if total > MAX_LINE and count > 0:
            return count
    return len(widths)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool], fitting: int) -> str:
    padded = [
        cell.rjust(width) if to_right else cell.ljust(width)
        for cell, width, to_right in list(zip(cells, widths, right, strict=True))[:fitting]
    ]
    return "  ".join(padded).rstrip()


def _cut(text: str) -> str:
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= MAX_CELL else f"{line[: MAX_CELL - 1]}…"


def _code(text: str) -> str:
    """A code block that the text cannot leave."""
    room = MAX_SECTION - 8
    safe = escaped(text)
    return f"```\n{safe if len(safe) <= room else safe[: safe.rfind(chr(10), 0, room)]}\n```"


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}
