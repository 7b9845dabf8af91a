"""For how long browsers keep static files."""

import re
from collections.abc import MutableMapping


def immutable(path: str, url: str) -> bool:
    """What carries its content's hash in its name, by webpack or by collectstatic: browsers may keep it for ever."""
    return re.search(r"\.(?:[0-9a-f]{8}|[0-9a-f]{12})\.\w+$", url) is not None


def keep_fonts(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """A font keeps its name, by which pages ask for it beforehand: a browser keeps it for a week."""
    if url.endswith(".woff2"):
        headers["Cache-Control"] = "max-age=604800, public"
