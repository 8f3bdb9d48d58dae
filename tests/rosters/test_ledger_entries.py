"""What a game writes into ledgers, for every game that has pilots."""

from __future__ import annotations

import pytest

from rosters.entries.company import Fought
from rosters.ledger.drafts import Aftermath, UnitResult, aftermath_drafts, result_drafts
from rosters.ledger.projection import Projection
from systems import SEASONS, roster_rules
from systems.engine.dice import ScriptedDice
from systems.ledger import ACTIVE, DEAD, CompanyRecord, PilotRecord, UnitRecord
from systems.report_fields import UnitFate
from systems.season import Career, Flight, GameSide, UnitBefore


def flown_design(slug):
    """Return a published design of that game with a pilot, other than a beast that is its own. None if there is none."""
    rules = roster_rules(slug)
    specs = (rules.spec_json(each.spec) for each in rules.published.values())
    return next((spec for spec in specs if rules.needs_pilot(spec)), None)


WITH_PILOTS = [slug for slug in SEASONS if flown_design(slug)]


def test_four_games_with_pilots_are_tested():
    assert len(WITH_PILOTS) >= 4


@pytest.mark.rule("ST-409")
@pytest.mark.parametrize("face", [1, 6])
@pytest.mark.parametrize("slug", WITH_PILOTS)
def test_last_battle_of_a_dead_pilot_counts(slug, face):
    rules, spec = roster_rules(slug), flown_design(slug)
    level = next(iter(rules.level_names))
    fate = UnitFate({"destroyed": True, "kills": 1, "fate": "killed" if face == 1 else "unhurt"})
    record = CompanyRecord(
        units={7: UnitRecord(id=7, name="Ghost", design_name="", spec=spec, paid=0, pilot=8)},
        pilots={8: PilotRecord(id=8, name="Ada", callsign="", experience=level, games=4, kills=2)},
    )
    side = GameSide(
        result="lost",
        flights=(
            Flight(key="8", before=Career(level=level, games=4, kills=2), spec=rules.parse_spec(spec), fate=fate),
        ),
        units=(UnitBefore(key="7", spec=rules.parse_spec(spec), lost=True, pilot="8", fate=fate),),
    )
    after = SEASONS[slug].aftermath([side], ScriptedDice([face] * 9), standing=True)[0]
    assert after.flights[0].is_dead is (face == 1)
    drafts = result_drafts(record, [UnitResult(unit=7, pilot=8, fate=fate)], rules=rules)
    drafts += aftermath_drafts(
        _with(record, drafts), Aftermath(before=side, after=after, took_part=(8,), seed=1, facts={}), rules=rules
    )
    assert [draft.kind for draft in drafts].count(Fought.slug) == 1
    pilot = _with(record, drafts).pilots[8]
    assert (pilot.status, pilot.games, pilot.kills) == (DEAD if face == 1 else ACTIVE, 5, 3)


def _with(record, drafts):
    projection = Projection(record)
    for number, draft in enumerate(drafts, start=10**15):
        projection.take(draft.posted(number))
    return projection.record()
