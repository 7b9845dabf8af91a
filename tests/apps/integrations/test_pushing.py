"""Who hears of a change of a connection: of the organization's its members, of a member's own that member alone."""

from __future__ import annotations

import pytest

from apps.core.live import organization_group, user_group
from apps.integrations import crypto
from apps.integrations.models import Connection, ConnectionState
from apps.integrations.services.marks import connection_mark
from tests.apps.datasources.test_pushing import listen


@pytest.mark.parametrize(("service", "own"), [("hubspot", False), ("slack", False), ("google", True)])
def test_a_change_is_heard_by_those_whose_connection_it_is(cast, django_capture_on_commit_callbacks, service, own):
    connection = Connection.objects.create(
        organization=cast.acme,
        member=cast.ana if own else None,
        service=service,
        account_id="1",
        sealed=crypto.seal("{}"),
    )
    groups = {
        "members": organization_group(cast.acme.pk),
        "ana": user_group(cast.ana.pk),
        "ben": user_group(cast.ben.pk),
        "foreign members": organization_group(cast.globex.pk),
        "gus": user_group(cast.gus.pk),
    }
    ears = {who: listen(group, f"test.{who.replace(' ', '.')}") for who, group in groups.items()}
    with django_capture_on_commit_callbacks(execute=True):
        connection_mark(connection.pk, ConnectionState.FAILED, "It failed.")
    heard = {who: events for who, ear in ears.items() if (events := ear())}
    assert heard == {"ana" if own else "members": [{"type": "connection", "service": service}]}
