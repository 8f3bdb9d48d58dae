"""Odds: counts, shares, intervals."""

import builtins
import math
from dataclasses import replace

import pytest

from systems import BATTLES, battle_rules
from systems.documents import DocumentError
from systems.simulation import odds, summary
from systems.simulation.odds import Tally
from systems.simulation.records import resolve
from systems.simulation.summary import share

SETUP = battle_rules("meks-and-mercs").example()


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
def test_interval_ends_just_explain_count(count, battles):
    found = share(count, battles)
    for end in (found.low, found.high):
        assert abs(found.share - end) == pytest.approx(odds.Z95 * math.sqrt(end * (1 - end) / battles))


def test_share_of_no_battles_spans_zero_to_one():
    assert share(0, 0) == summary.Share(0, 0.0, 0.0, 1.0)


def test_wins_draws_and_unfinished_add_up():
    counts = plain(1, 0, 300)
    result = summary.odds(counts, SETUP)
    assert result.battles == 300
    assert sum(side.wins.count for side in result.sides) + result.draws.count + result.unfinished == 300
    assert result.unfinished == 0
    body = result.to_json()
    assert sum(body["wins"].values()) + body["draws"] + body["unfinished"] == body["battles"] == 300
    assert list(body["wins"]) == ["Attacker", "Defender"]
    assert [unit["key"] for unit in body["units"]] == ["a1", "d1"]
    assert result.stalemates.count <= result.draws.count


def test_tally_is_sum_of_its_parts():
    whole = plain(9, 0, 90)
    assert plain(9, 0, 1) + plain(9, 1, 50) + plain(9, 51, 39) == whole
    assert plain(9, 60, 30) + plain(9, 0, 60) == whole


def test_other_battles_and_seeds_differ():
    assert len({plain(*where, 60).battle["fingerprint"] for where in ((0, 0), (0, 60), (1, 0), (2**64 - 1, 0))}) == 4


def test_tally_survives_json():
    counts = plain(3, 0, 20)
    assert Tally.from_json(counts.to_json()) == counts


def test_recorded_battle_is_battle_0_of_its_seed():
    from systems.simulation.records import resolve

    for seed in range(20):
        outcome = resolve(SETUP, seed).outcome
        counts = plain(seed, 0, 1)
        assert counts.battle["attacker_wins"] == (outcome["winner"] == "Attacker")
        assert counts.battle["rounds"] == outcome["rounds"]
        for unit in outcome["units"]:
            assert counts.units[unit["key"]]["lost"] == unit["lost"]
            assert counts.units[unit["key"]]["kills"] == unit["kills"]


def test_forecast_with_missing_unit_is_refused():
    template = battle_rules("meks-and-mercs").prepare(SETUP)
    odds.check_fielded(SETUP, template)
    del template.units[1]
    with pytest.raises(DocumentError, match=r"sides\[1\].units: 1 units are named, 0 take the field"):
        odds.check_fielded(SETUP, template)


# --- margins and repair bills -----------------------------------------------------------------------------------------


def test_margin_is_difference_of_points_left():
    from systems.simulation.records import resolve

    costs = {"a1": 9, "d1": 24}  # Wasp, Draken
    for seed in range(20):
        units = {unit["key"]: unit for unit in resolve(SETUP, seed).outcome["units"]}
        left = {key: 0 if units[key]["lost"] else points for key, points in costs.items()}
        assert plain(seed, 0, 1).margins == {left["a1"] - left["d1"]: 1}


def test_margins_add_up_to_battles():
    counts = plain(4, 0, 200)
    assert sum(counts.margins.values()) == 200
    found = summary.odds(counts, SETUP).margins
    assert found is not None
    assert sum(part.share.count for part in found.bins) == 200
    assert sum(part["battles"] for part in summary.odds(counts, SETUP).to_json()["margins"]) == 200


@pytest.mark.parametrize(
    ("counts", "bins"),
    [
        ({-2: 5, 0: 1, 1: 2}, [(-2, -2, 5), (-1, -1, 0), (0, 0, 1), (1, 1, 2)]),
        ({7: 3}, [(7, 7, 3)]),
        ({-24: 2, -23: 1, 9: 4}, [(-24, -23, 3), (9, 10, 4)]),
        ({-45: 1, -41: 1, -40: 1, 45: 1}, [(-45, -41, 2), (-40, -36, 1), (41, 45, 1)]),
    ],
)
def test_margin_bins_have_equal_width_and_one_sign(counts, bins):
    found = summary.margins_of(counts)
    assert found is not None
    if len(bins) < len(found.bins):
        assert [(part.low, part.high, part.share.count) for part in found.bins if part.share.count] == bins
    else:
        assert [(part.low, part.high, part.share.count) for part in found.bins] == bins
    assert len(found.bins) <= summary.MAX_BINS
    for one, other in zip(found.bins, found.bins[1:], strict=False):
        assert other.low == one.high + 1
        assert not one.low < 0 < one.high


def test_margins_have_median_and_ends():
    found = summary.margins_of({-10: 4, 0: 46, 5: 46, 20: 4})
    assert found is not None
    assert (found.median, found.low, found.high) == (0, 0, 5)
    assert summary.margins_of({}) is None


def test_standing_ranks_margin_among_others():
    found = summary.standing(5, {-3: 10, 5: 30, 9: 60})
    assert (found.lower.share, found.same.share, found.higher.share) == (0.1, 0.3, 0.6)
    assert summary.standing(6, {-3: 10, 9: 60}).same.count == 0


@pytest.mark.rule("MM-S09")
def test_repair_bill_matches_repair_shop():
    from systems import roster_rules
    from systems.simulation.records import resolve
    from tests.systems.meks_and_mercs.battle.states import mek, setup

    rules = roster_rules("meks-and-mercs")
    given = setup(
        [
            mek("heavy", ["cannon", "ciws", "ciws", "ciws", "ciws"], ["jammer"]),
            mek("medium", ["rail-cannon"], ["masking"]),
        ],
        [
            mek("heavy", ["cannon", "ciws", "ciws"], ["jammer", "heat-sink"]),
            mek("medium", ["rail-cannon"], ["masking"]),
        ],
    )
    specs = {unit.key: rules.parse_spec(unit.design) for side in given.sides for unit in side.units}
    bills = set()
    for seed in range(60):
        counts = odds.tally(given, seed, 0, 1, compiled=False)
        for unit in resolve(given, seed).outcome["units"]:
            condition = {"hits": unit["hits"], "legs": unit["legs"]}
            condition |= {name: list(unit[name]) for name in ("weapons_lost", "systems_lost")}
            bill = 0 if unit["lost"] else sum(line.points for line in rules.repair_bill(specs[unit["key"]], condition))
            assert counts.units[unit["key"]]["repair"] == bill
            bills.add(bill)
        sides = [sum(counts.units[unit.key]["repair"] for unit in side.units) for side in given.sides]
        assert [counts.battle[f"{name}_repair"] for name in ("attacker", "defender")] == sides
        assert [counts.battle[f"{name}_repair_squares"] for name in ("attacker", "defender")] == [n * n for n in sides]
    assert len(bills) > 4, "the repair bills differ too little for a useful comparison"


def test_mean_has_interval_of_its_spread():
    values = [0, 0, 3, 5, 2, 1, 0, 7]
    found = summary.mean(sum(values), sum(value * value for value in values), len(values))
    deviation = math.sqrt(sum((value - 2.25) ** 2 for value in values) / 7)
    assert found.value == 2.25
    assert found.high - found.value == pytest.approx(odds.Z95 * deviation / math.sqrt(8))
    assert summary.mean(4, 16, 1) == summary.Mean(4, 4, 4)


# --- differences ------------------------------------------------------------------------------------------------------


def test_difference_counts_only_changed_battles():
    found = odds.difference(60, 20, 1000)
    assert found.change == 0.04
    up, down = 61 / 1002, 21 / 1002  # Bonett and Price: one more of each, two more in all
    spread = odds.Z95 * math.sqrt((up + down - (up - down) ** 2) / 1002)
    assert (found.low, found.high) == (pytest.approx(up - down - spread), pytest.approx(up - down + spread))
    assert found.is_clear
    assert not odds.difference(21, 20, 1000).is_clear
    assert not odds.difference(0, 0, 1000).is_clear
    assert odds.difference(0, 0, 0) == odds.Difference(0, 0, 0.0, -1.0, 1.0)


def test_three_differences_sum_to_zero():
    setup = battle_rules("meks-and-mercs").example()
    other = setup.model_copy(update={"terrain": "wood"})
    comparison = odds.compare(setup, other, 2, 0, 300, compiled=False)
    a, b, draw = odds.differences(comparison)
    assert a.change + b.change + draw.change == pytest.approx(0)
    for found, before, after in zip(
        (a, b), ("attacker_wins", "defender_wins"), ("attacker_wins", "defender_wins"), strict=True
    ):
        assert found.gained - found.lost == comparison.after.battle[after] - comparison.before.battle[before]
    assert odds.Comparison.from_json(comparison.to_json()) == comparison


@pytest.mark.parametrize("slug", BATTLES)
def test_no_record_or_odds_sums_floats(slug, monkeypatch):
    """Refuse sum() of floats: Python 3.12 adds them differently, so results must use whole numbers or fsum."""
    kept = builtins.sum

    def add(values, /, start=0):
        values = list(values)
        assert not any(isinstance(value, float) and not value.is_integer() for value in values), values
        return kept(values, start)

    monkeypatch.setattr(builtins, "sum", add)
    setup = battle_rules(slug).example()
    assert resolve(setup, 1).digest
    assert summary.odds(odds.tally(setup, 1, 0, 20, compiled=False), setup).to_json()


def test_mean_score_is_given_to_a_millionth():
    result = summary.odds(plain(1, 0, 10), SETUP)
    sides = tuple(replace(side, score=score) for side, score in zip(result.sides, (1 / 3, 2 / 3), strict=True))
    assert replace(result, sides=sides).to_json()["score"] == {"Attacker": 0.333333, "Defender": 0.666667}
