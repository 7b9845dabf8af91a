"""The image's steps, taken one after another in folders of this machine, and the product served from what they leave.

What the two installing steps would bring is here already, so they are taken without the registries: they find what they
ask for, in the versions they ask for, or fail. IMAGE_FROM_REGISTRIES=1 takes them from nothing.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import ROOT, free_port
from tests.services.deploy_files import steps
from tests.services.deployment import Deployment
from tests.services.servers import new_database
from tests.services.test_deploy_commands import here, kept_running

pytestmark = pytest.mark.services

FROM_REGISTRIES = os.environ.get("IMAGE_FROM_REGISTRIES") == "1"
OFFLINE = {"npm_config_offline": "true", "PIP_NO_INDEX": "1"}


@dataclass
class Stage:
    """One FROM of the Dockerfile: its file system as a folder, and the environment of its steps."""

    root: Path
    environment: dict[str, str]
    work: str = "/"

    def at(self, path: str) -> Path:
        """Where a path of the image is on this machine."""
        return self.root / os.path.normpath(os.path.join(self.work, path)).lstrip("/")

    def copy(self, sources: list[Path], target: str) -> None:
        for source in sources:
            to = self.at(target) / source.name if target.endswith("/") and source.is_file() else self.at(target)
            to.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, to, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "bundles"))
            else:
                shutil.copy2(source, to)

    def run(self, command: str) -> None:
        """As the builder's shell does; a user is made in an /etc of the stage, and /data and /tmp are the stage's."""
        command = re.sub(r"(?<=[ =])/(?=(data|tmp)\b)", f"{self.root}/", command)
        if "useradd" in command:
            self.own_etc()
            command = command.replace("useradd", f"useradd --prefix {self.root}")
        self.at("/tmp").mkdir(exist_ok=True)
        done = subprocess.run(
            ["sh", "-e", "-c", command], cwd=self.at("."), env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"

    def own_etc(self) -> None:
        (self.root / "etc").mkdir()
        for name in ("passwd", "group", "shadow", "gshadow", "login.defs"):
            if Path("/etc", name).exists():
                shutil.copy2(Path("/etc", name), self.root / "etc" / name)


def tools(image: str, folder: Path) -> str:
    """The folder of programs that an image begins with: this machine's, or a new Python."""
    if image.startswith("python:") and FROM_REGISTRIES:
        subprocess.run([sys.executable, "-m", "venv", str(folder / "python")], check=True)
        return str(folder / "python" / "bin")
    return str(Path(sys.executable).parent)


def linked(source: str, target: str) -> None:
    """A link to a package's file, which nobody writes; a copy of npm's own lists, and where links do not reach."""
    try:
        (shutil.copy2 if Path(source).name == ".package-lock.json" else os.link)(source, target)
    except OSError:
        shutil.copy2(source, target)


def built(folder: Path) -> Stage:
    """The last stage, after all its steps."""
    stages: dict[str, Stage] = {}
    stage = Stage(folder, {})
    for word, rest in steps():
        words = rest.split()
        if word == "FROM":
            path = f"{tools(words[0], folder)}{os.pathsep}{os.environ['PATH']}"
            root = folder / f"stage{len(stages)}"
            kept = {name: os.environ[name] for name in ("HOME", "USER") if name in os.environ}
            stage = Stage(root, {**kept, "PATH": path, **({} if FROM_REGISTRIES else OFFLINE)})
            root.mkdir()
            stages[words[-1] if "AS" in words else ""] = stage
        elif word == "WORKDIR":
            stage.work = rest
            stage.at(".").mkdir(parents=True)
        elif word == "ENV":
            stage.environment |= dict(pair.split("=", 1) for pair in words)
        elif word == "COPY" and words[0].startswith("--from="):
            other = stages[words[0].removeprefix("--from=")]
            found = other.at(words[1])
            to = stage.at(words[-1]) / found.name if words[-1].endswith("/") else stage.at(words[-1])
            shutil.copytree(found, to, dirs_exist_ok=True) if found.is_dir() else shutil.copy2(found, to)
        elif word == "COPY":
            stage.copy([ROOT / source for source in words[:-1]], words[-1])
            if "package.json" in words and not FROM_REGISTRIES:
                shutil.copytree(ROOT / "node_modules", stage.at("node_modules"), symlinks=True, copy_function=linked)
        elif word == "RUN":
            stage.run(rest)
        else:
            assert word in ("USER", "VOLUME", "EXPOSE", "CMD"), f"nobody has thought of {word}"
    return stage


def answers(port: int, path: str) -> tuple[http.client.HTTPMessage, bytes]:
    """What the web answers there, once it listens."""
    until = time.monotonic() + 90
    while True:
        try:
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            line.request("GET", path, headers={"Accept-Encoding": "gzip, br"} if "/static/" in path else {})
            answer = line.getresponse()
            assert answer.status == 200, f"{path}: {answer.status}"
            return answer.headers, answer.read()
        except ConnectionRefusedError:
            assert time.monotonic() < until, "nobody listens"
            time.sleep(0.1)


@pytest.mark.skipif(os.getuid() != 0, reason="the image's builder is root")
def test_what_the_images_steps_leave_serves_the_screens(postgres_url: str, redis_url: str, tmp_path: Path) -> None:
    stage = built(tmp_path)
    assert (stage.root / "data").stat().st_uid == 10001
    assert re.search(r"^product:x:10001:", (stage.root / "etc/passwd").read_text(), re.MULTILINE)
    port = free_port()
    environment = Deployment(tmp_path / "data", port=port, environment={
        "DATABASE_URL": new_database(postgres_url, "image"),
        "REDIS_URL": f"{redis_url.rsplit('/', 1)[0]}/7",
    })._environment() | {"PATH": stage.environment["PATH"]}  # fmt: skip
    python = Path(stage.environment["PATH"].split(os.pathsep)[0]) / "python"
    manage = [str(python), "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(manage, cwd=stage.at("."), env=environment, check=True)
    served = [str(python), *here(json.loads(next(rest for word, rest in steps() if word == "CMD")), port)[1:]]
    with kept_running(served, environment, tmp_path / "web.log", folder=stage.at(".")):
        page = answers(port, "/login")[1].decode()
        kept = {address: answers(port, address)[0] for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', page)}
        assert any(re.fullmatch(r"/static/favicon\.[0-9a-f]{12}\.svg", address) for address in kept)
        assert any("/bundles/" in address for address in kept)
        for address, headers in kept.items():
            if address.endswith(".woff2"):  # packed already, and by a name that says nothing of its content
                assert headers["Cache-Control"] == "max-age=604800, public", address
                continue
            assert "immutable" in headers["Cache-Control"], address
            assert headers["Content-Encoding"] in ("gzip", "br"), address
        assert "immutable" not in answers(port, "/static/sounds/success.wav")[0]["Cache-Control"]
