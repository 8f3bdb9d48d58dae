"""Fire: MM-041 to MM-050, and the order in which it is rolled."""

import pytest

from systems.meks_and_mercs.battle.play import fight_round, plan, roll_fire
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.state import LONG, MEDIUM, SHORT

from .states import battle, duel, fired, kinds, meet, mek, modifiers, only, order, planned, play, sight, support

UNARMED = mek("heavy")
NATURAL = {"natural-rolls": "six-hits-one-misses"}


def shot(state, *faces, **whose):
    """Return the one to-hit roll of one firing."""
    return only(fired(state, *faces, **whose), "shot-rolled")


def one_target_a_weapon(systems, skills=(), **condition):
    """Return the fire plan of a Mek with three enemies, each at the maximum range of one of its weapons."""
    shooter = mek("titan", ["cannon", "rail-cannon", "ppc"], systems, skills=skills, **condition)
    state = meet(battle([shooter], [mek("light", hits=1), mek("medium"), mek("titan")]))
    for place, band in enumerate((LONG, MEDIUM, SHORT)):
        state.pairs[place].band = band
    plan(state, [])
    return state


@pytest.mark.rule("MM-043")
@pytest.mark.parametrize(("face", "hit"), [(3, False), (4, True)])
def test_to_hit_die_hits_on_weapons_number_or_more(face, hit):
    state = duel(mek("light", ["cannon"]), UNARMED)
    assert shot(state, face).result["hit"] is hit
    assert state.battle.shots == int(hit)


@pytest.mark.rule("MM-043")
@pytest.mark.parametrize(("band", "needed"), [(SHORT, 4), (MEDIUM, 5)])
def test_hit_number_depends_on_band(band, needed):
    state = duel(mek("medium", ["rail-cannon"]), UNARMED, band)
    assert shot(state, needed).result == {"slot": 0, "band": band, "number": needed, "hit": True}


@pytest.mark.rule("MM-043")  # MM-D26, MM-D27
def test_natural_six_does_not_always_hit():
    state = duel(mek("light", ["cannon"], level="green"), UNARMED, terrain="urban")
    assert shot(state, 6).result["hit"] is False


@pytest.mark.rule("MM-043")  # MM-D26, MM-D27
def test_natural_one_does_not_always_miss():
    state = duel(mek("heavy", ["laser"], level="elite"), UNARMED)
    assert shot(state, 1).result["hit"] is True


@pytest.mark.rule("MM-043")  # MM-D26
def test_natural_rolls_hit_on_six_and_miss_on_one():
    poor = duel(mek("light", ["cannon"], level="green"), UNARMED, terrain="urban", options=NATURAL)
    assert shot(poor, 6).result["hit"] is True
    assert shot(poor, 5).result["hit"] is False
    fine = duel(mek("heavy", ["laser"], level="elite"), UNARMED, options=NATURAL)
    assert shot(fine, 1).result["hit"] is False


@pytest.mark.rule("MM-042")
def test_weapon_fires_at_any_band_up_to_its_range():
    for weapon, reach in ("cannon", [SHORT]), ("rail-cannon", [SHORT, MEDIUM]), ("ppc", [SHORT, MEDIUM, LONG]):
        for band in (SHORT, MEDIUM, LONG):
            state = duel(mek("heavy", [weapon]), UNARMED, band)
            plan(state, [])
            assert planned(state) == ([(0, 1)] if band in reach else [])


@pytest.mark.rule("MM-042")
def test_weapon_fires_once_a_round_at_several_targets():
    state = meet(battle([mek("heavy", ["rail-cannon", "rail-cannon"], ["director"])], [UNARMED, UNARMED]), SHORT)
    plan(state, [])
    assert sorted(slot for slot, _target in planned(state)) == [0, 1]


@pytest.mark.rule("MM-042")
def test_a_destroyed_weapon_does_not_fire():
    state = duel(mek("medium", ["rail-cannon", "rail-cannon"], weapons_lost=[0]), UNARMED)
    plan(state, [])
    assert planned(state) == [(1, 1)]


@pytest.mark.rule("MM-044")
@pytest.mark.parametrize(
    ("shooter", "target", "part"),
    [
        (mek("light", ["cannon"], level="green"), UNARMED, {"pilot level": -1}),
        (mek("light", ["cannon"], level="veteran"), UNARMED, {}),
        (mek("light", ["cannon"], level="elite"), UNARMED, {"pilot level": 1}),
        (mek("light", ["cannon"], ["targeting-array"]), UNARMED, {"Targeting Array": 1}),
        (mek("light", ["cannon"], ["targeting-array"], systems_lost=[0]), UNARMED, {}),
        (mek("light", ["cannon"]), mek("heavy", systems=["jammer"]), {"jammer": -1}),
        (mek("light", ["cannon"]), mek("heavy", systems=["jammer"], systems_lost=[0]), {}),
        (support("panzer"), UNARMED, {}),
    ],
)
def test_each_to_hit_modifier_is_named(shooter, target, part):
    state = duel(shooter, target)
    needed = 4 - sum(part.values())
    assert modifiers(shot(state, needed)) == part
    assert shot(state, needed).result["hit"] is True
    assert shot(state, needed - 1).result["hit"] is False


@pytest.mark.rule("MM-044")
@pytest.mark.parametrize(
    ("terrain", "modifier"),
    [("plain", 0), ("desert", 0), ("wood", -1), ("urban", -2), ("highlands", -1), ("moors", -1)],
)
def test_terrain_changes_to_hit_die(terrain, modifier):
    state = duel(mek("light", ["cannon"]), UNARMED, terrain=terrain)
    assert sum(modifiers(shot(state, 6)).values()) == modifier


@pytest.mark.rule("MM-044")
def test_to_hit_modifiers_add_up():
    state = duel(
        mek("light", ["cannon"], ["targeting-array"], level="green"), mek("heavy", systems=["jammer"]), terrain="wood"
    )
    state.units[0].computers = 1
    rolled = shot(state, 6)
    assert modifiers(rolled) == {"pilot level": -1, "terrain": -1, "jammer": -1, "Targeting Array": 1, "computers": -1}
    assert rolled.result["hit"] is False


@pytest.mark.rule("MM-044")  # MM-D65
def test_terrain_is_at_most_doubled():
    state = duel(mek("light", ["cannon"]), UNARMED, terrain="wood")
    state.units[1].dug_in = 1
    assert modifiers(shot(state, 6)) == {"terrain": -2}
    sight(state, 0, 1).doubled = 1
    assert modifiers(shot(state, 6)) == {"terrain": -2}


@pytest.mark.rule("MM-044")  # MM-D49
def test_targeting_array_helps_only_against_primary_target():
    state = one_target_a_weapon(["director", "targeting-array"])
    events = [event for event in play(roll_fire, state, [1, 1]) if event.kind == "shot-rolled"]
    assert [(event.target, modifiers(event)) for event in events] == [("d1", {"Targeting Array": 1}), ("d2", {})]


@pytest.mark.rule("MM-045")
def test_howitzer_cannon_ignores_terrain():
    state = duel(mek("heavy", ["howitzer-cannon"]), UNARMED, terrain="urban")
    sight(state, 0, 1).doubled = 1
    assert modifiers(shot(state, 4)) == {}


@pytest.mark.rule("MM-046")  # MM-D10
@pytest.mark.parametrize(
    ("weapon", "band", "modifier"),
    [
        ("missile", SHORT, 0),
        ("missile", MEDIUM, -1),
        ("missile", LONG, -1),
        ("swarm-missile", MEDIUM, -1),
        ("hammer-missile", SHORT, 0),
        ("hammer-missile", MEDIUM, -2),
        ("hammer-missile", LONG, -2),
        ("laser", MEDIUM, 0),
        ("howitzer-cannon", LONG, 0),
    ],
)
def test_point_defense_hampers_missiles_beyond_short(weapon, band, modifier):
    state = duel(mek("heavy", [weapon]), mek("heavy", systems=["point-defense"]), band)
    faces = [1, 1] if weapon == "swarm-missile" else [1]
    assert {sum(modifiers(event).values()) for event in fired(state, *faces)} == {modifier}


@pytest.mark.rule("MM-046")
def test_point_defense_protects_its_carrier_only():
    state = meet(battle([mek("heavy", ["missile"])], [mek("heavy", systems=["point-defense"]), UNARMED]), LONG)
    assert modifiers(shot(state, 1, on=2)) == {}


@pytest.mark.rule("MM-047")
@pytest.mark.parametrize(("band", "modifier"), [(SHORT, -1), (MEDIUM, -1), (LONG, -2)])
@pytest.mark.parametrize("weapon", ["missile", "hammer-missile"])
def test_phalanx_hampers_missiles_at_all_friends_in_zone(weapon, band, modifier):
    state = meet(battle([mek("heavy", [weapon])], [mek("heavy", systems=["phalanx"]), UNARMED]), band)
    assert modifiers(shot(state, 1, on=1)) == {"Phalanx": modifier}
    assert modifiers(shot(state, 1, on=2)) == {"Phalanx": modifier}


@pytest.mark.rule("MM-047")
def test_phalanx_protects_only_friends_in_its_zone():
    state = meet(battle([mek("heavy", ["missile"], ["phalanx"])], [mek("heavy", systems=["phalanx"]), UNARMED]), LONG)
    state.units[1].zone = 1
    assert modifiers(shot(state, 1, on=2)) == {}


@pytest.mark.rule("MM-047")
@pytest.mark.parametrize("gone", ["lost", "destroyed"])
def test_lost_phalanx_protects_nobody(gone):
    carrier = mek("heavy", systems=["phalanx"], **({"systems_lost": [0]} if gone == "lost" else {}))
    state = meet(battle([mek("heavy", ["missile"])], [carrier, UNARMED]), LONG)
    state.units[1].present = int(gone == "lost")
    assert modifiers(shot(state, 1, on=2)) == {}


@pytest.mark.rule("MM-047")  # MM-D11
@pytest.mark.parametrize(
    ("weapon", "band", "defense", "modifier"),
    [
        ("missile", SHORT, "Phalanx", -1),
        ("missile", MEDIUM, "Point Defense", -1),
        ("missile", LONG, "Phalanx", -2),
        ("hammer-missile", MEDIUM, "Point Defense", -2),
        ("hammer-missile", LONG, "Point Defense", -2),
    ],
)
def test_missile_defenses_do_not_add_up(weapon, band, defense, modifier):
    carriers = [mek("assault", systems=["phalanx", "point-defense"]), mek("heavy", systems=["phalanx"])]
    state = meet(battle([mek("heavy", [weapon])], carriers), band)
    assert modifiers(shot(state, 1, on=1)) == {defense: modifier}


@pytest.mark.rule("MM-048")
@pytest.mark.parametrize(
    ("chassis", "weapon", "miss", "number"), [("heavy", "twin-laser", 1, 2), ("medium", "six-pack-missile", 2, 3)]
)
def test_missed_shot_is_rerolled_with_same_modifiers(chassis, weapon, miss, number):
    state = duel(mek(chassis, [weapon]), UNARMED, terrain="wood")
    missed = shot(state, miss, number)  # the wood takes one off the reroll too
    assert (missed.rule, missed.faces, missed.result["hit"]) == ("MM-048", (miss, number), False)
    assert shot(state, miss, number + 1).result["hit"] is True
    assert shot(state, number + 1).faces == (number + 1,)


@pytest.mark.rule("MM-049")
@pytest.mark.parametrize(("chassis", "weapon"), [("light", "vulcan-cannon"), ("heavy", "swarm-missile")])
def test_each_hit_of_two_dice_is_saved_separately(chassis, weapon):
    state = duel(mek(chassis, [weapon]), mek("titan"))
    assert [event.result["hit"] for event in fired(state, 4, 4)] == [True, True]
    saved = play(apply_damage, state, [2, 1, 1])  # the first is saved; the second is not, and is checked for a critical
    assert kinds(saved) == ["save-rolled", "save-rolled", "hit-taken", "critical-checked"]


@pytest.mark.rule("MM-050")  # MM-D52
@pytest.mark.parametrize("target", [mek("light"), support("apc")], ids=["Mek", "vehicle"])
def test_small_weapons_are_not_fired_at_meks_or_vehicles(target):
    state = duel(mek("heavy", ["ciws", "ciws", "minigun"]), target)
    plan(state, [])
    assert state.units[0].firings == 0


@pytest.mark.rule("MM-041", "MM-073")  # MM-D49
@pytest.mark.parametrize(
    ("systems", "skills", "targets"),
    [([], [], 1), (["director"], [], 2), ([], ["quick-draw"], 2), (["director"], ["quick-draw"], 3)],
)
def test_director_and_quick_draw_allow_more_targets(systems, skills, targets):
    state = one_target_a_weapon(systems, skills)
    assert planned(state) == [(2, 1), (1, 2), (0, 3)][:targets]


@pytest.mark.rule("MM-041")
def test_lost_director_leaves_one_target():
    state = one_target_a_weapon(["director"], systems_lost=[0])
    assert [target for _slot, target in planned(state)] == [1]


@pytest.mark.rule("MM-A19")
def test_fire_is_rolled_by_weapon_starting_with_phasing_side():
    hot = mek("heavy", ["ppc"])
    state = duel(hot, mek("light", ["cannon"]))
    state.units[0].heat_rating = 3
    plan(state, [])
    order(state, 0)  # the AI would not overheat
    events = play(roll_fire, state, [6, 6, 1])
    assert [(event.kind, event.unit) for event in events] == [
        ("shot-rolled", "a1"),
        ("heat-rolled", "a1"),
        ("heat-used", "a1"),
        ("shot-rolled", "d1"),
        ("heat-used", "d1"),
    ]


@pytest.mark.rule("MM-026")  # MM-D35
def test_unit_destroyed_this_round_still_fires():
    state = battle([mek("light", ["cannon"], hits=1)], [mek("light", ["cannon"], hits=1)])
    for pair in state.pairs:
        pair.made, pair.band = 1, SHORT
    events = play(fight_round, state, [1, 1, 1, 1, 4, 4, 1, 1], 0)
    assert [event.unit for event in events if event.kind == "unit-destroyed"] == ["d1", "a1"]


@pytest.mark.rule("MM-A18")  # MM-D35
def test_all_fire_is_planned_before_rolling():
    state = meet(battle([mek("light", ["cannon"]), mek("light", ["cannon"])], [mek("light", hits=1)]), SHORT)
    plan(state, [])
    assert [state.units[i].firings for i in range(2)] == [1, 1]
    assert [event.unit for event in play(roll_fire, state, [4, 4]) if event.kind == "shot-rolled"] == ["a1", "a2"]
