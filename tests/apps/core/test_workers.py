"""A worker that signs no more is buried once, by one that could sign all the while; what it was given goes on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.models.functions import Now

from apps.core import workers
from apps.core.models import WorkerSeen
from apps.core.workers import SILENT, Register

pytestmark = pytest.mark.django_db


class Clock:
    """Seconds as the test says."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def register(clock: Clock) -> Register:
    return Register(clock)


def silent_one(seconds: float) -> None:
    WorkerSeen.objects.update_or_create(pk="another", defaults={"seen_at": Now() - timedelta(seconds=seconds)})


def beat_for(register: Register, clock: Clock, seconds: float) -> list[str]:
    """Signs now and once more after so many seconds of unbroken signing."""
    register.beat()
    clock.now += seconds
    return register.beat()


def test_a_silent_worker_is_buried_once(register: Register, clock: Clock) -> None:
    silent_one(SILENT.total_seconds() + 1)
    assert beat_for(register, clock, SILENT.total_seconds()) == ["another"]
    assert register.beat() == []
    assert list(WorkerSeen.objects.values_list("pk", flat=True)) == [workers.ME]


def test_one_that_signed_lately_is_left_alone(register: Register, clock: Clock) -> None:
    silent_one(SILENT.total_seconds() / 2)
    assert beat_for(register, clock, SILENT.total_seconds()) == []


def test_who_could_not_sign_for_a_while_buries_nobody(clock: Clock) -> None:
    """The database was away, so everybody is silent."""
    away = False

    def sign() -> None:
        if away:
            raise OperationalError("the database is away")

    register = Register(clock, sign)
    beat_for(register, clock, SILENT.total_seconds())
    away = True
    assert register.beat() == []
    away = False
    silent_one(SILENT.total_seconds() + 1)
    assert register.beat() == []
    clock.now += SILENT.total_seconds()
    assert register.beat() == ["another"]


def test_a_worker_that_ends_signs_off(register: Register) -> None:
    register.beat()
    register.leave()
    assert not WorkerSeen.objects.exists()
