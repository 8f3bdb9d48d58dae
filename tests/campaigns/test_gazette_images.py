"""Pictures in a gazette: a moment of the round's battle, and the unit of its best pilot."""

import re

import pytest
from django.urls import reverse

from battles.selectors.records import replayed
from campaigns.gazette.content import gazette_content
from campaigns.models import Gazette
from tests.campaigns.builders import a_campaign, a_match, a_round
from tests.campaigns.gazettes import a_closed_round, close_round, confirm_result, enrol_companies

pytestmark = pytest.mark.django_db


def gazette_of(row):
    return gazette_content(row)


def front_page(client, row):
    return client.get(reverse("campaigns:gazette", args=[row.campaign_id, row.number])).content.decode()


def test_moment_links_to_the_last_kill(client):
    row = a_round(a_campaign(absent_rule="orders"))
    match = a_match(row)
    close_round(row)
    match.refresh_from_db()
    moment = gazette_of(row).moment
    board = replayed(match.battle).board
    marks = board.page(1, 0).moments
    kills = [each for each in marks if each.mark == "kill"] or list(marks)
    assert (moment.battle, moment.match, moment.step, moment.says) == (
        match.battle.key,
        match.key,
        kills[-1].step,
        kills[-1].says,
    )
    body = front_page(client, row)
    picture = re.search(r'<img\s+src="([^"]+moment\.svg\?step=\d+)"', body)
    assert picture
    answer = client.get(picture[1])
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml"
    assert f"{reverse('battles:battle', args=[match.battle.key])}?step={moment.step}" in body


def test_reported_battles_have_no_moment(client):
    row = a_closed_round()
    assert gazette_of(row).moment is None
    assert "gazette__moment" not in front_page(client, row)


def test_best_pilot_appears_with_the_unit(client):
    row = a_round(a_campaign())

    def lines(match):
        lost = {key: {"destroyed": True, "hits_lost": 2} for key in list(match.forces[1])[:2]}
        return lost | {next(iter(match.forces[0])): {"kills": len(lost)}}

    match = confirm_result(a_match(row, *enrol_companies(row.campaign, "Axes", "Bears")), "attacker", lines)
    close_round(row)
    ace = gazette_of(row).ace
    flown = match.attacker.company.units.order_by("pk").first()
    assert (ace.kills, ace.unit, ace.spec) == (2, flown.name, flown.spec)
    body = front_page(client, row)
    box = body[body.index('class="gazette__ace"') :].partition("</section>")[0]
    assert ace.pilot in box
    assert "body--large" in box
    assert ace.unit in box


def test_edition_without_pictures_is_still_readable(client):
    row = a_closed_round()
    gazette = Gazette.objects.get(round=row)
    gazette.content.pop("moment")
    gazette.save()
    assert "Axes" in front_page(client, row)
