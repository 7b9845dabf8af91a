"""The numbers of Slack, each with its reason."""

from __future__ import annotations

from datetime import timedelta

MAX_QUESTION = 10_000
"""Characters of one question, as in the product."""
MAX_BODY = 1024 * 1024
"""Bytes of a request from Slack; theirs are far smaller."""
LINK_LIFETIME = timedelta(minutes=10)
"""How long the link for linking one's account is good."""
LEASE = timedelta(minutes=3)
"""How long a worker may be silent about a question from Slack."""
RESEND_AFTER = timedelta(seconds=10)
"""A question nobody took up for so long has perhaps lost its message."""
MAX_ATTEMPTS = 3
GIVE_UP_AFTER = timedelta(minutes=25)
"""Whoever asked is told then that no answer will come: Slack takes one to a command for half an hour."""
FORGOTTEN_AFTER = timedelta(hours=1)
"""A question whose asker could not be told so by then is let go without a word."""
KEPT = timedelta(days=7)
"""Finished questions are remembered so long, to know a late second delivery; the conversation is the product's."""
MOST_CHARTS = 2
"""Pictures of one answer."""
