"""Sources in the Django admin: an admin's own organization, and deletion as the product does it."""

from __future__ import annotations

from django.urls import reverse

from apps.accounts.dashboard import size
from apps.datasources import files
from apps.datasources.models import DataTable, Source, StoredFile
from tests.apps.datasources.conftest import SALES
from tests.cast import cookie_client


def test_an_admin_sees_and_deletes_the_own_organizations_sources_only(upload, cast, django_capture_on_commit_callbacks):
    upload(("ours.csv", SALES))
    upload(("theirs.csv", SALES), by=cast.gus)
    ours, theirs = Source.objects.get(file_name="ours.csv"), Source.objects.get(file_name="theirs.csv")
    path = files.local_path(ours.stored.key)
    ada = cookie_client(cast.ada)
    page = ada.get(reverse("admin:datasources_source_changelist")).content.decode()
    assert "ours.csv" in page
    assert "theirs.csv" not in page
    assert size(ours.stored.size) in page
    record = ada.get(reverse("admin:datasources_source_change", args=[ours.pk])).content.decode()
    assert "File name:" in record
    assert "Retryable" not in record  # for the product's own screens to act on
    for source, gone in ((theirs, False), (ours, True)):
        with django_capture_on_commit_callbacks(execute=True):
            ada.post(reverse("admin:datasources_source_delete", args=[source.pk]), {"post": "yes"})
        assert Source.objects.filter(pk=source.pk).exists() is not gone
    assert not path.exists()
    assert (StoredFile.objects.count(), DataTable.objects.count()) == (1, 1)


def test_several_are_deleted_with_their_bytes(upload, cast, django_capture_on_commit_callbacks):
    upload(("a.csv", SALES), ("b.csv", SALES))
    paths = [files.local_path(stored.key) for stored in StoredFile.objects.all()]
    chosen = [str(source.pk) for source in Source.objects.all()]
    with django_capture_on_commit_callbacks(execute=True):
        cookie_client(cast.ada).post(
            reverse("admin:datasources_source_changelist"),
            {"action": "delete_selected", "_selected_action": chosen, "post": "yes"},
        )
    assert not Source.objects.exists()
    assert not any(path.exists() for path in paths)


def test_basic_members_stay_outside(upload, cast):
    upload(("a.csv", SALES))
    assert cookie_client(cast.ana).get(reverse("admin:datasources_source_changelist")).status_code == 302
