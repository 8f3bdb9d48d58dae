"""Autoplay orders in every game: battles without orders are unchanged, battles with orders agree in both runs."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from systems import BATTLES, battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import setup_hash, setup_json
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import HeaderHand, resolve, verify
from tests.example_shares import share
from tests.systems.random_battles import digest_of, drawn_documents

DIGESTS = {  # digests of these battles from before autoplay orders existed
    "meks-and-mercs": "697aebcf4f949ee4040559620372ff52711a729c5741fd773e04f9f022db3e39",
    "mech-campaign": "388df8414ba157d4cda193f589b4b95fe2859c3ebfa824ec02bfe288a37b3ac7",
    "blazing-steel": "a62c15f1787f0b0425e514a0100599251fffba73b8e4f265ae90e878b7dfc347",
    "mechastellar": "f589af0f550e570f0573cc4a0caee02f0f08ca64ba5145024cb4846ad99d6cad",
    "hex-core": "d5b7fa7c40140af8bcc930d54127629e05b4176ffceb19c53335d0ad15fd36b2",
}
ORDERED = [slug for slug, system in BATTLES.items() if system.autoplay_orders]
BATTLE_COUNTS = {"meks-and-mercs": 24}
COMPARED_BATTLES = {"hex-core": 1}  # battles per set-up in both runs; one takes a second in the plain run


def add_random_orders(document: dict[str, Any], luck: random.Random) -> dict[str, Any]:
    """Return the set-up with random possible orders for sides and units."""
    changed = copy.deepcopy(document)
    system = battle_rules(changed["system"])
    while True:
        for at, side in enumerate(changed["sides"]):
            known = list(system.standing_open(changed["scenario"], at))
            side["standing"] = _some([order for order in known if not order.of_a_unit], luck)
            for unit in side["units"]:
                unit["standing"] = _some(known, luck)
        try:
            read_setup(changed)
        except DocumentError:
            continue
        return changed


def _some(known: list[Any], luck: random.Random) -> dict[str, Any]:
    chosen = luck.sample(known, min(len(known), luck.choice([0, 0, 1, 2, 3, 5])))
    for _ in range(2):  # an order that needs another may itself be needed by one
        names = {order.name for order in chosen}
        chosen = [order for order in chosen if not order.needs or order.needs in names]
    return {
        order.name: luck.choice(order.choices)[0] if order.choices else luck.randint(0, order.most) for order in chosen
    }


@pytest.mark.parametrize("slug", DIGESTS)
def test_battle_without_orders_is_unchanged(slug):
    setups = [read_setup(document) for document in drawn_documents(slug, BATTLE_COUNTS.get(slug, 6))]
    assert digest_of(setups) == DIGESTS[slug]


@share(2, 12)
@pytest.mark.parametrize("slug", ORDERED)
def test_plain_and_compiled_runs_agree_with_orders(slug, examples):
    luck = random.Random(slug)
    for document in drawn_documents(slug, examples):
        setup = read_setup(add_random_orders(document, luck))
        battles = COMPARED_BATTLES.get(slug, 6)
        assert tally_with_prints(setup, 7, 0, battles) == tally_with_prints(setup, 7, 0, battles, compiled=False)


@share(1, 4)
@pytest.mark.parametrize("slug", ORDERED)
def test_record_with_orders_verifies_and_players_see_orders(slug, examples):
    luck = random.Random(slug)
    for seed, document in enumerate(drawn_documents(slug, examples)):
        setup = read_setup(add_random_orders(document, luck))
        record = resolve(setup, seed)
        assert verify(record.text()) is None
        if battle_rules(slug).in_hand is not None:  # players who leave everything to the AI leave it to the orders
            by_hand = resolve(setup, seed, hand=HeaderHand(sides=(0, 1), rest=True))
            assert by_hand.events == record.events
            assert by_hand.outcome == record.outcome


@pytest.mark.each_value
@pytest.mark.rule("MM-A43", "MC-215", "BS-AR37", "ST-412", "HX-A60")
@pytest.mark.parametrize("slug", ORDERED)
def test_each_order_changes_some_battle(slug):
    system = battle_rules(slug)
    documents = list(drawn_documents(slug, 40))
    simulate = _remembering()
    for order in system.autoplay_orders:
        values = [value for value, _ in order.choices] or [*range(1, order.most + 1)]
        for document in documents:
            if _changes(document, order.name, values, simulate):
                break
        else:
            pytest.fail(f"no battle is changed by the order {order.name}")


Simulate = Callable[[dict[str, Any], int, dict[str, Any]], Any]


def _remembering() -> Simulate:
    """Return `_simulate_with_orders` that simulates each battle once."""
    known: dict[str, Any] = {}

    def simulate(document: dict[str, Any], at: int, given: dict[str, Any]) -> Any:
        key = json.dumps([document, at, given])
        if key not in known:
            known[key] = _simulate_with_orders(document, at, given)
        return known[key]

    return simulate


def _changes(document: dict[str, Any], name: str, values: list[Any], simulate: Simulate) -> bool:
    """Return whether one of the values, ordered of every unit that can take it, changes the battle."""
    system = battle_rules(document["system"])
    for at in range(2):
        opened = {order.name: order for order in system.standing_open(document["scenario"], at)}
        with_it: dict[str, Any] = {}
        need = opened[name].needs if name in opened else ""
        while need:
            with_it[need] = opened[need].choices[0][0] if opened[need].choices else 1
            need = opened[need].needs
        before = simulate(document, at, with_it)
        for value in values if before is not None else ():
            after = simulate(document, at, {**with_it, name: value})
            if after is not None and before != after:
                return True
    return False


def _simulate_with_orders(document: dict[str, Any], at: int, given: dict[str, Any]) -> Any:
    """Return the battle in which all units of a side have these orders, or None if they can't."""
    changed = copy.deepcopy(document)
    for unit in changed["sides"][at]["units"]:
        unit["standing"] = given
    try:
        return resolve(read_setup(changed), 3).events
    except DocumentError:
        return None


@pytest.mark.parametrize("slug", BATTLES)
def test_setup_without_orders_keeps_its_hash(slug):
    document = next(drawn_documents(slug, 1))
    plain = read_setup(document)
    assert "standing" not in setup_json(plain)["sides"][0]
    assert "standing" not in setup_json(plain)["sides"][0]["units"][0]
    document["sides"][0]["standing"] = {}
    document["sides"][0]["units"][0]["standing"] = {}
    assert setup_hash(read_setup(document)) == setup_hash(plain)


@pytest.mark.parametrize("slug", ORDERED)
def test_impossible_order_is_refused_with_field_and_rule(slug):
    document = next(drawn_documents(slug, 1))
    opened = battle_rules(slug).standing_open(document["scenario"], 1)
    of_one = next(order for order in opened if order.choices and not order.of_a_unit)
    for given, path, reason in (
        ({"sing": "loud"}, "sides[1].units[0].standing", "autoplay order"),
        ({of_one.name: "xyz"}, f"sides[1].units[0].standing.{of_one.name}", of_one.rule),
        ({of_one.name: 3}, f"sides[1].units[0].standing.{of_one.name}", "must be a text"),
    ):
        setup_document = copy.deepcopy(document)
        setup_document["sides"][1]["units"][0]["standing"] = given
        with pytest.raises(DocumentError) as refused:
            read_setup(setup_document)
        assert refused.value.path == path
        assert reason in refused.value.reason
