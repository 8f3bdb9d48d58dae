"""Check the site's rows and files after the load has stopped. Runs in the site's environment.

python -m tests.kills.checks open          prints how many jobs wait or run
python -m tests.kills.checks check FILE    FILE contains the acts as JSON; prints figures and problems
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import django

from rosters.entries.units_and_pilots import Bought, Sold

MAX_BATTLES, MAX_FORECASTS = 300, 100  # to simulate again


def open_jobs() -> dict[str, int]:
    """Count unfinished jobs by kind, prints without pictures, and due rounds that are still open."""
    from django.utils import timezone

    from campaigns.models import Round, RoundState
    from rosters import hooks
    from rosters.jobs import JobStatus
    from rosters.models import PrintJob

    waiting = (JobStatus.QUEUED, JobStatus.RUNNING)
    found = {kind.__name__: kind._default_manager.filter(status__in=waiting).count() for kind, _ in hooks.jobs}
    found["pictures"] = PrintJob.objects.filter(status=JobStatus.DONE, previews=None).count()
    found["rounds"] = Round.objects.filter(state=RoundState.OPEN, deadline__lte=timezone.now()).count()
    return {what: count for what, count in found.items() if count}


def check(acts: list[dict[str, Any]]) -> dict[str, Any]:
    figures: Counter[str] = Counter()
    wrong: list[str] = []
    for find in (_acts(acts, figures), _jobs(figures), _rounds(figures), _left_behind(figures), _reconciled()):
        wrong += find
    return {"figures": dict(sorted(figures.items())), "wrong": wrong}


def _acts(acts: list[dict[str, Any]], figures: Counter[str]) -> Iterator[str]:
    """Check that each successful act is stored once, each unanswered one at most once, and no refused one."""
    from battles.models import Battle, Forecast
    from rosters.models import LedgerEntry, PrintJob

    stored: dict[str, Counter[str]] = {
        "bought": Counter(LedgerEntry.objects.filter(kind=Bought.slug).values_list("unit__name", flat=True)),
        "sold": Counter(map(str, LedgerEntry.objects.filter(kind=Sold.slug).values_list("unit_id", flat=True))),
        "battle": Counter(battle.setup["sides"][0]["name"] for battle in Battle.objects.filter(match=None)),
        "forecast": Counter(row.setup["sides"][0]["name"] for row in Forecast.objects.all()),
        "print": Counter(PrintJob.objects.values_list("title", flat=True)),
    }
    for act in acts:
        kind, mark, status = act["kind"], act["mark"], act["status"]
        count = stored[kind][mark]
        answered = status is not None and status < 300
        figures[f"{kind}: {'answered' if answered else 'refused' if status and status < 500 else 'not answered'}"] += 1
        if answered and count != 1:
            yield f"{kind} {mark}: answered with {status}, stored {count} times"
        elif not answered and count > 1:
            yield f"{kind} {mark}: not answered ({status}), stored {count} times"
        elif status is not None and 400 <= status < 500 and count:
            yield f"{kind} {mark}: refused with {status}, but stored"
        if status is None or status >= 500:
            figures[f"{kind}: not answered, stored"] += count


def _jobs(figures: Counter[str]) -> Iterator[str]:
    """Check that every job is done, and that sampled battles and odds are right."""
    from battles.models import Battle, Forecast
    from rosters import hooks
    from rosters.jobs import JobStatus
    from systems.reading import read_setup
    from systems.simulation.odds import tally
    from systems.simulation.records import verify

    for kind, _ in hooks.jobs:
        figures[f"{kind.__name__}: done"] = kind._default_manager.filter(status=JobStatus.DONE).count()
        for blips in kind._default_manager.filter(blips__gt=0).values_list("blips", flat=True):
            figures["blips outlived"] += blips
        for job in kind._default_manager.exclude(status=JobStatus.DONE):
            yield f"{kind.__name__} {job.pk} is {job.status} after {job.tries} tries, {job.blips} blips: {job.failure}"
    for battle in Battle.objects.filter(status=JobStatus.DONE).select_related("record").order_by("?")[:MAX_BATTLES]:
        figures["battles simulated again"] += 1
        if verify(battle.record.text) is not None:
            yield f"battle {battle.pk}, simulated again, has another result"
    for row in Forecast.objects.filter(status=JobStatus.DONE).order_by("?")[:MAX_FORECASTS]:
        figures["odds calculated again"] += 1
        if row.counts != tally(read_setup(row.setup), int(row.seed), 0, row.runs_done).to_json():
            yield f"odds {row.pk}, calculated again, differ"
        if row.runs_done != row.runs_asked:
            yield f"odds {row.pk}: {row.runs_done} of {row.runs_asked} battles"


def _rounds(figures: Counter[str]) -> Iterator[str]:
    """Check that every due round is closed, with all matches simulated and one edition of its gazette."""
    from django.utils import timezone

    from campaigns.models import Match, MatchState, Round, RoundState

    for row in Round.objects.filter(deadline__lte=timezone.now()):
        figures["rounds closed"] += 1
        if row.state != RoundState.CLOSED:
            yield f"{row} is {row.state}"
        if row.gazettes.count() != 1:
            yield f"{row} has {row.gazettes.count()} gazettes"
    for match in Match.objects.filter(round__state=RoundState.CLOSED):
        figures["matches simulated"] += 1
        if match.state != MatchState.AUTO_RESOLVED or match.battle is None:
            yield f"{match} of {match.round} is {match.state}"


def _left_behind(figures: Counter[str]) -> Iterator[str]:
    """Check for rows left by finished jobs, files that no row names, and prints without file or pictures."""
    from django.conf import settings
    from django.core.management import call_command

    from battles.models import Chunk
    from rosters import hooks
    from rosters.jobs import JobStatus
    from rosters.models import PrintBatch, PrintJob

    root = Path(settings.MEDIA_ROOT)

    def names() -> set[str]:
        return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}

    def orphans() -> set[str]:
        return names() - set().union(*(find(names()) for find in hooks.files))

    for kind in (PrintBatch, Chunk):
        if count := kind.objects.count():
            yield f"{count} rows of {kind.__name__} are left"
    figures["unfinished files before clear_old"] = len(orphans())
    whole = [name for name in orphans() if not name.endswith(".part")]
    if whole:
        yield f"files that no row names: {', '.join(sorted(whole)[:5])} ({len(whole)})"
    call_command("clear_old", "--unnamed-for", "0", stdout=io.StringIO())
    if left := orphans():
        yield f"clear_old leaves {len(left)} files that no row names"
    for job in PrintJob.objects.filter(status=JobStatus.DONE):
        wanted = [job.file.name, *(job.preview_name(at + 1) for at in range(job.previews or 0))]
        if not job.previews or any(not (root / str(name)).exists() for name in wanted):
            yield f"print {job.pk} lacks its file or pictures ({job.previews})"


def _reconciled() -> Iterator[str]:
    from django.core.management import CommandError, call_command

    output = io.StringIO()
    with suppress(CommandError):
        call_command("reconcile", stdout=output)
    *differences, _ = output.getvalue().splitlines() or [""]
    if "rows and ledger agree" not in output.getvalue():
        yield f"reconcile: {output.getvalue()[-1000:]}"
    yield from differences


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    result = open_jobs() if sys.argv[1] == "open" else check(json.loads(Path(sys.argv[2]).read_text()))
    print(json.dumps(result))
