"""Battles logged from the table: what can't be so is refused, what is so reaches the ledger."""

import uuid
from typing import Any

import pytest

from battles.models import Battle
from battles.services.by_hand import UnitHand, battle_log_by_hand
from rosters.documents import DocumentError
from rosters.models import LedgerEntry, UnitStatus
from rosters.services import RefusedError
from tests.battles.builders import company, company_battle, duel, player, result_of

pytestmark = pytest.mark.django_db


def logged(**kwargs: Any) -> Battle:
    said: dict[str, Any] = {"setup": duel(), "units": {}, "winner": None, "actor": player()}
    return battle_log_by_hand(**(said | kwargs))


def test_a_table_battle_is_done_at_once_and_has_no_record():
    battle = logged(
        units={"a1": UnitHand(hits_lost=2, destroyed=True), "b1": UnitHand(hits_lost=1, kills=1)},
        winner="Blue",
        rounds=4,
    )
    assert (battle.status, battle.fought_by_hand, battle.seed) == ("done", True, "")
    assert (result_of(battle)["winner"], result_of(battle)["rounds"]) == ("Blue", 4)
    wasp, draken = result_of(battle)["units"]
    assert (wasp["lost"], wasp["hits"], draken["hits"], draken["kills"]) == (True, 0, 3, 1)
    assert not hasattr(battle, "record")


def test_what_happened_reaches_the_companys_ledger():
    owner = player()
    own = company(owner, "draken", "wasp")
    setup, forces = company_battle(own, enemy="thor")
    draken, wasp = own.units.order_by("pk")
    battle = logged(
        setup=setup,
        forces=forces,
        actor=owner,
        winner=own.name,
        units={
            f"u{draken.pk}": UnitHand(hits_lost=1, kills=1),
            f"u{wasp.pk}": UnitHand(hits_lost=2, destroyed=True),
            "b1": UnitHand(hits_lost=5, destroyed=True, kills=1),
        },
    )
    draken.refresh_from_db()
    wasp.refresh_from_db()
    assert draken.condition["hits"] == 3
    assert wasp.status == UnitStatus.DESTROYED
    entries = LedgerEntry.objects.filter(cause="result", cause_ref=str(battle.key))
    assert entries.get(kind="kill").facts["count"] == 1


def test_damage_from_before_counts():
    owner = player()
    own = company(owner)
    own.units.update(condition={"hits": 2})
    setup, forces = company_battle(own)
    key = f"u{own.units.get().pk}"
    with pytest.raises(RefusedError, match="only 2 Hits"):
        logged(setup=setup, forces=forces, actor=owner, units={key: UnitHand(hits_lost=3)})


@pytest.mark.parametrize(
    ("units", "reason"),
    [
        ({"zz": UnitHand()}, "no unit 'zz'"),
        ({"a1": UnitHand(hits_lost=3)}, "only 2 Hits"),
        ({"a1": UnitHand(hits_lost=-1)}, "whole number"),
        ({"a1": UnitHand(hits_lost=2)}, "so it is destroyed"),
        ({"a1": UnitHand(destroyed=True, withdrew=True)}, "can't be destroyed and have withdrawn"),
        ({"b1": UnitHand(kills=1)}, "lost only 0"),
        ({"a1": UnitHand(destroyed=True), "b1": UnitHand(kills=2)}, "lost only 1"),
    ],
)
def test_what_cannot_be_so_is_refused(units: dict[str, UnitHand], reason: str):
    with pytest.raises(RefusedError, match=reason):
        logged(units=units)
    assert not Battle.objects.exists()


def test_the_winner_is_one_of_the_sides():
    with pytest.raises(RefusedError, match="none of the sides"):
        logged(winner="Green")


def test_a_side_without_units_is_refused():
    setup = duel()
    setup["sides"][1]["units"] = []
    with pytest.raises(DocumentError, match=r"sides\[1\].units"):
        logged(setup=setup)


def test_the_same_log_sent_twice_is_one_battle():
    owner, key = player(), uuid.uuid4()
    assert logged(actor=owner, key=key).pk == logged(actor=owner, key=key).pk
    with pytest.raises(RefusedError):
        logged(actor=player("eve"), key=key)
