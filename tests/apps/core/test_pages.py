"""What a page's script is told before it asks the API anything."""

from __future__ import annotations

import json
import re


def test_the_chat_is_told_the_limit_of_a_file_as_it_is_set(client, settings):
    settings.UPLOAD_MAX_FILE_BYTES = 50 * 1024 * 1024
    page = client.get("/chat").content.decode()
    [data] = re.findall(r'<script id="page-data"[^>]*>(.*?)</script>', page)
    assert json.loads(data)["uploadMaxBytes"] == 50 * 1024 * 1024
