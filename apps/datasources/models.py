"""Files as they came, the sources people see, and the tables made from them. Constraints only; `services` write.

A stored file is one upload. It gives one source, or one for each sheet of a workbook; each source has its tables.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.models import TenantManager, TimeStampedModel, UUIDModel


class IngestionState(models.TextChoices):
    """Where the reading of a stored file is: queued -> running -> done or failed; a rebuild queues it again."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class SourceState(models.TextChoices):
    """What people see of a source."""

    RECEIVED = "received"
    READING = "reading"
    READY = "ready"
    FAILED = "failed"


class SourceGroup(models.TextChoices):
    """The three groups of SPEC section 3, told by the prefix of the name."""

    UPLOADED = "uploaded"
    SPREADSHEET = "spreadsheet"
    CRM = "crm", "CRM"


class StoredFile(UUIDModel, TimeStampedModel):
    """The bytes of one upload, kept as they came under a random key, and the lease of the worker that reads them."""

    stored_keys = ("key",)
    stored_name = "original_name"

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="stored_files"
    )
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    original_name = models.CharField(max_length=255)
    name = models.CharField(max_length=255, help_text="The clean name: a workbook's is that of its first source.")
    name_key = models.CharField(max_length=255)
    key = models.CharField(max_length=100, unique=True)
    size = models.PositiveBigIntegerField()
    replaces = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replaced_by")
    example = models.BooleanField(default=False, help_text="Made by the product to be tried out.")

    state = models.CharField(max_length=10, choices=IngestionState.choices, default=IngestionState.QUEUED)
    attempt = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    ingested_at = models.DateTimeField(null=True, blank=True)

    objects = TenantManager()

    class Meta:
        indexes = [models.Index(fields=["state", "lease_until"], name="stored_file_lease")]

    def __str__(self) -> str:
        return self.original_name


class Source(UUIDModel):
    """One thing people can ask about, known by its file name."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="sources"
    )
    stored = models.ForeignKey(StoredFile, on_delete=models.CASCADE, related_name="sources")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    file_name = models.CharField(max_length=255)
    name_key = models.CharField(max_length=255, help_text="The name without regard to case (naming.name_key).")
    group = models.CharField(max_length=12, choices=SourceGroup.choices)
    state = models.CharField(max_length=10, choices=SourceState.choices, default=SourceState.RECEIVED)
    step = models.CharField(max_length=120, blank=True)
    rows_so_far = models.PositiveBigIntegerField(default=0)
    rows = models.PositiveBigIntegerField(default=0)
    columns = models.PositiveIntegerField(default=0)
    report = models.JSONField(default=list, blank=True)
    error = models.TextField(blank=True)
    retryable = models.BooleanField(default=False, help_text="Whether what failed may succeed when it is tried again.")
    uploaded_at = models.DateTimeField(default=timezone.now)
    refreshed_at = models.DateTimeField(null=True, blank=True)

    objects = TenantManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "name_key"], name="source_name_once")]

    def __str__(self) -> str:
        return self.file_name


class DataTable(UUIDModel, TimeStampedModel):
    """A typed table on disk with its profile. `name` is what questions and SQL call it."""

    stored_keys = ("key", "values_key")

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="tables"
    )
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="tables")
    name = models.CharField(max_length=255)
    name_key = models.CharField(max_length=255)
    rows = models.PositiveBigIntegerField()
    profile = models.JSONField(help_text="The engine's Table as JSON, without places on disk.")
    sample = models.JSONField(default=list)
    histograms = models.JSONField(default=dict)
    key = models.CharField(max_length=100)
    values_key = models.CharField(max_length=100, blank=True)

    objects = TenantManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "name_key"], name="table_name_once")]

    def __str__(self) -> str:
        return self.name


class RemovedSource(UUIDModel):
    """That a source of this name was taken away, and when last: conversations that it answered in say so."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="removed_sources"
    )
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    file_name = models.CharField(max_length=255)
    removed_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "file_name"], name="removed_source_once")]

    def __str__(self) -> str:
        return self.file_name


class CatalogState(UUIDModel):
    """The version of an organization's tables, and the joins found for one version of them.

    Its row is also the lock that everything which adds or removes sources of the organization takes first.
    """

    organization = models.OneToOneField(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="catalog_state"
    )
    version = models.PositiveBigIntegerField(default=0)
    joins = models.JSONField(default=list)
    joins_version = models.PositiveBigIntegerField(default=0)
    taught_version = models.PositiveBigIntegerField(default=0, help_text="Counts what people taught about the tables.")

    objects = TenantManager()

    def __str__(self) -> str:
        return f"Catalog of {self.organization_id}"


class Change(UUIDModel):
    """One change of what people say: who, when, whether it holds, and who took it back."""

    outlives_member = True

    current = models.BooleanField(default=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = TenantManager()

    class Meta:
        abstract = True


class Teaching(Change):
    """One change of what people say about a table or one of its columns: who, when, and the entry before and after.

    Names are texts, so that a table that is read anew or replaced by a newer file keeps what was said of it. Of the
    changes of one entry, the current one holds; one that was undone stays to be seen.
    """

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="teachings"
    )
    table_name = models.CharField(max_length=255)
    name_key = models.CharField(max_length=255, help_text="Of the table (naming.name_key).")
    column = models.CharField(max_length=255, blank=True, help_text="Empty: the table itself.")
    number = models.PositiveIntegerField(help_text="Counts the changes of the entry.")
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "name_key", "column", "number"], name="teaching_counted"),
            models.UniqueConstraint(
                fields=["organization", "name_key", "column"],
                condition=models.Q(current=True),
                name="teaching_holds_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_name}: {self.column}" if self.column else self.table_name


class JoinVerdict(models.TextChoices):
    """What people say of a way between two tables; empty says nothing, so that it is as it was found out."""

    CONFIRMED = "confirmed"
    REFUSED = "refused"
    DRAWN = "drawn"


class JoinTeaching(Change):
    """One change of what people say about a way between two tables: who, when, and the verdict before and after.

    Kept by the names of the columns at its ends, in no order, as `Teaching` is by a column's. Of the changes of one
    way, the current one holds.
    """

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="join_teachings"
    )
    pair = models.CharField(max_length=64, help_text="Tells the way from others (ways.Way.pair).")
    one_key = models.CharField(max_length=255, help_text="The table at one end (naming.name_key).")
    other_key = models.CharField(max_length=255, help_text="The table at the other end.")
    ends = models.JSONField(help_text="A table and its columns at each end.")
    number = models.PositiveIntegerField(help_text="Counts the changes of the way.")
    before = models.CharField(max_length=9, choices=JoinVerdict.choices, blank=True)
    after = models.CharField(max_length=9, choices=JoinVerdict.choices, blank=True)
    path = models.JSONField(null=True, blank=True, help_text="How the present data join; null where they do not.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "pair", "number"], name="join_teaching_counted"),
            models.UniqueConstraint(
                fields=["organization", "pair"], condition=models.Q(current=True), name="join_teaching_holds_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one_key} - {self.other_key}: {self.after}"
