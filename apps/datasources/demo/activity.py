"""The demo's meetings, e-mails and tickets. Sellers at work on a deal leave traces; stalled deals have none of late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from apps.datasources.demo import vocabulary as words
from apps.datasources.demo.chance import Chance
from apps.datasources.demo.people import HISTORY_DAYS, Company, Contact
from apps.datasources.demo.pipeline import Deal

TICKETS = 1_200
SILENT_DAYS = 45
"""For at least so long nothing happened with a stalled deal."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A meeting of a seller with a company."""

    deal: Deal
    kind: str
    outcome: str
    start: datetime
    minutes: int


@dataclass(frozen=True, slots=True)
class Email:
    """An e-mail to or from a contact."""

    deal: Deal
    contact: Contact
    subject: str
    direction: str
    status: str
    sent: date
    opened: bool
    replied: bool


@dataclass(frozen=True, slots=True)
class Ticket:
    """A customer's question to support."""

    company: Company
    name: str
    category: str
    priority: str
    source: str
    created: date
    closed: date | None


def make_meetings(deals: list[Deal], today: date) -> list[Meeting]:
    """Held meetings up to today, and the few that are planned for the coming two weeks."""
    chance = Chance("meetings")
    meetings = []
    for deal in deals:
        for _ in range(chance.count(0.75 if deal.status == "Lost" else 1.2)):
            day = _day_of(chance, deal, today)
            meetings.append(_meeting(chance, deal, day, chance.weighted(words.MEETING_OUTCOMES)))
        if deal.status == "Open" and not deal.stalled and chance.happens(0.2):
            day = today + timedelta(days=chance.between(1, 14))
            meetings.append(_meeting(chance, deal, day, "Scheduled"))
    return sorted(meetings, key=lambda meeting: (meeting.start, meeting.deal.number))


def make_emails(deals: list[Deal], contacts: list[Contact], today: date) -> list[Email]:
    """Two thirds go out, a third comes in."""
    chance = Chance("emails")
    people: dict[int, list[Contact]] = {}
    for contact in contacts:
        people.setdefault(contact.company.number, []).append(contact)
    emails = []
    for deal in deals:
        for _ in range(chance.count(1.8)):
            outgoing = chance.happens(0.67)
            bounced = outgoing and chance.happens(0.03)
            opened = outgoing and not bounced and chance.happens(0.46)
            emails.append(
                Email(
                    deal=deal,
                    contact=chance.one_of(people[deal.company.number]),
                    subject=chance.one_of(words.EMAIL_SUBJECTS),
                    direction="Outgoing" if outgoing else "Incoming",
                    status="Bounced" if bounced else "Sent" if outgoing else "Received",
                    sent=_day_of(chance, deal, today),
                    opened=opened,
                    replied=opened and chance.happens(0.35),
                )
            )
    return sorted(emails, key=lambda email: (email.sent, email.deal.number))


def note_last_activity(deals: list[Deal], meetings: list[Meeting], emails: list[Email], today: date) -> None:
    """Each deal's last activity is the latest of its meetings and e-mails that has happened."""
    latest: dict[int, date] = {}
    happened = [(m.deal.number, m.start.date()) for m in meetings] + [(e.deal.number, e.sent) for e in emails]
    for number, day in happened:
        if day <= today:
            latest[number] = max(day, latest.get(number, day))
    for deal in deals:
        deal.last_activity = latest.get(deal.number)


def make_tickets(companies: list[Company], today: date) -> list[Ticket]:
    """Customers ask; most tickets are closed within days, urgent ones sooner."""
    chance = Chance("tickets")
    begin = today - timedelta(days=HISTORY_DAYS)
    customers = [company for company in companies if company.customer_since]
    tickets: list[Ticket] = []
    while len(tickets) < TICKETS:
        company = chance.one_of(customers)
        assert company.customer_since is not None
        created = chance.day(max(begin, company.customer_since), today)
        if company.churned is not None and created > company.churned:
            continue
        category = chance.one_of(tuple(words.TICKET_TOPICS))
        priority = chance.weighted(words.PRIORITY_WEIGHTS)
        days = round(chance.lognormal({"Urgent": 1.2, "High": 3, "Medium": 6, "Low": 10}[priority], 0.8))
        closed = created + timedelta(days=days)
        tickets.append(
            Ticket(
                company=company,
                name=chance.one_of(words.TICKET_TOPICS[category]),
                category=category,
                priority=priority,
                source=chance.one_of(("Email", "Chat", "Phone", "Form")),
                created=created,
                closed=closed if closed <= today and not chance.happens(0.02) else None,
            )
        )
    return sorted(tickets, key=lambda ticket: (ticket.created, ticket.company.number, ticket.name))


def _day_of(chance: Chance, deal: Deal, today: date) -> date:
    last = today if deal.status == "Open" or deal.close is None else min(deal.close, today)
    if deal.stalled:
        last = max(deal.created, today - timedelta(days=SILENT_DAYS))
    return chance.day(deal.created, last)


def _meeting(chance: Chance, deal: Deal, day: date, outcome: str) -> Meeting:
    start = datetime.combine(day, time(chance.between(9, 17), chance.one_of((0, 30))))
    kind = "Quarterly Review" if deal.kind == "Renewal" else chance.weighted(words.MEETING_TYPES)
    return Meeting(deal=deal, kind=kind, outcome=outcome, start=start, minutes=chance.one_of((30, 30, 45, 60)))
