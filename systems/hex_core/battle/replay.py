"""Replays and live tables: opening position, steps, the map, the luck of the dice, the number an attack needs.

Luck compares dice rolled against a needed number with their chance of success. The numbers for live tables are
calculated by the rules that battles use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.hex_core.battle import events, setup
from systems.hex_core.battle import state as c
from systems.hex_core.battle import state as codes
from systems.hex_core.battle.effects import MachineView
from systems.hex_core.battle.events import STEPS
from systems.hex_core.battle.rules import can_strike_unarmed, is_usable, penalty_of, range_at, weapon_of
from systems.hex_core.battle.rules.attacks import aim_at_unit, aim_with, evade_faces, hit_faces, resolve_shot
from systems.hex_core.battle.setup import FieldedUnit, drone_names, field_units, setup_board, weapon_names
from systems.hex_core.battle.state import State
from systems.hex_core.build.datasheet import describe_place
from systems.hex_core.build.drawing import TERRAIN
from systems.hex_core.catalogue import COLUMNS
from systems.setups import Setup, once_a_setup
from systems.shots import Marks, Shot, ShotQuestion, ShotTerms
from systems.spaces.hex_map import HexAim, HexGround, HexSpace, HexSpot
from systems.text import pluralize


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all Units, before they are set up."""
    units = field_units(setup)
    weapons, drones = weapon_names(units), drone_names(units)
    return Situation(
        tuple(
            MachineView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.core,
                hits=fielded.spec.total_dp,
                max_hits=fielded.spec.total_dp,
                place="not on the map yet",
                is_vehicle=fielded.spec.is_vehicle,
                dp=fielded.spec.dp,
                full=fielded.spec.dp,
                shield=fielded.spec.shield.kind.dp if fielded.spec.shield else 0,
                shield_full=fielded.spec.shield.kind.dp if fielded.spec.shield else 0,
                carried=weapons[fielded.unit.key],
                drones=drones[fielded.unit.key],
            )
            for fielded in units
        )
    )


def chapters(names: Mapping[str, str]) -> Callable[[Event], Chapter]:
    """Divide the record into set-up and, turn by turn, movement and actions."""
    here = Chapter("Set-up")

    def chapter(event: Event) -> Chapter:
        nonlocal here
        if event.kind == "turn-began":
            here = Chapter(f"Turn {event.number('turn')}: {names[event.unit or '']}")
        elif event.step in ("movement", "action"):
            here = Chapter(here.phase, "Movement" if event.step == "movement" else "Actions")
        elif event.step in ("start", "end-phase", "end"):
            here = Chapter(STEPS[event.step])
        return here

    return chapter


COMMAND_EVENTS = frozenset({
    "got-up", "weapon-swapped", "weapon-stowed", "weapon-retrieved", "unit-transformed", "pressed-on", "drones-recalled", "drones-launched",
    "drones-repositioned", "knelt", "went-prone", "defensive-stance", "object-taken", "break-rolled",
})  # fmt: skip
SCORED_PIECES = {"retrieval": "Object", "domination": "Objective"}  # pieces on the map


class HexCoreMap(HexSpace):
    """The map of 16 by 13 hexes."""

    def ground(self, setup: Setup) -> HexGround:
        ground = setup_board(setup).ground
        if mission_of(setup) not in SCORED_PIECES:
            return replace(ground, spots=())
        word = SCORED_PIECES[mission_of(setup)]
        spots = tuple(replace(spot, name=f"{word} {spot.letter}") for spot in ground.spots)
        return replace(ground, points=(0, 0), spots=spots, spot_word=word)

    def follow(self, ground: HexGround, event: Event) -> HexGround:
        if event.kind == "building-destroyed":
            at = event.number("at")
            cells = list(ground.cells)
            cells[at] = replace(cells[at], terrain=TERRAIN["black"], floors=0, top=0)
            return replace(ground, cells=tuple(cells))
        if event.kind == "objective-placed":
            return replace(ground, spots=(*ground.spots, new_spot(event, ground.spot_word)))
        if event.kind == "objective-held":
            return held(ground, event)
        if event.kind in ("object-taken", "object-dropped", "object-secured"):
            return carried(ground, event)
        return ground

    def aim(self, event: Event) -> HexAim | None:
        """Return attacker, target and success of an attack. HX-084, HX-150."""
        if event.kind == "building-attacked":
            at = event.number("at")
            return HexAim(event.unit or "", None, True, "hit", at % COLUMNS, at // COLUMNS)
        if event.kind == "attack-rolled":
            made = bool(event.result["made"])
            return HexAim(event.unit or "", event.target or "", made, "on target" if made else "missed")
        if event.kind == "counter-rolled":
            made = bool(event.result["made"])
            return HexAim(event.unit or "", event.target or "", made, "counter" if made else "counter missed")
        return None

    def points_given(self, event: Event) -> tuple[str, int] | None:
        """Return the unit and the AP that it rolled, if the event is this roll. HX-061."""
        return (event.unit or "", event.number("pool")) if event.kind == "pool-rolled" else None

    def points_spent(self, event: Event) -> int:
        """Return an event's cost in AP. HX-082, HX-098, HX-107, HX-121."""
        if event.kind in COMMAND_EVENTS:
            return codes.COMMAND
        return event.number("paid") if "paid" in event.result else 0


def mission_of(setup: Setup) -> str:
    """Return the slug of the mission."""
    if isinstance(setup.scenario, str):
        return setup.scenario
    spec = setup.scenario.get("spec")
    return str(spec.get("mission", "")) if isinstance(spec, dict) else ""


def new_spot(event: Event, word: str) -> HexSpot:
    """Return an Objective or object in the hex where it is placed."""
    at, number = event.number("at"), event.number("object") + 1
    return HexSpot(f"{word} {number}", str(number), at % COLUMNS, at // COLUMNS)


def held(ground: HexGround, event: Event) -> HexGround:
    """Give a side an Objective, with the side's new score. HX-167."""
    side, at = event.number("side"), event.number("object")
    spots = tuple(replace(spot, side=side) if place == at else spot for place, spot in enumerate(ground.spots))
    points = list(ground.points or (0, 0))
    points[side] = event.number("points")
    return replace(ground, spots=spots, points=(points[0], points[1]))


def carried(ground: HexGround, event: Event) -> HexGround:
    """Move an object that is picked up, dropped or secured. HX-165."""
    at = event.number("object")
    spot = ground.spots[at]
    if event.kind == "object-taken":
        spot = replace(spot, is_away=True, state="carried")
    elif event.kind == "object-dropped":
        column, row = event.number("at") % COLUMNS, event.number("at") // COLUMNS
        spot = replace(spot, is_away=False, state="", column=column, row=row)
    else:
        spot = replace(spot, is_away=True, state="brought home")
    return replace(ground, spots=tuple(spot if place == at else each for place, each in enumerate(ground.spots)))


TRIALS = {
    "attack-rolled": "hit",
    "evasion-rolled": "evade",
    "counter-rolled": "counter",
    "critical-rolled": "critical",
}


def trial_of(event: Event) -> Trial | None:
    """Return the die of an attack, an evasion, a Counter Roll or a Critical Roll. HX-084, HX-087, HX-089, HX-092."""
    if event.kind not in TRIALS:
        return None
    if event.kind == "critical-rolled":
        good = 1
    elif event.kind == "attack-rolled":
        good = hit_faces(event.number("need"), event.added)
    else:
        good = evade_faces(event.number("need"), event.added)
    return Trial(
        what=TRIALS[event.kind],
        unit=event.unit or "",
        dice=1,
        successes=int(bool(event.result["made"])),
        chance=Fraction(good, 8),
    )


FACES = 8
WEAPONS = "Weapons"  # part of the card
SPARE_FACES = 8  # enough faces for the possible results of a hit
WOODS, SECOND, SMOKE, HIGH, KNEELING, PRONE = "woods", "second-woods", "smoke", "high", "kneeling", "prone"
SPENT, HEADLESS, LEGLESS, FIXED, ALOFT = "spent", "headless", "legless", "fixed", "aloft"
COVER = ((WOODS, 2), (SECOND, 2), (SMOKE, 1))  # terrain that the line crosses, and its penalty. HX-142, HX-144
HELP_CHOICES = (
    (WOODS, "woods lie between"),
    (SECOND, "and a second run of woods"),
    (SMOKE, "smoke or a Black hex lies between"),
    (HIGH, "from level +1 or higher"),
    (KNEELING, "the shooter kneels"),
    (PRONE, "the shooter is prone"),
    (HEADLESS, "the shooter has lost its head"),
    (LEGLESS, "the shooter has lost a leg"),
    (FIXED, "the target can’t evade: it kneels, is prone, down, held or stunned"),
    (ALOFT, "the target is at +3 or −1"),
)
CAVEAT = "The sheet doesn’t show who is stunned, or what a Defensive Stance covers. If that keeps the target from evading, tick it above."
SPENT_SAID = (SPENT, "it has attacked like this already in this turn")


def shot_terms(given: Setup, shooter: str) -> ShotTerms | None:
    """Return everything that an attack by that Unit depends on. HX-084 to HX-097."""
    units = setup.field_units(given)
    at = next((at for at, each in enumerate(units) if each.unit.key == shooter), None)
    if at is None:
        return None
    state = setup.prepare(given)
    u = state.units[at]
    weapons = [
        (str(slot), _describe(state, at, slot, name)) for slot, name in setup.weapon_names(units)[shooter].items()
    ]
    if can_strike_unarmed(state, at):
        weapons.append((str(c.UNARMED), "fists, melee"))
    helps = (*HELP_CHOICES, SPENT_SAID) if u.marksman or u.duellist else HELP_CHOICES
    return ShotTerms(weapons=tuple(weapons), ranges=(), helps=helps, caveat=CAVEAT)


def calculate_shot(asked: ShotQuestion, state: State) -> Shot | None:
    """Calculate the attack by the rules, with the Units placed as asked about."""
    keys = [each.unit.key for each in setup.field_units(asked.setup)]
    i, e, slot = keys.index(asked.shooter), keys.index(asked.target), int(asked.weapon)
    u, t = state.units[i], state.units[e]
    could = is_usable(state, i, slot)  # a carried weapon must be drawn first, but its numbers are calculated as well
    for at, fielded in enumerate(setup.field_units(asked.setup)):
        _apply_marks(state, at, fielded, asked.marks_on(fielded.unit.key))
    is_lost = slot != c.UNARMED and weapon_of(state, i, slot).dp <= 0
    if is_lost or (could and not is_usable(state, i, slot)):
        return None
    u.at = t.at = u.level = t.level = 0
    u.kneeling = max(u.kneeling, int(KNEELING in asked.helps))
    u.prone = max(u.prone, int(PRONE in asked.helps))
    u.shots = u.strikes = int(SPENT in asked.helps)
    if HEADLESS in asked.helps:
        state.areas[i * c.AREAS + c.HEAD].dp = 0
    if LEGLESS in asked.helps:
        state.areas[i * c.AREAS + c.LEG_L].dp = 0
    t.kneeling = max(t.kneeling, int(FIXED in asked.helps))
    u.level, t.level = int(HIGH in asked.helps), 3 * int(ALOFT in asked.helps)
    aim_with(state, i, slot, t.at, 0)
    aim_at_unit(state, e, c.TORSO, u.at)
    aimed = state.shots[0]
    if not aimed.melee:
        cost = sum(each for name, each in COVER if name in asked.helps and not (name == SMOKE and u.filters))
        aimed.terrain = -penalty_of(u, cost)
    log: Log = []
    made = hit_faces(aimed.need, aimed.terrain + aimed.level + aimed.position + aimed.trait)
    evaded = evade_faces(aimed.eva, aimed.eva_level) if aimed.evades else 0
    reply = f"It evades on {aimed.eva - aimed.eva_level} or more" if evaded else "It can’t evade"
    resolve_shot(state, ScriptedDice([1] * SPARE_FACES), log)
    event = events.FACTS.events(log[:1], keys, "round-began")[0]
    return Shot(
        number=event.number("need"),
        modifiers=event.modifiers,
        rule=event.rule,
        dice=1,
        chance=Fraction(made, FACES),
        always=c.D8,
        then=f"{reply}; a Perfect 8 hits whatever it does" if evaded else reply,
        lands=Fraction(FACES + (made - 1) * (FACES - evaded), FACES * FACES),
    )


def _apply_marks(state: State, at: int, fielded: FieldedUnit, marks: Marks) -> None:
    """Apply the marks on a Unit's card to the state: damage by area, losses, position. HX-105 to HX-118."""
    u, spec = state.units[at], fielded.spec
    for area in spec.areas:
        part = state.areas[at * c.AREAS + area.index]
        part.dp = max(0, part.full - marks.of(area.short))
    lines = [(WEAPONS, describe_place(armed.place), armed.kind.tagged) for armed in spec.weapons]
    for slot, lost in enumerate(marks.each(lines)):
        if lost:
            weapon_of(state, at, slot).dp = 0
    u.kneeling, u.prone, u.down = marks.of("kneel"), marks.of("prone"), marks.of("down")
    if marks.of("held"):
        u.held_by = at  # the attacker doesn't matter here


def _describe(state: State, i: int, slot: int, name: str) -> str:
    weapon = weapon_of(state, i, slot)
    far = range_at(state.units[i], weapon, 0)
    return f"{name}, melee" if weapon.melee else f"{name}, {pluralize(far, 'hexes')}"
