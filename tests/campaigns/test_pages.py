"""Pages after a battle: logging, the banner, skill choice, service record, loan and export."""

import json
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from campaigns.results import aftermath as services
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import
from rosters.ledger.records import company_record, differences
from rosters.models import LedgerEntry
from rosters.services import company_create
from systems.documents import DocumentError
from systems.engine.dice import ScriptedDice
from tests.battles.builders import company, company_battle, player
from tests.battles.test_pages import quick_data
from tests.campaigns.test_aftermath import log_game

pytestmark = pytest.mark.django_db


def text_of(response):
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def messages_of(response):
    return " ".join(str(message) for message in response.context["messages"])


def skill_url(own):
    return reverse("campaigns:pilot_skill", args=[own.pk, own.pilots.first().pk])


def pilot_page(own):
    return reverse("rosters:pilot", args=[own.pk, own.pilots.first().pk])


def company_page(own):
    return reverse("rosters:company", args=[own.pk])


@pytest.mark.rule("MM-S02")
def test_logging_a_battle_adds_effects_and_undo_removes_them(client, own):
    setup, forces = company_battle(own)
    battle = battle_queue(setup=setup, forces=forces, actor=own.owner, seed=4)
    battle_resolve(battle.pk)
    before = company_record(own)
    url = reverse("battles:effects", args=[battle.key])
    client.post(url)
    game = LedgerEntry.objects.get(company=own, kind="game")
    assert game.facts["seed"] == str(services.dice_seed(battle))
    assert "season point" in text_of(client.get(company_page(own)))
    client.post(url, {"do": "take-back"})
    assert company_record(own) == before
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S03")
def test_log_form_asks_about_an_exploded_reactor(client, own):
    unit = own.units.get()
    query = {name: value for name, value in quick_data().items() if name.partition("-")[0] in ("a", "b", "f")}
    query |= {"a1-unit": f"unit:{unit.pk}", "b1-unit": "design:wasp"}
    key = f"u{unit.pk}"
    data = {"key": str(uuid.uuid4()), "winner": "1", f"{key}-hits_left": "0", f"{key}-kills": "0"}
    data |= {f"{key}-destroyed": "on", f"{key}-exploded": "on", "b1-hits_left": "2", "b1-kills": "0"}
    url = reverse("battles:log-battle", query=query)
    answer = client.post(url, data)
    assert answer.status_code == 302, answer.content.decode()
    fate = LedgerEntry.objects.get(company=own, kind__in=["unhurt", "wounded", "died"])
    assert fate.facts["exploded"]
    assert own.units.get().status == "destroyed"


def test_battle_page_shows_effects_while_logged(client, own, sixes):
    battle = log_game(own, hits_lost=2, destroyed=True)
    url = reverse("battles:battle", args=[battle.key])
    page = client.get(url)
    effects = ["".join(part.text for part in line.parts) for line in page.context["page"].books.led_to]
    assert effects == [
        "Pilot 1 got out of the wreck unhurt (6 on the fate die)",
        "Pilot 1 rolled 6 for a skill, 5 or more needed: earned a skill",
        "Lost: 0 season points, 6 points earned",
    ]
    assert reverse("rosters:pilot", args=[own.pk, own.pilots.get().pk]) in text_of(page)
    client.post(reverse("battles:effects", args=[battle.key]), {"do": "take-back"})
    assert client.get(url).context["page"].books.led_to == ()
    client.force_login(player("eve"))
    assert client.get(url).context["page"].books.led_to == ()


def test_only_the_owner_sees_a_pending_skill_choice(client, own, sixes):
    assert "has earned a skill" not in text_of(client.get(company_page(own)))
    log_game(own)
    assert f"{pilot_page(own)}#skill" in text_of(client.get(company_page(own)))
    assert "has earned a skill" in text_of(client.get(pilot_page(own)))
    own.visibility = "public"
    own.save()
    client.logout()
    for page in (company_page(own), pilot_page(own)):
        assert "has earned a skill" not in text_of(client.get(page))


def test_pilot_page_offers_missing_skills_and_saves_one(client, own, sixes):
    log_game(own)
    page = text_of(client.get(skill_url(own), follow=True))
    assert 'value="accuracy" required checked' in page
    assert "Useful in WASP" in page
    answer = client.post(skill_url(own), {"skill": "hawkeye"}, follow=True)
    assert "has learned the skill. You can undo it in the ledger until the next game" in messages_of(answer)
    assert "Pilot 1 gained a skill: Hawkeye" in text_of(answer)
    assert company_record(own).pilots[own.pilots.get().pk].skills == ("hawkeye",)
    for page in (company_page(own), pilot_page(own)):
        assert "has earned a skill" not in text_of(client.get(page))


@pytest.mark.parametrize("skill", ["", "flying", "x" * 500, "\x00"])
def test_unknown_skill_is_refused(client, own, sixes, skill):
    log_game(own)
    page = client.post(skill_url(own), {"skill": skill}, follow=True)
    assert page.redirect_chain == [(f"{pilot_page(own)}#skill", 302)]
    assert "There's no skill" in messages_of(page)
    assert company_record(own).pilots[own.pilots.get().pk].pending


def test_skill_that_was_not_earned_cannot_be_chosen(client, own):
    assert "no skill to choose" in messages_of(client.get(skill_url(own), follow=True))
    client.post(skill_url(own), {"skill": "hawkeye"})
    assert company_record(own).pilots[own.pilots.get().pk].skills == ()


def test_only_the_owner_chooses_a_skill(client, own, sixes):
    log_game(own)
    own.visibility = "public"
    own.save()
    url = skill_url(own)
    client.force_login(player("eve"))
    assert client.get(url).status_code == client.post(url, {"skill": "hawkeye"}).status_code == 404
    client.logout()
    assert client.post(url, {"skill": "hawkeye"}).status_code == 302
    assert company_record(own).pilots[own.pilots.get().pk].skills == ()


def test_pilot_of_another_company_is_not_found(client, own):
    other = company(player("eve"), "wasp")
    url = reverse("campaigns:pilot_skill", args=[own.pk, other.pilots.get().pk])
    assert client.get(url).status_code == 404


@pytest.mark.rule("MM-099", "MM-103")
def test_service_record_lists_games_with_deeds_and_dice(client, own, sixes):
    from battles.services.results import UnitFate

    battle = log_game(own, "own", kills=1, units={"b1": UnitFate(hits_lost=2, destroyed=True)})
    page = client.get(reverse("rosters:pilot", args=[own.pk, own.pilots.get().pk]))
    hired, game = page.context["service"]
    assert (hired.number, game.number, game.battle, game.battle_ref) == (None, 1, battle.title, str(battle.key))
    assert [row.deed for row in game.deeds] == [
        "Fought in WASP",
        "Scored 1 kill",
        "Rolled 6 for a skill, 5 or more needed: earned a skill",
    ]
    assert game.seed == str(services.dice_seed(battle))
    assert game.seed in text_of(page)


def test_service_record_omits_undone_games(client, own, sixes):
    battle = log_game(own)
    client.post(reverse("battles:effects", args=[battle.key]), {"do": "take-back"})
    page = client.get(reverse("rosters:pilot", args=[own.pk, own.pilots.get().pk]))
    assert [line.number for line in page.context["service"]] == [None]


@pytest.mark.rule("MM-S03")
def test_unit_of_a_wounded_pilot_is_refused_for_battles(client, own, sixes, monkeypatch):
    from rosters.services import pilot_assign, unit_buy

    monkeypatch.setattr(services, "SeededDice", lambda seed: ScriptedDice([2, 1]))
    log_game(own, hits_lost=2, destroyed=True)
    unit = unit_buy(company=own, by=own.owner, published="wasp")
    pilot_assign(company=own, by=own.owner, unit=unit, pilot=own.pilots.get())
    query = {name: value for name, value in quick_data().items() if name.partition("-")[0] in ("a", "b", "f")}
    query |= {"a1-unit": f"unit:{unit.pk}", "b1-unit": "design:wasp"}
    refused = client.get(reverse("battles:log-battle"), query)
    assert refused.status_code == 422
    assert "Pilot 1 is wounded and misses the next game" in refused.content.decode()
    assert "wounded, misses a game" in text_of(client.get(company_page(own)))
    pilot = reverse("rosters:pilot", args=[own.pk, own.pilots.get().pk])
    assert "next game." in text_of(client.get(pilot))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["company", "pilot"])
def test_page_queries_do_not_grow_with_games(client, sixes, name):
    owner = player()
    client.force_login(owner)
    own = company(owner, "wasp", "draken")
    pilot = own.pilots.first().pk
    url = {
        "company": company_page(own),
        "pilot": reverse("rosters:pilot", args=[own.pk, pilot]),
    }[name]
    log_game(own)
    with CaptureQueriesContext(connection) as few:
        assert client.get(url).status_code == 200
    for _ in range(3):
        log_game(own)
    with CaptureQueriesContext(connection) as many:
        assert client.get(url).status_code == 200
    assert len(many) == len(few) < 15


@pytest.mark.rule("MM-S10")
def test_poor_company_borrows_once_on_its_page(client, sixes):
    owner = player("poor")
    client.force_login(owner)
    own = company_create(owner=owner, system="meks-and-mercs", name="Poor Dogs", points=5)
    url = reverse("campaigns:company_loan", args=[own.pk])
    assert url in text_of(client.get(company_page(own)))
    answer = client.post(url, follow=True)
    assert "Borrowed WASP" in messages_of(answer)
    assert "<dt>Debt</dt>" in text_of(answer)
    assert url not in text_of(answer)
    assert "so it can't borrow" in messages_of(client.post(url, follow=True))
    assert own.units.count() == 1
    client.force_login(player("eve"))
    assert client.post(url).status_code == 404
    assert client.get(url).status_code in (404, 405)


def test_company_export_restores_a_career(own, monkeypatch):
    for faces in ([6], [6], [2, 6]):
        monkeypatch.setattr(services, "SeededDice", lambda seed, faces=faces: ScriptedDice(faces))
        log_game(own, **({"hits_lost": 2, "destroyed": True} if faces[0] == 2 else {}))
    document = company_document(own)
    (pilot,) = document["pilots"]
    assert (pilot["status"], pilot["games"], pilot["skills"]) == ("wounded", 3, ["accuracy", "pinpoint-attack"])
    copy = company_import(owner=player("heir"), document=read_company(json.dumps(document)))
    assert company_document(copy) == document
    assert list(differences(copy)) == []


def test_forged_export_with_an_unknown_skill_is_refused(own, sixes):
    log_game(own)
    document = company_document(own)
    rolled = next(entry for entry in document["ledger"] if entry["kind"] == "skill-rolled")
    rolled["facts"]["default"] = "flying"
    with pytest.raises(DocumentError, match="no skill 'flying'"):
        read_company(json.dumps(document))
