"""The state before a battle's first die: from builds, AI styles, map, mission and house rules."""

from __future__ import annotations

from collections.abc import Sequence

from systems.hex_core.battle import state as c
from systems.hex_core.battle.state import (
    Area,
    Battle,
    Drone,
    Hex,
    Link,
    Object,
    Pair,
    Queue,
    Shot,
    Side,
    State,
    Step,
    Unit,
    Way,
    Weapon,
)
from systems.hex_core.build.drawing import Board
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.catalogue import CATALOGUE, COLUMNS, ROWS
from systems.hex_core.catalogue import Weapon as Kind
from systems.hex_core.options import Options
from systems.spaces.hexes import diagonal_of, hex_beside

DOCTRINES = {"aggressive": c.AGGRESSIVE, "cautious": c.CAUTIOUS}
MISSIONS = {
    "elimination": c.ELIMINATION,
    "retrieval": c.RETRIEVAL,
    "domination": c.DOMINATION,
    "assassination": c.ASSASSINATION,
}
COLOURS = {
    "grey": c.GREY,
    "red": c.RED,
    "green": c.GREEN,
    "tan": c.TAN,
    "black": c.BLACK,
    "white": c.WHITE,
    "light-blue": c.LIGHT_BLUE,
    "dark-blue": c.DARK_BLUE,
}
FORMS = {
    None: c.MECH,
    "terrestrial": c.TERRESTRIAL,
    "aerial": c.AERIAL,
    "aquatic": c.AQUATIC,
    "extraterrestrial": c.EXTRATERRESTRIAL,
}
HANDS = {"right": c.RIGHT, "left": c.LEFT, "both": c.BOTH, "carried": c.CARRIED}
KINDS = {slug: place for place, slug in enumerate(CATALOGUE.weapons)}
PLACED = ("retrieval", "domination")  # missions with Objectives or objects on the map
DP_A_FLOOR = 2
PAIRS = 256  # maximum weapons of one Unit times maximum Units


def state_hexes(board: Board) -> list[Hex]:
    """Return a map's hexes. HX-059, HX-146 to HX-151."""
    return [
        Hex(
            column=at % COLUMNS,
            row=at // COLUMNS,
            diagonal=diagonal_of(at % COLUMNS, at // COLUMNS),
            colour=COLOURS[colour],
            level=level,
            floors=floors,
            dp=DP_A_FLOOR * floors,
            start=sum(1 << side for side, start in enumerate(board.starts) if at in start),
        )
        for at, (colour, level, floors) in enumerate(zip(board.colours, board.levels, board.floors, strict=True))
    ]


def state_unit(spec: MachineSpec, side: int) -> Unit:
    """Return a Unit as it enters the battle."""
    frame = spec.frame
    return Unit(
        side=side,
        cost=spec.cost,
        kind=FORMS[spec.core] if frame.is_vehicle else c.MECH,
        klass=spec.unit_class.number,
        acc=spec.accuracy,
        asl=spec.assault,
        eva=spec.evasion,
        ctr=spec.counter,
        base_ap=spec.base_ap,
        sm=spec.movement,
        tm=spec.thrust,
        weapons=len(spec.weapons),
        primary=c.NOBODY if spec.primary_at is None else spec.primary_at,
        transform=FORMS[spec.transform.form] if spec.transform else c.MECH,
        jump=int("jump" in spec.systems),
        flight=int("flight" in spec.systems),
        swim=int(spec.swims),
        coolant=int("coolant-loop" in spec.mods),
        winter=int("winter-joints" in spec.mods),
        grip=int("reinforced-grip" in spec.mods),
        filters=int("smoke-filters" in spec.mods),
        finder=int("range-finder" in spec.mods),
        marksman=int("marksman" in spec.traits),
        duellist=int("duellist" in spec.traits),
        ironside=int("ironside" in spec.traits),
        wary=int("wary" in spec.traits),
        shield_full=spec.shield.kind.dp if spec.shield else 0,
        shield=spec.shield.kind.dp if spec.shield else 0,
        shield_hand=HANDS[spec.shield.place] if spec.shield else c.NOWHERE,
    )


def state_weapon(kind: Kind, place: int) -> Weapon:
    """Return a weapon in its place."""
    return Weapon(
        place=place,
        melee=int(not kind.is_ranged),
        energy=int(not kind.is_kinetic),
        hands=kind.hands,
        flat=kind.damage,
        range=kind.range,
        ap=kind.ap,
        full=kind.dp,
        dp=kind.dp,
        name=KINDS[kind.slug],
    )


def state_weapons(spec: MachineSpec) -> list[Weapon]:
    """Return a Unit's slots; the last is its unarmed strike. HX-053."""
    weapons = [
        state_weapon(armed.kind, c.MOUNTED + armed.area if armed.is_mounted else HANDS[armed.place])
        for armed in spec.weapons
    ]
    spare = [Weapon() for _ in range(c.UNARMED - len(weapons))]
    fists = Weapon(melee=1, hands=1, flat=c.UNARMED_FLAT, range=1, ap=c.UNARMED_AP, full=1, dp=1)
    return [*weapons, *spare, fists]


def state_drones(spec: MachineSpec, unit: int) -> list[Drone]:
    """Return a Unit's drones, docked. HX-020, HX-022."""
    return [
        Drone(
            unit=unit,
            status=c.DOCKED,
            acc=drone.accuracy or 0,
            asl=drone.assault or 0,
            eva=drone.evasion,
            full=drone.dp,
            dp=drone.dp,
            move=drone.move,
            melee=int(drone.kind == "melee"),
            energy=int(drone.type == "energy"),
            flat=drone.damage,
            range=drone.range,
            ap=drone.ap,
            ai=int(is_clever),
        )
        for drone, is_clever in spec.drone_kinds
    ]


def state_battle(
    forces: Sequence[Sequence[MachineSpec]], mission: str, board: Board, hexes: Sequence[Hex], options: Options
) -> Battle:
    """Return the battle record: sizes, pieces on the map, house rules."""
    covers = (c.GREEN, c.BLACK)
    return Battle(
        count_a=len(forces[0]),
        count_b=len(forces[1]),
        columns=COLUMNS,
        rows=ROWS,
        objects=len(board.objectives) if mission in PLACED else 0,
        mission=MISSIONS[mission],
        has_cover=int(any(each.colour in covers or each.dp for each in hexes)),
        is_plain=int(all(each.colour == c.GREY and not each.dp and not each.level for each in hexes)),
        has_hazards=int(any(each.colour not in (c.GREY, c.RED, *covers) for each in hexes)),
        any_arc=int(options.any_step),
        no_counters=int(not options.counters),
        rolled_areas=int(options.rolls_location),
        freeze_over=int(options.freezes_over),
        score_turns=int(options.scores_turns),
        most_rounds=options.rounds,
    )


def build_state(
    forces: Sequence[Sequence[MachineSpec]],
    doctrines: Sequence[str],
    mission: str,
    board: Board,
    options: Options,
) -> State:
    """Return the state before the first die."""
    specs = [(spec, side) for side, force in enumerate(forces) for spec in force]
    units = [state_unit(spec, side) for spec, side in specs]
    drones: list[Drone] = []
    for at, (spec, _side) in enumerate(specs):
        units[at].first_drone = len(drones)
        units[at].drones = len(spec.drones)
        drones += state_drones(spec, at)
    hexes = state_hexes(board)
    count = len(hexes)
    return State(
        battle=state_battle(forces, mission, board, hexes, options),
        sides=[
            Side(
                doctrine=DOCTRINES[doctrine],
                cost=sum(spec.cost for spec in force),
                dp=sum(spec.total_dp for spec in force),
            )
            for doctrine, force in zip(doctrines, forces, strict=True)
        ],
        units=units,
        areas=[Area(dp, dp) for spec, _side in specs for dp in spec.dp],
        weapons=[weapon for spec, _side in specs for weapon in state_weapons(spec)] + [Weapon()],
        drones=drones or [Drone()],
        hexes=hexes,
        links=[
            Link(hex_beside(each.column, each.row, direction, COLUMNS, ROWS))
            for each in hexes
            for direction in range(6)
        ],
        ways=[Way() for _ in range(count * c.STATES)],
        queues=[Queue() for _ in range(count * c.COSTS)],
        steps=[Step() for _ in range(count * c.STATES)],
        pairs=[Pair() for _ in range(PAIRS)],
        objects=[Object(at) for at in board.objectives] if board.objectives else [Object() for _ in range(c.OBJECTS)],
        shots=[Shot()],
    )
