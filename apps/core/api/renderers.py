"""How the API's answers are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer

from apps.core import deep_json


class DeepJSONRenderer(JSONRenderer):
    """The framework's JSON, also for threads so long that their tree is deeper than its encoder goes."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        try:
            return bytes(super().render(data, accepted_media_type, renderer_context))
        except RecursionError:
            return deep_json.dumps(data, default=self.encoder_class().default).encode()
