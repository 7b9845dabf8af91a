"""The same flows as in one process, with web and workers apart, on each set of servers that a deployment may have."""

from __future__ import annotations

import json
import time

import pytest
from websockets.sync.client import connect

from tests.live import free_port
from tests.services.deployment import Deployment

pytestmark = pytest.mark.services


def test_a_question_is_answered_by_the_worker_process_and_pushed_by_the_web_process(deployment: Deployment) -> None:
    token = deployment.sign_in()
    ticket = deployment.call("POST", "/api/v3/socket-ticket", {}, token=token)["ticket"]
    address = f"ws://127.0.0.1:{deployment.port}/ws/live?ticket={ticket}"
    with connect(address, origin=deployment.url) as socket:  # type: ignore[arg-type]
        snapshot = deployment.ask(token, "How many deals are there?")
        assert snapshot["status"] == "completed", snapshot
        seen = set()
        while "completed" not in seen:
            event = json.loads(socket.recv(timeout=20))
            if event["type"] == "run" and event["run"]["run_id"] == snapshot["run_id"]:
                seen.add(event["run"]["status"])


def test_a_file_is_read_by_the_worker_and_asked_about(deployment: Deployment, tmp_path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("town,people\nOslo,700\nRiga,600\nBern,130\n")
    token = deployment.sign_in()
    deployment.upload(token, path)
    assert deployment.wait_ready(token, "towns.csv", timeout=60)["state"] == "ready"
    snapshot = deployment.ask(token, "What is the total people in towns?")
    assert "1,430" in json.dumps(snapshot["messages"], ensure_ascii=False)


def test_a_worker_killed_in_the_middle_is_replaced_and_nothing_is_lost(deployment: Deployment) -> None:
    token = deployment.sign_in()
    assert deployment.worker is not None
    body = {"prompt": "How many deals are there?", "thread_id": None, "models": None, "temperature": 1,
            "parent_message_id": None}  # fmt: skip
    sent = [deployment.call("POST", "/api/v3/ask", body, token=token) for _ in range(5)]
    deployment.worker.kill()
    deployment.worker.wait()
    deployment.start_worker()
    for each in sent:
        poll = {"thread_id": each["thread_id"], "run_id": each["run_id"], "models": None,
                "parent_message_id": each["user_message_id"]}  # fmt: skip
        until = time.monotonic() + 100
        while (run := deployment.call("POST", "/api/v3/ask", poll, token=token))["status"] in ("queued", "running"):
            assert time.monotonic() < until, run
            time.sleep(0.2)
        assert run["status"] == "completed"
        answers = [child for root in run["messages"] for child in root["children"] if child["role"] == "assistant"]
        assert [answer["metadata"]["is_selected_assistant"] for answer in answers] == [True]


def test_a_deployment_that_works_is_ready(deployment: Deployment) -> None:
    state = deployment.call("GET", "/readyz")
    assert {name for name, value in state.items() if value != "ok"} == set()
    assert {"database", "migrations", "storage", "cache", "broker", "worker", "queue"} <= set(state)


def test_the_doctor_names_what_is_broken_and_its_exit_code_says_so(deployment: Deployment) -> None:
    code, parts = deployment.examined()
    # The tests serve the screens of no build of their own: collectstatic is the deployer's step.
    assert {name for name, ok in parts.items() if not ok} <= {"screens"}
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    code, parts = deployment.examined(REDIS_URL=nowhere, BROKER_URL=nowhere)
    assert code == 1
    assert {"cache", "broker", "worker"} <= {name for name, ok in parts.items() if not ok}
    assert parts["database"]
    code, parts = deployment.examined(DATABASE_URL=f"postgres://nobody@127.0.0.1:{free_port()}/nothing")
    assert (code, parts["database"], parts["migrations"], parts["broker"]) == (1, False, False, True)
