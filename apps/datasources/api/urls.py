from django.urls import path

from apps.datasources.api.views import (
    DictionaryUndoView,
    DictionaryView,
    DownloadView,
    ExplanationView,
    ExportView,
    FilesView,
    ProfileView,
    RetryView,
)

urlpatterns = [
    path("files", FilesView.as_view(), name="files"),
    path("files/profile", ProfileView.as_view(), name="file_profile"),
    path("files/dictionary", DictionaryView.as_view(), name="file_dictionary"),
    path("files/dictionary/undo", DictionaryUndoView.as_view(), name="file_dictionary_undo"),
    path("files/retry", RetryView.as_view(), name="file_retry"),
    path("files/download", DownloadView.as_view(), name="file_download"),
    path("files/export", ExportView.as_view(), name="file_export"),
    path("explanation", ExplanationView.as_view(), name="explanation"),
]
