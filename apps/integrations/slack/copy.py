"""What is said to people in Slack and about Slack, word for word."""

from __future__ import annotations

ACKNOWLEDGED = "Working on it…"
LINK_FIRST = (
    "To answer you, {product} has to know who you are. Please open <{url}|this link> within {minutes} minutes, "
    "log in, and confirm. Then ask again."
)
EMPTY_QUESTION = (
    "Ask a question about your organization's data, for example: `{command} Which deals did we win last month?`"
)
NOT_CONNECTED = "This workspace is not connected with {product} any more. Please ask an admin of your organization."
NO_LONGER_MEMBER = "Your account is not active any more. Please ask an admin of your organization."
FAILED = "Sorry, I'm having trouble processing your request. Please try again."
"""SPEC section 8."""
LATE = "Sorry, your question could not be answered in time. Please ask again."
LONG_QUESTION = "Please shorten your question to {limit} characters."
MORE_ROWS = "{shown} of {total} rows."
MORE_COLUMNS = "{shown} of {total} columns."
OPEN_IN = "Open in {product}"
CHART_IN_MESSAGES = "The chart is in your direct messages with {product}."
CHART_ONLY_THERE = "The chart is in {product}: Slack did not take its picture."
ASKED = "*{question}*"

UNAVAILABLE = "Slack cannot answer at the moment. Please try again later."
CONNECT_AGAIN = "Slack does not accept the connection any more. Please connect the workspace again."
MISSING_SCOPE = "Slack did not allow something {product} needs. Please connect the workspace again and allow it."
CANNOT_POST = "Slack did not take the answer: {error}."
ENTERPRISE_INSTALL = "Please connect one workspace, not the whole Slack organization."
LINK_USED = "This link was used already or is too old. Please ask for a new one in Slack."
LINKED_ALREADY = "This Slack account is linked with another member."
