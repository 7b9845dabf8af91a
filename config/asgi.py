"""ASGI entry: HTTP through Django on lasting threads, sockets through Channels."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
get_asgi_application()  # loads the apps before anything below imports models

from channels.routing import ProtocolTypeRouter  # noqa: E402

from apps.accounts.flows.door import Door  # noqa: E402
from apps.core.asgi import LastingThreadsHandler  # noqa: E402
from apps.core.request_bodies import bodies_stay_on_disk  # noqa: E402
from apps.threads.routing import sockets  # noqa: E402

application = bodies_stay_on_disk(ProtocolTypeRouter({"http": Door(LastingThreadsHandler()), "websocket": sockets}))
