"""The files people deploy with are well-formed, name only what is there, and say what the code reads."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.live import ROOT
from tests.services.deploy_files import (
    DEPLOY,
    commands,
    compose,
    example,
    instructions,
    processes,
    settings_read,
    units,
)

TOOLS = Path(sys.executable).parent
OTHERS_READ = {"DJANGO_SETTINGS_MODULE", "SPARK_CONF_DIR", "POSTGRES_PASSWORD", "PLUMBLINE_VERSION"}
"""Variables that Django, Spark and the compose file read, not the settings."""


def ran(*words: str | Path) -> tuple[int, str]:
    done = subprocess.run(list(map(str, words)), cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_dockerfile_is_as_its_linter_wants_it() -> None:
    assert ran(TOOLS / "hadolint", "--no-color", DEPLOY / "Dockerfile") == (0, "")


def test_the_compose_file_keeps_to_the_specification(tmp_path: Path) -> None:
    look = (TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec")
    code, told = ran(*look, DEPLOY / "compose.yaml")
    assert code == 0, told
    (tmp_path / "odd.yaml").write_text((DEPLOY / "compose.yaml").read_text().replace("depends_on", "depends"))
    assert ran(*look, tmp_path / "odd.yaml")[0] != 0, "the look sees what is wrong"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
def test_the_units_are_as_systemd_wants_them(tmp_path: Path) -> None:
    """On a machine that has neither the installation nor its user: their command is another program here."""
    for unit in units():
        text = unit.read_text().replace("/srv/plumbline/.venv/bin/python", sys.executable)
        (tmp_path / unit.name.replace("@", "@8000")).write_text(text)
    assert ran("systemd-analyze", "verify", *sorted(tmp_path.iterdir())) == (0, "")


def test_every_command_of_the_deployment_files_is_one_of_the_products() -> None:
    """And takes the options it is given."""
    words = commands()
    assert len(words) >= 5
    for command in words:
        name, *options = command[command.index("manage.py") + 1 :]
        assert name in get_commands(), command
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(options)


def test_every_list_of_processes_has_the_same_parts() -> None:
    parts = {"migrate", "web", "work"}
    assert {words[words.index("manage.py") + 1] for words in processes().values()} == parts
    services = compose()["services"]
    assert {name.partition("-")[0] for name in services} == {"database", "redis", "migrate", "web", "worker"}
    assert {unit.name.removeprefix("plumbline-").partition("@")[0] for unit in units()} == {"web", "worker"}


def test_the_compose_file_names_only_what_it_has() -> None:
    file = compose()
    services = file["services"]
    for name, service in services.items():
        for other, wanted in service.get("depends_on", {}).items():
            assert other in services, name
            if wanted["condition"] == "service_healthy":
                assert "healthcheck" in services[other], f"{name} waits for {other}, which nobody looks at"
            if wanted["condition"] == "service_completed_successfully":
                assert services[other]["restart"] == "no", f"{other} would never be over"
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in file["volumes"], name
    text = (DEPLOY / "compose.yaml").read_text()
    said = text.partition("\nname:")[0]
    assert [word for word in re.findall(r"\$\{(\w+)\}", text) if word not in said] == [], "what has no default is told"
    published = [port.rpartition(":")[0] for service in services.values() for port in service.get("ports", [])]
    assert len(published) == len(set(published)) == 2
    assert all(address.startswith("127.0.0.1:") for address in published), "only the proxy is seen from outside"


def test_what_the_image_copies_is_in_the_repository_and_reaches_the_build() -> None:
    sources = [source for line in instructions("COPY") if not line.startswith("--from") for source in line.split()[:-1]]
    assert len(sources) > 8
    assert [source for source in sources if not (ROOT / source).exists()] == []
    sent = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] == "!"}
    assert {source.partition("/")[0] for source in sources} == sent, "and nothing else, such as a file of secrets"


@pytest.mark.services
def test_the_image_collects_its_screens_without_any_service(tmp_path: Path) -> None:
    step = next(line for line in instructions("RUN") if "collectstatic" in line)
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        **dict(re.findall(r"\b([A-Z_]+)=(\S+)", step)),
        "DATA_DIR": str(tmp_path),
        "STATIC_ROOT": str(tmp_path / "static"),
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
    }
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    done = subprocess.run(collect, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert list((tmp_path / "static" / "bundles").glob("*.js.gz")), "bundles are collected compressed"


def test_every_command_that_the_pages_for_operators_tell_is_one_of_the_products() -> None:
    text = "\n".join((ROOT / page).read_text() for page in ("README.md", "docs/operating.md", "docs/benchmarks.md"))
    told = [shlex.split(line, comments=True) for line in re.findall(r"python manage\.py ([^`\n&|;]+)", text)]
    assert len(told) > 15
    for name, *options in told:
        assert name in get_commands(), name
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(options)


def named_in(text: str) -> set[str]:
    """The variables that a page names: in backticks, `…_MODELS` standing for those of all providers."""
    quoted = re.findall(r"`([^`\n]+)`", text)
    found = {
        word for one in quoted for word in re.findall(r"(?<![…\w.])[A-Z][A-Z0-9]*_[A-Z0-9_]+|^(?:PORT|DEBUG)$", one)
    }
    for ending in re.findall(r"…(_[A-Z_]+)", text):
        found |= {f"{provider}{ending}" for provider in ("OPENAI", "ANTHROPIC", "GOOGLE")}
    return found


def test_the_settings_tables_name_what_the_settings_read_and_nothing_else() -> None:
    readme, page = (ROOT / "README.md").read_text(), (ROOT / "docs" / "operating.md").read_text()
    tables = readme.partition("## Configure")[2].partition("## Where")[0]
    tables += page.partition("## Settings of servers")[2].partition("\n## ")[0]
    named = named_in(tables)
    assert settings_read() - named == set(), "in no table"
    assert named - settings_read() - OTHERS_READ == set(), "read by nobody"


def test_the_example_of_an_environment_is_one_that_production_starts_with(tmp_path: Path) -> None:
    given = example()
    assert set(given) <= settings_read()
    secrets = {"SECRET_KEY", "METRICS_TOKEN", "CREDENTIAL_KEYS"}
    assert {name for name, value in given.items() if not value} == secrets, "and nobody starts with ours"
    made = {}
    told = re.findall(r"From: (.+)|from its own call of: (.+)", (DEPLOY / "example.env").read_text())
    for name, command in zip(("SECRET_KEY", "CREDENTIAL_KEYS"), (one or other for one, other in told), strict=True):
        code, printed = ran("sh", "-c", command)
        assert code == 0, printed
        made[name] = printed.strip()
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        **given,
        **made,
        "DATA_DIR": str(tmp_path),
        "STATIC_ROOT": str(tmp_path / "static"),
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
    }
    look = "import django; django.setup(); from django.conf import settings; print(settings.EMAIL_HOST)"
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.stdout.strip(), done.returncode) == ("mail.example.com", 0), done.stderr[-2000:]
