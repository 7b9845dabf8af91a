"""The numbers of asking and answering, each with its reason. Nothing here computes."""

from __future__ import annotations

from datetime import timedelta

DEFAULT_TEMPERATURE = 1.0
"""SPEC section 9."""
MAX_TEMPERATURE = 2.0
MAX_PROMPT = 10_000
"""Characters of one question."""
MAX_MODELS = 10
MAX_CHOSEN_FILES = 1_000
MAX_QUESTIONS_PER_THREAD = 100
"""The whole tree travels with every answer, and nests two levels a question."""
SUMMARY_LENGTH = 80
"""Characters of a thread's name in the list, made from its first question or given by its owner."""
DELETED_KEPT = timedelta(seconds=30)
"""So long a deleted thread can be had back. The screens offer it for 10 s (SPEC section 4: a toast that stays)."""
PURGED_AT_ONCE = 20
"""Deleted threads that one sweep removes: runs must not wait for it."""

LEASE = timedelta(seconds=45)
"""A claimed run whose worker says nothing for so long is taken to be lost. Longer than the longest query (30 s)."""
STEPS_AFTER_SECONDS = 0.25
"""Steps of work that is over before this are told with the answer: nobody could read them, and telling each costs a
tenth of what a short answer takes."""
WATCH_SECONDS = 1.0
"""So often a run that is worked on is looked after: its lease renewed, and the work ended that nobody waits for."""
READING_SECONDS = 20.0
"""Until a question must be read. Reading takes milliseconds; only tables of very many columns come near."""
LEARNING_SECONDS = 40.0
"""What reading may wait before it begins, where a process of its own has to learn tables of very many columns: 20,000,
the most by default, take it five seconds of a processor's time."""
OTHER_READINGS_SECONDS = 30.0
"""What computing other readings of an answer's part may take a request: it takes tenths of a second, and seconds only
over tables of very many columns."""
DEADLINE = timedelta(seconds=105)
"""Every run has ended after this and one sweep: within 115 s, before the page gives up at 40 polls of 3 s (SPEC 9)."""
REQUEUE_AFTER = timedelta(seconds=15)
"""A queued run that nobody claimed for so long is sent to the workers again: its message may be lost."""
MAX_ATTEMPTS = 3
"""A run that was alone on a worker which died is given up after so many of them."""
MAX_ATTEMPTS_IN_COMPANY = 6
"""Where others were on the worker as well, any of them may be why it died: an innocent run is not given up for it."""

FILES_AWAITED = 30.0
"""Seconds a question waits at most for files that its member has just brought: as long as reading one may take, and
shorter than the lease."""
ANSWERING_TAKES = 60.0
"""Seconds before its deadline in which a run waits for nothing: an answer may take so long."""
BUILTIN_TAKES = 15.0
"""Seconds before its deadline in which no model is asked any more: the built-in analyst answers in them."""
JOINS_AWAITED = 5.0
"""Seconds it then waits until the connections between the tables are found."""
AWAITING_PAUSE = 0.1

EXAMPLES = 3
"""Proven questions like the one asked that a model is told; more make the prompt longer than they help."""
EXAMPLES_ALIKE = 0.3
"""The share of their words that two questions have in common to be like each other."""
EXAMPLES_LOOKED_AT = 500
"""The newest of an organization, compared word by word for each question to a model."""
TURNS_READ = 8
"""How many earlier questions of the thread the engine is told."""
ROWS_IN_TEXT = 50
"""Rows of the table inside the Markdown text; the structured table holds more."""
ROWS_IN_ANSWER = 1_000

TICKET_SECONDS = 30
SESSION_CHECK_SECONDS = 3.5
"""An open socket's session is looked at this often, so that a signed-out one is closed within 5 s."""
SUGGESTIONS = 4
"""SPEC section 9: four example questions."""
SUGGESTIONS_TO_CHOOSE_FROM = 12
SUGGESTING_SECONDS = 10.0
"""What finding an organization's questions may take a worker, once for each version of its tables."""
SUGGESTIONS_AWAITED = 2.5
"""Seconds that the page waits for them; later visits find them."""
SUGGESTIONS_KEPT = 24 * 60 * 60
SUGGESTIONS_OF_HISTORY = 8
EXPECTED_EVERY = 20
"""Seconds until a page or a text in the making has very wide tables read ahead again."""
"""Proven questions, the newest first, of which one is always among the suggestions."""
QUESTIONS_OF_BROUGHT = 3
"""Questions that are told of files which were just brought."""
TRIED_OF_BROUGHT = 10
"""Questions that are answered to find those."""
BROUGHT_SECONDS = 30.0
"""What finding them may take a worker: each is answered before it is told."""
BROUGHT_FILES = 50
"""Files of one upload that are told of."""
PREVIEWS_A_MINUTE = 300
"""Of one member: five a second, which nobody types and pauses."""
PREVIEWS_AT_ONCE = 2
"""In one process: a preview that would wait for others comes too late to be of use."""
PREVIEW_SECONDS = 10.0
"""What reading a text that is being typed may take. It takes hundredths of a second, and seconds only where a process
has just begun: what is read for the first time then is kept for the next."""
