"""Leagues of Mech Campaign: tie-breakers, the zones of the map, default line-ups, and mechs that the house lends."""

from collections.abc import Mapping, Sequence
from itertools import product

from systems.engine.dice import Dice, roll
from systems.mech_campaign.build.force import SIZE_MAX, SIZE_MIN, ForceUnit, can_field, check_force, scenario_cap
from systems.mech_campaign.build.spec import FIRST_RANK, UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.options import Options
from systems.roster import CompanyMember
from systems.season import ZoneBattle

LOAN_KIND = "light-mech"  # MC-208
LOAN_RANK = FIRST_RANK
TIE_BREAKERS = ("destroyed", "destroyed-count")  # MC-212; after league points, and before the name
# MC-214, by the face of the die
ZONE_SCENARIOS = ("claim-dispute", "claim-dispute", "survey-beacons", "survey-beacons", "sabotage", "sabotage")


def zone_battle(holds: tuple[bool, bool], dice: Dice) -> ZoneBattle:
    """Return the scenario of a battle for a zone, and which of the two companies is side A. MC-214.

    Side A doesn't hold the zone; if neither does, both roll and the higher roll is side A.
    """
    scenario = ZONE_SCENARIOS[roll(dice, 6) - 1]
    if holds[0] or holds[1]:
        return ZoneBattle(scenario, 1 if holds[0] else 0)
    while True:
        one, other = roll(dice, 6), roll(dice, 6)
        if one != other:
            return ZoneBattle(scenario, 0 if one > other else 1)


def house_loan(members: Sequence[CompanyMember[UnitSpec]]) -> int:
    """Return how many light mechs the house must lend so that these units can make a legal force. MC-208."""
    kinds = [member.spec.kind for member in members]
    return next(count for count in range(SIZE_MAX + 1) if can_field([*kinds, *[LOAN_KIND] * count]))


def standing_force(
    members: Sequence[CompanyMember[UnitSpec]], options: Mapping[str, object], scenario: str | Mapping[str, object] = ""
) -> tuple[int, ...]:
    """Return the places of the legal force with the most units, then points; the first of each kind. MC-202.

    Empty if these units can't make a legal force.
    """
    rules = Options.read(options)
    cap = scenario_cap(scenario) or rules.points_cap
    places: dict[str, list[int]] = {slug: [] for slug in CATALOGUE.unit_kinds}
    for place, member in enumerate(members):
        places[member.spec.kind].append(place)
    best: tuple[tuple[int, int], tuple[int, ...]] = ((0, 0), ())
    for counts in product(*(range(min(len(found), SIZE_MAX) + 1) for found in places.values())):
        if not SIZE_MIN <= sum(counts) <= SIZE_MAX:
            continue
        kinds = [slug for slug, count in zip(places, counts, strict=True) for _ in range(count)]
        check = check_force([ForceUnit(kind, kind) for kind in kinds], cap, heavy_limit=rules.heavy_limit)
        if check.legal and (len(kinds), check.points) > best[0]:
            chosen = [place for found, count in zip(places.values(), counts, strict=True) for place in found[:count]]
            best = ((len(kinds), check.points), tuple(sorted(chosen)))
    return best[1]
