"""What is pushed to whom: the snapshot that a poll would give, to the member who asked.

The end of a run is also told to where its question may have come from.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db import transaction

from apps.core import deep_json
from apps.core.live import push, user_group
from apps.integrations.slack.sending import run_ended
from apps.threads.models import UNFINISHED, Run
from apps.threads.selectors import run_snapshot


def run_changed(run: Run, *, member_id: UUID) -> None:
    """Pushes the run's snapshot once the present transaction is committed."""
    transaction.on_commit(partial(_push_run, run, member_id))
    if run.state not in UNFINISHED:
        transaction.on_commit(partial(run_ended, run.pk), robust=True)


def _push_run(run: Run, member_id: UUID) -> None:
    # Written out here, in the worker: the socket layer copies what it carries, and a text costs nothing to copy.
    push(user_group(member_id), {"text": run_text(run)})


def run_text(run: Run) -> str:
    """What a socket carries of the run: the same snapshot as a poll's."""
    return deep_json.dumps({"type": "run", "run": run_snapshot(run)})
