"""Battles logged from the table: impossible results are refused, all others reach the ledger."""

import uuid
from typing import Any

import pytest
from django.urls import reverse

from battles.forms.initial import first_initial
from battles.models import Battle
from battles.services.results import battle_log_result
from battles.services.setups import SideForce, ready_setup
from rosters.models import LedgerEntry, UnitStatus
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError
from systems.report_fields import UnitFate
from systems.setups import setup_json
from tests.battles.builders import company, company_battle, duel, player, result_of

pytestmark = pytest.mark.django_db


def log_battle(**kwargs: Any) -> Battle:
    fields: dict[str, Any] = {"setup": duel(), "units": {}, "winner": None, "actor": player()}
    return battle_log_result(**(fields | kwargs))


def test_table_battle_is_done_at_once_without_record():
    battle = log_battle(
        units={"a1": UnitFate(hits_lost=2, destroyed=True), "b1": UnitFate(hits_lost=1, kills=1)},
        winner="Blue",
        rounds=4,
    )
    assert (battle.status, battle.fought_by_hand, battle.seed) == ("done", True, "")
    assert (result_of(battle)["winner"], result_of(battle)["rounds"]) == ("Blue", 4)
    assert (battle.rounds, battle.kills) == (4, 1)
    wasp, draken = result_of(battle)["units"]
    assert (wasp["lost"], wasp["hits"], draken["hits"], draken["kills"]) == (True, 0, 3, 1)
    assert not hasattr(battle, "record")


def test_table_result_reaches_the_ledger():
    owner = player()
    own = company(owner, "draken", "wasp")
    setup, forces = company_battle(own, enemy="thor")
    draken, wasp = own.units.order_by("pk")
    battle = log_battle(
        setup=setup,
        forces=forces,
        actor=owner,
        winner=own.name,
        units={
            f"u{draken.pk}": UnitFate(hits_lost=1, kills=1),
            f"u{wasp.pk}": UnitFate(hits_lost=2, destroyed=True),
            "b1": UnitFate(hits_lost=5, destroyed=True, kills=1),
        },
    )
    draken.refresh_from_db()
    wasp.refresh_from_db()
    assert draken.condition["hits"] == 3
    assert wasp.status == UnitStatus.DESTROYED
    entries = LedgerEntry.objects.filter(cause="result", cause_ref=str(battle.key))
    assert entries.get(kind="kill").facts["count"] == 1


def test_earlier_damage_limits_hits_lost():
    owner = player()
    own = company(owner)
    own.units.update(condition={"hits": 2})
    setup, forces = company_battle(own)
    key = f"u{own.units.get().pk}"
    with pytest.raises(RefusedError, match="only 2 Hits"):
        log_battle(setup=setup, forces=forces, actor=owner, units={key: UnitFate(hits_lost=3)})


@pytest.mark.parametrize(
    ("units", "reason"),
    [
        ({"zz": UnitFate()}, "no unit 'zz'"),
        ({"a1": UnitFate(hits_lost=3)}, "only 2 Hits"),
        ({"a1": UnitFate(hits_lost=-1)}, "must be 0 or more"),
        ({"a1": UnitFate(hits_lost=2)}, "so it is destroyed"),
        ({"a1": UnitFate(destroyed=True, withdrew=True)}, "can't be destroyed and have withdrawn"),
        ({"b1": UnitFate(kills=1)}, "lost only 0"),
        ({"a1": UnitFate(destroyed=True), "b1": UnitFate(kills=2)}, "lost only 1"),
    ],
)
def test_impossible_result_is_refused(units: dict[str, UnitFate], reason: str):
    with pytest.raises(RefusedError, match=reason):
        log_battle(units=units)
    assert not Battle.objects.exists()


def test_winner_outside_the_sides_is_refused():
    with pytest.raises(RefusedError, match="isn't one of the sides"):
        log_battle(winner="Green")


def test_side_without_units_is_refused():
    setup = duel()
    setup["sides"][1]["units"] = []
    with pytest.raises(DocumentError, match=r"sides\[1\].units"):
        log_battle(setup=setup)


def test_same_log_sent_twice_is_one_battle():
    owner, key = player(), uuid.uuid4()
    assert log_battle(actor=owner, key=key).pk == log_battle(actor=owner, key=key).pk
    with pytest.raises(RefusedError):
        log_battle(actor=player("eve"), key=key)


# --- support, fates, pilots -------------------------------------------------------------------------------------------


def table_game(*, rolled: tuple[list[str], list[str]] = (["ambush", "rich-uncle"], ["decoy"])) -> dict[str, Any]:
    """Return Opening Shots with ready-made forces and support rolls.

    The attacker has two rolls because of a Log Hero.
    """
    setup = ready_setup(system="meks-and-mercs", scenario="opening-shots")
    setup["sides"][0]["units"][0]["pilot"] = {"experience": "veteran", "skills": ["log-hero"]}
    for side, support in zip(setup["sides"], rolled, strict=True):
        side["support"] = support
    return setup


@pytest.mark.rule("MM-014")
def test_result_shows_used_support():
    battle = log_battle(setup=table_game(), support_used=(["ambush"], ["decoy"]))
    assert result_of(battle)["support"] == [["ambush"], ["decoy"]]
    assert battle.setup["sides"][0]["support"] == ["ambush", "rich-uncle"]


@pytest.mark.rule("MM-014")
@pytest.mark.parametrize(
    ("rolled", "used", "reason"),
    [
        ((["ambush"], []), (["decoy"], []), "used Decoy but didn't roll it"),
        ((["ambush"], []), ([], ["ambush"]), "used Ambush but didn't roll it"),
        ((["ambush"], []), (["ambush", "ambush"], []), "used Ambush more often than it was rolled"),
        ((["roll"], []), ([], []), "Enter what The Ditch Runners rolled"),
        ((["ambush"], []), (["cake"], []), "no support result 'cake'"),
        ((["ambush"], []), ([],), "that each side used"),
    ],
)
def test_impossible_support_is_refused(rolled: Any, used: Any, reason: str):
    with pytest.raises(RefusedError, match=reason):
        log_battle(setup=table_game(rolled=rolled), support_used=used)
    assert not Battle.objects.exists()


@pytest.mark.rule("MM-014")
def test_support_rolled_twice_is_used_twice():
    battle = log_battle(setup=table_game(rolled=(["ambush", "ambush"], [])), support_used=(["ambush", "ambush"], []))
    assert result_of(battle)["support"][0] == ["ambush", "ambush"]


@pytest.mark.rule("MM-S03")
@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        (UnitFate(fate="killed"), "Only pilots of destroyed units"),
        (UnitFate(hits_lost=2, destroyed=True, fate="bored"), "must be one of unhurt, injured, killed"),
    ],
)
def test_impossible_fate_is_refused(hand: UnitFate, reason: str):
    with pytest.raises(RefusedError, match=reason):
        log_battle(units={"a1": hand})


@pytest.mark.rule("MM-011")
def test_pilot_in_two_units_is_refused():
    owner = player()
    own = company(owner, "draken", "wasp")
    setup, forces = company_battle(own)
    force = forces[0]
    assert force is not None
    one, two = force.units
    doubled = SideForce(
        company=own, units={one: force.units[one], two: {**force.units[two], "pilot": force.units[one]["pilot"]}}
    )
    with pytest.raises(RefusedError, match="Pilot 1 can't pilot two units at once"):
        log_battle(setup=setup, forces=[doubled, None], actor=owner)


def test_scenario_is_logged_by_keyboard_alone(client):
    client.force_login(player())
    setup = table_game(rolled=([], []))
    query: dict[str, str] = {"for": "log", "f-scenario": "opening-shots", "f-visibility": "public", "o-tzc-rounds": "5"}
    for prefix, values in first_initial("meks-and-mercs", "opening-shots", None).items():
        query |= {f"{prefix}-{name}": value for name, value in values.items() if value}
    query |= {"a-support-1": "ambush", "b-support-1": "rich-uncle"}
    url = reverse("battles:log-battle", query=query)
    html = client.get(url).content.decode()
    assert "onclick" not in html
    assert "hx-" not in html.partition("<main")[2]  # the grid is a plain form: Tab, Space, Enter
    assert "Opening Shots" in html
    assert "Rounds in one T.Z.C. phase: 5" in html
    assert 'value="rich-uncle.0"' in html
    assert ">Turns" in html
    data = {"key": str(uuid.uuid4()), "winner": "0", "rounds": "6", "a-support-used": "ambush.0"}
    for letter, side in zip("ab", setup["sides"], strict=True):
        for number, unit in enumerate(side["units"], start=1):
            hits = 3 if unit["design"] in ("saber", "viper") else 2
            data |= {f"{letter}{number}-hits_left": str(hits), f"{letter}{number}-kills": "0"}
    too_many = client.post(url, data | {"a1-hits_left": "9"})
    assert "SABER has only 3 Hits" in too_many.content.decode()
    answer = client.post(url, data | {"b1-hits_left": "0", "b1-destroyed": "on", "b1-fate": "killed"})
    assert answer.status_code == 302, answer.content.decode()
    battle = Battle.objects.get()
    assert battle.setup["options"] == {"tzc-rounds": 5}
    assert result_of(battle)["support"] == [["ambush"], []]
    page = client.get(answer.headers["Location"]).content.decode()
    assert "in 6 turns" in page
    assert "pilot killed" in page
    assert page.count("rolled at the table") == 2
    assert page.count("not used") == 1


@pytest.mark.parametrize(
    ("taken", "expected"),
    [(4, "has taken 4 damage, all that it could, so it is eliminated."), (5, "can take only 4 more damage.")],
)
def test_mech_campaign_log_refuses_impossible_damage(taken, expected):
    example = battle_rules("mech-campaign").example()
    key = example.sides[0].units[0].key
    with pytest.raises(RefusedError) as refused:
        log_battle(setup=setup_json(example), units={key: UnitFate(hits_lost=taken)})
    assert str(refused.value).endswith(expected)
