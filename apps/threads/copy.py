"""What asking and answering says to people, word for word, with the section of the specification beside it."""

from __future__ import annotations

PROCESSING_FAILED = "Sorry, I'm having trouble processing your request. Please try again."
"""SPEC section 8: polling fails, or the run does."""
EMPTY_PROMPT = "Please type a question."
LONG_PROMPT = "Please shorten your question to {limit} characters."
LONG_THREAD = "This conversation has reached {limit} questions. Please start a new chat."
THREAD_NOT_FOUND = "This conversation is not available."
THREAD_NAMELESS = "A conversation needs a name."
THREAD_GONE = "This conversation was deleted for good."
DATA_CHANGED = {
    "refreshed": "Data refreshed since this thread was last used: {names}.",
    "replaced": "Data replaced since this thread was last used: {names}.",
    "removed": "Data removed since this thread was last used: {names}.",
}
"""SPEC section 2: the notice line; the second and third are said where people replaced or deleted the file."""
RUN_NOT_FOUND = "This question is not available."
MESSAGE_NOT_FOUND = "This message is not available."
UNKNOWN_FILES = "These files are no longer available: {names}. Please choose again."
VALIDATION_FAILED = "Error validating message. Please refresh and try again."
"""SPEC section 8: the validation fails."""
BUDGET_SPENT = (
    "Your organization's budget for language models is spent for this month, so the built-in analyst answered."
)
BUDGET_SPENT_FOR_CHECKS = "Your organization's budget for language models is spent for this month."
NO_MODEL_ANSWERED = "None of the chosen models gave an answer."
NOTHING_TO_CHECK = "There is no figure in this answer that could be checked."
RUN_NOT_FINISHED = "This question is still being worked on."
NOT_AN_ANSWER = "Only an answer to this question can be selected."
NOT_RATEABLE = "Only answers can be rated."
READING_TOOK_TOO_LONG = (
    "Reading this question over all your data took too long, so I give no number. "
    "Choose the files that it is about and ask again."
)
OTHER_READINGS_TOOK_TOO_LONG = (
    "Computing the other readings took too long. Ask again about the files that the question is about."
)
READING_FIRST = "Reading {names} first"
STILL_READ = "{names} {were} still being read and cannot be part of this answer yet. Please ask again in a moment."
NOT_READABLE = "{names} could not be read and cannot be part of this answer. Manage Data shows the reason."
NEWER_VERSION = "{name} (its newer version)"
NO_SUCH_COLUMN = "sort must be the place of one of the table's columns, direction ascending or descending."
NO_SUCH_READING = "This part of the answer has no such reading."
READING_GONE = "The data has changed since: this reading gives no answer any more. Please ask again."
NOT_TEACHABLE = "This choice cannot be kept for always."
MODELS_FULL = "An organization can add {most} models. Remove one first."
TOLD_UNKNOWN = "Models may see names only, names and ranges, or names and matching values."
FIRST_UNKNOWN = "This model is not one of those that can be asked. Choose another."
MODEL_TWICE = "A model of this name has been added already. Remove it first to change its key or price."
MODEL_GONE = "This model has been removed."
MODEL_TRIED = {
    "right": "It answered the test question correctly.",
    "wrong": "It answered the test question with a wrong figure. A larger model may do better.",
    "no query": "It answered, but not with a query that can be computed. A larger model may do better.",
}
PROVIDER_UNKNOWN = "Choose a provider: OpenAI, Anthropic, Google, or an address of OpenAI's format."
PRICE_ODD = "A price is a figure from 0 on, for a million tokens."
BUDGET_ODD = "A budget is a figure from 0 on; 0 is no limit."
ADDRESS_ONLY_OPENAI = "Only a model of OpenAI's format can have an address of its own."
KEY_NEEDED = "The provider's key is needed."
