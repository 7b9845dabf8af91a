"""An invented HubSpot account of any size: records are made from their number, only changed ones are kept in memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from apps.integrations.fakes.hubspot_words import (
    COMPANIES,
    DEAL_STAGES,
    FIRST_NAMES,
    INDUSTRIES,
    LAST_NAMES,
    LIFECYCLE,
    LOST_REASONS,
    OWNERS,
    PLACES,
    PRODUCTS,
    SUBJECTS,
    TICKET_STAGES,
    TITLES,
)
from apps.integrations.hubspot.wire import Category

FIRST_ID = 1_001
DEFAULT_SIZES: dict[Category, int] = {"companies": 60, "contacts": 180, "deals": 240, "tickets": 90, "emails": 150}


@dataclass(frozen=True)
class Record:
    """A record as HubSpot keeps it."""

    id: int
    properties: dict[str, str | None]
    links: dict[str, tuple[int, ...]]
    created: datetime
    updated: datetime
    archived: bool = False


def stamp(moment: datetime) -> str:
    """A time as HubSpot writes it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Account:
    """The records of an account: `sizes` says how many there were at first, `changed` holds what differs since."""

    sizes: dict[Category, int] = field(default_factory=lambda: dict(DEFAULT_SIZES))
    currencies: Sequence[str] = ()
    """What its deals are in, one after the other; an account with one currency does not say which."""
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    changed: dict[Category, dict[int, Record]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.planted = self.now()

    # ------------------------------------------------------------ reading
    def get(self, category: Category, number: int) -> Record | None:
        """The record of that id, None where there is none."""
        kept = self.changed.get(category, {}).get(number)
        if kept is not None:
            return kept
        position = number - FIRST_ID
        return self._made(category, position) if 0 <= position < self.sizes[category] else None

    def after(self, category: Category, number: int, limit: int, *, archived: bool) -> list[Record]:
        """Up to `limit` records with a greater id, in the order of ids."""
        found: list[Record] = []
        # What was made at first is not archived: only changed records can be.
        ids = (one for one in sorted(self.changed.get(category, {})) if one > number) if archived else None
        for candidate in ids or self._ids_after(category, number):
            record = self.get(category, candidate)
            if record is not None and record.archived == archived:
                found.append(record)
                if len(found) == limit:
                    break
        return found

    def modified_since(self, category: Category, since: datetime) -> list[Record]:
        """Records that are not archived and were changed then or later, the earliest change first."""
        kept = self.changed.get(category, {})
        found = [record for record in kept.values() if record.updated >= since]
        if since < self.planted - timedelta(days=1):
            made = (self._made(category, position) for position in range(self.sizes[category]))
            found += [record for record in made if record.id not in kept and record.updated >= since]
        return sorted((record for record in found if not record.archived), key=lambda r: (r.updated, r.id))

    # ------------------------------------------------------------ changing
    def change(
        self,
        category: Category,
        number: int,
        *,
        links: dict[str, tuple[int, ...]] | None = None,
        **properties: str | None,
    ) -> None:
        """Somebody edits a record."""
        record = self.get(category, number)
        assert record is not None, f"there are no {category} {number}"
        self._keep(category, replace(
            record, properties={**record.properties, **properties}, links={**record.links, **(links or {})},
            updated=self.now(),
        ))  # fmt: skip

    def add(
        self, category: Category, *, links: dict[str, tuple[int, ...]] | None = None, **properties: str | None
    ) -> int:
        """Somebody adds a record; its id."""
        number = max([FIRST_ID + self.sizes[category] - 1, *self.changed.get(category, {})]) + 1
        self._keep(category, Record(number, properties, links or {}, self.now(), self.now()))
        return number

    def archive(self, category: Category, number: int) -> None:
        """Somebody deletes a record."""
        record = self.get(category, number)
        assert record is not None, f"there are no {category} {number}"
        self._keep(category, replace(record, archived=True, updated=self.now()))

    def _keep(self, category: Category, record: Record) -> None:
        self.changed.setdefault(category, {})[record.id] = record

    def _ids_after(self, category: Category, number: int) -> Iterator[int]:
        last = FIRST_ID + self.sizes[category]
        yield from range(max(number + 1, FIRST_ID), last)
        added = sorted(found for found in self.changed.get(category, {}) if found >= last)
        yield from added[bisect_right(added, number) :]

    # ------------------------------------------------------------ making
    def _made(self, category: Category, position: int) -> Record:
        created = self.planted - timedelta(days=2 + (position * 7) % 700, minutes=position % 1_440)
        updated = max(created, self.planted - timedelta(days=1, minutes=1 + (position * 37) % 200_000))
        properties, links = getattr(self, f"_{category}")(position, created)
        return Record(FIRST_ID + position, properties, links, created, updated)

    def _companies(self, position: int, created: datetime) -> tuple[dict[str, str | None], dict[str, tuple[int, ...]]]:
        name = COMPANIES[position % len(COMPANIES)] + (f" {position // len(COMPANIES) + 1}" if position >= 30 else "")
        country, city = PLACES[position % len(PLACES)]
        return {
            "name": name, "domain": f"{name.lower().replace(' ', '-')}.example",
            "industry": INDUSTRIES[position % len(INDUSTRIES)][0], "country": country, "city": city,
            "numberofemployees": str(10 + (position * 53) % 4_000),
            "annualrevenue": str((position * 97 % 900) * 100_000),
            "lifecyclestage": LIFECYCLE[position % len(LIFECYCLE)][0], "hubspot_owner_id": self._owner(position),
            "createdate": stamp(created), "hs_lastmodifieddate": None, "hs_object_id": str(FIRST_ID + position),
        }, {}  # fmt: skip

    def _contacts(self, position: int, created: datetime) -> tuple[dict[str, str | None], dict[str, tuple[int, ...]]]:
        first, last = FIRST_NAMES[position % len(FIRST_NAMES)], LAST_NAMES[position // 3 % len(LAST_NAMES)]
        company = FIRST_ID + position % self.sizes["companies"]
        return {
            "firstname": first, "lastname": last, "email": f"{first}.{last}.{position}@mail.example".lower(),
            "phone": None if position % 4 else f"+44 20 7946 {position % 10_000:04}",
            "jobtitle": TITLES[position % len(TITLES)], "lifecyclestage": LIFECYCLE[position % len(LIFECYCLE)][0],
            "hs_lead_status": None, "hubspot_owner_id": self._owner(position), "createdate": stamp(created),
            "associatedcompanyid": str(company), "lastmodifieddate": None, "hs_object_id": str(FIRST_ID + position),
        }, {"companies": (company,)}  # fmt: skip

    def _deals(self, position: int, created: datetime) -> tuple[dict[str, str | None], dict[str, tuple[int, ...]]]:
        pipeline = "default" if position % 5 else "renewals"
        stages = DEAL_STAGES[pipeline]
        stage = stages[position % len(stages)]
        company = position % self.sizes["companies"]
        contacts = (
            FIRST_ID + position % self.sizes["contacts"],
            FIRST_ID + (position * 3 + 1) % self.sizes["contacts"],
        )
        closed = created + timedelta(days=20 + position % 120)
        return {
            "dealname": f"{COMPANIES[company % len(COMPANIES)]} - {PRODUCTS[position % len(PRODUCTS)]}",
            "amount": None if position % 17 == 16 else str(2_000 + (position * 311) % 90_000), "pipeline": pipeline,
            "dealstage": stage[0], "hs_deal_stage_probability": stage[2],
            "dealtype": "newbusiness" if pipeline == "default" else "existingbusiness",
            "createdate": stamp(created), "closedate": stamp(closed), "hubspot_owner_id": self._owner(position),
            "closed_lost_reason": LOST_REASONS[position % len(LOST_REASONS)] if stage[2] == "0.0" else None,
            "notes_last_updated": stamp(min(closed, self.planted)), "hs_next_step": None,
            "deal_currency_code": self.currencies[position % len(self.currencies)] if self.currencies else None,
            "hs_lastmodifieddate": None, "hs_object_id": str(FIRST_ID + position),
        }, {"companies": (FIRST_ID + company,), "contacts": contacts}  # fmt: skip

    def _tickets(self, position: int, created: datetime) -> tuple[dict[str, str | None], dict[str, tuple[int, ...]]]:
        stage = TICKET_STAGES[position % len(TICKET_STAGES)]
        closed = stamp(created + timedelta(hours=5 + position % 200)) if stage[0] == "4" else None
        return {
            "subject": SUBJECTS[position % len(SUBJECTS)], "hs_pipeline": "0", "hs_pipeline_stage": stage[0],
            "hs_ticket_priority": ("LOW", "MEDIUM", "HIGH")[position % 3], "createdate": stamp(created),
            "closed_date": closed, "hubspot_owner_id": self._owner(position), "hs_lastmodifieddate": None,
            "hs_object_id": str(FIRST_ID + position),
        }, {
            "companies": (FIRST_ID + position % self.sizes["companies"],),
            "contacts": (FIRST_ID + position % self.sizes["contacts"],),
        }  # fmt: skip

    def _emails(self, position: int, created: datetime) -> tuple[dict[str, str | None], dict[str, tuple[int, ...]]]:
        return {
            "hs_email_subject": SUBJECTS[position % len(SUBJECTS)],
            "hs_email_direction": ("EMAIL", "INCOMING_EMAIL", "FORWARDED_EMAIL")[position % 3],
            "hs_email_status": "SENT", "hs_timestamp": stamp(created), "hubspot_owner_id": self._owner(position),
            "hs_lastmodifieddate": None, "hs_object_id": str(FIRST_ID + position),
        }, {
            "contacts": (FIRST_ID + position % self.sizes["contacts"],),
            "companies": (FIRST_ID + position % self.sizes["companies"],),
            "deals": (FIRST_ID + position % self.sizes["deals"],),
        }  # fmt: skip

    def _owner(self, position: int) -> str | None:
        return None if position % 23 == 22 else str(OWNERS[position % len(OWNERS)][0])
