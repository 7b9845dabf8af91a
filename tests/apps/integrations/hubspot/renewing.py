"""Many workers that find the same token ended, on a database of their own: run by test_one_renewal as a process.

Prints JSON: how often HubSpot was asked for a token, the distinct tokens the workers got, and their errors.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta


def main(workers: int) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.local"
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection as database
    from django.utils import timezone

    from apps.accounts.models import Organization
    from apps.integrations.fakes.base import serving
    from apps.integrations.fakes.hubspot import FakeHubSpot
    from apps.integrations.fakes.names import HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET
    from apps.integrations.hubspot.connector import HubSpotConnector
    from apps.integrations.models import Connection
    from apps.integrations.services.tokens import access_token, tokens_seal

    call_command("migrate", verbosity=0)
    fake = FakeHubSpot()
    settings.HUBSPOT_CLIENT_ID, settings.HUBSPOT_CLIENT_SECRET = HUBSPOT_CLIENT_ID, HUBSPOT_CLIENT_SECRET
    with serving(fake) as url:
        settings.HUBSPOT_API_URL = url
        here = "http://localhost/hubspot-callback"
        tokens = HubSpotConnector().exchange(code=fake.grant(here), redirect_uri=here, verifier="")
        row = Connection(
            organization=Organization.objects.create(name="Acme"), service="hubspot", account_id=tokens.account_id,
            expires_at=timezone.now() - timedelta(seconds=1),
        )  # fmt: skip
        row.sealed = tokens_seal(row.pk, access_token=tokens.access_token, refresh_token=tokens.refresh_token)
        row.save()
        fake.expire_tokens()
        fake.log.clear()
        fake.fail("oauth.token", "slow", seconds=0.5)

        def work(_: int) -> str:
            try:
                return access_token(row.pk)
            finally:
                database.close()

        with ThreadPoolExecutor(workers) as pool:
            got = list(pool.map(work, range(workers)))
    print(json.dumps({"renewals": len(fake.calls("oauth.token")), "tokens": len(set(got)), "workers": len(got)}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
