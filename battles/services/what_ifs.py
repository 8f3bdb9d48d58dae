"""The effect of one change: asked for beside a forecast, simulated on the same dice by a worker."""

from collections.abc import Mapping

from django.db import transaction

from battles.models import Body, Forecast, WhatIf
from battles.odds.what_if import Change, apply_change, describe_change
from battles.services.forecasts import check_runs, get_or_create_count, question_hash, touch_asked_at
from battles.services.shares import Work
from rosters.models import Player
from systems import battle_rules
from systems.documents import parse_document
from systems.reading import read_setup
from systems.setups import setup_hash, setup_json
from systems.simulation.odds import Comparison, compare


@transaction.atomic
def what_if_ask(
    *,
    forecast: Forecast,
    change: bytes | str | Mapping[str, object],
    runs: int,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[WhatIf, bool]:
    """Ask what this change does to the odds over that number of battles; return the comparison and whether it is new."""
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
        counted = Comparison.from_json(total) + more if total else more
        return counted.to_json(), counted.battles, False

    return Work(1, count, add)
