"""The exact probabilities of battle, HX-P01 to HX-P26: every die of an attack is enumerated through the rules."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction as F

import pytest

from systems.engine.dice import OutOfDiceError, ScriptedDice
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules.attacks import attack, attack_building
from systems.hex_core.battle.rules.commands import kneel
from systems.hex_core.battle.rules.grapples import break_grapple, contest, d4, throw_damage
from systems.hex_core.battle.rules.movement import roll_hazards
from systems.hex_core.battle.rules.rounds import dispute, roll_off

from .tables import Table, example, foe, number, unit

CHANGING = ("units", "areas", "shots")


def tapes(played: Callable[[ScriptedDice], None]) -> Iterator[tuple[list[int], F]]:
    """Yield every possible row of dice with its chance."""
    waiting: list[list[int]] = [[]]
    while waiting:
        tape = waiting.pop()
        try:
            played(ScriptedDice(tape))
        except OutOfDiceError:
            waiting += [[*tape, face] for face in range(1, 9)]
        else:
            yield tape, F(1, 8 ** len(tape))


def chances(
    table: Callable[[], Table], rule: Callable[..., object], *args: object, result_of: Callable[[Table], object]
):
    """Return the chance of each result of a rule played on a table."""
    found: Counter[object] = Counter()
    t = table()
    parts = [getattr(t.state, name) for name in CHANGING]
    before = [[copy.copy(each) for each in part] for part in parts]

    def played(dice: ScriptedDice) -> None:
        t.log.clear()
        for part, records in zip(parts, before, strict=True):
            part[:] = [copy.copy(each) for each in records]
        rule(t.state, *args, dice, t.log)

    for _tape, chance in tapes(played):
        found[result_of(t)] += chance
    assert sum(found.values()) == 1
    return found


def damages(design="warden", target="warden", *, slot=0, facing=3, first=True, **more):
    """Return the chance of each amount of damage of one attack."""
    t_more = more.pop("table", {})
    ours = more.pop("unit", {})

    def table() -> Table:
        t = Table([unit(design, **ours)], [foe(target, facing=facing, **more)], pool=20, **t_more)
        t["a1"].shots = 0 if first else 1
        return t

    before = table().dp("b1")
    return chances(table, attack, 0, slot, 1, c.TORSO, result_of=lambda t: before - t.dp("b1"))


def added(*rows: Mapping[int, F]) -> Mapping[int, F]:
    """Return the chances of the summed damage of several attacks."""
    total: Mapping[int, F] = {0: F(1)}
    for row in rows:
        summed: Counter[int] = Counter()
        for one, chance in total.items():
            for other, also in row.items():
                summed[one + other] += chance * also
        total = summed
    return total


def at_least(row: Mapping[int, F], dp: int) -> F:
    return sum((chance for damage, chance in row.items() if damage >= dp), F(0))


def in_a_turn(base_ap: int, cost: int, dp: int, first: Mapping[int, F], later: Mapping[int, F]) -> F:
    """Return the chance that all attacks of a turn do at least this much damage."""
    total = F(0)
    for face in range(1, 9):
        number_of = (base_ap + face) // cost
        total += F(1, 8) * at_least(added(*([first] + [later] * (number_of - 1))[:number_of]), dp)
    return total


@pytest.mark.rule("HX-084", "HX-087", "HX-088", "HX-089", "HX-090")
def test_p01_to_p04_rifle_hits_warden():
    row = damages()
    assert 1 - row[0] == F(7, 16)
    assert (row[4], row[6]) == (F(49, 128), F(7, 128))
    assert sum(damage * chance for damage, chance in row.items()) == F(119, 64)


@pytest.mark.rule("HX-087", "HX-092")
def test_p02_and_p05_warden_evades_and_counters():
    def outcome_of(t: Table) -> tuple[bool, bool]:
        return any(each.result["made"] for each in t.events_of("evasion-rolled")), t.dp("a1") < 18

    row = chances(lambda: Table([unit()], [foe()], pool=7), attack, 0, 0, 1, c.TORSO, result_of=outcome_of)
    assert row[True, False] + row[True, True] == F(3, 16)
    assert row[True, True] == F(3, 128)


@pytest.mark.rule("HX-061", "HX-077")
def test_p06_to_p08_warden_shoots_wisp():
    front, flank = damages(target="wisp"), damages(target="wisp", facing=0)
    assert at_least(added(front, front, front), 10) == F(20375, 262144)
    assert in_a_turn(4, 3, 10, front, front) == F(965125, 16777216)
    assert in_a_turn(4, 3, 10, flank, flank) == F(89075, 524288)


@pytest.mark.rule("HX-051")
@pytest.mark.parametrize(
    ("target", "dp", "facing", "expected"),
    [("wisp", 10, 3, F(7123, 65536)), ("wisp", 10, 0, F(7967, 16384)), ("trooper", 9, 3, F(12091, 65536))],
)
def test_p09_to_p11_longbow_destroys_target(target, dp, facing, expected):
    first, later = (damages("longbow", target, facing=facing, first=is_first) for is_first in (True, False))
    assert in_a_turn(4, 5, dp, first, later) == expected


def grapple_odds(attacker: str) -> Mapping[object, F]:
    """Return the results of one pair of dice, with ties rolled again."""
    found: Counter[object] = Counter()
    t = Table([unit(attacker, (7, 7))], [foe()])
    for ours in range(1, 9):
        for theirs in range(1, 9):
            try:
                found[contest(t.state, 0, 1, ScriptedDice([ours, theirs]), t.log)] += F(1, 64)
            except OutOfDiceError:
                found[c.TIE] += F(1, 64)
    again = 1 - found.pop(c.TIE)
    return {result: chance / again for result, chance in found.items()}


@pytest.mark.rule("HX-122", "HX-123", "HX-126")
def test_p12_to_p15_mauler_grapples():
    mauler = grapple_odds("mauler")
    assert [mauler[each] for each in (c.WIN, c.BROKEN_CONTACT, c.NO_HOLD)] == [F(7, 9), F(1, 9), F(1, 9)]
    assert set(grapple_odds("warden").values()) == {F(1, 3)}
    t = Table([unit("mauler", (7, 7))], [foe()])
    thrown = [throw_damage(t.state, 1, t["a1"].klass + d4(face)) for face in range(1, 9)]
    assert mauler[c.WIN] * F(sum(damage >= 9 for damage in thrown), 8) == F(7, 18)
    assert mauler[c.WIN] * F(sum(thrown), 8) == F(56, 9)


@pytest.mark.rule("HX-101")
@pytest.mark.parametrize(("design", "expected"), [("warden", F(467, 512)), ("longbow", F(1721127, 2097152))])
def test_p16_and_p17_held_unit_breaks_free(design, expected):
    def table() -> Table:
        t = Table([unit(design, (7, 6))], [foe("mauler", (7, 6))], pool=4)
        t["a1"].held_by, t["b1"].holds = 1, 0
        return t

    row = chances(table, break_grapple, 0, result_of=lambda t: t["a1"].held_by < 0)
    free = sum(F(1, 8) * (1 - row[False] ** ((4 + face) // 2)) for face in range(1, 9))
    assert free == expected


@pytest.mark.rule("HX-158")
def test_p18_and_p19_kestrel_hits():
    row = damages("kestrel", unit={"level": 1})
    assert (1 - row[0], sum(damage * chance for damage, chance in row.items())) == (F(33, 64), F(1419, 512))
    trooper = damages("kestrel", "trooper", unit={"level": 1})
    assert in_a_turn(4, 4, 9, trooper, trooper) == F(207999, 1048576)


@pytest.mark.rule("HX-142", "HX-144")
@pytest.mark.parametrize(
    ("hexes", "expected"),
    [
        ({"green": [(7, 8)]}, F(9, 32)),
        ({"green": [(7, 8)], "black": [(7, 6)]}, F(13, 64)),
        ({"green": [(7, 9), (7, 7), (7, 5)]}, F(1, 8)),
    ],
)
def test_p20_woods_and_smoke_lower_hit_chance(hexes, expected):
    at = (7, 5) if (7, 5) in hexes["green"] else (7, 6)
    assert 1 - damages(at=at, table={"hexes": hexes})[0] == expected


@pytest.mark.rule("HX-160", "HX-161")
@pytest.mark.parametrize(("colour", "expected"), [("light-blue", F(3, 8)), ("dark-blue", F(5, 16))])
def test_p21_water_lowers_hit_chance(colour, expected):
    spec = example("warden", mods=["range-finder"])  # the levels between the two count as distance
    assert 1 - damages(spec, "pike", table={"hexes": {colour: [(7, 6)]}})[0] == expected


@pytest.mark.rule("HX-108")
def test_p22_shots_destroy_shield():
    def table() -> Table:
        t = Table([unit()], [foe()], pool=20)
        t["b1"].cover = c.SHIELD_COVER
        return t

    row = chances(table, attack, 0, 0, 1, c.TORSO, result_of=lambda t: 10 - t["b1"].shield)
    assert at_least(added(row, row, row), 10) == F(41797, 262144)
    assert at_least(added(row, row, row, row), 10) == F(650573, 2097152)


@pytest.mark.rule("HX-149", "HX-150")
@pytest.mark.parametrize(("floors", "expected"), [(5, F(15, 64)), (6, F(1, 64))])
def test_p23_two_shots_destroy_building(floors, expected):
    at = number((7, 7))

    def played(state, dice, log) -> None:
        for _shot in range(2):
            attack_building(state, 0, 0, at, dice, log)

    def table() -> Table:
        return Table([unit()], buildings={(7, 7): floors}, pool=9)

    def outcome_of(t: Table) -> int:
        return sum(event.number("amount") for event in t.events_of("building-attacked"))

    row = chances(table, played, result_of=outcome_of)
    assert at_least(row, 2 * floors) == expected


@pytest.mark.rule("HX-143", "HX-145")
@pytest.mark.parametrize("entered", [1, 2, 3, 4])
def test_p24_and_p25_unit_overheats_or_freezes(entered):
    def after(where, **options):
        def table() -> Table:
            t = Table([unit()], **options)
            t["a1"].entered = entered
            setattr(t["a1"], "tan" if where == "kneeling" else "white", entered)
            return t

        return chances(table, roll_hazards, 0, result_of=lambda t: getattr(t["a1"], where))[1]

    assert after("frozen") == F(9 - 2 * entered, 8)
    assert after("kneeling") == after("frozen", freeze_roll="at-or-under") == F(2 * entered, 8)


@pytest.mark.rule("HX-058", "HX-116")
def test_p26_roll_offs_tie_or_decide():
    t = Table([unit("starling"), unit("trooper", (1, 12))], [foe()])
    for slot in range(2):
        t.weapon("a1", slot).dp = 0

    def rolled(dice: list[int]) -> bool:
        try:
            roll_off(t.state, ScriptedDice(dice), t.log, 1)
        except OutOfDiceError:
            return True
        return False

    pairs = [[one, other] for one in range(1, 9) for other in range(1, 9)]
    assert sum(map(rolled, pairs)) == 8

    def acts(dice: list[int]) -> bool:
        t["a1"].status = c.STANDS
        dispute(t.state, 0, ScriptedDice(dice), t.log)
        return t["a1"].status == c.STANDS

    assert sum(acts(pair) for pair in pairs if pair[0] != pair[1]) == 28


@pytest.mark.rule("HX-086", "HX-105")
def test_kneeling_unit_aims_better_and_cannot_evade():
    def table() -> Table:
        t = Table([unit(pool=9)], [foe()], pool=9)
        kneel(t.state, 0, t.log)
        t["b1"].kneeling = 1
        return t

    row = chances(table, attack, 0, 0, 1, c.TORSO, result_of=lambda t: t.dp("b1") < 18)
    assert row[True] == F(6, 8)
