"""Orders for support: the players choose when and where. The AI decides only what they leave open."""

from __future__ import annotations

from collections import Counter

import pytest

from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import setup_hash, setup_json
from systems.simulation.odds import tally
from systems.simulation.records import resolve
from tests.example_shares import share
from tests.systems.meks_and_mercs.battle.games import crew, document

EIGHT = [("minefield", {"zone": 4}), ("hidden-mek", {"unit": "d2"}), ("air-strike", {"target": "weakest", "from": 3})]


def game(scenario, orders, *, support, side=1, **given):
    has = [(), ()]
    has[side] = support
    setup_document = document(scenario, support=tuple(has), **given)
    setup_document["sides"][side]["orders"] = orders
    return setup_document


def facts(setup_document, kind, seeds=40):
    """Return the events of that kind over this many battles."""
    setup = read_setup(setup_document)
    return [event for seed in range(seeds) for event in resolve(setup, seed).events if event.kind == kind]


@pytest.mark.rule("MM-014", "MM-081")
def test_mines_are_laid_in_ordered_zone():
    setup_document = game("opening-shots", {"minefield": {"zone": 4}}, support=["minefield"])
    assert {event.number("zone") for event in facts(setup_document, "mines-laid", 2)} == {4}
    setup_document["sides"][1]["orders"] = {}
    assert {event.number("zone") for event in facts(setup_document, "mines-laid", 2)} == {3}


@pytest.mark.rule("MM-014", "MM-082")
@pytest.mark.parametrize(("side", "unit"), [(1, "d2"), (0, "a3")])
def test_ordered_unit_hides_on_either_side(side, unit):
    setup_document = game("opening-shots", {"hidden-mek": {"unit": unit}}, support=["hidden-mek"], side=side)
    assert {event.unit for event in facts(setup_document, "mek-hidden", 2)} == {unit}


@pytest.mark.rule("MM-014", "MM-077")
@pytest.mark.parametrize(
    ("target", "struck"), [("dearest", "a1"), ("cheapest", "a3"), ("weakest", "a3"), ("toughest", "a1")]
)
def test_battle_damage_strikes_ordered_target(target, struck):
    attackers = [crew("draken"), crew("saber"), crew("wasp", "green")]
    setup_document = game(
        "breach", {"battle-damage": {"target": target}}, support=["battle-damage"], attackers=attackers
    )
    assert {event.unit for event in facts(setup_document, "battle-damage-done", 3)} == {struck}


@pytest.mark.rule("MM-014", "MM-079", "MM-080")
@pytest.mark.parametrize(("slug", "slot"), [("support-fire", 0), ("air-strike", 1)])
def test_strike_waits_for_ordered_turn(slug, slot):
    free = game("head-to-head", {}, support=[slug])
    late = game("head-to-head", {slug: {"from": 3}}, support=[slug])

    def turns(setup_document):
        found = Counter()
        setup = read_setup(setup_document)
        for seed in range(25):
            turn = 0
            for event in resolve(setup, seed).events:
                turn = event.number("number") if event.kind == "turn-began" else turn
                if event.kind == "off-board-fired":
                    assert event.result["slot"] == slot
                    found[turn] += 1
        return found

    assert min(turns(free)) < 3 <= min(turns(late))


@pytest.mark.rule("MM-014", "MM-084")
def test_drone_is_sent_to_ordered_zone():
    setup_document = game("opening-shots", {"recon-drone": {"zone": 7, "from": 2}}, support=["recon-drone"])
    assert {event.number("zone") for event in facts(setup_document, "drone-sent", 5)} == {7}


@share(15, 80)
@pytest.mark.rule("MM-014", "MM-076", "MM-085", "MM-086")
@pytest.mark.parametrize(
    ("slug", "kind", "scenario"),
    [("ambush", "ambush-sprung", "opening-shots"), ("repair-truck", "unit-repaired", "buying-time"),
     ("digging-in", "unit-dug-in", "opening-shots")],
)  # fmt: skip
def test_named_mek_uses_support_while_present(slug, kind, scenario, examples):
    free = facts(game(scenario, {}, support=[slug], terrain="printed"), kind, examples)
    named = "d2"
    events = facts(game(scenario, {slug: {"unit": named}}, support=[slug]), kind, examples)
    assert events or not free
    assert Counter(event.unit for event in events)[named] == max(
        Counter(event.unit for event in events).values(), default=0
    )


@pytest.mark.rule("MM-014")
@pytest.mark.parametrize(("slug", "orders"), EIGHT)
def test_odds_follow_orders_like_recorded_battle(slug, orders):
    setup = read_setup(game("opening-shots", {slug: orders}, support=[slug]))
    winners = [resolve(setup, seed).outcome["winner"] for seed in (0,)]
    counts = tally(setup, 0, 0, 1)
    assert counts.battle["attacker_wins"] == winners.count("Attacker")
    assert counts.battle["defender_wins"] == winners.count("Defender")


@pytest.mark.rule("MM-014")
def test_setup_without_orders_keeps_its_hash():
    setup_document = document("opening-shots", support=(("ambush",), ()))
    plain = read_setup(setup_document)
    assert "orders" not in setup_json(plain)["sides"][0]
    setup_document["sides"][0]["orders"] = {}
    assert setup_hash(read_setup(setup_document)) == setup_hash(plain)


@pytest.mark.rule("MM-014")
@pytest.mark.parametrize(
    ("orders", "path", "expected"),
    [
        ({"minefield": {"zone": 10}}, "sides[1].orders.minefield.zone", "1 to 9 (MM-081)"),
        ({"minefield": {"zone": "4"}}, "sides[1].orders.minefield.zone", "whole number"),
        ({"minefield": {"turn": 4}}, "sides[1].orders.minefield", "turn"),
        ({"hidden-mek": {"unit": "a1"}}, "sides[1].orders.hidden-mek.unit", "none of this side's units"),
        ({"air-strike": {"target": "nearest"}}, "sides[1].orders.air-strike.target", "must be one of"),
        ({"air-strike": {"target": 3}}, "sides[1].orders.air-strike.target", "must be a text"),
        ({"ambush": {"unit": "d1"}}, "sides[1].orders.ambush", "no such support to order (MM-076)"),
        ({"surprise": {}}, "sides[1].orders", "takes orders"),
    ],
)
def test_impossible_order_is_refused_with_field_and_rule(orders, path, expected):
    setup_document = game("hot-gates", orders, support=["minefield", "hidden-mek", "air-strike"])
    with pytest.raises(DocumentError) as caught:
        read_setup(setup_document)
    assert caught.value.path == path
    assert expected in caught.value.reason


def test_arriving_unit_cannot_hide():
    with pytest.raises(DocumentError, match="nobody of it starts hidden"):
        read_setup(game("citadel", {"hidden-mek": {"unit": "a1"}}, support=["hidden-mek"], side=0))
    setup_document = document("opening-shots")
    setup_document |= {"scenario": "zone-battle", "terrain": "plain"}
    setup_document["sides"][0]["orders"] = {"minefield": {"zone": 1}}
    with pytest.raises(DocumentError, match="none to order"):
        read_setup(setup_document)
