"""The words the demo is made of: people, places, industries, stages. Values only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owner:
    """A seller: how good at winning (1 is average), how big the deals, how much of the work."""

    number: int
    first: str
    last: str
    team: str
    region: str
    skill: float
    share: float

    @property
    def name(self) -> str:
        """As the CRM shows it."""
        return f"{self.first} {self.last}"


OWNERS = (
    Owner(101, "Maria", "Lopez", "Enterprise", "North America", 1.35, 1.1),
    Owner(102, "James", "Carter", "Mid-Market", "North America", 1.0, 1.3),
    Owner(103, "Aisha", "Khan", "Enterprise", "EMEA", 1.2, 1.0),
    Owner(104, "Tom", "Becker", "Mid-Market", "EMEA", 0.85, 1.1),
    Owner(105, "Chloe", "Martin", "SMB", "EMEA", 1.05, 1.4),
    Owner(106, "Daniel", "Novak", "SMB", "North America", 0.7, 1.2),
    Owner(107, "Grace", "Liu", "Mid-Market", "APAC", 1.15, 0.9),
    Owner(108, "Oliver", "Silva", "SMB", "LATAM", 0.9, 0.7),
)
SPELLED_TWICE = ("James Carter", "J. Carter")
"""One owner stands under two names in some rows, as in every CRM."""

# fmt: off
PLACES = {
    "North America": (
        ("United States", ("New York", "Austin", "Chicago", "Seattle", "Denver")), ("Canada", ("Toronto", "Montreal")),
    ),
    "EMEA": (
        ("United Kingdom", ("London", "Manchester")), ("Germany", ("Berlin", "Munich")), ("France", ("Paris", "Lyon")),
        ("Netherlands", ("Amsterdam",)), ("Spain", ("Madrid",)),
    ),
    "APAC": (("Australia", ("Sydney", "Melbourne")), ("Singapore", ("Singapore",)), ("Japan", ("Tokyo",))),
    "LATAM": (("Brazil", ("São Paulo",)), ("Mexico", ("Mexico City",))),
}
REGION_WEIGHTS = {"North America": 45, "EMEA": 33, "APAC": 14, "LATAM": 8}
INDUSTRY_WEIGHTS = {
    "Software": 22, "Manufacturing": 16, "Financial Services": 14, "Healthcare": 13, "Retail": 12, "Logistics": 9,
    "Education": 7, "Energy": 7,
}
INDUSTRY_LIFT = {"Software": 1.15, "Financial Services": 1.25, "Education": 0.7, "Retail": 0.85}
"""How much larger (or smaller) than usual the deals of an industry are."""
SEGMENT_WEIGHTS = {"SMB": 50, "Mid-Market": 34, "Enterprise": 16}
SOURCE_WEIGHTS = {
    "Organic Search": 22, "Outbound": 20, "Referrals": 15, "Paid Search": 14, "Events": 11, "Email Marketing": 10,
    "Direct Traffic": 8,
}
SOURCE_LIFT = {"Referrals": 1.45, "Events": 1.15, "Organic Search": 1.05, "Outbound": 0.7, "Paid Search": 0.8}
"""How much more (or less) often than usual deals of a source are won."""

OPEN_STAGES = (
    ("Appointment Scheduled", 0.2),
    ("Qualified To Buy", 0.4),
    ("Presentation Scheduled", 0.6),
    ("Decision Maker Bought-In", 0.8),
    ("Contract Sent", 0.9),
)
"""Stages in their order with the probability the CRM gives them."""
WON, LOST = "Closed Won", "Closed Lost"
LOST_REASONS = {
    "Price": 28, "Chose a competitor": 22, "No budget": 18, "No decision": 17, "Missing feature": 9, "Timing": 6,
}
CHURN_REASONS = {
    "Price": 30, "Low usage": 26, "Switched to a competitor": 22, "Company closed": 8, "Missing feature": 14,
}
NEXT_STEPS = (
    "Send proposal", "Book a demo", "Talk to procurement", "Wait for legal review", "Call the decision maker", "",
)

NAME_HEADS = (
    "Alder", "Amber", "Arc", "Aspen", "Atlas", "Beacon", "Birch", "Blue Harbor", "Bright", "Cedar", "Cinder", "Clear",
    "Cobalt", "Copper", "Coral", "Crest", "Delta", "Ember", "Fern", "Field", "Forge", "Glen", "Granite", "Green",
    "Harbor", "Hazel", "Iron", "Juniper", "Kestrel", "Lark", "Linden", "Lumen", "Maple", "Meridian", "Mill", "North",
    "Oak", "Orchard", "Pine", "Quarry", "River", "Rowan", "Sable", "Silver", "Slate", "Spruce", "Stone", "Summit",
    "Tidal", "Vale", "Vertex", "Willow", "Zenith",
)
NAME_TAILS = {
    "Software": ("Systems", "Software", "Labs", "Cloud"),
    "Manufacturing": ("Works", "Industries", "Components", "Tooling"),
    "Financial Services": ("Capital", "Bank", "Insurance", "Finance"),
    "Healthcare": ("Health", "Clinics", "Medical", "Care"), "Retail": ("Stores", "Goods", "Market", "Outfitters"),
    "Logistics": ("Freight", "Logistics", "Shipping", "Transport"),
    "Education": ("Academy", "Learning", "Schools", "Institute"), "Energy": ("Energy", "Power", "Solar", "Grid"),
}
FIRST_NAMES = (
    "Adam", "Ana", "Ben", "Bianca", "Carlos", "Clara", "David", "Diana", "Elena", "Emil", "Fatima", "Felix", "Hana",
    "Henry", "Ines", "Ivan", "Jana", "John", "Julia", "Karim", "Kate", "Lars", "Leila", "Lucas", "Mei", "Mila",
    "Nina", "Noah", "Olga", "Omar", "Paula", "Peter", "Priya", "Rosa", "Samir", "Sara", "Sofia", "Stefan", "Tara",
    "Theo", "Victor", "Yuki", "Zoe",
)
LAST_NAMES = (
    "Adams", "Bauer", "Bianchi", "Brown", "Costa", "Cruz", "Dubois", "Evans", "Fischer", "Garcia", "Gupta", "Hansen",
    "Ito", "Jansen", "Jones", "Keller", "Kim", "Kowalski", "Lee", "Meyer", "Moore", "Moreau", "Nguyen", "Olsen",
    "Patel", "Perez", "Ramos", "Rossi", "Sato", "Schmidt", "Singh", "Taylor", "Tran", "Walker", "Weber", "White",
    "Wong", "Young",
)
JOB_TITLES = (
    "Head of Operations", "Sales Director", "CFO", "IT Manager", "Procurement Lead", "CEO", "Marketing Manager",
    "Data Analyst", "VP Sales", "Office Manager",
)
PRODUCTS = ("Starter plan", "Team plan", "Business plan", "Enterprise plan", "Analytics add-on", "Onboarding package")
TICKET_TOPICS = {
    "Product Issue": ("Export does not finish", "Login fails", "Report shows old data", "Page loads slowly"),
    "Billing": ("Invoice address is wrong", "Question about an invoice", "Change of payment method"),
    "Feature Request": ("Wish for a weekly report", "Wish for single sign-on", "Wish for more fields"),
    "General Inquiry": ("Question about roles", "Question about limits", "Where to find the guide"),
    "Onboarding": ("Import of first data", "Training for the team", "Set-up of accounts"),
}
PRIORITY_WEIGHTS = {"Low": 30, "Medium": 42, "High": 21, "Urgent": 7}
EMAIL_SUBJECTS = (
    "Following up on our call", "Your proposal", "Next steps", "Introduction", "Pricing question", "Meeting agenda",
    "Contract draft", "Checking in", "Product news", "Thank you for your time",
)
MEETING_TYPES = {"Discovery": 30, "Demo": 28, "Negotiation": 18, "Quarterly Review": 14, "Onboarding": 10}
MEETING_OUTCOMES = {"Completed": 78, "No Show": 8, "Rescheduled": 8, "Canceled": 6}
