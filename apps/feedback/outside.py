"""The outside endpoint: one multipart form a feedback, as its spreadsheet takes it (SPEC section 7)."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from secrets import token_hex

TIMEOUT_SECONDS = 15
MAX_ANSWER_BYTES = 65_536


class NotTaken(Exception):
    """The endpoint was not reached or refused; the message says which, without what was sent."""


def form_post(url: str, fields: Mapping[str, str]) -> None:
    """Posts the fields. Raises NotTaken unless the answer, after redirects, is a success."""
    boundary = token_hex(16)
    request = urllib.request.Request(  # noqa: S310 - the scheme is checked when the setting is read
        url,
        data=_multipart(fields, boundary),
        method="POST",
        headers={"Content-Type": f"multipart/form-data; boundary={boundary}", "Accept": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
            answer.read(MAX_ANSWER_BYTES)
    except urllib.error.HTTPError as error:
        error.close()
        raise NotTaken(f"The endpoint answered {error.code}.") from error
    except (OSError, HTTPException) as error:
        raise NotTaken(f"The endpoint was not reached: {type(error).__name__}.") from error


def _multipart(fields: Mapping[str, str], boundary: str) -> bytes:
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n'
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{value}\r\n"
        for name, value in fields.items()
    ]
    return ("".join(parts) + f"--{boundary}--\r\n").encode()
