"""Settings common to every way of running. A value from the environment that cannot be used stops the start by name.

What differs between one process on a laptop and many on servers stands in `local`, `test` and `production`.
"""

import base64
from pathlib import Path

import environ
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.settings.caching import immutable, keep_fonts

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")


def positive(name: str, default: int) -> int:
    """A whole number above zero from the environment, or a stop that names it."""
    try:
        value = env.int(name, default=default)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {env.str(name)!r}.") from error
    if value <= 0:
        raise ImproperlyConfigured(f"{name} must be above zero, not {value}.")
    return value


def credential_keys(keys: list[str]) -> list[str]:
    """Keys of 32 bytes in URL-safe base64 each, or a stop that does not show them."""
    for key in keys:
        try:
            good = len(base64.urlsafe_b64decode(key)) == 32
        except ValueError:
            good = False
        if not good:
            raise ImproperlyConfigured("CREDENTIAL_KEYS must list keys of 32 bytes in URL-safe base64.")
    return keys


# ---------------------------------------------------------------- the product
PRODUCT_NAME = env.str("PRODUCT_NAME", default="Plumbline")
TERMS_URL = env.str("TERMS_URL", default="https://example.com/terms")
PRIVACY_EMAIL = env.str("PRIVACY_EMAIL", default="privacy@example.com")
DEMO_PASSWORD = env.str("DEMO_PASSWORD", default="")

DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).expanduser().resolve()
"""Everything that is kept: database, files, tables, the secret key of a local installation."""
for _folder in (DATA_DIR, DATA_DIR / "files", DATA_DIR / "tables", DATA_DIR / "tmp"):
    try:
        _folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"DATA_DIR cannot be used: {error}.") from error
PORT = positive("PORT", 8000)
if PORT > 65_535:
    raise ImproperlyConfigured(f"PORT must be at most 65535, not {PORT}.")

PUBLIC_URL = env.str("PUBLIC_URL", default=f"http://127.0.0.1:{PORT}").rstrip("/")
"""The address under which people reach the product; links in e-mails start with it."""

FEEDBACK_WEBHOOK_URL = env.str("FEEDBACK_WEBHOOK_URL", default="")
"""Where feedback is passed on to as a form (SPEC section 7); empty keeps it here only."""
if FEEDBACK_WEBHOOK_URL and not FEEDBACK_WEBHOOK_URL.startswith(("https://", "http://")):
    raise ImproperlyConfigured("FEEDBACK_WEBHOOK_URL must be an http or https address.")

LEAVE_SECONDS = env.float("LEAVE_SECONDS", default=5.0)
"""How long a web process that is told to stop still takes requests, so that a proxy sees on /readyz that it leaves."""
FINISH_SECONDS = env.float("FINISH_SECONDS", default=20.0)
"""How long after that it answers what it has begun."""
if not 0 <= LEAVE_SECONDS <= 60 or not 0 <= FINISH_SECONDS <= 3600:
    raise ImproperlyConfigured("LEAVE_SECONDS must be between 0 and 60, FINISH_SECONDS between 0 and 3600.")

UPLOAD_MAX_FILE_BYTES = positive("UPLOAD_MAX_FILE_BYTES", 200 * 1024 * 1024)
UPLOAD_MAX_FILES = positive("UPLOAD_MAX_FILES", 20)
ORGANIZATION_MAX_BYTES = positive("ORGANIZATION_MAX_BYTES", 2 * 1024 * 1024 * 1024)
QUESTIONS_PER_MINUTE = env.int("QUESTIONS_PER_MINUTE", default=60)
UPLOADS_PER_HOUR = env.int("UPLOADS_PER_HOUR", default=600)
"""Of one member; 0 is no limit. Nobody types as fast: scripts are held to what leaves others their share. The former
bounds dictionaries that are opened and tests of own models, too, the latter invitations and exports."""
if QUESTIONS_PER_MINUTE < 0 or UPLOADS_PER_HOUR < 0:
    raise ImproperlyConfigured("QUESTIONS_PER_MINUTE and UPLOADS_PER_HOUR must be 0 or above.")
MAX_COLUMNS = positive("MAX_COLUMNS", 2_000)
"""In one table. Spreadsheets end at 16,384; a question is read over the names of all columns."""
ORGANIZATION_MAX_COLUMNS = positive("ORGANIZATION_MAX_COLUMNS", 20_000)
"""In all tables of an organization together."""
WORKER_THREADS = positive("WORKER_THREADS", 4)

# ---------------------------------------------------------------- data beyond one machine (none is needed)
SPARK_MASTER = env.str("SPARK_MASTER", default="")
"""The cluster that answers large organizations, as "spark://host:7077"; empty: DuckDB answers all of them here."""
SPARK_ABOVE_ROWS = positive("SPARK_ABOVE_ROWS", 50_000_000)
"""Organizations with more rows than this in all their tables together are answered by the cluster."""
SPARK_PYTHON = Path(env.str("SPARK_PYTHON", default=str(BASE_DIR / ".venv-spark/bin/python")))
"""The Python of Spark's own environment (`make setup-spark`): pyspark does not go together with pandas 3."""
if SPARK_MASTER and not SPARK_MASTER.startswith(("spark://", "local")):
    raise ImproperlyConfigured('SPARK_MASTER must be an address such as "spark://host:7077".')

# ---------------------------------------------------------------- language models (none is needed)
MODEL_PROVIDERS = {
    # An OpenAI-compatible server needs no key of its own: its address alone switches it on.
    name: {
        "api_key": env.str(f"{name.upper()}_API_KEY", default=""),
        "base_url": env.str(f"{name.upper()}_BASE_URL", default=""),
        "models": env.list(f"{name.upper()}_MODELS", default=models),
    }
    for name, models in {
        # As of November 2026: the published contract of OpenAI and the SDKs name these, and no end is announced.
        "openai": ["gpt-5.6-sol"],
        "anthropic": ["claude-sonnet-5-5"],
        "google": ["gemini-3.8-flash"],
    }.items()
}
MODEL_PRICES = env.json("MODEL_PRICES", default={})
"""{"model": [price of a million input tokens, of a million output tokens]}; unknown models cost nothing."""
MODELS_WITHOUT_TEMPERATURE = env.list("MODELS_WITHOUT_TEMPERATURE", default=["gpt-5.6-sol", "claude-sonnet-5-5"])
"""Models that answer at a temperature of their own and refuse one that is sent."""
MODEL_STAND_INS = env.bool("MODEL_STAND_INS", default=True)
"""Whether a model of another configured provider is asked where the picked one fails, and in checks."""
MODEL_PRIVATE_ADDRESSES = env.bool("MODEL_PRIVATE_ADDRESSES", default=False)
"""Whether organizations may add models at addresses within the own network (Ollama, vLLM, LM Studio, llama.cpp). Only
where every admin of an organization may reach what this server reaches."""
MODEL_SECONDS = env.float("MODEL_SECONDS", default=75.0)
"""For all models of one run together: the built-in analyst answers in what is left of the run's 105 seconds."""
MODEL_CALL_SECONDS = env.float("MODEL_CALL_SECONDS", default=30.0)
"""For one call of a model. Under the lease of a run, which is renewed between calls."""
if not 0 < MODEL_CALL_SECONDS <= 40 or not 0 < MODEL_SECONDS <= 90:
    raise ImproperlyConfigured("MODEL_CALL_SECONDS must be at most 40 and MODEL_SECONDS at most 90, both above 0.")
MODEL_MONTHLY_BUDGET = env.float("MODEL_MONTHLY_BUDGET", default=0.0)
"""What one organization may spend in a calendar month; 0 is no limit."""

# ---------------------------------------------------------------- Django
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
INSTALLED_APPS = [
    "apps.core",
    "apps.accounts",
    "apps.preferences",
    "apps.datasources",
    "apps.integrations",
    "apps.threads",
    "apps.feedback",
    "apps.core.admin_config.ProductAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "allauth.usersessions",
    "rest_framework",
    "webpack_loader",
    "csp",
    "django_dramatiq",
]
MIDDLEWARE = [
    "apps.core.logs.RequestLogMiddleware",
    "apps.core.private.KnownHosts",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "apps.accounts.audit.CallerMiddleware",
    "apps.accounts.flows.session_store.CookieSessions",
    "django.middleware.common.CommonMiddleware",
    "apps.core.private.NoStore",
    "apps.core.sound_bodies.SoundBodies",
    "apps.core.busy.BusyDatabase",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "apps.core.pages.product",
            ],
        },
    },
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en-us"
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = "UTC"
USE_TZ = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_TEMP_DIR = str(DATA_DIR / "tmp")
DATA_UPLOAD_MAX_NUMBER_FILES = UPLOAD_MAX_FILES + 200
"""Above our own limit, which names the files that were too many and keeps the others; this one refuses them all."""

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'product.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Read-then-write transactions must take the write lock first, or concurrent ones fail instead of waiting.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
DATABASES["default"]["CONN_MAX_AGE"] = None

FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": str(DATA_DIR / "files"), "base_url": None},
    },
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_IMMUTABLE_FILE_TEST = immutable
WHITENOISE_ADD_HEADERS_FUNCTION = keep_fonts
WEBPACK_LOADER = {
    "DEFAULT": {
        "BUNDLE_DIR_NAME": "bundles/",
        "STATS_FILE": str(BASE_DIR / "webpack-stats.json"),
        "INTEGRITY": True,
        "CROSSORIGIN": "anonymous",
        "CSP_NONCE": True,
        "CACHE": not DEBUG,
        "TIMEOUT": 60,
    }
}

# ---------------------------------------------------------------- sign-in (allauth headless, app client, bearer token)
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["apps.accounts.flows.backend.AccountBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "apps.accounts.flows.validators.SpecPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
SESSION_ENGINE = "apps.accounts.flows.session_store"
SESSION_COOKIE_AGE = 12 * 3600
"""A session that is not used for so long is over."""
SESSION_ABSOLUTE_AGE = 7 * 24 * 3600
"""And one that is used, after so long."""
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("app",)
HEADLESS_TOKEN_STRATEGY = "apps.accounts.flows.tokens.SignedSessionTokens"
HEADLESS_ADAPTER = "apps.accounts.flows.adapters.HeadlessAdapter"
HEADLESS_FRONTEND_URLS = {
    "account_signup": "/login",
    "account_confirm_email": "/login",
    "account_reset_password": "/forgot-password",
    "account_reset_password_from_key": "/verify",
}
ACCOUNT_ADAPTER = "apps.accounts.flows.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)
ACCOUNT_RATE_LIMITS = {"login": None, "reset_password": None, "reset_password_from_key": None}
"""Guesses are counted by account and place (flows.guesses), mails by account (flows.resets); an address waits for its
turns (flows.door), and is never refused: many may be behind it."""
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_LOGIN_TIMEOUT = 180
"""A pending new-password challenge lives three minutes (SPEC section 9, sign-in session)."""
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 600
ACCOUNT_LOGIN_ON_PASSWORD_RESET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
USERSESSIONS_TRACK_ACTIVITY = False

# ---------------------------------------------------------------- API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.accounts.flows.drf_auth.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["apps.core.api.permissions.IsMember"],
    "DEFAULT_RENDERER_CLASSES": ["apps.core.api.renderers.DeepJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "apps.core.api.parsers.AnyJSONParser",
        "rest_framework.parsers.MultiPartParser",
        "rest_framework.parsers.FormParser",
    ],
    "EXCEPTION_HANDLER": "apps.core.api.errors.handle",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

# ---------------------------------------------------------------- jobs and sockets
DRAMATIQ_BROKER = {
    "BROKER": "apps.core.jobs.broker.EmbeddedBroker",
    "OPTIONS": {},
    "MIDDLEWARE": [
        "dramatiq.middleware.AgeLimit",
        "apps.core.jobs.leaving.OneShutdownNotice",
        "dramatiq.middleware.Callbacks",
        "dramatiq.middleware.Retries",
        "django_dramatiq.middleware.DbConnectionsMiddleware",
        "apps.core.logs.JobLogMiddleware",
        "apps.core.jobs.parking.Parking",
    ],
}
DRAMATIQ_AUTODISCOVER_MODULES = ["tasks"]
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}}
"""Room for more counts than anybody fills in a count's five minutes: at Django's 300, guesses at other names push the
count of an account out."""

# ---------------------------------------------------------------- outside services
CREDENTIAL_KEYS = credential_keys(env.list("CREDENTIAL_KEYS", default=[]))
"""Fernet keys under which sign-ins at outside services are kept; the first seals, all open."""
INTEGRATIONS_TIMEOUT = positive("INTEGRATIONS_TIMEOUT", 30)
"""Seconds an outside service may take to answer."""
HUBSPOT_CLIENT_ID = env.str("HUBSPOT_CLIENT_ID", default="")
HUBSPOT_CLIENT_SECRET = env.str("HUBSPOT_CLIENT_SECRET", default="")
HUBSPOT_API_URL = env.str("HUBSPOT_API_URL", default="https://api.hubapi.com")
HUBSPOT_AUTHORIZE_URL = env.str("HUBSPOT_AUTHORIZE_URL", default="https://app.hubspot.com/oauth/authorize")
GOOGLE_CLIENT_ID = env.str("GOOGLE_CLIENT_ID", default="")
GOOGLE_CLIENT_SECRET = env.str("GOOGLE_CLIENT_SECRET", default="")
GOOGLE_PICKER_KEY = env.str("GOOGLE_PICKER_KEY", default="")
"""The API key of the file picker; browsers see it. GOOGLE_APP_ID is the project's number, which grants picked files."""
GOOGLE_APP_ID = env.str("GOOGLE_APP_ID", default="")
GOOGLE_AUTHORIZE_URL = env.str("GOOGLE_AUTHORIZE_URL", default="https://accounts.google.com/o/oauth2/v2/auth")
GOOGLE_OAUTH_URL = env.str("GOOGLE_OAUTH_URL", default="https://oauth2.googleapis.com")
GOOGLE_API_URL = env.str("GOOGLE_API_URL", default="https://www.googleapis.com")
GOOGLE_SHEETS_URL = env.str("GOOGLE_SHEETS_URL", default="https://sheets.googleapis.com")
GOOGLE_PICKER_URL = env.str("GOOGLE_PICKER_URL", default="https://apis.google.com/js/api.js")
GOOGLE_PICKER_FRAMES = env.list(
    "GOOGLE_PICKER_FRAMES",
    default=["https://docs.google.com", "https://drive.google.com", "https://accounts.google.com"],
)
"""The origins that the picker's frame shows: files, folders, and a sign-in that has to be repeated."""
SLACK_CLIENT_ID = env.str("SLACK_CLIENT_ID", default="")
SLACK_CLIENT_SECRET = env.str("SLACK_CLIENT_SECRET", default="")
SLACK_SIGNING_SECRET = env.str("SLACK_SIGNING_SECRET", default="")
SLACK_COMMAND = env.str("SLACK_COMMAND", default="/ask")
SLACK_URL = env.str("SLACK_URL", default="https://slack.com")
SLACK_HOOKS_URL = env.str("SLACK_HOOKS_URL", default="https://hooks.slack.com")
SLACK_FILES_URL = env.str("SLACK_FILES_URL", default="https://files.slack.com")

# ---------------------------------------------------------------- safety
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "media-src": [SELF],
        "frame-src": ["blob:"],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="no-reply@example.com")
if "EMAIL_URL" in env.ENVIRON:
    globals().update(env.email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
"""What Prometheus sends as its bearer token to read /metrics; without it there is no such page."""
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"context": {"()": "apps.core.logs.Context"}},
    "formatters": {
        "plain": {
            "()": "apps.core.logs.PlainFormatter",
            "fmt": "%(asctime)s %(levelname)s %(name)s: %(message)s%(context)s",
        },
        "json": {"()": "apps.core.logs.json_formatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env.str("LOG_FORMAT", default="plain"),
            "filters": ["context"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {
        "django.request": {"level": "ERROR"},
        # A wrong Host is told by apps.core.private in one line.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "apps": {"level": env.str("LOG_LEVEL", default="INFO")},
        # A line for each request is for deployments: at home it would hide what matters.
        "apps.requests": {"level": "WARNING"},
        # Access lines would carry socket tickets.
        "daphne": {"level": "WARNING"},
        # Its lines for those who look for faults carry whole addresses, Slack's secret ones among them.
        "urllib3": {"level": "INFO"},
    },
}
