"""Plain and compiled rules fight the same battles; only the speed differs."""

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from systems import BATTLES, battle_rules
from systems.engine import runner
from systems.meks_and_mercs.battle.setup import field_units
from systems.setups import setup_json
from systems.simulation import odds
from systems.simulation.records import resolve
from tests.example_shares import share
from tests.systems.any_battle import any_battle, seeds
from tests.systems.mech_campaign.battle.tables import setup as table_setup
from tests.systems.meks_and_mercs.any_battle import setups
from tests.systems.meks_and_mercs.battle.games import COMPANIES, ROLLS, crowded_games, game, games
from tests.systems.meks_and_mercs.battle.states import COMMANDOS, INFANTRY, mek, setup, support

SYSTEM = battle_rules("meks-and-mercs")
SKILLS = [
    *("accuracy", "guidance", "steady-hand", "agility", "maneuver", "tactics", "chassis-familiarity-heavy"),
    *("pinpoint-attack", "gunnery", "damage-control", "ice-man", "spoof", "quick-draw", "sharpshooter", "hawkeye"),
    "log-hero",
]
ARMED = ["rail-cannon", "vulcan-cannon", "hammer-missile", "minigun", "ciws", "ciws"]
NATURAL = {"natural-rolls": "six-hits-one-misses"}
COMPANY = [mek("titan", ["ppc", "swarm-missile", "cannon"], ["director", "targeting-array"]), mek("light", ["cannon"])]
ARRANGED = {
    "all skills": setup(
        [mek("heavy", ARMED, ["jammer", "heat-sink"], level="elite", skills=SKILLS)],
        [mek("heavy", ARMED, ["spaul-liner"], level="veteran", skills=SKILLS)],
    ),
    "infantry": setup(
        [mek("assault", ARMED, ["sensor-advanced"]), INFANTRY, support("apc")],
        [INFANTRY, INFANTRY, mek("heavy", ["grenade-launcher", "howitzer-cannon"], skills=["hawkeye"])],
        terrain="urban",
    ),
    "commandos": setup([*COMPANY, COMMANDOS, INFANTRY], [*COMPANY, COMMANDOS, INFANTRY], terrain="wood"),
    "vehicles": setup(
        [support(slug) for slug in ("gun-sled", "panzer", "apc", "gunship", "howitzer-battery")],
        COMPANY,
        terrain="moors",
        doctrines=("cautious", "aggressive"),
    ),
    "masking and data link": setup(
        [mek("heavy", ["missile"], ["data-link", "sensor-advanced"]), mek("heavy", ["missile", "cannon"])],
        [mek("medium", ["rail-cannon"], ["masking", "jump-jets"], skills=["agility"])] * 2,
    ),
    "missile defenses": setup(
        [mek("titan", ["hammer-missile", "missile", "swarm-missile", "six-pack-missile"], ["heat-sink"] * 3)] * 2,
        [mek("assault", ["ppc"], ["phalanx", "point-defense"]), mek("heavy", ["ppc"], ["reactive-armor"])],
    ),
    "natural rolls": setup(COMPANY, COMPANY, options=NATURAL, terrain="highlands"),
    "twelve a side": setup(COMPANY * 6, COMPANY * 6, doctrines=("cautious", "cautious")),
}


def both(given, seed, first=0, count=40, **how):
    compiled = odds.tally_with_prints(given, seed, first, count, **how)
    assert compiled == odds.tally_with_prints(given, seed, first, count, compiled=False)
    return compiled


@share(4, 80)
@pytest.mark.parametrize("slug", BATTLES)
def test_plain_and_compiled_rules_fight_same_battles(slug, examples):
    put = any_battle(slug)

    @settings(max_examples=examples, derandomize=True)
    @given(setup=put.setups, seed=seeds)
    def are_the_same(setup, seed):
        tally, prints = both(setup, seed, count=put.compared_battles)
        assert len(prints) == tally.battles == put.compared_battles

    are_the_same()


@share(12, 60)
def test_plain_and_compiled_rules_play_same_map_games(examples):
    @settings(max_examples=examples, derandomize=True)
    @given(setup=games(), seed=seeds)
    def are_the_same(setup, seed):
        tally, prints = both(setup, seed, count=12)
        assert len(prints) == tally.battles == 12

    are_the_same()


@pytest.mark.slow
@share(3, 500)
@pytest.mark.rule("MM-010", "MM-079", "MM-080", "MM-083", "MM-090")
def test_plain_and_compiled_rules_agree_on_crowded_games(examples):
    seen = Counter[str]()

    @settings(max_examples=examples, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
    @given(setup=crowded_games(), seed=seeds)
    def are_the_same(setup, seed):
        _tally, prints = both(setup, seed, count=4)
        assert len(prints) == 4
        seen["battles"] += 4
        seen["more than 12 units"] += 4 * any(len(side.units) > 12 for side in setup.sides)
        infantry = {fielded.unit.key for fielded in field_units(setup) if fielded.chassis == "infantry"}
        for event in resolve(setup, seed).events:
            if event.kind == "decoy-removed" and "+" in str(event.result["by"]):
                seen["decoy seen through by commandos"] += 1
            elif event.kind == "off-board-fired" and event.target in infantry:
                seen["off-board fire at infantry"] += 1
            elif event.kind.startswith("commandos"):
                seen[event.kind] += 1

    are_the_same()
    if examples == 500:  # all of these happened
        assert seen["battles"] >= 2000, seen
        assert len(seen) == 7, seen
        assert min(seen.values()) >= 3, seen


@share(30, 60)
@pytest.mark.parametrize("scenario", COMPANIES)
def test_plain_and_compiled_rules_agree_on_every_scenario(scenario, examples):
    rolls = (["roll"] * ROLLS[scenario][0], ["roll"] * ROLLS[scenario][1])
    _tally, prints = both(game(scenario, support=rolls, doctrines=("cautious", "aggressive")), 17, count=examples)
    assert len(set(prints)) > 20


@share(30, 100)
@pytest.mark.parametrize("name", ARRANGED)
def test_plain_and_compiled_rules_agree_on_dense_rules(name, examples):
    _tally, prints = both(ARRANGED[name], 2**64 - 1, first=2**40, count=examples)
    assert len(set(prints)) > 20, "the battles differ too little for a useful comparison"


TABLES = {
    "six a side": table_setup("picket", "picket", doctrines=("aggressive", "cautious")),
    "tunnels": table_setup("rock-rats", "rock-rats", doctrines=("aggressive", "aggressive"), scenario="survey-beacons"),
    "drones": table_setup("scouts", "scouts", doctrines=("cautious", "cautious"), scenario="sabotage"),
    "house rules": table_setup(
        "picket", "hammer", options={"suppression-roll": "to-hit", "lock-range": "12", "resolve-bonus": 0}
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_plain_and_compiled_rules_agree_on_table(name):
    _tally, prints = both(TABLES[name], 2**64 - 1, first=2**40, count=30)
    assert len(set(prints)) > 20, "the battles differ too little for a useful comparison"


@pytest.mark.proof  # bounds-checked rules take a minute to compile; the plain run of these battles checks bounds too
def test_no_table_list_is_read_beyond_its_end():
    for given_setup in TABLES.values():
        both(given_setup, 11, count=8, boundscheck=True)


@pytest.mark.proof
def test_no_list_is_read_beyond_its_end():
    for given_setup in ARRANGED.values():
        both(given_setup, 11, count=60, boundscheck=True)
    for scenario, (attackers, defenders) in ROLLS.items():
        both(game(scenario, support=(["roll"] * attackers, ["roll"] * defenders)), 11, count=40, boundscheck=True)


@pytest.mark.proof
@pytest.mark.parametrize("slug", BATTLES)
@settings(max_examples=80, deadline=None, derandomize=True)
@given(data=st.data(), seed=seeds)
def test_random_battles_read_no_list_beyond_end(slug, data, seed):
    put = any_battle(slug)
    both(data.draw(put.setups), seed, count=put.compared_battles, boundscheck=True)


def test_compiled_chunks_add_up_however_cut():
    given_setup = ARRANGED["commandos"]
    whole, prints = odds.tally_with_prints(given_setup, 5, 0, 1000)
    assert whole.battles == 1000
    for cuts in ([1, 999], [333, 333, 334], [100] * 10):
        total, pieces, first = None, [], 0
        for count in cuts:
            part, part_prints = odds.tally_with_prints(given_setup, 5, first, count)
            total = part if total is None else total + part
            pieces += part_prints
            first += count
        assert total == whole
        assert pieces == prints


def test_tally_has_every_compared_number():
    names = Counter(name for counts in odds.tally(ARRANGED["infantry"], 1, 0, 5).units.values() for name in counts)
    assert set(names) == {
        "lost",
        "withdrew",
        "wounded",
        "kills",
        "hits_lost",
        "legs",
        "weapons_lost",
        "systems_lost",
        "repair",
    }


def test_battle_leaves_its_template_unchanged():
    given_setup = ARRANGED["all skills"]
    template = SYSTEM.prepare(given_setup)
    odds.tally(given_setup, 3, 0, 5, compiled=False)
    from systems.engine.dice import SeededDice

    ended = runner.plain_battle(SYSTEM.fight, template, SeededDice(3), [])
    assert template == SYSTEM.prepare(given_setup)
    assert ended != template


@pytest.mark.proof
def test_random_setups_cover_special_units_and_options():
    def uses(wanted):
        return lambda drawn: wanted in str(setup_json(drawn))

    for wanted in ("infantry", "commandos", "apc", "masking", "data-link", "phalanx", "gunnery", "six-hits"):
        find(setups(), uses(f"'{wanted}" if wanted != "six-hits" else wanted), settings=settings(max_examples=3000))


@dataclass(slots=True)
class Measured:
    """A record with both kinds of numbers."""

    count: int = 0
    length: float = 0.0


def test_array_field_has_type_of_its_record():
    array = runner.as_array([Measured(3, 0.1)], Measured)
    assert [str(array.dtype[name]) for name in ("count", "length")] == ["int64", "float64"]
    assert (int(array[0]["count"]), float(array[0]["length"])) == (3, 0.1)
