"""A battle's packet: both sides, scenario, reference and slip in one print order."""

from __future__ import annotations

import pytest
from django.urls import reverse

from battles.forms.results import HandForm
from battles.services.battles import battle_queue
from rosters.models import PrintJob
from rosters.tasks import print_run
from tests.battles.builders import company, company_battle, duel, player
from tests.rosters.paper.forms import form_fields
from tests.systems.meks_and_mercs.battle.games import document

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_run, "delay", lambda pk: None)


def packet(client, battle, **changed) -> dict:
    """Return the print order that the page requests."""
    path = reverse("battles:print-packet", args=[battle.key])
    answer = client.post(path, form_fields(client.get(path).context["form"], **changed))
    assert answer.status_code == 302, answer.context["form"].errors
    return PrintJob.objects.order_by("-pk")[0].content


def test_scenario_game_is_printed_whole(client):
    battle = battle_queue(setup=document("opening-shots"), actor=player())
    order = packet(client, battle)
    kinds = [item["what"] for item in order["items"]]
    units = sum(len(side["units"]) for side in battle.setup["sides"])
    assert kinds.count("unit-card") >= units
    assert [kind for kind in kinds if kind not in ("unit-card", "support-card")] == [
        "roster", "roster", "scenario", "reference", "slip",
    ]  # fmt: skip
    slip = order["items"][-1]["slip"]
    assert slip["url"] == f"http://testserver{reverse('battles:battle', args=[battle.key])}"
    names = [side["name"] for side in battle.setup["sides"]]
    form = HandForm(names=names, rounds_label="Turns")
    assert slip["outcomes"] == [label for _, label in form.fields["winner"].choices]


def test_battle_without_scenario_has_no_scenario_sheet(client):
    order = packet(client, battle_queue(setup=duel(), actor=player()), products=["slip"])
    (item,) = order["items"]
    assert item["slip"]["scenario"] == ""
    assert all(unit["hits"] > 0 for side in item["slip"]["sides"] for unit in side["units"])


def test_packet_names_pilots_only_to_their_readers(client):
    owner = player()
    own = company(owner, "draken", "wasp")
    setup, forces = company_battle(own)
    battle = battle_queue(setup=setup, forces=forces, actor=owner, visibility="link")
    names = {unit.pilot.name for unit in own.units.all() if unit.pilot}

    def printed() -> set[str]:
        items = packet(client, battle, products=["unit-card"])["items"]
        return {item["unit"]["pilot"]["name"] for item in items if item["unit"]["pilot"]}

    assert names
    assert not names & printed()
    client.force_login(owner)
    assert names <= printed()


def test_empty_choice_is_refused(client):
    battle = battle_queue(setup=duel(), actor=player())
    path = reverse("battles:print-packet", args=[battle.key])
    answer = client.post(path, form_fields(client.get(path).context["form"], products=[]))
    assert answer.status_code == 422
    assert "There is nothing to print" in answer.content.decode()
