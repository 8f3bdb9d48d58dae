"""Mission Versus: control points and victory points. ST-360 to ST-382, ST-D56 to ST-D60."""

from __future__ import annotations

from systems.engine.dice import Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.rules.facts import count_units, end_of_units, first_unit, holds_point, is_within
from systems.mechastellar.battle.rules.resources import gain
from systems.mechastellar.battle.state import State, Unit

POINT_MOMENTUM = 2
BIG_HIT, BIG_HIT_SCORE = 10000, 10
BIG_LOSS, BIG_LOSS_SCORE, HALF_LOST_SCORE = 300, 3, 2
LEVEL_SCORE = 5


def performance_score(performance: int) -> int:
    """Return the VP for a unit with this Performance. ST-375."""
    if performance >= 10:
        return 3
    if performance >= 8:
        return 2
    return 1 if performance >= 5 else 0


def destruction_points(frame: int, level: int, performance: int) -> int:
    """Return the VP for a destroyed unit, before a Commander's; `level` is a pilot's or Kaiju's. ST-373 to ST-375."""
    return frame + LEVEL_SCORE * level + performance_score(performance)


def crippled_points(worth: int) -> int:
    """Return the VP for a survivor with less than half its HP. ST-376."""
    return (worth + 1) // 2


def is_crippled(u: Unit) -> bool:
    """Return True for a survivor with less than 50% of its HP. ST-376."""
    return u.status != c.DESTROYED and u.hp * 2 < u.full_hp


def capture(s: State, i: int, log: Log) -> None:
    """Take or contest the control points near unit i in its turn. ST-363 to ST-365."""
    u = s.units[i]
    for p in range(s.battle.points):
        point = s.points[p]
        if is_within(point.x, point.y, u.x, u.y, c.CAPTURE):
            owner = c.NOBODY if holds_point(s, p, 1 - u.side) else u.side
            if owner != point.owner:
                if owner == u.side:
                    u.captured += 1
                point.owner = owner
                note(log, "point-taken", unit=i, point=p, owner=owner)


def score_points(s: State, log: Log) -> None:
    """Check all control points at the end of a Round and score them for their owners. ST-366, ST-367, ST-D60."""
    for p in range(s.battle.points):
        point = s.points[p]
        a = holds_point(s, p, c.SIDE_A)
        b = holds_point(s, p, c.SIDE_B)
        owner = point.owner
        if a and b:
            owner = c.NOBODY
        elif a or b:
            owner = c.SIDE_A if a else c.SIDE_B
        if owner != point.owner:
            point.owner = owner
            note(log, "point-held", point=p, owner=owner)
    for side in range(2):
        owned = 0
        for p in range(s.battle.points):
            if s.points[p].owner == side:
                owned += 1
        if owned:
            gain(s, side, POINT_MOMENTUM * owned)
            s.sides[side].points_held += owned
            s.sides[side].score += s.battle.point_score * owned
            note(
                log,
                "points-paid",
                side=side,
                points=owned,
                pool=s.sides[side].momentum,
                score=s.battle.point_score * owned,
            )


def is_singled_out(s: State, i: int) -> bool:
    """Return True for a Commander and for a participant in a Challenge or Revenge. ST-377, ST-D58."""
    u = s.units[i]
    b = s.battle
    if s.sides[u.side].commander == i or b.challenger == i or b.challenged == i:
        return True
    for side in range(2):
        if s.sides[side].avenger == i or (s.sides[side].avenger >= 0 and s.sides[side].avenged_on == i):
            return True
    return False


def score_loss(s: State, i: int, by: int) -> int:
    """Score unit i's loss for unit `by`; return the VP. ST-373 to ST-375, ST-377."""
    u = s.units[i]
    score = u.worth + (s.battle.round if is_singled_out(s, i) else 0)
    s.sides[1 - u.side].score += score
    lost = s.sides[u.side]
    lost.lost += 1
    if u.cost >= BIG_LOSS:
        lost.lost_big += 1
    if by >= 0 and s.units[by].side != u.side:
        s.units[by].scored += score
    return score


def loss_penalty(units: int, lost: int, lost_big: int, finale: int) -> int:
    """Return the VP that a side loses for casualties; 0 in a campaign's last game. ST-380 to ST-382, ST-D59."""
    if finale:
        return 0
    penalty = BIG_LOSS_SCORE if lost_big else 0
    return penalty + (HALF_LOST_SCORE if lost * 2 >= units else 0)


def score_end(s: State, log: Log) -> None:
    """Score crippled survivors and casualty penalties at the end. ST-376, ST-380 to ST-382, ST-D90."""
    b = s.battle
    for i in range(count_units(s)):
        u = s.units[i]
        if is_crippled(u):
            score = crippled_points(u.worth)
            s.sides[1 - u.side].score += score
            note(log, "cripple-scored", unit=i, hp=u.hp, score=score, side=1 - u.side)
    for side in range(2):
        own = s.sides[side]
        units = end_of_units(b, side) - first_unit(b, side)
        penalty = loss_penalty(units, own.lost, own.lost_big, b.finale)
        casualties = loss_penalty(units, own.lost, 0, b.finale)
        own.score -= penalty
        if penalty > casualties:
            note(log, "losses-scored", side=side, lost=own.lost, big=own.lost_big, penalty=penalty - casualties)
        if casualties:
            note(log, "losses-scored", side=side, lost=own.lost, big=0, penalty=casualties)


def end_battle(s: State, reason: int, log: Log) -> None:
    """End the battle: the side with more VP wins. ST-370 to ST-372."""
    b = s.battle
    b.over = 1
    b.reason = reason
    score_end(s, log)
    a = s.sides[c.SIDE_A].score
    d = s.sides[c.SIDE_B].score
    if a != d:
        b.winner = c.SIDE_A if a > d else c.SIDE_B
    note(log, "battle-ended", winner=b.winner, reason=reason, rounds=b.round, score_a=a, score_b=d)
