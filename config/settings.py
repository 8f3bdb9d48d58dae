"""All settings, read from the environment; the defaults are the embedded set-up of `make run`.

MUSTER_VAR            folder for database, queue, compiled rules, files     (default: var/)
MUSTER_SECRET_KEY     Django's secret; created in MUSTER_VAR if absent
MUSTER_SECRET_KEY_BEFORE  older secrets, comma-separated: their signatures stay valid
MUSTER_DICE_KEY       hides secrets of sealed dice; created in MUSTER_VAR if absent; older keys follow, comma-separated
MUSTER_DATABASE_URL   postgres://...; default: SQLite (WAL) in MUSTER_VAR
MUSTER_KEEP_PLANS     0 = PostgreSQL is behind a pooler without prepared statements
MUSTER_REDIS_URL      redis://...; default: files in MUSTER_VAR
MUSTER_EMAIL_URL      smtp://...; default: mails go to an outbox in MUSTER_VAR
MUSTER_ALLOWED_HOSTS  comma-separated                                       (default: localhost, 127.0.0.1, [::1])
MUSTER_CSRF_ORIGINS   comma-separated origins behind a proxy
MUSTER_HTTPS          1 = behind TLS: secure cookies, HSTS, redirect
MUSTER_HSTS           off, host, subdomains or preload: what browsers load by TLS only (default: host)
MUSTER_SIGN_UP        open, invited (by a club's link) or closed                 (default: open)
MUSTER_PROXIES        number of our proxies in front of the web server          (default: 0)
MUSTER_DEMO           0 = `make run` loads no demo club                          (default: 1)
MUSTER_DEMO_PASSWORD  password of the demo login; if absent, random and stored in MUSTER_VAR
MUSTER_LOG_LEVEL      DEBUG, INFO, WARNING or ERROR                              (default: INFO)
MUSTER_LOG_FORMAT     readable lines, or json for machines                       (default: lines)
MUSTER_METRICS_TOKEN  gives access to /metrics, also behind a proxy              (default: no token)
MUSTER_DEBUG          1 = Django's debug pages; never in production
"""

import contextlib
import os
import secrets
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from whitenoise.compress import Compressor

from config.environment import DATABASES as DATABASE_SCHEMES
from config.environment import Environment, refuse_path
from systems import template_folders

env = Environment()
refuse_path(os.environ.get("SCRIPT_NAME", ""))
BASE_DIR = Path(__file__).resolve().parent.parent
os.umask(0o077)  # files of every process are private to their owner
VAR_DIR = Path(env.str("MUSTER_VAR", default=str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
with contextlib.suppress(PermissionError):  # owned by another user, who sets the permissions
    VAR_DIR.chmod(0o700)
for folder in ("queue", "outbox", "files", "compiled"):
    (VAR_DIR / folder).mkdir(parents=True, exist_ok=True)


def _kept(name: str, make: Callable[[], str]) -> str:
    """Return the text of a private file in MUSTER_VAR. One process creates it atomically on first use."""
    path = VAR_DIR / name
    if not path.exists():
        draft = VAR_DIR / f".{name}-{secrets.token_hex(4)}"
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(make())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="utf-8")


def _dice_keys() -> tuple[str, ...]:
    """Return the key for new dice, then the keys of older ones."""
    given = env.list("MUSTER_DICE_KEY", default=[])
    kept = _kept("dice-key", lambda: secrets.token_urlsafe(32)) if not given or (VAR_DIR / "dice-key").exists() else ""
    keys = tuple(dict.fromkeys([*map(str.strip, given), *kept.split()]))
    if not keys or any(len(key) < 32 for key in keys):
        raise ImproperlyConfigured(
            "MUSTER_DICE_KEY: a key has 32 characters or more, and nobody can guess it; "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(32))' makes one"
        )
    return keys


DEBUG = env.bool("MUSTER_DEBUG", default=False)
SECRET_KEY = env.str("MUSTER_SECRET_KEY", default="") or _kept("secret-key", lambda: secrets.token_urlsafe(50))
SECRET_KEY_FALLBACKS = [key for each in env.list("MUSTER_SECRET_KEY_BEFORE", default=[]) if (key := each.strip())]
DICE_KEYS = _dice_keys()
ALLOWED_HOSTS = env.hosts("MUSTER_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.origins("MUSTER_CSRF_ORIGINS")
HTTPS = env.bool("MUSTER_HTTPS", default=False)
PORT = env.int("MUSTER_PORT", default=8000)  # for links in mails if MUSTER_CSRF_ORIGINS has no address

INSTALLED_APPS = [
    "rosters.accounts.apps.OperatorAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "knox",
    "rest_framework",
    "rosters",
    "battles",
    "campaigns",
]

MIDDLEWARE = [
    "config.middleware.OperationMiddleware",
    "config.middleware.RequestMiddleware",
    "rosters.site.middleware.MethodMiddleware",  # everything after it treats HEAD as GET
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.CompressionMiddleware",
    "csp.middleware.CSPMiddleware",
    "rosters.site.middleware.DevicesMiddleware",
    "rosters.site.middleware.SnapshotMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "rosters.site.middleware.PrivateMiddleware",
    "rosters.site.middleware.PlayerTimeZoneMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.errors.RefusalMiddleware",
    "campaigns.middleware.GuestMiddleware",
    "campaigns.middleware.OrganiserFactorMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "rosters.site.kept_forms.KeptFormMiddleware",
    "rosters.site.idempotency.FormOnceMiddleware",
]

FORM_RENDERER = "rosters.site.rendering.FormRenderer"
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATE_LOADERS = ["rosters.site.rendering.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *template_folders()],
        "OPTIONS": {
            "loaders": [("django.template.loaders.cached.Loader", TEMPLATE_LOADERS)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": [f"rosters.templatetags.{name}" for name in ("form_fields", "links", "fragments", "drawings")],
        },
    },
]

# --- data -------------------------------------------------------------------------------------------------------------

DATABASE_URL = env.address("MUSTER_DATABASE_URL", DATABASE_SCHEMES)
DATABASES = {"default": env.db_url_config(DATABASE_URL or f"sqlite:///{VAR_DIR / 'muster.sqlite3'}")}
# Django's backends with snapshots: docs/decisions/0018-one-snapshot-an-answer.md
DATABASES["default"]["ENGINE"] = DATABASES["default"]["ENGINE"].replace("django.db.backends.", "rosters.database.")
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    keeps = env.bool("MUSTER_KEEP_PLANS", default=True)  # of the most frequent queries: rosters/database/queries.py
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 10,
        "prepare_threshold": 5 if keeps else None,
        **DATABASES["default"].get("OPTIONS", {}),
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MEDIA_ROOT = VAR_DIR / "files"

# --- accounts ---------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "rosters.Player"
AUTHENTICATION_BACKENDS = ["rosters.accounts.backends.SignInBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "rosters.accounts.forms.EndTokensValidator"},
]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = env.choice(
    "MUSTER_EMAIL_VERIFICATION", ("mandatory", "optional", "none"), default="optional"
)
SIGN_UP = env.choice("MUSTER_SIGN_UP", ("open", "invited", "closed"), default="open")
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Muster] "
ACCOUNT_USER_DISPLAY = "rosters.models.player_display"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
LOGIN_URL = "account_login"
DEMO = env.bool("MUSTER_DEMO", default=True)
DEMO_PASSWORD = env.str("MUSTER_DEMO_PASSWORD", default="")
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
SESSION_ENGINE = "rosters.accounts.backends"

EMAIL_URL = env.address("MUSTER_EMAIL_URL", env.EMAIL_SCHEMES)
EMAIL_LOCAL_OUTBOX = not EMAIL_URL
if EMAIL_LOCAL_OUTBOX:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = VAR_DIR / "outbox"
else:
    vars().update(env.email_url_config(EMAIL_URL))
    EMAIL_TIMEOUT = 10  # seconds that a page waits for a mail server
DEFAULT_FROM_EMAIL = env.str("MUSTER_EMAIL_FROM", default="Muster <muster@localhost>")

# --- sign-in ------------------------------------------------------------------------------------------------------------

PROXIES = env.int("MUSTER_PROXIES", default=0)  # trusted addresses at the end of X-Forwarded-For
ACCOUNT_ADAPTER = "rosters.accounts.adapter.AccountAdapter"
ACCOUNT_RATE_LIMITS = {
    "login_failed": None
}  # allauth counts per account only, which would lock out the owner; we count in rosters/accounts/limits.py
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before addresses, second factors and tokens are changed
ACCOUNT_FORMS = {
    "change_password": "rosters.accounts.forms.ChangeForm",
    "reset_password": "rosters.accounts.forms.ResetForm",
    "reset_password_from_key": "rosters.accounts.forms.ResetKeyForm",
    "signup": "rosters.accounts.forms.SignUpForm",
}
ACCOUNT_PREVENT_ENUMERATION = "strict"  # a taken address gets no error; its owner gets a mail
SECURITY_CONTACTS = [  # for /.well-known/security.txt; bare addresses become links
    contact if ":" in contact else f"mailto:{contact}" for contact in env.list("MUSTER_SECURITY_CONTACT", default=[])
]
MFA_ADAPTER = "rosters.accounts.adapter.FactorAdapter"
MFA_FORMS = {
    "authenticate": "rosters.accounts.forms.AuthenticateForm",
    "reauthenticate": "rosters.accounts.forms.ReauthenticateForm",
}
MFA_TOTP_ISSUER = "Muster"
MFA_TOTP_TOLERANCE = 1  # steps of half a minute: the clocks of phones and servers differ
ORGANISERS_NEED_FACTOR = env.bool("MUSTER_ORGANISERS_NEED_FACTOR", default=False)
CACHES = {  # shared, so that sign-in limits count for all processes together
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "rosters_cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    "process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}

# --- language, time ---------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_I18N = False  # there is one language; lookups for every number took a tenth of a page
TIME_ZONE = "UTC"
USE_TZ = True

# --- static files -----------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "staticfiles"
# Source maps are for debuggers only; compressing those of the API's pages took half of the first start.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- jobs -------------------------------------------------------------------------------------------------------------

REDIS_URL = env.address("MUSTER_REDIS_URL", ("redis", "rediss", "unix"))
# Don't wait for an unavailable broker: the job's row is written, and the sweep finds it.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
REDIS_TRANSPORT_OPTIONS: dict[str, object] = {
    "visibility_timeout": 300,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 3,
    **CELERY_TASK_PUBLISH_RETRY_POLICY,
}
if REDIS_URL:
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "muster",
        "OPTIONS": {"socket_connect_timeout": 3, "socket_timeout": 3},  # seconds that a sign-in waits for it
    }
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = REDIS_TRANSPORT_OPTIONS
else:
    CELERY_BROKER_URL = "files://localhost//"  # the meaningless host avoids a warning
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "folder": str(VAR_DIR / "queue"),
        "unreadable_folder": str(VAR_DIR / "queue-unreadable"),
        "polling_interval": 0.05,
    }
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)  # files carry jobs, but no broadcasts
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "battles"
CELERY_TASK_ROUTES = [
    "config.celery.route_task",
    {
        "battles.tasks.forecast_*": {"queue": "forecasts"},
        "battles.tasks.rules_compile": {"queue": "forecasts"},
        "campaigns.tasks.archive_*": {"queue": "print"},  # its workers have the files
        "campaigns.tasks.print_*": {"queue": "print"},
        "rosters.tasks.print_*": {"queue": "print"},
        # In the queue of forecasts, whose slices take turns, so that a long queue of battles can't delay the sweep.
        "battles.tasks.sweep_lapsed": {"queue": "forecasts"},
        "campaigns.tasks.deadlines": {"queue": "forecasts"},
        "campaigns.tasks.word_*": {"queue": "print"},  # its workers wait for other servers anyway
        "campaigns.tasks.balances": {"queue": "print"},  # its workers have the most time
        "rosters.tasks.clear_old": {"queue": "print"},  # its workers have the files
        "rosters.tasks.takeout_*": {"queue": "print"},
    },
]
CELERY_BEAT_SCHEDULER = "config.beat.Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep-lapsed-jobs": {"task": "battles.tasks.sweep_lapsed", "schedule": 5.0, "options": {"expires": 60}},
    "close-rounds": {"task": "campaigns.tasks.deadlines", "schedule": 30.0, "options": {"expires": 60}},
    "begin-premieres": {"task": "campaigns.tasks.premieres", "schedule": 5.0, "options": {"expires": 5}},
    "remind-before-deadlines": {
        "task": "campaigns.tasks.word_reminders",
        "schedule": 300.0,
        "options": {"expires": 290},
    },
    "write-digests": {"task": "campaigns.tasks.word_digests", "schedule": 60.0, "options": {"expires": 55}},
    "propose-even-games": {
        "task": "campaigns.club_nights.tasks.propose_games",
        "schedule": 180.0,
        "options": {"expires": 180, "queue": "forecasts"},
    },
    "count-balances": {"task": "campaigns.tasks.balances", "schedule": 600.0, "options": {"expires": 590}},
    "settle-games-of-seasons": {"task": "campaigns.tasks.season_games", "schedule": 60.0, "options": {"expires": 60}},
    "draw-missing-pictures": {
        "task": "rosters.tasks.print_missing_pictures",
        "schedule": 20.0,
        "options": {"expires": 60},
    },
    "clear-old": {
        "task": "rosters.tasks.clear_old",
        "schedule": crontab(minute="17"),
    },  # by the clock: beat may restart
}
# Days to keep things that can be made again, and things made by visitors without an account; 0 means for ever.
KEEP_PRINTS_DAYS = env.int("MUSTER_KEEP_PRINTS_DAYS", default=90)
KEEP_ODDS_DAYS = env.int("MUSTER_KEEP_ODDS_DAYS", default=90)
KEEP_VISITORS_DAYS = env.int("MUSTER_KEEP_VISITORS_DAYS", default=30)
KEEP_ANSWERS_DAYS = env.int("MUSTER_KEEP_ANSWERS_DAYS", default=2)
KEEP_SIGN_INS_DAYS = env.int("MUSTER_KEEP_SIGN_INS_DAYS", default=90)
KEEP_DATA_DAYS = env.int("MUSTER_KEEP_DATA_DAYS", default=7)  # packed downloads of players' own data
WEBHOOKS_INSIDE = env.bool("MUSTER_WEBHOOKS_INSIDE", default=False)  # allow addresses in the local network
MAIL_GATHERS_SECONDS = env.int("MUSTER_MAIL_GATHERS_SECONDS", default=30)  # later notifications join the same mail
KEEP_NEWS_DAYS = env.int("MUSTER_KEEP_NEWS_DAYS", default=90)  # in the inbox, read or not
LEAVE_DAYS = env.int("MUSTER_LEAVE_DAYS", default=7)  # days to change one's mind about deleting an account
QUEUES = ("battles", "forecasts", "print")
WORKER_QUEUES = env.str("MUSTER_WORKER_QUEUES", default=",".join(QUEUES))
JOB_LEASE_SECONDS = env.int("MUSTER_JOB_LEASE_SECONDS", default=15)

# --- API --------------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rosters.accounts.tokens.TokenAuthentication",
        "rosters.accounts.tokens.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rosters.api.errors.DocumentParser"],
    "EXCEPTION_HANDLER": "rosters.api.errors.handle",
    "DEFAULT_SCHEMA_CLASS": "rosters.api.schema.ApiSchema",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 50,
}
KNOX_TOKEN_MODEL = "rosters.AccessToken"
REST_KNOX = {"TOKEN_TTL": timedelta(days=90), "AUTH_HEADER_PREFIX": "Token"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Muster",
    "DESCRIPTION": "Designs, companies, battles and odds of tabletop mech clubs.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",  # its null matches that of pydantic's schemas
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "VisibilityEnum": "rosters.models.Visibility.choices",
        "SideEnum": [("attacker", "attacker"), ("defender", "defender")],
        "CounterSideEnum": [("a", "a"), ("b", "b")],
        "JobStatusEnum": [(each, each) for each in ("draft", "queued", "running", "done", "failed", "called-off")],
        "PilotStatusEnum": [(each, each) for each in ("active", "wounded", "dead", "retired", "undone")],
        "UnitStatusEnum": [(each, each) for each in ("ready", "destroyed", "sold", "undone")],
        "PairingEnum": "campaigns.models.CampaignPairingMethod.choices",
        "CampaignStateEnum": "campaigns.models.CampaignState.choices",
        "NextStateEnum": [(each, each) for each in ("mustering", "running", "finished")],
        "SeasonStateEnum": "campaigns.models.SeasonState.choices",
        "SeasonWayEnum": "campaigns.models.PairingMethod.choices",
        "ClosingStateEnum": [(each, each) for each in ("waiting", "running", "done", "failed")],
        "CorrectionEnum": [
            (each, each) for each in ("undo", "report", "attacker-wins", "defender-wins", "refused", "bye")
        ],
        "BattleVisibilityEnum": [("private", "private"), ("link", "link"), ("public", "public")],
    },
}

# --- safety -----------------------------------------------------------------------------------------------------------

FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000  # the print page of the largest company has three per unit
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {  # two pages may be framed elsewhere and set this themselves: the standings, a replay
    "DIRECTIVES": {
        "default-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
HSTS = env.choice("MUSTER_HSTS", ("off", "host", "subdomains", "preload"), default="host")
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 0 if HSTS == "off" else 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = HSTS in ("subdomains", "preload")
    SECURE_HSTS_PRELOAD = HSTS == "preload"
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# Muster doesn't decide what else is served under the same domain, so `check --deploy` does not ask.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", *(["security.W004"] if HSTS == "off" else [])]

# --- metrics ----------------------------------------------------------------------------------------------------------

METRICS_TOKEN = env.str("MUSTER_METRICS_TOKEN", default="")  # without it /metrics is only open where there is no proxy
if 0 < len(METRICS_TOKEN) < 16:
    raise ImproperlyConfigured("MUSTER_METRICS_TOKEN: 16 characters or more, that nobody can guess")

# --- log --------------------------------------------------------------------------------------------------------------

LOG_FORMAT = env.choice("MUSTER_LOG_FORMAT", ("lines", "json"), default="lines")
LOG_LEVEL = env.choice("MUSTER_LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "WARN", "ERROR", "CRITICAL"), default="INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "traced": {"()": "config.logs.Traced"},
        "no-paths": {"()": "config.logs.NoPaths"},
        "outages": {"()": "config.logs.Outages"},
        "security-lines": {"()": "config.logs.SecurityLines"},
        "quiet-timers": {
            "()": "config.logs.QuietTimers",
            "tasks": [entry["task"] for entry in CELERY_BEAT_SCHEDULE.values()],
        },
    },
    "formatters": {
        "lines": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s%(belongs_to)s"},
        "json": {"()": "config.logs.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["traced", "no-paths", "outages", "security-lines", "quiet-timers"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    # Django's own handlers would log everything twice, and send mails to nobody. urllib3's warnings contain addresses
    # of webhooks, and Discord's are secret.
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},
        "django.server": {"handlers": [], "propagate": True},
        "urllib3": {"level": "ERROR"},
        "celery.beat": {"level": "WARNING"},  # it logs every task that it sends, every few seconds
    },
}
