"""JSON bodies that cannot hurt: a broken, too deep or non-finite one is the sender's error, never the server's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from apps.core.errors import TooLarge
from apps.core.sound_json import sound_json


class AnyJSONParser(BaseParser):
    """application/json in strict UTF-8; an empty body is an empty object."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        content = stream.read(limit + 1)
        if len(content) > limit:
            raise TooLarge(f"A request body may hold at most {limit // 1024} kB.")
        try:
            return sound_json(content)
        except ValueError as error:
            raise ParseError("The request body is not valid JSON.") from error
