"""Autoplay orders of Meks: orders for placement, movement, range, retreat, target and heat override the AI."""

from __future__ import annotations

from collections import Counter

import pytest

from systems import battle_rules
from systems.documents import DocumentError
from systems.meks_and_mercs.battle.orders import placements
from systems.orders import describe_orders
from systems.reading import read_setup
from systems.simulation.odds import tally
from systems.simulation.records import resolve
from tests.systems.meks_and_mercs.battle.games import crew, document

SEEDS = range(40)
SHORT, MEDIUM, LONG = 0, 1, 2


def duel(attackers, defenders, doctrines=("aggressive", "aggressive")):
    setup_document = document("opening-shots", attackers=attackers, defenders=defenders, doctrines=doctrines)
    return setup_document | {"scenario": "zone-battle", "terrain": "plain"}


def with_orders(setup_document, key, **given):
    """Give a unit, or a side by its place, these orders; return the set-up."""
    for at, side in enumerate(setup_document["sides"]):
        for one in [side] if at == key else [unit for unit in side["units"] if unit["key"] == key]:
            one["standing"] = given
    return setup_document


def records(setup_document, seeds=SEEDS):
    setup = read_setup(setup_document)
    return [resolve(setup, seed).events for seed in seeds]


def happened(setup_document, kind, seeds=SEEDS):
    return [event for events in records(setup_document, seeds) for event in events if event.kind == kind]


@pytest.mark.rule("MM-A43", "MM-A28")
@pytest.mark.parametrize(("word", "band"), [("short", SHORT), ("medium", MEDIUM), ("long", LONG)])
def test_mek_moves_to_ordered_range(word, band):
    setup_document = with_orders(duel([crew("viper")], [crew("saber")]), "a1", range=word)
    changed = [event for event in happened(setup_document, "band-changed") if event.unit == "a1"]
    assert all(abs(event.number("band") - band) < abs(event.number("before") - band) for event in changed)
    assert {event.number("band") for event in happened(setup_document, "order-of-range")} <= {band}
    assert bool(happened(setup_document, "order-of-range")) == (
        word != "short"
    )  # an aggressive Viper closes without orders
    assert {event.unit for event in happened(setup_document, "order-of-range")} <= {"a1"}


@pytest.mark.rule("MM-A43", "MM-A14")
def test_mek_retreats_at_ordered_hits():
    setup_document = with_orders(duel([crew("draken")], [crew("saber"), crew("wasp")]), "a1", retreat=2)
    found = 0
    for events in records(setup_document):
        hits = 4
        for event in events:
            if event.kind in ("hit-taken", "overheat-taken") and event.unit == "a1":
                hits = event.number("hits")
            if event.kind == "order-of-retreat":
                found += 1
                assert event.unit == "a1"
                assert event.result["breaks"] is True
                assert hits <= 2
    assert found


@pytest.mark.rule("MM-A43", "MM-A14")
def test_mek_ordered_not_to_retreat_stays():
    cautious = duel([crew("draken")], [crew("saber"), crew("saber")], ("cautious", "aggressive"))
    assert [event for event in happened(cautious, "contact-broken") if event.unit == "a1"]
    stays = happened(with_orders(cautious, "a1", retreat=0), "order-of-retreat")
    assert {(event.unit, event.result["breaks"]) for event in stays} == {("a1", False)}
    assert not [event for event in happened(cautious, "contact-broken") if event.unit == "a1"]


@pytest.mark.rule("MM-A43")
def test_preserved_pilot_is_lost_less_often():
    setup_document = duel([crew("viper"), crew("wasp")], [crew("draken")])

    def lost(given):
        setup = read_setup(with_orders(setup_document, "a1", **given))
        return tally(setup, 5, 0, 400, compiled=False).units["a1"]["lost"]

    assert lost({"preserve": "pilot"}) < lost({})


@pytest.mark.rule("MM-A43", "MM-A31")
@pytest.mark.parametrize(
    ("word", "key"), [("dearest", "d1"), ("toughest", "d1"), ("cheapest", "d2"), ("weakest", "d2")]
)
def test_fire_goes_to_ordered_target(word, key):
    gun = {"design": {"chassis": "heavy", "weapons": ["ppc"], "systems": []}}  # reaches both targets from the start
    setup_document = with_orders(duel([gun], [crew("saber"), crew("wasp")]), 0, target=word)
    first = Counter()
    for events in records(setup_document):
        shots = [event for event in events if event.kind == "shot-rolled" and event.unit == "a1" and event.round == 1]
        first.update(event.target for event in shots)
    assert set(first) == {key}


@pytest.mark.rule("MM-A43", "MM-A25", "MM-059")
def test_heat_orders_decide_overheating():
    hot = {"chassis": "heavy", "weapons": ["ppc", "vulcan-cannon"], "systems": []}
    setup_document = duel([{"design": hot, "pilot": {"experience": "elite", "skills": []}}], [crew("draken")])
    heat = {}
    for word in ("cool", "hot"):
        heat[word] = len(
            [
                event
                for event in happened(with_orders(setup_document, "a1", heat=word), "heat-rolled")
                if event.unit == "a1"
            ]
        )
    assert heat["cool"] == 0 < heat["hot"]


@pytest.mark.rule("MM-A43", "MM-A41")
def test_mek_moves_to_ordered_zone_and_holds():
    setup_document = with_orders(document("head-to-head"), "a1", move="zone-5")
    for events in records(setup_document, range(6)):
        zones = [event.number("zone") for event in events if event.kind == "unit-moved" and event.unit == "a1"]
        assert set(zones) <= {1, 4, 5}
        assert 5 not in zones[:-1] or any(event.kind == "contact-broken" and event.unit == "a1" for event in events)
    holds = with_orders(document("head-to-head"), 0, move="hold")
    by_orders = happened(holds, "order-of-move", range(6))
    assert {event.result["stays"] for event in by_orders} == {True}
    moved = [event for event in happened(holds, "unit-moved", range(6)) if event.unit.startswith("a")]
    broke = {event.unit for event in happened(holds, "contact-broken", range(6))}
    assert {event.unit for event in moved} <= broke


@pytest.mark.rule("MM-A43", "MM-A41")
def test_move_order_ends_at_its_turn():
    setup_document = with_orders(with_orders(document("head-to-head"), 0, move="hold", until=3), 1, move="hold")
    moves = []
    for events in records(setup_document, range(6)):
        turn = 0
        for event in events:
            turn = event.number("number") if event.kind == "turn-began" else turn
            if event.kind == "unit-moved" and (event.unit or "").startswith("a"):
                moves.append(turn)
    assert min(moves) == 4


@pytest.mark.rule("MM-A43", "MM-021")
def test_leave_order_needs_an_exit():
    setup_document = with_orders(document("hot-gates"), "d2", move="leave")
    assert [event for event in happened(setup_document, "unit-left", range(6)) if event.unit == "d2"]
    with pytest.raises(DocumentError, match="must be one of hold, hunt, zone-1"):
        read_setup(with_orders(document("breach"), "a1", move="leave"))


@pytest.mark.rule("MM-013")
def test_units_start_in_ordered_zones():
    setup_document = with_orders(with_orders(document("head-to-head"), "a1", start="zone-7"), "d2", start="zone-3")
    zones = {unit["key"]: 0 for side in setup_document["sides"] for unit in side["units"]}
    for key, post in zip(zones, placements(read_setup(setup_document)), strict=False):
        zones[key] = post.zone
    assert zones == {"a1": 7, "a2": 4, "a3": 4, "d1": 6, "d2": 3, "d3": 6}
    gates = document("hot-gates", defenders=[crew("saber"), crew("saber")])
    assert [post.zone for post in placements(read_setup(gates))][2:4] == [8, 5]
    assert [post.zone for post in placements(read_setup(with_orders(gates, "d2", start="zone-8")))][2:4] == [5, 8]


@pytest.mark.rule("MM-013")
@pytest.mark.parametrize(
    ("scenario", "orders", "place", "reason"),
    [
        (
            "breach",
            {"d1": "zone-7", "d2": "zone-8", "d3": "zone-9"},
            0,
            "half of the Meks start in zone 4 or zone 5 or zone 6",
        ),
        ("breach", {"d1": "zone-4", "d2": "zone-5"}, 0, "in one zone"),
        ("opening-shots", {"d1": "zone-4", "d2": "zone-4", "d3": "zone-9"}, 0, "at least one Mek starts in zone 3"),
        ("hot-gates", {"d1": "zone-1", "d2": "zone-2"}, 0, "at least half the points"),
        ("hot-gates", {"d1": "zone-8", "d2": "zone-8"}, 0, "no more Meks start in zone 8"),
    ],
)
def test_illegal_start_order_is_refused(scenario, orders, place, reason):
    setup_document = document(scenario)
    for key, zone in orders.items():
        with_orders(setup_document, key, start=zone)
    with pytest.raises(DocumentError) as refused:
        read_setup(setup_document)
    assert refused.value.path == f"sides[1].units[{place}].standing.start"
    assert reason in refused.value.reason
    assert "MM-013" in refused.value.reason


@pytest.mark.rule("MM-A43")
@pytest.mark.parametrize(
    ("key", "given", "path", "reason"),
    [
        ("a1", {"retreat": 7}, "sides[0].units[0].standing.retreat", "0 to 6 (MM-A43)"),
        ("a1", {"retreat": True}, "sides[0].units[0].standing.retreat", "whole number"),
        ("a1", {"until": 3}, "sides[0].units[0].standing.until", "goes with “Movement” (move)"),
        (1, {"start": "zone-3"}, "sides[1].standing.start", "of single units"),
        ("a1", {"start": "zone-7"}, "sides[0].units[0].standing.start", "can't be ordered in this scenario"),
        ("d1", {"start": "zone-10"}, "sides[1].units[0].standing.start", "must be one of"),
    ],
)
def test_impossible_order_is_refused(key, given, path, reason):
    with pytest.raises(DocumentError) as refused:
        read_setup(with_orders(document("opening-shots"), key, **given))
    assert refused.value.path == path
    assert reason in refused.value.reason


def test_zone_battle_takes_no_map_orders_and_infantry_none():
    with pytest.raises(DocumentError, match="can't be ordered in this scenario"):
        read_setup(with_orders(duel([crew("wasp")], [crew("wasp")]), "a1", move="hold"))
    setup_document = duel([crew("wasp")], [{"design": "infantry"}])
    with pytest.raises(DocumentError, match="Infantry strongpoint takes no autoplay orders"):
        read_setup(with_orders(setup_document, "d1", range="short"))
    read_setup(with_orders(duel([crew("wasp")], [{"design": "infantry"}]), "a1", range="short"))


def test_unit_orders_override_side_orders():
    setup_document = with_orders(
        with_orders(duel([crew("viper"), crew("wasp")], [crew("saber")]), 0, range="long", retreat=0),
        "a2",
        range="medium",
    )
    setup = read_setup(setup_document)
    assert {(event.unit, event.number("band")) for event in happened(setup_document, "order-of-range")} == {
        ("a1", LONG),
        ("a2", MEDIUM),
    }
    lines = describe_orders(battle_rules("meks-and-mercs").autoplay_orders, setup)
    assert [(line.side, line.unit, line.descriptions) for line in lines] == [
        (0, "", ("keeps away at Long if it can", "never breaks contact")),
        (0, "a2", ("keeps at Medium if it can",)),
    ]
