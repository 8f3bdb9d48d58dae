"""Fixtures that every test can ask for. Servers start when the first test needs them: pure tests never pay for them.

The database is PostgreSQL; with MUSTER_TEST_DATABASE=sqlite it is the embedded default's SQLite, and tests that would
say the same again are left out: those that touch no database, those marked `any_database`, and pages and paper, which
are drawn from what selectors have told (that every page answers on SQLite is asked by tests/permissions/test_moments.py).
Of the others, those that commit are asked, where databases differ most, and of the rest a third: of each file one at
least, and the same in every run. MUSTER_TEST_WHOLE=1 asks all of them; `make proof` does, and so does a run that names
the files it wants.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import environ
import hypothesis
import pytest

from tests import kept_databases, services
from tests.services import Worker
from tests.shares import lot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

    from tests.lines import Lines

DATABASE = os.environ.get("MUSTER_TEST_DATABASE", "postgres")
IS_WHOLE = os.environ.get("MUSTER_TEST_WHOLE") == "1"
ELSEWHERE = ("browser",) if IS_WHOLE else ("browser", "any_database")  # marks of tests that PostgreSQL alone is asked
COMMITTING_FIXTURES = {"transactional_db", "django_db_reset_sequences", "live_server", "start_worker", "site_env"}
DATABASE_FIXTURES = {"db"} | COMMITTING_FIXTURES


# a busy machine is slow, not wrong: no property is judged by the time it takes
hypothesis.settings.register_profile("house", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    if DATABASE not in ("postgres", "sqlite"):
        raise pytest.UsageError(f"MUSTER_TEST_DATABASE: postgres or sqlite, not {DATABASE!r}")
    _empty_what_has_rows()
    if DATABASE == "sqlite":
        _flush_past_the_ledger_guard()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What stands once tests are collected stays to the end; looked through again and again, it was a sixth of a run."""
    gc.disable()
    collected = yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    gc.enable()
    return collected


def _empty_what_has_rows() -> None:
    """Between tests that commit, Django empties every table there is, and writes rights and content types again.

    A test writes to few of them: a table is asked whether it has rows, which is quicker than to empty it, and what
    migrations wrote stays.
    """
    from django.db import connections
    from django.test import TransactionTestCase

    kept = {"django_content_type", "auth_permission"}

    def empty(self: Any) -> None:
        for alias in self._databases_names(include_mirrors=False):
            connection = connections[alias]
            quote = connection.ops.quote_name
            tables = sorted({*connection.introspection.django_table_names(only_existing=True)} - kept)
            asked = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quote(name)})" for name in tables)
            with connection.cursor() as cursor:
                cursor.execute(asked)
                written = [name for (name,) in cursor.fetchall()]
            connection.ops.execute_sql_flush(_emptying(connection, written))

    TransactionTestCase._fixture_teardown = empty  # type: ignore[method-assign]


def _emptying(connection: Any, tables: list[str]) -> list[str]:
    """Statements that take all rows of the tables, whatever refers to them or guards them."""
    if connection.vendor == "sqlite":
        from django.core.management.color import no_style

        return connection.ops.sql_flush(no_style(), tables)
    rows = [f"DELETE FROM {connection.ops.quote_name(name)}" for name in tables]
    return ["SET LOCAL session_replication_role = replica", *rows] if rows else []


def _flush_past_the_ledger_guard() -> None:
    """Between tests that commit, Django empties tables row by row on SQLite, which the ledger's triggers refuse."""
    from django.db.backends.sqlite3.operations import DatabaseOperations

    from rosters.ledger.guard import SQLITE_INSTALL_WITH_SUCCESSIONS, SQLITE_REMOVE

    flush = DatabaseOperations.sql_flush

    def sql_flush(self: Any, *args: Any, **kwargs: Any) -> list[str]:
        statements = flush(self, *args, **kwargs)
        return [*SQLITE_REMOVE, *statements, *SQLITE_INSTALL_WITH_SUCCESSIONS] if statements else []

    DatabaseOperations.sql_flush = sql_flush  # type: ignore[method-assign]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if DATABASE != "sqlite":
        return
    kept = [
        item
        for item in items
        if _touches_database(item)
        and not any(map(item.get_closest_marker, ELSEWHERE))
        and (IS_WHOLE or not _is_drawn(item))
    ]
    if not IS_WHOLE and _is_suite(config):
        third = _third(item for item in kept if not _commits(item))
        kept = [item for item in kept if _commits(item) or _test_of(item) in third]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def _touches_database(item: pytest.Item) -> bool:
    names = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(names & DATABASE_FIXTURES)


def _is_drawn(item: pytest.Item) -> bool:
    """It asks of a page or of paper, and commits nothing."""
    return not _commits(item) and (item.path.match("test_*pages.py") or item.path.parent.name == "printing")


def _commits(item: pytest.Item) -> bool:
    names = set(getattr(item, "fixturenames", ()))
    is_marked = any(mark.kwargs.get("transaction") for mark in item.iter_markers("django_db"))
    return is_marked or bool(names & COMMITTING_FIXTURES)


def _is_suite(config: pytest.Config) -> bool:
    """No file or folder of it was asked for by name."""
    return [Path(name).name for name in config.args] == config.getini("testpaths")


def _third(items: Iterable[pytest.Item]) -> set[str]:
    """The tests that are asked of these, by name: those whose lot it is, or of a file whose tests have none such the first."""
    by_file: dict[Path, set[str]] = defaultdict(set)
    for item in items:
        by_file[item.path].add(_test_of(item))
    chosen = ({name for name in names if lot(name, 3) == 2} or {min(names)} for names in by_file.values())
    return set().union(*chosen)


def _test_of(item: pytest.Item) -> str:
    """Its name for all parameters, so that what they share is made once."""
    return item.nodeid.partition("[")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Half as many again as there are cores: while one waits for a database, a browser or a worker, another computes."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # which xdist reads itself
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


def pytest_runtest_setup(item: pytest.Item) -> None:
    """What a process keeps by a row's number is of a row that is gone: on SQLite the next test's has the same number."""
    from django.core.cache import caches

    caches["process"].clear()


# --- servers ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a PostgreSQL server, without a database name."""
    with services.postgres(kept_databases.postgres_data()) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis server; empty at the session's start, tests share it."""
    with services.redis() as url:
        yield url


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest) -> None:
    """Puts the tests' PostgreSQL in the place of SQLite before the first connection is made."""
    from django.db import connections

    if DATABASE == "postgres":
        url = request.getfixturevalue("postgres_url")
        default = connections.settings["default"]
        default.update(environ.Env.db_url_config(f"{url}/muster", engine="rosters.database.postgresql"), OPTIONS={})
        default["TEST"] = {**default["TEST"], "NAME": None, "TEMPLATE": kept_databases.TEMPLATE}
        with contextlib.suppress(AttributeError):  # there is none yet, unless something asked for it at import
            del connections["default"]
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")
    if DATABASE == "sqlite":
        kept_databases.copy(kept_databases.sqlite_file(), Path(connections.settings["default"]["TEST"]["NAME"]))


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """SQLite's file is there already; the run's folder takes it along when it goes."""
    return DATABASE == "sqlite"


@pytest.fixture(scope="module")
def rows_of_all(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Lets a fixture of a module write rows that all its tests see, each as they were: they are taken back at its end.

    For what is dear to build. Not in a module with tests that commit, nor to hand out rows that tests change in memory.
    """
    with rows_until_the_end(django_db_blocker):
        yield


@contextlib.contextmanager
def rows_until_the_end(django_db_blocker: Any) -> Iterator[None]:
    """What is written inside the block is there for all tests within, and gone after it."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def site_env(transactional_db: None) -> dict[str, str]:
    """The environment of another process that shall see this test's database and folder: commands, workers."""
    return _site_env()


def _site_env() -> dict[str, str]:
    from django.conf import settings
    from django.db import connection

    database = connection.settings_dict
    url = f"sqlite:///{database['NAME']}"
    if connection.vendor == "postgresql":
        url = f"postgres://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "MUSTER_VAR": str(settings.VAR_DIR),
        "MUSTER_DATABASE_URL": url,
        "MUSTER_SECRET_KEY": settings.SECRET_KEY,
    }


# --- rules ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def compiled_rules() -> None:
    """The rules of every system, compiled: by one process of the run, while the others wait for it."""
    from systems import BATTLES
    from systems.engine import twin
    from systems.simulation.odds import is_warm, warm

    for slug in BATTLES:
        while not is_warm(slug):
            with twin.compiling(slug) as is_mine:
                if is_mine:
                    warm(slug)
            time.sleep(0.2)


# --- jobs -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def lines() -> Iterator[Lines]:
    """What the site's log says during the test."""
    from tests.lines import heard

    with heard() as lines:
        yield lines


@pytest.fixture
def eager_jobs() -> Iterator[None]:
    """Jobs run at once, in this process; for tests of what a job does, not of how it gets there."""
    from config.celery import app

    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.fixture
def start_worker(site_env: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Callable[..., Worker]]:
    """`start_worker(broker="filesystem")` starts a real worker and points this process at the same broker.

    broker: "filesystem" or "redis"; concurrency: worker processes; beat: with the sweep's timer; env: more MUSTER_*
    variables for the worker. Workers are ended when the test ends, at once: how they go when they are asked to is of
    tests that stop them.
    """
    with _workers(site_env, lambda: request.getfixturevalue("redis_url")) as start:
        yield start


@pytest.fixture(scope="module")
def worker_of_all(django_db_setup: None, django_db_blocker: Any) -> Iterator[Worker]:
    """One worker for all tests of a module, of which each waits for what it has asked for: its start is dear."""
    from rosters.models import WorkerSeen

    with django_db_blocker.unblock(), _workers(_site_env(), str) as start:
        yield start()
    with django_db_blocker.unblock():
        WorkerSeen.objects.all().delete()  # it may have said that it lives after the last test's rows were taken


@contextlib.contextmanager
def _workers(site_env: dict[str, str], redis_url: Callable[[], str]) -> Iterator[Callable[..., Worker]]:
    from django.conf import settings

    from config.celery import app

    workers: list[Worker] = []
    brokers: set[str] = set()
    before = {name: getattr(app.conf, name) for name in ("broker_url", "broker_transport_options")}

    def use(conf: dict[str, Any]) -> None:
        app.conf.update(conf)
        app._after_fork()  # type: ignore[attr-defined]  # drops the pools of connections to the former broker

    def start(
        broker: str = "filesystem", *, concurrency: int = 1, beat: bool = False, env: dict[str, str] | None = None
    ) -> Worker:
        environment = site_env | (env or {})
        if broker == "redis":
            environment["MUSTER_REDIS_URL"] = redis_url()
            brokers.add(environment["MUSTER_REDIS_URL"])
            use({"broker_url": environment["MUSTER_REDIS_URL"], "broker_transport_options": {}})
        elif broker != "filesystem":
            raise ValueError(f"no such broker: {broker}")
        handle, log = tempfile.mkstemp(prefix="worker-", suffix=".log", dir=settings.VAR_DIR)
        os.close(handle)
        worker = Worker(environment, concurrency=concurrency, beat=beat, log=Path(log))
        workers.append(worker)
        worker.wait_ready()
        return worker

    try:
        yield start
    finally:
        for worker in workers:
            worker.kill()
        use(before)
        _empty_queues(brokers)


def _empty_queues(brokers: set[str]) -> None:
    """What a test left waiting is not the next one's."""
    import redis
    from django.conf import settings

    for folder in ("queue", "queue-unreadable"):
        shutil.rmtree(settings.VAR_DIR / folder, ignore_errors=True)
    (settings.VAR_DIR / "queue").mkdir(exist_ok=True)
    for url in brokers:
        redis.Redis.from_url(url).flushall()


# --- browser ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real, headless Chromium. Mark tests that use it with `browser`."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=15_000)  # a busy machine is slow, not wrong
    # Playwright's loop runs on this thread from here on; Django would take every query for one inside a coroutine.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=services.find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(chromium: Browser, live_server: Any) -> Iterator[Page]:
    """An empty page of a 1280 px wide screen; paths are the live site's. An uncaught script error, or one on the console, fails the test."""
    yield from _page(chromium, live_server.url, 1280, 900)


@pytest.fixture
def phone(chromium: Browser, live_server: Any) -> Iterator[Page]:
    """As `page`, on a phone 360 px wide."""
    yield from _page(chromium, live_server.url, 360, 800)


def is_script_error(said: ConsoleMessage) -> bool:
    """What a page complained about itself, such as a blocked style.

    Not that an answer was a 404 or a 422, nor that htmx broke off a request for a newer one.
    """
    usual = ("Failed to load resource", "htmx:sendAbort", "htmx:afterRequest")
    return said.type == "error" and not said.text.startswith(usual)


def _page(chromium: Browser, url: str, width: int, height: int) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        is_mobile=width < 500,
        service_workers="block",  # tests of tonight's packet make their own
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if is_script_error(said) else None)
    yield page
    context.close()
    assert not errors, f"script errors on the page: {errors}"
