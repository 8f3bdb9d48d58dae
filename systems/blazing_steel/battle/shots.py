"""The number that a shot at the table needs, calculated by the rules that battles use."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from systems.blazing_steel.battle import events, setup
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.engagements import roll_attack
from systems.blazing_steel.battle.rules.facts import end_of_units, first_unit, weapon_of
from systems.blazing_steel.battle.rules.targeting import shot_refusal
from systems.blazing_steel.battle.state import Disc, State
from systems.blazing_steel.build.spec import WEAPON_SLOTS
from systems.blazing_steel.catalogue import CATALOGUE
from systems.engine.dice import Log, ScriptedDice
from systems.setups import Setup
from systems.shots import Marks, Shot, ShotQuestion, ShotTerms

FACES = range(1, 7)
WITHIN, BEYOND = "within", "beyond"
COVER, FORTIFIED, HOT, SCOPE = "cover", "fortified", "hot", "scope"
SMOKE, IMPACT, IMPACT_2, TARGETING = "smoke", "impact", "impact-2", "targeting"
RANGES = ((WITHIN, "within its ideal range"), (BEYOND, "beyond it"))
HELP_CHOICES = (
    (COVER, "the target is in cover"),
    (FORTIFIED, "the target has fortified itself"),
    (SMOKE, "the target is in smoke"),
    (HOT, "the target has a heat die: camo fails"),
    (SCOPE, "a friend’s Targeting Scope is on the target"),
    (IMPACT, "it is under fire of Impact 1 in this step"),
    (IMPACT_2, "it is under fire of Impact 2 in this step"),
    (TARGETING, "its targeting is crippled"),
)
TOTAL = "The total is the highest die that counts, and 1 for each other one"
APART, SIDEWAYS = 2.0, 1.0  # inches between bases, and past the ideal range


def shot_terms(given: Setup, shooter: str) -> ShotTerms | None:
    """Return everything that a shot by that Warmech depends on. BS-110 to BS-124."""
    units = setup.field_units(given)
    at = next((at for at, each in enumerate(units) if each.unit.key == shooter), None)
    if at is None:
        return None
    state = setup.prepare(given)
    names = setup.weapon_names(units)[shooter]
    guns = [(slot, weapon_of(state, at, slot)) for slot in range(c.SLOTS)]
    weapons = tuple((str(slot), f"{names[slot]}, {gun.range}″") for slot, gun in guns if gun.kind == c.GUN)
    return ShotTerms(weapons=weapons, ranges=RANGES, helps=HELP_CHOICES) if weapons else None


def calculate_shot(asked: ShotQuestion, state: State) -> Shot | None:
    """Calculate the shot by the rules, die by die, on a table as asked about; None if it can't be fired."""
    keys = [each.unit.key for each in setup.field_units(asked.setup)]
    i, e, slot = keys.index(asked.shooter), keys.index(asked.target), int(asked.weapon)
    for at, key in enumerate(keys):
        _apply_marks(state, at, asked.marks_on(key))
    _place_units(state, asked, i, e, slot)
    if shot_refusal(state, i, slot, e):
        return None
    weapon = weapon_of(state, i, slot)
    loaded = weapon.ammo
    dice, weapon.rof = weapon.rof, 1
    made, log = 0, Log()
    for faces in product(FACES, FACES):  # the second die is the reroll through smoke
        log = []
        weapon.ammo = loaded
        roll_attack(state, c.LEAD, ScriptedDice(faces), log)
        made += state.orders[c.LEAD].effective
    event = events.FACTS.events(log[:1], keys, "round-began")[0]
    return Shot(
        number=event.number("number"),
        modifiers=event.modifiers,
        rule=event.rule,
        dice=dice,
        chance=Fraction(made, len(FACES) ** 2),
        is_under=True,
        then=TOTAL,
    )


def _place_units(state: State, asked: ShotQuestion, i: int, e: int, slot: int) -> None:
    """Place shooter and target on an empty table, in the states asked about."""
    u, t, weapon = state.units[i], state.units[e], weapon_of(state, i, slot)
    for at, unit in enumerate(state.units):
        unit.status = c.STANDS if at in (i, e) else c.DESTROYED
    far = u.radius + t.radius + (APART if asked.range == WITHIN else weapon.range + SIDEWAYS)
    u.x = u.y = t.x = t.from_x = c.CENTRE
    t.y = t.from_y = c.CENTRE + far
    u.face_x, u.face_y = 0.0, 1.0
    state.discs.clear()
    if COVER in asked.helps:
        state.discs.append(Disc(c.WOODS, t.x, t.y, t.radius))
    state.battle.discs = len(state.discs)
    t.fortified = max(t.fortified, int(FORTIFIED in asked.helps))
    t.heat = max(t.heat, int(HOT in asked.helps))
    t.smoke = int(SMOKE in asked.helps)
    if TARGETING in asked.helps:
        u.cripples |= 1 << c.CRIPPLED_TARGETING
    if SCOPE in asked.helps:
        _place_spotter(state, i, e)
    lead, follow = state.orders[c.LEAD], state.orders[c.FOLLOW]
    lead.unit, lead.action, lead.slot, lead.target = i, c.SHOOT, slot, e
    impact = 2 if IMPACT_2 in asked.helps else int(IMPACT in asked.helps)
    if impact:
        follow.unit, follow.action, follow.slot, follow.target = e, c.SHOOT, 0, i
        weapon_of(state, e, 0).impact = impact


def _apply_marks(state: State, at: int, marks: Marks) -> None:
    """Apply the marks on a Warmech's card to the state: cripples, heat, losses, shots fired. BS-102, BS-113, BS-153."""
    u = state.units[at]
    for cripple in CATALOGUE.cripples.values():
        u.cripples |= bool(marks.of(f"{cripple.face} {cripple.name}")) << cripple.face
    for face in FACES:
        u.heat |= bool(marks.of(f"Heat {face}")) << (face - 1)
    u.fortified = max(u.fortified, marks.of("fortified"))
    u.peripheral_lost = max(u.peripheral_lost, min(1, marks.begun("Weapons", "p1")))
    for slot, name in enumerate(WEAPON_SLOTS):
        weapon = weapon_of(state, at, slot)
        weapon.lost = max(weapon.lost, min(1, marks.begun("Weapons", name)))
        weapon.ammo -= marks.of(f"{name} shots")


def _place_spotter(state: State, i: int, e: int) -> None:
    """Let a friend beside the target spot it; there is no spotter if the shooter is alone."""
    u, t = state.units[i], state.units[e]
    for q in range(first_unit(state.battle, u.side), end_of_units(state.battle, u.side)):
        if q != i:
            friend = state.units[q]
            friend.status, friend.x, friend.y = c.STANDS, t.x + t.radius + friend.radius, t.y
            friend.peripheral, friend.peripheral_lost = c.SCOPE, 0
            return
