"""HubSpot's addresses, names and limits: the one place that knows its version (INTEGRATIONS section 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

API_VERSION = "2026-09"
TOKEN_PATH = f"/oauth/{API_VERSION}/token"
OWNERS_PATH = f"/crm/owners/{API_VERSION}"

Category = Literal["contacts", "companies", "deals", "tickets", "emails"]

LIST_PAGE = 100
SEARCH_PAGE = 200
SEARCH_CAP = 10_000
"""A query gives at most so many results; what is beyond is reached by a window that starts later."""
SEARCH_SPACING = 0.21
"""Seconds between two searches: five a second for the whole account."""
SCOPES = (
    "oauth",
    "crm.objects.contacts.read",
    "crm.objects.companies.read",
    "crm.objects.deals.read",
    "crm.objects.owners.read",
)
OPTIONAL_SCOPES = ("tickets", "sales-email-read", "crm.export")
"""Asked for as optional: an account without them could not consent at all otherwise. Exports are for super admins."""


@dataclass(frozen=True, slots=True)
class ObjectType:
    """One kind of record: where its files' columns come from and what it hangs on."""

    category: Category
    singular: str
    scope: str
    modified: str
    """The property that search goes by to find what changed."""
    links: tuple[Category, ...]
    """Records of these kinds are kept as links: their ids and names become columns."""
    primary: tuple[str, ...]
    """Properties that people choose first, selected until they say otherwise."""


OBJECTS: dict[Category, ObjectType] = {
    "companies": ObjectType(
        "companies", "Company", "crm.objects.companies.read", "hs_lastmodifieddate", (),
        ("name", "domain", "industry", "country", "city", "numberofemployees", "annualrevenue", "lifecyclestage",
         "hubspot_owner_id", "createdate"),
    ),
    "contacts": ObjectType(
        "contacts", "Contact", "crm.objects.contacts.read", "lastmodifieddate", ("companies",),
        ("firstname", "lastname", "email", "phone", "jobtitle", "lifecyclestage", "hs_lead_status",
         "hubspot_owner_id", "createdate"),
    ),
    "deals": ObjectType(
        "deals", "Deal", "crm.objects.deals.read", "hs_lastmodifieddate", ("companies", "contacts"),
        ("dealname", "amount", "pipeline", "dealstage", "hs_deal_stage_probability", "dealtype", "createdate",
         "closedate", "hubspot_owner_id", "closed_lost_reason", "notes_last_updated", "hs_next_step"),
    ),
    "tickets": ObjectType(
        "tickets", "Ticket", "tickets", "hs_lastmodifieddate", ("companies", "contacts"),
        ("subject", "hs_pipeline", "hs_pipeline_stage", "hs_ticket_priority", "createdate", "closed_date",
         "hubspot_owner_id"),
    ),
    "emails": ObjectType(
        "emails", "Email", "sales-email-read", "hs_lastmodifieddate", ("contacts", "companies", "deals"),
        ("hs_email_subject", "hs_email_direction", "hs_email_status", "hs_timestamp", "hubspot_owner_id"),
    ),
}  # fmt: skip
"""In the order they are refreshed: what others hang on comes first."""

OWNER_PROPERTY = "hubspot_owner_id"


def objects_path(category: Category) -> str:
    """Where records of a kind are listed."""
    return f"/crm/objects/{API_VERSION}/{category}"


def properties_path(category: Category) -> str:
    """Where the properties of a kind are described."""
    return f"/crm/properties/{API_VERSION}/{category}"
