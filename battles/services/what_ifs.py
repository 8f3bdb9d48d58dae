"""What one change would do: asked beside a forecast, counted on the same dice by a worker."""

import time
from collections.abc import Mapping

from django.db import IntegrityError, transaction

from battles.choices import level_choices, skill_choices
from battles.documents import read_setup, setup_hash, setup_json
from battles.engine.odds import Comparison, compare
from battles.models import Forecast, WhatIf
from battles.services import limits
from battles.services.forecasts import (
    FIRST_CHUNK,
    SLICE_SECONDS,
    asked_again,
    next_chunk,
    question_hash,
    rules_stand,
    send,
)
from battles.systems import get_system
from battles.what_if import Change, changed, told
from rosters.documents import DocumentError, parse_document
from rosters.models import Player


@transaction.atomic
def what_if_ask(
    *,
    forecast: Forecast,
    change: bytes | str | Mapping[str, object],
    runs: int,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[WhatIf, bool]:
    """What this change does to the odds over that many battles, and whether the question is new."""
    wanted = parse_document(Change, change, "change")
    before = read_setup(forecast.setup)
    after = changed(before, wanted)
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise DocumentError("battles", "must be a whole number, 1 or more")
    version = get_system(before.system).rules_version
    question = question_hash("what-if", forecast.question, setup_hash(after), runs, version)
    known = WhatIf.objects.filter(question=question).first()
    if known is not None:
        asked_again(known, runs=runs, actor=actor, visitor=visitor)
        return known, False
    limits.forecast_allowed(runs=runs, actor=actor, visitor=visitor)
    names = dict(level_choices(before.system) + skill_choices(before.system))
    try:
        with transaction.atomic():
            what_if = WhatIf.objects.create(
                question=question,
                forecast=forecast,
                system=before.system,
                title=told(before, wanted, names)[:140],
                change=wanted.model_dump(mode="json"),
                setup=setup_json(after),
                seed=forecast.seed,
                rules_version=version,
                runs_asked=runs,
                asked_by=actor,
                asked_from="" if actor else visitor,
            )
    except IntegrityError:  # somebody else asked the same at the same time
        return WhatIf.objects.get(question=question), False
    send(what_if)
    return what_if, True


def what_if_count(*, what_if: WhatIf, slice_seconds: float = SLICE_SECONDS) -> bool:
    """Counts on from where a claimed comparison stands, for a slice of time; True if it went back into the queue."""
    if not rules_stand(what_if):
        return False
    before, after, seed = read_setup(what_if.forecast.setup), read_setup(what_if.setup), int(what_if.seed)
    done, seconds = what_if.runs_done, what_if.seconds
    total = Comparison.from_json(what_if.counts) if done else None
    chunk = FIRST_CHUNK
    slice_ends = time.monotonic() + slice_seconds
    while done < what_if.runs_asked:
        count = min(chunk, what_if.runs_asked - done)
        began = time.perf_counter()
        part = compare(before, after, seed, done, count)
        took = time.perf_counter() - began
        total = part if total is None else total + part
        done, seconds = done + count, seconds + took
        progress = {"runs_done": done, "counts": total.to_json(), "seconds": seconds}
        if done >= what_if.runs_asked:
            what_if.finish(**progress)
            return False
        if time.monotonic() >= slice_ends:
            return what_if.release(**progress)
        if not what_if.renew(**progress, tries=0):
            return False
        chunk = next_chunk(count, took)
    what_if.finish()
    return False
