"""The demo's deals: new business and renewals, from creation through the stages to won, lost, or still open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from apps.datasources.demo import vocabulary as words
from apps.datasources.demo.chance import Chance
from apps.datasources.demo.people import HISTORY_DAYS, Company
from apps.datasources.demo.vocabulary import Owner

NEW_DEALS = 2_500
RUN_UP_DAYS = 180
"""Deals are made from so long before the history on, so that its first quarters close as many as later ones."""
CYCLE_DAYS = {"SMB": (28, 0.55), "Mid-Market": (55, 0.5), "Enterprise": (105, 0.45)}
"""Median days from creation to close, and their spread."""
AMOUNTS = {"SMB": (5_500, 0.55), "Mid-Market": (21_000, 0.55), "Enterprise": (78_000, 0.6)}
WIN_RATE = 0.27
RENEWAL_RATE = 0.86
YEARLY_GROWTH = 0.25


@dataclass(slots=True)
class Deal:
    """A deal. `close` is when it was won or lost, or when the seller expects it (None where nobody said)."""

    number: int
    company: Company
    owner: Owner
    product: str
    kind: str
    pipeline: str
    stage: str
    probability: float
    amount: int
    created: date
    close: date | None
    source: str
    lost_reason: str = ""
    stalled: bool = False
    last_activity: date | None = None

    @property
    def status(self) -> str:
        """Open, Won or Lost."""
        return {words.WON: "Won", words.LOST: "Lost"}.get(self.stage, "Open")


def make_deals(companies: list[Company], today: date) -> list[Deal]:
    """All deals in the order of their creation. Sets when companies became customers and when they left."""
    begin = today - timedelta(days=HISTORY_DAYS)
    deals = _new_business(companies, begin, today)
    for deal in sorted(deals, key=lambda deal: deal.created):
        company = deal.company
        if deal.status != "Won" or deal.close is None:
            continue
        if company.customer_since is None or deal.close < company.customer_since:
            company.customer_since = deal.close
    for company in companies:
        deals += _renewals(company, begin, today)
    deals = [deal for deal in deals if _possible(deal, begin)]
    deals.sort(key=lambda deal: (deal.created, deal.company.number, deal.product))
    for position, deal in enumerate(deals):
        deal.number = 9_000_001 + position
    year_ago = today - timedelta(days=365)
    for deal in deals:
        if deal.status == "Won" and deal.close and deal.close > year_ago:
            deal.company.won_last_year += deal.amount
    return deals


def _new_business(companies: list[Company], begin: date, today: date) -> list[Deal]:
    chance = Chance("deals")
    deals: list[Deal] = []
    while len(deals) < NEW_DEALS:
        company = chance.one_of(companies)
        # More deals are made in later months: draw days until one is taken by its weight.
        created = chance.day(max(begin - timedelta(days=RUN_UP_DAYS), company.created), today)
        weight = 1 + YEARLY_GROWTH * (created - begin).days / 365
        season = 0.6 if created.month in (8, 12) else 1.0
        if chance.happens(weight * season / 1.6):
            deals.append(_deal(chance, company, created, today))
    return deals


def _deal(chance: Chance, company: Company, created: date, today: date) -> Deal:
    owner = company.owner if chance.happens(0.85) else chance.one_of(words.OWNERS)
    existing = company.customer_since is not None and company.customer_since < created
    source = company.source if chance.happens(0.6) else chance.weighted(words.SOURCE_WEIGHTS)
    days = max(3, round(chance.lognormal(*CYCLE_DAYS[company.segment])))
    amount = chance.lognormal(*AMOUNTS[company.segment]) * words.INDUSTRY_LIFT.get(company.industry, 1.0)
    deal = Deal(
        number=0,
        company=company,
        owner=owner,
        product=chance.one_of(words.PRODUCTS),
        kind="Existing Business" if existing else "New Business",
        pipeline="Sales Pipeline",
        stage="",
        probability=0.0,
        amount=max(500, round(amount * (0.6 if existing else 1.0) / 50) * 50),
        created=created,
        close=_pulled_to_quarter_end(chance, created + timedelta(days=days)),
        source=source,
    )
    rate = WIN_RATE * owner.skill * words.SOURCE_LIFT.get(source, 1.0) * (1.5 if existing else 1.0)
    _run_its_course(chance, deal, min(0.85, rate), today)
    return deal


def _run_its_course(chance: Chance, deal: Deal, win_rate: float, today: date) -> None:
    """Closed where its time has come, except for the few that stalled; else in the stage that its age suggests."""
    assert deal.close is not None
    if deal.close <= today and not chance.happens(0.025):
        won = chance.happens(win_rate)
        deal.stage, deal.probability = (words.WON, 1.0) if won else (words.LOST, 0.0)
        deal.lost_reason = "" if won else chance.weighted(words.LOST_REASONS)
        return
    if deal.close <= today:
        deal.stalled = True
        deal.close = max(deal.close, today - timedelta(days=chance.between(5, 120)))
    span = max(1, (deal.close - deal.created).days)
    progress = min(0.999, (today - deal.created).days / span + chance.uniform(-0.15, 0.15))
    position = max(0, int(progress * len(words.OPEN_STAGES)))
    deal.stage, deal.probability = words.OPEN_STAGES[position]


def _renewals(company: Company, begin: date, today: date) -> list[Deal]:
    """A renewal each year until the company leaves."""
    chance = Chance(f"renewals {company.number}")
    deals: list[Deal] = []
    if company.customer_since is None:
        return deals
    amount = max(500, round(chance.lognormal(*AMOUNTS[company.segment]) / 50) * 50)
    for year in range(1, 6):
        due = company.customer_since + timedelta(days=365 * year)
        created = due - timedelta(days=60)
        if created > today:
            break
        deal = Deal(
            number=0, company=company, owner=company.owner, product="Renewal", kind="Renewal",
            pipeline="Renewal Pipeline", stage="", probability=0.0, amount=amount, created=created,
            close=due + timedelta(days=chance.between(-20, 12)), source=company.source,
        )  # fmt: skip
        _run_its_course(chance, deal, RENEWAL_RATE, today)
        deals.append(deal)
        if deal.status == "Lost":
            company.churned = deal.close
            company.churn_reason = chance.weighted(words.CHURN_REASONS)
            break
        amount = round(amount * chance.uniform(1.0, 1.12) / 50) * 50
    return deals


def _possible(deal: Deal, begin: date) -> bool:
    """A company that has left starts no deals afterwards; what was closed before the history is not exported."""
    left = deal.company.churned
    if deal.close is not None and deal.close < begin:
        return False
    return left is None or deal.kind == "Renewal" or deal.created < left


def _pulled_to_quarter_end(chance: Chance, day: date) -> date:
    """Sellers close before the quarter ends: some deals move to its last ten days."""
    month = (day.month - 1) // 3 * 3 + 4
    end = date(day.year + month // 13, (month - 1) % 12 + 1, 1) - timedelta(days=1)
    if (end - day).days < 45 and chance.happens(0.3):
        day = end - timedelta(days=chance.between(0, 9))
    return day - timedelta(days=max(0, day.weekday() - 4))
