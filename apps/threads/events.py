"""What is pushed to whom: the snapshot that a poll would give, to the member who asked. Nothing else."""

from __future__ import annotations

import json
from functools import partial
from uuid import UUID

from django.db import transaction

from apps.core.live import push, user_group
from apps.threads.models import Run
from apps.threads.selectors import run_snapshot


def run_changed(run: Run, *, member_id: UUID) -> None:
    """Pushes the run's snapshot once the present transaction is committed."""
    transaction.on_commit(partial(_push_run, run, member_id))


def _push_run(run: Run, member_id: UUID) -> None:
    # Written out here, in the worker: the socket layer copies what it carries, and a text costs nothing to copy.
    text = json.dumps({"type": "run", "run": run_snapshot(run)}, ensure_ascii=False, separators=(",", ":"))
    push(user_group(member_id), {"text": text})
