"""Threads, their tree of messages, the runs that answer questions, and the files of answers.

Constraints live here, behaviour does not: `services` write, `selectors` read.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.text import Truncator

from apps.core.models import TenantManager, UUIDModel


class Thread(UUIDModel):
    """One conversation of one member. `updated_at` is the last time something was asked or answered in it."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="threads"
    )
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="threads")
    summary = models.CharField(max_length=200)
    archived = models.BooleanField(default=False)
    deleted_at = models.DateTimeField(null=True, blank=True, db_index=True, editable=False)
    """When its owner deleted it: gone for everybody, and a moment later (`limits.DELETED_KEPT`) from the database."""
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager()

    class Meta:
        indexes = [
            models.Index(fields=["organization", "owner", "-updated_at"], name="thread_list"),
        ]

    def __str__(self) -> str:
        return self.summary


class RunState(models.TextChoices):
    """Where a run is. It moves queued -> running -> one of the last three, and never out of those."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


UNFINISHED = (RunState.QUEUED, RunState.RUNNING)


class RunKind(models.TextChoices):
    """What a run works on: an answer to its question, or the check of the answer that is there."""

    QUESTION = "question"
    VALIDATION = "validation"


class Run(UUIDModel):
    """The work of answering one question: durable, claimed under a lease, finished exactly once.

    Only `services.runs` (and `services.questions` and `services.readings`, which make it) writes rows of this table.
    `owner` is the claim's
    secret word: whoever does not know it any more has lost the run. `lease_until` is when the sweep looks after it: a
    running one is then taken to be lost, a queued one to have lost its message. A validation has the question of the
    run whose answer it checks (`validates`), and leaves the other approaches' answers with that run.
    """

    tenant_path = "thread__organization"

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="runs")
    question = models.ForeignKey("threads.Message", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=RunKind.choices, default=RunKind.QUESTION)
    validates = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="validations")
    state = models.CharField(max_length=9, choices=RunState.choices, default=RunState.QUEUED)
    attempt = models.PositiveSmallIntegerField(default=0)
    owner = models.CharField(max_length=64, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField()
    step_description = models.CharField(max_length=300, blank=True, default="")
    steps = models.JSONField(default=list, blank=True)
    text_so_far = models.TextField(blank=True, default="")
    data_sources = models.JSONField(null=True, blank=True)
    chosen_models = models.JSONField(default=list, blank=True)
    temperature = models.FloatField(default=1.0)
    error = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TenantManager()

    class Meta:
        indexes = [
            models.Index(fields=["thread", "-created_at"], name="run_of_thread"),
            models.Index(fields=["lease_until"], name="run_unfinished", condition=Q(state__in=UNFINISHED)),
            models.Index(fields=["finished_at"], name="run_finished"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["question"], condition=Q(state__in=UNFINISHED), name="run_one_unfinished_per_question"
            ),
            models.CheckConstraint(
                condition=Q(kind=RunKind.QUESTION, validates__isnull=True)
                | Q(kind=RunKind.VALIDATION, validates__isnull=False),
                name="run_validation_has_its_run",
            ),
            models.CheckConstraint(
                condition=~Q(state=RunState.RUNNING) | (Q(lease_until__isnull=False) & ~Q(owner="")),
                name="run_running_is_leased",
            ),
            models.CheckConstraint(
                condition=Q(state__in=UNFINISHED, finished_at__isnull=True)
                | (~Q(state__in=UNFINISHED) & Q(finished_at__isnull=False)),
                name="run_finished_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.state})"


class Role(models.TextChoices):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"


class Message(UUIDModel):
    """A node of a thread's tree. Several assistant children of one question are approaches; one of them is selected."""

    tenant_path = "thread__organization"

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="messages")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="messages")
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="children")
    role = models.CharField(max_length=9, choices=Role.choices)
    content = models.TextField(blank=True, default="")
    type = models.CharField(max_length=20, default="text")
    message_type = models.CharField(max_length=20, blank=True, default="")
    model = models.CharField(max_length=100, blank=True, default="")
    image_data = models.TextField(null=True, blank=True)
    user_specified_files = models.JSONField(default=list, blank=True)
    since_refreshed_files = models.JSONField(default=list, blank=True)
    answer = models.JSONField(null=True, blank=True)
    plan = models.JSONField(null=True, blank=True)
    rivals = models.JSONField(default=list, blank=True)
    reasoning_trace = models.TextField(blank=True, default="")
    consensus_group = models.CharField(max_length=20, null=True, blank=True)
    is_selected_assistant = models.BooleanField(default=False)
    is_best_answer = models.BooleanField(default=False)
    is_thumbs_up = models.BooleanField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager()

    class Meta:
        ordering = ["created_at", "id"]
        indexes = [models.Index(fields=["thread", "created_at"], name="message_tree")]
        constraints = [
            models.UniqueConstraint(
                fields=["parent"],
                condition=Q(role=Role.ASSISTANT, is_selected_assistant=True),
                name="message_one_selected_per_question",
            ),
            models.UniqueConstraint(
                fields=["run", "model"], condition=Q(role=Role.ASSISTANT), name="message_one_answer_per_run_and_model"
            ),
            models.CheckConstraint(
                condition=~Q(role=Role.ASSISTANT) | Q(parent__isnull=False), name="message_answer_has_its_question"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.content[:60]}"


class ProvenReason(models.TextChoices):
    """Why a question's plan counts as right, the weightiest last."""

    AGREED = "agreed"
    RATED = "rated"
    VERIFIED = "verified"


class ProvenQuestion(UUIDModel):
    """A question of the organization with the plan that people found right. It goes with the conversation it is from,
    unless somebody kept it for everybody and for always (`by`): then it has no conversation.

    `key` holds the words that tell questions apart (apps.analyst.conversation.memory).
    """

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="proven_questions"
    )
    message = models.ForeignKey(Message, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    question = models.TextField()
    key = models.TextField()
    plan = models.JSONField()
    reason = models.CharField(max_length=8, choices=ProvenReason.choices)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager()

    class Meta:
        ordering = ["-created_at"]
        verbose_name = "verified question"
        constraints = [models.UniqueConstraint(fields=["organization", "key"], name="proven_question_once")]

    def __str__(self) -> str:
        return self.question[:80]


class ModelUsage(UUIDModel):
    """What one language model took for one run, or for an admin's test. It stays when its thread is deleted: what was
    spent was spent. What was said does not (ModelTranscript)."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="model_usage"
    )
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="model_usage")
    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="model_usage")
    model = models.CharField(max_length=100)
    calls = models.PositiveIntegerField()
    input_tokens = models.PositiveIntegerField()
    output_tokens = models.PositiveIntegerField()
    cost = models.DecimalField(max_digits=12, decimal_places=6)
    seconds = models.FloatField()
    failed = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager()

    class Meta:
        ordering = ["-created_at"]
        verbose_name = "usage of a model"
        verbose_name_plural = "Models: usage"
        indexes = [models.Index(fields=["organization", "created_at"], name="model_usage_of_month")]

    def __str__(self) -> str:
        return f"{self.model}: {self.input_tokens} + {self.output_tokens}"


class ModelTranscript(UUIDModel):
    """Everything that a model was sent for a run, and what it replied: shown to whoever may see the thread, and to
    nobody else, so that it is no part of what the administration lists."""

    tenant_path = "usage__organization"

    usage = models.OneToOneField(ModelUsage, on_delete=models.CASCADE, related_name="transcript")
    turns = models.JSONField(help_text="Pairs of who said it (rules, form, us, model) and what.")

    objects = TenantManager()

    def __str__(self) -> str:
        return f"{len(self.turns)} turns"


class ModelBudget(UUIDModel):
    """What an organization may spend on language models in a calendar month, where that is not the setting's figure."""

    organization = models.OneToOneField(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="model_budget"
    )
    monthly = models.DecimalField(
        max_digits=12, decimal_places=2, help_text="in the currency of the prices; 0: no limit"
    )

    objects = TenantManager()

    class Meta:
        verbose_name = "monthly budget for models"
        verbose_name_plural = "Models: monthly budgets"

    def __str__(self) -> str:
        return f"{self.monthly:.2f} a month"


class ModelProvider(models.TextChoices):
    """Whose wire format a model speaks."""

    OPENAI = "openai", "OpenAI"
    ANTHROPIC = "anthropic", "Anthropic"
    GOOGLE = "google", "Google"


class OwnModel(UUIDModel):
    """A language model that an organization's admin has added, beside those of the installation."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="own_models"
    )
    provider = models.CharField(max_length=20, choices=ModelProvider.choices)
    model = models.CharField(max_length=90, help_text="its name at the provider")
    base_url = models.CharField(max_length=300, blank=True, default="", help_text="another address of OpenAI's format")
    sealed = models.TextField(help_text="the key; never shown again")
    input_price = models.DecimalField(max_digits=12, decimal_places=4, default=0, help_text="of a million tokens told")
    output_price = models.DecimalField(max_digits=12, decimal_places=4, default=0, help_text="of a million tokens said")
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager()

    class Meta:
        ordering = ["created_at"]
        verbose_name = "model of an organization"
        verbose_name_plural = "Models: added by organizations"
        constraints = [models.UniqueConstraint(fields=["organization", "model"], name="own_model_once")]

    def __str__(self) -> str:
        return self.model


class OwnModelBudget(UUIDModel):
    """What an organization's admins allow a month for the models that they added; the installation's have theirs."""

    organization = models.OneToOneField(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="own_model_budget"
    )
    monthly = models.DecimalField(max_digits=12, decimal_places=2, help_text="0: no limit")

    objects = TenantManager()

    def __str__(self) -> str:
        return f"{self.monthly:.2f} a month"


class ToldLevel(models.TextChoices):
    """How much of the data language models see (apps.analyst.approaches.models.told.Told)."""

    NAMES = "names", "names only"
    RANGES = "ranges", "names and ranges"
    VALUES = "values", "names and matching values"


class ModelPolicy(UUIDModel):
    """What an organization's admins decided about language models: what they see, and which one answers first."""

    organization = models.OneToOneField(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="model_policy"
    )
    told = models.CharField(max_length=10, choices=ToldLevel.choices, default=ToldLevel.VALUES)
    first = models.CharField(max_length=100, blank=True, help_text="The id of an approach; empty: nobody decided.")

    objects = TenantManager()

    def __str__(self) -> str:
        return self.get_told_display()


class RatedAnswer(Message):
    """An answer with a thumb, as the administration lists it."""

    class Meta:
        proxy = True
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return _asked(self)


class DeclinedAnswer(Message):
    """What was said where a question could not be answered, as the administration lists it."""

    class Meta:
        proxy = True
        ordering = ["-created_at"]
        verbose_name = "declined question"

    def __str__(self) -> str:
        return _asked(self)


def _asked(answer: Message) -> str:
    """The question, as the title of a page of the administration."""
    return Truncator(answer.parent.content if answer.parent is not None else "").chars(80, truncate="...")


class OutputFile(UUIDModel):
    """A file that belongs to an answer: a chart file as JSON text, or bytes in base64."""

    tenant_path = "message__thread__organization"
    ENCODINGS = (("plain", "plain"), ("base64", "base64"))

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="output_files")
    filename = models.CharField(max_length=255)
    mime_type = models.CharField(max_length=100)
    encoding = models.CharField(max_length=6, choices=ENCODINGS, default="plain")
    content = models.TextField()

    objects = TenantManager()

    class Meta:
        ordering = ["filename"]
        constraints = [models.UniqueConstraint(fields=["message", "filename"], name="output_file_name_once")]

    def __str__(self) -> str:
        return self.filename
