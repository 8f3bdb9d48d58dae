"""Replays and live tables: opening position, chapters, the map, the luck of the dice, the number a shot needs.

Luck compares dice rolled against a needed number with their chance of success. The numbers for live tables are
calculated by the rules that battles use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.meks_and_mercs.battle import events, setup
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.effects import MekView
from systems.meks_and_mercs.battle.events import RANDOM_TERRAIN
from systems.meks_and_mercs.battle.orders import placements
from systems.meks_and_mercs.battle.rules import count_units, number_of, pair_of
from systems.meks_and_mercs.battle.rules.fire import shoot_at
from systems.meks_and_mercs.battle.setup import PRINTED, field_units, scenario_of
from systems.meks_and_mercs.battle.state import State
from systems.meks_and_mercs.battle.units import FieldedUnit
from systems.meks_and_mercs.catalogue import CATALOGUE, Scenario
from systems.meks_and_mercs.options import Options
from systems.setups import Setup, once_a_setup
from systems.shots import Marks, Shot, ShotQuestion, ShotTerms
from systems.spaces import Aim, Sight, ZoneGround, Zones


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all units as they enter the battle, without contacts."""
    posts = placements(setup) if scenario_of(setup) is not None else ()
    units = tuple(
        MekView(
            key=fielded.unit.key,
            name=fielded.name,
            side=fielded.side,
            chassis=fielded.chassis,
            hits=fielded.full_hits if fielded.condition.hits is None else fielded.condition.hits,
            max_hits=fielded.full_hits,
            wounded=bool(fielded.condition.wounded),
            legs=fielded.condition.legs,
            weapons=tuple(
                (weapon.name, slot not in fielded.condition.weapons_lost) for slot, weapon in enumerate(fielded.weapons)
            ),
            systems=tuple(
                (CATALOGUE.systems[slug].name, slot not in fielded.condition.systems_lost)
                for slot, slug in enumerate(fielded.systems)
            ),
            zone=posts[at].zone if posts else 0,
            dug_in=bool(fielded.condition.dug_in),
            decoy=fielded.role == "decoy",
        )
        for at, fielded in enumerate(field_units(setup))
    )
    return Situation(units)


WIDTH = 3  # zones per row of the map
MOVEMENT_STEPS = {"start", "contact", "wounds", "movement"}  # a round's steps before detection and fire
HIT_FIELDS = {
    "shot-rolled": "hit",
    "infantry-attacked": "hit",
    "kills-rolled": "kills",
}  # kind of event -> the result field that means a hit
DETECTION_EVENTS = {
    "targeting-rolled",
    "hawkeye-rolled",
    "identification-rolled",
    "infantry-searched",
    "unit-identified",
    "commandos-detected",
    "commandos-identified",
    "commandos-marked",
}


class ZoneMap(Zones):
    """The nine zones of a scenario."""

    signs = (
        "★ key zone", "■ sets up", "▼ arrives", "△ way out", "+ wounded", "dashed: hidden", "?: decoy", "toothed: dug in",
    )  # fmt: skip

    def ground(self, setup: Setup, events: Iterable[Event]) -> tuple[ZoneGround, ...]:
        """Return the nine zones with their terrain, whether printed, chosen or rolled. MM-012."""
        scenario = scenario_of(setup)
        if scenario is None:
            return ()
        slugs = list(scenario.terrain) if setup.terrain == PRINTED else [setup.terrain] * len(scenario.terrain)
        for event in events:
            if event.kind == "terrain-rolled":
                slugs[event.number("zone") - 1] = RANDOM_TERRAIN[event.number("terrain")]
        return tuple(
            ZoneGround(
                number=number,
                row=1 + (number - 1) // WIDTH,
                column=1 + (number - 1) % WIDTH,
                terrain_name=CATALOGUE.terrain[slug].name,
                look=slug,
                marks=_marks(scenario, number),
            )
            for number, slug in enumerate(slugs, start=1)
        )

    def sight(self, event: Event) -> Sight | None:
        """Return whether a unit found or targeted another; None for other events. MM-036 to MM-038, MM-074, MM-090."""
        if event.kind not in DETECTION_EVENTS or event.unit is None or event.target is None:
            return None
        return Sight(event.unit, event.target, bool(event.result.get("success", True)))

    def aim(self, event: Event) -> Aim | None:
        """Return shooter, target and whether the shot hits; None for other events. MM-043, MM-063, MM-064."""
        if event.kind not in HIT_FIELDS:
            return None
        return Aim("shot", event.unit or "", event.target or "", bool(event.result[HIT_FIELDS[event.kind]]))

    def opens_round(self, event: Event) -> bool:
        return event.kind == "round-began"


def _marks(scenario: Scenario, number: int) -> tuple[str, ...]:
    marks = []
    if number == scenario.key_zone:
        marks.append("key zone")
    if number in scenario.exit_zones:
        marks.append(f"exit by the {scenario.exit_edge} edge")
    for word, side in (("attacker", scenario.attacker), ("defender", scenario.defender)):
        if side.arrival and number in side.arrival.zones:
            marks.append(f"{word} arrives")
        for step in side.setup:
            if number in step.zones and step.who != "rest" and len(step.zones) < len(scenario.terrain):
                marks.append(f"{word} sets up")
    return tuple(marks)


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Return a function that names each event's chapter; call it in order.

    The chapters are set-up, initiative, each side's moves, each fight round by round, and the end of the turn. MM-015.
    """
    sides = [side.name for side in setup.sides]
    here = Chapter("Set-up")
    number = 0  # round of the fight

    def chapter(event: Event) -> Chapter:
        nonlocal here, number
        if event.kind == "phase-began":
            second = " makes its second move" if event.result["second"] else " moves"
            here = Chapter(f"{sides[event.number('side')]}{second}")
        elif event.kind == "zone-contested":
            zone, number = event.number("zone"), 0
            here = Chapter(f"Fight in zone {zone}", "Contact", zone)
        elif event.step in ("turn", "initiative"):
            here = Chapter("Initiative")
        elif event.step == "victory":
            here = Chapter("Turn end")
        elif here.zone:
            if event.kind == "round-began":
                number = event.number("number")
            if number:
                part = "movement" if event.step in MOVEMENT_STEPS else "fire"
                here = Chapter(here.phase, f"Round {number}: {part}", here.zone)
        return here

    return chapter


SIDES_OF_A_DIE = range(1, 7)


def trial_of(event: Event, setup: Setup) -> Trial | None:
    """Return the dice of a shot (MM-043), infantry attack (MM-063) or save (MM-051); None for other events.

    A re-rolled die counts separately.
    """
    total = sum(modifier.value for modifier in event.modifiers)
    good: set[int]
    if event.kind == "shot-rolled":
        number = event.number("number")
        natural = Options.read(setup.options).natural_rolls
        good = {face for face in SIDES_OF_A_DIE if face + total >= number}
        if natural:
            good = (good - {1}) | {6}
        what = "hit"
    elif event.kind == "infantry-attacked":
        good = {face for face in SIDES_OF_A_DIE if face < event.number("armor")}
        what = "hit"
    elif event.kind == "save-rolled":
        good = {face for face in SIDES_OF_A_DIE if face + total >= event.number("armor")}
        what = "save"
    else:
        return None
    return Trial(
        what=what,
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face in good for face in event.faces),
        chance=Fraction(len(good), 6),
    )


FACES = range(1, 7)
BANDS = ("Short", "Medium", "Long")
DOUBLED, COMPUTERS, PRIMARY, GUNNERY, DUG_IN = "doubled", "computers", "primary", "gunnery", "dug-in"
HELPS = (
    (DOUBLED, "terrain counts double"),
    (DUG_IN, "the target is dug in"),
    (PRIMARY, "it’s the primary target"),
    (COMPUTERS, "the attacker’s computers are damaged"),
    (GUNNERY, "fired again by Gunnery, at a second target"),
)
CAVEAT = "Assumes that once-a-round skills are still unused, and that commandos haven’t marked the target."
MAX_WEAPONS_PER_LINE = 4  # equal weapons on one line of a card


def shot_terms(given: Setup, shooter: str) -> ShotTerms | None:
    """Return what a Mek's shot depends on; None if it can't fire at Meks. MM-042 to MM-047."""
    fielded = next((each for each in setup.field_units(given) if each.unit.key == shooter), None)
    if fielded is None or not fielded.weapons:
        return None
    weapons = tuple((str(slot), weapon.name) for slot, weapon in enumerate(fielded.weapons) if not weapon.kills)
    if not weapons:  # all its weapons fire only at infantry
        return None
    ranges = tuple((str(at), name) for at, name in enumerate(BANDS))
    return ShotTerms(weapons=weapons, ranges=ranges, helps=HELPS, caveat=CAVEAT)


def setup_with_marks(asked: ShotQuestion) -> Setup:
    """Return the set-up of a fight that starts with the marks on the cards. MM-053 to MM-058."""
    if not asked.marks:
        return asked.setup
    conditions = {
        fielded.unit.key: _condition(fielded, asked.marks_on(fielded.unit.key))
        for fielded in setup.field_units(asked.setup)
        if fielded.spec is not None and fielded.unit.key in asked.marks
    }
    sides = tuple(
        side.model_copy(
            update={
                "units": tuple(
                    unit.model_copy(update={"condition": conditions.get(unit.key, unit.condition)})
                    for unit in side.units
                )
            }
        )
        for side in asked.setup.sides
    )
    return asked.setup.model_copy(update={"sides": sides})


def _condition(fielded: FieldedUnit, marks: Marks) -> dict[str, object]:
    """Return the condition shown on a Mek's card."""
    weapons = [weapon.name for weapon in fielded.weapons]
    systems = [CATALOGUE.systems[slug].name for slug in fielded.systems]
    return {
        **fielded.unit.condition,
        "hits": max(1, fielded.full_hits - marks.of("Hits")),
        "legs": marks.begun("legs"),
        "wounded": bool(marks.begun("wounded")),
        "computers": bool(marks.begun("computers")),
        "dug_in": bool(marks.of("dug in")),
        "weapons_lost": _lost_slots("Weapons", weapons, marks, MAX_WEAPONS_PER_LINE),
        "systems_lost": _lost_slots("Systems", systems, marks, len(systems)),
    }


def _lost_slots(part: str, names: Sequence[str], marks: Marks, most: int) -> list[int]:
    """Return the slots struck out on a card.

    Equal parts share a line with one box each; the last slots are lost first.
    """
    lines: dict[tuple[str, int], list[int]] = {}
    seen = Counter[str]()
    for slot, name in enumerate(names):
        lines.setdefault((name, seen[name] // most), []).append(slot)
        seen[name] += 1
    words = [(part, f"{len(slots)} × {name}" if len(slots) > 1 else name) for (name, _), slots in lines.items()]
    lost = zip(lines.values(), marks.each(words), strict=True)
    return sorted(slot for slots, count in lost for slot in slots[len(slots) - min(count, len(slots)) :])


def calculate_shot(asked: ShotQuestion, state: State) -> Shot | None:
    """Return the shot as the rules fire it in that state, die by die; None if it can't be fired."""
    keys = [each.unit.key for each in setup.field_units(asked.setup)]
    i, e, slot, band = keys.index(asked.shooter), keys.index(asked.target), int(asked.weapon), int(asked.range)
    weapon = state.weapons[i * c.WEAPON_SLOTS + slot]
    if not weapon.intact or number_of(weapon, band) == c.OUT_OF_RANGE:
        return None
    _place_units(state, asked, keys, i, e)
    pair_of(state, i, e).band = band
    dice, weapon.dice = weapon.dice, 1
    made, log = 0, Log()
    for first, again in product(FACES, FACES):
        log = _log_one_die(state, i, e, slot, band, asked, (first, again))
        made += log[-1][1]["hit"]
    (event,) = events.FACTS.events(log, keys, "round-began")
    return Shot(
        number=event.number("number"),
        modifiers=event.modifiers,
        rule=event.rule,
        dice=dice,
        chance=Fraction(made, len(FACES) ** 2),
    )


def _place_units(state: State, asked: ShotQuestion, keys: list[str], i: int, e: int) -> None:
    """Put shooter and target into one zone, and take units that are out of action off the map."""
    shooter, target = state.units[i], state.units[e]
    for at, key in enumerate(keys):
        if key in asked.out:
            state.units[at].present = 0
    shooter.present = target.present = 1
    target.zone = shooter.zone
    state.sights[i * count_units(state) + e].doubled = int(DOUBLED in asked.helps)
    target.dug_in = max(target.dug_in, int(DUG_IN in asked.helps))
    shooter.computers = max(shooter.computers, int(COMPUTERS in asked.helps))


def _log_one_die(
    state: State, i: int, e: int, slot: int, band: int, asked: ShotQuestion, faces: tuple[int, int]
) -> Log:
    """Return the log for one die; once-a-round skills are unspent."""
    state.units[i].aim_spent = state.units[e].spoof_spent = state.battle.shots = 0
    log: Log = []
    primary, gunnery = int(PRIMARY in asked.helps), int(GUNNERY in asked.helps)
    shoot_at(state, i, e, slot, band, primary, gunnery, ScriptedDice(faces), log)
    return log
