"""The demo's companies and contacts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from apps.datasources.demo import vocabulary as words
from apps.datasources.demo.chance import Chance
from apps.datasources.demo.vocabulary import Owner

COMPANIES = 300
HISTORY_DAYS = 730
"""Two years of data up to today."""
EMPLOYEES = {"SMB": (40, 0.7), "Mid-Market": (320, 0.6), "Enterprise": (2600, 0.8)}


@dataclass(slots=True)
class Company:
    """A company that is, was or may become a customer."""

    number: int
    name: str
    domain: str
    industry: str
    segment: str
    region: str
    country: str
    city: str
    employees: int
    revenue: int
    owner: Owner
    source: str
    created: date
    customer_since: date | None = None
    churned: date | None = None
    churn_reason: str = ""
    won_last_year: int = 0


@dataclass(frozen=True, slots=True)
class Contact:
    """A person at a company."""

    number: int
    first: str
    last: str
    email: str
    phone: str
    title: str
    company: Company
    created: date


def make_companies(today: date) -> list[Company]:
    """300 companies; a fifth of them were customers before the history begins."""
    chance = Chance("companies")
    begin = today - timedelta(days=HISTORY_DAYS)
    names: set[str] = set()
    companies = []
    for number in range(COMPANIES):
        industry, name = _name(chance, names)
        segment, region = chance.weighted(words.SEGMENT_WEIGHTS), chance.weighted(words.REGION_WEIGHTS)
        country, cities = chance.one_of(words.PLACES[region])
        employees = round(chance.lognormal(*EMPLOYEES[segment])) + 3
        earlier = chance.happens(0.2)
        company = Company(
            number=5_000_001 + number,
            name=name,
            domain=f"{name.lower().replace(' ', '')}.example",
            industry=industry,
            segment=segment,
            region=region,
            country=country,
            city=chance.one_of(cities),
            employees=employees,
            revenue=round(employees * chance.lognormal(14, 0.4)) * 10_000,
            owner=_owner_for(chance, segment, region),
            source=chance.weighted(words.SOURCE_WEIGHTS),
            created=chance.day(begin - timedelta(days=900), begin - timedelta(days=480))
            if earlier
            else chance.day(begin - timedelta(days=380), today - timedelta(days=20)),
        )
        if earlier:
            company.customer_since = company.created + timedelta(days=chance.between(20, 300))
        companies.append(company)
    return companies


def make_contacts(companies: list[Company], today: date) -> list[Contact]:
    """One to six people a company."""
    chance = Chance("contacts")
    contacts: list[Contact] = []
    for company in companies:
        for _ in range(1 + min(5, chance.count(2.0))):
            first, last = chance.one_of(words.FIRST_NAMES), chance.one_of(words.LAST_NAMES)
            contacts.append(
                Contact(
                    number=7_000_001 + len(contacts),
                    first=first,
                    last=last,
                    email=f"{first}.{last}@{company.domain}".lower(),
                    phone=f"+1-555-{chance.between(1000, 9999)}",
                    title=chance.one_of(words.JOB_TITLES),
                    company=company,
                    created=chance.day(company.created, today),
                )
            )
    return contacts


def _name(chance: Chance, taken: set[str]) -> tuple[str, str]:
    while True:
        industry = chance.weighted(words.INDUSTRY_WEIGHTS)
        name = f"{chance.one_of(words.NAME_HEADS)} {chance.one_of(words.NAME_TAILS[industry])}"
        if name not in taken:
            taken.add(name)
            return industry, name


def _owner_for(chance: Chance, segment: str, region: str) -> Owner:
    """Sellers mostly work in their region and segment."""
    fit = {
        owner: owner.share * (6 if owner.region == region else 0.6) * (3 if owner.team == segment else 1)
        for owner in words.OWNERS
    }
    return chance.weighted(fit)
