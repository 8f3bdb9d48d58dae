"""Section 9 of the ledger, MM-P01 to MM-P19: the rules themselves, run over every possible roll of the dice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from systems.engine.dice import Dice, Log
from systems.meks_and_mercs.battle.play import change_bands, roll_fire, roll_movement
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.state import LONG, MEDIUM, SHORT, State
from tests.tools.enumerate import chances, follow, freeze, thaw

from .builders import Table, mek, unit

End = tuple[int, bool]  # Hits left (0: destroyed), whether a critical was rolled
Chances = dict[End, Fraction]


def exchange(table: Table, key: str) -> Chances:
    """Return the possible ends of one unit after the table's planned fire and its damage."""
    target = table.at(key)

    def shoot(dice: Dice) -> tuple[object, ...]:
        state = thaw(table.state, start)
        roll_fire(state, dice, [])
        return freeze(state)

    def suffer(before: tuple[object, ...], dice: Dice) -> End:
        state: State = thaw(table.state, before)
        log: Log = []
        apply_damage(state, dice, log)
        after = state.units[target]
        return after.hits if after.present else 0, any(
            kind == "critical-rolled" and fields["unit"] == target for kind, fields in log
        )

    start = freeze(table.state)
    ends = follow(chances(shoot), suffer)
    assert sum(ends.values()) == 1
    return ends


def left(ends: Chances, hits: int) -> Fraction:
    """Return the chance to have this many Hits left; 0 is destroyed."""
    return sum((chance for (end, _critical), chance in ends.items() if end == hits), Fraction(0))


def critical(ends: Chances) -> Fraction:
    """Return the chance of at least one critical."""
    return sum((chance for (_end, hurt), chance in ends.items() if hurt), Fraction(0))


class Missing:
    """Dice that always miss: rolls at the places in `shots` show 1 where their result changes nothing."""

    def __init__(self, dice: Dice, shots: set[int]) -> None:
        self.dice, self.shots, self.rolled = dice, shots, -1

    def face(self, sides: int) -> int:
        self.rolled += 1
        return 1 if self.rolled in self.shots else self.dice.face(sides)

    def choice(self, count: int) -> int:
        return self.dice.choice(count)


def chance_of(play: Callable[[State, Dice, Log], object], table: Table) -> dict[object, Fraction]:
    """Return the chances of a rule's results from the state of the table."""
    start = freeze(table.state)
    return chances(lambda dice: play(thaw(table.state, start), dice, []))


@pytest.mark.rule("MM-043", "MM-051", "MM-053", "MM-054")
def test_p01_wasp_fires_at_draken():
    ends = exchange(Table(["wasp"], ["draken"], band=SHORT).aim("a1", "d1", 0), "d1")

    assert 1 - left(ends, 4) == Fraction(1, 6)
    assert critical(ends) == Fraction(1, 12)
    assert left(ends, 3) == Fraction(23, 144)
    assert left(ends, 0) == Fraction(1, 144)


@pytest.mark.rule("MM-043", "MM-044", "MM-051", "MM-054", "MM-056")
def test_p02_draken_fires_rails_at_wasp_at_medium():
    ends = exchange(Table(["draken"], ["wasp"], band=MEDIUM).aim("a1", "d1", 0, 1), "d1")

    assert left(ends, 2) == Fraction(64, 81)
    assert left(ends, 1) == Fraction(134, 729)
    assert left(ends, 0) == Fraction(19, 729)


@pytest.mark.rule("MM-043", "MM-051", "MM-053", "MM-054", "MM-056", "MM-057")
def test_p03_draken_fires_everything_at_wasp():
    ends = exchange(Table(["draken"], ["wasp"], band=SHORT).aim("a1", "d1", 0, 1, 2), "d1")

    assert left(ends, 2) == Fraction(343, 972)
    assert left(ends, 1) == Fraction(3283, 7776)
    assert left(ends, 0) == Fraction(583, 2592)
    assert critical(ends) == Fraction(3145, 5832)


@pytest.mark.rule("MM-043", "MM-051", "MM-053")
def test_p04_draken_fires_everything_at_wasp_with_one_hit():
    ends = exchange(Table(["draken"], [unit("wasp", hits=1)], band=SHORT).aim("a1", "d1", 0, 1, 2), "d1")

    assert left(ends, 0) == Fraction(629, 972)


@pytest.mark.rule("MM-043", "MM-055")
def test_p05_ppc_at_long_fires_at_odin():
    ends = exchange(Table(["thor"], ["odin"], band=LONG).aim("a1", "d1", 0), "d1")

    assert 1 - left(ends, 6) == Fraction(1, 9)
    assert critical(ends) == Fraction(11, 324)
    assert left(ends, 5) == Fraction(421, 3888)
    assert left(ends, 0) == Fraction(11, 3888)


@pytest.mark.rule("MM-044", "MM-048", "MM-054")
def test_p06_viper_fires_at_demon():
    ends = exchange(Table(["viper"], ["demon"], band=SHORT).aim("a1", "d1", 0, 1), "d1")

    assert left(ends, 3) == Fraction(5, 12)
    assert left(ends, 2) == Fraction(289, 648)
    assert left(ends, 1) == Fraction(1139, 11664)
    assert left(ends, 0) == Fraction(463, 11664)


@pytest.mark.rule("MM-051", "MM-052")
@pytest.mark.parametrize(
    ("shooter", "chance"), [("warthog", Fraction(1, 72)), ("draken", Fraction(1, 18))], ids=["missile", "hammer"]
)
def test_p07_missile_fires_at_reactive_armor(shooter, chance):
    ends = exchange(Table([shooter], ["odin"], band=LONG).aim("a1", "d1", 2), "d1")

    assert 1 - left(ends, 6) == chance


@pytest.mark.rule("MM-044", "MM-049")
def test_p08_vulcan_fires_in_wood():
    ends = exchange(Table(["saber"], ["viper"], terrain="wood", band=SHORT).aim("a1", "d1", 0), "d1")

    assert left(ends, 3) == Fraction(25, 36)
    assert left(ends, 2) == Fraction(85, 324)
    assert left(ends, 1) == Fraction(1139, 46656)
    assert left(ends, 0) == Fraction(877, 46656)


def movement(state: State, dice: Dice, log: Log) -> tuple[int, int]:
    """Return the winner of the movement roll (1 attacker, -1 defender) and the winner by more than twice the total."""
    roll_movement(state, dice, log)
    for mover in state.units:
        mover.wants_break = 1  # at Long: more than twice the total doubles the terrain, anything else does nothing
    change_bands(state, log)
    a, d = state.units
    return (a.total > d.total) - (a.total < d.total), state.sights[2].doubled - state.sights[1].doubled


@pytest.mark.rule("MM-028", "MM-030", "MM-031")
@pytest.mark.parametrize(
    ("terrain", "wins", "twice"),
    [
        ("plain", {1: (181, 216), 0: (5, 72), -1: (5, 54)}, {1: (8, 27), -1: (0, 1)}),
        ("urban", {}, {1: (11, 24), -1: (1, 108)}),
    ],
    ids=["p09", "p10"],
)
def test_p09_p10_wasp_moves_against_draken(terrain, wins, twice):
    ends = chance_of(movement, Table(["wasp"], ["draken"], terrain=terrain))

    for who, chance in wins.items():
        assert sum(chance for (won, _), chance in ends.items() if won == who) == Fraction(*chance)
    for who, chance in twice.items():
        assert sum(chance for (_, twice), chance in ends.items() if twice == who) == Fraction(*chance)


@pytest.mark.rule("MM-028", "MM-029", "MM-031")
def test_p11_saber_moves_on_jump_jets_against_thor():
    ends = chance_of(movement, Table(["saber"], ["thor"], terrain="wood"))

    wins = {who: sum(chance for (won, _), chance in ends.items() if won == who) for who in (1, 0, -1)}
    assert wins == {1: Fraction(427, 432), 0: Fraction(5, 648), -1: Fraction(5, 1296)}
    assert sum(chance for (_, twice), chance in ends.items() if twice == 1) == Fraction(277, 324)


@pytest.mark.rule("MM-026", "MM-053")
def test_p12_two_wasps_fire_simultaneously():
    table = Table([unit("wasp", hits=1)], [unit("wasp", hits=1)], band=SHORT).aim("a1", "d1", 0).aim("d1", "a1", 0)

    def duel(state: State, dice: Dice, log: Log) -> tuple[int, int]:
        roll_fire(state, dice, log)
        apply_damage(state, dice, log)
        return state.units[0].present, state.units[1].present

    ends = chance_of(duel, table)
    assert ends[0, 0] + ends[0, 1] == Fraction(2, 9)
    assert ends[0, 0] == Fraction(4, 81)
    assert ends[0, 1] == ends[1, 0] == Fraction(14, 81)
    assert ends[1, 1] == Fraction(49, 81)


@pytest.mark.rule("MM-060", "MM-061")
def test_p13_thor_fires_every_weapon():
    table = Table(["thor"], [mek("assault")], band=SHORT).aim("a1", "d1", 0, 1, 2, 3)  # PPC, PPC, Cannon, Cannon

    def overheat(state: State, dice: Dice, log: Log) -> tuple[int, int]:
        roll_fire(
            state, Missing(dice, shots={0, 1, 3, 5}), log
        )  # the first PPC stays within the rating and rolls no heat die
        lost = sum(1 - weapon.intact for weapon in state.weapons[:4])
        apply_damage(state, dice, log)
        return lost, 5 - state.units[0].hits

    ends = chance_of(overheat, table)
    assert sum(chance for (lost, _), chance in ends.items() if lost == 0) == Fraction(5, 18)
    assert sum(hits * chance for (_, hits), chance in ends.items()) == 1


@pytest.mark.rule("MM-064", "MM-065")
@pytest.mark.parametrize(
    ("example", "shooter", "slots", "removed"),
    [
        ("p14", "wasp", (1, 2), {"plain": (49, 54), "wood": (20, 27), "urban": (29, 54)}),
        ("p15", "warthog", (4,), {"plain": (49, 54), "wood": (181, 216), "urban": (20, 27)}),
        ("p16 cannon", "wasp", (0,), {"plain": (1, 6), "wood": (1, 9), "urban": (1, 18)}),
        ("p16 rail", "draken", (0,), {"plain": (1, 6), "wood": (1, 9), "urban": (1, 18)}),
    ],
    ids=["p14", "p15", "p16-cannon", "p16-rail"],
)
def test_p14_p15_p16_fire_removes_strongpoint(example, shooter, slots, removed):
    for terrain, chance in removed.items():
        table = Table([shooter], ["infantry"], terrain=terrain, band=SHORT).aim("a1", "d1", *slots)
        table["d1"].detected = 1
        assert left(exchange(table, "d1"), 0) == Fraction(*chance), f"{example} in {terrain}"


@pytest.mark.rule("MM-054", "MM-063")
@pytest.mark.parametrize(
    ("strongpoints", "ends_with"),
    [(1, {2: (1, 3), 1: (67, 108), 0: (5, 108)}), (2, {2: (1, 9), 1: (67, 162), 0: (77, 162)})],
)
def test_p17_strongpoints_attack_wasp(strongpoints, ends_with):
    table = Table(["wasp"], ["infantry"] * strongpoints, band=SHORT)
    for key in table.keys[1:]:
        table.aim(key, "a1")

    ends = exchange(table, "a1")

    for hits, chance in ends_with.items():
        assert left(ends, hits) == Fraction(*chance)


@pytest.mark.rule("MM-049", "MM-062", "MM-088")
def test_p18_gunship_fires_at_panzer():
    ends = exchange(Table(["gunship"], ["panzer"], band=MEDIUM).aim("a1", "d1", 0), "d1")

    assert left(ends, 2) == Fraction(4, 9)
    assert left(ends, 1) == Fraction(67, 162)
    assert left(ends, 0) == Fraction(23, 162)


@pytest.mark.rule("MM-054", "MM-055")
@pytest.mark.parametrize(
    ("systems", "slot", "band", "chance"),
    [
        ([], 2, SHORT, (2, 3)),
        (["spaul-liner"], 2, SHORT, (4, 9)),
        ([], 0, LONG, (8, 9)),
        (["spaul-liner"], 0, LONG, (2, 3)),
    ],
    ids=["plain", "spaul-liner", "ppc-at-long", "both"],
)
def test_p19_critical_check_with_two_hits_left(systems, slot, band, chance):
    table = Table(["thor"], [mek("medium", [], systems)], band=band)
    table.hit("a1", "d1", slot)

    def checked(state: State, dice: Dice, log: Log) -> object:
        """Return whether the Hit that left two was a critical; None if the save stopped it."""
        apply_damage(state, dice, log)
        return next((bool(fields["critical"]) for kind, fields in log if kind == "critical-checked"), None)

    ends = chance_of(checked, table)
    assert table["d1"].full_hits == 3
    assert ends[True] / (ends[True] + ends[False]) == Fraction(*chance)
