"""R1 to R28 as they were set, each with its measurement."""

from __future__ import annotations

from benches.prove import guarding, outside, running
from benches.prove.goal import Goal

GOALS = (
    Goal("R1", "load", "50 people, 20 in flight, 10 min: no 5xx; p95 of send 500 ms, of a poll 250 ms", running.load),
    Goal("R2", "every run ends", "500 runs, faults in 30 %: all within 115 s", running.endings),
    Goal("R3", "workers killed", "50 kills over 200 runs: none lost, one answer each", running.kills),
    Goal("R4", "broker gone and back", "10 restarts, 3 losses over 100 runs: none lost", running.brokers),
    Goal("R5", "database gone and back", "5 restarts: errors only while down, normal after 10 s", running.databases),
    Goal("R6", "messages delivered again", "500 delivered 3 times: as if delivered once", running.thrice),
    Goal("R7", "rolling restart", "1,000 requests: none failed, runs resume", running.rolling),
    Goal("R8", "poisoned messages", "parked after 3 tries, replayable; the queue 5 s late", running.poison),
    Goal("R9", "faults of models", "200 runs: all end, 95 % answered", running.models),
    Goal("R10", "sandbox escapes", "150 cases, every role: nothing read or written", guarding.escapes, scales=False),
    Goal("R11", "runaway queries", "20: each 12 s, child 1 GiB, others' polls under 2 times", guarding.runaways),
    Goal("R12", "sandbox soak", "2,000 queries: nothing left, parent grows by 50 MB", guarding.soaking),
    Goal("R13", "organization matrix", "every route, 6 actors, all methods: no leak", guarding.matrix, scales=False),
    Goal(
        "R14",
        "hostile uploads",
        "120 files: right in 30 s, no 5xx, worker 1 GiB",
        guarding.uploads,
        scales=False,
    ),
    Goal("R15", "size limits", "1,000,000 rows queryable in 60 s; one byte over is 413", guarding.sizes),
    Goal("R16", "file names", "5,000 random names: none outside the storage, all shown", guarding.names),
    Goal(
        "R17",
        "exports",
        "2,000 tables neutral and unchanged; 80 Markdown payloads inert",
        guarding.exports,
    ),
    Goal("R18", "obeying model", "60 workbooks, tabs and CRM records: nothing read, sent or written", guarding.obeying),
    Goal("R19", "sockets", "200 held 10 min; strangers refused; revoked in 5 s; missed polled", guarding.sockets),
    Goal(
        "R20",
        "faults of services",
        "all end connected or in a stated error",
        outside.providers,
        scales=False,
    ),
    Goal("R21", "Slack intake", "1,000 requests: p99 1 s; 3 deliveries, 1 answer; bad ones 401", outside.slack),
    Goal("R22", "secrets", "8 planted: found nowhere; 10,000 tokens re-keyed in 60 s", outside.secrets),
    Goal("R23", "malformed bodies", "5,000 a route: no 5xx, the same processes", outside.malformed),
    Goal("R24", "sign-in abuse", "10,000 guesses: 5 an account in 5 min; resets within 50 ms", outside.guesses),
    Goal("R25", "backup and restore", "1 GB in 10 min to an empty machine, sums equal", outside.backups),
    Goal("R26", "deletion and access", "no planted marker left; exports list all", outside.erasure, scales=False),
    Goal("R27", "disk full or read-only", "refused plainly, no half file, goes on", outside.disks, scales=False),
    Goal("R28", "migrations", "100,000 messages back and forward in 60 s, no lock over 2 s", outside.migrations),
)
