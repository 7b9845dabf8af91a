"""Servers: everything that must be decided is read from the environment, and the start stops where it is missing."""

from django.core.exceptions import ImproperlyConfigured

from config.settings.base import *  # noqa: F403
from config.settings.base import (
    ALLOWED_HOSTS,
    BASE_DIR,
    CREDENTIAL_KEYS,
    DEBUG,
    GOOGLE_CLIENT_ID,
    HUBSPOT_CLIENT_ID,
    SLACK_CLIENT_ID,
    env,
)

SECRET_KEY = env.str("SECRET_KEY", default="")
KNOWN = ("only-for-tests", "django-insecure", "change-me", "changeme", "change_me", "your-secret", "secret-key")
if len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 16 or any(part in SECRET_KEY.lower() for part in KNOWN):
    raise ImproperlyConfigured("SECRET_KEY must be set to at least 50 random characters of your own.")
if DEBUG:
    raise ImproperlyConfigured("DEBUG must not be set in production.")
if "ALLOWED_HOSTS" not in env.ENVIRON or any("*" in host for host in ALLOWED_HOSTS):
    raise ImproperlyConfigured("ALLOWED_HOSTS must list the host names people use, without wildcards.")
if not CREDENTIAL_KEYS and any((HUBSPOT_CLIENT_ID, GOOGLE_CLIENT_ID, SLACK_CLIENT_ID)):
    raise ImproperlyConfigured("CREDENTIAL_KEYS must hold a key of your own where services can be connected.")

STATIC_ROOT = env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles"))
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "apps.core.static_files.NamedByContent"}}  # noqa: F405
WHITENOISE_USE_FINDERS = False
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # asked beside the web, where no TLS is
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True

LOGGING["loggers"]["apps.requests"]["level"] = env.str("LOG_LEVEL", default="INFO")  # type: ignore[index]  # noqa: F405
if "EMAIL_URL" not in env.ENVIRON:
    # Never the console: codes and invitations would stand in the log. Unsent mails wait in the database.
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
BROKER_URL = env.str("BROKER_URL", default=env.str("REDIS_URL", default=""))
if not BROKER_URL:
    raise ImproperlyConfigured("BROKER_URL must name the Redis (redis://) or RabbitMQ (amqp://) that carries the jobs.")
REDIS_URL = env.str("REDIS_URL", default=BROKER_URL if BROKER_URL.startswith("redis") else "")
if not REDIS_URL:
    raise ImproperlyConfigured(
        "REDIS_URL must name the Redis that all processes share: it counts sign-in attempts and carries pushes."
    )
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}  # type: ignore[dict-item]
}
DRAMATIQ_BROKER = {
    **DRAMATIQ_BROKER,  # noqa: F405
    "BROKER": "apps.core.jobs.waking.WakingRedisBroker"
    if BROKER_URL.startswith("redis")
    else "dramatiq.brokers.rabbitmq.RabbitmqBroker",
    "OPTIONS": {"url": BROKER_URL},
}
if env.str("S3_BUCKET", default=""):
    STORAGES = {
        **STORAGES,
        "default": {
            "BACKEND": "storages.backends.s3.S3Storage",
            "OPTIONS": {
                "bucket_name": env.str("S3_BUCKET"),
                "endpoint_url": env.str("S3_ENDPOINT_URL", default="") or None,
                "access_key": env.str("S3_ACCESS_KEY", default="") or None,
                "secret_key": env.str("S3_SECRET_KEY", default="") or None,
                "signature_version": "s3v4",
                "addressing_style": "path",
                "file_overwrite": False,
                "querystring_auth": True,
            },
        },
    }
if SENTRY_DSN := env.str("SENTRY_DSN", default=""):
    from apps.core.reports import reports_to

    reports_to(SENTRY_DSN, environment=env.str("SENTRY_ENVIRONMENT", default="production"))
