"""Question by question, what the answer must say. Each line is its own small pandas computation."""

from __future__ import annotations

import pandas as pd

from tests.apps.demo.expected import (
    DEAL,
    Books,
    Expected,
    Told,
    by,
    compared,
    first,
    line,
    listed,
    one,
    per,
    quarters,
    race,
    rate,
    shares,
    some,
    table,
    top,
    whole,
)

NOW, LAST = 0, -1
OWNER, C, K = "Deal owner", "Create Date", "Close Date"


def year(b: Books) -> int:
    return int(b.today.year)


def _target_quarters(b: Books, only: int | None) -> Told:
    won, goal = quarters(b, only)
    return Told(table(won, goal, 100 * won / goal), ordered=True)


def _attainment_quarters(b: Books) -> Told:
    won, goal = quarters(b)
    return Told(table(100 * won / goal, won, goal), ordered=True)


def _moves(b: Books) -> Told:
    amounts = per(b.won, K, "Q", "Amount")
    return Told(table(amounts, amounts.diff(), 100 * amounts.pct_change()), ordered=True)


def _month_won_lost(b: Books) -> Told:
    won, lost = per(b.inside(b.won, K, "Y"), K, "M"), per(b.inside(b.lost, K, "Y"), K, "M")
    months = won.index.union(lost.index)
    return Told(table(won.reindex(months, fill_value=0), lost.reindex(months, fill_value=0)), ordered=True)


def _past(b: Books) -> pd.DataFrame:
    return b.open[b.open[K] < b.today]


def _share_of_ten(b: Books) -> Told:
    amounts = b.open.Amount.dropna().sort_values(ascending=False)
    return one(100 * amounts.head(10).sum() / amounts.sum(), amounts.head(10).sum(), amounts.sum())


def _best_race(b: Books) -> Told:
    found = race(b, "Q", LAST, "attainment")
    best = max(row[1] for row in found)
    return Told([row for row in found if row[1] == best])


def _different(frame: pd.DataFrame, column: str, unit: str) -> Told:
    return line(per(frame, column, unit, "Company name", "nunique"))


def _two(frame: pd.DataFrame, column: str, group: str, unit: str) -> Told:
    starts = frame[column].dt.to_period(unit).dt.start_time
    counts = frame.groupby([group, starts]).size()
    return Told([(key[0], key[1].date(), int(count)) for key, count in counts.items()])


MEETINGS: dict[str, Expected] = {
    "How many meetings did each owner hold last month?": lambda b: some(
        by(b.inside(b.held, "Meeting start time", "M", LAST), "Meeting owner")
    ),
    "How many meetings did each owner hold this quarter?": lambda b: some(
        by(b.inside(b.held, "Meeting start time", "Q"), "Meeting owner")
    ),
    "How many meetings did each owner hold this month?": lambda b: some(
        by(b.inside(b.held, "Meeting start time", "M"), "Meeting owner")
    ),
    "Which owner held the most meetings this year?": lambda b: first(
        by(b.inside(b.held, "Meeting start time", "Y"), "Meeting owner")
    ),
    "How many meetings were held each month over the last 12 months?": lambda b: line(
        per(b.months(b.held, "Meeting start time", 12), "Meeting start time", "M")
    ),
    "How many meetings were held per week in the last quarter?": lambda b: line(
        per(b.inside(b.held, "Meeting start time", "Q", LAST), "Meeting start time", "W")
    ),
    "How does the number of meetings this quarter compare with last quarter?": lambda b: compared(
        len(b.as_far(b.meetings, "Meeting start time", "Q", NOW, b.meetings["Meeting start time"])),
        len(b.as_far(b.meetings, "Meeting start time", "Q", LAST, b.meetings["Meeting start time"])),
    ),
    "How many meetings are there by outcome?": lambda b: some(by(b.meetings, "Meeting outcome")),
    "What share of meetings this year had each outcome?": lambda b: Told(
        shares(by(b.inside(b.meetings, "Meeting start time", "Y"), "Meeting outcome"))
    ),
    "How many meetings per outcome were held last quarter?": lambda b: some(
        by(b.inside(b.meetings, "Meeting start time", "Q", LAST), "Meeting outcome")
    ),
    "What is the average duration of meetings by owner?": lambda b: some(
        by(b.meetings, "Meeting owner", "Duration (minutes)", "mean")
    ),
    "What is the median duration of meetings this year?": lambda b: one(
        b.inside(b.meetings, "Meeting start time", "Y")["Duration (minutes)"].median()
    ),
    "What is the average duration of meetings by month this year?": lambda b: line(
        per(b.inside(b.meetings, "Meeting start time", "Y"), "Meeting start time", "M", "Duration (minutes)", "mean")
    ),
    "Which 10 companies had the most meetings this year?": lambda b: top(
        by(b.inside(b.meetings, "Meeting start time", "Y"), "Company name"), 10
    ),
    "Which 5 companies had the most meetings last quarter?": lambda b: top(
        by(b.inside(b.meetings, "Meeting start time", "Q", LAST), "Company name"), 5
    ),
    "How many different companies did we meet each quarter?": lambda b: _different(b.held, "Meeting start time", "Q"),
}
EMAILS: dict[str, Expected] = {
    "How many emails were sent per week in the last quarter?": lambda b: line(
        per(b.inside(b.sent, "Send date", "Q", LAST), "Send date", "W")
    ),
    "How many emails were sent each month over the last 12 months?": lambda b: line(
        per(b.months(b.sent, "Send date", 12), "Send date", "M")
    ),
    "How does the number of emails this month compare with last month?": lambda b: compared(
        len(b.as_far(b.emails, "Send date", "M", NOW, b.emails["Send date"])),
        len(b.as_far(b.emails, "Send date", "M", LAST, b.emails["Send date"])),
    ),
    "How many emails did each owner send last month?": lambda b: some(
        by(b.inside(b.sent, "Send date", "M", LAST), "Email owner")
    ),
    "How many emails did each owner send this month?": lambda b: some(
        by(b.inside(b.sent, "Send date", "M"), "Email owner")
    ),
    "How many emails did each owner send this year?": lambda b: some(
        by(b.inside(b.sent, "Send date", "Y"), "Email owner")
    ),
    "Which owner sent the most emails this quarter?": lambda b: first(
        by(b.inside(b.sent, "Send date", "Q"), "Email owner")
    ),
    "Which 3 owners sent the most emails last quarter?": lambda b: top(
        by(b.inside(b.sent, "Send date", "Q", LAST), "Email owner"), 3
    ),
    "How many emails are there by direction?": lambda b: some(by(b.emails, "Email direction")),
    "How many emails were there by direction each month this year?": lambda b: _two(
        b.inside(b.emails, "Send date", "Y"), "Send date", "Email direction", "M"
    ),
    "What share of emails is there by direction?": lambda b: Told(shares(by(b.emails, "Email direction"))),
    "How many emails are there by status?": lambda b: some(by(b.emails, "Email send status")),
    "How many emails by status were there last quarter?": lambda b: some(
        by(b.inside(b.emails, "Send date", "Q", LAST), "Email send status")
    ),
    "What share of emails has each status?": lambda b: Told(shares(by(b.emails, "Email send status"))),
    "Which 10 companies got the most emails this year?": lambda b: top(
        by(b.inside(b.sent, "Send date", "Y"), "Company name"), 10
    ),
    "Which 5 companies got the most emails last month?": lambda b: top(
        by(b.inside(b.sent, "Send date", "M", LAST), "Company name"), 5
    ),
    "How many different companies did we write to each month this year?": lambda b: _different(
        b.inside(b.sent, "Send date", "Y"), "Send date", "M"
    ),
    "How many emails were sent each day last month?": lambda b: line(
        per(b.inside(b.sent, "Send date", "M", LAST), "Send date", "D")
    ),
    "How many emails were sent each quarter?": lambda b: line(per(b.sent, "Send date", "Q")),
}
WON: dict[str, Expected] = {
    "What was the total amount of won deals in each of the last 12 months?": lambda b: line(
        per(b.months(b.won, K, 12), K, "M", "Amount")
    ),
    "Show the total amount of won deals by month this year as a line chart.": lambda b: line(
        per(b.inside(b.won, K, "Y"), K, "M", "Amount")
    ),
    "Which month had the highest amount of won deals last year?": lambda b: first(
        per(b.inside(b.won, K, "Y", LAST), K, "M", "Amount")
    ),
    "How does the amount of won deals this quarter compare with last quarter?": lambda b: compared(
        b.as_far(b.won, K, "Q", NOW, b.deals[K]).Amount.sum(),
        b.as_far(b.won, K, "Q", LAST, b.deals[K]).Amount.sum(),
    ),
    "What was the total amount of won deals by quarter?": lambda b: line(per(b.won, K, "Q", "Amount")),
    "How much did the amount of won deals change from quarter to quarter?": _moves,
    "What is the average amount of a won deal by quarter?": lambda b: line(per(b.won, K, "Q", "Amount", "mean")),
    "What is the median amount of won deals this year?": lambda b: one(b.inside(b.won, K, "Y").Amount.median()),
    "What is the average amount of a won deal by owner?": lambda b: some(by(b.won, OWNER, "Amount", "mean")),
    "Which industries bring in the largest amount of won deals?": lambda b: top(by(b.won, "Industry", "Amount"), 99),
    "What share of the amount of won deals comes from each industry?": lambda b: Told(
        shares(by(b.won, "Industry", "Amount"))
    ),
    "What was the amount of won deals by industry this year?": lambda b: some(
        by(b.inside(b.won, K, "Y"), "Industry", "Amount")
    ),
    "How does the amount of won deals this year compare with last year?": lambda b: compared(
        b.as_far(b.won, K, "Y", NOW, b.deals[K]).Amount.sum(),
        b.as_far(b.won, K, "Y", LAST, b.deals[K]).Amount.sum(),
    ),
    "How many deals did we win this year and last year?": lambda b: compared(
        len(b.inside(b.won, K, "Y")), len(b.inside(b.won, K, "Y", LAST))
    ),
    "What was the total amount of won deals by year?": lambda b: line(per(b.won, K, "Y", "Amount")),
    "What is our win rate by owner this year?": lambda b: rate(b.inside(b.closed, K, "Y"), OWNER),
    "What is our win rate by quarter?": lambda b: rate(b.closed, b.closed[K].dt.to_period("Q").dt.start_time),
    "What was our win rate last quarter?": lambda b: one(
        *(lambda e: (100 * (e == "won").mean(), (e == "won").sum(), (e == "lost").sum()))(
            b.inside(b.closed, K, "Q", LAST).end
        )
    ),
    "How many deals did we win last quarter?": lambda b: one(len(b.inside(b.won, K, "Q", LAST))),
    "How many deals did we win and lose each month this year?": _month_won_lost,
    "What was the total amount of lost deals by quarter?": lambda b: line(per(b.lost, K, "Q", "Amount")),
    "What is the average number of days from create date to close date of won deals?": lambda b: one(b.won.days.mean()),
    "What is the median sales cycle of won deals by owner?": lambda b: some(by(b.won, OWNER, "days", "median")),
    "What is the average sales cycle of won deals by quarter?": lambda b: line(per(b.won, K, "Q", "days", "mean")),
    "Who are the top 5 owners by amount of won deals this year?": lambda b: top(
        by(b.inside(b.won, K, "Y"), OWNER, "Amount"), 5
    ),
    "Which owner won the most deals last quarter?": lambda b: first(by(b.inside(b.won, K, "Q", LAST), OWNER)),
    "Who are the top 3 owners by amount of won deals last month?": lambda b: top(
        by(b.inside(b.won, K, "M", LAST), OWNER, "Amount"), 3
    ),
    "What are the last 10 deals we won?": lambda b: listed(b.won, [K], by_=K, count=10),
    "Which deals did we win last month?": lambda b: listed(b.inside(b.won, K, "M", LAST), DEAL),
    "Which deals did we win this month?": lambda b: listed(b.inside(b.won, K, "M"), DEAL),
    "What are our 10 largest won deals this year?": lambda b: listed(
        b.inside(b.won, K, "Y"), ["Amount"], by_="Amount", count=10
    ),
    "What is the largest deal we won last quarter?": lambda b: listed(
        b.inside(b.won, K, "Q", LAST), ["Amount"], by_="Amount", count=1
    ),
    "What are the 5 largest deals we won in the last 90 days?": lambda b: listed(
        b.won[(b.won[K] >= b.today - pd.Timedelta(days=90)) & (b.won[K] <= b.today)], ["Amount"], by_="Amount", count=5
    ),
    "How many deals did each owner win last month?": lambda b: some(by(b.inside(b.won, K, "M", LAST), OWNER)),
    "What is the amount of won deals by owner this quarter?": lambda b: some(
        by(b.inside(b.won, K, "Q"), OWNER, "Amount")
    ),
    "Who won the largest deal this year?": lambda b: listed(
        b.inside(b.won[b.won[OWNER].notna()], K, "Y"), [OWNER, "Amount"], by_="Amount", count=1
    ),
    "How many deals did we win by industry this year?": lambda b: some(by(b.inside(b.won, K, "Y"), "Industry")),
    "What is the average amount of won deals by industry?": lambda b: some(by(b.won, "Industry", "Amount", "mean")),
    "Which industry had the most won deals last quarter?": lambda b: first(
        by(b.inside(b.won, K, "Q", LAST), "Industry")
    ),
    "How many deals did we win each month this year?": lambda b: line(per(b.inside(b.won, K, "Y"), K, "M")),
    "How many deals did we win this quarter?": lambda b: one(len(b.inside(b.won, K, "Q"))),
    "How does the number of won deals this month compare with last month?": lambda b: compared(
        len(b.as_far(b.won, K, "M", NOW, b.deals[K])),
        len(b.as_far(b.won, K, "M", LAST, b.deals[K])),
    ),
    "Why did we lose deals this year?": lambda b: some(by(b.inside(b.lost, K, "Y"), "Closed Lost Reason")),
    "How many deals did we lose by reason?": lambda b: some(by(b.lost, "Closed Lost Reason")),
    "What was the total amount of lost deals last quarter?": lambda b: one(b.inside(b.lost, K, "Q", LAST).Amount.sum()),
    "How many deals were closed last month?": lambda b: one(len(b.inside(b.closed, K, "M", LAST))),
    "How many deals were closed each week this quarter?": lambda b: line(per(b.inside(b.closed, K, "Q"), K, "W")),
}
NEW: dict[str, Expected] = {
    "How many deals were created each month this year?": lambda b: line(per(b.inside(b.deals, C, "Y"), C, "M")),
    "How many deals were created last quarter?": lambda b: one(len(b.inside(b.deals, C, "Q", LAST))),
    "How many deals were created last month?": lambda b: one(len(b.inside(b.deals, C, "M", LAST))),
    "How does the number of deals created this month compare with last month?": lambda b: compared(
        len(b.as_far(b.deals, C, "M", NOW, b.deals[C])),
        len(b.as_far(b.deals, C, "M", LAST, b.deals[C])),
    ),
    "What is the total amount of deals created by month over the last 12 months?": lambda b: line(
        per(b.months(b.deals, C, 12), C, "M", "Amount")
    ),
    "What is the total amount of deals created this quarter?": lambda b: one(b.inside(b.deals, C, "Q").Amount.sum()),
    "What is the average amount of deals created by quarter?": lambda b: line(per(b.deals, C, "Q", "Amount", "mean")),
    "How many deals did each owner create this quarter?": lambda b: some(by(b.inside(b.deals, C, "Q"), OWNER)),
    "Which owner created the largest amount of deals this year?": lambda b: first(
        by(b.inside(b.deals, C, "Y"), OWNER, "Amount")
    ),
    "What are the top 5 owners by number of deals created last quarter?": lambda b: top(
        by(b.inside(b.deals, C, "Q", LAST), OWNER), 5
    ),
    "How many deals are there by source?": lambda b: some(by(b.deals, "Deal source")),
    "What is the total amount of deals by source this year?": lambda b: some(
        by(b.inside(b.deals, C, "Y"), "Deal source", "Amount")
    ),
    "What share of deals comes from each source?": lambda b: Told(shares(by(b.deals, "Deal source"))),
    "Which 3 industries had the most deals created this year?": lambda b: top(
        by(b.inside(b.deals, C, "Y"), "Industry"), 3
    ),
    "How many deals are there in each stage?": lambda b: some(by(b.deals, "Deal Stage")),
    "What is the average amount of deals by stage?": lambda b: some(by(b.deals, "Deal Stage", "Amount", "mean")),
    "How many deals have no owner?": lambda b: one(b.deals[OWNER].isna().sum()),
}
OPEN: dict[str, Expected] = {
    "What is the total amount of our open deals?": lambda b: one(b.open.Amount.sum()),
    "What is the total amount of open deals by stage?": lambda b: some(by(b.open, "Deal Stage", "Amount")),
    "What are our 10 largest open deals?": lambda b: listed(b.open, DEAL, by_="Amount", count=10),
    "How many open deals are there by industry?": lambda b: some(by(b.open, "Industry")),
    "What is the total amount of open deals by industry?": lambda b: some(by(b.open, "Industry", "Amount")),
    "Which open deals have a close date in the past?": lambda b: listed(_past(b), DEAL),
    "How many open deals have a close date in the past?": lambda b: one(len(_past(b))),
    "What is the total amount of open deals with a close date in the past?": lambda b: one(_past(b).Amount.sum()),
    "Which open deals have a close date this month?": lambda b: listed(b.inside(b.open, K, "M"), DEAL),
    "What is the total amount of open deals with a close date this quarter?": lambda b: one(
        b.inside(b.open, K, "Q").Amount.sum()
    ),
    "Which 10 open deals with a close date this quarter have the highest amount?": lambda b: listed(
        b.inside(b.open, K, "Q"), ["Amount"], by_="Amount", count=10
    ),
    "Which 10 open deals have the oldest create date?": lambda b: listed(b.open, [C], by_=C, count=10, ascending=True),
    "Which open deals were created more than 180 days ago?": lambda b: listed(
        b.open[b.open[C] < b.today - pd.Timedelta(days=180)], DEAL
    ),
    "How many open deals were created before this year?": lambda b: one((b.open[C].dt.year < year(b)).sum()),
    "How many open deals do we have?": lambda b: one(len(b.open)),
    "What is the average amount of open deals?": lambda b: one(b.open.Amount.mean()),
    "What share of the open amount is in the 10 largest open deals?": _share_of_ten,
    "Which owner has the largest open deal?": lambda b: listed(
        b.open[b.open[OWNER].notna()], [OWNER, "Amount"], by_="Amount", count=1
    ),
    "How many open deals have no amount?": lambda b: one(b.open.Amount.isna().sum()),
    "How many open deals have no close date?": lambda b: one(b.open[K].isna().sum()),
    "What is the median amount of open deals?": lambda b: one(b.open.Amount.median()),
    "What are the minimum and maximum amounts of open deals?": lambda b: one(b.open.Amount.min(), b.open.Amount.max()),
    "How many open deals have an amount over 50,000?": lambda b: one((b.open.Amount > 50_000).sum()),
    "What is the total amount of open deals by owner?": lambda b: some(by(b.open, OWNER, "Amount")),
    "How many open deals does each owner have?": lambda b: some(by(b.open, OWNER)),
    "Which owner has the largest amount of open deals?": lambda b: first(by(b.open, OWNER, "Amount")),
}
TARGETS: dict[str, Expected] = {
    "How much did we win against target in each quarter this year?": lambda b: _target_quarters(b, year(b)),
    "How much did we win against target last quarter?": lambda b: one(
        *(lambda w, t: (w, t, 100 * w / t))(*whole(b, "Q", LAST))
    ),
    "What is our target attainment by quarter?": _attainment_quarters,
    "What is the target attainment of each owner this quarter?": lambda b: Told(race(b, "Q", NOW, "attainment")),
    "Which owner had the highest target attainment last quarter?": _best_race,
    "Which owners were below target last quarter?": lambda b: Told(
        [row for row in race(b, "Q", LAST, "attainment") if row[1] < 100]
    ),
    "What is the total target by quarter?": lambda b: line(per(b.targets, "Quarter start", "Q", "Target amount")),
    "What is the target of each owner this quarter?": lambda b: some(
        by(b.inside(b.targets, "Quarter start", "Q"), "Owner", "Target amount")
    ),
    "What is the total target this year?": lambda b: one(
        b.inside(b.targets, "Quarter start", "Y")["Target amount"].sum()
    ),
    "How much is missing to the target this quarter?": lambda b: one(
        *(lambda w, t: (t - w, w, t))(*whole(b, "Q", NOW))
    ),
    "What is the gap to target by owner this quarter?": lambda b: Told(race(b, "Q", NOW, "gap")),
    "How much did we win compared with target this year?": lambda b: one(
        *(lambda w, t: (w, t, 100 * w / t))(*whole(b, "Y", NOW))
    ),
    "How does the total target this quarter compare with last quarter?": lambda b: compared(
        whole(b, "Q", NOW)[1], whole(b, "Q", LAST)[1]
    ),
    "What is the average target by owner this year?": lambda b: some(
        by(b.inside(b.targets, "Quarter start", "Y"), "Owner", "Target amount", "mean")
    ),
    "Which quarter had the highest total target?": lambda b: first(
        per(b.targets, "Quarter start", "Q", "Target amount")
    ),
}
CUSTOMERS: dict[str, Expected] = {
    "How many customers churned in each quarter?": lambda b: line(per(b.churned, "Churn date", "Q")),
    "How many customers churned each month this year?": lambda b: line(
        per(b.inside(b.churned, "Churn date", "Y"), "Churn date", "M")
    ),
    "How many customers churned last quarter?": lambda b: one(len(b.inside(b.churned, "Churn date", "Q", LAST))),
    "How many customers churned by industry?": lambda b: some(by(b.churned, "Industry")),
    "Which industry had the most churned customers?": lambda b: first(by(b.churned, "Industry")),
    "What share of churned customers is in each industry?": lambda b: Told(shares(by(b.churned, "Industry"))),
    "Which customers churned last quarter?": lambda b: listed(
        b.inside(b.churned, "Churn date", "Q", LAST), ["Company name", "Churn date"]
    ),
    "Which customers churned this year?": lambda b: listed(
        b.inside(b.churned, "Churn date", "Y"), ["Company name", "Churn date"]
    ),
    "What are the last 10 customers that churned?": lambda b: listed(
        b.churned, ["Churn date"], by_="Churn date", count=10
    ),
    "What is the average number of employees of churned customers?": lambda b: one(
        b.churned["Number of employees"].mean()
    ),
    "Which churned customers had the most employees?": lambda b: listed(
        b.churned, ["Company name", "Number of employees"], by_="Number of employees", count=10
    ),
    "What is the total annual revenue of churned customers?": lambda b: one(b.churned["Annual revenue"].sum()),
    "How many customers churned by country?": lambda b: some(by(b.churned, "Country")),
    "Which country had the most churned customers this year?": lambda b: first(
        by(b.inside(b.churned, "Churn date", "Y"), "Country")
    ),
    "What share of churned customers is in each country?": lambda b: Told(shares(by(b.churned, "Country"))),
    "How many open tickets are there by priority?": lambda b: some(by(b.open_tickets, "Priority")),
    "Which 10 companies have the most open tickets?": lambda b: top(by(b.open_tickets, "Company name"), 10),
    "How many high priority tickets are open?": lambda b: one((b.open_tickets.Priority == "High").sum()),
    "How many tickets were created each month this year?": lambda b: line(per(b.inside(b.tickets, C, "Y"), C, "M")),
    "How many tickets are there by status?": lambda b: some(by(b.tickets, "Ticket status")),
    "What is the number of tickets by category?": lambda b: some(by(b.tickets, "Category")),
    "How many contacts were created each month this year?": lambda b: line(per(b.inside(b.contacts, C, "Y"), C, "M")),
    "How many contacts were created last quarter?": lambda b: one(len(b.inside(b.contacts, C, "Q", LAST))),
    "Which 10 companies have the most contacts?": lambda b: top(by(b.contacts, "Company name"), 10),
    "How many meetings were held each week in the last 3 months?": lambda b: line(
        per(
            b.held[
                (b.held["Meeting start time"] >= (b.today - pd.DateOffset(months=3)).to_period("W").start_time)
                & (b.held["Meeting start time"].dt.normalize() <= b.today)
            ],
            "Meeting start time",
            "W",
        )
    ),
}
PROMISES: dict[str, Expected] = {**MEETINGS, **EMAILS, **WON, **NEW, **OPEN, **TARGETS, **CUSTOMERS}
