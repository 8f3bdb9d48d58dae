"""The table's shot calculator uses the rules that fire the shot."""

import re
from fractions import Fraction

import pytest

from systems import BATTLES
from systems.reading import read_setup
from systems.shots import ShotQuestion
from tests.battles.builders import duel

MEKS, MECHS = BATTLES["meks-and-mercs"], BATTLES["mech-campaign"]


def shot_question(setup, *, weapon="0", far="0", helps=(), out=(), shooter="", target=""):
    keys = [key for key, _ in BATTLES[setup.system].fielded(setup)]
    sides = dict(BATTLES[setup.system].fielded(setup))
    return ShotQuestion(
        setup=setup,
        shooter=shooter or next(key for key in keys if sides[key] == 0),
        target=target or next(key for key in keys if sides[key] == 1),
        weapon=weapon,
        range=far,
        helps=frozenset(helps),
        out=out,
    )


def weapon_named(setup, name):
    terms = MEKS.shot_terms(setup, "a1")
    return next(value for value, words in terms.weapons if words == name)


def names(shot):
    return {each.name: each.value for each in shot.modifiers}


@pytest.mark.rule("MM-043")
def test_cannon_at_short_needs_its_number():
    shot = MEKS.shot(shot_question(read_setup(duel("wasp", "thor"))))
    assert (shot.number, shot.need, shot.modifiers, shot.chance) == (4, 4, (), Fraction(1, 2))


@pytest.mark.rule("MM-042")
def test_weapon_out_of_range_cannot_fire():
    assert MEKS.shot(shot_question(read_setup(duel("wasp", "thor")), far="2")) is None


@pytest.mark.rule("MM-044")
def test_terrain_counts_once_or_doubled():
    setup = read_setup(duel("wasp", "thor", terrain="wood"))
    plain, doubled = MEKS.shot(shot_question(setup)), MEKS.shot(shot_question(setup, helps=["doubled"]))
    assert names(doubled)["terrain"] == 2 * names(plain)["terrain"] < 0
    assert doubled.need == plain.need - names(plain)["terrain"]


@pytest.mark.rule("MM-056")
def test_damaged_computers_cost_one():
    shot = MEKS.shot(shot_question(read_setup(duel("wasp", "thor")), helps=["computers"]))
    assert (names(shot), shot.need) == ({"computers": -1}, 5)


@pytest.mark.rule("MM-048")
def test_rerolled_die_counts_both_rolls():
    setup = read_setup(duel("odin", "thor"))
    terms = MEKS.shot_terms(setup, "a1")
    shots = [
        MEKS.shot(shot_question(setup, weapon=value, far=far)) for value, _ in terms.weapons for far, _ in terms.ranges
    ]
    again = [shot for shot in shots if shot and shot.chance.denominator == 36]
    single = [shot for shot in shots if shot and shot.chance.denominator != 36]
    assert single
    for shot in again:
        once = Fraction(7 - shot.need, 6)
        assert shot.chance == once + (1 - once) * once


def test_unit_that_is_out_helps_nobody():
    setup = duel("wasp", "thor")
    setup["sides"][0]["units"][0]["design"] = "viper"
    setup["sides"][1]["units"].append({"key": "b2", "design": "draken"})
    given = read_setup(setup)
    terms = MEKS.shot_terms(given, "a1")
    for value, _ in terms.weapons:
        with_all, without = (MEKS.shot(shot_question(given, weapon=value, far="1", out=out)) for out in ((), ("b2",)))
        assert (with_all is None) == (without is None)
        assert "Phalanx" not in names(without) if without else True


@pytest.mark.parametrize(
    ("helps", "need", "rules"),
    [
        pytest.param((), 4, (), marks=pytest.mark.rule("MC-073")),
        pytest.param(("cover",), 5, ("MC-078",), marks=pytest.mark.rule("MC-078")),
        pytest.param(("height",), 3, ("MC-079",), marks=pytest.mark.rule("MC-079")),
        pytest.param(("lock",), 3, ("MC-075",), marks=pytest.mark.rule("MC-075")),
        pytest.param(("cover", "height", "lock"), 3, ("MC-078", "MC-079", "MC-075"), marks=pytest.mark.rule("MC-074")),
    ],
)
def test_mech_needs_four_changed_by_cover_height_and_lock(helps, need, rules):
    shot = MECHS.shot(shot_question(MECHS.example(), weapon="", far="within", helps=helps))
    assert (shot.need, tuple(each.rule for each in shot.modifiers)) == (need, rules)
    assert shot.chance == Fraction(7 - need, 6)


@pytest.mark.rule("MC-070")
def test_mech_cannot_fire_beyond_twelve_inches():
    assert MECHS.shot(shot_question(MECHS.example(), weapon="", far="beyond")) is None


def test_every_game_calculates_shots_for_table():
    for system in BATTLES.values():
        setup = system.example()
        terms = [system.shot_terms(setup, key) for key, _ in system.fielded(setup)]
        assert any(terms), system.slug
        assert system.shot_terms(setup, "nobody") is None


# --- Hex Core: attack at or above, evasion after it -------------------------------------------------------------------

HEXES, STEEL = BATTLES["hex-core"], BATTLES["blazing-steel"]


def hex_question(*helps, weapon="", **more):
    setup = HEXES.example()
    terms = HEXES.shot_terms(setup, "a1")
    gun = next(value for value, words in terms.weapons if words.endswith("hexes"))
    return shot_question(setup, weapon=weapon or gun, helps=helps, **more)


def hex_shot(*helps, **more):
    return HEXES.shot(hex_question(*helps, **more))


@pytest.mark.rule("HX-084")
def test_hex_core_attack_needs_accuracy_of_unit():
    shot = hex_shot("fixed")
    state = HEXES.prepare(HEXES.example())
    assert (shot.number, shot.rule) == (state.units[0].acc, "HX-084")
    assert shot.chance == Fraction(9 - shot.need, 8) == shot.lands
    assert shot.need_label == f"{shot.need}+"


@pytest.mark.parametrize(
    ("rule", "helps", "found"),
    [
        ("HX-142", ["woods"], {"woods": -2}),
        ("HX-142", ["woods", "second-woods"], {"woods": -4}),
        ("HX-144", ["smoke"], {"smoke": -1}),
        ("HX-158", ["high"], {"level +1": 1}),
        ("HX-105", ["kneeling"], {"kneeling": 1}),
        ("HX-106", ["kneeling", "prone"], {"prone": 3}),
    ],
)
def test_accuracy_modifier_is_named_with_its_rule(rule, helps, found):
    plain, shot = hex_shot(), hex_shot(*helps)
    assert {name: value for name, value in names(shot).items() if name != "trait"} == found
    assert shot.need == min(8, plain.need - sum(found.values()))


@pytest.mark.rule("HX-110")
def test_unit_without_head_needs_two_more():
    assert hex_shot("headless").number == hex_shot().number + 2


@pytest.mark.rule("HX-006")
def test_perfect_eight_always_hits_and_is_not_evaded():
    shot = hex_shot("woods", "second-woods", "smoke", "headless")
    assert shot.number - shot.added > 8
    assert (shot.need, shot.chance, shot.lands) == (8, Fraction(1, 8), Fraction(1, 8))


@pytest.mark.rule("HX-086")
@pytest.mark.rule("HX-087")
def test_hit_lands_unless_evaded():
    shot, state = hex_shot(), HEXES.prepare(HEXES.example())
    at = [key for key, _ in HEXES.fielded(HEXES.example())].index(hex_question().target)
    evades = Fraction(9 - state.units[at].eva, 8)
    others = shot.chance - Fraction(1, 8)  # all hits but the Perfect 8
    assert shot.lands == Fraction(1, 8) + others * (1 - evades) < shot.chance
    assert shot.then.startswith(f"It evades on {state.units[at].eva} or more")


@pytest.mark.rule("HX-095")
def test_strike_needs_assault_number_without_terrain():
    setup = HEXES.example()
    fists = next(value for value, words in HEXES.shot_terms(setup, "a1").weapons if words == "fists, melee")
    shot = hex_shot("woods", "fixed", weapon=fists)
    assert (shot.number, shot.rule) == (HEXES.prepare(setup).units[0].asl, "HX-095")
    assert "terrain" not in names(shot)


# --- Blazing Steel: at or below ---------------------------------------------------------------------------------------


def steel_shot(*helps, far="within", gun=None, shooter="a1", target="b1"):
    setup = STEEL.example()
    weapons = STEEL.shot_terms(setup, shooter).weapons
    value = next((value for value, words in weapons if gun is None or words.startswith(gun)))
    return STEEL.shot(shot_question(setup, weapon=value, far=far, helps=helps, shooter=shooter, target=target))


@pytest.mark.rule("BS-120")
def test_blazing_steel_shot_counts_six_or_less():
    shot = steel_shot()
    assert (shot.number, shot.need, shot.need_label, shot.chance) == (6, 6, "≤ 6", 1)
    assert shot.modifiers == ()


@pytest.mark.parametrize(
    ("rule", "far", "helps", "need"),
    [
        ("BS-122", "beyond", [], 5),
        ("BS-122", "within", ["cover"], 5),
        ("BS-058", "within", ["cover", "fortified"], 4),
        ("BS-122", "beyond", ["cover"], 4),
        ("BS-123", "within", ["impact"], 5),
        ("BS-123", "within", ["impact-2"], 4),
        ("BS-154", "within", ["targeting"], 5),
        ("BS-171", "within", ["scope"], 6),  # helps only against penalties
        ("BS-171", "beyond", ["scope"], 6),
    ],
)
def test_modifiers_change_number_of_shot(rule, far, helps, need):
    shot = steel_shot(*helps, far=far)
    assert (shot.need, shot.chance) == (need, Fraction(need, 6))


@pytest.mark.rule("BS-175")
def test_smoke_rerolls_each_effective_die():
    shot = steel_shot("smoke", "cover", "fortified")
    assert (shot.need, shot.chance) == (4, Fraction(4, 6) ** 2)


def test_warmech_rolls_weapon_dice():
    setup = STEEL.example()
    assert {steel_shot(gun=words).dice for _, words in STEEL.shot_terms(setup, "a1").weapons} <= {1, 2, 3, 4, 5}
    assert STEEL.shot_terms(setup, "x9") is None
    assert HEXES.shot_terms(HEXES.example(), "x9") is None


# --- MechaStellar: pool against pool ----------------------------------------------------------------------------------

STARS = BATTLES["mechastellar"]


def star_shot(*helps, far="12", melee=False, setup=None):
    given = setup or STARS.example()
    weapons = STARS.shot_terms(given, "a1").weapons
    value = next(value for value, words in weapons if words.endswith("melee") == melee)
    return STARS.shot(shot_question(given, weapon=value, far=far, helps=helps))


def lands(dice, hits, guard_dice, guard, success=5, guard_success=5):
    """Return the chance to land, counted die by die: each die is 0, 1 or, on a 10, 2."""

    def pool(count, need):
        found = {0: Fraction(1)}
        for _ in range(count):
            new = {}
            for at, chance in found.items():
                for face in range(1, 11):
                    made = at + (2 if face == 10 else int(face >= need))
                    new[made] = new.get(made, 0) + chance / 10
            found = new
        return found

    pairs = [
        (a, one, b, two) for a, one in pool(dice, success).items() for b, two in pool(guard_dice, guard_success).items()
    ]
    return sum((one * two for a, one, b, two in pairs if max(0, a + hits) > max(0, b + guard)), Fraction(0))


def numbers(shot):
    """Return added hits, the target's dice, the number they need, and its DEF."""
    more = re.search(r"and (-?\d+) more", shot.then)
    dice = re.search(r"(\d+) of the target’s dice on (\d)", shot.then)
    guard = int(re.search(r"and (-?\d+) DEF", shot.then)[1])
    return int(more[1]) if more else 0, int(dice[1]) if dice else 0, int(dice[2]) if dice else 5, guard


@pytest.mark.rule("ST-113")
@pytest.mark.rule("ST-114")
@pytest.mark.parametrize("helps", [(), ("behind",), ("cover",), ("focused",), ("behind", "cover")])
def test_attack_lands_with_more_hits_than_def(helps):
    shot = star_shot(*helps)
    hits, guard_dice, guard_success, guard = numbers(shot)
    assert shot.number == (3 if "focused" in helps else 5)
    assert shot.lands == lands(shot.dice, hits, guard_dice, guard, shot.number, guard_success)


@pytest.mark.rule("ST-112")
def test_attack_from_behind_adds_two_hits():
    assert numbers(star_shot("behind"))[0] == numbers(star_shot())[0] + 2


@pytest.mark.rule("ST-070")
@pytest.mark.rule("ST-090")
def test_engaged_unit_strikes_and_free_unit_shoots():
    assert star_shot(far="contact") is None
    assert star_shot(far="60") is None
    weapons = STARS.shot_terms(STARS.example(), "a1").weapons
    if any(words.endswith("melee") for _, words in weapons):
        assert star_shot(melee=True) is None
        assert star_shot(melee=True, far="contact").lands > 0
