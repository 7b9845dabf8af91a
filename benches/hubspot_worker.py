"""One process of the HubSpot bench: connects, or works on a refresh and says in JSON what it took."""

from __future__ import annotations

import json
import os
import resource
import sys
import time


def main(what: str) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from apps.accounts.models import Organization
    from apps.integrations.hubspot.connector import HubSpotConnector
    from apps.integrations.hubspot.starting import sync_start
    from apps.integrations.hubspot.sync import sync_run
    from apps.integrations.models import Connection, HubSpotSync
    from apps.integrations.services.tokens import expiry, tokens_seal

    if what == "connect":
        call_command("migrate", verbosity=0)
        here = "http://localhost/hubspot-callback"
        tokens = HubSpotConnector().exchange(code=os.environ["HUBSPOT_CODE"], redirect_uri=here, verifier="")
        made = Connection(
            organization=Organization.objects.create(name="Bench"), service="hubspot", account_id=tokens.account_id,
            expires_at=expiry(tokens),
        )  # fmt: skip
        made.sealed = tokens_seal(made.pk, access_token=tokens.access_token, refresh_token=tokens.refresh_token)
        made.save()
        return
    sync = sync_start(Connection.objects.get())
    HubSpotSync.objects.filter(pk=sync.pk, state="running").update(lease_until=timezone.now())
    begun = time.monotonic()
    sync_run(sync.pk)
    sync.refresh_from_db()
    assert sync.state == "done", sync.error
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({
        "read": sync.read, "changed": sync.changed, "calls": sync.calls, "mib": peak,
        "seconds": time.monotonic() - begun,
    }))  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1])
