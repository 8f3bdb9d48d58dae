"""The number that a shot at a live table needs, calculated by the rules that battles use."""

from __future__ import annotations

from fractions import Fraction

from systems.engine.dice import Log, ScriptedDice
from systems.mech_campaign.battle import events, setup
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules.shooting import UNSEEN, in_reach, line, shoot
from systems.mech_campaign.battle.state import Disc, State
from systems.setups import Setup
from systems.shots import Shot, ShotQuestion, ShotTerms

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
CAVEAT = "A lock that is marked counts as a friend’s: one that the shooter has placed itself gives nothing."
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
