"""The engine from the shell: `ask FILE... "question"` and `evaluate DIR --out predictions.jsonl`. Needs no Django."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import get_args

from apps.analyst.errors import AnalystError
from apps.analyst.telling import formats
from apps.analyst.types import Answer, Question, ResponseStyle, Result

ROWS_SHOWN = 20


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; 0 where it was answered, 1 where not, 2 for wrong arguments."""
    parsed = _parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except AnalystError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m apps.analyst", description=__doc__)
    commands = parser.add_subparsers(required=True)
    ask = commands.add_parser("ask", help="ask .csv or .xlsx files a question")
    ask.add_argument("files", nargs="+", type=Path)
    ask.add_argument("question")
    ask.add_argument("--style", choices=get_args(ResponseStyle), default="Standard")
    ask.add_argument("--context", default="", help="constraints and definitions")
    ask.add_argument("--json", action="store_true", help="the whole answer as JSON")
    ask.set_defaults(run=_ask)
    evaluate = commands.add_parser("evaluate", help="answer a set of questions and write predictions")
    evaluate.add_argument("folder", type=Path)
    evaluate.add_argument("--out", type=Path, required=True)
    evaluate.add_argument("--source", help="only questions of this source")
    evaluate.add_argument("--limit", type=int)
    evaluate.add_argument("--jobs", type=int, default=2)
    evaluate.add_argument("--model", help="PROVIDER:NAME: ask this model instead of the built-in analyst")
    evaluate.add_argument("--record", type=Path, help="a file for every prompt and reply of the model")
    evaluate.add_argument("--replay", type=Path, help="answer from the replies of this file, without a model")
    evaluate.add_argument("--prices", type=_prices, default=(Decimal(0), Decimal(0)), help="per million tokens: 2,8")
    evaluate.set_defaults(run=_evaluate)
    return parser


def _ask(parsed: argparse.Namespace) -> int:
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
    from apps.analyst.pipeline import answer
    from apps.analyst.tables.catalog import catalog_from_files

    missing = [str(path) for path in parsed.files if not path.is_file()]
    if missing:
        sys.stderr.write(f"There is no file {formats.listed(missing, 'or')}.\n")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        catalog = catalog_from_files(parsed.files, Path(folder))
        warehouse = LocalWarehouse()
        today = datetime.now().astimezone().date()
        question = Question(parsed.question, today=today, style=parsed.style, context=parsed.context)
        answered = answer(question, catalog=catalog, warehouse=warehouse)
        warehouse.close()
    print(json.dumps(asdict(answered), default=_plain, ensure_ascii=False, indent=1) if parsed.json else told(answered))
    return 0 if answered.status == "answered" else 1


def _prices(text: str) -> tuple[Decimal, Decimal]:
    told, said = map(Decimal, text.split(","))
    return told, said


def _evaluate(parsed: argparse.Namespace) -> int:
    from apps.analyst.evaluate import evaluate
    from apps.analyst.evaluate.models import Wish, evaluate_model

    if parsed.model or parsed.replay:
        wish = Wish(
            parsed.folder, parsed.out, parsed.model, parsed.record, parsed.replay, parsed.prices, parsed.source,
            parsed.limit, parsed.jobs,
        )  # fmt: skip
        evaluate_model(wish)
        return 0

    evaluate(parsed.folder, parsed.out, source=parsed.source, limit=parsed.limit, jobs=parsed.jobs)
    return 0


def told(answered: Answer) -> str:
    """An answer as plain text: what is said, the table, the chart, the evidence, how to go on."""
    parts = [answered.text]
    if answered.result is not None and (len(answered.result.rows) > 1 or len(answered.result.columns) > 1):
        parts.append(table(answered.result))
    if answered.chart is not None:
        parts.append(f"Chart: {answered.chart.document['type']}, “{answered.chart.document['title']}”")
    parts += ["\n".join(f"- {choice.label}" for choice in answered.choices)]
    parts += ["\n".join(f"Taken for granted: {text}" for text in answered.assumptions)]
    evidence = answered.evidence
    if evidence.sources:
        names = formats.listed([f"{source.name} ({source.rows:,} rows)" for source in evidence.sources])
        lines = [f"Sources: {names}. {evidence.row_count:,} rows used.", evidence.plan_sentence, *evidence.definitions]
        lines += [*evidence.joins, *evidence.notes, evidence.query]
        parts.append("\n".join(line for line in lines if line))
    parts.append("\n".join(f"Next: {text}" for text in answered.follow_ups))
    return "\n\n".join(part for part in parts if part)


def table(result: Result) -> str:
    """A result as aligned text columns."""
    shown = result.rows[:ROWS_SHOWN]
    cells = [[formats.cell(v, column) for v, column in zip(row, result.columns, strict=True)] for row in shown]
    heads = [column.name for column in result.columns]
    widths = [max(len(row[i]) for row in [heads, *cells]) for i in range(len(heads))]
    right = [column.kind == "measure" for column in result.columns]
    lines = [
        "  ".join(
            text.rjust(width) if end else text.ljust(width) for text, width, end in zip(row, widths, right, strict=True)
        )
        for row in [heads, ["-" * width for width in widths], *cells]
    ]
    if result.total_rows > len(shown):
        lines.append(f"{len(shown)} of {result.total_rows:,} rows")
    return "\n".join(line.rstrip() for line in lines)


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)


if __name__ == "__main__":
    sys.exit(main())
