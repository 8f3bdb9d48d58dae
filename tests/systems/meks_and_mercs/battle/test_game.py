"""Whole games on the map: turns, initiative, T.Z.C. and properties of every game."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from systems.documents import DocumentError
from systems.engine.dice import SeededDice
from systems.engine.runner import plain_battle
from systems.meks_and_mercs.battle import SYSTEM
from systems.meks_and_mercs.battle.play import fight_zones, first_mover, set_up
from systems.meks_and_mercs.battle.rules import pair_of
from systems.meks_and_mercs.battle.rules.turn import roll_initiative
from systems.meks_and_mercs.battle.rules.zone_combat import make_contact
from systems.meks_and_mercs.battle.state import ATTACKER, DEFENDER
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.analysis import report_text, rounds_of
from systems.simulation.records import read_record, resolve, verify
from tests.battles.record_ends import final_situation
from tests.systems.any_battle import seeds

from .games import COMPANIES, Map, crew, document, game, games, kinds

TACTICIANS = [crew("draken", "veteran", ["tactics"]), crew("saber", "veteran", ["tactics"])]


@pytest.mark.rule("MM-016", "MM-078")
def test_initiative_tie_is_rerolled_with_same_bonuses():  # MM-X36
    table = Map(attackers=TACTICIANS, support=((), ("surprise",)))
    first, second = table.play(roll_initiative, [4, 3, 5, 3])
    assert (first.faces, first.result["winner"]) == ((4, 3), -1)
    assert {part.name: part.value for part in second.modifiers} == {"attacker's Tactics": 2, "defender's Surprise": 3}
    assert second.result["winner"] == ATTACKER


@pytest.mark.rule("MM-016", "MM-078")
@pytest.mark.parametrize(
    ("given_game", "expected"),
    [({"attackers": TACTICIANS}, Fraction(13, 16)), ({"support": (("surprise",), ())}, Fraction(10, 11))],
)
def test_initiative_chance_matches_ledger(given_game, expected):  # MM-P20
    wins = ties = Fraction(0)
    for a in range(1, 7):
        for d in range(1, 7):
            table = Map(**given_game)
            bonus = 2 if "attackers" in given_game else 3
            events = table.play(roll_initiative, [a, d, 6, 1] if a + bonus == d else [a, d])
            winner = events[0].result["winner"]
            ties += Fraction(winner == -1, 36)
            wins += Fraction(winner == ATTACKER, 36)
    assert wins / (1 - ties) == expected


@pytest.mark.rule("MM-078")
def test_surprise_counts_on_first_turn_only():
    table = Map(support=(("surprise",), ()))
    table.state.battle.turn = 2
    (event,) = table.play(roll_initiative, [1, 2])
    assert (event.modifiers, event.result["winner"]) == ((), DEFENDER)


@pytest.mark.rule("MM-017", "MM-A38")
def test_attacker_moves_first_except_in_head_to_head():
    assert first_mover(Map("breach").state, DEFENDER) == ATTACKER
    assert first_mover(Map("head-to-head").state, DEFENDER) == DEFENDER
    assert first_mover(Map("head-to-head", doctrines=("cautious", "aggressive")).state, ATTACKER) == DEFENDER


@pytest.mark.rule("MM-015")
def test_turn_runs_from_initiative_to_victory_check():
    record = resolve(game("citadel"), 4)
    for turn in range(1, int(record.outcome["rounds"]) + 1):
        steps = [event for event in record.events if event.round == turn]
        kinds = [event.kind for event in steps if event.kind in ("turn-began", "phase-began", "turn-ended")]
        assert kinds == ["turn-began", "phase-began", "phase-began", "phase-began", "turn-ended"]
        assert [event.result["side"] for event in steps if event.kind == "phase-began"][:2] == [ATTACKER, DEFENDER]
        zones = [event.result["zone"] if event.kind == "zone-contested" else 0 for event in steps]
        for phase in range(2):  # one zone at a time, lowest number first
            begun = [at for at, event in enumerate(steps) if event.kind == "phase-began"]
            combat_zones = [zone for zone in zones[begun[phase] : begun[phase + 1]] if zone]
            assert combat_zones == sorted(set(combat_zones))


@pytest.mark.rule("MM-025")
@pytest.mark.parametrize(("options", "most"), [({}, 12), ({"tzc-rounds": 1}, 1), ({"tzc-rounds": 40}, 40)])
def test_fight_lasts_at_most_house_rule_rounds(options, most):
    unarmed = {"design": {"chassis": "heavy", "weapons": [], "systems": []}}
    table = Map("head-to-head", attackers=[unarmed], defenders=[unarmed], options=options).put(a1=5, d1=5)
    table.state.units[0].movement_dice = table.state.units[1].movement_dice = 1
    make_contact(table.state, 5, [])
    pair = pair_of(table.state, 0, 1)
    pair.band = 0
    table["a1"].order = table["d1"].order = 0
    for unit in (table["a1"], table["d1"]):
        unit.legs = 20  # totals of 0: no unit gets away
    events = table.play(fight_zones, [1] * 2 * most)
    assert kinds(events).count("round-began") == most


@pytest.mark.rule("MM-012")
def test_random_terrain_is_rolled_for_unprinted_zones():
    table = Map("breach", options={"random-terrain": True})
    events = table.play(set_up, [1, 2, 3, 4, 5, 6, 1, 1, 6])
    slugs = ["plain", "plain", "wood", "urban", "highlands", "moors", "plain", "plain", "moors"]
    expected = [CATALOGUE.terrain[slug] for slug in slugs]
    assert [zone.movement for zone in table.state.zones[1:10]] == [terrain.movement for terrain in expected]
    assert [zone.heat for zone in table.state.zones[1:10]] == [terrain.heat_rating for terrain in expected]
    assert kinds(events).count("terrain-rolled") == 9
    assert "terrain-rolled" not in kinds(Map("citadel", options={"random-terrain": True}).play(set_up, []))
    assert Map("breach", terrain="wood").state.zones[9].to_hit == CATALOGUE.terrain["wood"].to_hit


@pytest.mark.rule("MM-010", "MM-011", "MM-013", "MM-014", "MM-075", "MM-088")
@pytest.mark.parametrize(
    ("scenario", "change", "place", "rule"),
    [
        ("hot-gates", {"attackers": [crew("thor")]}, "sides[0].units[0]", "MM-010"),
        ("hot-gates", {"attackers": [crew("draken")] * 3}, "sides[0].units", "MM-010"),
        ("opening-shots", {"attackers": [crew("wasp", "green")]}, "sides[0].units", "MM-010"),
        ("breach", {"attackers": [{"design": "panzer"}]}, "sides[0].units[0].design", "MM-088"),
        ("breach", {"support": (("ambush", "decoy"), ())}, "sides[0].support", "MM-014"),
        ("breach", {"support": (("bombs",), ())}, "sides[0].support[0]", "support result"),
        ("citadel", {"terrain": "wood"}, "terrain", "prints its terrain"),
        ("breach", {"terrain": "swamp"}, "terrain", "terrain"),
        ("breach", {"doctrines": ("rash", "cautious")}, "sides[0].doctrine", "doctrine"),
        ("breach", {"options": {"tzc-rounds": 0}}, "options", "tzc-rounds"),
    ],
)
def test_unplayable_game_is_refused_with_place_and_rule(scenario, change, place, rule):
    with pytest.raises(DocumentError) as refused:
        read_setup(document(scenario, **change))
    assert refused.value.path.startswith(place)
    assert rule in str(refused.value)


@pytest.mark.rule("MM-011", "MM-075")
def test_roster_pilots_are_free():
    meks = [crew("draken"), crew("saber"), crew("viper")]  # 65 of 60 points with three new Regulars
    with pytest.raises(DocumentError, match="MM-010"):
        game("breach", attackers=meks)
    for unit in meks:
        unit["pilot"]["is_new"] = False
    game("breach", attackers=meks)
    heroes = [crew("draken", "veteran", ["log-hero"]), crew("saber")]
    game("breach", attackers=heroes, support=(("roll", "roll"), ()))


OVER_BY_FIVE = [crew("draken"), crew("saber"), crew("viper")]  # 65 of 60 points with three new Regulars
UNCLE = (("rich-uncle",), ())


@pytest.mark.rule("MM-012", "MM-087")
@pytest.mark.parametrize("face", range(1, 7))
def test_rich_uncle_pays_for_meks_with_one_die(face):
    given_game = document("breach", attackers=OVER_BY_FIVE, support=UNCLE, rolled=({"rich-uncle": [face]}, {}))
    if face < 5:
        with pytest.raises(DocumentError, match=f"costs 65 points; .* allows {60 + face}"):
            read_setup(given_game)
    else:
        record = resolve(read_setup(given_game), 1)
        assert read_record(record.text()).setup.sides[0].rolled == {"rich-uncle": (face,)}


@pytest.mark.rule("MM-087")
def test_rich_uncle_dice_add_up():
    drakens = [crew("draken"), crew("draken")]  # 58 of 50 points with two new Regulars
    uncles = ((), ("rich-uncle", "rich-uncle"))
    game("hot-gates", defenders=drakens, support=uncles, rolled=({}, {"rich-uncle": [5, 3]}))
    with pytest.raises(DocumentError, match="costs 58 points; .* allows 57"):
        game("hot-gates", defenders=drakens, support=uncles, rolled=({}, {"rich-uncle": [5, 2]}))
    with pytest.raises(DocumentError, match=r"allows 60\. The Rich Uncle adds one die"):
        game("breach", attackers=OVER_BY_FIVE, support=UNCLE)


@pytest.mark.rule("MM-087", "MM-S07")
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"support": ((), ()), "rolled": ({"rich-uncle": [4]}, {})}, "sides[0].rolled"),
        ({"support": UNCLE, "rolled": ({"rich-uncle": [4, 4]}, {})}, "sides[0].rolled"),
        ({"support": UNCLE, "rolled": ({"rich-uncle": [7]}, {})}, "sides[0].rolled.rich-uncle"),
        ({"support": UNCLE, "rolled": ({"ambush": [1]}, {})}, "sides[0].rolled.ambush"),
        (
            {
                "support": UNCLE,
                "rolled": ({"rich-uncle": [4]}, {}),
                "options": {"season-mode": "standing-company"},
            },
            "sides[0].rolled",
        ),
    ],
)
def test_impossible_rich_uncle_die_is_refused(change, place):
    with pytest.raises(DocumentError) as refused:
        read_setup(document("breach", **change))
    assert refused.value.path.startswith(place)


@pytest.mark.rule("MM-A02")
@settings(max_examples=25, deadline=None)
@given(setup=games(), seed=seeds)
def test_replaying_game_events_gives_final_state(setup, seed):
    record = resolve(setup, seed)
    state = plain_battle(SYSTEM.fight, SYSTEM.prepare(setup), SeededDice(seed), [])
    end = final_situation(record)
    keys = [key for key, _side in SYSTEM.fielded(setup)]
    for at, (view, outcome) in enumerate(zip(end.units, record.outcome["units"], strict=True)):
        unit = state.units[at]
        assert (view.key, view.destroyed, view.withdrew) == (keys[at], outcome["lost"], outcome["withdrew"])
        assert view.zone == outcome.get("zone", 0) == (unit.zone if unit.present else 0)
        if unit.present:
            assert (view.hidden, view.dug_in, view.decoy) == (unit.hidden, unit.dug_in, unit.decoy)
        assert (view.legs, view.wounded, view.kills) == (outcome["legs"], outcome["wounded"], outcome["kills"])
        assert tuple(k for k, (_name, intact) in enumerate(view.weapons) if not intact) == tuple(
            outcome["weapons_lost"]
        )
        if view.chassis != "commandos":
            assert view.hits == outcome["hits"]
    pairs = {
        (keys[a], keys[d]): pair.band
        for a in range(state.battle.attackers)
        for d in range(state.battle.attackers, len(keys))
        for pair in [pair_of(state, a, d)]
        if pair.made
    }
    assert {(band.a_key, band.d_key): band.band for band in end.bands} == pairs


@settings(max_examples=12, deadline=None)
@given(setup=games(), seed=seeds)
def test_every_game_ends_in_time_and_reads_back(setup, seed):
    record = resolve(setup, seed)
    assert record.outcome["rounds"] <= CATALOGUE.scenarios[setup.scenario].turn_limit
    assert verify(record.text()) is None
    assert read_record(record.text()).events == record.events
    assert read_setup(setup_json(setup)) == setup
    lines = [line for view in rounds_of(record) for step in view.steps for line in step.lines]
    assert all(line.sentence for line in lines)
    assert record.digest in report_text(record)


@settings(max_examples=30, deadline=None)
@given(setup=games(), seed=seeds)
def test_no_unit_acts_after_leaving_map(setup, seed):
    gone = set()
    acts = {"movement-rolled", "shot-rolled", "unit-moved", "unit-left", "infantry-attacked", "ambush-sprung"}
    for event in resolve(setup, seed).events:
        assert not (event.kind in acts and event.unit in gone), event
        assert not (event.kind == "shot-rolled" and event.target in gone), event
        if event.kind in ("unit-destroyed", "unit-left", "decoy-removed"):
            gone.add(event.unit)


@pytest.mark.rule("MM-013")
@pytest.mark.parametrize("scenario", COMPANIES)
def test_record_shows_where_each_unit_starts(scenario):
    setup = game(scenario, support=((), ("gun-sled",)))
    events = resolve(setup, 1).events
    first = [event.kind for event in events].index("turn-began")
    placed = {event.unit: event.result["zone"] for event in events[:first] if event.kind == "unit-placed"}
    state = SYSTEM.prepare(setup)
    keys = [key for key, _side in SYSTEM.fielded(setup)]
    assert placed.keys() == set(keys)
    assert {
        key: unit.zone for key, unit in zip(keys, state.units, strict=False) if unit.present
    }.items() <= placed.items()
    assert placed["d+1"] == placed["d1"]
    where = f"zone {placed['a1']}" if placed["a1"] else "off the map"
    assert any(line.endswith(f" {where}. MM-013") for line in report_text(resolve(setup, 1)).splitlines())
