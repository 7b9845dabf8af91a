"""`python -m apps.analyst.knowledge` compiles the YAML files into `knowledge.json`, which loads far sooner."""

from __future__ import annotations

from apps.analyst.knowledge.loader import COMPILED, compiled, written

if __name__ == "__main__":
    COMPILED.write_text(written(compiled()), "utf-8")
