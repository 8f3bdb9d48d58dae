"""Scenarios: the table before the first turn, special actions, elimination, resolve, retreat, and the winner.

Terrain, first turn, deployment: MC-020 to MC-027, MC-031. The rest: MC-095 to MC-103, MC-120 to MC-125.
"""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules import count_active_units, end_of_units, first_unit, is_near_objective
from systems.mech_campaign.battle.state import Battle, State


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


MIDDLE_ROW = 1


def disc_kind(row: int, face: int) -> int:
    """Return the terrain that a die face gives a sector in a row; 0: open ground. MC-022, ledger 2.10."""
    if row == MIDDLE_ROW:
        if face == 1:
            return 0
        if face <= 3:
            return c.RUBBLE
        return c.HILL if face <= 5 else c.WORKS
    if face <= 2:
        return 0
    return c.RUBBLE if face <= 4 else c.HILL


def disc_radius(kind: int) -> int:
    """Return the radius of a kind of disc. Ledger 2.9."""
    if kind == c.RUBBLE:
        return 300
    return 350 if kind == c.HILL else 200


def place_disc(s: State, kind: int, x: int, y: int) -> None:
    """Add a disc to the table."""
    disc = s.discs[s.battle.discs]
    disc.kind = kind
    disc.x = x
    disc.y = y
    disc.radius = disc_radius(kind)
    s.battle.discs += 1


def roll_terrain(s: State, dice: Dice, log: Log) -> None:
    """Roll each sector's terrain, and the centre of its disc. MC-021, MC-022."""
    wide = s.battle.table // 3
    for sector in range(c.SECTORS):
        row = sector // 3
        face = roll(dice, 6)
        kind = disc_kind(row, face)
        if kind == 0:
            note(log, "terrain-rolled", sector=sector + 1, face1=face)
            continue
        right = roll(dice, 6)
        up = roll(dice, 6)
        x = wide * (sector % 3) + wide // 2 + 100 * right - 350
        y = wide * (2 - row) + wide // 2 + 100 * up - 350
        note(log, "terrain-rolled", sector=sector + 1, face1=face, face2=right, face3=up, disc=kind, x=x, y=y)
        place_disc(s, kind, x, y)


def roll_first(s: State, dice: Dice, log: Log) -> None:
    """Decide which side has the first player turn of every game turn; in Sabotage the attacker. MC-031, MC-D08."""
    b = s.battle
    if b.scenario == c.SABOTAGE:
        b.first = c.SIDE_A
    while b.first == c.NOBODY:
        own = roll(dice, 6)
        theirs = roll(dice, 6)
        if own != theirs:
            b.first = c.SIDE_A if own > theirs else c.SIDE_B
        note(log, "first-rolled", face1=own, face2=theirs, first=b.first)


def starts_underground(s: State, i: int) -> bool:
    """Return True for a track whose side starts its tracks underground. MC-027, ledger 6.4."""
    return s.units[i].kind == c.TRACK and s.sides[s.units[i].side].ambush == 1


def place_in_line(b: Battle, at: int, count: int) -> int:
    """Return the distance from the left end of the `at`-th unit (from 0) in a row of `count`. Ledger 6.4."""
    return b.table * (2 * at + 1) // (2 * count)


def deployment_depth(b: Battle, is_sentry: int) -> int:
    """Return a unit's distance from its edge at set-up. MC-024, ledger 6.4.

    This is 4 of the book's 6 in; gun sentries are as far out as allowed.
    """
    return 2 * b.zone if is_sentry else 2 * b.zone // 3


def deploy(s: State, side: int, log: Log) -> None:
    """Set up a side: ground units in a row, gun sentries in front, drones away. MC-024 to MC-027, ledger 6.4."""
    row = 0
    sentries = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if u.placed or u.kind == c.DRONE or starts_underground(s, i):
            continue
        if u.kind == c.SENTRY:
            sentries += 1
        else:
            row += 1
    at = 0
    sentry_at = 0
    for i in range(first_unit(s.battle, side), end_of_units(s.battle, side)):
        u = s.units[i]
        if u.placed == 0:
            u.face_x = 0
            u.face_y = 1 if side == c.SIDE_A else -1
            u.x = 0
            u.y = 0
            if u.kind == c.DRONE:
                u.status = c.AWAY
            elif starts_underground(s, i):
                u.status = c.UNDER
            else:
                u.status = c.TABLE
                u.y = deployment_depth(s.battle, 1 if u.kind == c.SENTRY else 0)
                if u.kind == c.SENTRY:
                    u.x = place_in_line(s.battle, sentry_at, sentries)
                    sentry_at += 1
                else:
                    u.x = place_in_line(s.battle, at, row)
                    at += 1
                if side == c.SIDE_B:
                    u.x = s.battle.table - u.x
                    u.y = s.battle.table - u.y
        note(log, "unit-deployed", unit=i, status=u.status, x=u.x, y=u.y, ahead_x=u.face_x, ahead_y=u.face_y)


def set_up(s: State, dice: Dice, log: Log) -> None:
    """Do everything before the first turn, in the order of its dice. Ledger 6.3."""
    if s.battle.is_rolled:
        roll_terrain(s, dice, log)
    roll_first(s, dice, log)
    deploy(s, c.SIDE_A, log)
    deploy(s, c.SIDE_B, log)
