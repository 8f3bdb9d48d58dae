"""The number that an attack at the table needs, calculated by the rules that battles use."""

from __future__ import annotations

from fractions import Fraction

from systems.engine.dice import Log, ScriptedDice
from systems.hex_core.battle import events, setup
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.attacks import aim_at_unit, aim_with, evade_faces, hit_faces, resolve_shot
from systems.hex_core.battle.rules.ground import penalty_of
from systems.hex_core.battle.rules.units import can_strike_unarmed, is_usable, range_at, weapon_of
from systems.hex_core.battle.setup import FieldedUnit
from systems.hex_core.battle.state import State
from systems.hex_core.build.datasheet import describe_place
from systems.setups import Setup
from systems.shots import Marks, Shot, ShotQuestion, ShotTerms

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
CAVEAT = "No box says who is stunned or what a Defensive Stance covers with: tick that the target can’t evade where it can’t."
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
    return f"{name}, melee" if weapon.melee else f"{name}, {far} hexes"
