"""A member who asks the real engine about orders of one or several files, and takes other readings of the answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer, suggest
from apps.analyst.tables.catalog import catalog_from_files
from apps.datasources.catalog import described
from apps.datasources.models import DataTable, Source, StoredFile
from apps.threads import engine
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member

ORDERS = "order_id,region,net_amount,gross_amount,order_date,ship_date\n" + "\n".join(
    f"{n},{('North', 'South')[n % 2]},{10 * n},{12 * n},2024-0{1 + n % 6}-10,2024-0{2 + n % 6}-11" for n in range(1, 41)
)
ASKED = "Total net amount by region"
PATH = "/api/v3/answers/readings"


def asking(ana: Member, cast: Cast, tmp_path: Path, *names: str) -> Iterator[Member]:
    """Ana, an admin, with these files; each has ten orders fewer than the one before."""
    paths = [tmp_path / f"{name}.csv" for name in names]
    for number, path in enumerate(paths):
        path.write_text("\n".join(ORDERS.splitlines()[: 41 - 10 * number]), encoding="utf-8")
    catalog, warehouse = catalog_from_files(paths, tmp_path / "tables"), LocalWarehouse()
    engine.use(engine.Engine(answer, lambda _: catalog, warehouse, suggest, warehouse.close))
    cast.ana.role = "admin"
    cast.ana.save(update_fields=["role"])
    kept = {"organization": cast.acme, "owner": cast.ana}
    for table in catalog.tables():
        file = {"original_name": table.file_name, "name": table.file_name, "name_key": table.file_name}
        stored = StoredFile.objects.create(**kept, **file, key=table.name, size=1, state="done")
        of = {"file_name": table.file_name, "name_key": table.file_name}
        source = Source.objects.create(**kept, **of, stored=stored, group="uploaded", state="ready")
        named = {"name": table.name, "name_key": table.name, "rows": table.rows}
        DataTable.objects.create(organization=cast.acme, source=source, **named, profile=described(table))
    yield ana
    warehouse.close()


def asked(member: Member, prompt: str = ASKED) -> dict[str, Any]:
    """The answer's message with the ids that name it."""
    done = member.ask(prompt)
    said = done["messages"][0]["children"][0]
    assert said["answer"]["status"] == "answered", said["content"]
    return {**said, "about": {"thread_id": done["thread_id"], "message_id": said["message_id"]}}


def others(member: Member, said: dict[str, Any], chip: str) -> list[dict[str, Any]]:
    found = member.client.get(PATH, {**said["about"], "chip": chip})
    assert found.status_code == 200, found.content
    return list(found.json()["readings"])


def take(member: Member, said: dict[str, Any], chip: str, reading: dict[str, Any], **more: Any) -> Any:
    return member.post({**said["about"], "chip": chip, "reading": reading["key"], **more}, PATH)
