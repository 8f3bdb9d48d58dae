"""Replays and live tables: opening position, chapters, the table, the luck of the dice, the number a shot needs.

The table shows rolled terrain, aimed actions and claimed beacons. Luck compares dice rolled against a needed number
with their chance of success. The numbers for live tables are calculated by the rules that battles use.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.mech_campaign.battle import events, setup
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.events import DISC_KINDS, MechView
from systems.mech_campaign.battle.rules.scenarios import disc_radius
from systems.mech_campaign.battle.rules.shooting import UNSEEN, in_reach, line, shoot
from systems.mech_campaign.battle.setup import describe_objectives, field_units, read_ground, read_scenario
from systems.mech_campaign.battle.state import Disc, State
from systems.mech_campaign.catalogue import CATALOGUE, DAMAGE_TO_ELIMINATE
from systems.setups import Setup, distinct_names, once_a_setup
from systems.shots import Shot, ShotQuestion, ShotTerms
from systems.spaces import Aim, MeasuredSpace, MeasuredTable, Piece, Spot


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all units before they set up."""
    return Situation(
        tuple(
            MechView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.kind,
                hits=DAMAGE_TO_ELIMINATE - fielded.damage,
                max_hits=DAMAGE_TO_ELIMINATE,
            )
            for fielded in field_units(setup)
        )
    )


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Return a function that gives an event's chapter. MC-032.

    The chapters are set-up; each player turn's action points, acting units and end; and the end of the game turn.
    """
    names = distinct_names(field_units(setup))
    sides = [side.name for side in setup.sides]
    here = Chapter("Set-up")

    def chapter(event: Event) -> Chapter:
        nonlocal here
        if event.step == "turn":
            here = Chapter("The turn begins")
        elif event.step == "points":
            here = Chapter(f"{sides[event.number('side')]}'s turn", "Action points")
        elif event.step == "actions" and "cost" in event.result and event.unit:
            here = Chapter(here.phase, f"{names[event.unit]} acts")
        elif event.step == "player-turn-end":
            here = Chapter(here.phase, "End of the player turn")
        elif event.step in ("turn-end", "end"):
            here = Chapter("End of the turn")
        return here

    return chapter


AIMS = {  # kind of event -> kind of aim, and the result field that means success
    "shot-rolled": ("shot", "hit"),
    "suppression-rolled": ("suppression", "hit"),
    "suppression-placed": ("suppression", ""),
    "lock-placed": ("lock", ""),
}


class Table(MeasuredSpace):
    """The table, 36 by 36 inches unless the scenario says otherwise."""

    def table(self, setup: Setup) -> MeasuredTable:
        """Return the table with objectives, tunnel mouths and the scenario's fixed terrain. MC-020, MC-023."""
        scenario = read_scenario(setup.scenario)
        mouth = CATALOGUE.terrain["tunnel-mouth"]
        names = describe_objectives(scenario)
        ground = read_ground(setup.scenario)
        return MeasuredTable(
            width=ground.size_h,
            height=ground.size_h,
            depth=ground.zone_h,
            objectives=tuple(
                Spot("objective", name[0].upper() + name[1:], x, y)
                for name, (x, y) in zip(names, scenario.places_h, strict=False)
            ),
            spots=tuple(
                Spot(mouth.slug, mouth.name, x, y) for x, y in sorted(ground.mouths_h, key=lambda at: (at[1], at[0]))
            ),
            pieces=tuple(
                Piece(each.kind, CATALOGUE.terrain[each.kind].name, each.x_h, each.y_h, each.radius_h)
                for each in ground.pieces
            ),
        )

    def piece(self, event: Event) -> Piece | None:
        """Return the disc rolled for a sector. MC-022."""
        if event.kind != "terrain-rolled" or not event.result["disc"]:
            return None
        code = event.number("disc")
        terrain = CATALOGUE.terrain[DISC_KINDS[code]]
        return Piece(terrain.slug, terrain.name, event.number("x"), event.number("y"), disc_radius(code))

    def aim(self, event: Event) -> Aim | None:
        """Return the unit that fires at, suppresses or locks another, and its target. MC-073, MC-081, MC-086.

        Placing a marker after a roll costs nothing more, so the aim belongs to the roll.
        """
        if event.kind not in AIMS or not event.result["cost"]:
            return None
        what, success = AIMS[event.kind]
        done = bool(event.result[success]) if success else True
        return Aim(what, event.unit or "", event.target or "", done)

    def held(self, event: Event) -> tuple[int, int] | None:
        """Return the claimed beacon and the side claiming it. MC-124."""
        return (event.number("objective"), event.number("side")) if event.kind == "beacon-claimed" else None

    def points_given(self, event: Event) -> tuple[int, int] | None:
        """Return a player turn's side and action points. MC-033."""
        return (event.number("side"), event.number("points")) if event.kind == "points-rolled" else None

    def points_spent(self, event: Event) -> int:
        """Return an action's cost in action points. MC-036."""
        return event.number("cost") if "cost" in event.result else 0


WHAT = {"shot-rolled": "hit", "suppression-rolled": "hit", "repair-rolled": "repair", "charge-rolled": "charge"}


def trial_of(event: Event) -> Trial | None:
    """Return the die of a shot (MC-073), a repair (MC-090) or a charge (MC-125); None for other events."""
    if event.kind not in WHAT:
        return None
    return Trial(
        what=WHAT[event.kind],
        unit=event.unit or "",
        dice=1,
        successes=int(event.total >= event.number("number")),
        chance=Fraction(sum(face + event.added >= event.number("number") for face in range(1, 7)), 6),
    )


FACES = range(1, 7)
WITHIN, BEYOND = "within", "beyond"
COVER, HEIGHT, LOCK = "cover", "height", "lock"
RANGES = ((WITHIN, "12″ or less"), (BEYOND, "more than 12″"))
HELP_CHOICES = (
    (COVER, "the target is in cover"),
    (HEIGHT, "from higher ground"),
    (LOCK, "a friend’s lock is on the target"),
)
MIDDLE, APART, SMALL = c.TABLE_SIZE // 2, 600, 100  # shooter's place, target's distance, radius of a piece
CAVEAT = "Any lock marked on the target counts as a friend’s. The attacker’s own lock doesn’t help."
SUPPRESSED, LOCKED = "suppressed", "locked"  # lines on the card
SPARE_FACES = 8  # enough faces for the rolls after a hit


def shot_terms(given: Setup, shooter: str) -> ShotTerms | None:
    """Return what a shot by that unit depends on; None if the set-up doesn't have it. MC-070 to MC-079."""
    if shooter not in (each.unit.key for each in setup.field_units(given)):
        return None
    return ShotTerms(weapons=(), ranges=RANGES, helps=HELP_CHOICES, caveat=CAVEAT)


def calculate_shot(asked: ShotQuestion, state: State) -> Shot | None:
    """Return the shot, fired by the rules for each face of the die; None if it can't be fired.

    Units and terrain are placed as in the question.
    """
    keys = [each.unit.key for each in setup.field_units(asked.setup)]
    i, e = keys.index(asked.shooter), keys.index(asked.target)
    u, t = state.units[i], state.units[e]
    if asked.marks_on(asked.shooter).of(SUPPRESSED):  # it can only recover. MC-083
        return None
    is_locked = LOCK in asked.helps or asked.marks_on(asked.target).of(LOCKED)
    u.x = t.x = u.y = MIDDLE
    t.y = MIDDLE + (APART if asked.range == WITHIN else c.REACH + SMALL)
    u.face_x, u.face_y = 0, 1
    state.discs.clear()
    if COVER in asked.helps:
        state.discs.append(Disc(c.RUBBLE, t.x, t.y, SMALL))
    if HEIGHT in asked.helps:
        state.discs.append(Disc(c.HILL, u.x, u.y, SMALL))
    state.battle.discs = len(state.discs)
    if not in_reach(u.x, u.y, t.x, t.y) or line(state, u.kind, u.x, u.y, t.kind, t.x, t.y) == UNSEEN:
        return None
    made, log = 0, Log()
    for face in FACES:
        t.damage, t.status = 0, c.TABLE
        t.lock = e if is_locked else c.NOBODY  # placed by some unit other than the shooter
        log = []
        shoot(state, i, e, 1, ScriptedDice([face] * SPARE_FACES), log)
        made += log[0][1]["hit"]
    event = events.FACTS.events(log[:1], keys, "turn-began")[0]
    return Shot(
        number=event.number("number"),
        modifiers=event.modifiers,
        rule=event.rule,
        dice=1,
        chance=Fraction(made, len(FACES)),
    )
