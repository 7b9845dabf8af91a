"""Models that an organization's admin adds: sealed, tried, asked, paid for by the organization, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.models import AuditEvent
from apps.analyst.approaches.models import trial
from apps.analyst.approaches.models.fake import FakeProviders
from apps.analyst.approaches.models.layer import Reply, Said
from apps.analyst.approaches.models.naming import offered
from apps.analyst.approaches.models.reaching import NOT_PUBLIC
from apps.analyst.approaches.models.rules import SYSTEM
from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.errors import ProviderFailed
from apps.integrations import crypto
from apps.threads import copy, engine
from apps.threads.models import ModelUsage, OwnModel, Run
from apps.threads.providers import specs_for
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member, Script
from tests.cast import client_of

OWN = "/api/v3/models/own"
KEY = "sk-very-secret"
RIGHT = "SELECT sum(amount) AS total FROM orders WHERE status = 'open' AND year(ordered_on) = 2025"
"""What the question of a test asks."""


@pytest.fixture
def local(settings: Any) -> Iterator[FakeProviders]:
    """A local server of OpenAI's format, which this installation lets organizations reach."""
    settings.MODEL_PRIVATE_ADDRESSES = True
    with FakeProviders(say=lambda texts: json.dumps({"sql": RIGHT})) as fake:
        yield fake


def wanted(fake: FakeProviders | None = None, **more: Any) -> dict[str, Any]:
    address = {"base_url": f"{fake.address}/v1/"} if fake else {}
    return {
        "provider": "openai",
        "model": "local-7b",
        "key": KEY,
        "input_price": 2,
        "output_price": 8,
        **address,
        **more,
    }


@pytest.mark.django_db
def test_an_admin_adds_a_model_whose_key_is_sealed_and_never_shown(cast: Cast, local: FakeProviders) -> None:
    admin = client_of(cast.ada)
    added = admin.post(OWN, wanted(local), format="json")
    assert added.status_code == 201
    (model,) = (one for one in added.json()["models"] if one["id"])
    assert (model["name"], model["input_price"], model["base_url"]) == ("local-7b", 2.0, f"{local.address}/v1")
    assert KEY not in added.content.decode() + admin.get(OWN).content.decode()
    row = OwnModel.objects.get()
    assert KEY not in row.sealed
    assert crypto.unseal(row.sealed) == KEY
    event = AuditEvent.objects.of(cast.acme).get(action="connected")
    assert (event.target, event.actor) == ("model local-7b", cast.ada)
    assert admin.post(OWN, wanted(local), format="json").status_code == 409


@pytest.mark.django_db
def test_members_pick_it_and_only_admins_manage_it(cast: Cast, local: FakeProviders) -> None:
    client_of(cast.ada).post(OWN, wanted(local), format="json")
    row, member = OwnModel.objects.get(), client_of(cast.ana)
    assert "own:local-7b" in [one["id"] for one in member.get("/api/v3/models").json()]
    assert member.get(OWN).json()["may_manage"] is False
    for answer in (
        member.post(OWN, wanted(local, model="other"), format="json"),
        member.post(f"{OWN}/test", {"id": str(row.pk)}, format="json"),
        member.post(f"{OWN}/names", wanted(local), format="json"),
        member.put(OWN, {"monthly_budget": 5}, format="json"),
        member.delete(f"{OWN}?id={row.pk}"),
    ):
        assert answer.status_code == 403
    assert client_of(cast.ada).delete(f"{OWN}?id={row.pk}").json()["models"] == []
    assert not OwnModel.objects.exists()


@pytest.mark.django_db
def test_another_organization_neither_sees_nor_asks_nor_tries_it(cast: Cast, local: FakeProviders) -> None:
    client_of(cast.ada).post(OWN, wanted(local), format="json")
    row, other = OwnModel.objects.get(), client_of(cast.gia)
    assert "local-7b" not in other.get(OWN).content.decode() + other.get("/api/v3/models").content.decode()
    assert specs_for(["own:local-7b"], cast.globex) == []
    assert other.post(f"{OWN}/test", {"id": str(row.pk)}, format="json").status_code == 404
    assert other.delete(f"{OWN}?id={row.pk}").status_code == 404
    assert local.requests == []


@pytest.mark.django_db
def test_the_test_asks_a_real_question_and_says_time_and_cost(cast: Cast, local: FakeProviders) -> None:
    admin = client_of(cast.ada)
    admin.post(OWN, wanted(local), format="json")
    tried = admin.post(f"{OWN}/test", {"id": str(OwnModel.objects.get().pk)}, format="json").json()
    assert (tried["works"], tried["message"]) == (True, copy.MODEL_TRIED["right"])
    assert tried["cost"] > 0
    ((_, body),) = local.requests
    assert [message["content"] for message in body["messages"]] == [SYSTEM, trial.asked()]
    assert trial.QUESTION in trial.asked()


@pytest.mark.django_db
def test_an_admins_tests_are_bounded_and_reach_no_provider_past_the_rate(
    cast: Cast, local: FakeProviders, settings: Any
) -> None:
    settings.QUESTIONS_PER_MINUTE = 2
    admin = client_of(cast.ada)
    admin.post(OWN, wanted(local), format="json")
    pk = str(OwnModel.objects.get().pk)
    told = [admin.post(f"{OWN}/test", {"id": pk}, format="json") for _ in range(3)]
    told.append(admin.post(f"{OWN}/names", wanted(local), format="json"))
    assert [answer.status_code for answer in told] == [200, 200, 429, 429]
    assert "You can run at most 2 tests of models a minute" in told[2].json()["error"]["message"]
    assert len(local.requests) == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("said", "faults", "why"),
    [
        ("I cannot do that.", (), copy.MODEL_TRIED["no query"]),
        (json.dumps({"sql": "SELECT sum(profit) FROM orders"}), (), copy.MODEL_TRIED["no query"]),
        (json.dumps({"unclear": "There is no date."}), (), copy.MODEL_TRIED["no query"]),
        (json.dumps({"sql": "SELECT sum(amount) AS total FROM orders"}), (), copy.MODEL_TRIED["wrong"]),
        ("", ("500",), "local-7b failed at its provider (500)."),
        ("", ("401",), "local-7b did not accept the key."),
    ],
)
def test_a_model_that_answers_otherwise_or_not_at_all_does_not_pass_the_test_and_it_is_said_why(
    said: str, faults: Any, why: str, cast: Cast, local: FakeProviders
) -> None:
    local.say, local.faults = (lambda texts: said), faults
    admin = client_of(cast.ada)
    admin.post(OWN, wanted(local), format="json")
    tried = admin.post(f"{OWN}/test", {"id": str(OwnModel.objects.get().pk)}, format="json").json()
    assert (tried["works"], tried["message"]) == (False, why)
    assert KEY not in json.dumps(tried)


@pytest.mark.django_db
def test_what_a_test_costs_is_counted_and_a_spent_budget_ends_tests(cast: Cast, local: FakeProviders) -> None:
    admin = client_of(cast.ada)
    admin.post(OWN, wanted(local, input_price=1000), format="json")
    body = {"id": str(OwnModel.objects.get().pk)}
    cost = admin.post(f"{OWN}/test", body, format="json").json()["cost"]
    told = admin.put(OWN, {"monthly_budget": "0.01"}, format="json").json()
    assert told["spent"] == pytest.approx(cost)
    assert ModelUsage.objects.get().run is None
    refused = admin.post(f"{OWN}/test", body, format="json")
    assert refused.status_code == 409
    assert refused.json()["error"]["message"] == copy.BUDGET_SPENT_FOR_CHECKS
    assert len(local.requests) == 1


@pytest.mark.django_db
def test_the_names_that_a_provider_lists_are_offered_and_the_key_is_not_kept(cast: Cast, local: FakeProviders) -> None:
    asked = client_of(cast.ada).post(f"{OWN}/names", wanted(local), format="json")
    assert asked.json() == {"names": ["local-7b", "local-70b"]}
    assert local.asked_by[0]["Authorization"] == f"Bearer {KEY}"
    assert not OwnModel.objects.exists()


@pytest.mark.parametrize(
    ("provider", "header", "value"),
    [
        ("openai", "Authorization", f"Bearer {KEY}"),
        ("anthropic", "x-api-key", KEY),
        ("google", "x-goog-api-key", KEY),
    ],
)
def test_each_provider_lists_its_models_to_a_key_in_its_own_way(provider: Provider, header: str, value: str) -> None:
    with FakeProviders(names=("small", "large")) as fake:
        address = f"{fake.address}/v1" if provider == "openai" else fake.address
        assert offered(ModelSpec("m", "M", provider, "", KEY, address)) == ["small", "large"]
        assert {name.lower(): said for name, said in fake.asked_by[0].items()}[header.lower()] == value


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"base_url": "https://127.0.0.1/v1"}, NOT_PUBLIC),
        ({"base_url": "https://169.254.169.254/v1"}, NOT_PUBLIC),
        ({"base_url": "https://[::1]/v1"}, NOT_PUBLIC),
        ({"base_url": "http://models.example.com/v1"}, "The address must begin with https://."),
        ({"base_url": "file:///etc/passwd"}, "The address must look like https://models.example.com/v1."),
        ({"provider": "google", "base_url": "https://8.8.8.8"}, copy.ADDRESS_ONLY_OPENAI),
        ({"base_url": "", "key": " "}, copy.KEY_NEEDED),
        ({"base_url": "", "input_price": -1}, copy.PRICE_ODD),
    ],
)
def test_what_cannot_be_added_is_refused_with_the_reason(change: dict[str, Any], reason: str, cast: Cast) -> None:
    refused = client_of(cast.ada).post(OWN, wanted(**change), format="json")
    assert refused.status_code == 400
    assert reason in refused.content.decode()
    assert not OwnModel.objects.exists()


def test_a_model_at_an_address_that_turned_private_is_not_reached() -> None:
    from apps.analyst.approaches.models.layer import talk

    with FakeProviders() as fake:
        spec = ModelSpec("own:m", "M", "openai", "m", "k", f"{fake.address}/v1", public_only=True)
        with pytest.raises(ProviderFailed):
            talk(spec, "", [Said("us", "x")], seconds=10, temperature=1)
    assert fake.requests == []


@pytest.mark.django_db(transaction=True)
def test_a_question_goes_to_the_organizations_model_with_its_own_key_and_its_own_budget(
    ana: Member, cast: Cast, script: Script, settings: Any, tmp_path: Path, local: FakeProviders
) -> None:
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
    from tests.analyst.plans.sales import sales_catalog

    admin = client_of(cast.ada)
    admin.post(OWN, wanted(local), format="json")
    keys: list[str] = []

    def scripted(spec: ModelSpec, system: str, turns: list[Said], **more: Any) -> Reply:
        keys.append(spec.api_key)
        return Reply(json.dumps({"sql": "SELECT count(*) AS deals FROM deals"}), 1_000_000, 0, 0.1)

    catalog, warehouse = sales_catalog(tmp_path), LocalWarehouse()
    usual = engine.current()
    engine.use(replace(usual, talk=scripted, catalog_of=lambda organization: catalog, warehouse=warehouse))
    answer = ana.ask("How many deals?", models=["own:local-7b"])["messages"][0]["children"][0]
    warehouse.close()
    assert answer["model"] == "own:local-7b"
    assert set(keys) == {KEY}
    used = ModelUsage.objects.get()
    assert (used.organization, used.model, used.cost) == (cast.acme, "own:local-7b", Decimal(4))
    told = admin.put(OWN, {"monthly_budget": 3}, format="json").json()
    assert (told["monthly_budget"], told["spent"]) == (3.0, 4.0)
    keys.clear()
    spent = ana.ask("How many deals are there now?", models=["own:local-7b"])["messages"][-1]
    assert keys == []
    assert Run.objects.count() == 2
    assert copy.BUDGET_SPENT in spent["children"][0]["answer"]["assumptions"]


@pytest.mark.django_db
def test_without_a_key_to_seal_with_a_model_is_refused_in_words_and_not_with_a_fault(cast: Cast, settings: Any) -> None:
    settings.CREDENTIAL_KEYS = []
    refused = client_of(cast.ada).post(OWN, wanted(), format="json")
    assert refused.status_code == 409
    assert "CREDENTIAL_KEYS" in refused.json()["error"]["message"]
    assert not OwnModel.objects.exists()
