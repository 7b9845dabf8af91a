"""JSON bodies that nothing could keep are the sender's error, whichever route they are sent to."""

from __future__ import annotations

from io import BytesIO

import pytest
from rest_framework.exceptions import ParseError

from apps.core.api.parsers import AnyJSONParser


@pytest.mark.parametrize(
    "body",
    [
        rb'{"code": "\ud800"}',
        rb'{"\uDFFF": 1}',
        rb'["\ude00\ud83d"]',
        b"{",
        b"[NaN]",
        b"\xff",
        b"[" * 100_000,
        b"[" * 101 + b"]" * 101,
        b'{"a":' * 101 + b"1" + b"}" * 101,
    ],
)
def test_what_is_no_text_or_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(ParseError):
        AnyJSONParser().parse(BytesIO(body))


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (rb'"\ud83d\ude00"', "\N{GRINNING FACE}"),
        (b" ", {}),
        (rb'["\\ud800"]', ["\\ud800"]),
        (b"[" * 3 + b"]" * 3, [[[]]]),
    ],
)
def test_pairs_nothing_and_backslashes_are_taken(body: bytes, value: object) -> None:
    assert AnyJSONParser().parse(BytesIO(body)) == value
