"""A question answered through a model: it plans, the engine computes, its words are taken where every figure holds.

A plan that does not fit goes back with the reason, at most twice. A model that fails gives way to the next one, and at
last to the built-in analyst; the answer says so. All of it ends before the run's deadline.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from apps.analyst.approaches.models import prompt, queried
from apps.analyst.approaches.models.assumed import question_back, with_phrases
from apps.analyst.approaches.models.called import names_of
from apps.analyst.approaches.models.data import columns_of
from apps.analyst.approaches.models.days import with_days
from apps.analyst.approaches.models.forms import Form
from apps.analyst.approaches.models.held import held_against
from apps.analyst.approaches.models.instead import INSTEAD, brief_reason, noted
from apps.analyst.approaches.models.layer import Hear, Reply, Said, Talk
from apps.analyst.approaches.models.near import part_for
from apps.analyst.approaches.models.prose import Telling, harmless
from apps.analyst.approaches.models.replies import AskedBack, Sql, WrongForm, plan_of
from apps.analyst.approaches.models.rules import REPLY_SCHEMA, SYSTEM
from apps.analyst.approaches.models.specs import ModelSpec, Usage
from apps.analyst.approaches.models.told import SPEAKS, Private, Secrets, Told, shadowed, told_catalog
from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.gate import check
from apps.analyst.conversation import memory
from apps.analyst.conversation.readas.answers import as_read
from apps.analyst.errors import AnalystError, PlanRejected, ProviderFailed, QueryFailed, QueryRefused, Unclear
from apps.analyst.language import Reading
from apps.analyst.plan import Plan, Query, Statistic
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog, Emit, Warehouse
from apps.analyst.reading.keywords.terms import mentions
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.answers import worded
from apps.analyst.telling.charts.wishes import named_chart
from apps.analyst.telling.followups import follow_ups, suggest
from apps.analyst.telling.formats import cell
from apps.analyst.types import Answer, Evidence, Question, Result, Step

MOST_REJECTIONS = 2
MOST_SECONDS = 75.0
"""For all models of one run together; the built-in analyst answers in what is left of it."""
MOST_CALL_SECONDS = 30.0
"""Under a run's lease, which is renewed between calls."""
ROWS_TOLD = 40
MOST_ROWS = 1_000
"""Of a query that a model wrote; its true number of rows is known."""
SQL_SECONDS = 8.0
"""A query that a model wrote is ended after so long, with the process it runs in."""


def unseen(_: str) -> None:
    """The show of those who wait for the whole answer."""


@dataclass
class Models:
    """The models of one run, in the order in which they are tried, with what they took."""

    specs: Sequence[ModelSpec]
    talk: Talk
    temperature: float = 1.0
    clock: Callable[[], float] = time.monotonic
    seconds: float = MOST_SECONDS
    call_seconds: float = MOST_CALL_SECONDS
    show: Callable[[str], None] = unseen
    """Takes the text of the answer as it grows; "" withdraws it. Only checked sentences come here (prose.Telling)."""
    words: bool = True
    """Whether a model puts the answer into words, too; the template's stand otherwise."""
    told: Told = "values"
    """How much of the data they see."""
    second: Callable[[], Answer] | None = None
    """The built-in analyst's answer, which a model's is held against; None: with nothing."""
    sandbox: Warehouse | None = None
    """Where queries that a model wrote run; None: where all do."""
    usage: list[Usage] = field(default_factory=list)

    def answer(
        self, question: Question, *, catalog: Catalog, warehouse: Warehouse, emit: Emit, builtin: Callable[[], Answer]
    ) -> Answer:
        """The first model's answer that holds, else the built-in one with the reason why."""
        ends = self.clock() + self.seconds
        reasons: list[str] = []
        brief: dict[str, None] = {}
        for spec in self.specs:
            try:
                made = self.one(spec, question, catalog, warehouse, emit, ends)
                return self._noted(held_against(made, self.second, question, catalog), reasons)
            except (ProviderFailed, PlanRejected, Unclear, QueryFailed) as error:
                brief[brief_reason(spec, error)] = None
                reasons.append(error.message if harmless(error.message) else brief_reason(spec, error))
        made = replace(builtin(), instead=" ".join(brief))
        return self._noted(made, [*dict.fromkeys(reasons), INSTEAD])

    def _noted(self, answer: Answer, reasons: Sequence[str]) -> Answer:
        told = tuple(usage.spec.name for usage in self.usage if usage.told)
        return replace(noted(answer, reasons), told_to=told)

    def one(
        self, spec: ModelSpec, question: Question, catalog: Catalog, warehouse: Warehouse, emit: Emit, ends: float
    ) -> Answer:
        """One model's answer. Raises ProviderFailed, PlanRejected, Unclear or QueryFailed."""
        catalog = part_for(question, catalog)
        # Texts may speak of files that are not asked about.
        everywhere = Secrets(catalog, told_catalog(catalog))
        if everywhere.speaks(question.text):
            raise Private(SPEAKS)
        usage = Usage(spec)
        self.usage.append(usage)
        asked = prompt.open_only(question, everywhere)
        secrets = Secrets(narrowed(catalog, question.files), narrowed(everywhere.told, question.files))
        try:
            return _Run(self, spec, usage, asked, secrets.told, warehouse, emit, ends, secrets).answer()
        except AnalystError:
            usage.failed = True
            raise


@dataclass
class _Run:
    models: Models
    spec: ModelSpec
    usage: Usage
    question: Question
    catalog: Catalog
    warehouse: Warehouse
    emit: Emit
    ends: float
    secrets: Secrets
    turns: list[Said] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def answer(self) -> Answer:
        if self.question.proven:
            self._tell(memory.STEP)
        self._tell("Asking a model to plan", self.spec.name)
        try:
            made, result = self._computed()
        except AskedBack as asked:
            back = question_back(asked, self.question.text)
            return replace(back, approach=self.spec.id, steps=tuple(self.steps), told_to=(self.spec.name,))
        made = replace(made, approach=self.spec.id, evidence=self._with_keywords(made.evidence))
        if self.models.words and self.models.told == "values":  # the result is values
            made = replace(made, text=self._text(made, result))
        return replace(made, steps=tuple(self.steps), follow_ups=self._onward(made), told_to=(self.spec.name,))

    def _computed(self) -> tuple[Answer, Result]:
        """What the model's plan or query gives, once there is one that fits the catalog and the engine."""
        self.turns.append(Said("us", prompt.asked(self.question, self.catalog, self.models.told)))
        problem = ""
        for _ in range(1 + MOST_REJECTIONS):
            reply = self._say(form=REPLY_SCHEMA)
            self.turns.append(Said("model", reply.text))
            try:
                plan = plan_of(reply.text)
                if not isinstance(plan, Sql):
                    return self._of_plan(plan)
                made, result = self._of_query(plan)
                return with_phrases(made, plan.read, f"{self.question.text} {plan.text}"), result
            except (PlanRejected, QueryRefused) as error:
                problem = error.message
                shape = error.shape if isinstance(error, WrongForm) else ""
                self.turns.append(Said("us", prompt.again(problem, shape)))
                self._tell("Asking the model again", problem[:200])
        raise PlanRejected(f"{self.spec.name} made no plan that fits the data. {problem}")

    def _of_plan(self, plan: Plan) -> tuple[Answer, Result]:
        plan = with_days(plan, self.catalog)
        validate(plan, self.catalog)
        self._tell("Computing")
        computed = compute(plan, self.catalog, self.warehouse)
        text = self.question.text
        reading = Reading(plan, 0.9, chart=named_chart(text), reader=self.spec.id, wording=text)
        made = worded(self.question, reading, computed, self.catalog)
        known = memory.recalled(self.question, self.catalog)
        known = known if known is not None and known.plan == plan else None
        return as_read(replace(made, memory=known), self.question, self.catalog), computed.result

    def _of_query(self, query: Sql) -> tuple[Answer, Result]:
        """A query goes the way of a plan where the algebra can say it; else it runs guarded."""
        # Imported here: the parser takes its time, and most replies are plans.
        from apps.analyst.plan.lift import NotLifted, lift

        try:
            plan = lift(query.text, self.catalog, self.question.today)
        except NotLifted as error:
            if query.statistic:
                raise PlanRejected(f"The rows for {query.statistic} cannot be read: {error.reason}.") from error
            return self._of_sql(query)
        if query.statistic:
            return self._of_plan(_statistic(query.statistic, plan))
        try:
            return self._of_plan(plan)
        except (PlanRejected, QueryRefused):
            return self._of_sql(query)

    def _of_sql(self, query: Sql) -> tuple[Answer, Result]:
        """A checked query, run where it can reach nothing but the tables it may name."""
        tables = {table.name: table for table in self.catalog.tables()}
        used = [tables[name] for name in sorted(check(query.text, tables))]
        self._tell("Computing")
        paths = {name: table.path for name, table in tables.items()}
        warehouse = self.models.sandbox or self.warehouse
        try:
            shown = shadowed(query.text, self.secrets.hidden())
            result = warehouse.query(shown, (), tables=paths, max_rows=MOST_ROWS, timeout=SQL_SECONDS)
        except QueryRefused as error:
            # The engine's own words may quote a cell.
            reason = error.message if self.models.told == "values" else "The query does not fit the data."
            raise QueryRefused(f"{reason} {columns_of(used)}") from error
        made = queried.told(self.question, query.text, result, used)
        assert made.result is not None
        return made, made.result

    def _onward(self, made: Answer) -> tuple[str, ...]:
        """Questions to go on with; they are looked for last, because people wait for the answer."""
        if made.plan is not None:
            return follow_ups(made.plan, self.catalog, self.question.text)
        used = [source.name for source in made.evidence.sources]
        return tuple(suggest(narrowed(self.catalog, None, tables=used), 3))

    def _with_keywords(self, evidence: Evidence) -> Evidence:
        """The evidence with the keywords that the question says, which the model was told."""
        said = dict.fromkeys(mention.definition for mention in mentions(self.question))
        told = tuple(f"{d.term} (as your organization defines it, told to the model): {d.text}" for d in said)
        return replace(evidence, definitions=(*told, *evidence.definitions))

    def _tell(self, label: str, detail: str = "") -> None:
        self.steps.append(Step(label, detail))
        self.emit(self.steps[-1])

    def _text(self, made: Answer, result: Result) -> str:
        """The model's words where they hold, else the template's. They are shown as they come, once checked."""
        self.turns.append(Said("us", prompt.wording(self.question, made.text, _told(result))))
        names = names_of(made.evidence, self.catalog)
        telling = Telling(result, self.question.text, self.models.show, told=made.text, names=names)
        self._tell("Writing the answer", self.spec.name)
        try:
            text = self._say(telling.hear).text.strip()
        except ProviderFailed:
            telling.withdraw()
            return made.text
        return text if telling.close(text) else made.text

    def _say(self, hear: Hear | None = None, form: Form | None = None) -> Reply:
        left = self.ends - self.models.clock()
        if left <= 1:
            raise ProviderFailed(f"{self.spec.name} did not answer in time.", retryable=True)
        begun = self.models.clock()
        self.usage.calls += 1
        self._keep(form)
        try:
            reply = self.models.talk(
                self.spec,
                SYSTEM,
                self.turns,
                seconds=min(left, self.models.call_seconds),
                temperature=self.models.temperature,
                hear=hear,
                form=form,
            )
        finally:
            self.usage.seconds += self.models.clock() - begun
        self.usage.told.append(("model", reply.text))
        self.usage.input_tokens += reply.input_tokens
        self.usage.output_tokens += reply.output_tokens
        return reply

    def _keep(self, form: Form | None) -> None:
        """Writes down what is sent next."""
        told = self.usage.told
        if not told:
            told.append(("rules", SYSTEM))
        if form is not None and not any(by == "form" for by, _ in told):
            told.append(("form", json.dumps(form, indent=1)))
        told.append(("us", self.turns[-1].text))


def _statistic(name: str, listed: Plan) -> Plan:
    """A statistic over the rows that a query lists."""
    if not isinstance(listed, Query):
        raise PlanRejected("A statistic needs one query that lists its rows.")
    return Statistic(name=name, query=listed)


def _told(result: Result) -> str:
    lines = [" | ".join(column.name for column in result.columns)]
    for row in result.rows[:ROWS_TOLD]:
        cells = ("" if v is None else cell(v, c, exact=True) for v, c in zip(row, result.columns, strict=True))
        lines.append(" | ".join(cells))
    return "\n".join([*lines, f"({result.total_rows} rows in all)"])
