"""The number that a shot at the table needs, calculated by the rules that battles use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from systems.engine.dice import Log, ScriptedDice
from systems.meks_and_mercs.battle import events, setup
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.rules.facts import count_units, number_of, pair_of
from systems.meks_and_mercs.battle.rules.fire import shoot_at
from systems.meks_and_mercs.battle.state import State
from systems.meks_and_mercs.battle.units import FieldedUnit
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.setups import Setup
from systems.shots import Marks, Shot, ShotQuestion, ShotTerms

FACES = range(1, 7)
BANDS = ("Short", "Medium", "Long")
DOUBLED, COMPUTERS, PRIMARY, GUNNERY, DUG_IN = "doubled", "computers", "primary", "gunnery", "dug-in"
HELPS = (
    (DOUBLED, "double terrain lies between"),
    (DUG_IN, "the target is dug in"),
    (PRIMARY, "it is the primary target"),
    (COMPUTERS, "the shooter’s computers are hit"),
    (GUNNERY, "fired by Gunnery, at a second target"),
)
CAVEAT = "Skills that help once a round are taken to be unspent, and nobody to be marked by commandos."
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
