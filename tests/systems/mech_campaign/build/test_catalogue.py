"""The tables of the ledger's chapter 2: they fit each other and the rulebook."""

import dataclasses

import pytest

from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.catalogue import CATALOGUE

KINDS = CATALOGUE.unit_kinds


def test_unit_kinds_match_ledger():
    table = {
        slug: (kind.move_actions, kind.shooting_actions, kind.to_hit, kind.can_lock, kind.can_repair, kind.points)
        for slug, kind in KINDS.items()
    }
    assert table == {
        "heavy-mech": (1, 2, 0, True, True, 10),
        "light-mech": (None, 1, 0, True, True, 8),
        "track": (1, 1, 0, True, True, 8),
        "drone": (None, 1, -1, True, False, 5),
        "gun-sentry": (0, 1, -1, False, False, 4),
    }
    assert [slug for slug, kind in KINDS.items() if kind.is_mech] == ["heavy-mech", "light-mech"]
    assert [slug for slug, kind in KINDS.items() if kind.can_special] == ["heavy-mech", "light-mech", "track"]


def test_drone_or_sentry_modifier_matches_kinds():
    modifier = CATALOGUE.modifiers["drone-or-sentry"].to_hit
    assert {slug: kind.to_hit for slug, kind in KINDS.items() if kind.to_hit} == {
        "drone": modifier,
        "gun-sentry": modifier,
    }


def test_action_costs_add_up():
    costs = list(CATALOGUE.action_costs.values())
    assert [cost.cost for cost in costs] == [1, 2, 4]
    assert [cost.total for cost in costs] == [1, 3, 7]


def test_each_sector_is_rolled_once():
    sectors = [sector for row in CATALOGUE.terrain_rolls.values() for sector in row.sectors]
    assert sorted(sectors) == list(range(1, 10))
    assert {face for row in CATALOGUE.terrain_rolls.values() for face in row.faces if face} == {
        "rubble",
        "hill",
        "works",
    }


@pytest.mark.parametrize("slug", ["rubble", "hill", "works"])
def test_disc_stays_in_sector_and_off_tunnel_mouth(slug):
    farthest = 250 + CATALOGUE.terrain[slug].radius_h  # a 6 moves the centre by 2.5 in
    assert farthest <= 600


def test_tunnel_mouths_are_at_sector_corners():
    assert sorted(CATALOGUE.terrain["tunnel-mouth"].at_h) == [(1200, 1200), (1200, 2400), (2400, 1200), (2400, 2400)]


def test_scenarios_and_special_actions_refer_to_each_other():
    for scenario in CATALOGUE.scenarios.values():
        assert (scenario.special == "") == (scenario.goal == "claim")
        if scenario.special:
            assert CATALOGUE.special_actions[scenario.special].scenario == scenario.slug
    for special in CATALOGUE.special_actions.values():
        assert [slug for slug, kind in KINDS.items() if kind.can_special] == list(special.who)


def test_every_cited_rule_is_in_rulebook():
    named = set()
    for table in dataclasses.fields(CATALOGUE):
        for entry in getattr(CATALOGUE, table.name).values():
            named |= {getattr(entry, name) for name in ("rule", "victory_rule") if hasattr(entry, name)}
    assert len(named) > 20
    assert named <= set(SYSTEM.rulebook)


def test_refusals_have_their_order():
    order = [refusal.slug for refusal in CATALOGUE.refusals.values() if refusal.of == "action"]
    assert len(order) == 28
    assert order[0] == "unit-eliminated"
    assert order.index("out-of-range") < order.index("out-of-arc") < order.index("no-line-of-sight")
    assert order[-1] == "special-limit"


def test_rulebook_has_every_row_of_ledger():
    groups = {"0": range(1, 126), "2": range(201, 215), "of ours, standing orders": range(215, 216)}
    numbers = sorted(int(rule.removeprefix("MC-")) for rule in SYSTEM.rulebook)
    assert len(numbers) == 105
    assert all(any(number in group for group in groups.values()) for number in numbers)
    assert {rule.id for rule in SYSTEM.rulebook.values() if rule.kind == "table-only"} == {"MC-001", "MC-064"}
