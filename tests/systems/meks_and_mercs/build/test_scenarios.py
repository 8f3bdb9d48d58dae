"""A player's own scenarios: everything the six published ones need is possible, and impossible scenarios are refused."""

import copy
import json

import pytest

from systems.documents import DocumentError
from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.scenario import build_scenario
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.reading import read_scenario
from systems.roster import CompanyMember, PilotSpec

ALL = tuple(SYSTEM.scenarios)


def spec_of(slug="opening-shots", **changes):
    """Return a published scenario's spec as JSON values; `attacker__points=3` changes the field inside."""
    spec = copy.deepcopy(SYSTEM.scenario_json(SYSTEM.scenarios[slug].spec))
    for path, value in changes.items():
        *way, last = path.split("__")
        part = spec
        for name in way:
            part = part[name]
        part[last] = value
    return spec


def check(slug="opening-shots", **changes):
    return SYSTEM.check_scenario(SYSTEM.parse_scenario(spec_of(slug, **changes)))


def problems(slug="opening-shots", **changes):
    return [(problem.rule, problem.place, problem.message) for problem in check(slug, **changes).problems]


def refusal(**changes):
    with pytest.raises(DocumentError) as caught:
        SYSTEM.parse_scenario(spec_of(**changes))
    return caught.value.path, caught.value.reason


def steps(*groups):
    return [{"who": who, "zones": list(zones), "is_one_zone": False} for who, zones in groups]


@pytest.mark.rule("MM-014")
def test_side_makes_at_most_six_support_rolls():
    assert problems(attacker__support_rolls=6) == []
    assert [rule for rule, *_rest in problems(attacker__support_rolls=7)] == ["MM-014"]


@pytest.mark.parametrize("slug", ALL)
def test_player_could_write_every_published_scenario(slug):
    assert problems(slug) == []
    played = build_scenario("Copy", SYSTEM.parse_scenario(spec_of(slug)))
    printed = CATALOGUE.scenarios[slug]
    for field in ("objective", "victory_rule", "max_size", "terrain", "turn_limit", "key_zone", "exit_zones"):
        assert getattr(played, field) == getattr(printed, field), field
    assert (played.attacker, played.defender) == (printed.attacker, printed.defender)
    assert played.exit_edge == printed.exit_edge
    assert ("terrain" in played.ours) == ("terrain" in printed.ours)


def test_scenario_document_survives_round_trip():
    document = {"muster": "scenario/1", "system": "meks-and-mercs", "name": "Copy", "spec": spec_of("hot-gates")}
    read, spec = read_scenario(json.dumps(document))
    assert read.name == "Copy"
    assert spec == SYSTEM.scenarios["hot-gates"].spec


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"weather": "rain"}, "spec.weather"),
        ({"attacker__pints": 3}, "spec.attacker.pints"),
        ({"objective__kind": "conquer"}, "spec.objective.kind"),
        ({"objective__share": 2}, "spec.objective.share"),
        ({"attacker__setup": [{"who": "half", "zones": [1]}]}, "spec.attacker.setup[0].who"),
        ({"attacker__points": "30"}, "spec.attacker.points"),
        ({"attacker__points": -1}, "spec.attacker.points"),
        ({"terrain": ["plain"] * 8}, "spec.terrain"),
        ({"terrain": [*["plain"] * 8, "lava"]}, "spec.terrain[8]"),
        ({"max_size": "huge"}, "spec.max_size"),
        ({"defender__extra": [{"unit": "tank", "count": 1, "zone": 3}]}, "spec.defender.extra[0].unit"),
        ({"defender__composition": {"tiny": 1}}, "spec.defender.composition"),
        ({"defender__free_pilots": {"ace": 1}}, "spec.defender.free_pilots"),
    ],
)
def test_unknown_scenario_value_is_refused_with_its_place(changes, path):
    assert refusal(**changes)[0] == path


@pytest.mark.rule("MM-091")
def test_scenario_without_victory_condition_is_refused():
    ((rule, place, message),) = problems(objective__kind=None)
    assert (rule, place) == ("MM-091", "objective.kind")
    assert "no victory condition" in message


@pytest.mark.rule("MM-013")
def test_setup_zones_of_sides_may_not_overlap():
    (found,) = problems("head-to-head", defender__setup=steps(("all", [3, 4, 7])))
    assert found == (
        "MM-013",
        "defender.setup",
        "Zones 4 and 7 are set-up zones for both sides. Remove them from one side.",
    )


@pytest.mark.rule("MM-013")
def test_rest_that_starts_anywhere_gives_warning():
    found = check("opening-shots")
    assert found.legal
    assert ["anywhere" in warning.message for warning in found.warnings] == [True]
    narrower = steps(("at-least-1-mek", [3]), ("rest", [2, 3, 4, 5, 6, 7]))
    assert [place for _rule, place, _message in problems("opening-shots", defender__setup=narrower)] == [
        "defender.setup"
    ]


@pytest.mark.rule("MM-013")
@pytest.mark.parametrize(
    ("setup", "place", "expected"),
    [
        ([], "attacker.setup", "no set-up zones"),
        (steps(("all", [])), "attacker.setup[0].zones", "no set-up zone"),
        (steps(("all", [0, 7])), "attacker.setup[0].zones", "there is no zone 0"),
        (steps(("all", [10])), "attacker.setup[0].zones", "there is no zone 10"),
        (steps(("all", [7, 7])), "attacker.setup[0].zones", "listed twice"),
        (steps(("rest", [7])), "attacker.setup", "starts with the rest"),
        (steps(("all", [7]), ("rest", [8])), "attacker.setup", "Remove the rest"),
        (steps(("half-of-meks", [7])), "attacker.setup", "then the rest"),
        (steps(("half-of-meks", [7]), ("half-of-meks", [8])), "attacker.setup", "then the rest"),
        (steps(("half-of-meks", [7]), ("rest", [8]), ("rest", [9])), "attacker.setup", "then the rest"),
    ],
)
def test_every_mek_needs_a_setup_zone(setup, place, expected):
    ((rule, where, message),) = problems(attacker__setup=setup)
    assert (rule, where) == ("MM-013", place)
    assert expected in message


@pytest.mark.rule("MM-098")
@pytest.mark.parametrize(
    ("slug", "changes", "place", "expected"),
    [
        ("citadel", {"attacker__arrival": {"zones": [3]}}, "attacker.arrival", "two different zones"),
        ("citadel", {"attacker__arrival": {"zones": [3, 3]}}, "attacker.arrival", "two different zones"),
        ("citadel", {"attacker__arrival": {"zones": [3, 11]}}, "attacker.arrival", "no zone 11"),
        ("citadel", {"attacker__setup": steps(("all", [1]))}, "attacker.arrival", "not both"),
        ("head-to-head", {"defender__arrival": {"zones": [3, 7]}}, "defender.arrival", "Only the attacker"),
    ],
)
def test_only_attackers_arrive_in_two_zones(slug, changes, place, expected):
    found = problems(slug, **changes)
    assert [(rule, where) for rule, where, _message in found] == [("MM-098", place)]
    assert expected in found[0][2]


@pytest.mark.rule("MM-094")
def test_arriving_attacker_cannot_clear_map():
    (found,) = problems("buying-time", attacker__setup=[], attacker__arrival={"zones": [7, 9]})
    assert found[:2] == ("MM-094", "attacker.arrival")


@pytest.mark.rule("MM-092", "MM-095", "MM-097")
@pytest.mark.parametrize("slug", ["opening-shots", "breach", "citadel"])
def test_zone_objective_needs_its_zone(slug):
    rule = CATALOGUE.scenarios[slug].victory_rule
    ((found, place, _message),) = problems(slug, objective__key_zone=None)
    assert (found, place) == (rule, "objective.key_zone")
    ((found, place, message),) = problems(slug, objective__key_zone=12)
    assert (found, place) == (rule, "objective.key_zone")
    assert "no zone 12" in message


@pytest.mark.rule("MM-092", "MM-095")
@pytest.mark.parametrize(("slug", "key"), [("opening-shots", 7), ("breach", 2)])
def test_attacker_cannot_start_in_key_zone(slug, key):
    ((_rule, place, message),) = problems(slug, objective__key_zone=key)
    assert place == "objective.key_zone"
    assert "but starts there" in message


@pytest.mark.rule("MM-097")
def test_defender_must_be_able_to_start_in_stronghold():
    ((rule, place, _message),) = problems("citadel", objective__key_zone=4)
    assert (rule, place) == ("MM-097", "objective.key_zone")


@pytest.mark.rule("MM-095")
def test_breach_turn_limit_must_cover_holding_time():
    assert [place for _rule, place, _message in problems("breach", turn_limit=2)] == ["turn_limit"]
    assert problems("breach", turn_limit=3) == []


@pytest.mark.rule("MM-021", "MM-093", "MM-094")
@pytest.mark.parametrize("slug", ["hot-gates", "buying-time"])
def test_leaving_map_needs_exit_zones_at_edge(slug):
    rule = CATALOGUE.scenarios[slug].victory_rule
    assert [found[:2] for found in problems(slug, objective__exit_zones=[])] == [(rule, "objective.exit_zones")]
    assert [found[:2] for found in problems(slug, objective__exit_edge=None)] == [("MM-021", "objective.exit_edge")]
    (found,) = problems(slug, objective__exit_zones=[5])
    assert found[:2] == ("MM-021", "objective.exit_zones")
    assert "does not touch" in found[2]


@pytest.mark.rule("MM-093")
def test_breakout_cannot_start_in_its_exit():
    (found,) = problems("hot-gates", objective__exit_zones=[2], objective__exit_edge="top")
    assert found[:2] == ("MM-093", "objective.exit_zones")


@pytest.mark.parametrize(
    ("changes", "rule", "place"),
    [
        pytest.param({"attacker__points": 3}, "MM-010", "attacker.points", marks=pytest.mark.rule("MM-010")),
        pytest.param({"defender__points": 501}, "MM-010", "defender.points", marks=pytest.mark.rule("MM-010")),
        pytest.param({"max_size": "light"}, "MM-010", "attacker.composition", marks=pytest.mark.rule("MM-010")),
        pytest.param(
            {"attacker__composition": {"medium": 6}}, "MM-010", "attacker.composition", marks=pytest.mark.rule("MM-010")
        ),
        pytest.param(
            {"attacker__support_rolls": 7}, "MM-014", "attacker.support_rolls", marks=pytest.mark.rule("MM-014")
        ),
        pytest.param(
            {"attacker__free_pilots": {"elite": 1}}, "MM-011", "attacker.free_pilots", marks=pytest.mark.rule("MM-011")
        ),
        pytest.param({"turn_limit": 0}, "MM-091", "turn_limit", marks=pytest.mark.rule("MM-091")),
        pytest.param({"turn_limit": 31}, "MM-091", "turn_limit", marks=pytest.mark.rule("MM-091")),
    ],
)
def test_scenario_limits_are_checked(changes, rule, place):
    assert (rule, place) in [found[:2] for found in problems(**changes)]


@pytest.mark.rule("MM-013", "MM-088", "MM-089")
@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ([("infantry", 1, 8), ("infantry", 2, 8)], "listed twice"),
        ([("apc", 1, 8)], "from a support roll"),
        ([("infantry", 0, 8)], "gets no"),
        ([("infantry", 7, 8)], "the limit is 6"),
        ([("infantry", 1, 12)], "no zone 12"),
        ([("infantry", 1, 2)], "where the attacker does"),
    ],
)
def test_scenario_support_is_listed_once_with_zone(extra, expected):
    lines = [{"unit": unit, "count": count, "zone": zone} for unit, count, zone in extra]
    (found,) = problems("hot-gates", defender__extra=lines)
    assert expected in found[2]


def test_all_scenario_problems_are_reported_at_once():
    found = SYSTEM.check_scenario(SYSTEM.parse_scenario({}))
    assert [problem.place for problem in found.problems] == [
        "attacker.points",
        "defender.points",
        "attacker.setup",
        "defender.setup",
        "objective.kind",
    ]


@pytest.mark.rule("MM-010")
def test_company_is_checked_against_own_scenario():
    meks = [CompanyMember("Thor", SYSTEM.published["thor"].spec, PilotSpec("regular"))]
    given = {"name": "Small war", "spec": spec_of("head-to-head", max_size="medium", attacker__points=10)}
    messages = [problem.message for problem in SYSTEM.check_company(given, meks, side="attacker").problems]
    assert any("Small war allows Medium at most" in message for message in messages)
    assert any("Small war allows 10" in message for message in messages)
    given["spec"]["objective"]["kind"] = None
    (problem,) = SYSTEM.check_company(given, meks, side="attacker").problems
    assert problem.message.startswith("Small war can't be played yet (MM-091)")


def test_scenario_sheet_shows_drafts():
    sheet = SYSTEM.scenario_sheet(SYSTEM.parse_scenario({}))
    assert (len(sheet.zones), sheet.objective) == (9, "None yet")
    gates = SYSTEM.scenario_sheet(SYSTEM.scenarios["hot-gates"].spec)
    assert [[mark.text for mark in zone.marks] for zone in gates.zones if zone.marks] == [
        ["Attacker: all Meks set up"],
        ["Defender: half of the points set up, 2 × Infantry strongpoint", "Exit by the bottom edge"],
    ]
