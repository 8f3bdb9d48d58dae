"""The result of an attack at the table, calculated by the rules that battles use."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from systems.mechastellar.battle import initial_state, setup
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.attacks import CRIT, choose_bonus, face_off, is_bonus_allowed
from systems.mechastellar.battle.rules.facts import are_engaged, engagement, is_shut_down
from systems.mechastellar.battle.rules.targets import in_range
from systems.mechastellar.battle.setup import FieldedUnit
from systems.mechastellar.battle.state import Clash, Disc, State, Unit
from systems.setups import Setup
from systems.shots import Marks, Shot, ShotQuestion, ShotTerms

CONTACT = "contact"
RANGES = ((CONTACT, "engaged"), *((str(far), f"up to {far}″") for far in (6, 8, 12, 16, 20, 24, 30, 36, 48, 60)))
BEHIND, COVER, FOCUSED = "behind", "cover", "focused"
HELP_CHOICES = (
    (BEHIND, "from behind: Blindside"),
    (COVER, "the target is in cover"),
    (FOCUSED, "its dice hit on 3+"),
)
BONUSES = {
    "bullseye": (c.BULLSEYE, "with Bullseye"),
    "barrage": (c.BARRAGE, "with Barrage"),
    "balanced": (c.BALANCED, "with Balanced"),
    "power": (c.POWER_BONUS, "with Power"),
}
CAVEAT = "Supports, skills and the defender’s bonus come on top; both sides’ dice are rolled."


def shot_terms(given: Setup, shooter: str) -> ShotTerms | None:
    """Return everything that an attack by that unit depends on. ST-110 to ST-118, ST-160 to ST-164."""
    units = setup.field_units(given)
    at = next((at for at, each in enumerate(units) if each.unit.key == shooter), None)
    if at is None:
        return None
    state = setup.prepare(given)
    u = state.units[at]
    named = enumerate(setup.weapon_names(units)[shooter], start=u.weapon)
    weapons = tuple((str(place), _describe(state, place, name)) for place, name in named if state.weapons[place].usable)
    helps = (*HELP_CHOICES, *((value, words) for value, (bonus, words) in BONUSES.items() if _is_open(u, bonus)))
    return ShotTerms(weapons=weapons, ranges=RANGES, helps=helps, caveat=CAVEAT) if weapons else None


def calculate_shot(asked: ShotQuestion, state: State) -> Shot | None:
    """Return both pools by the rules, with units placed as asked about; None if the weapon doesn't reach."""
    keys = [each.unit.key for each in setup.field_units(asked.setup)]
    i, e, weapon = keys.index(asked.shooter), keys.index(asked.target), int(asked.weapon)
    u, t = state.units[i], state.units[e]
    for unit in state.units:
        unit.status = c.DESTROYED
    u.status = t.status = c.STANDS
    for at, fielded in enumerate(setup.field_units(asked.setup)):
        _apply_marks(state, at, fielded, asked.marks_on(fielded.unit.key))
    if is_shut_down(u) or state.weapons[weapon].gone:
        return None
    far = engagement(u, t) / 2 if asked.range == CONTACT else float(asked.range)
    u.x = u.y = t.x = 0.0
    t.y = far
    w = state.weapons[weapon]
    is_near = are_engaged(u, t)
    if is_near != bool(w.melee) or not in_range(w, far) and not w.melee:
        return None
    u.behind = int(BEHIND in asked.helps) << e
    u.supported = int(FOCUSED in asked.helps)
    state.discs.clear()
    if COVER in asked.helps:
        state.discs.append(Disc(kind=c.LOW, x=t.x, y=t.y, radius=1.0))
    state.battle.discs = len(state.discs)
    face_off(state, 0, i, weapon, e, u.x, u.y, 0, 0)
    clash = state.clashes[0]
    bonus = next((code for value, (code, _) in BONUSES.items() if value in asked.helps), c.NO_BONUS)
    if is_bonus_allowed(u, bonus, clash.melee):
        choose_bonus(state, clash, bonus)
    return Shot(
        number=clash.success,
        modifiers=(),
        rule="ST-113",
        dice=clash.dice,
        chance=Fraction(11 - clash.success, 10),
        then=_then(clash),
        lands=_hit_chance(clash),
    )


def _apply_marks(state: State, at: int, fielded: FieldedUnit, marks: Marks) -> None:
    """Apply the marks on a unit's card to the state: penalties, and weapons struck out. ST-306."""
    u = state.units[at]
    u.penalties = max(u.penalties, marks.of("penalties"))
    for slot, lost in enumerate(marks.each(("Weapons", weapon.name) for weapon in fielded.spec.weapons)):
        if lost:
            state.weapons[u.weapon + slot].gone = 1


def _is_open(u: Unit, bonus: int) -> bool:
    return is_bonus_allowed(u, bonus, 0) or is_bonus_allowed(u, bonus, 1)


def _describe(state: State, weapon: int, name: str) -> str:
    w = state.weapons[weapon]
    return f"{name}, melee" if w.melee else f"{name}, {w.range:g}″"


def _then(p: Clash) -> str:
    twice = f"{p.crit} or more" if p.crit < CRIT else "10"
    crit = f", {twice} counts 2" if p.crit <= CRIT else ""
    flat = f", and {p.hits} more come on top" if p.hits else ""
    dice = f"{p.guard_dice} of the target’s dice on {p.guard_success}+" if p.guard_dice else "no dice of the target"
    return f"Each die that makes it is a Hit{crit}{flat}. Against it: {dice}, and {p.guard} DEF"


def _hit_chance(p: Clash) -> Fraction:
    """Return the chance of more Hits than DEF. ST-113 to ST-115."""
    hits = initial_state.pool_chances(p.dice, p.success, p.crit)
    guards = initial_state.pool_chances(p.guard_dice, p.guard_success, p.guard_crit, rerolls_ones=bool(p.reroll))
    return sum(
        (
            one * other
            for (at, one), (against, other) in product(enumerate(hits), enumerate(guards))
            if max(0, at + p.hits) > max(0, against + p.guard)
        ),
        Fraction(0),
    )
