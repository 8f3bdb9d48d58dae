"""Set-ups with their own scenario: copies of published ones play the same games, others play to an end."""

import copy
from itertools import chain, combinations_with_replacement

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from systems import battle_rules
from systems.documents import DocumentError
from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.build.spec import mek_points
from systems.reading import read_setup
from systems.setups import setup_hash
from systems.simulation.records import read_record, resolve, verify
from tests.example_shares import share
from tests.systems.meks_and_mercs.battle.games import COMPANIES, ROLLS, crew, document


def copied(slug, name="Copy"):
    return {"name": name, "spec": ROSTERS.scenario_json(ROSTERS.scenarios[slug].spec)}


def own(slug, spec=None, **more):
    """Return a set-up with the companies of a published scenario and the scenario spelled out."""
    setup = document(slug, **more)
    setup["scenario"] = {"name": "Copy", "spec": spec or copied(slug)["spec"]}
    return setup


@share(3, 20)
@pytest.mark.parametrize("doctrine", ["aggressive", "cautious"])
@pytest.mark.parametrize("slug", COMPANIES)
@pytest.mark.each_value
def test_copy_of_published_scenario_plays_same_games(slug, doctrine, examples):
    rolls = (["roll"] * ROLLS[slug][0], ["roll"] * ROLLS[slug][1])
    given = {"support": rolls, "doctrines": (doctrine, doctrine), "options": {"random-terrain": True}}
    printed, copy_ = read_setup(document(slug, **given)), read_setup(own(slug, **given))
    assert setup_hash(printed) != setup_hash(copy_)
    for seed in range(examples):
        one, other = resolve(printed, seed), resolve(copy_, seed)
        assert one.lines()[1:] == other.lines()[1:]


def test_setup_hash_covers_whole_scenario():
    setup = own("opening-shots")
    changed = copy.deepcopy(setup)
    changed["scenario"]["spec"]["turn_limit"] = 11
    assert setup_hash(read_setup(setup)) != setup_hash(read_setup(changed))


def test_record_of_own_scenario_verifies():
    record = resolve(read_setup(own("hot-gates")), 7)
    assert verify(record.text()) is None
    assert read_record(record.text()).setup.scenario == record.setup.scenario


@pytest.mark.parametrize(
    ("change", "path", "expected"),
    [
        (lambda spec: spec["objective"].update(kind=None), "scenario.spec.objective.kind", "no victory condition"),
        (
            lambda spec: spec["defender"].update(setup=[{"who": "all", "zones": [7, 8]}]),
            "scenario.spec.defender.setup",
            "Zone 7 is a set-up zone for both sides",
        ),
        (
            lambda spec: spec["attacker"]["setup"][0].update(zones=[]),
            "scenario.spec.attacker.setup[0].zones",
            "no set-up",
        ),
        (lambda spec: spec.update(weather="rain"), "scenario.spec.weather", "unknown field"),
        (lambda spec: spec["attacker"].update(points=10), "scenario.spec.attacker.composition", "even when bare"),
    ],
)
def test_scenario_with_problems_is_refused_with_place(change, path, expected):
    setup = own("opening-shots", copy.deepcopy(copied("opening-shots")["spec"]))
    change(setup["scenario"]["spec"])
    with pytest.raises(DocumentError) as caught:
        read_setup(setup)
    assert caught.value.path == path
    assert expected in caught.value.reason


@pytest.mark.rule("MM-010")
def test_force_must_fit_scenario_limits():
    spec = copied("head-to-head")["spec"]
    spec["attacker"]["points"] = 20
    with pytest.raises(DocumentError) as caught:
        read_setup(own("head-to-head", spec))
    assert (caught.value.path, "Copy allows 20" in caught.value.reason) == ("sides[0].units", True)


@pytest.mark.rule("MM-014")
def test_support_result_cannot_exceed_its_rolls():
    spec = copied("head-to-head")["spec"]
    with pytest.raises(DocumentError) as caught:
        read_setup(own("head-to-head", spec, support=(["surprise", "surprise"], [])))
    assert caught.value.path == "sides[0].support"
    assert caught.value.reason.startswith("2 support results (Surprise more than once); Copy gives this side 1")
    spec["attacker"]["support_rolls"] = 2
    assert read_setup(own("head-to-head", spec, support=(["surprise", "surprise"], [])))


@pytest.mark.rule("MM-012", "MM-013")
def test_groups_of_both_sides_start_in_their_zones():
    spec = copied("head-to-head")["spec"]
    spec["attacker"]["setup"] = [
        {"who": "half-of-meks", "zones": [7], "is_one_zone": False},
        {"who": "rest", "zones": [1, 2], "is_one_zone": False},
    ]
    spec["defender"]["setup"] = [{"who": "all", "zones": [9], "is_one_zone": False}]
    setup = read_setup(own("head-to-head", spec))
    zones = {unit.key: unit.zone for unit in battle_rules("meks-and-mercs").opening(setup).units}
    assert [zones[key] for key in ("a1", "a2", "a3")] == [7, 7, 2]
    assert {zones[key] for key in ("d1", "d2", "d3")} == {9}


def first_group(who, designs):
    """Return the defender's Meks that start in the first group's zone, limited by points only."""
    spec = copied("hot-gates")["spec"]
    spec["max_size"], spec["defender"]["points"], spec["defender"]["setup"][0]["who"] = "titan", 500, who
    setup = own("hot-gates", spec, defenders=[crew(design, "green") for design in designs])
    zones = {unit.key: unit.zone for unit in battle_rules("meks-and-mercs").opening(read_setup(setup)).units}
    return [design for at, design in enumerate(designs, start=1) if zones[f"d{at}"] == 8]


POINTS = {slug: mek_points(design.spec) for slug, design in ROSTERS.published.items()}


@pytest.mark.rule("MM-013")
def test_half_of_points_fills_first_group():  # MM-X41
    meks = ["draken", "demon", "wasp"]
    assert [POINTS[mek] for mek in meks] == [24, 15, 9]
    assert first_group("half-of-points", meks) == [
        "draken"
    ]  # with the Wasp it would be too many points, with the Demon too few


@pytest.mark.rule("MM-013")
def test_first_group_is_smallest_with_half_of_points():
    for meks in chain.from_iterable(combinations_with_replacement(POINTS, count) for count in (1, 2, 3)):
        group = first_group("half-of-points", meks)
        total, inside = (sum(POINTS[mek] for mek in some) for some in (meks, group))
        assert 2 * inside >= total, meks
        assert all(2 * (inside - POINTS[mek]) < total for mek in group), meks


@pytest.mark.rule("MM-013")
@pytest.mark.parametrize(("meks", "half"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_first_group_gets_larger_half_of_meks(meks, half):
    assert len(first_group("half-of-meks", ["wasp"] * meks)) == half


ZONES = st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True)


@st.composite
def side(draw, *, arrives):
    terms = {"points": 60, "support_rolls": draw(st.integers(0, 2))}
    if arrives:
        terms["arrival"] = {"zones": draw(st.lists(st.integers(1, 9), min_size=2, max_size=2, unique=True))}
        return terms
    first = draw(st.sampled_from(["all", "half-of-meks", "half-of-points", "at-least-1-mek"]))
    terms["setup"] = [{"who": first, "zones": draw(ZONES)}]
    if first != "all":
        terms["setup"].append({"who": "rest", "zones": draw(ZONES)})
    unit = draw(st.sampled_from(["infantry", "commandos", "panzer", "gunship", "howitzer-battery", "gun-sled"]))
    terms["extra"] = [{"unit": unit, "count": draw(st.integers(1, 2)), "zone": draw(st.integers(1, 9))}]
    return terms


@st.composite
def scenarios(draw):
    kinds = ["occupy", "break-out", "clear-and-leave", "breach", "last-standing", "stronghold"]
    edge, exits = draw(st.sampled_from([("top", [1, 2, 3]), ("bottom", [8]), ("left", [4, 7]), ("right", [9])]))
    return {
        "turn_limit": draw(st.integers(1, 8)),
        "objective": {
            "kind": draw(st.sampled_from(kinds)),
            "key_zone": draw(st.none() | st.integers(1, 9)),
            "exit_zones": exits,
            "exit_edge": edge,
        },
        "attacker": draw(side(arrives=draw(st.booleans()))),
        "defender": draw(side(arrives=False)),
    }


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(spec=scenarios(), seed=st.integers(0, 2**64 - 1))
def test_every_legal_scenario_plays_to_an_end(spec, seed):
    assume(ROSTERS.check_scenario(ROSTERS.parse_scenario(spec)).legal)
    meks = [crew("draken"), crew("viper", "green"), crew("wasp", "green")]
    rolls = [["roll"] * spec[name]["support_rolls"] for name in ("attacker", "defender")]
    setup = own("head-to-head", spec, attackers=meks, defenders=meks, support=(rolls[0], rolls[1]))
    record = resolve(read_setup(setup), seed)
    assert 1 <= record.outcome["rounds"] <= spec["turn_limit"]
    assert record.outcome["draw"] == (record.outcome["winner"] is None)
