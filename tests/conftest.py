"""Fixtures for every test. Servers start when the first test needs them, so pure tests don't wait for them.

The database is PostgreSQL. With MUSTER_TEST_DATABASE=sqlite it is SQLite, the embedded default, and tests that would
only repeat a result are skipped: those that use no database, those marked `any_database`, and pages and paper, which
are drawn from the values of selectors (tests/permissions/test_snapshots.py checks that every page answers on SQLite). Of
the others, tests that commit run, because databases differ most there, and a third of the rest: at least one per file,
the same ones in every run. MUSTER_TEST_WHOLE=1 runs all of them; so do `make proof` and a run that names its files.
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

from tests import services, template_databases
from tests.example_shares import stable_number
from tests.failure_summary import describe_failures
from tests.services import Worker

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

    from tests.log_lines import Lines

DATABASE = os.environ.get("MUSTER_TEST_DATABASE", "postgres")
IS_WHOLE = os.environ.get("MUSTER_TEST_WHOLE") == "1"
ELSEWHERE = ("browser",) if IS_WHOLE else ("browser", "any_database")  # marks of tests that run on PostgreSQL alone
COMMITTING_FIXTURES = {"transactional_db", "django_db_reset_sequences", "live_server", "start_worker", "site_env"}
DATABASE_FIXTURES = {"db"} | COMMITTING_FIXTURES


# no deadline: the machine may be busy
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
    """Freeze collected objects: scanning them repeatedly took a sixth of a run."""
    gc.disable()
    collected = yield
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    gc.enable()
    return collected


def _empty_what_has_rows() -> None:
    """After tests that commit, empty only tables that have rows.

    Django empties every table, and writes permissions and content types again. Most tests write to few tables: checking
    a table is faster than emptying it, and rows of migrations stay.
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
    """Return SQL statements that delete all rows of the tables, despite references and triggers."""
    if connection.vendor == "sqlite":
        from django.core.management.color import no_style

        return connection.ops.sql_flush(no_style(), tables)
    rows = [f"DELETE FROM {connection.ops.quote_name(name)}" for name in tables]
    return ["SET LOCAL session_replication_role = replica", *rows] if rows else []


def _flush_past_the_ledger_guard() -> None:
    """Flush on SQLite despite the ledger's triggers, which refuse the row-by-row deletes that Django uses there."""
    from django.db.backends.sqlite3.operations import DatabaseOperations

    from rosters.ledger.triggers import SQLITE_INSTALL_WITH_SUCCESSIONS, SQLITE_REMOVE

    flush = DatabaseOperations.sql_flush

    def sql_flush(self: Any, *args: Any, **kwargs: Any) -> list[str]:
        statements = flush(self, *args, **kwargs)
        return [*SQLITE_REMOVE, *statements, *SQLITE_INSTALL_WITH_SUCCESSIONS] if statements else []

    DatabaseOperations.sql_flush = sql_flush  # type: ignore[method-assign]


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _mark_repeated_values_as_slow(items)
    for item in items:  # a failure's report then knows its rules, in whichever process the test ran
        item.user_properties += [("rule", rule) for mark in item.iter_markers("rule") for rule in mark.args]
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


def _mark_repeated_values_as_slow(items: Iterable[pytest.Item]) -> None:
    """Of tests marked `each_value`, mark those as slow whose values have all been tested by the ones before."""
    tested: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("each_value"):
            values = {(name, repr(value)) for name, value in item.callspec.params.items()}
            if values <= tested[_test_of(item)]:
                item.add_marker(pytest.mark.slow)
            tested[_test_of(item)] |= values


def _touches_database(item: pytest.Item) -> bool:
    names = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(names & DATABASE_FIXTURES)


def _is_drawn(item: pytest.Item) -> bool:
    """Return whether the test is about a page or paper, and commits nothing."""
    return not _commits(item) and (item.path.match("test_*pages.py") or item.path.parent.name == "paper")


def _commits(item: pytest.Item) -> bool:
    names = set(getattr(item, "fixturenames", ()))
    is_marked = any(mark.kwargs.get("transaction") for mark in item.iter_markers("django_db"))
    return is_marked or bool(names & COMMITTING_FIXTURES)


def _is_suite(config: pytest.Config) -> bool:
    """Return whether the run names no file or folder of the suite."""
    return [Path(name).name for name in config.args] == config.getini("testpaths")


def _third(items: Iterable[pytest.Item]) -> set[str]:
    """Return the names of the third of these tests that runs.

    Per file these are the tests picked by a hash, or the first one if there are none.
    """
    by_file: dict[Path, set[str]] = defaultdict(set)
    for item in items:
        by_file[item.path].add(_test_of(item))
    chosen = ({name for name in names if stable_number(name, 3) == 2} or {min(names)} for names in by_file.values())
    return set().union(*chosen)


def _test_of(item: pytest.Item) -> str:
    """Return the test's name without parameters, so that parameters stay together and share their set-up."""
    return item.nodeid.partition("[")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return one and a half times the number of cores.

    While one process waits for a database, browser or worker, another computes.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # xdist reads the variable
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Clear caches keyed by row number: on SQLite the next test's rows have the same numbers."""
    from django.core.cache import caches

    caches["process"].clear()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    stats = terminalreporter.stats
    failed = [
        (report.nodeid, [value for name, value in getattr(report, "user_properties", ()) if name == "rule"])
        for report in (*stats.get("failed", ()), *stats.get("error", ()))
    ]
    if failed:
        terminalreporter.section("what broke, and how to run it alone")
        for line in describe_failures(failed):
            terminalreporter.write_line(line)


# --- servers ---


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Return the URL of a PostgreSQL server, without a database name."""
    with services.postgres(template_databases.postgres_data()) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Return the URL of a Redis server, empty when the session starts and shared by its tests."""
    with services.redis() as url:
        yield url


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest) -> None:
    """Replace SQLite by the tests' PostgreSQL before the first connection is made."""
    from django.db import connections

    if DATABASE == "postgres":
        url = request.getfixturevalue("postgres_url")
        default = connections.settings["default"]
        default.update(environ.Env.db_url_config(f"{url}/muster", engine="rosters.database.postgresql"), OPTIONS={})
        default["TEST"] = {**default["TEST"], "NAME": None, "TEMPLATE": template_databases.TEMPLATE}
        with contextlib.suppress(AttributeError):  # there is no connection yet, unless an import made one
            del connections["default"]
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")
    if DATABASE == "sqlite":
        template_databases.copy(template_databases.sqlite_file(), Path(connections.settings["default"]["TEST"]["NAME"]))


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep SQLite's file, which is deleted with the run's folder."""
    return DATABASE == "sqlite"


@pytest.fixture(scope="module")
def rows_of_all(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let a module's fixture write rows for all its tests, which are rolled back at the module's end.

    For rows that are slow to build. Not for modules with tests that commit, nor for rows that tests change in memory.
    """
    with rows_until_the_end(django_db_blocker):
        yield


@contextlib.contextmanager
def rows_until_the_end(django_db_blocker: Any) -> Iterator[None]:
    """Keep rows that are written in the block until its end, then roll them back."""
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def site_env(transactional_db: None) -> Iterator[dict[str, str]]:
    """Return the environment for another process (command, worker) on this test's database and folder."""
    from django.core.cache import cache

    yield _site_env()
    cache.clear()  # its table belongs to no model, so the flush after the test leaves what the process stored


def _site_env() -> dict[str, str]:
    from django.conf import settings
    from django.db import connection

    database = connection.settings_dict
    url = f"sqlite:///{database['NAME']}"
    if connection.vendor == "postgresql":
        url = f"postgres://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
    return environment | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "MUSTER_VAR": str(settings.VAR_DIR),
        "MUSTER_DATABASE_URL": url,
        "MUSTER_SECRET_KEY": settings.SECRET_KEY,
    }


# --- rules ---


@pytest.fixture(scope="session")
def compiled_rules() -> None:
    """Compile the rules of every system, each in one process of the run; they share the work and wait for the rest."""
    from systems import BATTLES
    from systems.engine import runner as rule_runner
    from systems.simulation.odds import is_warm, warm

    while cold := [slug for slug in BATTLES if not is_warm(slug)]:
        for slug in cold:
            with rule_runner.compiling(slug) as is_mine:
                if is_mine:
                    warm(slug)
        time.sleep(0.2)


# --- jobs ---


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Record the site's log during the test."""
    from tests.log_lines import record_lines

    with record_lines() as lines:
        yield lines


@pytest.fixture
def eager_jobs() -> Iterator[None]:
    """Run jobs at once in this process, for tests of the work that a job does."""
    from config.celery import app

    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.fixture
def start_worker(site_env: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Callable[..., Worker]]:
    """Return `start_worker(broker="filesystem")`, which starts a real worker on this process's broker.

    broker: "filesystem" or "redis"; concurrency: worker processes; beat: with the sweep's timer; env: more MUSTER_*
    variables for the worker. Workers are killed when the test ends. Tests of a clean stop stop them themselves.
    """
    with _workers(site_env, lambda: request.getfixturevalue("redis_url")) as start:
        yield start


@pytest.fixture(scope="module")
def worker_of_all(django_db_setup: None, django_db_blocker: Any) -> Iterator[Worker]:
    """Start one worker for all tests of a module, because starting is slow. Each test waits for its own jobs."""
    from rosters.models import WorkerHeartbeat

    with django_db_blocker.unblock(), _workers(_site_env(), str) as start:
        yield start()
    with django_db_blocker.unblock():
        WorkerHeartbeat.objects.all().delete()  # the worker may have written it after the last test's rows were deleted


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

    _empty_queues(set())  # of what earlier tests queued for no worker
    try:
        yield start
    finally:
        for worker in workers:
            worker.kill()
        use(before)
        _empty_queues(brokers)


def _empty_queues(brokers: set[str]) -> None:
    """Empty the queues, so that no test gets another test's messages."""
    import redis
    from django.conf import settings

    for folder in ("queue", "queue-unreadable"):
        shutil.rmtree(settings.VAR_DIR / folder, ignore_errors=True)
    (settings.VAR_DIR / "queue").mkdir(exist_ok=True)
    for url in brokers:
        redis.Redis.from_url(url).flushall()


# --- browser ---


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start a real, headless Chromium. Mark tests that use it with `browser`."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=15_000)  # the machine may be busy
    # Playwright's loop runs on this thread from now on, so Django would refuse queries as if inside a coroutine.
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
    """Return an empty page on a screen 1280 px wide; paths are relative to the live site.

    An uncaught script error, or an error on the console, fails the test.
    """
    yield from _page(chromium, live_server.url, 1280, 900)


@pytest.fixture
def phone(chromium: Browser, live_server: Any) -> Iterator[Page]:
    """Return a page like `page`, on a phone 360 px wide."""
    yield from _page(chromium, live_server.url, 360, 800)


def is_script_error(message: ConsoleMessage) -> bool:
    """Return whether a console message is an error of the page itself, such as a blocked style.

    A 404, a 422, a request that htmx cancelled for a newer one, or an answer about a row that left the page meanwhile
    doesn't count.
    """
    usual = ("Failed to load resource", "htmx:sendAbort", "htmx:afterRequest", "htmx:oobErrorNoTarget")
    return message.type == "error" and not message.text.startswith(usual)


def _page(chromium: Browser, url: str, width: int, height: int) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        is_mobile=width < 500,
        service_workers="block",  # tests of the offline pack make their own context
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if is_script_error(message) else None)
    yield page
    context.close()
    assert not errors, f"script errors on the page: {errors}"
