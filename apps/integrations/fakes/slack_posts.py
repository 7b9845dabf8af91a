"""What the product put into Slack's stand-in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Posted:
    """A message somebody can see: `user` is set where only that one does."""

    channel: str
    text: str
    thread_ts: str = ""
    user: str = ""
    blocks: list[Any] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    unfurls: bool = True
    ts: str = ""


@dataclass
class Uploaded:
    """A file, shared once it has a channel."""

    name: str
    title: str
    content: bytes = b""
    channel: str = ""
    thread_ts: str = ""
