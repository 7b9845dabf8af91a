"""The demo's files as pandas frames, and a copy that another company might have exported: nothing of the engine."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import date, timedelta

import pandas as pd

from apps.datasources.demo.dataset import make_files

TODAY = date(2026, 11, 20)
_DATES = (
    "Create Date",
    "Close Date",
    "Last Activity Date",
    "Churn date",
    "Became a customer date",
    "Send date",
    "Meeting start time",
    "Quarter start",
)
OTHER_LABELS = {
    "deals": {
        "Deal ID": "Record ID",
        "Deal Name": "Opportunity",
        "Company name": "Account",
        "Deal Stage": "Stage",
        "Deal Status": "Outcome",
        "Deal probability": "Win likelihood",
        "Amount": "Deal value",
        "Create Date": "Opened on",
        "Close Date": "Closing date",
        "Deal owner": "Account executive",
        "Deal source": "Lead source",
        "Closed Lost Reason": "Loss reason",
        "Last Activity Date": "Last contacted on",
    },
    "companies": {
        "Company name": "Account",
        "Churn date": "Churned on",
        "Number of employees": "Employees",
        "Became a customer date": "Customer since",
    },
    "meetings": {
        "Meeting start time": "Starts at",
        "Meeting owner": "Host",
        "Company name": "Account",
        "Meeting outcome": "Result",
        "Duration (minutes)": "Length (minutes)",
    },
    "emails": {
        "Email direction": "Direction",
        "Email send status": "Status",
        "Send date": "Sent on",
        "Email owner": "Salesperson",
        "Company name": "Account",
    },
    "tickets": {
        "Ticket status": "State",
        "Create Date": "Reported on",
        "Close Date": "Solved on",
        "Company name": "Account",
    },
    "contacts": {"Company name": "Account", "Create Date": "Added on"},
    "targets": {"Owner": "Rep", "Quarter start": "Start", "Target amount": "Quota"},
    "owners": {"Owner name": "Name"},
}
OTHER_VALUES = {
    "Closed Won": "Won",
    "Closed Lost": "Lost",
    "James Carter": "Ravi Menon",
    "J. Carter": "R. Menon",
    "Maria Lopez": "Eva Stone",
}


@dataclass(frozen=True)
class Organization:
    """Frames by kind under the demo's own labels, files as bytes under whatever labels they carry, and the day."""

    frames: dict[str, pd.DataFrame]
    files: dict[str, bytes]
    today: date


def the_demo() -> Organization:
    """The demo as it is loaded."""
    files = make_files(TODAY)
    frames = {_kind(name): _frame(content) for name, content in files.items()}
    return Organization(frames, files, TODAY)


def another_company() -> Organization:
    """The same deals under other labels, by other owners, a year earlier, with a currency column."""
    frames: dict[str, pd.DataFrame] = {}
    files: dict[str, bytes] = {}
    for name, content in make_files(TODAY).items():
        kind = _kind(name)
        frame = _frame(content).replace(OTHER_VALUES)
        for column in frame.columns.intersection(_DATES):
            frame[column] = frame[column] - pd.Timedelta(days=364)
        if kind == "targets":
            starts = frame["Quarter start"] + pd.Timedelta(days=10)
            frame["Quarter start"] = starts.dt.to_period("Q").dt.start_time
            frame["Quarter"] = starts.dt.to_period("Q").map(lambda q: f"Q{q.quarter} {q.year}")
        frames[kind] = frame
        written = frame.assign(Currency="EUR") if kind == "deals" else frame
        text = written.rename(columns=OTHER_LABELS[kind]).to_csv(
            index=False, date_format="%Y-%m-%d %H:%M" if kind == "meetings" else "%Y-%m-%d"
        )
        files[name.replace("hubspot_", "").replace("deals", "opportunities")] = text.encode()
    return Organization(frames, files, TODAY - timedelta(days=364))


def _kind(name: str) -> str:
    return name.removesuffix(".csv").removeprefix("hubspot_")


def _frame(content: bytes) -> pd.DataFrame:
    frame = pd.read_csv(io.BytesIO(content))
    for column in frame.columns.intersection(_DATES):
        frame[column] = pd.to_datetime(frame[column])
    return frame
