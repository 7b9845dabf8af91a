"""JSON bodies that cannot hurt: a broken, too deep or non-finite one is the sender's error, never the server's."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from apps.core.errors import TooLarge

HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""The escape of half a character. Two make one; one alone is in no encoding, so that nothing could keep or say it."""


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


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
            text = content.decode("utf-8")
            value = json.loads(text, parse_constant=_refuse_constant) if text.strip() else {}
            if HALF.search(text):
                json.dumps(value, ensure_ascii=False).encode("utf-8")
            return value
        except (ValueError, RecursionError) as error:
            raise ParseError("The request body is not valid JSON.") from error
