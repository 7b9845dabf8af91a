"""What comes round: sign-ins nobody finished, revocations whose time has come, refreshes that were lost or are due.

Every change is conditional, so sweeps of several processes may meet.
"""

from __future__ import annotations

from apps.integrations.google.connecting import tabs_sweep
from apps.integrations.hubspot.starting import scheduled_sweep, syncs_sweep, syncs_take_over
from apps.integrations.services.giving_back import revocations_sweep
from apps.integrations.services.states import sign_ins_forget
from apps.integrations.slack.linking import links_forget
from apps.integrations.slack.sending import questions_sweep


def take_over() -> None:
    """What the only process does at its start."""
    syncs_take_over()
    sweep()


def sweep() -> None:
    """Every few seconds."""
    sign_ins_forget()
    revocations_sweep()
    syncs_sweep()
    scheduled_sweep()
    links_forget()
    tabs_sweep()
    questions_sweep()
