"""What the routes take and give, for the schema. The values are made in `selectors` and `answers`, in one place each;
a test holds these shapes against them.
"""

from __future__ import annotations

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from apps.threads.api.model_serializers import HeldSerializer


class AskSerializer(serializers.Serializer):
    """POST /ask: one path, six meanings (see `commands`)."""

    prompt = serializers.CharField(required=False)
    thread_id = serializers.UUIDField(required=False, allow_null=True)
    run_id = serializers.UUIDField(required=False)
    parent_message_id = serializers.UUIDField(required=False, allow_null=True)
    models = serializers.ListField(child=serializers.CharField(), required=False, allow_null=True)
    temperature = serializers.FloatField(required=False)
    user_specified_files = serializers.ListField(child=serializers.CharField(), required=False)
    give = serializers.ChoiceField(choices=["threads"], required=False)
    should_validate = serializers.BooleanField(required=False)
    selected_assistant_message_id = serializers.UUIDField(required=False)
    organization = serializers.CharField(required=False, help_text="Accepted and not read.")


class AskReceiptSerializer(serializers.Serializer):
    """A question was taken."""

    thread_id = serializers.UUIDField()
    run_id = serializers.UUIDField()
    user_message_id = serializers.UUIDField()
    data_sources_being_accessed = serializers.ListField(child=serializers.CharField(), allow_null=True)


class ThreadRowSerializer(serializers.Serializer):
    """A line of the history."""

    thread_id = serializers.UUIDField()
    summary = serializers.CharField()
    updated_at = serializers.FloatField(help_text="seconds since the epoch")
    archived = serializers.BooleanField()


class StepSerializer(serializers.Serializer):
    """One thing the engine did."""

    label = serializers.CharField()  # type: ignore[assignment]
    detail = serializers.CharField(allow_blank=True)


class KeptKeywordSerializer(serializers.Serializer):
    """A keyword that would settle a choice for the organization: POST /preferences keeps it."""

    term = serializers.CharField()
    definition = serializers.CharField()


class ChoiceSerializer(serializers.Serializer):
    """A way to go on that a person can click."""

    label = serializers.CharField()  # type: ignore[assignment]
    question = serializers.CharField()
    keyword = KeptKeywordSerializer(allow_null=True)
    kind = serializers.ChoiceField(
        choices=["", "meaning", "rewrite"], help_text="of a refusal: what an unread word may mean, or a near question"
    )
    teaches = serializers.CharField(allow_null=True, help_text="what Always would teach; null where it cannot")
    lesson = serializers.JSONField(allow_null=True, help_text="kept for Always: PUT /answers/readings names the choice")
    figure = serializers.CharField(allow_blank=True, help_text="what it comes to, in a few words")


class HeadlineSerializer(serializers.Serializer):
    """The one figure an answer comes down to."""

    value = serializers.JSONField(allow_null=True)
    text = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    unit = serializers.CharField(allow_null=True)
    change = serializers.FloatField(allow_null=True)
    change_text = serializers.CharField(allow_blank=True)
    good_direction = serializers.ChoiceField(choices=["up", "down", "unknown"])


class TableColumnSerializer(serializers.Serializer):
    """A column of an answer's table."""

    name = serializers.CharField()
    type = serializers.ChoiceField(choices=["text", "integer", "decimal", "float", "boolean", "date", "datetime"])
    kind = serializers.ChoiceField(choices=["dimension", "measure"])
    unit = serializers.CharField(allow_null=True)
    grain = serializers.CharField(allow_null=True)


class AnswerTableSerializer(serializers.Serializer):
    """An answer's table; `total_rows` counts those that are not shown, too."""

    columns = TableColumnSerializer(many=True)
    rows = serializers.ListField(child=serializers.ListField(child=serializers.JSONField(allow_null=True)))
    total_rows = serializers.IntegerField()


class SourceUseSerializer(serializers.Serializer):
    """A table an answer stands on."""

    name = serializers.CharField()
    file_name = serializers.CharField()
    rows = serializers.IntegerField()
    refreshed_at = serializers.CharField(allow_null=True)


class EvidenceSerializer(serializers.Serializer):
    """How an answer came about."""

    sources = SourceUseSerializer(many=True)
    plan_sentence = serializers.CharField(allow_blank=True)
    filters = serializers.ListField(child=serializers.CharField())
    definitions = serializers.ListField(child=serializers.CharField())
    joins = serializers.ListField(child=serializers.CharField())
    query = serializers.CharField(allow_blank=True)
    row_count = serializers.IntegerField()
    notes = serializers.ListField(child=serializers.CharField())


class PartingSerializer(serializers.Serializer):
    """The first step where an approach parts from the selected one."""

    step = serializers.ChoiceField(
        choices=["tables", "join", "filter", "date field", "grouping", "measure", "order", "rows"]
    )
    text = serializers.CharField()


class MemorySerializer(serializers.Serializer):
    """The proven question that an answer stands on."""

    question = serializers.CharField()
    text = serializers.CharField(help_text="the sentence to show")


class ChipSerializer(serializers.Serializer):
    """One part of how a question was read."""

    key = serializers.CharField(help_text="tells it from the others of its answer")
    part = serializers.ChoiceField(choices=["figure", "group", "order", "filter", "period", "files", "definition"])
    label = serializers.CharField()  # type: ignore[assignment]
    opens = serializers.BooleanField(help_text="whether GET /answers/readings has other readings of it")
    guessed = serializers.BooleanField(help_text="whether readings that come close differ in it")


class SpanSerializer(serializers.Serializer):
    """Characters of the question, from `start` up to `end`."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()


class ReadAsSerializer(serializers.Serializer):
    """How a question was read, and which of its words found no place."""

    chips = ChipSerializer(many=True)
    unread = SpanSerializer(many=True)
    asked = SpanSerializer(allow_null=True, required=False, help_text="of a refusal: the word that it asks for")


class GroundsSerializer(serializers.Serializer):
    """What a check found out about an answer: its figures and its reading, told apart."""

    state = serializers.ChoiceField(choices=["confirmed", "unconfirmed", "doubted", "disputed"])
    doubts = serializers.ListField(child=serializers.CharField(), help_text="to be said first")
    recomputed = serializers.CharField(help_text="how the figures stand")
    read = serializers.CharField(help_text="how the reading of the question stands")


class AnswerPartsSerializer(serializers.Serializer):
    """The structured answer that the page draws."""

    status = serializers.ChoiceField(choices=["answered", "clarify", "declined"])
    text = serializers.CharField()
    headline = HeadlineSerializer(allow_null=True)
    table = AnswerTableSerializer(allow_null=True)
    assumptions = serializers.ListField(child=serializers.CharField())
    choices = ChoiceSerializer(many=True)
    follow_ups = serializers.ListField(child=serializers.CharField())
    evidence = EvidenceSerializer()
    steps = StepSerializer(many=True)
    seconds = serializers.FloatField()
    approach = serializers.CharField()
    approach_name = serializers.CharField(help_text="for people")
    parting = PartingSerializer(allow_null=True)
    check = GroundsSerializer(allow_null=True, help_text="null before a check")
    held = HeldSerializer(allow_null=True, required=False)
    told_to = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="models told something for it"
    )
    instead = serializers.CharField(
        required=False, allow_blank=True, help_text="why no language model answered that was asked for"
    )
    memory = MemorySerializer(allow_null=True)
    read_as = ReadAsSerializer(allow_null=True)


class RefreshedFileSerializer(serializers.Serializer):
    """A source that was refreshed, replaced or removed, and when."""

    file_name = serializers.CharField()
    time_of_update = serializers.CharField()
    change = serializers.ChoiceField(choices=["refreshed", "replaced", "removed"])


class OutputFileSerializer(serializers.Serializer):
    """A file of an answer."""

    filename = serializers.CharField()
    mime_type = serializers.CharField()
    encoding = serializers.ChoiceField(choices=["plain", "base64"])
    content = serializers.CharField()


class MessageMetadataSerializer(serializers.Serializer):
    """What was decided about an answer."""

    is_thumbs_up = serializers.BooleanField(allow_null=True)
    is_selected_assistant = serializers.BooleanField()
    is_best_answer = serializers.BooleanField()
    consensus_group = serializers.CharField(allow_null=True)
    reasoning_trace = serializers.CharField(allow_null=True)


class MessageSerializer(serializers.Serializer):
    """A message with the replies to it, which are messages again."""

    message_id = serializers.UUIDField()
    run_id = serializers.UUIDField()
    parent_message_id = serializers.UUIDField(allow_null=True)
    role = serializers.ChoiceField(choices=["user", "assistant"])
    content = serializers.CharField(allow_blank=True)
    type = serializers.CharField()
    message_type = serializers.CharField(allow_null=True)
    model = serializers.CharField(allow_null=True)
    created_at = serializers.FloatField(help_text="seconds since the epoch")
    image_data = serializers.CharField(allow_null=True)
    since_refreshed_files = RefreshedFileSerializer(many=True)
    metadata = MessageMetadataSerializer()
    output_files = OutputFileSerializer(many=True)
    user_specified_files = serializers.ListField(child=serializers.CharField())
    answer = AnswerPartsSerializer(allow_null=True)
    run_status = serializers.CharField(allow_null=True, help_text="how the last run of a question ended")
    run_error = serializers.CharField(allow_null=True)
    children = serializers.ListField(child=serializers.DictField())


class RunSnapshotSerializer(serializers.Serializer):
    """A run as poll, load and push tell it."""

    thread_id = serializers.UUIDField()
    run_id = serializers.UUIDField()
    user_message_id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=["question", "validation"])
    validates = serializers.UUIDField(allow_null=True, help_text="the run whose answer a validation checks")
    status = serializers.ChoiceField(choices=["queued", "running", "completed", "failed", "cancelled"])
    step_description = serializers.CharField(allow_blank=True)
    steps = StepSerializer(many=True)
    text_so_far = serializers.CharField(
        allow_blank=True, help_text="the answer's text as far as it is written and its figures were found in the result"
    )
    data_sources_being_accessed = serializers.ListField(child=serializers.CharField(), allow_null=True)
    created_at = serializers.FloatField()
    started_at = serializers.FloatField(allow_null=True)
    finished_at = serializers.FloatField(allow_null=True)
    error = serializers.CharField(allow_null=True)
    messages = MessageSerializer(many=True, allow_null=True)


class ThreadSerializer(serializers.Serializer):
    """A thread as it is opened, with its run where one is at work."""

    thread_id = serializers.UUIDField()
    status = serializers.CharField()
    messages = MessageSerializer(many=True)
    since_refreshed_files = RefreshedFileSerializer(many=True)
    run = RunSnapshotSerializer(allow_null=True)
    validation = RunSnapshotSerializer(allow_null=True)


ASK_ANSWERS = PolymorphicProxySerializer(
    component_name="AskAnswer",
    serializers=[AskReceiptSerializer, RunSnapshotSerializer, ThreadSerializer, ThreadRowSerializer(many=True)],
    resource_type_field_name=None,
)


class TicketSerializer(serializers.Serializer):
    """What opens the socket."""

    ticket = serializers.CharField()
    expires_in = serializers.IntegerField(help_text="seconds")


class SuggestionSerializer(serializers.Serializer):
    """An example question."""

    suggested_question = serializers.CharField()
