"""The pages and the API of corrections: who gets in, what the preview shows, what a confirmation does."""

import json

import pytest
from django.urls import reverse

from campaigns.models import Correction
from rosters.selectors import company_sheet
from rosters.services import company_record
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.past import all_is_well, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return a_campaign()


@pytest.fixture
def arbiter(campaign):
    return a_member(campaign.club, "arbiter")


@pytest.fixture
def match(campaign):
    ants, bees = (an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    played_ = played(campaign, ants, bees)
    played(campaign, ants, an_enrolment(campaign, a_mustered_company(name="Cats")))
    return played_


def url(match):
    return reverse("campaigns:correct", args=[match.key])


def test_an_arbiter_undoes_a_match_after_reading_what_follows(client, match, arbiter):
    client.force_login(arbiter)
    first = client.get(url(match)).content.decode()
    assert "What it should have been" in first
    assert "It never was: undo it" in first
    page = client.get(url(match), {"do": "undo"})
    text = page.content.decode()
    assert "becomes <b>void</b>" in text
    for words in ("Compensate", "Cascade", "Leave and flag", "Season points", "Round 2, Ants against Cats"):
        assert words in text
    tokens = {f"token-{each.slug}": each.preview.token for each in page.context["columns"]}
    answer = client.post(f"{url(match)}?do=undo", {"mode": "cascade", "reason": "Never played.", **tokens}, follow=True)
    assert "is corrected. The ledgers say what changed and why." in answer.content.decode()
    match.refresh_from_db()
    assert match.state == "void"
    assert company_record(match.attacker.company).won == 1
    history = client.get(url(match)).content.decode()
    assert "Attacker won (confirmed), now <b>undone</b>" in history
    assert "Never played." in history
    all_is_well()


def test_the_form_starts_with_what_stands_and_its_values_are_previewed(client, match, arbiter):
    client.force_login(arbiter)
    page = client.get(url(match))
    grid = page.context["edit"]
    assert grid.result.initial["winner"] == "attacker"
    key = grid.rows[0].unit.key
    asked = {"do": "edit", "winner": "defender", f"{key}-hits_lost": "1", f"{key}-kills": "0"}
    asked |= {f"{row.unit.key}-{name}": "0" for row in grid.rows[1:] for name in ("hits_lost", "kills")}
    page = client.get(url(match), asked)
    text = page.content.decode()
    assert "<b>defender won (ruled)</b>" in text
    assert "1 Hits left" in text
    again = client.get(url(match), {**asked, "do": "change"})
    assert "See what this would change" in again.content.decode()
    assert again.context["edit"].result["winner"].value() == "defender"
    assert again.context["edit"].rows[0]["hits_lost"].value() == "1"


def test_a_result_that_cannot_be_so_is_shown_at_its_field(client, match, arbiter):
    client.force_login(arbiter)
    rows = client.get(url(match)).context["edit"].rows
    asked = {"do": "edit", "winner": "attacker"}
    asked |= {f"{row.unit.key}-{name}": "0" for row in rows for name in ("hits_lost", "kills")}
    page = client.get(url(match), {**asked, f"{rows[0].unit.key}-kills": "1"})
    assert page.status_code == 422
    assert "has 1 kills, but the other side lost only 0" in page.content.decode()


def test_a_confirmation_without_reason_or_of_an_old_preview_is_refused(client, match, arbiter):
    client.force_login(arbiter)
    page = client.post(f"{url(match)}?do=undo", {"mode": "cascade", "reason": ""})
    assert page.status_code == 422
    page = client.post(f"{url(match)}?do=undo", {"mode": "cascade", "reason": "x", "token-cascade": "old"})
    assert page.status_code == 422
    assert "Something has changed since this preview" in page.content.decode()
    assert not Correction.objects.exists()


def test_what_is_not_decided_says_so(client, campaign, arbiter, match):
    open_one = a_match(a_round(campaign), match.attacker, match.defender)
    client.force_login(arbiter)
    assert "only a decided one can be corrected" in client.get(url(open_one)).content.decode()


def test_players_are_refused_strangers_find_nothing(client, match, campaign):
    assert client.get(url(match)).status_code == 302
    client.force_login(match.attacker.company.owner)
    assert client.get(url(match)).status_code == 403
    campaign.is_public = False
    campaign.save()
    client.force_login(a_player())
    assert client.get(url(match)).status_code == 404
    a_club(a_player("elsewhere"), name="Elsewhere")


def test_the_preview_asks_as_many_questions_for_many_matches(
    client, match, arbiter, campaign, django_assert_max_num_queries
):
    client.force_login(arbiter)
    for _ in range(2):
        played(campaign, match.attacker, match.defender)
    with django_assert_max_num_queries(75):
        client.get(url(match), {"do": "undo"})


def test_ledger_and_service_record_name_the_ruling(client, match, arbiter):
    client.force_login(arbiter)
    page = client.get(url(match), {"do": "attacker-wins"})
    tokens = {f"token-{each.slug}": each.preview.token for each in page.context["columns"]}
    client.post(f"{url(match)}?do=attacker-wins", {"mode": "compensate", "reason": "He left.", **tokens})
    rows = company_sheet(match.attacker.company).ledger
    assert any(row.is_reversal and row.match == str(match.key) for row in rows)
    client.force_login(match.attacker.company.owner)
    text = client.get(reverse("rosters:company_ledger", args=[match.attacker.company_id])).content.decode()
    assert "Reversed by a ruling on Round 1, Ants against Bees" in text


# --- API --------------------------------------------------------------------------------------------------------------


def post(client, path, body):
    return client.post(path, json.dumps(body), content_type="application/json")


def test_the_api_previews_and_corrects(client, match, arbiter):
    client.force_login(arbiter)
    path = f"/api/v1/matches/{match.key}/corrections/"
    asked = {"to": "report", "mode": "compensate", "report": {"muster": "report/1", "winner": "draw"}}
    preview = post(client, f"{path}preview/", asked)
    assert preview.status_code == 200, preview.content
    body = preview.json()
    assert [(each["name"], each["balance_after"] - each["balance_before"]) for each in body["companies"]] == [
        ("Ants", -3),
        ("Bees", 3),
    ]
    done = post(client, path, {**asked, "reason": "It was a draw.", "token": body["token"]})
    assert done.status_code == 201, done.content
    assert client.get(path).json()[0]["after"] == "draw (ruled)"
    again = post(client, path, {**asked, "reason": "It was a draw.", "token": body["token"]})
    assert again.status_code == 422
    client.force_login(match.attacker.company.owner)
    assert post(client, f"{path}preview/", asked).status_code == 403
    all_is_well()
