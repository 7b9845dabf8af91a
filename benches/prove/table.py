"""The table of docs/reliability.md: a row a goal, kept until the goal is measured anew."""

from __future__ import annotations

from pathlib import Path

HEAD = """# How reliable it is

`make prove` measures the goals R1 to R28 one after another at the sizes that they name, a night at most, and keeps its
rows here; `make prove ONLY=R3,R8` measures some, `SCALE=0.1` a tenth of the sizes, and takes the place of their rows.
A row says *met* only where everything that the goal names was measured at its own size: at a smaller one it is *held*,
and what was measured in part is *not proved*.

| Goal | What | Aim | Measured | Verdict | Scale; when |
|---|---|---|---|---|---|
"""
Row = tuple[str, str, str, str, str, str]


def kept(path: Path) -> dict[str, Row]:
    """The rows of the last table, by the goal's name."""
    if not path.exists():
        return {}
    rows: dict[str, Row] = {}
    for line in path.read_text().splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in line.replace("\\|", "\\\0").strip("|").split("|")]
        name, *rest = (cell.replace("\\\0", "|") for cell in cells)
        if name[:1] == "R" and name[1:].isdigit() and len(rest) == 5:
            rows[name] = (name, rest[0], rest[1], rest[2], rest[3], rest[4])
    return rows


def written(rows: dict[str, Row]) -> str:
    """The page with these rows, in the goals' order."""
    ordered = sorted(rows.values(), key=lambda row: int(row[0][1:]))
    return HEAD + "".join(f"| {' | '.join(_cell(cell) for cell in row)} |\n" for row in ordered)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
