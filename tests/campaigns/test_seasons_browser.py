"""A season over three games with six players and a cup, in a browser.

The organiser uses a screen, the players phones; the table is recalculated independently.
"""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from campaigns.models import SeasonPairing
from tests.campaigns.season_builders import GAMES, an_unstarted_season, decide_matches
from tests.campaigns.test_seasons import recalculated_table

pytestmark = [pytest.mark.browser, pytest.mark.proof, pytest.mark.django_db(transaction=True)]


def sign_in_as(page: Page, player):
    client = Client()  # a separate client, as signing in as another player ends the first session
    client.force_login(player)
    page.goto("/")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": page.url}])


def check_width(page: Page):
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def agree(phone: Page, row):
    """Let both players of each undecided pairing agree on their phones, on a different game each time."""
    waiting = row.pairings.filter(state="agreeing").select_related("one__player", "two__player")
    for at, pairing in enumerate(waiting):
        sign_in_as(phone, pairing.one.player)
        phone.goto(reverse("campaigns:season", args=[row.season_id]))
        check_width(phone)
        offers = phone.get_by_role("button", name="Propose")
        offers.nth(at % offers.count()).click()
        expect(phone.get_by_text("Proposed. Wait for your opponent’s answer.")).to_be_visible()
        check_width(phone)
        sign_in_as(phone, pairing.two.player)
        phone.goto(reverse("campaigns:season_pairing", args=[pairing.key]))
        phone.get_by_role("button", name="Accept").click()
        expect(phone.get_by_text("Here is your match")).to_be_visible()
        expect(phone.get_by_role("link", name="Go to match")).to_be_visible()


def a_round_on_the_page(page: Page, phone: Page, ledger, way, number):
    page.goto(reverse("campaigns:season_run", args=[ledger.season.pk]))
    page.get_by_label("Pairing").select_option(way)
    page.get_by_role("button", name="Plan round").click()
    expect(page.get_by_text(f"Round {number} is planned.")).to_be_visible()
    page.get_by_role("button", name="Publish round").click()
    expect(page.get_by_text(f"Round {number} is open.")).to_be_visible()
    row = ledger.season.rounds.get(number=number)
    agree(phone, row)
    return row


def test_season_in_a_browser(page: Page, phone: Page):
    ledger = an_unstarted_season(cup_size=4)
    sign_in_as(page, ledger.organiser)
    page.goto(reverse("campaigns:club", args=[ledger.season.club.slug]))
    page.get_by_role("link", name="Long Year").click()
    page.get_by_role("link", name="Manage").click()
    page.get_by_role("button", name="Start season").click()
    expect(page.get_by_text("Long Year has begun.")).to_be_visible()
    order = ["ann", "ben", "cy", "dora", "emil", "finn"]
    for number in (1, 2, 3):
        row = a_round_on_the_page(page, phone, ledger, "swiss", number)
        decide_matches(ledger, row, *order[:number])
    page.goto(reverse("campaigns:season", args=[ledger.season.pk]))
    lines = page.locator("table", has=page.locator("caption", has_text="Table")).first.locator("tbody tr")
    standings = [
        (line.locator("th").inner_text().split()[0].lower(), int(line.locator("td b").inner_text()))
        for line in lines.all()
    ]
    assert standings == recalculated_table(ledger.results)
    systems = {each.match.round.campaign.system for each in SeasonPairing.objects.exclude(match=None)}
    assert systems <= set(GAMES)
    assert len(systems) >= 2
    best = [name for name, _ in standings[:4]]
    for number in (4, 5):
        row = a_round_on_the_page(page, phone, ledger, "cup", number)
        decide_matches(ledger, row, best[3], best[2])
    page.goto(reverse("campaigns:season", args=[ledger.season.pk]))
    expect(page.get_by_text(f"{best[3]} won the cup")).to_be_visible()
    page.goto(reverse("campaigns:season_run", args=[ledger.season.pk]))
    page.get_by_text("Finish season…").click()
    page.get_by_role("button", name="Finish season").click()
    expect(page.get_by_text("Long Year is finished.").first).to_be_visible()
