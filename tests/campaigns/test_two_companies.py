"""A player with two companies in one match acts for each of them."""

import re

import pytest
from django.urls import reverse

from campaigns import policy
from campaigns.army_lists.services import lists_reveal
from campaigns.models import Match
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.test_results import document

pytestmark = pytest.mark.django_db
BOTH = "Both companies in Round 1, Ants against Bees belong to kim, who acts for both"


@pytest.fixture
def kim():
    return a_player("kim")


@pytest.fixture
def match(kim):
    campaign = a_campaign()
    ants, bees = (an_enrolment(campaign, a_mustered_company(kim, name=name)) for name in ("Ants", "Bees"))
    return a_match(a_round(campaign), ants, bees)


@pytest.fixture
def signed_in(client, kim):
    client.force_login(kim)
    return client


def url(match, name):
    return reverse(f"campaigns:{name}", args=[match.key])


def units(match, side):
    company = (match.attacker, match.defender)[side].company
    return list(company.units.values_list("pk", flat=True))


def submitted_sides(match):
    return sorted(match.sealed.values_list("side", flat=True))


def test_both_lists_are_submitted_in_turn(signed_in, match):
    for side in (0, 1):
        html = signed_in.get(url(match, "match_forces")).content.decode()
        assert f"<h1>List of {('Ants', 'Bees')[side]}</h1>" in html
        sent = {"units": units(match, side), "doctrine": "cautious", "words": ""}
        assert signed_in.post(url(match, "match_forces"), sent).status_code == 302
        assert submitted_sides(match) == list(range(side + 1))
    match.refresh_from_db()
    assert match.setup is not None


def test_missing_list_is_the_primary_button(signed_in, match):
    def primary():
        html = signed_in.get(url(match, "match")).content.decode()
        return re.findall(r'<a class="button button--primary"[^>]*>([^<]*)</a>', html)

    assert primary() == ["Submit list for Ants", "Submit list for Bees"]
    signed_in.post(url(match, "match_forces"), {"units": units(match, 0), "doctrine": "cautious", "words": ""})
    assert primary() == ["Submit list for Bees"]


def test_form_chooses_the_side(signed_in, match):
    sent = {"units": units(match, 1), "doctrine": "cautious", "side": "defender"}
    signed_in.post(url(match, "match_forces"), sent)
    assert submitted_sides(match) == [1]
    assert "<h1>List of Bees</h1>" in signed_in.get(url(match, "match_forces") + "?side=defender").content.decode()
    assert "<h1>List of Ants</h1>" in signed_in.get(url(match, "match_forces")).content.decode()


@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_report_form_sends_its_side(signed_in, match, side):
    lists_reveal(match=match)
    html = signed_in.get(f"{url(match, 'match_report')}?side={side}").content.decode()
    assert f'<input type="hidden" name="side" value="{side}">' in html


def test_foreign_side_is_refused(client, match):
    other = a_match(match.round)
    client.force_login(other.attacker.company.owner)
    assert client.get(url(other, "match_forces") + "?side=defender").status_code == 403
    assert client.get(url(other, "match_forces") + "?side=nobody").status_code == 403
    assert client.get(url(other, "match_forces") + "?side=attacker").status_code == 200


def test_reports_for_both_sides_are_logged_as_such(signed_in, match):
    match = lists_reveal(match=match)
    for state in ("reported", "confirmed"):
        signed_in.post(url(match, "match_report"), {"r-winner": "attacker", "r-rounds": ""})
        match.refresh_from_db()
        assert match.state == state
    assert BOTH in [entry.text for entry in match.activity.all()]


def test_confirming_an_own_report_is_logged_as_such(signed_in, match):
    match = lists_reveal(match=match)
    signed_in.post(url(match, "match_report"), {"r-winner": "attacker", "r-rounds": "", "side": "defender"})
    assert match.reports.get().side == 1
    html = signed_in.get(url(match, "match")).content.decode()
    for text in ("Report as Ants", "Confirm as Ants", "Report again as Bees", "Withdraw report of Bees"):
        assert text in html
    assert "Confirm as Bees" not in html
    signed_in.post(url(match, "report_confirm"), {"report": match.reports.get().pk})
    match.refresh_from_db()
    assert (match.state, match.decided_by) == ("confirmed", "other-side")
    assert BOTH in [entry.text for entry in match.activity.all()]


def test_report_is_withdrawn_for_its_own_side(signed_in, match):
    match = lists_reveal(match=match)
    signed_in.post(url(match, "match_report"), {"r-winner": "attacker", "r-rounds": "", "side": "defender"})
    signed_in.post(url(match, "report_withdraw"))
    assert not match.reports.filter(is_current=True).exists()


def test_match_of_two_players_logs_no_double_role(client, match):
    match = lists_reveal(match=a_match(match.round))
    for side in (match.attacker, match.defender):
        client.force_login(side.company.owner)
        client.post(url(match, "match_report"), {"r-winner": "attacker", "r-rounds": ""})
    assert Match.objects.get(pk=match.pk).state == "confirmed"
    assert not [entry.text for entry in match.activity.all() if "who acts for both" in entry.text]


def test_api_takes_the_side_from_the_address(client, kim, match):
    token = {"headers": {"Authorization": f"Token {a_token(kim)}"}}

    def sent(name, body, side="", method="post"):
        path = reverse(name, args=[match.key]) + (f"?side={side}" if side else "")
        return getattr(client, method)(path, body, "application/json", **token)

    force = {"units": units(match, 1), "doctrine": "cautious"}
    assert sent("api-match-forces", force, "defender").status_code == 200
    assert sent("api-match-forces", {**force, "units": units(match, 0)}).json()["is_open"] is True
    assert sent("api-match-report", document("draw"), "defender").json()["reported"] == ["defender"]
    assert sent("api-match-report", document("draw"), "someone").status_code == 400
    theirs = client.get(reverse("api-match-confirm", args=[match.key]), **token).json()
    assert theirs["side"] == "defender"
    assert sent("api-match-confirm", {"report": theirs["id"]}).json()["state"] == "confirmed"


def test_both_submitted_lists_are_visible_to_their_player(kim, match):
    assert policy.sides_of(kim, match) == (0, 1)
    assert policy.can_see_list(kim, match, 0)
    assert policy.can_see_list(kim, match, 1)
    assert not policy.can_see_list(a_player(), match, 1)


def test_list_is_withdrawn_for_its_own_side(signed_in, match):
    signed_in.post(url(match, "match_forces"), {"units": units(match, 1), "doctrine": "cautious", "side": "defender"})
    assert (
        "Your list is withdrawn." in signed_in.post(url(match, "match_forces_withdraw"), follow=True).content.decode()
    )
    assert [each.fell for each in match.sealed.all()] == ["You took it back."]


def test_orders_are_submitted_for_the_side_without_a_list(signed_in, match):
    chosen = {"units": units(match, 0)[:1], "doctrine": "cautious", "side": "attacker"}
    signed_in.post(url(match, "match_forces"), chosen)
    html = signed_in.post(url(match, "match_forces_orders"), follow=True).content.decode()
    assert "Both sides have submitted, and the lists are revealed." in html
    match.refresh_from_db()
    assert [len(side["units"]) for side in match.setup["sides"]] == [1, len(units(match, 1))]


def test_match_page_shows_lists_and_links_to_withdrawal(signed_in, match):
    signed_in.post(url(match, "match_forces"), {"units": units(match, 1), "doctrine": "cautious", "side": "defender"})
    html = signed_in.get(url(match, "match")).content.decode()
    assert "Submit list for Ants" in html
    assert "Change list of Bees" in html


def test_api_replaces_voided_and_withdraws_valid_lists(client, kim, match):
    token = {"headers": {"Authorization": f"Token {a_token(kim)}"}}
    path = reverse("api-match-forces", args=[match.key])

    def stands():
        return [bool(seal["hash"]) for seal in client.get(path, **token).json()["seals"]]

    def submit(side):
        return client.post(path, {"units": units(match, side), "doctrine": "cautious"}, "application/json", **token)

    client.post(f"{path}?side=defender", {"orders": True}, "application/json", **token)
    client.delete(f"{path}?side=defender", **token)
    submit(0)
    assert stands() == [True, False]
    client.delete(path, **token)
    assert stands() == [False, False]
    assert client.delete(f"{path}?side=defender", **token).status_code == 422
    submit(0)
    assert submit(1).json()["is_open"] is True
