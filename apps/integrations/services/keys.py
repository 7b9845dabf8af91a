"""Which key opens what, and sealing everything anew with the first. Every model with a `sealed` field is looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models

from apps.integrations import crypto

BATCH = 500


def keys_list() -> list[dict[str, Any]]:
    """Each key by fingerprint with the rows it opens, the sealing one first; then the rows that none opens."""
    opened = Counter(crypto.key_of(row.sealed) for row in _sealed_rows())
    rows = [
        {"key": name, "seals": position == 0, "rows": opened[name]}
        for position, name in enumerate(map(crypto.fingerprint, settings.CREDENTIAL_KEYS))
    ]
    return [*rows, {"key": "none of them", "seals": False, "rows": opened[None]}] if opened[None] else rows


def keys_rotate(*, dry_run: bool = False) -> dict[str, Any]:
    """Seals with the first key what another one sealed. Rows that change meanwhile were sealed with it anyway."""
    first = crypto.fingerprint(settings.CREDENTIAL_KEYS[0])
    counted = {"resealed": 0, "unopenable": 0, "unchanged": 0}
    for row in _sealed_rows():
        key = crypto.key_of(row.sealed)
        if key is None:
            counted["unopenable"] += 1
        elif key == first:
            counted["unchanged"] += 1
        else:
            counted["resealed"] += 1
            if not dry_run:
                same: models.QuerySet[Any] = models.QuerySet(type(row)).filter(pk=row.pk, sealed=row.sealed)
                same.update(sealed=crypto.reseal(row.sealed))
    return {"key": first, "dry_run": dry_run, **counted}


def _sealed_rows() -> Iterator[Any]:
    for model in apps.get_models():
        if any(field.name == "sealed" for field in model._meta.concrete_fields):
            yield from models.QuerySet(model).only("pk", "sealed").iterator(chunk_size=BATCH)
