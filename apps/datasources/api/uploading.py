"""Receiving files: to disk as they arrive, never more of one than the limit, whatever is sent."""

from __future__ import annotations

import io
import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import TooManyFilesSent
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest
from rest_framework.request import Request

from apps.core.errors import Invalid, TooLarge
from apps.datasources.services.uploads import Incoming

logger = logging.getLogger("apps.datasources.uploads")


class BrokenFile(UploadedFile):
    """Stands for a file that the disk would not take."""


class BoundedUploadHandler(FileUploadHandler):
    """Writes each file to a temporary one. Past the limit of a file the rest is counted and thrown away, so that the
    other files of the upload still arrive; a full disk breaks the one file, not the request."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.received = 0
        try:
            self.file: UploadedFile = TemporaryUploadedFile(
                self.file_name or "", self.content_type, 0, self.charset, self.content_type_extra
            )
        except OSError:
            self._break()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.received += len(raw_data)
        if self.received > settings.UPLOAD_MAX_FILE_BYTES or isinstance(self.file, BrokenFile):
            return
        try:
            self.file.write(raw_data)
        except OSError:
            self._break()

    def file_complete(self, file_size: int) -> UploadedFile:
        try:
            self.file.flush()
            self.file.seek(0)
        except OSError:
            self._break()
        self.file.size = self.received
        return self.file

    def upload_interrupted(self) -> None:
        if hasattr(self, "file"):
            self.file.close()

    def _break(self) -> None:
        logger.exception("an upload could not be received")
        self.file = BrokenFile(io.BytesIO(), self.file_name)


def incoming_files(request: Request) -> list[Incoming]:
    """The files of a multipart body in their order, whatever their fields are called. Call it before anything else
    reads the body: they arrive through the bounded handler. Raises Invalid, TooLarge."""
    _bound(request._request)
    try:
        sent = [file for _, files in request.FILES.lists() for file in files]
    except TooManyFilesSent as error:
        raise TooLarge(
            f"At most {settings.UPLOAD_MAX_FILES} files can be uploaded at once.", code="too_many_files"
        ) from error
    if not sent:
        raise Invalid("Send at least one file, as multipart/form-data.", code="no_files")
    return [
        Incoming(name=file.name, size=file.size, content=file, broken=isinstance(file, BrokenFile)) for file in sent
    ]


def _bound(http: HttpRequest) -> None:
    http.upload_handlers = [BoundedUploadHandler(http)]
