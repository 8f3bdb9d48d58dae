"""Any battle of Hex Core: legal machines, any mission, a published or own map, AI styles and house rules."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from systems.hex_core.build import SYSTEM as ROSTERS
from systems.hex_core.build.legality import is_allowed
from systems.hex_core.build.scenario import check_scenario, parse_scenario
from systems.hex_core.catalogue import CATALOGUE
from systems.reading import read_setup
from systems.setups import Setup
from tests.systems.any_battle import AnyBattle, Scratch, some

SIZE = CATALOGUE.squad_sizes["battle"]
HANDY = [weapon.slug for weapon in CATALOGUE.weapons.values() if weapon.hands]
TWO_HANDED = [weapon.slug for weapon in CATALOGUE.weapons.values() if weapon.is_two_handed]
MOUNTABLE = [weapon.slug for weapon in CATALOGUE.weapons.values() if weapon.mountable]
AREAS = {of: [area.slug for area in CATALOGUE.areas.values() if area.of == of] for of in ("mech", "vehicle")}


def armed(weapon: str, place: str) -> dict[str, str]:
    return {"weapon": weapon, "place": place}


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Return a mech's weapons and shields, held and carried. HX-044, HX-046, HX-047.

    Two-handed weapons are in both hands or one.
    """
    weapons, shields = [], []
    main = draw(st.sampled_from([None, *HANDY]))
    if main in TWO_HANDED and draw(st.booleans()):
        weapons.append(armed(main, "both"))
    else:
        if main:
            weapons.append(armed(main, "right"))
        other = draw(st.sampled_from([None, *HANDY, *CATALOGUE.shields]))
        if other in CATALOGUE.shields:
            shields.append({"shield": other, "place": "left"})
        elif other:
            weapons.append(armed(other, "left"))
    weapons += [armed(each, "carried") for each in draw(st.lists(st.sampled_from(HANDY), max_size=2))]
    return weapons, shields


@st.composite
def machines(draw: st.DrawFn, cores: tuple[str, ...], flying: bool = False) -> dict[str, Any]:
    """A legal build. If `flying`, half of the mechs that can have Flight have it. HX-037 to HX-052."""
    core = CATALOGUE.cores[draw(st.sampled_from(cores))]
    areas = AREAS[core.of]
    weapons, shields = ([], []) if core.is_vehicle else draw(hands())
    for area in draw(st.lists(st.sampled_from(areas), unique=True, max_size=3)):
        weapons.append(armed(draw(st.sampled_from(MOUNTABLE)), area))
    armour = {
        area: draw(st.integers(0, base // 2)) for area, base in zip(areas, core.dp, strict=True) if draw(st.booleans())
    }
    drones = draw(st.lists(st.sampled_from(list(CATALOGUE.drones)), max_size=draw(st.sampled_from([0, 0, 4]))))
    build: dict[str, Any] = {
        "core": core.slug,
        "srm": [draw(st.integers(0, 2)) for _ in range(3)],
        "armour": armour,
        "weapons": weapons,
        "shields": shields,
        "drones": drones,
        "royroy": draw(st.integers(0, len(drones))),
        "mods": draw(
            st.lists(
                st.sampled_from(
                    [mod.slug for mod in CATALOGUE.mods.values() if not (mod.mech_only and core.is_vehicle)]
                ),
                unique=True,
                max_size=2,
            )
        ),
        "traits": draw(st.lists(st.sampled_from(list(CATALOGUE.traits)), unique=True, max_size=2)),
    }
    spec = ROSTERS.parse_spec(build)
    systems = [each.slug for each in CATALOGUE.systems.values() if is_allowed(each, spec)]
    chosen = draw(st.lists(st.sampled_from(systems), unique=True, max_size=2)) if systems else []
    if flying and "flight" in systems and draw(st.booleans()):
        chosen = ["flight"]
    build["systems"] = chosen
    if not ROSTERS.check_design(ROSTERS.parse_spec(build)).legal:  # two forms, two kinds of thrusters, a vehicle's jump
        build["systems"] = []
    return build


@st.composite
def squads(draw: st.DrawFn, letter: str, cores: tuple[str, ...], flying: bool = False) -> list[dict[str, Any]]:
    """One to four machines, not all of Class 5, that cost no more than the largest squad. HX-054, HX-169."""
    units: list[dict[str, Any]] = []
    left = SIZE.points
    for place in range(1, draw(st.integers(1, 4)) + 1):
        build = draw(machines(cores, flying))
        spec = ROSTERS.parse_spec(build)
        if spec.cost <= left and (units or spec.unit_class.number < 5):
            units.append({"key": f"{letter}{place}", "design": build})
            left -= spec.cost
    return units or [{"key": f"{letter}1", "design": "trooper"}]


def turned(places: list[tuple[int, ...]]) -> list[list[int]]:
    """Return the hexes and their opposites, each once. HX-057."""
    both = {(each[0], each[1]): each[2:] for each in places}
    both |= {(15 - column, 12 - row): rest for (column, row), rest in both.items()}
    return [[*place, *rest] for place, rest in sorted(both.items())]


@st.composite
def own_maps(draw: st.DrawFn) -> dict[str, Any]:
    """A legal own map: one colour, heights and buildings on its middle rows, coloured hexes among both."""
    rows = st.integers(3, 9)
    columns = st.integers(0, 15)
    colour = draw(st.sampled_from(["green", "black", *(slug for slug in CATALOGUE.terrain if slug != "grey")]))
    coloured = draw(st.lists(st.tuples(columns, rows), max_size=10))
    places = st.tuples(columns, rows)
    if coloured and not CATALOGUE.terrain[colour].level:
        places = st.one_of(places, st.sampled_from(coloured))
    high = draw(st.lists(st.tuples(places, st.integers(1, 2)), max_size=10))
    built = draw(st.lists(st.tuples(places, st.integers(1, 12)), max_size=4))
    return {
        "hexes": {colour: turned(coloured)},
        "levels": turned([(*place, level) for place, level in high]),
        "buildings": turned([(*place, floors) for place, floors in built]),
    }


@st.composite
def hex_core_setups(draw: st.DrawFn) -> Setup:
    """A legal battle."""
    mission = draw(st.sampled_from(list(CATALOGUE.missions)))
    terrain = draw(st.sampled_from([*CATALOGUE.maps, *["own-map"] * len(CATALOGUE.maps)]))
    scenario: Any = mission
    if terrain == "own-map":
        spec = {"mission": mission, "map": draw(own_maps())}
        if check_scenario(parse_scenario(spec)).legal:
            scenario = {"name": "Any map", "spec": spec}
        else:
            terrain = "open-plain"
    cores = tuple(slug for slug in CATALOGUE.cores if slug != "aquatic" or terrain == "coast")
    options = {
        "move-arc": draw(st.sampled_from(["front", "front", "any"])),
        "counter-rolls": draw(st.sampled_from(["on", "off"])),
        "hit-location": draw(st.sampled_from(["called", "rolled", "rolled"])),
        "freeze-roll": draw(st.sampled_from(["at-or-under", "at-or-over"])),
        "domination-scoring": draw(st.sampled_from(["round", "turn"])),
        "squad-size": "battle",
    }
    return read_setup(
        {
            "muster": "setup/1",
            "system": "hex-core",
            "scenario": scenario,
            "terrain": terrain,
            "options": draw(st.sampled_from([{"squad-size": "battle"}, options])),
            "sides": [
                {
                    "name": name,
                    "doctrine": draw(st.sampled_from(["aggressive", "cautious"])),
                    "units": draw(squads(letter, cores, flying=mission == "retrieval")),
                }
                for name, letter in (("Red", "a"), ("Blue", "b"))
            ],
        }
    )


def a_machine(luck: random.Random) -> dict[str, object]:
    core = luck.choice(list(CATALOGUE.cores.values()))
    areas = [area.slug for area in CATALOGUE.areas.values() if area.of == core.of]
    mounted = [{"weapon": each, "place": luck.choice(areas)} for each in some(luck, CATALOGUE.weapons, 2)]
    held = []
    if not core.is_vehicle:
        weapon = luck.choice(list(CATALOGUE.weapons.values()))
        held = [{"weapon": weapon.slug, "place": "both" if weapon.hands == 2 else "right"}]
    return {
        "core": core.slug,
        "armour": {area: luck.randint(0, 3) for area in areas},
        "weapons": held + mounted,
        "drones": some(luck, CATALOGUE.drones, 1),
        "systems": some(luck, CATALOGUE.systems, 1),
        "mods": some(luck, CATALOGUE.mods, 1),
    }


ANY = AnyBattle(
    setups=hex_core_setups(),
    acts=frozenset(
        {
            "turn-began",
            "pool-rolled",
            "break-rolled",
            "got-up",
            "weapon-swapped",
            "unit-transformed",
            "level-changed",
            "pressed-on",
            "thrusters-used",
            "unit-stepped",
            "unit-turned",
            "object-taken",
            "object-secured",
            "drones-recalled",
            "drones-launched",
            "drone-deployed",
            "drone-moved",
            "knelt",
            "attack-rolled",
            "evasion-rolled",
            "counter-rolled",
            "grapple-rolled",
            "throw-rolled",
            "unit-held",
            "offensive-stance",
            "defensive-stance",
        }
    ),
    die=8,
    attacks=frozenset({"attack-rolled"}),
    gone=frozenset({"unit-destroyed", "unit-inoperative"}),
    most_rounds=12,
    compared_battles=3,
    force=("warden", "trooper"),
    build=a_machine,
    silent_in_ledgers=frozenset({"hits_lost"}),
    scratch=(
        Scratch("shots", ("aim_with", "aim_drone")),
        Scratch("battle", ("play_turn",), ("top", "bottom", "left", "right")),
        Scratch("ways", ("play_turn",)),
        Scratch("steps", ("play_turn",)),
        Scratch("pairs", ("play_turn", "list_pairs")),
        Scratch("hexes", ("play_turn",), ("away", "is_goal")),
        Scratch("units", ("play_turn",), ("threat", "evades")),
        Scratch("weapons", ("play_turn",), ("reach", "hit")),
    ),
)
