"""Leagues of Mech Campaign: what breaks ties, the zones of the map, standing forces, and the mechs that the house lends."""

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
    """Scenario of a battle for a zone, and which of the two companies is side A. MC-214.

    Side A does not hold the zone; if nobody does, both roll and the higher one is A.
    """
    scenario = ZONE_SCENARIOS[roll(dice, 6) - 1]
    if holds[0] or holds[1]:
        return ZoneBattle(scenario, 1 if holds[0] else 0)
    while True:
        one, other = roll(dice, 6), roll(dice, 6)
        if one != other:
            return ZoneBattle(scenario, 0 if one > other else 1)


def house_loan(members: Sequence[CompanyMember[UnitSpec]]) -> int:
    """How many light mechs the house lends, so that a legal force can be made of these units with them. MC-208."""
    kinds = [member.spec.kind for member in members]
    return next(count for count in range(SIZE_MAX + 1) if can_field([*kinds, *[LOAN_KIND] * count]))


def standing_force(
    members: Sequence[CompanyMember[UnitSpec]], options: Mapping[str, object], scenario: str | Mapping[str, object] = ""
) -> tuple[int, ...]:
    """Places of the legal force with the most units, then with the most points; the first of each kind. MC-202.

    None if no legal force can be made of them.
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
