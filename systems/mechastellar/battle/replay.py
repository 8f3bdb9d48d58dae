"""Replays and live tables: opening position, steps, the table, the luck of the dice, the result of an attack.

The table shows pieces, control points, attacks and Momentum. Luck compares dice rolled against a needed number with
their chance of success. The numbers for live tables are calculated by the rules that battles use.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.engine.events import Event
from systems.mechastellar.battle import initial_state, setup
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.effects import STEPS, StellarView
from systems.mechastellar.battle.rules import are_engaged, engagement, is_shut_down
from systems.mechastellar.battle.rules.attacks import CRIT, choose_bonus, face_off, is_bonus_allowed
from systems.mechastellar.battle.rules.targets import in_range
from systems.mechastellar.battle.setup import FieldedUnit, field_units, setup_table, weapon_names
from systems.mechastellar.battle.state import Clash, Disc, State, Unit
from systems.mechastellar.catalogue import CATALOGUE
from systems.setups import Setup, distinct_names, once_a_setup
from systems.shots import Marks, Shot, ShotQuestion, ShotTerms
from systems.spaces import Aim, MeasuredSpace, MeasuredTable, Piece, Spot, on_table

INCH = 100
TURN_STEPS = ("turn", "move", "attack", "end-turn")


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all units, before they are placed."""
    units = field_units(setup)
    names = weapon_names(units)
    return Situation(
        tuple(
            StellarView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.kind,
                hits=fielded.hp,
                max_hits=fielded.spec.hp,
                power=fielded.spec.power,
                max_power=fielded.spec.power,
                havoc=fielded.spec.havoc,
                max_havoc=fielded.spec.havoc,
                boost=fielded.spec.boost,
                engages=fielded.spec.engages_in * INCH,
                carries=tuple(names[fielded.unit.key]),
            )
            for fielded in units
        )
    )


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Divide the record into set-up and each Round's start, turns and end."""
    names = distinct_names(field_units(setup))
    here = Chapter(STEPS["set-up"])
    turn = 0

    def chapter(event: Event) -> Chapter:
        nonlocal here, turn
        if event.kind == "unit-activated":
            turn += 1
            here = Chapter(f"Turn {turn}: {names[event.unit or '']}", STEPS["turn"])
        elif event.step in TURN_STEPS and event.step != "turn":
            here = Chapter(here.phase, STEPS[event.step])
        elif event.step not in TURN_STEPS:
            here = Chapter(STEPS[event.step])
            turn = 0 if event.step == "start" else turn
        return here

    return chapter


HUNDREDTHS = 100  # hundredths of an inch
BREAKING = ("cover-checked", "cover-attacked", "area-checked", "terrain-thrown", "piece-knocked-down")


class StellarTable(MeasuredSpace):
    """The table, 48 by 48 inches unless the scenario says otherwise."""

    def table(self, setup: Setup) -> MeasuredTable:
        """Return the table with pieces and control points. ST-021, ST-023, ST-360."""
        table = setup_table(setup)
        return MeasuredTable(
            width=table.size * HUNDREDTHS,
            height=table.size * HUNDREDTHS,
            depth=round(table.depth * HUNDREDTHS),
            objectives=tuple(
                Spot("objective", f"Point {at}", round(x * HUNDREDTHS), round(y * HUNDREDTHS))
                for at, (x, y) in enumerate(table.points, start=1)
            ),
            pieces=tuple(
                Piece(
                    each.kind,
                    CATALOGUE.terrain[each.kind].name,
                    round(each.x * HUNDREDTHS),
                    round(each.y * HUNDREDTHS),
                    round(each.radius * HUNDREDTHS),
                )
                for each in table.pieces
            ),
        )

    def piece(self, event: Event) -> Piece | None:
        """Return a Warship's wreck. ST-353."""
        if event.kind != "wreck-left":
            return None
        kind = CATALOGUE.terrain["wreck"]
        return Piece(kind.slug, kind.name, event.number("x"), event.number("y"), event.number("radius"))

    def fallen_piece(self, event: Event) -> int | None:
        """Return a piece that was destroyed, thrown or brought down. ST-314, ST-346."""
        if event.kind not in BREAKING or not event.result.get("gone", True):
            return None
        return event.number("disc")

    def aim(self, event: Event) -> Aim | None:
        """Return attacker, target and whether any Hits get through. ST-115."""
        if event.kind == "attack-blocked":
            return Aim("shot", event.unit or "", event.target or "", success=False)
        if event.kind == "damage-taken" and event.target:
            return Aim("shot", event.target, event.unit or "", success=True)
        return None

    def held(self, event: Event) -> tuple[int, int] | None:
        """Return the control point that a side gains with an event. ST-363 to ST-366."""
        if event.kind not in ("point-taken", "point-held"):
            return None
        return event.number("point"), event.number("owner")

    def pools(self, situation: Situation) -> str:
        """Describe both sides' Momentum. ST-240."""
        left = [next(unit for unit in on_table(situation) if unit.side == side) for side in range(2)]
        momentum = [unit.momentum for unit in left if isinstance(unit, StellarView)]
        return f"Momentum: {momentum[0]} below, {momentum[1]} above"

    def points_given(self, event: Event) -> tuple[int, int] | None:
        return None

    def points_spent(self, event: Event) -> int:
        return 0


TRIALS = {
    "attack-rolled": "hit",
    "defence-rolled": "defence",
    "saves-rolled": "save",
    "rally-tested": "morale",
    "rout-tested": "morale",
}


def trial_of(event: Event) -> Trial | None:
    """Return the dice of a pool before any changes (ST-113, ST-114), of saves (ST-141), of morale (ST-247)."""
    if event.kind not in TRIALS or not event.faces:
        return None
    if event.kind == "saves-rolled":
        needed = event.number("pen") - event.number("bonus")
    else:
        needed = event.number("success" if "success" in event.result else "morale")
    return Trial(
        what=TRIALS[event.kind],
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face >= needed for face in event.faces),
        chance=Fraction(min(10, max(0, 11 - needed)), 10),
    )


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
CAVEAT = "Leaves out supports, skills and the defender’s bonus. Both sides roll."


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
