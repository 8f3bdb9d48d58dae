"""The effects of an attack: armour saves, damage, stun, Cover, destruction. ST-140 to ST-151, ST-304 to ST-308, ST-343."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note, roll
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.log_notes import other_dice
from systems.mechastellar.battle.rules import count_units, is_shut_down, mark_engaged, partner_of
from systems.mechastellar.battle.rules.resources import BIG_HIT, BIG_HIT_SCORE, is_singled_out, rout, score_loss
from systems.mechastellar.battle.rules.skills import roll_others
from systems.mechastellar.battle.state import Clash, State

SAVE_DAMAGE = 1000
FINISHING_DAMAGE = 1000
RECOVERY_DICE, RECOVERY = 3, 5


def saves_of(unblocked: int) -> int:
    """Return how many armour saves are rolled for unblocked Hits by a weapon with a PEN. ST-141."""
    return min(c.MAX_SAVES, unblocked)


def is_saved(face: int, bonus: int, pen: int) -> bool:
    """Return True if an armour save passes. ST-141, ST-264, ST-D20."""
    return face + bonus >= pen


def damage_of(unblocked: int, dmg: int, fails: int, finisher: int) -> int:
    """Return an attack's damage. ST-140, ST-142, ST-147, ST-D19."""
    return unblocked * dmg + SAVE_DAMAGE * fails + (FINISHING_DAMAGE * finisher if unblocked >= c.FINISHING else 0)


def roll_saves(s: State, p: Clash, dice: Dice, log: Log) -> None:
    """Roll the armour saves against an attack. ST-141, ST-143, ST-144."""
    p.fails = 0
    if p.pen == 0 or p.unblocked == 0:
        return
    saves = saves_of(p.unblocked)
    roll_others(s, saves, dice)
    for at in range(saves):
        if not is_saved(s.faces[at].other, p.save_bonus, p.pen):
            p.fails += 1
    note(
        log,
        "saves-rolled",
        other_dice(s, saves),
        unit=p.target,
        pen=p.pen,
        tag=p.tag,
        bonus=p.save_bonus,
        fails=p.fails,
    )


def stun(s: State, i: int, fails: int, log: Log) -> None:
    """Apply failed saves against a stun weapon: Havoc is lost first, then Power, then Actions. ST-306, ST-307."""
    u = s.units[i]
    for _ in range(fails):
        if u.havoc > 0:
            u.havoc -= 1
        elif u.power > 0:
            u.power -= 1
        else:
            u.penalties += 1
    note(
        log,
        "unit-stunned",
        unit=i,
        fails=fails,
        penalties=u.penalties,
        power=u.power,
        havoc=u.havoc,
        down=is_shut_down(u),
    )


def hurt(s: State, i: int, damage: int, by: int) -> None:
    """Damage unit i. ST-140."""
    u = s.units[i]
    u.hp -= damage
    u.damage += damage
    if by >= 0:
        s.units[by].dealt += damage


def deal(s: State, p: Clash, log: Log) -> None:
    """Deal an attack's damage. ST-140 to ST-147, ST-306, ST-378, ST-D17."""
    fails = p.fails if p.tag == c.NO_TAG or s.battle.tagged_damage else 0
    p.damage = damage_of(p.unblocked, p.dmg, fails, p.finisher)
    hurt(s, p.target, p.damage, p.unit)
    note(
        log,
        "damage-taken",
        unit=p.target,
        target=p.unit,
        unblocked=p.unblocked,
        dmg=p.dmg,
        fails=fails,
        finishing=FINISHING_DAMAGE * p.finisher if p.unblocked >= c.FINISHING else 0,
        damage=p.damage,
        left=max(0, s.units[p.target].hp),
    )
    if p.tag == c.STUNS and p.fails:
        stun(s, p.target, p.fails, log)
    if p.counter == 0:
        score_big_hit(s, p, log)


def score_big_hit(s: State, p: Clash, log: Log) -> None:
    """Score an attack action that reaches 10,000 damage, over all its targets, with this one. ST-378."""
    before = p.dealt
    p.dealt += p.damage
    if before >= BIG_HIT or p.dealt < BIG_HIT:
        return
    u = s.units[p.unit]
    u.scored += BIG_HIT_SCORE
    s.sides[u.side].score += BIG_HIT_SCORE
    s.sides[u.side].big_hits += 1
    note(log, "big-hit-scored", unit=p.unit, target=p.target, damage=p.dealt, score=BIG_HIT_SCORE)


def breaks(face: int, dmg: int) -> bool:
    """Return True if a weapon with that DMG destroys a piece of Cover. ST-343, ST-D65."""
    return face * 100 < dmg


def check_cover(s: State, k: int, dmg: int, dice: Dice, log: Log) -> None:
    """Check whether the piece of Cover that applied is destroyed. ST-343, ST-344, ST-346."""
    disc = s.discs[k]
    face = roll(dice, 10)
    gone = disc.destructible == 1 and breaks(face, dmg)
    if gone:
        disc.gone = 1
    note(log, "cover-checked", face=face, disc=k, dmg=dmg, gone=gone)


def destroy(s: State, i: int, by: int, dice: Dice, log: Log) -> None:
    """Remove unit i, which has no HP left; the other side scores; friends may rout. ST-150, ST-151, ST-248, ST-373."""
    u = s.units[i]
    if by >= 0 and s.battle.advanced and partner_of(s, by) == i:
        s.units[by].duels += 1
    u.status = c.DESTROYED
    u.killer = by
    u.locked = 0
    if by >= 0 and s.units[by].side != u.side:
        s.units[by].kills += 1
    singled = is_singled_out(s, i)
    score = score_loss(s, i, by)
    mark_engaged(s)
    note(log, "unit-destroyed", unit=i, by=by, score=score, side=1 - u.side, singled=singled)
    if u.tests:
        for k in range(count_units(s)):
            if k != i and s.units[k].side == u.side and s.units[k].status == c.STANDS:
                rout(s, k, i, 0, dice, log)


def recover(s: State, i: int, dice: Dice, log: Log) -> None:
    """Let a unit with penalties try to remove them at the end of its turn. ST-308."""
    u = s.units[i]
    if u.penalties == 0:
        return
    roll_others(s, RECOVERY_DICE, dice)
    for at in range(RECOVERY_DICE):
        if s.faces[at].other >= RECOVERY and u.penalties > 0:
            u.penalties -= 1
    note(log, "unit-recovered", other_dice(s, RECOVERY_DICE), unit=i, penalties=u.penalties)
