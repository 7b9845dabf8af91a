"""A job that is told of a shutdown gives its work back in peace."""

from __future__ import annotations

import threading
import time

from django.conf import settings
from django.utils.module_loading import import_string
from dramatiq.middleware import Shutdown, ShutdownNotifications


def test_a_job_is_told_once_however_many_workers_of_its_process_stop() -> None:
    names = settings.DRAMATIQ_BROKER["MIDDLEWARE"]
    (notices,) = (made() for made in map(import_string, names) if issubclass(made, ShutdownNotifications))
    began, told, given_back = threading.Event(), threading.Event(), []

    def job() -> None:
        try:
            notices.manager.add_notification()
            began.set()
            while True:
                time.sleep(0.001)
        except Shutdown:
            told.set()
        for _ in range(100):
            time.sleep(0.001)
        given_back.append(True)

    thread = threading.Thread(target=job)
    thread.start()
    began.wait(10)
    for _ in range(3):
        notices.before_worker_shutdown(None, None)
        told.wait(10)
    thread.join(10)
    assert given_back == [True]
