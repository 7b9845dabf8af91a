"""The shapes of the file routes, for the schema that the front end's types are made from."""

from __future__ import annotations

from rest_framework import serializers


class SourceSerializer(serializers.Serializer):
    """A source with its state."""

    file_name = serializers.CharField()
    display_name = serializers.CharField()
    group = serializers.ChoiceField(choices=["uploaded", "spreadsheet", "crm"])
    workbook = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(choices=["received", "reading", "ready", "failed"])
    step = serializers.CharField(allow_blank=True)
    rows_so_far = serializers.IntegerField()
    rows = serializers.IntegerField()
    columns = serializers.IntegerField()
    size = serializers.IntegerField()
    owner = serializers.CharField(allow_blank=True)
    uploaded_at = serializers.DateTimeField()
    refreshed_at = serializers.DateTimeField(allow_null=True)
    replaced_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_null=True)
    retryable = serializers.BooleanField()
    example = serializers.BooleanField()
    report = serializers.ListField(child=serializers.CharField())
    mine = serializers.BooleanField()


class FileContentSerializer(serializers.Serializer):
    """A file's content; `truncated` where only its beginning is sent."""

    filename = serializers.CharField()
    mime_type = serializers.CharField()
    content = serializers.CharField(allow_blank=True)
    encoding = serializers.ChoiceField(choices=["plain", "base64"])
    truncated = serializers.BooleanField(required=False)


class FileListingSerializer(serializers.Serializer):
    """All sources: their paths, and the same with their states. With `filename` a FileContent instead."""

    content = serializers.ListField(child=serializers.CharField())
    sources = SourceSerializer(many=True)


class UploadErrorSerializer(serializers.Serializer):
    """Why one file of an upload was not kept."""

    file = serializers.CharField()
    message = serializers.CharField()
    code = serializers.CharField()


class UploadSerializer(serializers.Serializer):
    """What became of an upload, file by file."""

    failed_uploads = serializers.IntegerField()
    sources = SourceSerializer(many=True)
    errors = UploadErrorSerializer(many=True)  # type: ignore[assignment]


class DeletedSerializer(serializers.Serializer):
    """A sentence that says what was done."""

    message = serializers.CharField()


class ColumnValueSerializer(serializers.Serializer):
    value = serializers.CharField()
    count = serializers.IntegerField()


class ColumnSerializer(serializers.Serializer):
    """A column's profile."""

    name = serializers.CharField()
    type = serializers.CharField()
    role = serializers.CharField()
    unit = serializers.CharField(allow_null=True)
    distinct = serializers.IntegerField()
    missing = serializers.IntegerField()
    unique = serializers.BooleanField()
    minimum = serializers.JSONField(allow_null=True)
    maximum = serializers.JSONField(allow_null=True)
    values = ColumnValueSerializer(many=True)
    histogram = serializers.ListField(child=serializers.IntegerField())


class SampleSerializer(serializers.Serializer):
    """The first rows of a table."""

    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.JSONField(allow_null=True)))


class ConnectionSerializer(serializers.Serializer):
    """A way from a table to another; `match_rate` is the share of the referring rows that find a partner."""

    columns = serializers.ListField(child=serializers.CharField())
    table = serializers.CharField()
    table_columns = serializers.ListField(child=serializers.CharField())
    match_rate = serializers.FloatField()
    refers = serializers.BooleanField()


class SourceTableSerializer(serializers.Serializer):
    """A table's profile."""

    name = serializers.CharField()
    rows = serializers.IntegerField()
    columns = ColumnSerializer(many=True)
    sample = SampleSerializer()
    connections = ConnectionSerializer(many=True)


class SourceProfileSerializer(serializers.Serializer):
    """A source with the profiles of its tables."""

    source = SourceSerializer()  # type: ignore[assignment]
    tables = SourceTableSerializer(many=True)


class TaughtSerializer(serializers.Serializer):
    """What people said, who did and when. `said` holds the fields that they filled in."""

    said = serializers.DictField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class ConceptSerializer(serializers.Serializer):
    """What a column may mean."""

    concept = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class ColumnMeaningSerializer(serializers.Serializer):
    """What a column means."""

    label = serializers.CharField()  # type: ignore[assignment]
    kind = serializers.ChoiceField(choices=["measure", "dimension", "time", "identifier", "flag", "text"])
    concept = serializers.CharField(allow_null=True)
    concept_label = serializers.CharField(allow_null=True)
    may_mean = ConceptSerializer(many=True)
    confidence = serializers.FloatField()
    adds = serializers.ChoiceField(choices=["sum", "average", "last"], allow_null=True)
    unit = serializers.CharField(allow_null=True)
    money = serializers.BooleanField()
    event = serializers.CharField(allow_blank=True)
    values = serializers.DictField(child=serializers.CharField())
    synonyms = serializers.ListField(child=serializers.CharField())
    value_synonyms = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))


class DictionaryColumnSerializer(ColumnMeaningSerializer):
    """A column's meaning as it holds, as it was found out, and what people taught."""

    name = serializers.CharField()
    found = ColumnMeaningSerializer()
    taught = TaughtSerializer(allow_null=True)


class TableMeaningSerializer(serializers.Serializer):
    """What the rows of a table are."""

    row = serializers.CharField()
    rows = serializers.CharField()
    key_column = serializers.CharField(allow_null=True)
    name_column = serializers.CharField(allow_null=True)
    date_column = serializers.CharField(allow_null=True)


class DictionaryTableSerializer(TableMeaningSerializer):
    """A table's meaning as it holds, as it was found out, and what people taught."""

    name = serializers.CharField()
    found = TableMeaningSerializer()
    taught = TaughtSerializer(allow_null=True)
    columns = DictionaryColumnSerializer(many=True)


class DictionarySerializer(serializers.Serializer):
    """What the tables of a source mean."""

    file_name = serializers.CharField()
    may_edit = serializers.BooleanField()
    tables = DictionaryTableSerializer(many=True)


class LessonSerializer(serializers.Serializer):
    """What is said about a table, or about one of its columns; an empty `said` takes everything back."""

    table = serializers.CharField()
    column = serializers.CharField(required=False, allow_blank=True)
    said = serializers.DictField()


class LessonUndoSerializer(serializers.Serializer):
    """The entry whose last change is taken back."""

    table = serializers.CharField()
    column = serializers.CharField(required=False, allow_blank=True)


class ExplanationSerializer(serializers.Serializer):
    """A context text for a file, or for the organization; or preferences."""

    explanation = serializers.CharField(allow_blank=True, required=False)
    file = serializers.CharField(required=False)
    user_preferences = serializers.CharField(required=False)
