"""For writing the OpenAPI schema: the test settings with the package that makes it, which serving need not load."""

from config.settings.test import *  # noqa: F403
from config.settings.test import INSTALLED_APPS, REST_FRAMEWORK

INSTALLED_APPS = [*INSTALLED_APPS, "drf_spectacular"]
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema"}
SPECTACULAR_SETTINGS = {
    "TITLE": "API",
    "VERSION": "3",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v3",
    # Said once for all: the bearer token of the sign-in.
    "AUTHENTICATION_WHITELIST": [],
    "APPEND_COMPONENTS": {"securitySchemes": {"session": {"type": "http", "scheme": "bearer"}}},
    "SECURITY": [{"session": []}],
}
