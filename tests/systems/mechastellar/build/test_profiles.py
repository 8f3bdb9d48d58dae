"""Units and forces: their parts, their costs, and reasons for refusal."""

from __future__ import annotations

from typing import Any

import pytest

from systems.documents import DocumentError
from systems.mechastellar import GAME
from systems.mechastellar.build.spec import weapon_cost
from systems.mechastellar.catalogue import CATALOGUE
from systems.roster import CompanyMember, PilotSpec

RULES = GAME.roster
BASIC: dict[str, Any] = {"kind": "ms", "weapons": ["beam-rifle", "beam-saber"]}


def spec(**fields: Any) -> Any:
    return RULES.parse_spec({**BASIC, **fields})


def problems(**fields: Any) -> list[tuple[str, str]]:
    """Return field and rule of each problem."""
    return [(each.place, each.rule) for each in RULES.check_design(spec(**fields)).problems]


def member(design: str, level: str = "basic", name: str = "") -> CompanyMember[Any]:
    return CompanyMember(name or design, RULES.published[design].spec, PilotSpec(level))


def refusals(members: list[CompanyMember[Any]], **options: Any) -> list[tuple[str, str]]:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return [(each.place, each.rule) for each in RULES.check_company("versus", members, named).problems]


@pytest.mark.rule("ST-001", "ST-002")
def test_unit_is_one_of_five_kinds():
    assert list(CATALOGUE.kinds) == ["ms", "super-robot", "kaiju", "super-heavy", "warship"]
    assert RULES.kind_name(RULES.published["tankcrawler"].spec) == "Super Heavy"
    with pytest.raises(DocumentError, match=r"spec\.kind: unknown kind 'tank'.*\(ST-002\)"):
        spec(kind="tank")


@pytest.mark.rule("ST-003", "ST-006", "ST-010")
def test_profile_reads_defences_ratings_and_half_inch_move():
    read = spec(evade_dice=8, evade_def=2, melee_dice=4, melee_def=3, move_in=7.5, frame_level=3, performance=5)
    assert ((read.evade_dice, read.evade_def), (read.melee_dice, read.melee_def)) == ((8, 2), (4, 3))
    assert (read.move_in, read.frame_level, read.performance) == (7.5, 3, 5)
    with pytest.raises(
        DocumentError, match=r"spec\.move_in: a Move is a whole number of inches, or a half more \(ST-006\)"
    ):
        spec(move_in=7.25)


@pytest.mark.rule("ST-004", "ST-005")
def test_weapon_is_catalogue_slug_or_own_figures():
    own = {"name": "Long Gun", "type": "shooting", "dice": 9, "hits": 2, "range_in": 30, "dmg": 150, "tags": ["aa", "energy"]}  # fmt: skip
    first, second = spec(weapons=["beam-rifle", own]).weapons
    assert (first.slug, first.dice, first.rf_in, first.pen) == ("beam-rifle", 5, 16, 6)
    assert (second.slug, second.dice, second.pen, second.tags) == ("long-gun", 9, None, ("energy", "aa"))
    assert problems(weapons=["beam-rifle", own]) == []  # nine dice are unusual, not illegal
    with pytest.raises(
        DocumentError, match=r"weapons\[0\]: unknown weapon 'beam-rifl'; did you mean 'beam-rifle'\? \(ST-004\)"
    ):
        spec(weapons=["beam-rifl"])
    with pytest.raises(DocumentError, match=r'weapons\[0\]\.tags\[0\]: "aoe" is written with a number'):
        spec(weapons=[own | {"tags": ["aoe"]}])


@pytest.mark.rule("ST-007", "ST-008", "ST-010", "ST-011")
@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"kind": "ms", "havoc": 1}, ["havoc"]),
        ({"kind": "kaiju", "level": 0}, ["level"]),
        ({"kind": "ms", "evade_dice": 11}, ["evade_dice"]),
        ({"kind": "super-robot", "boost": 1}, ["boost"]),
        ({"kind": "super-heavy", "power": 1}, ["power"]),
        ({"kind": "ms", "weapons": []}, ["weapons"]),
        ({"kind": "ms", "frame_level": 6}, ["frame_level"]),
        ({"kind": "ms", "catapult": 2}, ["catapult"]),
        ({"kind": "kaiju", "level": 1, "havoc": 3}, []),
    ],
)
def test_x51_illegal_profile_is_refused_by_field(fields: dict[str, Any], places: list[str]):
    assert [place for place, _ in problems(**fields)] == places


@pytest.mark.rule("ST-011")
def test_dice_and_size_out_of_range_are_refused():
    gun = {"name": "Gun", "type": "shooting", "dice": 11, "range_in": 12, "dmg": 100}
    found = RULES.check_design(spec(size=9, weapons=[gun])).problems
    assert [(each.place, each.message, each.rule) for each in found] == [
        ("size", "Size goes from 0 to 5, not 9.", "ST-011"),
        ("weapons[0].dice", "Dice goes from 1 to 10, not 11.", "ST-011"),
    ]


@pytest.mark.rule("ST-009")
def test_a_warship_with_a_pilot_is_refused():
    (found,) = RULES.check_design(spec(kind="warship", crew="pilot")).problems
    assert (found.place, found.rule) == ("crew", "ST-009")
    assert found.message == "A Warship is flown by a captain, not by a pilot."


@pytest.mark.rule("ST-009")
def test_order_needs_captain_able_to_give_orders():
    orders = ["tactical-support"]
    assert problems(orders=orders) == [("orders", "ST-280")]
    assert problems(kind="warship", level=0, orders=orders) == [("orders", "ST-280")]
    assert problems(kind="warship", level=1, orders=orders) == []
    with pytest.raises(DocumentError, match=r"spec\.orders\[0\]: unknown order 'trust'"):
        spec(orders=["trust"])


@pytest.mark.rule("ST-009")
def test_captain_level_does_not_make_ship_elite():
    ship = RULES.published["escort-carrier"].spec
    assert (ship.crew, ship.level, ship.is_elite, ship.crewed_by.name) == ("captain", 1, False, "Skilled Captain")
    assert (ship.crewed_by.momentum, ship.crewed_by.vp, ship.crewed_by.orders) == (0, 0, 1)


@pytest.mark.rule("ST-011")
def test_all_problems_are_reported_at_once():
    gun = {"name": "Gun", "type": "melee", "dice": 5, "range_in": 12, "dmg": 75, "pen_tag": "S"}
    rifle = {"name": "Gun", "type": "shooting", "dice": 5, "range_in": 12, "rf_in": 12, "rf_dice": 1, "dmg": 100}
    assert [place for place, _ in problems(hp=450, morale=11, traits=["transform"], weapons=[gun, rifle])] == [
        *("hp", "morale", "alt_mode", "weapons[1].slug"),
        *("weapons[0].dmg", "weapons[0].pen_tag", "weapons[0].range_in", "weapons[1].rf_in"),
    ]


@pytest.mark.rule("ST-011")
def test_profile_with_seven_weapons_has_a_problem():
    guns = [{"name": f"Gun {at}", "type": "melee", "dice": 5, "dmg": 100} for at in range(7)]
    assert problems(weapons=guns) == [("weapons", "ST-011")]


@pytest.mark.rule("ST-012")
@pytest.mark.parametrize("profile", CATALOGUE.profiles.values(), ids=lambda profile: profile.slug)
def test_sample_profile_is_legal_with_printed_cost_and_vp(profile: Any):
    design = RULES.published[profile.slug]
    check = RULES.check_design(design.spec)
    assert (check.points, check.legal) == (profile.points, True)
    assert RULES.datasheet(design.spec, name="x", design_name="x").vp == profile.vp
    assert RULES.parse_spec(RULES.spec_json(design.spec)) == design.spec


@pytest.mark.rule("ST-012")
@pytest.mark.parametrize(("weapon", "cost"), [("beam-rifle", 25), ("jyuoken-sword", 85), ("micromissiles", 7), ("beam-phalanx", 1), ("sniper-rifle", 52), ("tail-lash", 33)])  # fmt: skip
def test_weapon_cost_follows_formula(weapon: str, cost: int):
    assert weapon_cost(CATALOGUE.weapons[weapon]) == cost


@pytest.mark.rule("ST-008", "ST-012", "ST-404")
def test_unit_costs_more_at_higher_level():
    plain, ace = (RULES.check_company("", [member("gamma-apollo", level)]).points for level in ("basic", "ace"))
    assert (plain, ace) == (190, 270)
    asura = [RULES.check_company("", [member("white-asura", level)]).points for level in ("basic", "skilled", "ace")]
    assert asura[0] == asura[1] == 255 < asura[2]


@pytest.mark.rule("ST-013")
def test_force_outside_size_or_points_is_refused():
    assert refusals([member("green-viking")] * 60) == [("members", "ST-013"), ("members", "ST-013")]
    assert refusals([member("green-viking")] * 12, points_limit=0) == []
    assert refusals([]) == [("members", "ST-013")]
    assert refusals([member("trident-drake")] * 2) == []
    assert refusals([member("trident-drake")] * 2, points_limit=900) == [("members", "ST-013")]


@pytest.mark.rule("ST-200")
def test_warship_needs_advanced_rules():
    assert refusals([member("escort-carrier")]) == [("members[0]", "ST-200")]
    assert refusals([member("escort-carrier")], tier="advanced") == []


@pytest.mark.rule("ST-015")
def test_traits_must_be_known_and_one_has_no_effect():
    assert problems(traits=["fly", "amphibious", "sniper", "reroll-evade-1s"]) == []
    check = RULES.check_design(spec(traits=["improvised-weapons"]))
    assert (check.legal, [each.rule for each in check.warnings]) == (True, ["ST-015"])
    with pytest.raises(DocumentError, match=r"spec\.traits\[0\]: unknown trait 'swims' \(ST-015\)"):
        spec(traits=["swims"])


@pytest.mark.rule("ST-015")
def test_second_mode_and_transform_need_each_other():
    mode = {"move_in": 11, "melee_success": 7}
    changed = spec(traits=["transform"], alt_mode=mode)
    assert problems(traits=["transform"], alt_mode=mode) == []
    assert (changed.in_mode_b.move_in, changed.in_mode_b.melee_success) == (11, 7)
    assert problems(alt_mode=mode) == [("traits", "ST-087")]
    assert problems(traits=["transform"], alt_mode={"move_in": 13}) == [("alt_mode.move_in", "ST-011")]


def test_point_off_table_is_refused_with_field_and_rule():
    five = [[24, 24], [12, 16], [36, 16], [12, 32], [36, 49]]
    with pytest.raises(DocumentError) as error:
        RULES.parse_scenario({"points": five})
    assert error.value.path == "spec.points[4]"
    assert error.value.reason == "a control point must be on the table, 0 to 48 in each way, not at (36, 49) (ST-021)"
    with pytest.raises(DocumentError, match=r"spec\.pieces\[0\]: a piece must be on the table"):
        RULES.parse_scenario({"pieces": [{"x": -1, "y": 3, "radius": 2, "kind": "low"}]})
