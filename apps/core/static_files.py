"""Static files under names that change with their content: browsers keep them for ever, and never a stale one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

BUNDLES = "bundles/"


class NamedByContent(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Compressed, and named by content where the build has not done so.

    Bundles stay as they are built: their names hold a hash (the fonts' do not), compressed copies lie beside them, and
    pages vouch for their bytes. A file that was not collected goes by its plain name: `manage.py doctor` says so, and
    pages stay up.
    """

    def post_process(self, paths: dict[str, Any], **options: Any) -> Iterator[Any]:
        others = {name: found for name, found in paths.items() if not name.startswith(BUNDLES)}
        yield from super().post_process(others, **options)

    def stored_name(self, name: str) -> str:
        return str(self.hashed_files.get(self.hash_key(self.clean_name(name)), name))
