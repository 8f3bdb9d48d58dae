"""Byes can be undone and given again, in campaigns and seasons, but not by the player who has the bye."""

import pytest
from django.urls import reverse

from campaigns.corrections.forms import BYE
from campaigns.corrections.plan import VerdictWithoutBattle
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.models import ActivityLogEntry, Match, Outcome
from campaigns.planning.services import match_add, round_open, round_plan
from campaigns.results.rulings import match_rule
from campaigns.standings.selectors import standings
from rosters.services import RefusedError
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_mustered_company, an_enrolment
from tests.campaigns.corrections import COMPENSATE

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
AGAIN = BYE["bye"]


@pytest.fixture
def bye():
    """The Ants' bye among three companies; Omar organises and doesn't play."""
    omar = a_player("omar")
    campaign = a_campaign(a_club(omar))
    ants, bees, cats = (an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees", "Cats"))
    row = round_plan(campaign=campaign, by=omar, way="by-hand")
    match = match_add(round_=row, attacker=ants, defender=None, by=omar)
    match_add(round_=row, attacker=bees, defender=cats, by=omar)
    round_open(round_=row, by=omar)
    match.refresh_from_db()
    return match


def omar_of(match):
    return match.round.campaign.club.memberships.get(role="organiser", player__username="omar").player


def points(match):
    return {row.row.name: row.row.points for row in standings(match.round.campaign)}


def apply_correction(match, after, by):
    match = Match.objects.get(pk=match.pk)
    token = correction_preview(match=match, after=after, mode=COMPENSATE, by=None).token
    return correction_apply(match=match, after=after, mode=COMPENSATE, reason="So it is.", by=by, token=token)


def test_bye_is_undone_and_given_again(bye):
    assert points(bye)["Ants"] == 3
    apply_correction(bye, None, omar_of(bye))
    bye.refresh_from_db()
    assert (bye.state, points(bye)["Ants"]) == ("void", 0)
    apply_correction(bye, AGAIN, omar_of(bye))
    bye.refresh_from_db()
    assert (bye.state, points(bye)["Ants"]) == ("bye", 3)
    assert ActivityLogEntry.objects.filter(text__contains="corrected, undone").exists()


@pytest.mark.parametrize("outcome", [Outcome.ATTACKER, Outcome.DEFENDER, Outcome.DRAW])
def test_bye_is_not_corrected_to_a_result(bye, outcome):
    with pytest.raises(RefusedError, match="This is a bye"):
        correction_preview(
            match=bye, after=VerdictWithoutBattle(state="forfeited", outcome=outcome), mode=COMPENSATE, by=None
        )
    with pytest.raises(RefusedError, match="This match is already a bye"):
        correction_preview(match=bye, after=AGAIN, mode=COMPENSATE, by=None)


def test_match_does_not_become_a_bye(bye):
    match = bye.round.matches.exclude(pk=bye.pk).get()
    match_rule(match=match, verdict="void", reason="Rained off.", by=omar_of(bye))
    match.refresh_from_db()
    with pytest.raises(RefusedError, match="This match isn’t a bye"):
        correction_preview(match=match, after=AGAIN, mode=COMPENSATE, by=None)


def test_ruling_on_a_bye_points_to_correction(bye):
    with pytest.raises(RefusedError, match="This match is already decided: a bye. Ask an arbiter to correct it"):
        match_rule(match=bye, verdict="void", reason="It was none.", by=omar_of(bye))


def test_sole_organiser_can_only_give_up_own_bye(bye):
    ann = bye.attacker.company.owner
    bye.round.campaign.club.memberships.filter(player=ann).update(role="organiser")
    with pytest.raises(RefusedError, match="You play in this match, so you can't rule on it. omar can"):
        apply_correction(bye, None, ann)
    bye.round.campaign.club.memberships.filter(player=omar_of(bye)).delete()
    apply_correction(bye, None, ann)
    assert "their own match; no other organiser was free" in ActivityLogEntry.objects.order_by("-pk")[0].text
    with pytest.raises(RefusedError, match="Ants is yours, so another organiser or arbiter has to give it this bye"):
        apply_correction(bye, AGAIN, ann)


def test_pages_link_to_the_bye_correction(client, bye):
    client.force_login(omar_of(bye))
    correct = reverse("campaigns:match_correct", args=[bye.key])
    assert correct in client.get(reverse("campaigns:match", args=[bye.key])).content.decode()
    page = client.get(correct).content.decode()
    assert "Void: the match is erased" in page
    assert "wins by forfeit" not in page
    previewed = client.get(correct, {"do": "undo"})
    token = previewed.context["columns"][0].preview.token
    sent = {"mode": "compensate", "reason": "Drawn by mistake.", "token-compensate": token}
    assert client.post(f"{correct}?do=undo", sent).status_code == 302
    bye.refresh_from_db()
    assert bye.state == "void"
    assert "A bye for Ants" in client.get(correct).content.decode()
    assert client.get(reverse("campaigns:match", args=[bye.key])).status_code == 200


def test_api_previews_and_makes_a_bye_correction(client, bye):
    headers = {"Authorization": f"Token {a_token(omar_of(bye))}"}

    def sent(name, **body):
        return client.post(reverse(name, args=[bye.key]), body, "application/json", headers=headers)

    for to in ("undo", "bye"):
        preview = sent("api-correction-preview", to=to, mode="compensate").json()
        assert not preview["refusal"]
        made = sent("api-corrections", to=to, mode="compensate", reason="So it is.", token=preview["token"])
        assert made.status_code == 201
    bye.refresh_from_db()
    assert bye.state == "bye"
