"""Two organizations full of marked data, and the routes of the product as its URL configuration lists them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from apps.accounts.models import Invitation, Organization, User
from apps.datasources.models import DataTable, JoinTeaching, Source, StoredFile, Teaching
from apps.datasources.ways import End, Way
from apps.integrations import crypto
from apps.integrations.models import Connection, SheetTab, SlackLink, SlackLinkRequest, SlackQuestion
from apps.preferences.models import FileContext, OrganizationContext, PrivateColumn
from apps.threads.models import (
    Message,
    ModelBudget,
    ModelPolicy,
    ModelTranscript,
    ModelUsage,
    OutputFile,
    OwnModel,
    OwnModelBudget,
    ProvenQuestion,
    Run,
    Thread,
)


def routes() -> list[str]:
    """Every route as the URL configuration spells it, the included ones with their prefixes."""
    return sorted(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
    for pattern in patterns:
        spelt = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, spelt)
        else:
            yield spelt


@dataclass(frozen=True)
class Ids:
    """What a caller would have to name to reach somebody's data."""

    thread: str
    run: str
    question: str
    answer: str
    file_name: str
    chart: str
    own_model: str
    invitation: str
    colleague: str
    deleted_thread: str

    @classmethod
    def absent(cls) -> Ids:
        """Names of nothing, made like the real ones."""
        return cls(
            *(str(uuid.uuid4()) for _ in range(4)),
            "nothing of that name.csv",
            "no_chart.json",
            *(str(uuid.uuid4()) for _ in range(4)),
        )


COLUMN = {
    "name": "name", "type": "text", "role": "dimension", "unit": None, "distinct": 1, "missing": 0, "minimum": None,
    "maximum": None, "values": [], "values_complete": True, "unique": True,
}  # fmt: skip


@lru_cache
def _parquet(marker: str) -> bytes:
    """A table of one cell."""
    import duckdb

    with TemporaryDirectory() as folder:
        path = Path(folder) / "one.parquet"
        duckdb.sql("SELECT ? AS name", params=[marker]).write_parquet(str(path))
        return path.read_bytes()


def plant(organization: Organization, member: User, marker: str) -> Ids:
    """Fills an organization with one of everything, each text carrying the marker."""
    thread = Thread.objects.create(organization=organization, owner=member, summary=f"{marker} thread")
    deleted = Thread.objects.create(
        organization=organization, owner=member, summary=f"{marker} deleted", deleted_at=timezone.now()
    )
    run = Run(thread=thread, deadline_at=timezone.now() + timedelta(minutes=2))
    question = Message(thread=thread, run=run, role="user", content=f"{marker} question")
    run.question = question
    run.save()
    question.save()
    answer = Message.objects.create(
        thread=thread, run=run, parent=question, role="assistant", content=f"{marker} answer", model="builtin",
        is_selected_assistant=True, reasoning_trace=f"{marker} trace",
        answer={
            "text": f"{marker} answer",
            "table": {"columns": [{**COLUMN, "kind": "dimension"}], "rows": [[marker]], "total_rows": 1},
            "read_as": {"chips": [{"key": "figure:0", "part": "figure", "label": f"{marker} figure"}], "unread": []},
        },
        plan={"kind": "query", "source": f"{marker} plan", "measures": [
            {"label": "Rows", "expr": {"kind": "aggregate", "fn": "count"}}
        ]},
    )  # fmt: skip
    chart = OutputFile.objects.create(
        message=answer, filename=f"{marker}_chart.json", mime_type="application/json", content=f'"{marker}"'
    )
    usage = ModelUsage.objects.create(
        organization=organization, run=run, member=member, model=f"{marker} model", calls=1, input_tokens=1,
        output_tokens=1, cost=0, seconds=1, failed=True,
    )  # fmt: skip
    ModelTranscript.objects.create(usage=usage, turns=[["us", f"{marker} prompt"], ["model", f"{marker} reply"]])
    ModelPolicy.objects.create(organization=organization, told="names", first="builtin")
    PrivateColumn.objects.create(organization=organization, table_key=f"{marker} plan".casefold(), column="name")
    ModelBudget.objects.create(organization=organization, monthly=7)
    OwnModelBudget.objects.create(organization=organization, monthly=8)
    own = OwnModel.objects.create(
        organization=organization, provider="openai", model=f"{marker} own", sealed=crypto.seal(f"{marker} key")
    )
    ProvenQuestion.objects.create(
        organization=organization, message=answer, question=f"{marker} question", key=marker, plan={}, reason="rated"
    )
    Run.objects.filter(pk=run.pk).update(state="completed", finished_at=timezone.now())
    key = default_storage.save(f"planted/{uuid.uuid4().hex}", ContentFile(f"name\n{marker}\n".encode()))
    file_name = f"{marker} plan.csv"
    stored = StoredFile.objects.create(
        organization=organization, owner=member, original_name=file_name, name=file_name, name_key=file_name.casefold(),
        key=key, size=20, state="done",
    )  # fmt: skip
    source = Source.objects.create(
        organization=organization, stored=stored, owner=member, file_name=file_name, name_key=file_name.casefold(),
        group="uploaded", state="ready", rows=1, columns=1, report=[f"{marker} report"],
    )  # fmt: skip
    DataTable.objects.create(
        organization=organization, source=source, name=f"{marker} plan", name_key=f"{marker} plan".casefold(), rows=1,
        profile={"name": f"{marker} plan", "file_name": file_name, "path": "", "rows": 1, "columns": [COLUMN]},
        key=default_storage.save(f"planted/{uuid.uuid4().hex}", ContentFile(_parquet(marker))),
    )  # fmt: skip
    Teaching.objects.create(
        organization=organization, table_name=f"{marker} plan", name_key=f"{marker} plan".casefold(), column="name",
        number=1, after={"label": f"{marker} label"}, by=member,
    )  # fmt: skip
    JoinTeaching.objects.create(
        organization=organization, pair=Way(*(End(f"{marker} plan{of}", ("name",)) for of in ("", " of old"))).pair,
        one_key=f"{marker} plan".casefold(), other_key=f"{marker} plan of old".casefold(), number=1, after="refused",
        ends=[{"table": f"{marker} plan{of}", "columns": ["name"]} for of in ("", " of old")], by=member,
    )  # fmt: skip
    OrganizationContext.objects.update_or_create(
        organization=organization, defaults={"text": f"{marker} context", "keywords": [[f"{marker} word", "meaning"]]}
    )
    FileContext.objects.create(organization=organization, file_name=file_name, text=f"{marker} file context")
    invitation = Invitation.objects.create(
        organization=organization, email=f"{marker}@example.com", key_digest=uuid.uuid4().hex,
        expires_at=timezone.now() + timedelta(days=1),
    )  # fmt: skip
    Connection.objects.create(
        organization=organization, service="hubspot", account_id=f"{marker} account", account_name=f"{marker} name",
        sealed=crypto.seal("{}"), reason=f"{marker} reason",
    )  # fmt: skip
    _plant_personal(organization, member, source, marker)
    return Ids(
        thread=str(thread.pk),
        run=str(run.pk),
        question=str(question.pk),
        answer=str(answer.pk),
        file_name=file_name,
        chart=chart.filename,
        own_model=str(own.pk),
        invitation=str(invitation.pk),
        colleague=str(member.pk),
        deleted_thread=str(deleted.pk),
    )


def _plant_personal(organization: Organization, member: User, source: Source, marker: str) -> None:
    """The member's Google Sheets and Slack user, and a link that another Slack user was sent."""
    google = Connection.objects.create(
        organization=organization, member=member, service="google", account_id=f"{marker} google",
        account_name=f"{marker} mail", sealed=crypto.seal("{}"),
    )  # fmt: skip
    SheetTab.objects.create(
        organization=organization, connection=google, source=source, file_id=f"{marker} file", sheet_id=1,
        file_title=f"{marker} sheet", tab_title=f"{marker} tab", file_name=source.file_name, state="ready",
    )  # fmt: skip
    slack = Connection.objects.create(
        organization=organization, service="slack", account_id=f"T{organization.pk.hex}", sealed=crypto.seal("{}")
    )
    SlackLink.objects.create(
        organization=organization, connection=slack, member=member, slack_user_id="U1", slack_name=f"{marker} in Slack"
    )
    SlackQuestion.objects.create(
        organization=organization, connection=slack, member=member, delivery_id="Ev1", kind="mention", state="answered",
        slack_user_id="U1", channel_id="C1", text=f"{marker} from Slack", sealed=crypto.seal(""),
    )  # fmt: skip
    SlackLinkRequest.objects.create(
        organization=organization, connection=slack, slack_user_id="U2", expires_at=timezone.now() + timedelta(days=1),
        key_digest=uuid.uuid4().hex,
    )  # fmt: skip
