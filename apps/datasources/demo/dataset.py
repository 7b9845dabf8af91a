"""The demo's files: the CRM's exports under its column labels, and one uploaded file with targets. With some dirt."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from apps.datasources.demo import vocabulary as words
from apps.datasources.demo.activity import (
    Email,
    Meeting,
    Ticket,
    make_emails,
    make_meetings,
    make_tickets,
    note_last_activity,
)
from apps.datasources.demo.chance import Chance
from apps.datasources.demo.people import HISTORY_DAYS, Company, Contact, make_companies, make_contacts
from apps.datasources.demo.pipeline import Deal, make_deals
from apps.datasources.naming import CRM_PREFIX

Row = Sequence[object]


def make_files(today: date) -> dict[str, bytes]:
    """Every file of the demo by name, in UTF-8. The same day gives the same bytes."""
    companies = make_companies(today)
    contacts = make_contacts(companies, today)
    deals = make_deals(companies, today)
    meetings, emails = make_meetings(deals, today), make_emails(deals, contacts, today)
    note_last_activity(deals, meetings, emails, today)
    tables = {
        f"{CRM_PREFIX}owners.csv": _owners(),
        f"{CRM_PREFIX}companies.csv": _companies(companies, deals),
        f"{CRM_PREFIX}contacts.csv": _contacts(contacts),
        f"{CRM_PREFIX}deals.csv": _deals(deals),
        f"{CRM_PREFIX}tickets.csv": _tickets(make_tickets(companies, today)),
        f"{CRM_PREFIX}emails.csv": _emails(emails),
        f"{CRM_PREFIX}meetings.csv": _meetings(meetings),
        "targets.csv": _targets(deals, today),
    }
    return {name: _csv(rows) for name, rows in tables.items()}


def _csv(rows: Iterable[Row]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return out.getvalue().encode()


def _owners() -> Iterable[Row]:
    yield "Owner ID", "Owner name", "Email", "Team", "Sales region"
    for owner in words.OWNERS:
        email = f"{owner.first}.{owner.last}@demo.example".lower()
        yield owner.number, owner.name, email, owner.team, owner.region


def _companies(companies: list[Company], deals: list[Deal]) -> Iterable[Row]:
    yield (
        "Company ID", "Company name", "Company domain name", "Industry", "Segment", "Region", "Country", "City",
        "Number of employees", "Annual revenue", "Lifecycle stage", "Company owner", "Original source", "Create Date",
        "Became a customer date", "Churn date", "Churn reason", "Annual recurring revenue",
    )  # fmt: skip
    chance = Chance("dirt in companies")
    courted = {deal.company.number for deal in deals if deal.status == "Open"}
    for company in companies:
        yield (
            company.number, company.name, company.domain, company.industry, company.segment, company.region,
            company.country, None if chance.happens(0.03) else company.city,
            None if chance.happens(0.04) else company.employees, None if chance.happens(0.08) else company.revenue,
            _lifecycle(company, company.number in courted), company.owner.name, company.source, company.created,
            company.customer_since, company.churned, company.churn_reason,
            company.won_last_year if company.customer_since and not company.churned else None,
        )  # fmt: skip


def _lifecycle(company: Company, courted: bool) -> str:
    if company.churned:
        return "Former Customer"
    if company.customer_since:
        return "Customer"
    return "Opportunity" if courted else "Lead"


def _contacts(contacts: list[Contact]) -> Iterable[Row]:
    yield (
        "Contact ID", "First name", "Last name", "Contact email", "Phone number", "Job title", "Company name",
        "Contact owner", "Create Date",
    )  # fmt: skip
    chance = Chance("dirt in contacts")
    for contact in contacts:
        yield (
            contact.number, contact.first, contact.last, None if chance.happens(0.04) else contact.email,
            None if chance.happens(0.3) else contact.phone, None if chance.happens(0.12) else contact.title,
            contact.company.name, contact.company.owner.name, contact.created,
        )  # fmt: skip


def _deals(deals: list[Deal]) -> Iterable[Row]:
    yield (
        "Deal ID", "Deal Name", "Company name", "Pipeline", "Deal Stage", "Deal Status", "Deal probability", "Amount",
        "Create Date", "Close Date", "Deal owner", "Deal Type", "Product", "Deal source", "Region", "Segment",
        "Closed Lost Reason", "Last Activity Date", "Next step",
    )  # fmt: skip
    chance = Chance("dirt in deals")
    for deal in deals:
        company = deal.company
        is_open = deal.status == "Open"
        yield (
            deal.number, f"{company.name} - {deal.product}", company.name, deal.pipeline, deal.stage, deal.status,
            deal.probability, None if is_open and chance.happens(0.05) else deal.amount, deal.created,
            _close_date(chance, deal), _owner_name(chance, deal), deal.kind, deal.product,
            None if chance.happens(0.05) else deal.source, company.region, company.segment,
            deal.lost_reason if not chance.happens(0.1) else None, deal.last_activity,
            chance.one_of(words.NEXT_STEPS) if is_open else None,
        )  # fmt: skip


def _owner_name(chance: Chance, deal: Deal) -> str | None:
    """Sometimes the owner's other spelling, sometimes nobody."""
    usual, other = words.SPELLED_TWICE
    if deal.owner.name == usual and chance.happens(0.08):
        return other
    return None if chance.happens(0.01) else deal.owner.name


def _close_date(chance: Chance, deal: Deal) -> date | None:
    """Sometimes forgotten on open deals; a few closed ones carry a day before their creation."""
    if deal.status == "Open":
        return None if chance.happens(0.04) else deal.close
    return deal.created - timedelta(days=chance.between(1, 9)) if chance.happens(0.002) else deal.close


def _tickets(tickets: list[Ticket]) -> Iterable[Row]:
    yield (
        "Ticket ID", "Ticket name", "Company name", "Ticket status", "Priority", "Category", "Ticket source",
        "Create Date", "Close Date", "Days to close",
    )  # fmt: skip
    for number, ticket in enumerate(tickets, start=3_000_001):
        yield (
            number, ticket.name, ticket.company.name, "Closed" if ticket.closed else "Open", ticket.priority,
            ticket.category, ticket.source, ticket.created, ticket.closed,
            (ticket.closed - ticket.created).days if ticket.closed else None,
        )  # fmt: skip


def _emails(emails: list[Email]) -> Iterable[Row]:
    yield (
        "Email ID", "Email subject", "Email direction", "Email send status", "Send date", "Email owner",
        "Contact email", "Company name", "Deal ID", "Opened", "Replied",
    )  # fmt: skip
    for number, email in enumerate(emails, start=1_000_001):
        outgoing = email.direction == "Outgoing"
        yield (
            number, email.subject, email.direction, email.status, email.sent, email.deal.owner.name,
            email.contact.email, email.deal.company.name, email.deal.number, email.opened if outgoing else None,
            email.replied if outgoing else None,
        )  # fmt: skip


def _meetings(meetings: list[Meeting]) -> Iterable[Row]:
    yield (
        "Meeting ID", "Meeting name", "Meeting type", "Meeting outcome", "Meeting start time", "Duration (minutes)",
        "Meeting owner", "Company name", "Deal ID",
    )  # fmt: skip
    for number, meeting in enumerate(meetings, start=2_000_001):
        company = meeting.deal.company.name
        yield (
            number, f"{meeting.kind} with {company}", meeting.kind, meeting.outcome,
            meeting.start.isoformat(sep=" ", timespec="minutes"), meeting.minutes, meeting.deal.owner.name, company,
            meeting.deal.number,
        )  # fmt: skip


def _targets(deals: list[Deal], today: date) -> Iterable[Row]:
    """A target for each owner and quarter, from the first whole quarter of the history to the present one."""
    yield "Owner", "Quarter", "Quarter start", "Target amount"
    chance = Chance("targets")
    begin = today - timedelta(days=HISTORY_DAYS)
    won = {owner: sum(d.amount for d in deals if d.owner is owner and d.status == "Won") for owner in words.OWNERS}
    start = date(begin.year, (begin.month - 1) // 3 * 3 + 1, 1)
    quarters = []
    while start <= today:
        if start >= begin:
            quarters.append(start)
        start = date(start.year + (start.month + 3) // 13, (start.month + 2) % 12 + 1, 1)
    for position, quarter in enumerate(quarters):
        for owner in words.OWNERS:
            usual = won[owner] / (HISTORY_DAYS / 91.25)
            growth = 0.62 + 0.8 * position / max(1, len(quarters) - 1)
            target = max(10_000, round(usual * growth * chance.uniform(0.9, 1.2), -3))
            yield owner.name, f"Q{(quarter.month + 2) // 3} {quarter.year}", quarter, round(target)
