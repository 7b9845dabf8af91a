"""What those who operate the product watch of the files: how many are read now, and how many could not be."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count

from apps.core.metrics import Figure
from apps.datasources.models import IngestionState, StoredFile


def figures() -> Iterator[Figure]:
    """Stored files by state of their reading."""
    files = dict(StoredFile.objects.values_list("state").annotate(files=Count("pk")))
    for state in IngestionState.values:
        yield Figure("files", "Stored files by state of their reading", files.get(state, 0), {"state": state})
