"""What comes round: sign-ins nobody finished, revocations whose time has come, refreshes that were lost or are due.

Every change is conditional, so sweeps of several processes may meet.
"""

from __future__ import annotations

from apps.integrations.google import connecting
from apps.integrations.hubspot import starting
from apps.integrations.services.giving_back import revocations_sweep
from apps.integrations.services.states import sign_ins_forget
from apps.integrations.slack.linking import links_forget
from apps.integrations.slack.sending import questions_sweep


def take_over() -> None:
    """What the only process does at its start."""
    starting.syncs_take_over()
    sweep()


def sweep() -> None:
    """Every few seconds."""
    sign_ins_forget()
    revocations_sweep()
    starting.syncs_sweep()
    starting.scheduled_sweep()
    links_forget()
    connecting.tabs_sweep()
    connecting.scheduled_sweep()
    questions_sweep()
