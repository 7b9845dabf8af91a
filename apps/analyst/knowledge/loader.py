"""The knowledge files, read and indexed once. What words mean in a catalog is not decided here.

The YAML files are the source. `knowledge.json` holds the same entries, compiled (`python -m apps.analyst.knowledge`),
because YAML takes half a second to parse; where its sources have changed since, it is not used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import yaml

from apps.analyst.knowledge.entries import Adjective, Codes, Concept, Derived, Index, Periods, State, Units, Verb
from apps.analyst.knowledge.indexing import indexed
from apps.analyst.knowledge.known import Knowledge

FOLDER = Path(__file__).parent
COMPILED = FOLDER / "knowledge.json"
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every scalar is text: `no`, `off`, `1` and `2024-01-01` in a list of words are words."""
Entry = TypeVar("Entry")


@cache
def knowledge() -> Knowledge:
    """What is known; the files are read at the first call."""
    return built(_compiled() or compiled())


def sources() -> dict[str, Any]:
    """The entries of the YAML files."""
    abbreviations, units, *domains = map(parsed, files())
    return {"digest": digest(), "abbreviations": abbreviations, "units": units, "domains": domains}


def compiled() -> dict[str, Any]:
    """The entries of the YAML files with their index."""
    entries = sources()
    return {**entries, "index": asdict(indexed(built(entries)))}


def parsed(path: Path) -> Any:
    """What a YAML file holds; every scalar is a text."""
    return yaml.load(path.read_bytes(), Loader=_LOADER)  # noqa: S506 (a base loader makes texts only)


def digest() -> str:
    """A fingerprint of the YAML files, by which a compiled file is known to be current."""
    seen = hashlib.sha256()
    for path in files():
        seen.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return seen.hexdigest()


def written(entries: Mapping[str, Any]) -> str:
    """The compiled file's text."""
    sections = [f'"digest": "{entries["digest"]}"']
    sections += [f'"{name}": {_one_line(entries[name])}' for name in ("abbreviations", "units")]
    domains = ",\n".join(map(_one_line, entries["domains"]))
    index = ",\n".join(f'"{name}": {_one_line(phrases)}' for name, phrases in entries["index"].items())
    return "{" + ",\n".join(sections) + f',\n"domains": [\n{domains}\n],\n"index": {{\n{index}\n}}}}\n'


def _one_line(entries: Any) -> str:
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def built(entries: Mapping[str, Any]) -> Knowledge:
    """Knowledge from the entries of the files; without an index nothing is found by its words."""
    domains: Sequence[Mapping[str, Any]] = entries["domains"]

    def of(section: str, made: Callable[[str, Mapping[str, Any]], Entry]) -> tuple[Entry, ...]:
        return tuple(made(domain["domain"], entry) for domain in domains for entry in domain.get(section) or ())

    concepts = of("concepts", lambda domain, entry: Concept(**_tuples(entry)))
    return Knowledge(
        abbreviations={token: tuple(full) for token, full in entries["abbreviations"].items()},
        units=Units(**{where: frozenset(units) for where, units in entries["units"].items()}),
        concepts={concept.id: concept for concept in concepts},
        verbs=of("verbs", lambda domain, entry: Verb(domain, **_tuples(entry))),
        adjectives=of("adjectives", lambda domain, entry: Adjective(domain, **_tuples(entry))),
        states=of("states", lambda domain, entry: State(domain, **_tuples(entry))),
        codes=of("codes", lambda domain, entry: Codes(domain, entry["of"], entry["values"])),
        periods=of("periods", lambda domain, entry: Periods(domain, entry["of"], _numbers(entry["months"]))),
        derived=of("derived", lambda domain, entry: Derived(domain, **_tuples(entry))),
        index=Index(**entries.get("index", {})),
    )


def _numbers(entries: Mapping[str, str]) -> dict[str, float]:
    return {name: float(value) for name, value in entries.items()}


def files() -> list[Path]:
    """The YAML files: the abbreviations, the units, and one file for each domain."""
    return [FOLDER / "abbreviations.yaml", FOLDER / "units.yaml", *sorted((FOLDER / "concepts").glob("*.yaml"))]


def _compiled() -> Mapping[str, Any] | None:
    if not COMPILED.is_file():
        return None
    entries: Mapping[str, Any] = json.loads(COMPILED.read_bytes())
    return entries if entries["digest"] == digest() else None


def _tuples(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry's fields as the dataclasses have them; `not` is no name in Python."""
    return {
        "opposites" if key == "not" else key: tuple(value) if isinstance(value, list) else value
        for key, value in entry.items()
    }
