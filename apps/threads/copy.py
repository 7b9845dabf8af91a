"""What asking and answering says to people, word for word, with the section of the specification beside it."""

from __future__ import annotations

PROCESSING_FAILED = "Sorry, I'm having trouble processing your request. Please try again."
"""SPEC section 8: polling fails, or the run does."""
EMPTY_PROMPT = "Please type a question."
LONG_PROMPT = "Please shorten your question to {limit} characters."
LONG_THREAD = "This conversation has reached {limit} questions. Please start a new chat."
THREAD_NOT_FOUND = "This conversation is not available."
RUN_NOT_FOUND = "This question is not available."
MESSAGE_NOT_FOUND = "This message is not available."
UNKNOWN_FILES = "These files are no longer available: {names}. Please choose again."
VALIDATION_FAILED = "Error validating message. Please refresh and try again."
"""SPEC section 8: the validation fails."""
BUDGET_SPENT = (
    "Your organisation's budget for language models is spent for this month, so the built-in analyst answered."
)
BUDGET_SPENT_FOR_CHECKS = "Your organisation's budget for language models is spent for this month."
NOTHING_TO_CHECK = "There is no figure in this answer that could be checked."
RUN_NOT_FINISHED = "This question is still being worked on."
NOT_AN_ANSWER = "Only an answer to this question can be selected."
NOT_RATEABLE = "Only answers can be rated."
READING_TOOK_TOO_LONG = (
    "Reading this question over all your data took too long, so I give no number. "
    "Choose the files that it is about and ask again."
)
READING_FIRST = "Reading {names} first"
STILL_READ = "{names} {were} still being read and cannot be part of this answer yet. Please ask again in a moment."
NOT_READABLE = "{names} could not be read and cannot be part of this answer. Manage Data shows the reason."
NEWER_VERSION = "{name} (its newer version)"
NO_SUCH_COLUMN = "sort must be the place of one of the table's columns, direction ascending or descending."
NO_SUCH_READING = "This part of the answer has no such reading."
READING_GONE = "The data has changed since: this reading gives no answer any more. Please ask again."
NOT_TEACHABLE = "This choice cannot be kept for always."
