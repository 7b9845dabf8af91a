"""The invented account's vocabulary and its properties as HubSpot describes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

COMPANIES = (
    "Northwind", "Bluepeak", "Corelight", "Dunmore", "Everstead", "Fernhill", "Granite", "Harborline", "Ironleaf",
    "Juniper", "Kestrel", "Lumen", "Marlow", "Nimbus", "Oakridge", "Pinecrest", "Quarry", "Riverton", "Silverline",
    "Tidewater", "Umbra", "Vantage", "Westbrook", "Xenon", "Yarrow", "Zephyr", "Alder", "Birch", "Cedar", "Delta",
)  # fmt: skip
FIRST_NAMES = ("Amara", "Bruno", "Chloe", "Dmitri", "Elif", "Farid", "Greta", "Hiro", "Ines", "Jonas", "Kofi", "Lena")
LAST_NAMES = ("Okafor", "Silva", "Martin", "Petrov", "Yilmaz", "Haddad", "Lindqvist", "Tanaka", "Costa", "Weber")
TITLES = ("Buyer", "Head of Sales", "Operations Manager", "CFO", "Analyst", "IT Manager", "Founder")
PLACES = (
    ("United Kingdom", "London"),
    ("Germany", "Berlin"),
    ("France", "Lyon"),
    ("Spain", "Madrid"),
    ("USA", "Austin"),
)
PRODUCTS = ("Platform", "Analytics", "Support plan", "Onboarding", "Seats")
LOST_REASONS = ("Price", "No budget", "Chose a competitor", "No answer")
SUBJECTS = ("Invoice question", "Login does not work", "Renewal", "Price list", "Export fails", "Meeting on Tuesday")

INDUSTRIES = (
    ("COMPUTER_SOFTWARE", "Computer Software"), ("RETAIL", "Retail"), ("MACHINERY", "Machinery"),
    ("HOSPITAL_HEALTH_CARE", "Hospital & Health Care"), ("BANKING", "Banking"),
)  # fmt: skip
LIFECYCLE = (
    ("lead", "Lead"), ("opportunity", "Opportunity"), ("customer", "Customer"), ("customer", "Customer"),
    ("evangelist", "Evangelist"),
)  # fmt: skip
DEAL_STAGES = {
    "default": (
        ("appointmentscheduled", "Appointment Scheduled", "0.2"), ("qualifiedtobuy", "Qualified To Buy", "0.4"),
        ("presentationscheduled", "Presentation Scheduled", "0.6"), ("contractsent", "Contract Sent", "0.9"),
        ("closedwon", "Closed Won", "1.0"), ("closedlost", "Closed Lost", "0.0"), ("closedwon", "Closed Won", "1.0"),
    ),
    "renewals": (
        ("7700001", "Renewal Due", "0.5"), ("7700002", "Renewal Agreed", "1.0"), ("7700003", "Renewal Lost", "0.0"),
    ),
}  # fmt: skip
TICKET_STAGES = (("1", "New"), ("2", "Waiting on contact"), ("3", "Waiting on us"), ("4", "Closed"))
OWNERS = (
    (51001, "Maya", "Brooks", "maya.brooks@acme-sandbox.example"),
    (51002, "Tom", "Keller", "tom.keller@acme-sandbox.example"),
    (51003, "Aiko", "Mori", "aiko.mori@acme-sandbox.example"),
    (51004, "Luis", "Ortega", "luis.ortega@acme-sandbox.example"),
    (51005, "Nora", "Hansen", "nora.hansen@acme-sandbox.example"),
)

Described = tuple[str, str, str]
"""Name, label, type."""

_COMMON: tuple[Described, ...] = (
    ("hubspot_owner_id", "{kind} owner", "enumeration"),
    ("createdate", "Create Date", "datetime"),
    ("hs_object_id", "Record ID", "number"),
)
_PROPERTIES: dict[str, tuple[Described, ...]] = {
    "companies": (
        ("name", "Company name", "string"), ("domain", "Company Domain Name", "string"),
        ("industry", "Industry", "enumeration"), ("country", "Country/Region", "string"), ("city", "City", "string"),
        ("numberofemployees", "Number of Employees", "number"), ("annualrevenue", "Annual Revenue", "number"),
        ("lifecyclestage", "Lifecycle Stage", "enumeration"), ("hs_lastmodifieddate", "Last Modified Date", "datetime"),
        *_COMMON,
    ),
    "contacts": (
        ("firstname", "First Name", "string"), ("lastname", "Last Name", "string"), ("email", "Email", "string"),
        ("phone", "Phone Number", "string"), ("jobtitle", "Job Title", "string"),
        ("lifecyclestage", "Lifecycle Stage", "enumeration"), ("hs_lead_status", "Lead Status", "enumeration"),
        ("associatedcompanyid", "Primary Associated Company ID", "number"),
        ("lastmodifieddate", "Last Modified Date", "datetime"), *_COMMON,
    ),
    "deals": (
        ("dealname", "Deal Name", "string"), ("amount", "Amount", "number"), ("pipeline", "Pipeline", "enumeration"),
        ("dealstage", "Deal Stage", "enumeration"), ("hs_deal_stage_probability", "Deal probability", "number"),
        ("dealtype", "Deal Type", "enumeration"), ("closedate", "Close Date", "datetime"),
        ("closed_lost_reason", "Closed Lost Reason", "string"),
        ("notes_last_updated", "Last Activity Date", "datetime"),
        ("hs_next_step", "Next step", "string"), ("hs_lastmodifieddate", "Last Modified Date", "datetime"), *_COMMON,
    ),
    "tickets": (
        ("subject", "Ticket name", "string"), ("hs_pipeline", "Pipeline", "enumeration"),
        ("hs_pipeline_stage", "Ticket status", "enumeration"), ("hs_ticket_priority", "Priority", "enumeration"),
        ("closed_date", "Close date", "datetime"), ("hs_lastmodifieddate", "Last modified date", "datetime"), *_COMMON,
    ),
    "emails": (
        ("hs_email_subject", "Email subject", "string"), ("hs_email_direction", "Email Direction", "enumeration"),
        ("hs_email_status", "Email send status", "enumeration"), ("hs_timestamp", "Activity date", "datetime"),
        ("hs_lastmodifieddate", "Last modified date", "datetime"),
        ("hubspot_owner_id", "Activity assigned to", "enumeration"), ("hs_object_id", "Record ID", "number"),
    ),
}  # fmt: skip
_MONEY = {"amount", "annualrevenue"}
_KINDS = {"companies": "Company", "contacts": "Contact", "deals": "Deal", "tickets": "Ticket", "emails": "Email"}
_OPTIONS: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("companies", "industry"): INDUSTRIES,
    ("companies", "lifecyclestage"): LIFECYCLE,
    ("contacts", "lifecyclestage"): LIFECYCLE,
    ("contacts", "hs_lead_status"): (("NEW", "New"), ("OPEN", "Open")),
    ("deals", "pipeline"): (("default", "Sales Pipeline"), ("renewals", "Renewals")),
    ("deals", "dealstage"): tuple((value, label) for stages in DEAL_STAGES.values() for value, label, _ in stages),
    ("deals", "dealtype"): (("newbusiness", "New Business"), ("existingbusiness", "Existing Business")),
    ("tickets", "hs_pipeline"): (("0", "Support Pipeline"),),
    ("tickets", "hs_pipeline_stage"): TICKET_STAGES,
    ("tickets", "hs_ticket_priority"): (("LOW", "Low"), ("MEDIUM", "Medium"), ("HIGH", "High")),
    ("emails", "hs_email_direction"): (
        ("EMAIL", "Sent"), ("INCOMING_EMAIL", "Incoming"), ("FORWARDED_EMAIL", "Forwarded"),
    ),
    ("emails", "hs_email_status"): (("SENT", "Sent"), ("FAILED", "Failed")),
}  # fmt: skip


def property_rows(category: str, currencies: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The properties of a category as `properties.list` answers them; deals have a currency where there are some."""
    rows = [_row(category, name, label, kind) for name, label, kind in _PROPERTIES[category]]
    if category == "deals" and currencies:
        rows.append(_row(category, "deal_currency_code", "Currency", "enumeration", [(one, one) for one in currencies]))
    return rows


def _row(category: str, name: str, label: str, kind: str, choices: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    options = dict.fromkeys(choices or _OPTIONS.get((category, name), ()))
    return {
        "name": name,
        "label": label.format(kind=_KINDS[category]),
        "type": kind,
        "fieldType": "select" if kind == "enumeration" else "text",
        "groupName": f"{category}information",
        "description": "",
        "options": [{"label": said, "value": value, "hidden": False} for value, said in options],
        "hidden": False,
        "hubspotDefined": True,
        "archived": False,
        "showCurrencySymbol": name in _MONEY,
    }
