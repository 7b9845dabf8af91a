"""Fills a deployment's database beside the product: members with sessions, messages, sources.

`python -m benches.crowd '{"users": 50, "messages": 10000, "sources": 100}'` makes what is missing, and prints the
members' tokens as a JSON list; `{"deactivate": true}` ends them all and prints when. Messages are written by
PostgreSQL itself, a million of them in a minute.
"""

from __future__ import annotations

import json
import sys
import time
import uuid
from typing import Any

OWNERS = 1_000
"""Messages are spread over so many people, so that nobody's list of threads is longer than a person's."""
QUESTIONS_A_THREAD = 5
MESSAGES = """
CREATE TEMP TABLE made ON COMMIT DROP AS
SELECT number, number / {per} AS place, gen_random_uuid() AS run, gen_random_uuid() AS question,
       gen_random_uuid() AS answer, now() - interval '1 day' - number * interval '1 second' AS moment
FROM generate_series(0, {questions} - 1) AS number;
CREATE TEMP TABLE places ON COMMIT DROP AS
SELECT place, gen_random_uuid() AS thread, min(moment) AS moment FROM made GROUP BY place;
INSERT INTO threads_thread (id, organization_id, owner_id, summary, archived, created_at, updated_at)
SELECT thread, '{organization}', owners.id, 'What was sold in place ' || place, false, places.moment, places.moment
FROM places JOIN (SELECT id, row_number() OVER (ORDER BY username) - 1 AS at FROM accounts_user
                  WHERE organization_id = '{organization}' AND username LIKE 'crowd%%' LIMIT {owners}) AS owners
     ON owners.at = place %% {owners};
INSERT INTO threads_run (id, thread_id, question_id, kind, state, attempt, owner, deadline_at, step_description, steps,
                         text_so_far, chosen_models, temperature, error, created_at, started_at, finished_at)
SELECT run, thread, question, 'question', 'completed', 1, '', made.moment, '', '[]', '', '[]', 1, '', made.moment,
       made.moment, made.moment
FROM made JOIN places USING (place);
INSERT INTO threads_message (id, thread_id, run_id, parent_id, role, content, type, message_type, model,
                             user_specified_files, since_refreshed_files, answer, reasoning_trace,
                             is_selected_assistant, is_best_answer, rivals, created_at)
SELECT question, thread, run, NULL::uuid, 'user', 'What was sold in week ' || number || '?', 'text', '', '',
       '[]'::jsonb, '[]'::jsonb, NULL::jsonb, '', false, false, '[]'::jsonb, made.moment
FROM made JOIN places USING (place)
UNION ALL
SELECT answer, thread, run, question, 'assistant', 'In week ' || number || ' it was ' || number * 7 || '.', 'text',
       '', 'analyst', '[]'::jsonb, '[]'::jsonb, jsonb_build_object('text', repeat('A sentence of an answer. ', 8)), '',
       true, true, '[]'::jsonb, made.moment
FROM made JOIN places USING (place);
"""


def main(words: dict[str, Any]) -> None:
    import django

    django.setup()
    from apps.accounts.models import User

    organization = User.objects.get(username="demo").organization
    if words.get("deactivate"):
        User.objects.filter(username__startswith="crowd").update(is_active=False)
        print(json.dumps(time.time()))
        return
    messages, users = words.get("messages", 0), words.get("users", 0)
    _members(organization, max(users, OWNERS if messages else 0))
    tokens = [_token(user) for user in User.objects.filter(username__startswith="crowd").order_by("username")[:users]]
    if messages:
        _messages(organization, messages)
    if sources := words.get("sources", 0):
        _sources(organization, sources)
    print(json.dumps(tokens))


def _members(organization: Any, wanted: int) -> None:
    from apps.accounts.models import User

    there = User.objects.filter(username__startswith="crowd").count()
    User.objects.bulk_create(
        User(username=f"crowd{at:05}", email=f"crowd{at:05}@example.com", organization=organization, password="!")
        for at in range(there, wanted)
    )


def _token(user: Any) -> str:
    """A session as a sign-in makes it, without the password's half second."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from apps.accounts.flows.session_store import SessionStore
    from apps.accounts.flows.tokens import _signer

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return _signer.sign(str(session.secret))


def _messages(organization: Any, wanted: int) -> None:
    """So many messages in all, give or take a thread."""
    from django.db import connection, transaction

    from apps.threads.models import Message

    questions = (wanted - Message.objects.count()) // 2
    if questions <= 0:
        return
    sql = MESSAGES.format(
        per=QUESTIONS_A_THREAD, questions=questions, organization=organization.pk, owners=OWNERS
    ).replace("%%", "%")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE threads_message; ANALYZE threads_run; ANALYZE threads_thread")


def _sources(organization: Any, wanted: int) -> None:
    """So many sources in all: the smallest of the demo's again and again, under names of their own."""
    from django.db import transaction

    from apps.datasources.models import CatalogState, DataTable, Source, StoredFile

    first = DataTable.objects.filter(organization=organization).select_related("source__stored").order_by("rows")[0]
    missing = range(Source.objects.filter(organization=organization).count(), wanted)
    stored, sources, tables = [], [], []
    for at in missing:
        name = f"shop_{at:04}"
        file = StoredFile(
            organization=organization,
            original_name=f"{name}.csv",
            name=f"{name}.csv",
            name_key=f"{name}.csv",
            key=f"originals/{uuid.uuid4().hex}",
            size=1_000,
            state="done",
        )
        source = Source(
            organization=organization,
            stored=file,
            file_name=f"{name}.csv",
            name_key=f"{name}.csv",
            group="uploaded",
            state="ready",
            rows=first.rows,
            columns=first.source.columns,
        )
        profile = {**first.profile, **({"name": name} if "name" in first.profile else {})}
        stored.append(file)
        sources.append(source)
        tables.append(
            DataTable(
                organization=organization,
                source=source,
                name=name,
                name_key=name,
                rows=first.rows,
                profile=profile,
                sample=first.sample,
                histograms=first.histograms,
                key=first.key,
                values_key=first.values_key,
            )
        )
    with transaction.atomic():
        StoredFile.objects.bulk_create(stored)
        Source.objects.bulk_create(sources)
        DataTable.objects.bulk_create(tables)
        state, _ = CatalogState.objects.get_or_create(organization=organization)
        state.version += 1
        state.joins_version = state.version
        state.save()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
