"""The revenue metric pack: what a customer database's tables are for, and the figures sales teams run on.

`roles.find` says which column plays which part (stage, amount, owner, close date, ...); `figures` holds each metric as
a small documented formula over those parts; `plans` puts them into the plan algebra. Nothing here reads a question.
"""
