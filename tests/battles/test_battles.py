"""Battles in the database: queued, simulated once, cancelled, logged to companies."""

import shutil
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, Record
from battles.services import limits
from battles.services.battles import (
    battle_cancel,
    battle_queue,
    battle_simulate,
    battle_take_back_effects,
    battle_write_effects,
)
from battles.services.results import battle_log_result
from battles.services.setups import SideForce, check_forces
from battles.tasks import battle_resolve, messages_waiting, sweep_lapsed
from rosters.jobs import JobStatus
from rosters.models import LedgerEntry, UnitStatus, Visibility
from rosters.services import RefusedError, unit_rename
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.records import verify
from tests.battles.builders import company, company_battle, duel, player, result_of

pytestmark = pytest.mark.django_db


def queue_battle(**kwargs: Any) -> Battle:
    arguments: dict[str, Any] = {"setup": duel(), "visitor": "v"}
    return battle_queue(**(arguments | kwargs))


def test_queued_battle_is_sealed_and_sent_after_commit(django_capture_on_commit_callbacks, monkeypatch):
    sent: list[int] = []
    monkeypatch.setattr(battle_resolve, "delay", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        battle = queue_battle(seed=7)
        assert sent == []
    assert sent == [battle.pk]
    assert (battle.status, battle.seed, battle.seed_chosen) == (JobStatus.QUEUED, "7", True)
    assert len(battle.setup_hash) == 64
    assert [side.name for side in battle.sides.all()] == ["Red", "Blue"]


def test_server_draws_a_seed_for_each_battle():
    battles = [queue_battle() for _ in range(3)]
    for battle in battles:
        battle_resolve(battle.pk)
    assert len(set(Battle.objects.values_list("seed", flat=True))) == 3
    assert not Battle.objects.filter(seed_chosen=True).exists()


def test_largest_seed_survives_the_database():
    battle = queue_battle(seed=2**64 - 1)
    battle_resolve(battle.pk)
    record = Record.objects.get(battle=battle)
    assert '"seed":18446744073709551615' in record.text
    assert verify(record.text) is None


@pytest.mark.parametrize("seed", [2**80, -1, "x", "1.5", True, [1]])
def test_bad_seed_is_refused(seed: object):
    with pytest.raises(DocumentError, match="seed"):
        queue_battle(seed=seed)
    assert not Battle.objects.exists()


def test_resolved_battle_has_record_and_result():
    battle = queue_battle(seed=5)
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.status == JobStatus.DONE
    assert result_of(battle)["winner"] in ("Red", "Blue", None)
    assert {unit["key"] for unit in result_of(battle)["units"]} == {"a1", "b1"}
    assert battle.record.text.count("\n") > 10


def test_battle_resolved_twice_is_fought_once():
    battle = queue_battle(seed=5)
    battle_resolve(battle.pk)
    first = Record.objects.get()
    battle_resolve(battle.pk)
    assert Record.objects.get().created_at == first.created_at


def test_only_one_worker_claims_a_battle():
    battle = queue_battle()
    assert Battle.claim(battle.pk) is not None
    assert Battle.claim(battle.pk) is None


def test_worker_without_claim_writes_nothing():
    battle = queue_battle(seed=5)
    late = Battle.claim(battle.pk)
    Battle.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    battle_resolve(battle.pk)
    assert late is not None
    assert not battle_simulate(battle=late)
    assert Record.objects.count() == 1


def test_cancelled_battle_is_not_simulated():
    battle = queue_battle()
    assert battle_cancel(battle=battle, actor=None, visitor="v")
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.status == JobStatus.CALLED_OFF
    assert not battle_cancel(battle=battle, actor=None, visitor="v")


def test_only_the_requester_cancels_a_battle():
    battle = queue_battle()
    with pytest.raises(RefusedError):
        battle_cancel(battle=battle, actor=None, visitor="somebody else")
    with pytest.raises(RefusedError):
        battle_cancel(battle=battle, actor=player(), visitor="v")


def test_unknown_visitor_cannot_cancel_a_battle():
    battle = queue_battle()
    Battle.objects.filter(pk=battle.pk).update(asked_by=None, asked_from="")
    battle.refresh_from_db()
    with pytest.raises(RefusedError):
        battle_cancel(battle=battle, actor=None, visitor="")


def test_deleted_battle_is_skipped():
    battle_resolve(987_654)


def test_battle_with_a_rules_error_fails(monkeypatch):
    battle = queue_battle()
    monkeypatch.setattr("battles.services.battles.resolve", lambda *_: 1 / 0)
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.status == JobStatus.FAILED
    assert "ours" in battle.failure


def test_battle_that_kills_its_workers_fails():
    battle = queue_battle()
    Battle.objects.update(tries=Battle.MAX_TRIES)
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.status == JobStatus.FAILED
    assert "because the server stopped each time" in battle.failure


def test_sweep_resends_lapsed_battles_only(monkeypatch):
    waiting, running, fresh = queue_battle(), queue_battle(), queue_battle()
    long_ago = timezone.now() - timedelta(minutes=5)
    Battle.claim(running.pk)
    Battle.objects.filter(pk__in=[waiting.pk, running.pk]).update(queued_at=long_ago)
    Battle.objects.filter(pk=running.pk).update(lease_until=long_ago)
    sent: list[int] = []
    monkeypatch.setattr(battle_resolve, "delay", sent.append)
    sweep_lapsed()
    assert sorted(sent) == [waiting.pk, running.pk]
    sent.clear()
    sweep_lapsed()  # both were just sent
    assert sent == []
    Battle.objects.filter(pk__in=[waiting.pk, running.pk]).update(queued_at=long_ago + timedelta(seconds=1))
    sweep_lapsed()  # sent so long ago that the messages must be lost
    assert sorted(sent) == [waiting.pk, running.pk]
    assert Battle.objects.get(pk=fresh.pk).status == JobStatus.QUEUED


def test_sweep_adds_nothing_to_a_long_queue(monkeypatch):
    waiting, running = queue_battle(), queue_battle()
    long_ago = timezone.now() - timedelta(minutes=5)
    Battle.claim(running.pk)
    Battle.objects.update(queued_at=long_ago)
    Battle.objects.filter(pk=running.pk).update(lease_until=long_ago)
    sent: list[int] = []
    monkeypatch.setattr(battle_resolve, "delay", sent.append)
    monkeypatch.setattr("battles.tasks.messages_waiting", lambda task: 20_000)
    sweep_lapsed()
    assert sent == [running.pk]  # its message was lost with the worker
    sent.clear()
    Battle.objects.filter(pk=running.pk).update(queued_at=long_ago + timedelta(seconds=1))
    sweep_lapsed()
    assert sent == []
    monkeypatch.setattr("battles.tasks.messages_waiting", lambda task: 3)
    sweep_lapsed()
    assert sorted(sent) == [waiting.pk, running.pk]


def test_sweep_counts_waiting_messages(settings):
    from config.celery import app

    shutil.rmtree(settings.VAR_DIR / "queue", ignore_errors=True)
    assert messages_waiting("battles.tasks.battle_resolve") == 0
    for number in range(3):
        app.send_task("battles.tasks.battle_resolve", args=[number])
    app.send_task("rosters.tasks.print_run", args=[1])
    assert messages_waiting("battles.tasks.battle_resolve") == 3
    assert messages_waiting("battles.tasks.forecast_run") == 3  # odds wait in the same queue as battles
    assert messages_waiting("rosters.tasks.print_run") == 1
    shutil.rmtree(settings.VAR_DIR / "queue")


# --- companies --------------------------------------------------------------------------------------------------------


def finished_battle(owner, own, enemy: str = "wasp", seed: int = 3) -> Battle:
    setup, forces = company_battle(own, enemy)
    battle = battle_queue(setup=setup, forces=forces, actor=owner, seed=seed)
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def test_battle_is_practice_until_logged():
    owner = player()
    own = company(owner)
    before = LedgerEntry.objects.count()
    battle = finished_battle(owner, own)
    assert LedgerEntry.objects.count() == before
    assert battle_write_effects(battle=battle, actor=owner) == 1
    kinds = set(LedgerEntry.objects.filter(cause_ref=str(battle.key)).values_list("kind", flat=True))
    assert "fought" in kinds


def test_ledger_shows_kills_and_damage_of_the_record():
    owner = player()
    own = company(owner)
    battle = finished_battle(owner, own)
    battle_write_effects(battle=battle, actor=owner)
    unit = own.units.get()
    fate = next(fate for fate in result_of(battle)["units"] if fate["key"] == f"u{unit.pk}")
    kills = LedgerEntry.objects.filter(kind="kill", cause_ref=str(battle.key))
    assert sum(entry.facts["count"] for entry in kills) == fate["kills"]
    assert (unit.status == UnitStatus.DESTROYED) == fate["lost"]
    if not fate["lost"] and fate["hits"] < 4:
        assert unit.condition["hits"] == fate["hits"]


def test_ledger_names_the_destroyed_units():
    owner = player()
    own = company(owner, "draken", "draken")
    keys = {f"u{unit.pk}" for unit in own.units.all()}
    battles = (finished_battle(owner, own, seed=seed) for seed in range(20))
    battle = next(each for each in battles if any(unit["killed_by"] in keys for unit in result_of(each)["units"]))
    battle_write_effects(battle=battle, actor=owner)
    kills = LedgerEntry.objects.filter(kind="kill", cause_ref=str(battle.key))
    assert [entry.facts["victims"] for entry in kills] == [["WASP"]]


def test_battle_is_logged_once_and_again_after_undo():
    owner = player()
    own = company(owner)
    battle = finished_battle(owner, own)
    battle_write_effects(battle=battle, actor=owner)
    count = LedgerEntry.objects.count()
    assert battle_write_effects(battle=battle, actor=owner) == 0
    assert LedgerEntry.objects.count() == count
    assert battle_take_back_effects(battle=battle, actor=owner) == 1
    assert own.units.get().condition == {}
    with pytest.raises(RefusedError, match="isn't in your ledger"):
        battle_take_back_effects(battle=battle, actor=owner)
    assert battle_write_effects(battle=battle, actor=owner) == 1


def test_unfinished_battle_is_not_logged():
    owner = player()
    setup, forces = company_battle(company(owner))
    battle = battle_queue(setup=setup, forces=forces, actor=owner)
    with pytest.raises(RefusedError, match="isn't over"):
        battle_write_effects(battle=battle, actor=owner)


def test_only_a_companys_owner_logs_their_own_battle():
    owner, stranger = player(), player("eve")
    own = company(owner, visibility=Visibility.PUBLIC)
    setup, forces = company_battle(own)
    battle = battle_queue(setup=setup, forces=forces, actor=stranger)
    battle_resolve(battle.pk)
    for actor in (owner, stranger):  # the owner didn't ask for it, the stranger doesn't own it
        with pytest.raises(RefusedError):
            battle_write_effects(battle=battle, actor=actor)


def test_only_its_owner_fields_a_private_company():
    setup, forces = company_battle(company(player()))
    with pytest.raises(RefusedError, match="can't field"):
        battle_queue(setup=setup, forces=forces, actor=player("eve"))


def test_force_that_differs_from_setup_is_refused():
    owner = player()
    own = company(owner)
    setup, forces = company_battle(own)
    setup["sides"][0]["units"][0]["design"] = {"chassis": "titan", "weapons": [], "systems": []}
    with pytest.raises(RefusedError, match="doesn't match the unit"):
        battle_queue(setup=setup, forces=forces, actor=owner)


def test_unit_on_both_sides_is_refused():
    owner = player()
    setup, (force, _) = company_battle(company(owner))
    with pytest.raises(RefusedError, match="each unit only once"):
        check_forces(setup=read_setup(setup), forces=[force, force], actor=owner)


def test_damage_left_out_of_the_setup_is_refused():
    owner = player()
    own = company(owner)
    setup, forces = company_battle(own)
    own.units.update(condition={"hits": 1})
    with pytest.raises(RefusedError, match="damage doesn't match the set-up"):
        battle_queue(setup=setup, forces=forces, actor=owner)


def test_force_with_another_players_unit_is_refused():
    owner, eve = player(), player("eve")
    own, other = company(owner), company(eve, name="Eve's")
    setup, (force, _) = company_battle(own)
    assert force is not None
    with pytest.raises(RefusedError):
        battle_queue(setup=setup, forces=[SideForce(company=other, units=force.units)], actor=eve)


@pytest.mark.rule("MM-011")
@pytest.mark.parametrize("way", ["queued", "logged"])
def test_pilot_in_two_units_is_refused(way):
    owner = player()
    own = company(owner, "draken", "wasp")
    setup, (force, _) = company_battle(own)
    assert force is not None
    first, second = force.units.values()
    doubled = dict(zip(force.units, (first, {**second, "pilot": first["pilot"]}), strict=True))
    forces = [SideForce(company=own, units=doubled)]
    arguments = {"setup": setup, "forces": forces, "actor": owner}
    if way == "logged":
        arguments |= {"units": {}, "winner": None}
    with pytest.raises(RefusedError, match="can.t pilot two units at once"):
        (battle_log_result if way == "logged" else battle_queue)(**arguments)


def test_renamed_unit_still_gets_its_result():
    owner = player()
    own = company(owner)
    battle = finished_battle(owner, own)
    unit_rename(company=own, by=owner, unit=own.units.get(), name="Renamed")
    assert battle_write_effects(battle=battle, actor=owner) == 1


# --- limits ---


def test_visitor_has_few_open_battles():
    for _ in range(limits.OPEN_VISITOR):
        queue_battle()
    with pytest.raises(RefusedError, match="still running"):
        queue_battle()
    queue_battle(visitor="another")
    queue_battle(actor=player())


def test_visitor_has_an_hourly_limit_of_battles(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 2)
    for _ in range(2):
        battle_resolve(queue_battle().pk)
    with pytest.raises(RefusedError, match="an hour"):
        queue_battle()
    Battle.objects.update(queued_at=timezone.now() - timedelta(hours=2))
    queue_battle()


def test_visitors_together_leave_room_for_players(monkeypatch):
    monkeypatch.setattr(limits, "OPEN_VISITORS_TOGETHER", 2)
    queue_battle(visitor="one")
    queue_battle(visitor="two")
    with pytest.raises(RefusedError, match="Many visitors"):
        queue_battle(visitor="three")
    queue_battle(actor=player())


def test_visitor_has_no_private_battle():
    with pytest.raises(RefusedError, match="Sign in to make a battle private"):
        queue_battle(visibility=Visibility.PRIVATE)


def test_page_and_ledger_show_cause_of_loss(client):
    owner = player()
    own = company(owner, "wasp")
    battle = finished_battle(owner, own, "thor")
    system = battle_rules("meks-and-mercs")
    (fate,) = [fate for fate in result_of(battle)["units"] if fate["side"] == own.name]
    cause = system.cause_of_loss(read_setup(battle.setup), fate)
    assert fate["lost"]
    assert cause
    assert cause in client.get(reverse("battles:battle", args=[battle.key])).content.decode()
    battle_write_effects(battle=battle, actor=owner)
    facts = LedgerEntry.objects.get(kind="fought", cause_ref=str(battle.key)).facts
    assert (facts["lost"], facts["cause"]) == (True, cause)
