"""One attack from declaration to results, with both AIs' choices. Ledger 6.4, 6.9."""

from __future__ import annotations

from systems.engine.dice import Dice, Log, note
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import (
    choose_attack_bonus,
    choose_defence_bonus,
    consider_daunt,
    consider_trust,
    parry,
    press,
    spend_power,
    value_now,
)
from systems.mechastellar.battle.ai_advanced import (
    consider_breach,
    consider_revenge,
    consider_sacrifice,
    consider_tactical,
    further_target,
)
from systems.mechastellar.battle.rules import are_engaged, count_units, distance, is_shut_down
from systems.mechastellar.battle.rules.attacks import (
    choose_bonus,
    choose_reply,
    face_enemy,
    face_off,
    face_off_as,
    is_blind,
    roll_pools,
)
from systems.mechastellar.battle.rules.damage import check_cover, deal, destroy, roll_saves
from systems.mechastellar.battle.rules.movement import crumble, transform
from systems.mechastellar.battle.rules.resources import CRASH_STEP, price
from systems.mechastellar.battle.rules.special import (
    blast,
    crash_end,
    crash_into,
    distance_to_piece,
    end_crash,
    is_met_before,
    let_fall,
    next_struck,
    piece_on_line,
    push,
    ready_special,
    second_on_line,
)
from systems.mechastellar.battle.rules.targets import can_counter
from systems.mechastellar.battle.rules.warships import abandon, empty_weapon
from systems.mechastellar.battle.state import Clash, State


def bury(s: State, i: int, by: int, dice: Dice, log: Log) -> None:
    """Destroy a unit that has no HP left, with everything that follows. ST-150, ST-248, ST-251, ST-D89."""
    u = s.units[i]
    if u.hp > 0 or u.status == c.DESTROYED:
        return
    destroy(s, i, by, dice, log)
    consider_daunt(s, 1 - u.side, i, dice, log)
    if s.battle.advanced:
        if u.kind == c.WARSHIP:
            abandon(s, i, dice, log)
        consider_revenge(s, i, by, log)


def bury_all(s: State, by: int, dice: Dice, log: Log) -> None:
    """Call `bury` for every unit, because collisions and wrecks may leave others without HP."""
    for i in range(count_units(s)):
        bury(s, i, by, dice, log)


def add_crash_steps(s: State, p: Clash, log: Log) -> None:
    """Spend Havoc on a crash's DMG after the roll. ST-231, ledger 6.9."""
    u = s.units[p.unit]
    while u.havoc >= price(u.steps_crash):
        more = value_now(s, p, p.total, p.against, p.dmg + CRASH_STEP, p.save_bonus)
        if more <= value_now(s, p, p.total, p.against, p.dmg, p.save_bonus) + c.SAME:
            break
        u.havoc -= price(u.steps_crash)
        u.steps_crash += 1
        p.dmg += CRASH_STEP
        note(log, "havoc-spent", unit=p.unit, step=c.STEP_CRASH, left=u.havoc)


def jam(s: State, p: Clash, log: Log) -> None:
    """Permanently take a die from the remote weapon for every 10 in an ace's Evade roll. ST-331."""
    v = s.units[p.target]
    if p.manner != c.REMOTE or v.elite == 0 or v.level < 2:
        return
    tens = 0
    for at in range(p.guard_dice):
        if s.faces[at].guard == 10:
            tens += 1
    if tens:
        w = s.weapons[p.weapon]
        w.dice = max(0, w.dice - tens)
        note(log, "remote-jammed", unit=p.target, target=p.unit, tens=tens, left=w.dice)


def strike(s: State, p: Clash, dice: Dice, log: Log) -> None:
    """Apply saves, damage and pushes from the unblocked Hits. ST-115, ST-140, ST-146, ST-310."""
    p.unblocked = max(0, p.total - p.against)
    p.fails = 0
    p.damage = 0
    p.pushed = 0
    if p.unblocked == 0:
        note(log, "attack-blocked", unit=p.unit, target=p.target, total=p.total, against=p.against)
        return
    roll_saves(s, p, dice, log)
    if s.battle.advanced:
        consider_sacrifice(s, p, log)
    deal(s, p, log)
    if s.battle.advanced and p.tag == c.PUSHES and p.fails:
        push(s, p, log)


def resolve(s: State, k: int, keeps: int, dice: Dice, log: Log) -> None:
    """Resolve clash k from the dice to the end. Ledger 6.4 steps 6 to 11.

    `keeps`: the previous target's attack dice are kept.
    """
    p = s.clashes[k]
    roll_pools(s, p, keeps, dice, log)
    if s.battle.advanced:
        if p.manner == c.CRASH:
            add_crash_steps(s, p, log)
        if p.counter == 0 and keeps == 0:
            consider_tactical(s, p, log)
        jam(s, p, log)
    if keeps == 0 and not is_blind(p):
        press(s, p, dice, log)
    consider_trust(s, s.units[p.target].side, dice, log)
    parry(s, p, dice, log)
    strike(s, p, dice, log)
    if p.item == c.COVER and p.manner != c.STRIP:
        check_cover(s, p.disc, p.dmg, dice, log)
        if s.discs[p.disc].gone:
            crumble(s, p.disc, log)
    bury(s, p.target, p.unit, dice, log)
    if s.battle.advanced:
        if p.pushed:
            bury_all(s, p.unit, dice, log)
        if p.melee and s.units[p.target].status == c.STANDS:
            transform(s, p.target, 0, log)


def answer(s: State, weapon: int, penalty: int, engaged: int, dice: Dice, log: Log) -> None:
    """Make the counter to the main attack with a weapon, if still allowed. ST-167 to ST-169, ST-D53, ST-D82.

    `engaged`: the two were engaged when the counter was declared, so a push out of engagement range cancels it.
    """
    p = s.clashes[c.MAIN]
    u = s.units[p.unit]
    v = s.units[p.target]
    if u.status != c.STANDS or v.status != c.STANDS or is_shut_down(v):
        return
    is_out = p.pushed and engaged and not are_engaged(u, v)
    if is_out or not can_counter(s, p.target, weapon, p.unit, 1 - p.melee):
        if p.pushed:
            note(log, "counter-lost", unit=p.target, target=p.unit)
        return
    face_off(s, c.ANSWER, p.target, weapon, p.unit, v.x, v.y, 1, 0)
    back = s.clashes[c.ANSWER]
    back.hits += back.penalty - penalty
    back.penalty = penalty
    note(log, "counter-made", unit=p.target, target=p.unit, arm=weapon - v.weapon, penalty=penalty)
    if back.melee:
        face_enemy(s, back)
    resolve(s, c.ANSWER, 0, dice, log)


def reckon(s: State, i: int, weapon: int, e: int, point_blank: int, manner: int) -> None:
    """Calculate both sides' numbers for the main attack."""
    u = s.units[i]
    if manner == c.PLAIN:
        face_off(s, c.MAIN, i, weapon, e, u.x, u.y, 0, point_blank)
    else:
        face_off_as(s, c.MAIN, i, weapon, e, u.x, u.y, 0, manner)


def reply_to(s: State, keeps: int, dice: Dice, log: Log) -> None:
    """Reply to the main attack once its bonus is chosen, resolve it, perhaps counter. Ledger 6.4 steps 3 to 12."""
    p = s.clashes[c.MAIN]
    u = s.units[p.unit]
    v = s.units[p.target]
    engaged = 1 if are_engaged(u, v) else 0
    reply, weapon = choose_defence_bonus(s, p)
    choose_reply(p, reply)
    if reply:
        note(log, "defence-declared", unit=p.target, target=p.unit, reply=reply)
    if reply == c.COUNTER and p.bonus == c.POWER_BONUS:
        answer(s, weapon, s.battle.counter_penalty, engaged, dice, log)
        if u.status != c.STANDS or is_shut_down(u):
            note(log, "attack-lost", unit=p.unit, target=p.target)
            return
    resolve(s, c.MAIN, keeps, dice, log)
    if reply == c.COUNTER and p.bonus != c.POWER_BONUS:
        intuition = p.flash == 1 and v.elite == 1 and v.level == 2
        answer(s, weapon, 0 if intuition else s.battle.counter_penalty, engaged, dice, log)


def attack(s: State, i: int, weapon: int, e: int, point_blank: int, manner: int, dice: Dice, log: Log) -> None:
    """Attack e with one of unit i's weapons without moving, as an attack action."""
    s.clashes[c.MAIN].dealt = 0
    attack_one(s, i, weapon, e, point_blank, manner, dice, log)


def attack_one(s: State, i: int, weapon: int, e: int, point_blank: int, manner: int, dice: Dice, log: Log) -> None:
    """Make one attack of an attack action, with its own dice and choices."""
    u = s.units[i]
    p = s.clashes[c.MAIN]
    u.attacked |= 1 << e
    u.struck = 1
    reckon(s, i, weapon, e, point_blank, manner)
    if p.melee:
        face_enemy(s, p)
    if s.battle.advanced and manner != c.STRIP and consider_breach(s, p, dice, log):
        reckon(s, i, weapon, e, point_blank, manner)
    choose_bonus(s, p, choose_attack_bonus(s, p))
    note(
        log,
        "attack-declared",
        unit=i,
        target=e,
        arm=weapon - u.weapon if weapon != s.battle.special else c.NOBODY,
        manner=manner,
        bonus=p.bonus,
        blindside=p.blindside,
        lock=p.lock,
    )
    spend_power(s, p, log)
    empty_weapon(s, i, weapon)
    reply_to(s, 0, dice, log)


def attack_again(s: State, i: int, weapon: int, e: int, bonus: int, manner: int, dice: Dice, log: Log) -> None:
    """Attack another target: same dice, its own defence, and the Power spent on the first. ST-320, ST-321."""
    u = s.units[i]
    p = s.clashes[c.MAIN]
    u.attacked |= 1 << e
    reckon(s, i, weapon, e, 0, manner)
    choose_bonus(s, p, bonus if bonus != c.POWER_BONUS else c.NO_BONUS)
    note(log, "further-target", unit=i, target=e, arm=weapon - u.weapon, manner=manner)
    reply_to(s, 1, dice, log)


def attack_several(s: State, i: int, weapon: int, e: int, dice: Dice, log: Log) -> None:
    """Attack e, then the nearest others, with a multi-target weapon. ST-320, ledger 6.9."""
    attack(s, i, weapon, e, 0, c.PLAIN, dice, log)
    bonus = s.clashes[c.MAIN].bonus
    struck = 1 << e
    for _ in range(s.weapons[weapon].targets - 1):
        k = further_target(s, i, weapon, struck)
        if k == c.NOBODY or s.units[i].status != c.STANDS or is_shut_down(s.units[i]):
            return
        struck |= 1 << k
        attack_again(s, i, weapon, k, bonus, c.PLAIN, dice, log)


def attack_area(s: State, i: int, weapon: int, e: int, dice: Dice, log: Log) -> None:
    """Make an area attack aimed at e: one roll against each unit in the area, nearest first. ST-323, ST-325, ST-D67."""
    reach = blast(s, i, weapon, e, s.weapons[weapon].dmg, dice, log)
    struck = 0
    bonus = c.NO_BONUS
    k = next_struck(s, i, weapon, e, struck, reach)
    while k >= 0 and s.units[i].status == c.STANDS and not is_shut_down(s.units[i]):
        if struck == 0:
            attack(s, i, weapon, k, 0, c.STRIP, dice, log)
            bonus = s.clashes[c.MAIN].bonus
        else:
            attack_again(s, i, weapon, k, bonus, c.STRIP, dice, log)
        struck |= 1 << k
        k = next_struck(s, i, weapon, e, struck, reach)
    let_fall(s, log)


def crash(s: State, i: int, e: int, dice: Dice, log: Log) -> None:
    """Crash unit i through e, and one more enemy or piece, in the order in which it meets them. ST-193, ST-D40."""
    u = s.units[i]
    x, y = crash_end(s, i, e)
    second = second_on_line(s, i, e, x, y)
    piece = piece_on_line(s, i, x, y) if second == c.NOBODY else c.NOBODY
    far = distance(s, i, e)
    s.clashes[c.MAIN].dealt = 0
    if second >= 0 and is_met_before(u, s.units[second].x, s.units[second].y, x, y, far):
        strike_on_way(s, i, second, dice, log)
        strike_on_way(s, i, e, dice, log)
    elif piece >= 0 and distance_to_piece(u, s.discs[piece], x, y) < far - c.NEAR:
        crash_into(s, i, piece, dice, log)
        strike_on_way(s, i, e, dice, log)
    else:
        strike_on_way(s, i, e, dice, log)
        if second >= 0:
            strike_on_way(s, i, second, dice, log)
        if piece >= 0 and u.status == c.STANDS:
            crash_into(s, i, piece, dice, log)
    if u.status == c.STANDS:
        end_crash(s, i, x, y, log)


def strike_on_way(s: State, i: int, e: int, dice: Dice, log: Log) -> None:
    """Let unit i's crash hit e, if both are still there. ST-193."""
    if s.units[i].status == c.STANDS and s.units[e].status == c.STANDS:
        attack_one(s, i, ready_special(s, i, c.CRASH), e, 0, c.CRASH, dice, log)
