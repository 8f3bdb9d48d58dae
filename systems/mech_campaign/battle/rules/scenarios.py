"""Special actions, elimination, resolve, retreat, and the winner. MC-095 to MC-103, MC-120 to MC-125."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules.facts import count_active_units, end_of_units, first_unit, is_near_objective
from systems.mech_campaign.battle.state import State


def end_battle(s: State, winner: int, reason: int) -> None:
    """End the battle; nothing more is rolled after this. MC-102, MC-120, MC-121."""
    b = s.battle
    b.over = 1
    b.winner = winner
    b.reason = reason


def resolve_score(face: int, bonus: int, lost: int) -> int:
    """Return a resolve roll's result; below 1 the force retreats. MC-101, MC-102."""
    return face + bonus - lost


def check_resolve(s: State, side: int, dice: Dice, log: Log) -> None:
    """Test the resolve of a side that lost a unit; without any units left it has lost. MC-101 to MC-103."""
    b = s.battle
    if count_active_units(s, side) == 0:
        end_battle(s, 1 - side, c.WIPED_OUT)
        return
    face = roll(dice, 6)
    lost = s.sides[side].lost
    score = resolve_score(face, b.resolve_bonus, lost)
    note(
        log,
        "resolve-rolled",
        side=side,
        face=face,
        bonus=b.resolve_bonus,
        losses=-lost,
        score=score,
        retreats=score < 1,
    )
    if score < 1:
        end_battle(s, 1 - side, c.RETREAT)


def eliminate(s: State, e: int, by: int, dice: Dice, log: Log) -> None:
    """Remove unit e with its markers, and test its owner's resolve. MC-100, MC-101."""
    t = s.units[e]
    t.status = c.DEAD
    t.suppression = 0
    t.lock = c.NOBODY
    t.killer = by
    s.units[by].kills += 1
    s.sides[t.side].lost += 1
    note(log, "unit-eliminated", unit=e, by=by, lost=s.sides[t.side].lost)
    check_resolve(s, t.side, dice, log)


CHARGE_NEED = 4  # ledger 2.12


def has_objective(s: State, side: int, o: int) -> bool:
    """Return True if the scenario gives a side a task at an objective. Ledger 2.12, MC-124, MC-125."""
    if s.battle.scenario == c.SURVEY_BEACONS:
        return s.objectives[o].holder != side
    return s.battle.scenario == c.SABOTAGE and side == c.SIDE_A


def can_do_special(s: State, i: int, o: int) -> bool:
    """Return True if unit i can take the scenario's special action at objective o from where it is. MC-095, MC-096."""
    u = s.units[i]
    return bool(u.can_special and has_objective(s, u.side, o) and is_near_objective(s, i, o, c.SPECIAL_REACH))


def do_special(s: State, i: int, o: int, cost: int, dice: Dice, log: Log) -> None:
    """Carry out an allowed special action. MC-095, MC-124, MC-125."""
    u = s.units[i]
    if s.battle.scenario == c.SURVEY_BEACONS:
        s.objectives[o].holder = u.side
        u.specials += 1
        note(log, "beacon-claimed", unit=i, cost=cost, objective=o, side=u.side)
        return
    face = roll(dice, 6)
    if face >= CHARGE_NEED:
        s.battle.charges += 1
        u.specials += 1
    note(
        log,
        "charge-rolled",
        unit=i,
        cost=cost,
        face=face,
        number=CHARGE_NEED,
        success=face >= CHARGE_NEED,
        charges=s.battle.charges,
    )
    if s.battle.charges == c.CHARGES:
        end_battle(s, c.SIDE_A, c.SABOTAGED)


def score_beacons(s: State, log: Log) -> None:
    """Score a beacon point for every beacon held at the end of a game turn. MC-124."""
    for o in range(s.battle.objectives):
        if s.objectives[o].holder != c.NOBODY:
            s.sides[s.objectives[o].holder].beacon_points += 1
    note(log, "beacons-scored", points_a=s.sides[c.SIDE_A].beacon_points, points_b=s.sides[c.SIDE_B].beacon_points)


def total_damage(s: State, side: int) -> int:
    """Return the total damage on a side's surviving units. MC-123."""
    total = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        if s.units[i].status != c.DEAD:
            total += s.units[i].damage
    return total


def side_with_more(own: int, theirs: int) -> int:
    """Return the side that has more; NOBODY if equal."""
    if own == theirs:
        return c.NOBODY
    return c.SIDE_A if own > theirs else c.SIDE_B


def call_time(s: State) -> None:
    """End the game at its turn limit. MC-122 to MC-125."""
    b = s.battle
    if b.scenario == c.SABOTAGE:
        b.decided_by = c.BY_HOLDING
        end_battle(s, c.SIDE_B, c.TIME)
        return
    winner = c.NOBODY
    if b.scenario == c.SURVEY_BEACONS:
        b.decided_by = c.BY_BEACONS
        winner = side_with_more(s.sides[c.SIDE_A].beacon_points, s.sides[c.SIDE_B].beacon_points)
    if winner == c.NOBODY:
        b.decided_by = c.BY_LOSSES
        winner = side_with_more(s.sides[c.SIDE_B].lost, s.sides[c.SIDE_A].lost)
    if winner == c.NOBODY:
        b.decided_by = c.BY_DAMAGE
        winner = side_with_more(total_damage(s, c.SIDE_B), total_damage(s, c.SIDE_A))
    if winner == c.NOBODY:
        b.decided_by = 0
    end_battle(s, winner, c.TIME)
