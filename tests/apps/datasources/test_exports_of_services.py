"""What a connected service brings replaces its own earlier version, and nobody else's file."""

from __future__ import annotations

import pytest

from apps.datasources import files
from apps.datasources.models import Source, StoredFile
from apps.datasources.naming import name_key
from apps.datasources.services.exports import ExportRefused, export_keep
from tests.apps.datasources.conftest import SALES, read_waiting


def bring(cast, file_name="hubspot_deals.csv", owner=None, content=SALES, example=False):
    return export_keep(organization=cast.acme, owner=owner, file_name=file_name, content=content, example=example)


def planted(cast, upload, name: str) -> Source:
    """A member's file as an earlier version of the product let it in."""
    upload(("innocent.csv", SALES))
    Source.objects.update(file_name=name, name_key=name_key(name))
    return Source.objects.get()


@pytest.mark.parametrize("name", ["ｈubspot_deals.csv", "hubspot_deals.csv"])
def test_a_members_file_of_the_same_look_is_never_taken_over(cast, upload, name):
    source = planted(cast, upload, name)
    with pytest.raises(ExportRefused, match="brought by somebody else"):
        bring(cast)
    source.refresh_from_db()
    assert (source.owner, source.file_name, StoredFile.objects.count()) == (cast.ana, name, 1)


def test_an_own_earlier_version_is_replaced(cast):
    bring(cast)
    read_waiting()
    assert bring(cast, content=SALES + b"North,7,2024-04-01\n") is not None
    read_waiting()
    assert Source.objects.get().rows == 4


def test_a_sheet_of_another_member_is_never_taken_over(cast):
    bring(cast, "googlesheets_plan__tab__one.csv", cast.ana)
    with pytest.raises(ExportRefused):
        bring(cast, "googlesheets_plan__tab__one.csv", cast.ben)


def test_the_products_examples_give_way_to_a_real_export_and_never_come_back_over_it(cast):
    bring(cast, owner=cast.ana, example=True)
    assert bring(cast, content=SALES + b"North,7,2024-04-01\n") is not None
    read_waiting()
    with pytest.raises(ExportRefused):
        bring(cast, owner=cast.ana, example=True)


def test_look_alikes_of_the_prefix_are_refused_at_upload(upload):
    told = upload(("ｈubspot_deals.csv", SALES))
    assert told["failed_uploads"] == 1
    assert "Please remove the prefix: hubspot_" in str(told)


def test_the_same_bytes_bring_back_a_source_whose_original_is_lost(cast):
    bring(cast)
    read_waiting()
    assert bring(cast) is None
    files.discard([Source.objects.get().stored.key])
    assert bring(cast) is not None
    read_waiting()
    assert files.is_there(Source.objects.get().stored.key)
