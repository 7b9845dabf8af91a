"""Collected static files have names that change with their content, and compressed copies beside them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from whitenoise.middleware import WhiteNoiseMiddleware

SHEET = "a{color:red}" * 200


@pytest.fixture
def collected(settings: Any, tmp_path: Path) -> Path:
    """The folder of collected files, from a build with one bundle and a sheet that names a picture."""
    source, root = tmp_path / "source", tmp_path / "root"
    (source / "bundles").mkdir(parents=True)
    (source / "bundles" / "chat.6b4e2543.css").write_text(SHEET)
    (source / "bundles" / "inter.woff2").write_bytes(b"wOF2")
    (source / "plain.css").write_text(SHEET + "b{background:url(dot.svg)}")
    (source / "dot.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = str(root)
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "apps.core.static_files.NamedByContent"}}
    call_command("collectstatic", interactive=False, verbosity=0)
    return root


def test_a_file_is_served_under_a_name_of_its_content_and_so_is_what_it_names(collected: Path, settings: Any) -> None:
    address = staticfiles_storage.url("plain.css")
    assert settings.WHITENOISE_IMMUTABLE_FILE_TEST("", address)
    stored = collected / address.removeprefix("/static/")
    assert staticfiles_storage.url("dot.svg").removeprefix("/static/") in stored.read_text()
    assert gzip.decompress(stored.with_name(f"{stored.name}.gz").read_bytes()) == stored.read_bytes()


def test_what_the_build_has_named_keeps_its_name_and_its_bytes(collected: Path, settings: Any) -> None:
    address = staticfiles_storage.url("bundles/chat.6b4e2543.css")
    assert address == "/static/bundles/chat.6b4e2543.css"
    assert settings.WHITENOISE_IMMUTABLE_FILE_TEST("", address)
    assert {path.name for path in (collected / "bundles").iterdir()} == {"chat.6b4e2543.css", "inter.woff2"}
    assert (collected / "bundles" / "chat.6b4e2543.css").read_text() == SHEET


def test_a_font_keeps_its_name_and_is_asked_for_again_after_a_week(collected: Path, settings: Any) -> None:
    assert staticfiles_storage.url("bundles/inter.woff2") == "/static/bundles/inter.woff2"
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = False
    served = WhiteNoiseMiddleware(lambda request: None).files["/static/bundles/inter.woff2"]
    headers = dict(served.get_response("GET", {}).headers)
    assert headers["Cache-Control"] == "max-age=604800, public"


def test_a_file_that_was_not_collected_goes_by_its_plain_name(collected: Path, settings: Any) -> None:
    address = staticfiles_storage.url("forgotten.svg")
    assert address == "/static/forgotten.svg"
    assert not settings.WHITENOISE_IMMUTABLE_FILE_TEST("", address)
