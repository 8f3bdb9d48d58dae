"""All results of an evening on one page: each match is saved on its own, and none is overwritten."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.arbiters import consent_give
from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.gazette.content import gazette_content
from campaigns.models import ActivityLogEntry, Round
from campaigns.planning.selectors import match_status
from campaigns.results.rulings import match_rule
from campaigns.results.services import can_enter_on_paper, match_confirm, match_enter, match_fingerprint, report_make
from campaigns.standings.selectors import standings
from rosters.ledger.records import company_record
from rosters.services import RefusedError
from rosters.site.exceptions import StaleEditError
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.fresh_builds import FRESH_BUILD, a_fresh_match
from tests.campaigns.test_results import a_kill, document, key, owner

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(client):
    olga = a_player("olga")
    client.force_login(olga)
    return olga


@pytest.fixture
def round_(olga):
    return a_round(a_campaign(a_club(olga)))


def reveal_match(round_, *names):
    sides = [an_enrolment(round_.campaign, a_mustered_company(name=name)) for name in names]
    return lists_reveal(match=a_match(round_, *sides))


def page(round_):
    return reverse("campaigns:results_entry", args=[round_.campaign_id, round_.number])


def form_data(match, **fields):
    """Return what a match's form sends; unit fields are named like `0_1_kills`: side, unit, field."""
    match.refresh_from_db()
    sent = {f"m{match.pk}-mark": match_fingerprint(match)}
    for name, value in fields.items():
        parts = name.split("_", 2)
        place = f"{key(match, int(parts[0]), int(parts[1]))}-{parts[2]}" if parts[0].isdigit() else f"r-{name}"
        sent[f"m{match.pk}-{place}"] = value
    return sent


def unchanged_fields(html):
    """Return what a browser sends of the form as shown, without unticked boxes."""
    tags = [dict(re.findall(r'([\w-]+)(?:="([^"]*)")?', tag)) for tag in re.findall(r"<input\b[^>]*>", html)]
    sent = [
        tag
        for tag in tags
        if tag.get("name", "").startswith("m") and (tag["type"] in ("text", "number", "hidden") or "checked" in tag)
    ]
    return {tag["name"]: tag.get("value", "on" if tag["type"] in ("checkbox", "radio") else "") for tag in sent}


def state(match):
    match.refresh_from_db()
    return match.state, match.outcome, match.decided_by


def test_filled_matches_are_saved_and_others_left(client, round_, olga):
    one, two, three = (
        reveal_match(round_, "Axes", "Bears"),
        reveal_match(round_, "Crows", "Dogs"),
        reveal_match(round_, "Elks", "Foxes"),
    )
    sent = form_data(one, winner="attacker") | {
        f"m{one.pk}-{key(one, 0)}-kills": "1",
        f"m{one.pk}-{key(one, 1)}-destroyed": "on",
    }
    sent |= form_data(two, winner="draw") | form_data(three)
    answer = client.post(page(round_), sent, follow=True)
    assert "Entered: table 1 and table 2." in answer.content.decode()
    assert state(one) == ("confirmed", "attacker", "organiser")
    assert state(two) == ("confirmed", "draw", "organiser")
    assert state(three) == ("scheduled", "", "")
    assert one.figures["destroyed"] == [1, 0]
    assert company_record(one.attacker.company).won == 1
    assert "attacker won (the organiser)" in ActivityLogEntry.objects.filter(match=one).first().text


def test_errors_are_marked_and_other_matches_saved(client, round_, olga):
    one, two, three = (
        reveal_match(round_, "Axes", "Bears"),
        reveal_match(round_, "Crows", "Dogs"),
        reveal_match(round_, "Elks", "Foxes"),
    )
    kills = f"m{one.pk}-{key(one, 0)}-kills"
    sent = form_data(one, winner="attacker") | {kills: "7"} | form_data(two, winner="defender")
    sent |= form_data(three) | {f"m{three.pk}-{key(three, 0)}-hits_lost": "1"}
    answer = client.post(page(round_), sent)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert state(two) == ("confirmed", "defender", "organiser")
    assert state(one)[0] == state(three)[0] == "scheduled"
    assert 'value="7"' in html
    assert f'href="#id_{kills}"' in html
    assert f"id_m{three.pk}-r-winner" in html
    again = {name: value for name, value in sent.items() if not name.startswith(f"m{two.pk}-")}
    again |= {kills: "0", f"m{three.pk}-r-winner": "defender"}
    client.post(page(round_), again)
    assert (state(one)[1], state(three)[1]) == ("attacker", "defender")


def test_match_decided_meanwhile_is_not_overwritten(client, round_, olga):
    match = reveal_match(round_, "Axes", "Bears")
    sent = form_data(match, winner="defender")
    report_make(match=match, side=0, content=document("draw"), by=owner(match, 0))
    match_confirm(match=match, side=1, report=match.reports.get().pk, by=owner(match, 1))
    answer = client.post(page(round_), sent, follow=True)
    assert "was decided after you opened this page: draw. Your entry wasn&#x27;t saved." in answer.content.decode()
    assert state(match) == ("confirmed", "draw", "other-side")


def test_report_made_meanwhile_is_shown_before_saving(client, round_, olga):
    match = reveal_match(round_, "Axes", "Bears")
    sent = form_data(match, winner="defender")
    report_make(match=match, side=0, content=a_kill(match), by=owner(match, 0))
    answer = client.post(page(round_), sent)
    assert answer.status_code == 422
    assert "Axes reported Axes; you entered Bears." in answer.content.decode()
    assert state(match)[0] == "reported"
    client.post(page(round_), form_data(match, winner="defender"))
    assert state(match) == ("confirmed", "defender", "organiser")
    assert "entered over the report of Axes" in ActivityLogEntry.objects.filter(match=match).first().text


def test_single_report_fills_the_form(client, round_, olga):
    match = reveal_match(round_, "Axes", "Bears")
    report_make(match=match, side=0, content=a_kill(match), by=owner(match, 0))
    html = client.get(page(round_)).content.decode()
    assert "Axes reported" in html
    same = unchanged_fields(html)
    client.post(page(round_), same)
    assert state(match)[0] == "reported", "nothing was changed and nothing ticked"
    answer = client.post(page(round_), {**same, f"m{match.pk}-take": "on"})
    assert answer.status_code == 302, re.findall(r'class="errors".*?</ul>', answer.content.decode(), re.DOTALL)
    assert state(match) == ("confirmed", "attacker", "organiser")


def test_unavailable_match_gives_its_reason(client, round_, olga):
    own = a_match(
        round_, an_enrolment(round_.campaign, a_mustered_company(olga, name="Own")), an_enrolment(round_.campaign)
    )
    closed = a_match(
        round_, *(an_enrolment(round_.campaign, a_mustered_company(name=name)) for name in ("Axes", "Bears"))
    )
    apart = reveal_match(round_, "Crows", "Dogs")
    for side, content in enumerate((a_kill(apart), document("draw"))):
        report_make(match=apart, side=side, content=content, by=owner(apart, side))
    html = client.get(page(round_)).content.decode()
    assert "playing in this match, so report it from your own match page" in html
    list_submit(match=closed, side=0, units=[units_of(closed, 0)[0].pk], doctrine="cautious", by=owner(closed, 0))
    html = client.get(page(round_)).content.decode()
    assert "Bears has not submitted a list yet." in html
    assert "The reports differ. Make a ruling on the match page" in html
    for match in (own, closed, apart):
        before = state(match)
        client.post(page(round_), {f"m{match.pk}-r-winner": "draw", f"m{match.pk}-mark": match_fingerprint(match)})
        assert state(match) == before
        with pytest.raises(RefusedError):
            match_enter(match=match, content=document("draw"), by=olga)


def test_page_reveals_lists_after_the_deadline(client, round_, olga):
    match = a_match(
        round_, *(an_enrolment(round_.campaign, a_mustered_company(name=name)) for name in ("Axes", "Bears"))
    )
    round_.deadline = timezone.now() - timedelta(minutes=1)
    round_.save()
    assert "The lists aren&#x27;t revealed yet." in client.get(page(round_)).content.decode()
    client.post(page(round_), {"open": match.pk})
    match.refresh_from_db()
    assert match.setup
    assert f"m{match.pk}-r-winner" in client.get(page(round_)).content.decode()


def test_page_is_for_organisers_and_arbiters_of_open_rounds(client, round_, olga):
    match = reveal_match(round_, "Axes", "Bears")
    client.force_login(owner(match, 0))
    assert client.get(page(round_)).status_code == 403
    assert client.post(page(round_), form_data(match, winner="attacker")).status_code == 403
    arbiter = a_member(round_.campaign.club, "arbiter")
    client.force_login(arbiter)
    client.post(page(round_), form_data(match, winner="attacker"))
    assert state(match)[1] == "attacker"
    planned = a_round(round_.campaign, "planned")
    assert client.get(page(planned)).status_code == 404


def test_fields_of_other_rounds_are_ignored(client, round_, olga):
    elsewhere = reveal_match(a_round(a_campaign(a_club(name="Elsewhere"), name="Other War")), "Axes", "Bears")
    answer = client.post(page(round_), form_data(elsewhere, winner="attacker") | {"m1e9-r-winner": "draw", "open": "x"})
    assert answer.status_code == 302
    assert state(elsewhere)[0] == "scheduled"


@pytest.mark.slow
def test_page_queries_do_not_grow_with_matches(client, round_, olga):
    asked = []
    for names in (("A1", "B1", "A2", "B2"), [f"{side}{number}" for number in range(3, 9) for side in "AB"]):
        for at in range(0, len(names), 2):
            match = reveal_match(round_, names[at], names[at + 1])
            report_make(match=match, side=0, content=document("draw"), by=owner(match, 0))
        client.get(page(round_))
        with CaptureQueriesContext(connection) as queries:
            assert client.get(page(round_)).status_code == 200
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 14


def test_outdated_entry_is_refused(round_, olga):
    match = reveal_match(round_, "Axes", "Bears")
    mark = match_fingerprint(match)
    report_make(match=match, side=0, content=document("draw"), by=owner(match, 0))
    match.refresh_from_db()
    reported = match_fingerprint(match)
    report_make(match=match, side=0, content=document("attacker"), by=owner(match, 0))  # another in its place
    for read in (mark, reported):
        with pytest.raises(StaleEditError):
            match_enter(match=match, content=document("draw"), by=olga, read=read)


def test_api_enters_a_match(client, round_, olga):
    match, other = reveal_match(round_, "Axes", "Bears"), reveal_match(round_, "Crows", "Dogs")
    client.logout()

    def post(match, by, **body):
        url, head = reverse("api-match-result-entry", args=[match.key]), {"Authorization": f"Token {a_token(by)}"}
        return client.post(url, json.dumps(body), content_type="application/json", headers=head)

    assert post(match, olga, **a_kill(match)).json()["decided_by"] == "organiser"
    again = post(match, olga, **a_kill(match))
    assert (again.status_code, "Ask an arbiter to correct it" in again.content.decode()) == (422, True)
    assert post(other, owner(other, 0), **document("draw")).status_code == 403
    assert post(other, olga, **document("draw", units={"u0": {}})).status_code == 422


def test_submitted_lists_stay_hidden_on_the_page(client, round_, olga):
    match = a_match(
        round_, *(an_enrolment(round_.campaign, a_mustered_company(name=name)) for name in ("Axes", "Bears"))
    )
    unit = match.attacker.company.units.first()
    list_submit(match=match, side=0, units=[unit.pk], doctrine="cautious", by=owner(match, 0))
    html = client.get(page(round_)).content.decode()
    assert "Bears has not submitted a list" in html
    assert unit.name not in html


# --- games on paper ---------------------------------------------------------------------------------------------------


def on_paper(round_, *names):
    return a_match(round_, *(an_enrolment(round_.campaign, a_mustered_company(name=name)) for name in names))


def paper_form_data(html):
    """Return what a browser sends of the page as shown, ticked units included."""
    sent = unchanged_fields(html)
    for name, value in re.findall(r'name="(m\d+-units-[01])"\s+value="(\d+)"\s+checked', html):
        before = sent.get(name)
        sent[name] = [*(before if isinstance(before, list) else []), value]
    return sent


def units_of(match, side):
    return list((match.attacker, match.defender)[side].company.units.order_by("position", "pk"))


@pytest.mark.parametrize("seals_forces", [True, False])
def test_paper_game_is_entered_without_lists(client, olga, seals_forces):
    round_ = a_round(a_campaign(a_club(olga), seals_forces=seals_forces))
    match, other = on_paper(round_, "Axes", "Bears"), on_paper(round_, "Crows", "Dogs")
    sent = paper_form_data(client.get(page(round_)).content.decode())
    axe, bear = (units_of(match, side)[0] for side in (0, 1))
    prefix = f"m{match.pk}-"
    sent |= {f"{prefix}r-winner": "attacker", f"{prefix}u{axe.pk}-kills": "1", f"{prefix}u{bear.pk}-destroyed": "on"}
    answer = client.post(page(round_), sent, follow=True)
    assert "Entered: table 1." in answer.content.decode()
    assert state(match) == ("confirmed", "attacker", "organiser")
    assert match.figures["destroyed"] == [1, 0]
    assert company_record(match.attacker.company).won == 1
    assert state(other) == ("scheduled", "", "")
    assert other.setup is None, "the match that was left out is unchanged"
    assert "played on paper" in "".join(ActivityLogEntry.objects.filter(match=match).values_list("text", flat=True))
    (row,) = [each.row for each in standings(round_.campaign) if each.row.name == "Axes"]
    assert (row.won, row.played) == (1, 1)
    assert match_status(match).word == "Axes won"
    (line,) = [line for line in gazette_content(round_).results if line.attacker.name == "Axes"]
    assert (line.attacker.has_won, line.destroyed) == (True, (1, 0))


def test_changed_units_are_shown_before_saving(client, round_, olga):
    match = on_paper(round_, "Axes", "Bears")
    sent = paper_form_data(client.get(page(round_)).content.decode())
    prefix, first = f"m{match.pk}-", units_of(match, 0)[0]
    sent |= {f"{prefix}r-winner": "attacker", f"{prefix}units-0": [first.pk]}
    answer = client.post(page(round_), sent)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert "You changed the units. Fill in their results, then enter the match again" in html
    assert state(match)[0] == "scheduled"
    assert f'name="{prefix}u{first.pk}-destroyed"' in html
    assert f'name="{prefix}u{units_of(match, 0)[1].pk}-destroyed"' not in html
    client.post(page(round_), paper_form_data(html))
    assert state(match)[:2] == ("confirmed", "attacker")
    assert [row["unit"] for row in match.forces[0].values()] == [first.pk]


def test_named_units_count_after_the_deadline(round_, olga):
    match = on_paper(round_, "Axes", "Bears")
    Round.objects.filter(pk=round_.pk).update(deadline=timezone.now())
    match.refresh_from_db()
    axe, bear = (units_of(match, side)[1] for side in (0, 1))
    units = {f"u{axe.pk}": {"kills": 1}, f"u{bear.pk}": {"destroyed": True}}
    report = {"muster": "report/1", "winner": "attacker", "units": units}
    match_rule(match=match, verdict="own", reason="I was there.", by=olga, content=report)
    match.refresh_from_db()
    assert [[row["unit"] for row in force.values()] for force in match.forces] == [[axe.pk], [bear.pk]]


def test_api_entry_and_ruling_accept_paper_games(client, round_, olga):
    match, ruled = on_paper(round_, "Axes", "Bears"), on_paper(round_, "Crows", "Dogs")
    client.logout()
    head = {"Authorization": f"Token {a_token(olga)}"}
    axe, bear = (units_of(match, side)[0] for side in (0, 1))
    units = {f"u{axe.pk}": {"kills": 1}, f"u{bear.pk}": {"destroyed": True}}
    entry = json.dumps(document("attacker", units))
    url = reverse("api-match-result-entry", args=[match.key])
    answer = client.post(url, entry, content_type="application/json", headers=head)
    assert (answer.status_code, answer.json().get("decided_by")) == (200, "organiser"), answer.json()
    match.refresh_from_db()
    assert [list(force) for force in match.forces] == [[f"u{axe.pk}"], [f"u{bear.pk}"]], "the named units played"
    url = reverse("api-match-ruling", args=[ruled.key])
    own = {"verdict": "own", "reason": "I was there.", "report": document("draw")}
    answer = client.post(url, json.dumps(own), content_type="application/json", headers=head)
    assert answer.status_code == 201, answer.json()
    assert state(ruled) == ("ruled", "draw", "ruling")


def test_ruling_page_offers_own_version_of_paper_game(client, round_, olga):
    match = on_paper(round_, "Axes", "Bears")
    url = reverse("campaigns:match_ruling", args=[match.key])
    html = client.get(url).content.decode()
    assert 'value="own"' in html
    client.post(url, {"verdict": "own", "reason": "I was there.", "r-winner": "defender"})
    assert state(match) == ("ruled", "defender", "ruling")


def test_units_of_another_match_are_refused(round_, olga):
    match, other = on_paper(round_, "Axes", "Bears"), on_paper(round_, "Crows", "Dogs")
    with pytest.raises(RefusedError):
        match_enter(match=match, content=document("draw", {f"u{units_of(other, 0)[0].pk}": {}}), by=olga)
    match.refresh_from_db()
    assert match.setup is None


def test_playing_organiser_enters_no_paper_game(olga):
    round_ = a_round(a_campaign(a_club(olga)))
    mine = an_enrolment(round_.campaign, a_mustered_company(olga, name="Own"))
    match = a_match(round_, mine, an_enrolment(round_.campaign, a_mustered_company(name="Bears")))
    assert can_enter_on_paper(match, a_player())
    assert not can_enter_on_paper(match, olga)
    consent_give(match=match, side=1, by=owner(match, 1))
    with pytest.raises(RefusedError, match="have not submitted a list"):
        match_rule(match=match, verdict="own", reason="We played.", by=olga, content=document("attacker"))


def test_fresh_units_are_picked_for_a_paper_game(client, olga):
    match = a_fresh_match(
        campaign=a_campaign(
            a_club(olga), scenarios=[{"value": "opening-shots", "name": "Opening Shots"}], options=FRESH_BUILD
        )
    )
    url = page(match.round)
    sent = unchanged_fields(client.get(url).content.decode())
    client.post(url, {**sent, f"m{match.pk}-r-winner": "attacker"})
    assert state(match) == ("confirmed", "attacker", "organiser")
