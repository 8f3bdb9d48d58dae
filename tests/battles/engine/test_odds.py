"""Odds: counts, shares, intervals."""

import math

import pytest

from battles.engine import odds
from battles.engine.odds import Tally, share
from battles.systems import get_system
from rosters.documents import DocumentError

SETUP = get_system("meks-and-mercs").example()


def plain(seed, first, count):
    return odds.tally(SETUP, seed, first, count, compiled=False)


@pytest.mark.parametrize(
    ("count", "battles", "low", "high"),
    [(50, 100, 0.403832, 0.596168), (5, 100, 0.021543, 0.111752), (0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0)],
)
def test_intervals_are_wilsons(count, battles, low, high):
    found = share(count, battles)
    assert (found.low, found.high) == (pytest.approx(low, abs=2e-6), pytest.approx(high, abs=2e-6))


@pytest.mark.parametrize(("count", "battles"), [(1, 3), (17, 1000), (999, 1000), (250_000, 1_000_000)])
def test_the_ends_of_an_interval_are_the_shares_that_just_explain_the_count(count, battles):
    found = share(count, battles)
    for end in (found.low, found.high):
        assert abs(found.share - end) == pytest.approx(odds.Z95 * math.sqrt(end * (1 - end) / battles))


def test_no_battles_say_nothing():
    assert share(0, 0) == odds.Share(0, 0.0, 0.0, 1.0)


def test_wins_draws_and_unfinished_add_up_to_the_battles():
    counted = plain(1, 0, 300)
    result = odds.odds(counted, SETUP)
    assert result.battles == 300
    assert sum(side.wins.count for side in result.sides) + result.draws.count + result.unfinished == 300
    assert result.unfinished == 0
    body = result.to_json()
    assert sum(body["wins"].values()) + body["draws"] + body["unfinished"] == body["battles"] == 300
    assert list(body["wins"]) == ["Attacker", "Defender"]
    assert [unit["key"] for unit in body["units"]] == ["a1", "d1"]
    assert result.stalemates.count <= result.draws.count


def test_any_cut_gives_the_same_tally():
    whole = plain(9, 0, 90)
    assert plain(9, 0, 1) + plain(9, 1, 50) + plain(9, 51, 39) == whole
    assert plain(9, 60, 30) + plain(9, 0, 60) == whole


def test_other_battles_and_other_seeds_are_other_battles():
    assert len({plain(*where, 60).battle["fingerprint"] for where in ((0, 0), (0, 60), (1, 0), (2**64 - 1, 0))}) == 4


def test_a_tally_comes_back_from_json_as_it_was():
    counted = plain(3, 0, 20)
    assert Tally.from_json(counted.to_json()) == counted


def test_a_recorded_battle_is_battle_0_of_its_seed():
    from battles.engine.resolve import resolve

    for seed in range(20):
        outcome = resolve(SETUP, seed).outcome
        counted = plain(seed, 0, 1)
        assert counted.battle["attacker_wins"] == (outcome["winner"] == "Attacker")
        assert counted.battle["rounds"] == outcome["rounds"]
        for unit in outcome["units"]:
            assert counted.units[unit["key"]]["lost"] == unit["lost"]
            assert counted.units[unit["key"]]["kills"] == unit["kills"]


def test_a_forecast_in_which_somebody_does_not_show_up_is_refused():
    template = get_system("meks-and-mercs").prepare(SETUP)
    odds.check_fielded(SETUP, template)
    del template.units[1]
    with pytest.raises(DocumentError, match=r"sides\[1\].units: 1 units are named, 0 take the field"):
        odds.check_fielded(SETUP, template)
