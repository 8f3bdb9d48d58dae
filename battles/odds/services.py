"""Odds and what-ifs: ask for them, let workers simulate them, cancel them."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Protocol, TypeVar

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from battles.models import (
    ASKED_BY_SITE,
    BestAnswer,
    BestBuild,
    BestChange,
    Body,
    Calculation,
    Curve,
    Forecast,
    Fork,
    Matrix,
    WhatIf,
)
from battles.odds.changes import Change, apply_change, describe_change
from battles.odds.chunks import Work, drop_chunks, reset_count
from battles.services import limits
from battles.services.battles import battle_title
from rosters.jobs import Job, JobStatus
from rosters.models import Player
from rosters.policy import asked_by
from rosters.services import RefusedError
from rosters.site.job_runs import TEMPORARY_ERRORS, wake
from systems import battle_rules
from systems.documents import DocumentError, parse_document
from systems.engine import runner
from systems.reading import read_setup
from systems.setups import Setup, parse_seed, setup_hash, setup_json, with_styles
from systems.simulation.odds import DEFAULT_SEED, Comparison, Tally, compare, is_warm, tally, warm, with_best_styles
from systems.simulation.summary import odds

C = TypeVar("C", bound=Calculation)


class Allowed(Protocol):
    """Raise RefusedError if the asker may not ask now."""

    def __call__(self, *, actor: Player | None, visitor: str) -> None: ...


INTERVAL_CHECK_STEP = 2_000  # battles between checks of the intervals, whatever the chunks
MIN_HALF_WIDTH, MAX_HALF_WIDTH = 0.0005, 0.1  # half widths that can be asked for
COUNTS_VERSION = 2  # raise it when the counts change form, so that older rows aren't used
TOUCH_INTERVAL = timedelta(days=1)
_REQUESTED_RULES: set[str] = set()  # games whose rules this process has requested
COMPILE_SECONDS = 25  # on one core of 2024; only shown to readers


@transaction.atomic
def forecast_ask(
    *,
    setup: bytes | str | Mapping[str, object],
    runs: int,
    seed: object = None,
    half_width: float | None = None,
    actor: Player | None = None,
    visitor: str = "",
    best_styles: bool = False,
) -> tuple[Forecast, bool]:
    """Return the odds of a set-up over that number of battles, and whether the question is new.

    Nothing is simulated twice. With `best_styles` each side uses the AI style that gives it the best chance, whatever
    the set-up names. With `half_width` the simulation stops once the intervals of win, draw and loss are that narrow.
    `visitor` is ASKED_BY_SITE if the site itself asks; nobody can cancel that.
    """
    document = read_setup(setup)
    number = parse_seed_or_default(seed)
    check_runs(runs)
    if half_width is not None and not MIN_HALF_WIDTH <= half_width <= MAX_HALF_WIDTH:
        raise DocumentError("half_width", f"must be from {MIN_HALF_WIDTH} to {MAX_HALF_WIDTH}")
    rules = battle_rules(document.system)
    version = rules.rules_version
    if best_styles:
        document = with_styles(document, [next(iter(rules.doctrines))] * 2)  # the same question for all styles
    asked = (setup_hash(document), number, runs, version, half_width)
    question = question_hash(*asked, "best styles") if best_styles else question_hash(*asked)

    def fields() -> dict[str, object]:
        found = _forecast_fields(document, number, runs, version, half_width, is_new=best_styles)
        return {**found, "picks_styles": best_styles}

    return get_or_create_count(Forecast, question, fields, runs=runs, actor=actor, visitor=visitor)


def get_or_create_count(
    kind: type[C],
    question: str,
    fields: Callable[[], Mapping[str, object]],
    *,
    runs: int,
    actor: Player | None,
    visitor: str,
    allowed: Allowed | None = None,
) -> tuple[C, bool]:
    """Return the row that answers the question, created from `fields` if it is new, and whether it is new.

    `runs` counts towards the asker's quota. `allowed` refuses an asker who has asked too often; the default is the
    quota for odds.
    """
    known = kind._default_manager.filter(question=question).first()
    may = allowed or partial(limits.check_forecast_limit, runs=runs)
    if known is not None:
        _asked_again(known, may, actor=actor, visitor=visitor)
        return known, False
    may(actor=actor, visitor=visitor)
    try:
        with transaction.atomic():
            count = kind._default_manager.create(
                question=question, asked_by=actor, asked_from="" if actor else visitor, **fields()
            )
    except IntegrityError:  # somebody else asked the same at the same time
        return kind._default_manager.get(question=question), False
    send_to_workers(count)
    return count, True


def _asked_again(known: Calculation, may: Allowed, *, actor: Player | None, visitor: str) -> None:
    """Queue a failed or cancelled simulation again; its runs so far are kept.

    A question that the site asks becomes the site's.
    """
    if visitor == ASKED_BY_SITE and actor is None:
        type(known)._default_manager.filter(pk=known.pk).update(asked_by=None, asked_from=ASKED_BY_SITE)
        known.refresh_from_db()
    touch_asked_at(known)
    if known.status not in (JobStatus.FAILED, JobStatus.CALLED_OFF):
        return
    may(actor=actor, visitor=visitor)
    if known.ask_again(asked_by=actor, asked_from="" if actor else visitor):
        send_to_workers(known)
    known.refresh_from_db()


def touch_asked_at(known: Calculation) -> None:
    """Record that somebody asked, which restarts the time the row is kept; written at most once a day."""
    now = timezone.now()
    if now - known.asked_at > TOUCH_INTERVAL:
        type(known)._default_manager.filter(pk=known.pk).update(asked_at=now)
        known.asked_at = now


def question_hash(*parts: object) -> str:
    """Return the hash that identifies a question: it covers everything that the answer depends on."""
    return hashlib.sha256(json.dumps([*parts, COUNTS_VERSION]).encode()).hexdigest()


def parse_seed_or_default(seed: object) -> int:
    """Return the seed, or the default one if it is missing; raises DocumentError."""
    return DEFAULT_SEED if seed is None or seed == "" else parse_seed(seed)


def check_runs(runs: object) -> None:
    """Raise DocumentError unless this is a whole number of battles, 1 or more."""
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise DocumentError("battles", "must be a whole number, 1 or more")


def _forecast_fields(
    setup: Setup, seed: int, runs: int, version: int, half_width: float | None, *, is_new: bool
) -> dict[str, object]:
    digest, begun = setup_hash(setup), None
    if half_width is None and not is_new:  # the stopping point must not depend on earlier simulations
        begun = (
            Forecast.objects.filter(
                setup_hash=digest, seed=str(seed), rules_version=version, runs_done__gt=0, runs_done__lt=runs,
                counts__has_key="margins",
            )
            .order_by("-runs_done")
            .values("runs_done", "counts", "seconds")
            .first()
        )  # fmt: skip
    return {
        "system": setup.system,
        "title": battle_title(setup),
        "setup": setup_json(setup),
        "setup_hash": digest,
        "seed": str(seed),
        "rules_version": version,
        "runs_asked": runs,
        "half_width": half_width,
        **dict(begun or {}),  # continue from there: the first battles of a seed are always the same
    }


def send_to_workers(job: Calculation) -> None:
    """Queue the simulation for a worker, once the transaction is committed."""
    task = {
        Forecast: "battles.tasks.forecast_run",
        WhatIf: "battles.tasks.forecast_what_if",
        Matrix: "battles.tasks.forecast_matrix",
        Curve: "battles.tasks.forecast_curve",
        BestAnswer: "battles.tasks.forecast_best_answer",
        Fork: "battles.tasks.forecast_fork",
        BestBuild: "battles.tasks.forecast_best_build",
        BestChange: "battles.tasks.forecast_best_change",
    }[type(job)]
    delay = limits.site_delay() if job.asked_by_id is None and job.asked_from == ASKED_BY_SITE else 0
    after = timedelta(seconds=delay) if delay else None
    transaction.on_commit(lambda: wake(task, job.pk, after=after))


@transaction.atomic
def forecast_cancel(*, forecast: Calculation, actor: Player | None, visitor: str = "") -> bool:
    """Cancel a simulation; return False if it has already ended.

    Its runs so far are kept, and asking again continues from there.
    """
    if not asked_by(forecast, actor, visitor):
        raise RefusedError("forecast", "You can only stop odds that you started.")
    open_rows = type(forecast)._default_manager.filter(pk=forecast.pk, status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    called_off = bool(open_rows.update(status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now()))
    if called_off:
        drop_chunks(forecast)
    return called_off


def forecast_work(*, forecast: Forecast) -> Work[list[Body]]:
    """Return how a forecast is simulated. With a half width it goes in steps, and can stop after any of them."""
    if forecast.picks_styles:
        _pick_styles(forecast)
    setup, seed, half_width = read_setup(forecast.setup), int(forecast.seed), forecast.half_width
    if forecast.runs_done and "margins" not in forecast.counts:  # older than the count of margins
        reset_count(forecast)

    def count(first: int, runs: int) -> list[Body]:
        step = runs if half_width is None else INTERVAL_CHECK_STEP
        return [tally(setup, seed, first + at, min(step, runs - at)).to_json() for at in range(0, runs, step)]

    def add(total: Body, parts: list[Body]) -> tuple[Body, int, bool]:
        summed = Tally.from_json(total) if total else None
        for part in parts:
            more = Tally.from_json(part)
            summed = more if summed is None else summed + more
            if _is_narrow(summed, setup, half_width):
                return summed.to_json(), summed.battles, True
        assert summed is not None
        return summed.to_json(), summed.battles, False

    return Work(1 if half_width is None else INTERVAL_CHECK_STEP, count, add)


def _pick_styles(forecast: Forecast) -> None:
    """Choose the AI styles of a forecast with `best_styles`; every worker gets the same result."""
    setup = with_best_styles(read_setup(forecast.setup), int(forecast.seed))
    forecast.setup, forecast.setup_hash, forecast.picks_styles = setup_json(setup), setup_hash(setup), False
    rows = Forecast.objects.filter(pk=forecast.pk, picks_styles=True)
    rows.update(setup=forecast.setup, setup_hash=forecast.setup_hash, picks_styles=False)


def _is_narrow(total: Tally, setup: Setup, half_width: float | None) -> bool:
    """Return whether the simulation may stop: after whole steps, with every interval narrow enough."""
    return (
        half_width is not None
        and total.battles % INTERVAL_CHECK_STEP == 0
        and odds(total, setup).half_width <= half_width
    )


def request_rules(system: str) -> None:
    """Let a worker compile the game's rules before somebody asks for odds. Requested once per process."""
    if system in _REQUESTED_RULES:
        return
    _REQUESTED_RULES.add(system)
    if not is_warm(system):
        wake("battles.tasks.rules_compile", system)


def ensure_rules_ready(job: Calculation) -> bool:
    """Make the rules of a claimed question ready; return False if it can't be simulated yet, or not at all.

    If they must be compiled, one worker does so and the others come back later; the row holds the expected time.
    """
    if job.rules_version != battle_rules(job.system).rules_version:
        job.fail("The rules have changed meanwhile. Start it again.")
        drop_chunks(job)
        return False
    if not is_warm(job.system):
        with runner.compiling(job.system) as is_mine:
            began = datetime.fromtimestamp(runner.compiling_since(job.system), UTC)
            job.claimed().update(ready_by=began + timedelta(seconds=COMPILE_SECONDS))
            if not is_mine:
                return False
            with heartbeat(job):
                warm(job.system)
    warm(job.system)
    return True


@contextmanager
def heartbeat(job: Job) -> Iterator[None]:
    """Renew the lease from a thread during work that can take longer than a lease."""
    stop = threading.Event()

    def beat() -> None:
        try:
            while not stop.wait(settings.JOB_LEASE_SECONDS / 3):
                with suppress(*TEMPORARY_ERRORS):  # the next beat may get through
                    job.renew()
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@transaction.atomic
def what_if_ask(
    *,
    forecast: Forecast,
    change: bytes | str | Mapping[str, object],
    runs: int,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[WhatIf, bool]:
    """Ask for the effect of this change on the odds; return the comparison and whether it is new."""
    wanted = parse_document(Change, change, "change")
    before = read_setup(forecast.setup)
    after = apply_change(before, wanted)
    check_runs(runs)
    touch_asked_at(forecast)
    version = battle_rules(before.system).rules_version
    question = question_hash("what-if", forecast.question, setup_hash(after), runs, version)

    def fields() -> dict[str, object]:
        rules = battle_rules(before.system)
        return {
            "forecast": forecast,
            "system": before.system,
            "title": describe_change(before, wanted, {**rules.levels, **rules.skills})[:140],
            "change": wanted.model_dump(mode="json"),
            "setup": setup_json(after),
            "seed": forecast.seed,
            "rules_version": version,
            "runs_asked": runs,
        }

    return get_or_create_count(WhatIf, question, fields, runs=runs, actor=actor, visitor=visitor)


def what_if_work(*, what_if: WhatIf) -> Work[Body]:
    """Return how the pairs of battles of a comparison are simulated."""
    before, after, seed = read_setup(what_if.forecast.setup), read_setup(what_if.setup), int(what_if.seed)

    def count(first: int, runs: int) -> Body:
        return compare(before, after, seed, first, runs).to_json()

    def add(total: Body, part: Body) -> tuple[Body, int, bool]:
        more = Comparison.from_json(part)
        comparison = Comparison.from_json(total) + more if total else more
        return comparison.to_json(), comparison.battles, False

    return Work(1, count, add)
