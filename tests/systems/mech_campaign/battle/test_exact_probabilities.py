"""Section 9 of the ledger: the rules themselves, run over every possible roll of the dice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from systems.engine.dice import Dice, Log
from systems.mech_campaign.battle.ai import act_next, choose_runners
from systems.mech_campaign.battle.play import begin_player_turn, end_player_turn
from systems.mech_campaign.battle.rules.actions import act, open_activation
from systems.mech_campaign.battle.rules.scenarios import call_time, check_resolve, roll_first, roll_terrain
from systems.mech_campaign.battle.state import (
    DEAD,
    NOBODY,
    REPAIR,
    RETREAT,
    SHOOT,
    SIDE_A,
    SIDE_B,
    SPECIAL,
    WORKS,
    State,
)
from tests.example_shares import in_every_run
from tests.tools.enumerate import Frozen, chances, every_outcome, follow, freeze, thaw

from .tables import FORCES, Table, disc, unit

ONE = Fraction(1)


def chance_that(table: Table, play: Callable[[State, Dice, Log], object]) -> Fraction:
    """Return the chance that a step of the rules, from the state of the table, returns something true."""
    start = freeze(table.state)
    found = chances(lambda dice: bool(play(thaw(table.state, start), dice, [])))
    assert sum(found.values()) == 1
    return found.get(True, Fraction(0))


def ready(s: State, i: int = 0) -> State:
    """Return the state with fresh action points and unit i activated."""
    s.battle.points = 20
    s.units[i].actions = 0
    s.units[i].shots = 0
    open_activation(s, i)
    return s


def volley(shots: int, i: int = 0) -> Callable[[State, Dice, Log], State]:
    """Return a step of this many shots by unit i at the first unit of side B while it stands."""

    def play(s: State, dice: Dice, log: Log) -> State:
        ready(s, i)
        for _ in range(shots):
            if s.units[s.battle.count_a].status != DEAD:
                assert act(s, i, SHOOT, s.battle.count_a, dice, log) == 0
        return s

    return play


def duel(**more: object) -> Table:
    """Return two heavy mechs and a spotter of side A facing one heavy mech of a force large enough to hold."""
    return Table(
        [unit(y=1000), unit("light-mech", 300, 300), unit(x=1900, y=1000)],
        [unit(y=1800, **more), *[unit(y=3500, x=100 * x) for x in range(1, 6)]],
    )


@pytest.mark.rule("MC-073", "MC-074")
@pytest.mark.parametrize(("need", "chance"), [(2, "5/6"), (3, "2/3"), (4, "1/2"), (5, "1/3"), (6, "1/6")])
def test_e01_hit_chance_follows_number(need, chance):
    hill, rubble = disc("hill", 1800, 1000), disc("rubble", 1800, 1800)
    table = {
        2: Table([unit(y=1000), unit("light-mech", 300, 300)], [unit(y=1800)], terrain=[hill]).mark("b1", "a2"),
        3: Table([unit(y=1000)], [unit(y=1800)], terrain=[hill]),
        4: Table([unit(y=1000)], [unit(y=1800)]),
        5: Table([unit(y=1000)], [unit(y=1800)], terrain=[rubble]),
        6: Table([unit("gun-sentry", y=1000)], [unit(y=1800)], terrain=[rubble]),
    }[need]
    shot = volley(1)
    assert chance_that(table, lambda s, dice, log: shot(s, dice, log).units[table.at("b1")].damage) == Fraction(chance)


@pytest.mark.rule("MC-072", "MC-076")
@pytest.mark.parametrize(("hits", "chance"), [(1, "3/4"), (2, "1/4")])
def test_e02_and_e03_heavy_mech_hits_with_two_shots(hits, chance):
    shots = volley(2)
    table = duel()
    target = table.at("b1")
    assert chance_that(table, lambda s, d, log: shots(s, d, log).units[target].damage >= hits) == Fraction(chance)


@pytest.mark.rule("MC-075", "MC-078", "MC-100")
def test_e04_heavy_mech_eliminates_covered_locked_target():
    table = duel(damage=3).mark("b1", "a2")
    table.state.discs[0] = disc("rubble", 1800, 1800)
    table.state.battle.discs = 1
    shots = volley(2)
    target = table.at("b1")
    assert chance_that(table, lambda s, d, log: shots(s, d, log).units[target].status == DEAD) == Fraction(2, 3)


@pytest.mark.rule("MC-100")
@pytest.mark.parametrize(("damage", "chance"), [(0, "1/16"), (1, "5/16"), (2, "11/16"), (3, "15/16")])
def test_e05_four_shots_eliminate_target(damage, chance):
    table = duel(damage=damage)
    first, second = volley(2, 0), volley(2, 2)

    def play(s: State, dice: Dice, log: Log) -> bool:
        second(first(s, dice, log), dice, log)
        return s.units[table.at("b1")].status == DEAD

    assert chance_that(table, play) == Fraction(chance)


@pytest.mark.rule("MC-090", "MC-091")
@pytest.mark.parametrize(("attempts", "chance"), [(2, "1/4"), (3, "1/2"), (4, "11/16")])
def test_e06_unit_with_3_damage_repairs_to_1(attempts, chance):
    def play(s: State, dice: Dice, log: Log) -> bool:
        for _ in range(attempts):
            ready(s)
            s.units[0].repairs = 0
            if s.units[0].damage > 1:
                assert act(s, 0, REPAIR, NOBODY, dice, log) == 0
        return s.units[0].damage == 1

    assert chance_that(Table([unit(damage=3)], [unit(y=3000)]), play) == Fraction(chance)


@pytest.mark.rule("MC-033")
@pytest.mark.parametrize(("size", "points", "chance"), [(5, 9, "1/2"), (6, 12, "1/6")])
def test_e07_and_e08_action_points_suffice(size, points, chance):
    def play(s: State, dice: Dice, log: Log) -> bool:
        begin_player_turn(s, SIDE_A, dice, log)
        return s.battle.points >= points

    assert chance_that(Table([unit()] * size), play) == Fraction(chance)


@pytest.mark.rule("MC-101", "MC-102")
def test_e09_third_loss_breaks_force():
    table = duel(damage=3)
    table.state.sides[SIDE_B].lost = 2
    shots = volley(2)
    assert chance_that(table, lambda s, d, log: shots(s, d, log).battle.reason == RETREAT) == Fraction(1, 8)


@pytest.mark.rule("MC-101", "MC-102", "MC-103")
@pytest.mark.parametrize(
    ("size", "bonus", "chance"),
    [(4, 2, "1/6"), (5, 2, "4/9"), (6, 2, "13/18"), (4, 1, "4/9"), (5, 1, "13/18"), (6, 1, "49/54")],
)
def test_e10_and_e11_force_breaks_before_last_unit(size, bonus, chance):
    def play(s: State, dice: Dice, log: Log) -> bool:
        for i in range(size):
            s.units[i].status = DEAD
            s.sides[SIDE_A].lost += 1
            check_resolve(s, SIDE_A, dice, log)
            if s.battle.over:
                return s.battle.reason == RETREAT
        raise AssertionError("the battle continues with no unit left")

    table = Table([unit()] * size, [unit(y=3000)], resolve_bonus=bonus)
    assert chance_that(table, play) == Fraction(chance)


@pytest.mark.rule("MC-095", "MC-125")
@pytest.mark.parametrize(("attempts", "chance"), [(2, "1/4"), (3, "1/2"), (4, "11/16"), (5, "13/16")])
def test_e12_attempts_set_two_charges(attempts, chance):
    def play(s: State, dice: Dice, log: Log) -> bool:
        for _ in range(attempts):
            ready(s)
            s.units[0].special_actions = 0
            if s.battle.over == 0:
                assert act(s, 0, SPECIAL, 0, dice, log) == 0
        return s.battle.winner == SIDE_A

    assert chance_that(Table([unit(y=2000)], [unit(y=3000)], scenario="sabotage"), play) == Fraction(chance)


@pytest.mark.rule("MC-031")
def test_e13_side_a_wins_first_roll():
    class Tie(Exception):
        pass

    class TwoDice:
        def __init__(self, dice: Dice) -> None:
            self.dice, self.rolled = dice, 0

        def face(self, sides: int) -> int:
            self.rolled += 1
            if self.rolled > 2:
                raise Tie
            return self.dice.face(sides)

        def choice(self, count: int) -> int:
            return self.dice.choice(count)

    def play(s: State, dice: Dice, log: Log) -> bool:
        try:
            roll_first(s, TwoDice(dice), log)
        except Tie:
            return False
        return s.battle.first == SIDE_A

    assert chance_that(Table([unit()]), play) == Fraction(5, 12)


@pytest.mark.rule("MC-022")
def test_e14_and_e15_terrain_rolls_have_works_and_mean_dice():
    table = Table([unit()])
    start = freeze(table.state)
    without, mean = ONE, Fraction(0)

    class OneSector:
        """Dice of one sector at a time: the die of that sector, and a 1 for all others."""

        def __init__(self, sector: int, face: int) -> None:
            self.sector, self.first, self.rolled, self.starts = sector, face, 0, 0

        def face(self, sides: int) -> int:
            self.rolled += 1
            self.starts += 1
            return self.first if self.starts == self.sector else 1

        def choice(self, count: int) -> int:
            raise AssertionError

    for sector in range(1, 10):
        works = 0
        for face in range(1, 7):
            s = thaw(table.state, start)
            dice = OneSector(sector, face)
            roll_terrain(s, dice, [])
            works += any(one.kind == WORKS for one in s.discs)
            mean += Fraction(dice.rolled - 8, 6)
        without *= 1 - Fraction(works, 6)
    assert (without, mean) == (Fraction(125, 216), Fraction(22))


@pytest.mark.rule("MC-009", "MC-075", "MC-078")
def test_e16_drone_hits_locked_target_in_rubble():
    table = Table(
        [unit("drone", y=1000), unit("light-mech", 300, 300)],
        [unit(y=1800)],
        terrain=[disc("rubble", 1800, 1800)],
    ).mark("b1", "a2")
    table["a1"].moves = 1
    shot = volley(1)
    assert chance_that(table, lambda s, d, log: shot(s, d, log).units[table.at("b1")].damage) == Fraction(1, 3)


def whole_battle(table: Table, limit: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances of a win of A, a win of B and a draw, side A first, from activation to activation."""

    def step(play: Callable[[State, Dice], object]) -> Callable[[Frozen, Dice], Frozen]:
        def stepped(before: Frozen, dice: Dice) -> Frozen:
            s = thaw(table.state, before)
            if s.battle.over == 0:
                play(s, dice)
            return freeze(s)

        return stepped

    s = table.state
    s.battle.first = SIDE_A
    ends = {freeze(s): ONE}
    for turn in range(1, limit + 1):
        for side in (SIDE_A, SIDE_B):

            def begin(s: State, dice: Dice, turn: int = turn, side: int = side) -> None:
                s.battle.turn = turn
                begin_player_turn(s, side, dice, [])
                choose_runners(s, side)

            ends = follow(ends, step(begin))
            for _ in range(s.battle.count_a + s.battle.count_b):
                ends = follow(ends, step(lambda s, dice, side=side: act_next(s, side, dice, [])))
            ends = follow(ends, step(lambda s, dice, side=side: end_player_turn(s, side, [])))
    ends = follow(ends, step(lambda s, dice: call_time(s)))
    found = {SIDE_A: Fraction(0), SIDE_B: Fraction(0), NOBODY: Fraction(0)}
    for end, chance in ends.items():
        found[thaw(s, end).battle.winner] += chance
    return found[SIDE_A], found[SIDE_B], found[NOBODY]


def facing(kind: str, x: int = 1800, *, top: bool = False, pushed: int = 100) -> dict[str, object]:
    """Return a unit of the ledger's small battles: side A's at y 12 or 13 in, side B's at 23 or 24."""
    return unit(kind, x, 2400 - pushed if top else 1200 + pushed)


SMALL = {
    "MC-E20": (
        [facing("gun-sentry", pushed=0)],
        [facing("gun-sentry", top=True, pushed=0)],
        ("aggressive", "aggressive"),
        6,
        ("204769/531441", "67504/177147", "124160/531441"),
    ),
    "MC-E21": (
        [facing("heavy-mech")],
        [facing("heavy-mech", top=True)],
        ("aggressive", "aggressive"),
        3,
        ("25411939/63700992", "75111887/191102976", "4969409/23887872"),
    ),
    "MC-E22": (
        [facing("heavy-mech")],
        [facing("heavy-mech", top=True)],
        ("cautious", "cautious"),
        3,
        ("1141789049/3057647616", "1229078893/3057647616", "114463279/509607936"),
    ),
    "MC-E23": (
        [facing("heavy-mech")],
        [facing("gun-sentry", top=True)],
        ("aggressive", "cautious"),
        6,
        ("188503925/191102976", "0", "2599051/191102976"),
    ),
    "MC-E24": (
        [facing("heavy-mech", 1500), facing("light-mech", 2100)],
        [facing("heavy-mech", 2100, top=True), facing("light-mech", 1500, top=True)],
        ("aggressive", "aggressive"),
        2,
        ("3019817/7077888", "8149327/21233664", "2012443/10616832"),
    ),
    "MC-E25": (
        [facing("heavy-mech", 1500), facing("gun-sentry", 2100)],
        [facing("heavy-mech", 2100, top=True), facing("gun-sentry", 1500, top=True)],
        ("cautious", "cautious"),
        2,
        ("47578063/107495424", "52531153/214990848", "22434523/71663616"),
    ),
}


@pytest.mark.rule("MC-030", "MC-032", "MC-034", "MC-039", "MC-084", "MC-122", "MC-123")
@pytest.mark.parametrize("name", in_every_run(("MC-E20", "MC-E21", "MC-E23"), SMALL))
def test_small_battle_matches_exact_chances(name):
    a, b, doctrines, limit, expected = SMALL[name]
    table = Table(a, b, doctrines=doctrines, turn=0, turn_limit=limit)
    assert whole_battle(table, limit) == tuple(Fraction(chance) for chance in expected)


def test_sample_forces_match_ledger():
    assert {name: len(force) for name, force in FORCES.items()} == {
        "line-lance": 5,
        "picket": 6,
        "scouts": 5,
        "hammer": 5,
        "rock-rats": 5,
        "skeleton": 4,
    }


def test_every_outcome_yields_all_faces():
    assert len(list(every_outcome(lambda dice: dice.face(6)))) == 6
