"""Pages and API of corrections: access, preview and confirmation."""

import json

import pytest
from django.urls import reverse

from campaigns.corrections.forms import pack_report, unpack_report
from campaigns.models import Correction
from campaigns.results.reports import MatchReport, ReportSupport, ReportUnit
from rosters.ledger.records import company_record
from rosters.ledger.selectors import ledger_of
from systems import battle_rules
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import COMPENSATE, LOST, check_consistency, correct_match, play_match, report

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
    played_ = play_match(campaign, ants, bees)
    play_match(campaign, ants, an_enrolment(campaign, a_mustered_company(name="Cats")))
    return played_


def url(match):
    return reverse("campaigns:match_correct", args=[match.key])


def test_arbiter_undoes_a_match_after_the_preview(client, match, arbiter):
    client.force_login(arbiter)
    first = client.get(url(match)).content.decode()
    assert "Right result" in first
    assert "Void: the match is erased" in first
    page = client.get(url(match), {"do": "undo"})
    text = page.content.decode()
    assert "becomes <b>void</b>" in text
    for words in ("Compensate", "Cascade", "Leave and flag", "Season points", "Round 2, Ants against Cats"):
        assert words in text
    tokens = {f"token-{each.slug}": each.preview.token for each in page.context["columns"]}
    answer = client.post(f"{url(match)}?do=undo", {"mode": "cascade", "reason": "Never played.", **tokens}, follow=True)
    assert "is corrected. The ledgers show what changed and why." in answer.content.decode()
    match.refresh_from_db()
    assert match.state == "void"
    assert company_record(match.attacker.company).won == 1
    history = client.get(url(match)).content.decode()
    assert "Attacker won (confirmed), now <b>undone</b>" in history
    assert "Never played." in history
    check_consistency()


def grid_of(page):
    """Return the rows of both sides in the order of the page."""
    return [row.form for side in page.context["edit"].sides for row in side.rows]


def form_data(page, winner, **first):
    """Return what the page's form sends, with another winner and other values in the first row."""
    rows = grid_of(page)
    fields = {form[name].html_name: form[name].value() for form in rows for name in form.fields}
    fields |= {rows[0][name].html_name: value for name, value in first.items()}
    return {"do": "edit", "r-winner": winner, **{name: value for name, value in fields.items() if value}}


def test_form_starts_with_the_current_result(client, match, arbiter):
    client.force_login(arbiter)
    page = client.get(url(match))
    assert page.context["edit"].end["winner"].value() == "attacker"
    assert [form["hits_lost"].value() for form in grid_of(page)] == [0, 0, 0, 0]
    preview = client.post(url(match), form_data(page, "defender", hits_lost="1", wounded="on"), follow=True)
    text = preview.content.decode()
    assert "<b>defender won (ruled)</b>" in text
    assert "1 Hit left" in text
    assert not Correction.objects.exists()
    again = client.get(url(match) + preview.context["back"])
    assert "Preview" in again.content.decode()
    assert again.context["edit"].end["winner"].value() == "defender"
    first = grid_of(again)[0]
    assert [first[name].value() for name in ("hits_lost", "wounded", "fate")] == [1, True, ""]


def test_another_arbiter_can_confirm_a_preview_link(client, match, arbiter, campaign):
    client.force_login(arbiter)
    link = client.post(url(match), form_data(client.get(url(match)), "draw")).url
    client.force_login(a_member(campaign.club, "arbiter"))
    page = client.get(link)
    tokens = {f"token-{each.slug}": each.preview.token for each in page.context["columns"]}
    client.post(link, {"mode": "compensate", "reason": "It was a draw.", **tokens})
    match.refresh_from_db()
    assert (match.state, match.outcome) == ("ruled", "draw")
    check_consistency()


def test_corrected_match_is_edited_from_its_new_result(client, match, arbiter):
    correct_match(match, report(match, "defender", {0: {**LOST, "fate": "injured"}}), COMPENSATE, arbiter)
    client.force_login(arbiter)
    page = client.get(url(match))
    assert page.context["edit"].end["winner"].value() == "defender"
    assert grid_of(page)[0]["fate"].value() == "injured"


def test_preview_link_of_two_full_forces_is_short(match):
    unit = ReportUnit(hits_lost=12, kills=11, destroyed=True, exploded=True, wounded=True, fate="injured")
    units = {
        f"{letter}{number}": unit
        for letter in "ab"
        for number in range(1, battle_rules(match.round.campaign.system).max_units + 1)
    }
    support = ReportSupport(attacker=("airstrike", "minefield"), defender=("artillery", "recon-drone"))
    full = MatchReport(muster="report/1", winner="defender", rounds=12, units=units, support=support)
    packed = pack_report(match, full)
    assert unpack_report(match, packed).model_dump() == full.model_dump()
    assert len(packed) < 1000  # a request's first line may have 4094 characters, and people send links in messages


def test_link_of_another_match_is_refused_with_the_form(client, match, arbiter, campaign):
    other = play_match(campaign, match.attacker, match.defender)
    client.force_login(arbiter)
    page = client.get(url(match), {"do": "edit", "said": pack_report(other, report(other, "draw"))})
    assert page.status_code == 422
    assert "This link is no longer valid" in page.content.decode()
    assert page.context["edit"].end["winner"].value() == "attacker"


def test_invalid_values_are_shown_at_their_fields(client, match, arbiter):
    client.force_login(arbiter)
    page = client.get(url(match))
    first = grid_of(page)[0]
    unread = client.post(url(match), form_data(page, "attacker", kills="many"))
    assert unread.status_code == 422
    assert f'href="#{first["kills"].auto_id}"' in unread.content.decode()
    untrue = client.post(url(match), form_data(page, "attacker", kills="1"), follow=True)
    assert untrue.status_code == 422
    assert "has 1 kills, but the other side lost only 0" in untrue.content.decode()
    assert grid_of(untrue)[0]["kills"].value() == 1


def test_match_page_links_and_lists_corrections(client, match, arbiter):
    page = reverse("campaigns:match", args=[match.key])
    button = f'<a class="button" href="{url(match)}">Correct match</a>'
    client.force_login(match.attacker.company.owner)
    assert button not in client.get(page).content.decode()
    client.force_login(arbiter)
    text = client.get(page).content.decode()
    assert button in text
    assert "Corrections" not in text
    _, correction = correct_match(match, report(match, "draw"), COMPENSATE, arbiter)
    client.logout()
    text = client.get(page).content.decode()
    assert "Attacker won (confirmed), now <b>draw (ruled)</b>" in text
    assert text.count("The photo shows it.") == 1  # listed under corrections, not repeated under rulings
    assert reverse("campaigns:ruling", args=[match.round.campaign_id, correction.ruling_id]) in text


def test_confirmation_needs_a_reason_and_a_current_preview(client, match, arbiter):
    client.force_login(arbiter)
    page = client.post(f"{url(match)}?do=undo", {"mode": "cascade", "reason": ""})
    assert page.status_code == 422
    page = client.post(f"{url(match)}?do=undo", {"mode": "cascade", "reason": "x", "token-cascade": "old"})
    assert page.status_code == 422
    assert "Something has changed since this preview" in page.content.decode()
    assert not Correction.objects.exists()


def test_undecided_match_page_offers_no_correction(client, campaign, arbiter, match):
    open_one = a_match(a_round(campaign), match.attacker, match.defender)
    client.force_login(arbiter)
    assert "only a decided one can be corrected" in client.get(url(open_one)).content.decode()


def test_players_are_refused_and_strangers_find_nothing(client, match, campaign):
    assert client.get(url(match)).status_code == 302
    client.force_login(match.attacker.company.owner)
    assert client.get(url(match)).status_code == 403
    campaign.is_public = False
    campaign.save()
    client.force_login(a_player())
    assert client.get(url(match)).status_code == 404
    a_club(a_player("elsewhere"), name="Elsewhere")


@pytest.mark.slow
def test_preview_queries_do_not_grow_with_matches(client, match, arbiter, campaign, django_assert_max_num_queries):
    client.force_login(arbiter)
    for _ in range(2):
        play_match(campaign, match.attacker, match.defender)
    with django_assert_max_num_queries(75):
        client.get(url(match), {"do": "undo"})


def test_ledger_names_the_ruling_that_reversed_an_entry(client, match, arbiter):
    client.force_login(arbiter)
    page = client.get(url(match), {"do": "attacker-wins"})
    tokens = {f"token-{each.slug}": each.preview.token for each in page.context["columns"]}
    client.post(f"{url(match)}?do=attacker-wins", {"mode": "compensate", "reason": "He left.", **tokens})
    rows = ledger_of(match.attacker.company)
    assert any(row.is_reversal and row.match == str(match.key) for row in rows)
    client.force_login(match.attacker.company.owner)
    text = client.get(
        reverse("rosters:company", args=[match.attacker.company_id], query={"show": "ledger"})
    ).content.decode()
    assert "Reversed by a ruling on Round 1, Ants against Bees" in text


# --- API --------------------------------------------------------------------------------------------------------------


def post(client, path, body):
    return client.post(path, json.dumps(body), content_type="application/json")


def test_api_previews_and_makes_corrections(client, match, arbiter):
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
    check_consistency()
