"""Replays and live tables: opening position, steps, the table, the luck of the dice, the number a shot needs.

Luck compares dice rolled against a needed number with their chance of success. The numbers for live tables are
calculated by the rules that battles use.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.blazing_steel.battle import events, setup
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.events import STEPS, SteelView
from systems.blazing_steel.battle.rules import end_of_units, first_unit, weapon_of
from systems.blazing_steel.battle.rules.actions import shot_refusal
from systems.blazing_steel.battle.rules.engagements import is_saved, roll_attack
from systems.blazing_steel.battle.setup import field_units, setup_table, weapon_names
from systems.blazing_steel.battle.state import SLOTS, State
from systems.blazing_steel.build.drawing import Disc, Table
from systems.blazing_steel.build.scenario import read_spec
from systems.blazing_steel.build.spec import WEAPON_SLOTS
from systems.blazing_steel.catalogue import CATALOGUE
from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.setups import Setup, once_a_setup
from systems.shots import Marks, Shot, ShotQuestion, ShotTerms
from systems.spaces import Aim, MeasuredSpace, MeasuredTable, Piece, Spot


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all Warmechs, before they are placed."""
    names = weapon_names(field_units(setup))
    return Situation(
        tuple(
            SteelView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.chassis,
                hits=fielded.spec.frame.structure,
                max_hits=fielded.spec.frame.structure,
                base=fielded.spec.base.radius_h,
                carries=tuple(names[fielded.unit.key].get(slot, "") for slot in range(SLOTS)),
                peripheral=fielded.spec.peripheral.name if fielded.spec.peripheral else "",
            )
            for fielded in field_units(setup)
        )
    )


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Divide the record into set-up, each turn's orders, their results by action and heat, and the End Phase."""
    here = Chapter("Set-up")
    action = 0

    def chapter(event: Event) -> Chapter:
        nonlocal here, action
        if event.step == "turn":
            here = Chapter(f"Turn {event.number('turn')}")
            action = 0
        elif event.step in ("orders", "action"):
            if event.step == "orders" and here.step != f"Action {action}: orders":
                action += 1
            what = "orders" if event.step == "orders" else "resolved"
            here = Chapter(here.phase, f"Action {action}: {what}")
        elif event.step == "heat":
            here = Chapter(here.phase, STEPS["heat"])
        elif event.step in ("start", "end-phase", "end"):
            here = Chapter(STEPS[event.step])
        return here

    return chapter


HUNDREDTHS = 100  # hundredths of an inch


class SteelTable(MeasuredSpace):
    """The table, 48 by 48 inches unless the scenario says otherwise."""

    def table(self, setup: Setup) -> MeasuredTable:
        """Return the table with its terrain. BS-D36."""
        table = setup_table(setup)
        x, y = table.marker
        return MeasuredTable(
            width=table.size * HUNDREDTHS,
            height=table.size * HUNDREDTHS,
            depth=read_spec(setup.scenario).zone_in * HUNDREDTHS,
            objectives=(
                Spot("objective", CATALOGUE.terrain["hill"].name, round(x * HUNDREDTHS), round(y * HUNDREDTHS)),
            ),
            pieces=table_pieces(table),
        )

    def piece(self, event: Event) -> Piece | None:
        return None

    def aim(self, event: Event) -> Aim | None:
        """Return attacker, target and success of an attack. BS-093, BS-094."""
        if event.kind != "attack-settled":
            return None
        return Aim("shot", event.unit or "", event.target or "", bool(event.result["lands"]))

    def held(self, event: Event) -> tuple[int, int] | None:
        """Return the hill and the only side that holds it. BS-194."""
        return (0, event.number("side")) if event.kind == "hill-held" else None

    def leads(self, event: Event) -> int | None:
        """Return the Leading Player of a turn. BS-027."""
        return event.number("side") if event.kind == "turn-began" else None

    def points_given(self, event: Event) -> tuple[int, int] | None:
        return None

    def points_spent(self, event: Event) -> int:
        return 0


def table_pieces(table: Table) -> tuple[Piece, ...]:
    """Return the terrain of a table. The hill is below everything else."""
    kinds: tuple[tuple[str, tuple[Disc, ...]], ...] = (
        ("hill", table.hills),
        ("woods", table.woods),
        ("block", table.blocks),
    )
    return tuple(
        Piece(
            kind, CATALOGUE.terrain[kind].name, round(x * HUNDREDTHS), round(y * HUNDREDTHS), round(radius * HUNDREDTHS)
        )
        for kind, discs in kinds
        for x, y, radius in discs
    )


TRIALS = {
    "shot-rolled": "hit",
    "strike-rolled": "hit",
    "dodge-rolled": "dodge",
    "flak-rolled": "dodge",
    "damage-rolled": "save",
}


def trial_of(event: Event) -> Trial | None:
    """Return the dice of an attack or of its defence (BS-091), or of damage (BS-151).

    Dice rerolled through smoke are left out, because their number depends on earlier dice.
    """
    if event.kind not in TRIALS:
        return None
    if event.kind == "damage-rolled":
        ap, armor = event.number("ap"), event.number("armor") + event.added
        faces = [face for face in range(1, 7) if is_saved(face, ap, armor)]
    else:
        faces = [face for face in range(1, 7) if face <= event.number("tn")]
    return Trial(
        what=TRIALS[event.kind],
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face in faces for face in event.faces),
        chance=Fraction(len(faces), 6),
    )


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
        state.discs.append(c.Disc(c.WOODS, t.x, t.y, t.radius))
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
