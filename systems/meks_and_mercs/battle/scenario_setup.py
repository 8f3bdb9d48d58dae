"""Reading a scenario's set-up into the state before the first turn. MM-010 to MM-014, MM-087, MM-D66.

The dice for a rich uncle's points are rolled before the side buys Meks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from systems.documents import DocumentError, unknown_slug
from systems.engine.dice import Dice, roll
from systems.legality import Check, join_words
from systems.meks_and_mercs.battle import state as codes
from systems.meks_and_mercs.battle.ai_fire import reckon
from systems.meks_and_mercs.battle.orders import OBJECTIVES, Placement, apply_side_orders, placements
from systems.meks_and_mercs.battle.setup import DOCTRINES, PRINTED, ROLL, field_units, require_scenario, support_rolls
from systems.meks_and_mercs.battle.state import (
    Battle,
    Firing,
    Fitting,
    Pair,
    Roll,
    Salvo,
    Shot,
    Side,
    Sight,
    State,
    Unit,
    Weapon,
    Zone,
)
from systems.meks_and_mercs.battle.units import (
    FieldedUnit,
    apply_movement_order,
    state_fittings,
    state_unit,
    state_weapons,
)
from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.build.datasheet_lines import Condition
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE, SupportUnit, Terrain
from systems.meks_and_mercs.options import Options
from systems.orders import orders_of
from systems.roster import CompanyMember
from systems.setups import Setup

RICH_UNCLE = "rich-uncle"


def uncle_points(setup: Setup, at: int, options: Options) -> int:
    """Return the points that the dice in the document add to the scenario's. Raises DocumentError.

    A standing company's uncle pays into its bank after the game, so no die is rolled beforehand (MM-S07).
    """
    side = setup.sides[at]
    path = f"sides[{at}].rolled"
    for slug in side.rolled:
        if slug != RICH_UNCLE:
            raise DocumentError(f"{path}.{slug[:40]}", "only a rich-uncle rolls before the set-up (MM-087)")
    faces = side.rolled.get(RICH_UNCLE, ())
    if faces and options.pays_from_bank:
        raise DocumentError(path, "a standing company's uncle pays its bank, by a die after the game (MM-S07)")
    uncles = side.support.count(RICH_UNCLE)
    if len(faces) > uncles:
        raise DocumentError(path, f"{len(faces)} dice of rich uncles, but {uncles} of them among the support (MM-087)")
    return sum(faces)


def roll_for_uncles(support: Sequence[str], options: Options, dice: Dice) -> dict[str, tuple[int, ...]]:
    """Roll a die for each rich uncle among these results, before the side buys its Meks. MM-087, MM-D66."""
    uncles = 0 if options.pays_from_bank else list(support).count(RICH_UNCLE)
    return {RICH_UNCLE: tuple(roll(dice, 6) for _ in range(uncles))} if uncles else {}


def has_unrolled_uncle(setup: Setup, at: int) -> bool:
    """Return whether a side has a rich uncle whose die isn't in the document."""
    side = setup.sides[at]
    return side.support.count(RICH_UNCLE) > len(side.rolled.get(RICH_UNCLE, ()))


RANDOM_TERRAIN = ("plain", "wood", "urban", "highlands", "moors")  # MM-D72, by die face
SUPPORT_COUNTS = {
    "ambush": "ambushes",
    "battle-damage": "battle_damages",
    "surprise": "surprises",
    "support-fire": "support_fires",
    "air-strike": "air_strikes",
    "minefield": "minefields",
    "hidden-mek": "hidden_meks",
    "recon-drone": "drones",
    "repair-truck": "trucks",
    "digging-in": "diggings",
}
STOCK_UNITS = tuple(
    result.unit for result in sorted(CATALOGUE.support.values(), key=lambda result: result.face) if result.unit
)
SIDE_NAMES = ("attacker", "defender")
UNCLE_HINT = ' The Rich Uncle adds one die: sides[{at}].rolled = {{"rich-uncle": [1 to 6]}} (MM-087).'


def check_game(setup: Setup) -> None:
    """Raise DocumentError, naming field and rule, if the scenario can't be played with this set-up."""
    scenario = require_scenario(setup)
    if setup.terrain != PRINTED:
        if setup.terrain not in CATALOGUE.terrain:
            raise unknown_slug("terrain", "terrain", setup.terrain, [PRINTED, *CATALOGUE.terrain])
        if "terrain" not in scenario.ours:
            raise DocumentError("terrain", f'{scenario.name} prints its terrain; say "{PRINTED}"')
    options = dict(ROSTERS.parse_options(setup.options, "options"))
    units = field_units(setup)
    for at, side in enumerate(setup.sides):
        if side.doctrine not in DOCTRINES:
            raise unknown_slug(f"sides[{at}].doctrine", "doctrine", side.doctrine, DOCTRINES)
        own = [fielded for fielded in units if fielded.side == at and not fielded.role]
        _check_support(setup, at, own)
        _check_company(setup, at, own, options)


def _check_support(setup: Setup, at: int, own: Sequence[FieldedUnit]) -> None:
    """Raise DocumentError for unknown or too many support results. MM-014, MM-075."""
    scenario = require_scenario(setup)
    support = setup.sides[at].support
    for place, slug in enumerate(support):
        if slug != ROLL and slug not in CATALOGUE.support:
            raise unknown_slug(f"sides[{at}].support[{place}]", "support result", slug, [ROLL, *CATALOGUE.support])
    printed = getattr(scenario, SIDE_NAMES[at]).support_rolls
    allowed = support_rolls(printed, [fielded.pilot for fielded in own])
    if len(support) > allowed:
        twice = [CATALOGUE.support[slug].name for slug, count in Counter(support).items() if count > 1 and slug != ROLL]
        used = f" ({join_words(twice)} more than once)" if twice else ""
        raise DocumentError(
            f"sides[{at}].support",
            f"{len(support)} support results{used}; {scenario.name} gives this side {printed}, "
            f"and each Log Hero one more: {allowed} (MM-014, MM-075)",
        )


def _check_company(setup: Setup, at: int, own: Sequence[FieldedUnit], options: Mapping[str, object]) -> None:
    """Raise DocumentError if a side's Meks aren't legal in the scenario. MM-010, MM-011, MM-088."""
    members: list[CompanyMember[MekSpec]] = []
    for place, fielded in enumerate(own):
        if fielded.spec is None:
            raise DocumentError(
                f"sides[{at}].units[{place}].design", f"{fielded.name}: support units come by support results (MM-088)"
            )
        members.append(CompanyMember(fielded.name, fielded.spec, fielded.pilot, fielded.is_new_pilot))
    extra = uncle_points(setup, at, Options.read(options))
    check = company_check(setup.scenario, at, members, options, extra)
    if check.problems:
        problem = check.problems[0]
        where = problem.place.replace("members", "units")
        hint = UNCLE_HINT.format(at=at) if problem.place == "members" and has_unrolled_uncle(setup, at) else ""
        raise DocumentError(f"sides[{at}].{where}", f"illegal ({problem.rule}): {problem.message}{hint}")


def company_check(
    scenario: str | Mapping[str, object],
    at: int,
    members: Sequence[CompanyMember[MekSpec]],
    options: Mapping[str, object],
    extra: int = 0,
) -> Check:
    """Return points and all problems of a side's Meks in the scenario. MM-010, MM-011.

    `extra` are points paid by a rich uncle.
    """
    return ROSTERS.check_company(scenario, members, options, side=SIDE_NAMES[at], extra_points=extra)


def map_zones(setup: Setup) -> list[Zone]:
    """Return the zones of the map: 0 for off the map, 1 to 9, then one of each terrain for random terrain."""
    scenario = require_scenario(setup)
    slugs = scenario.terrain if setup.terrain == PRINTED else (setup.terrain,) * codes.LAST_ZONE
    return [_zone(CATALOGUE.terrain[slug]) for slug in ("plain", *slugs, *RANDOM_TERRAIN)]


def _zone(terrain: Terrain) -> Zone:
    return Zone(movement=terrain.movement, to_hit=terrain.to_hit, heat=terrain.heat_rating)


def has_random_terrain(setup: Setup) -> bool:
    """Return True if the terrain is rolled before set-up. MM-D72.

    This needs the house rule, and terrain that is neither printed nor chosen.
    """
    scenario = require_scenario(setup)
    return Options.read(setup.options).random_terrain and "terrain" in scenario.ours and setup.terrain == PRINTED


def _extra_rows(setup: Setup) -> tuple[list[Unit], list[Weapon], list[Fitting]]:
    """Return the rows after the units: off-board guns, mines, and one of each unit in support table C."""
    howitzer = SupportUnit(
        slug="off-board",
        name="off-board",
        hits=1,
        armor=0,
        movement_dice=0,
        worth=0,
        weapons=("howitzer-cannon", "missile"),
    )
    mines = SupportUnit(slug="mines", name="mines", hits=1, armor=0, movement_dice=0, worth=0)
    kinds = [howitzer, mines, *(CATALOGUE.support_units[slug] for slug in STOCK_UNITS)]
    model = setup.sides[0].units[0]
    pilot = ROSTERS.parse_pilot(None)
    rows = [FieldedUnit(model, codes.NOBODY, kind.name, None, kind, pilot, Condition()) for kind in kinds]
    units = [state_unit(row, setup) for row in rows]
    for unit in units:
        unit.present = 0
    return (
        units,
        [weapon for row in rows for weapon in state_weapons(row)],
        [fitting for row in rows for fitting in state_fittings(row)],
    )


def prepare_game(setup: Setup) -> State:
    """Return the state before the set-up dice and the first turn."""
    scenario = require_scenario(setup)
    fielded = field_units(setup)
    starts = placements(setup)
    attackers = sum(unit.side == codes.ATTACKER for unit in fielded)
    count = len(fielded)
    rows, row_weapons, row_fittings = _extra_rows(setup)
    rolls = _rolls(fielded)
    options = Options.read(setup.options)
    arrival = scenario.attacker.arrival
    battle = Battle(
        attackers=attackers,
        defenders=count - attackers,
        phalanxes=sum(unit.systems.count("phalanx") for unit in fielded if unit.role != "decoy"),
        natural_rolls=int(options.natural_rolls),
        attacker_doctrine=_doctrine(setup, 0),
        defender_doctrine=_doctrine(setup, 1),
        defender_must_attack=int(scenario.objective == "last-standing"),
        objective=OBJECTIVES[scenario.objective],
        turn_limit=scenario.turn_limit,
        key_zone=scenario.key_zone,
        exits=sum(1 << zone for zone in scenario.exit_zones),
        phase_rounds=options.tzc_rounds,
        diagonal=int(options.diagonal_moves),
        random_terrain=int(has_random_terrain(setup)),
        arrival_low=arrival.zones[0] if arrival else 0,
        arrival_high=arrival.zones[-1] if arrival else 0,
        starting_meks=len(setup.sides[0].units),
        rolls=len(rolls),
    )
    state = State(
        battle=battle,
        sides=[_side(setup, at, fielded, starts) for at in range(2)],
        rolls=rolls or [Roll()],
        zones=map_zones(setup),
        units=[_placed_unit(unit, post, setup) for unit, post in zip(fielded, starts, strict=True)] + rows,
        weapons=[weapon for unit in fielded for weapon in state_weapons(unit)] + row_weapons,
        fittings=[fitting for unit in fielded for fitting in state_fittings(unit)] + row_fittings,
        pairs=[Pair() for _ in range(attackers * (count - attackers))],
        sights=[Sight() for _ in range((count + 1) * count)],
        salvos=[Salvo() for _ in range(3 * count**2)],
        firings=[Firing() for _ in range(count * (codes.WEAPON_SLOTS + 1))],
        shots=[Shot() for _ in range(count * codes.SHOTS_PER_UNIT + 4)],
    )
    battle.ordered_until = int(any(unit.ordered_until for unit in state.units))
    _load_cargo(state, fielded)
    reckon(state)
    return state


def _doctrine(setup: Setup, at: int) -> int:
    return codes.CAUTIOUS if setup.sides[at].doctrine == "cautious" else codes.AGGRESSIVE


def _rolls(fielded: Sequence[FieldedUnit]) -> list[Roll]:
    """Return one record per support roll, side A's first, with the units held ready for it. MM-A01."""
    rolls: list[Roll] = []
    for at in range(2):
        by_role = {
            role: [i for i, unit in enumerate(fielded) if unit.side == at and unit.roll >= 0 and unit.role == role]
            for role in ("support", "decoy", "landing")
        }
        for vehicle, decoy, landing in zip(*by_role.values(), strict=True):
            rolls.append(Roll(side=at, vehicle=vehicle, decoy=decoy, landing=landing))
    return rolls


def _side(setup: Setup, at: int, fielded: Sequence[FieldedUnit], starts: Sequence[Placement]) -> Side:
    """Return a side's support results, and the start zones of its support units and mines (ledger 6.7, 6.9)."""
    scenario = require_scenario(setup)
    side = Side()
    for slug in setup.sides[at].support:
        name = SUPPORT_COUNTS.get(slug)
        if name is not None:
            setattr(side, name, getattr(side, name) + 1)
    own = [post for unit, post in zip(fielded, starts, strict=True) if unit.side == at and not unit.role]
    lead = own[0]
    if at == codes.DEFENDER:
        lead = next((post for post in own if post.zone == scenario.key_zone), lead)
        side.mine_zone = scenario.key_zone
    else:
        arrival = scenario.attacker.arrival
        side.mine_zone = arrival.zones[0] if arrival else lead.zone
    places = {unit.unit.key: place for place, unit in enumerate(fielded) if unit.side == at and not unit.role}
    apply_side_orders(side, setup.sides[at].orders, places)
    side.support_zone, side.support_order, side.support_goal = lead.zone, lead.order, lead.goal
    return side


def _placed_unit(fielded: FieldedUnit, post: Placement, setup: Setup) -> Unit:
    unit = state_unit(fielded, setup)
    unit.zone = unit.start_zone = post.zone
    unit.order, unit.goal = post.order, post.goal
    if not fielded.role:
        apply_movement_order(unit, orders_of(setup.sides[fielded.side], fielded.unit))
    if fielded.role == "decoy":
        unit.decoy = 1
        unit.skills = 0
        unit.systems &= ~(codes.PHALANX | codes.DATA_LINK)  # it only looks like one
    if fielded.role in ("support", "decoy"):
        unit.present = 0
        unit.off = codes.RESERVE if fielded.roll >= 0 else codes.GAINED
    elif fielded.role == "landing":
        unit.present = 0
        unit.off = codes.RESERVE
    elif post.zone == codes.OFF_MAP:
        unit.present = 0
        unit.off = codes.WAITING
    return unit


def _load_cargo(state: State, fielded: Sequence[FieldedUnit]) -> None:
    """Put the given APCs' infantry aboard, in order. MM-089."""
    for at in range(2):
        carriers = [i for i, unit in enumerate(fielded) if unit.side == at and unit.chassis == "apc"]
        loads = [i for i, unit in enumerate(fielded) if unit.side == at and unit.role == "landing" and unit.roll < 0]
        for carrier, load in zip(carriers, loads, strict=True):
            state.units[carrier].cargo = load + 1


def support_unit_of(result: int) -> SupportUnit:
    """Return the unit that a result in support table C brings."""
    return CATALOGUE.support_units[STOCK_UNITS[result - codes.GUN_SLED]]
