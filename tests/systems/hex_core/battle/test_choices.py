"""Choices that only people make: buildings, prone, weapons, letting go, drones, surrender, aquatic forms."""

from __future__ import annotations

import pytest

from systems.engine.choices import Answer, Hand, Value
from systems.engine.dice import ScriptedDice
from systems.hex_core.battle import ai, play
from systems.hex_core.battle import state as c
from systems.hex_core.battle.choices import IN_HAND
from systems.hex_core.battle.rules.attacks import building_refusal, watch
from systems.hex_core.battle.rules.commands import swap, swap_refusal
from systems.hex_core.battle.rules.grapples import constrain
from systems.hex_core.battle.rules.rounds import place_objective
from systems.simulation.records import HeaderHand, play_by_hand, resolve, verify
from tests.systems.hex_core.battle.tables import Table, example, foe, number, setup, unit

RIFLE, SABER = 0, 1
SEA = example("comet", systems=["transform-aquatic"])


class Person:
    """A player who chooses the first answer that begins with one of these words, otherwise the AI's."""

    def __init__(self, *preferred: str) -> None:
        self.wishes = preferred
        self.log = []
        self.asked: list[tuple[str, list[str]]] = []

    def unit(self, i: int) -> str:
        return f"Unit {i}"

    def weapon(self, i: int, slot: int) -> str:
        return f"weapon {slot}"

    def is_asked(self, side: int) -> bool:
        return side == c.SIDE_A

    def choose(self, side, words, answers: list[Answer], theirs, i: int = -1) -> Value:
        theirs = theirs() if callable(theirs) else theirs
        if not self.is_asked(side) or len(answers) < 2:
            return theirs
        self.asked.append((words, [each.words for each in answers]))
        wished = (each for each in answers if any(each.words.startswith(wish) for wish in self.wishes))
        return next(wished, Answer(theirs, "")).value


def ask(t, person, what, *args, dice=None):
    """Call one of the AI's functions with a person in its place."""
    asked = getattr(ai, what, None) or getattr(play, what)
    given = [*args] if dice is None else [*args, ScriptedDice(dice)]
    return IN_HAND.takes[what](person, asked)(t.state, *given, t.log)


def kinds(t):
    return [event.kind for event in t.events]


# --- buildings --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-150", "HX-152")
def test_building_in_reach_and_view_can_be_attacked():
    t = Table([unit()], [foe(at=(7, 0))], buildings={(7, 7): 5, (7, 4): 5, (7, 12): 5, (8, 8): 5}, pool=6)
    found = [at for at in t.state.hexes if at.dp and building_refusal(t.state, 0, RIFLE, at.row * 16 + at.column) == 0]
    assert sorted((at.column, at.row) for at in found) == [
        (7, 7),
        (8, 8),
    ]  # (7, 4) is behind another building, (7, 12) behind the unit
    assert t.ask(building_refusal, 0, RIFLE, number((7, 4))) == "no-los"
    t["a1"].pool = 2
    assert t.ask(building_refusal, 0, RIFLE, number((7, 7))) == "not-enough-ap"
    assert t.ask(building_refusal, 0, SABER, number((7, 7))) == "weapon-not-ready"


def play_on(given, preferred, stop, most=400):
    """Return a record's events of one kind. A player plays side A until the first one, then the AI finishes."""
    hand = Hand(sides=(0,))
    for _ in range(most):
        standing = play_by_hand(given, 1, hand)
        if standing.question is None or any(kind == stop for kind, _facts in standing.log):
            break
        answers = standing.question.answers
        wished = (each.value for each in answers if any(each.words.startswith(wish) for wish in preferred))
        value = next(wished, standing.question.doctrine)
        hand = hand.model_copy(update={"answers": (*hand.answers, value)})
    record = resolve(given, 1, None, HeaderHand(**hand.model_dump() | {"rest": True}))
    assert verify(record.text()) is None
    return [event for event in record.events if event.kind == stop]


@pytest.mark.rule("HX-150")
def test_player_shoots_building_and_battle_verifies():
    town = setup(["warden"], ["warden"], terrain="broken-town")
    buildings = ("Assault rifle at the building",)
    assert play_on(town, buildings, "building-attacked")


@pytest.mark.rule("HX-035")
def test_side_that_surrenders_loses_at_once():
    given = setup(["warden"], ["warden"])
    question = play_by_hand(given, 1, Hand(sides=(0,))).question
    assert [each.words.split(":")[0] for each in question.answers][-1] == "None"
    record = resolve(given, 1, None, HeaderHand(sides=(0,), answers=((1000,),), rest=True))
    assert verify(record.text()) is None
    assert (record.outcome["winner"], record.outcome["reason"]) == ("Blue", "surrender")
    assert not [event for event in record.events if event.kind == "turn-began" and event.unit == "a1"]


# --- positions --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-106")
def test_kneeling_unit_goes_prone_and_kneels_to_leave():
    t = Table([unit()], [foe()], pool=8)
    ask(t, Person("Kneel", "Go prone"), "take_aim", 0)
    assert (t["a1"].kneeling, t["a1"].prone, t["a1"].pool) == (0, 1, 4)
    stays = Table([unit(prone=1)], [foe()], pool=8)
    ask(stays, Person("Stay prone"), "leave_prone", 0)
    assert (stays["a1"].prone, stays["a1"].pool) == (1, 8)
    ask(stays, Person(), "leave_prone", 0)
    assert (stays["a1"].kneeling, stays["a1"].prone, stays["a1"].pool) == (1, 0, 6)


@pytest.mark.rule("HX-106")
def test_ai_makes_prone_unit_kneel_without_moving():
    t = Table([unit(prone=1)], [foe("trooper", (7, 0))], pool=8)
    t.run(play.movement_phase, 0)
    assert (t["a1"].prone, t["a1"].kneeling, t.hex_of("a1")) == (0, 1, (7, 10))


@pytest.mark.rule("HX-107")
def test_offensive_stance_works_with_melee_weapon_or_fists():
    t = Table([unit("mauler")], [foe("longbow", (7, 7))], pool=9)
    ask(t, Person("Offensive Stance with bare fists"), "take_stance", 0)
    assert (t["a1"].watch, t["a1"].pool) == (c.UNARMED, 4)
    waits = Table([unit("longbow", (7, 8))], [foe("mauler")])
    waits["b1"].pool = 9
    waits.do(watch, 1, c.UNARMED)
    assert waits.step("a1", (7, 7), dice=[1]) is None
    assert [event.result["melee"] for event in waits.events_of("attack-rolled")] == [1]


# --- weapons ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-102")
def test_weapon_can_be_stowed():
    t = Table([unit()], [foe()], pool=8)
    ask(t, Person("Stow weapon 0"), "draw_weapon", 0)
    assert (t.weapon("a1", RIFLE).place, t["a1"].pool) == (c.CARRIED, 6)


@pytest.mark.rule("HX-103")
def test_unit_picks_up_friends_dropped_weapon():
    t = Table([unit("wisp"), unit()], [foe()], pool=8)
    t.weapon("a1", 0).place = c.CARRIED
    lying = t.weapon("a2", RIFLE)
    lying.place, lying.at = c.LYING, t["a1"].at
    person = Person("weapon 0 of Unit 1")
    ask(t, person, "send_drones", 0)
    taken = t.weapon("a1", t["a1"].weapons - 1)
    assert (taken.flat, taken.place, t["a1"].pool) == (4, c.RIGHT, 6)
    assert kinds(t) == ["weapon-retrieved"]


@pytest.mark.rule("HX-047", "HX-102")
def test_two_handed_weapon_is_drawn_into_one_free_hand():
    gunner = {
        "core": "standard",
        "weapons": [{"weapon": "bazooka", "place": "carried"}, {"weapon": "assault-rifle", "place": "right"}],
        "shields": [{"shield": "shield", "place": "left"}],
    }
    t = Table([unit(gunner)], [foe()], pool=8)
    assert t.ask(swap_refusal, 0, 0, -1) == "no-free-hand"
    assert t.ask(swap_refusal, 0, 0, 1) is None
    t.do(swap, 0, 0, 1)
    assert t.weapon("a1", 0).place == c.RIGHT


# --- holds, drones, flyers --------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-130")
def test_holder_that_lets_go_can_move():
    t = Table([unit("mauler", (7, 7))], [foe("longbow")], pool=9)
    t.do(constrain, 0, 1)
    ask(t, Person("Let go"), "break_free", 0, dice=[])
    assert (t["a1"].holds, t["b1"].held_by) == (c.NOBODY, c.NOBODY)
    assert t.turn("a1", 1) is None


@pytest.mark.rule("HX-027")
def test_one_reposition_moves_all_drones():
    t = Table([unit(example("shepherd", royroy=0))], [foe(at=(7, 0))], pool=8)
    for at in range(2):
        t.drone("a1", at).status, t.drone("a1", at).at = c.ACTIVE, number((7, 9))
    person = Person("Drone 1 to (7, 8)", "Drone 2 to (7, 8)")
    ask(t, person, "send_drones", 0)
    assert [t.drone("a1", at).at for at in range(2)] == [number((7, 8))] * 2
    assert t["a1"].pool == 6
    assert [event.rule for event in t.events_of("drone-moved")] == ["HX-027"] * 2
    assert kinds(t)[0] == "drones-repositioned"


@pytest.mark.rule("HX-104")
def test_aquatic_form_is_offered_only_in_water():
    for colour, offered in (("light-blue", 1), ("white", 0)):
        t = Table([unit(SEA)], [foe()], hexes={colour: [(7, 10)]}, pool=8)
        person = Person("Become a vehicle")
        ask(t, person, "change_form", 0)
        assert len(person.asked) == offered
        assert t["a1"].form == (c.AQUATIC if offered else c.MECH)


@pytest.mark.rule("HX-A43")
@pytest.mark.parametrize(("wish", "level"), [("Come down", 0), ("Stay aloft", 1), ("As the doctrine", 0)])
def test_player_decides_whether_flyer_lands_on_object(wish, level):
    flyer = {"core": "standard", "weapons": [{"weapon": "beam-rifle", "place": "right"}], "systems": ["flight"]}
    t = Table([unit(flyer, (7, 6), level=1)], [foe(at=(0, 0))], mission="retrieval", pool=4)
    t.do(place_objective, number((7, 6)), 0)
    ask(t, Person(wish), "land", 0, dice=[])
    assert t["a1"].level == level
