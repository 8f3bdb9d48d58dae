"""The table before the first turn: terrain, first turn, deployment. MC-020 to MC-027, MC-031."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.rules.facts import end_of_units, first_unit
from systems.mech_campaign.battle.state import Battle, State

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
