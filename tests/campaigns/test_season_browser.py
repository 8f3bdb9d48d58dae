"""A whole season in a browser, with an organiser and four players: from founding the club to the gazette.

The secrets of the dice are fixed, so every roll is known and everything that follows can be calculated by hand; a
worker process closes the rounds, simulates the absent players' match and prints the gazette.
"""

import re
import tempfile
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from battles.services import dice as dice_services
from campaigns.models import Match, Round
from campaigns.tasks import deadlines
from rosters.ledger.records import company_record
from rosters.models import Player
from tests.campaigns.browser_seasons import SEASONS
from tests.campaigns.builders import a_mustered_company
from tests.campaigns.corrections import check_consistency
from tests.conftest import is_script_error
from tests.rosters.paper import pdf

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "four-horses-and-a-cart"


@pytest.fixture
def known_dice(season, monkeypatch):
    """Seal the dice of the season's matches with its secrets."""
    left = iter(f"{number:064x}" for number in season.secrets)
    monkeypatch.setattr(dice_services, "secrets", SimpleNamespace(token_hex=lambda size: next(left)))


@pytest.fixture
def people(chromium, live_server):
    """Open a browser for each person; a script error in any of them fails the test."""
    contexts, errors = [], []

    def person(width=1280):
        context = chromium.new_context(
            base_url=live_server.url, viewport={"width": width, "height": 860}, is_mobile=width < 500
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if is_script_error(message) else None)
        return page

    yield person
    for context in contexts:
        context.close()
    assert not errors, f"script errors on the pages: {errors}"


# --- acts on pages ----------------------------------------------------------------------------------------------------


def expect_message(page, text):
    """Check the message at the top of the page."""
    expect(page.locator(".messages")).to_contain_text(text)


def sign_up(page, name):
    """Fill in the sign-up form that the page shows."""
    page.fill("[name=username]", name)
    page.fill("[name=email]", f"{name}@example.org")
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()


def tab(page, name):
    """Go to another page of the campaign."""
    page.get_by_role("navigation", name="Campaign").get_by_role("link", name=name).click()


def to_match(page, campaign, name):
    """Go from the campaign to one of its matches."""
    page.goto(campaign)
    attacker, defender = name.split(" against ")
    row = page.get_by_role("row").filter(has_text=attacker).filter(has_text=defender)
    row.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def submit(page, words):
    page.get_by_role("link", name="Submit list").click()
    page.get_by_label("Contribution to the dice seed").fill(words)
    page.get_by_role("button", name="Submit list").click()


def pdf_text(content):
    """Return the words of a PDF."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(content)
        file.flush()
        return pdf.text(Path(file.name))


def fill_in(page, winner, **units):
    """Fill in the grid; `units` give company and unit, and its values that aren't zero, ticked or typed."""
    for name, cells in units.items():
        company, _, number = name.rpartition("_")
        grid = page.get_by_role("region", name=re.compile(company))
        row = grid.locator("tr[data-hits]").nth(int(number) - 1)
        for field, value in cells.items():
            cell = row.locator(f'[name$="-{field}"]')
            if isinstance(value, bool):
                cell.set_checked(value)
            elif cell.input_value() != str(value):
                cell.fill(str(value))
    page.get_by_role("radio", name=winner, exact=True).check()


def report(page, winner, **units):
    page.get_by_role("link", name=re.compile("^Report result$")).click()
    if page.get_by_role("button", name="Reveal lists").count():
        page.get_by_role("button", name="Reveal lists").click()
    fill_in(page, winner, **units)
    page.get_by_role("button", name="Report result", exact=True).click()


def table(page, campaign):
    """Return the standings on the page: place, company, points, won-drawn-lost, units destroyed and lost."""
    page.goto(campaign)
    tab(page, "Standings")
    rows = page.locator("main table tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))"
    )
    return [(row[0], row[1].split()[0], row[2], row[4], row[5]) for row in rows]


def pilots(name):
    """Return the pilots of a player's company by name."""
    company = Player.objects.get(username=name).companies.get(enrolments__state="accepted")
    return {
        pilot.name: {
            "status": pilot.status,
            "level": pilot.experience,
            "kills": pilot.kills,
            "games": pilot.games,
            "points": pilot.points,  # experience points
            "skills": len(pilot.skills),
            "pending": len(pilot.pending),  # skills to choose
        }
        for pilot in company_record(company).pilots.values()
    }


@pytest.mark.slow
@pytest.mark.parametrize("season", SEASONS[:1], ids=lambda season: season.system)
def test_first_round_of_a_season(season, people, known_dice, start_worker):
    start_worker()
    until_its_first_round_is_over(season, people)


@pytest.mark.proof
@pytest.mark.parametrize("season", SEASONS, ids=lambda season: season.system)
def test_whole_season_with_a_correction(season, people, known_dice, start_worker):
    start_worker()
    olga, campaign, players = until_its_first_round_is_over(season, people)
    second_round(olga, campaign, season, **players)
    assert table(olga, campaign) == season.table
    assert {name: pilots(name) for name in players} == season.pilots

    correct(olga, campaign, season)
    assert table(olga, campaign) == season.table_corrected
    assert {name: pilots(name) for name in players} == season.pilots | season.pilots_corrected
    check_consistency()
    read_the_gazette(olga, campaign, season)


def until_its_first_round_is_over(season, people):
    olga = people()
    link = found_a_club(olga)
    campaign = draw_up(olga, season)
    players = {name: people(360 if name == "ben" else 1280) for name in ("ann", "ben", "cay", "dan")}
    for name, page in players.items():
        join(page, name, link)
    muster(olga, campaign, season, **players)
    first_round(olga, campaign, season, **players)
    return olga, campaign, players


def found_a_club(olga):
    """Sign the organiser up, found a club and make a link for its players."""
    olga.goto("/clubs/")
    olga.get_by_role("link", name="New club").first.click()
    olga.get_by_role("main").get_by_role("link", name="Sign up").click()
    sign_up(olga, "olga")
    olga.fill("[name=name]", "Iron Table")
    olga.get_by_role("button", name="Create club").click()
    olga.get_by_role("button", name="Create invitation").click()
    return olga.get_by_label(re.compile("Invitation link")).input_value()


def draw_up(olga, season):
    """Create the campaign: points and scenario, companies that keep their units, absent players under orders."""
    olga.get_by_role("link", name="Iron Table").first.click()
    olga.get_by_role("link", name="New campaign").first.click()
    olga.get_by_role("link", name=season.system_name).click()
    own = olga.locator("details.starts__own")
    own.locator("summary").first.click()
    own.locator("[name=name]").fill("Spring War")
    own.locator("[name=points]").fill(str(season.points))
    own.get_by_label(season.scenario).check()
    own.locator("[name=absent_rule]").select_option("orders")
    if not own.locator("details.house-rules[open]").count():  # open if a rule has no default
        own.locator("details.house-rules > summary").click()
    for rule, value in season.house_rules.items():
        own.locator(f"[name=rule-{rule}]").select_option(value)
    own.get_by_role("button", name="Create campaign", exact=True).click()
    expect_message(olga, "Spring War is saved as a draft")
    olga.get_by_role("link", name="Open sign-ups").click()
    olga.get_by_role("button", name="Open sign-ups").click()
    expect_message(olga, "Spring War is open for sign-up now")
    return olga.url


def join(page, name, link):
    """Follow the link, sign up on the way and join."""
    page.goto(link)
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    sign_up(page, name)
    page.get_by_role("button", name="Join as player").click()
    expect_message(page, "Iron Table")


def muster(olga, campaign, season, ann, ben, cay, dan):
    """Enrol the companies: an illegal one is declined, one is excused."""
    owners = {name: Player.objects.get(username=name) for name in ("ann", "ben", "cay", "dan")}
    of = {"Ants": "ann", "Bees": "ben", "Cats": "cay", "Dinosaurs": "dan", "Dogs": "dan"}
    for name, designs in season.companies.items():
        a_mustered_company(owners[of[name]], *designs, name=name, system=season.system, spends_all=True)
    enrol(ann, "Ants", "aggressive")
    enrol(ben, "Bees", "aggressive")
    enrol(cay, "Cats", "cautious")
    enrol(dan, "Dinosaurs", "aggressive")
    decide(olga, campaign, "Ants", "Accept Ants")
    decide(olga, campaign, "Bees", "Accept Bees")

    decide(olga, campaign, "Dinosaurs")
    worth = f"The company is worth {season.too_much} points, but Spring War allows only {season.points}."
    expect(olga.get_by_text(worth)).to_be_visible()
    expect(olga.get_by_role("button", name="Accept Dinosaurs")).to_have_count(0)
    olga.get_by_text("Decline or grant an exception").click()
    olga.get_by_label("Reason").fill("Too many points; bring something lighter.")
    olga.get_by_role("button", name="Decline", exact=True).click()
    expect_message(olga, "Dinosaurs is declined")
    dan.reload()
    dan.get_by_role("link", name="Dinosaurs").click()
    expect(dan.get_by_text("Too many points")).to_be_visible()
    dan.get_by_role("navigation", name="Campaign").get_by_role("link", name="Overview").click()
    enrol(dan, "Dogs", "aggressive")
    decide(olga, campaign, "Dogs", "Accept Dogs")

    decide(olga, campaign, "Cats")
    olga.get_by_text("Decline or grant an exception").click()
    olga.get_by_label("Reason").fill("A little over, and Cay is new to this.")
    olga.get_by_role("button", name="Grant exception").click()
    expect_message(olga, "Cats has an exception")
    olga.get_by_role("button", name="Accept Cats").click()
    expect_message(olga, "Cats is accepted")

    olga.goto(campaign)
    olga.get_by_role("link", name="Start campaign").click()
    olga.get_by_label("Plan round 1 now (only organisers see it until you publish it").uncheck()
    olga.get_by_role("button", name="Start campaign").click()
    expect_message(olga, "Spring War has started")
    tab(olga, "News")
    expect(olga.get_by_text("Exception for Cats")).to_be_visible()


def enrol(page, company, doctrine):
    """Ask on the campaign's page to enrol a company."""
    if not re.search("/campaigns/[0-9]+/$", page.url):
        page.get_by_role("link", name="Spring War").first.click()
    tab(page, "Companies")
    page.select_option("[name=company]", label=company)
    page.select_option("[name=doctrine]", doctrine)
    page.get_by_role("button", name="Ask to join").click()
    expect_message(page, f"{company} has asked to join")


def decide(olga, campaign, company, button=""):
    olga.goto(campaign)
    tab(olga, "Companies")
    row = olga.get_by_role("row").filter(has_text=company)
    if not button:
        row.get_by_role("link", name=company, exact=True).click()
    else:
        row.get_by_role("button", name=button).click()
        expect_message(olga, f"{company} is accepted")


def open_round(olga, campaign, number, *by_hand):
    """Plan a round, Swiss unless these pairs are made by hand, and open it."""
    olga.goto(campaign)
    olga.select_option("[name=way]", "by-hand" if by_hand else "swiss")
    olga.get_by_role("button", name=f"Plan round {number}").click()
    expect_message(olga, f"Round {number} is planned")
    for attacker, defender in by_hand:
        olga.select_option("[name=add-attacker]", label=attacker)
        olga.select_option("[name=add-defender]", label=defender)
        olga.get_by_role("button", name="Add match").click()
        expect_message(olga, "Match added")
    olga.get_by_role("button", name=f"Publish round {number}").click()
    expect_message(olga, f"Round {number} is published")


def first_round(olga, campaign, season, ann, ben, cay, dan):
    """Play round one: Ants and Bees agree, Cats and Dogs don't; the organiser rules, and closes the round early."""
    open_round(olga, campaign, 1, ("Ants", "Bees"), ("Cats", "Dogs"))

    to_match(ann, campaign, "Ants against Bees")
    submit(ann, "oats for four horses")
    to_match(ben, campaign, "Ants against Bees")
    expect(ben.locator("code.hash")).to_have_text(Match.objects.get(number=1).sealed.get().hash)
    expect(ben.locator("main")).not_to_contain_text(season.hidden)
    submit(ben, "hold the bridge")
    expect_message(ben, "Both sides have submitted, and the lists are revealed")
    ann.reload()
    report(ann, "Ants", **season.agreed)
    report(ben, "Ants", **season.agreed)
    expect(ben.locator(".standing")).to_contain_text("Ants won")
    expect(ben.locator(".standing")).to_contain_text("Both reports agree")

    for player in (cay, dan):
        to_match(player, campaign, "Cats against Dogs")
        submit(player, "")
    to_match(cay, campaign, "Cats against Dogs")
    report(cay, "Cats", **season.of_cats)
    report(dan, "Dogs", **season.of_dogs)
    expect(dan.locator("main")).to_contain_text("In dispute since")
    to_match(olga, campaign, "Cats against Dogs")
    olga.get_by_role("link", name="Reports").click()
    assert [
        " ".join(text.split()[2:]) for text in olga.locator(".compare .is-different").all_inner_texts()
    ] == season.differences
    olga.get_by_role("link", name="Make ruling", exact=True).click()
    olga.get_by_label("The report of Cats").check()
    olga.get_by_label("Reason").fill("The photograph shows the wreck of the second Dog.")
    olga.get_by_role("button", name="Make ruling", exact=True).click()
    expect_message(olga, "Ruled")
    cay.reload()
    expect(cay.locator(".standing")).to_contain_text("Cats won")

    olga.goto(campaign)
    olga.get_by_role("link", name="Round 1", exact=True).click()
    olga.get_by_text("Close early…").click()
    expect(olga.get_by_text("Every match is decided")).to_be_visible()
    olga.get_by_role("button", name="Close round 1 now").click()
    until_closed(olga)


def until_closed(olga):
    """Wait until the round is closed and its page has reloaded."""
    expect(olga.locator("#closing[hx-get]")).to_have_count(0, timeout=40_000)
    expect(olga.get_by_text("closed", exact=True).first).to_be_visible()


def second_round(olga, campaign, season, ann, ben, cay, dan):
    """Play round two.

    The winners meet, but Cay is absent and forfeits by ruling; Ben and Dan leave theirs to orders.
    """
    open_round(olga, campaign, 2)
    name = "Ants against Cats"
    to_match(ann, campaign, name)
    submit(ann, "")
    to_match(olga, campaign, name)
    olga.get_by_role("link", name="Make ruling").click()
    olga.get_by_label("Cats forfeits").check()
    olga.get_by_label("Reason").fill("Cay did not come and said nothing.")
    olga.get_by_role("button", name="Make ruling", exact=True).click()
    ann.reload()
    expect(ann.locator(".standing")).to_contain_text("Ants wins by forfeit")

    to_match(ben, campaign, "Bees against Dogs")
    expect(ben.get_by_role("heading", name="Odds")).to_be_visible()
    Round.objects.filter(number=2).update(deadline=timezone.now() - timedelta(minutes=1))
    deadlines()
    olga.goto(campaign)
    olga.get_by_role("link", name="Round 2", exact=True).click()
    until_closed(olga)
    ben.reload()
    expect(ben.locator(".standing")).to_contain_text("Simulated with both sides' autoplay orders")


def correct(olga, campaign, season):
    """Correct by cascade: a Bee destroyed an Ant. The organiser reads the effects first."""
    to_match(olga, f"{campaign}rounds/1/", "Ants against Bees")
    olga.get_by_role("link", name="Correct match").click()
    fill_in(olga, "Bees", **season.right)
    olga.get_by_role("button", name="Preview").first.click()
    preview = olga.locator("main")
    expect(preview).to_contain_text(
        "Attacker won (confirmed) becomes defender won (ruled). This is a preview; nothing has changed yet."
    )
    standings = olga.get_by_role("region", name="Standings").locator("tbody tr").all_inner_texts()
    assert [" ".join(row.split()) for row in standings] == season.changes
    expect(preview).to_contain_text(f"Round 2, Bees against Dogs: {season.later}")
    olga.get_by_role("radio", name="Cascade").check()
    olga.get_by_label("Reason").fill("Ann and Ben have looked at the photographs again.")
    olga.get_by_role("button", name="Correct match").click()
    expect_message(olga, "is corrected. The ledgers show what changed and why.")


def read_the_gazette(olga, campaign, season):
    """Check the first round's corrected gazette and its new edition, and open the second's PDF."""
    olga.goto(campaign)
    tab(olga, "News")
    olga.get_by_role("listitem").filter(has_text="Round 1").get_by_role("link").click()
    expect(olga.get_by_text("Results have changed")).to_be_visible()
    olga.get_by_role("button", name="New edition").click()
    expect_message(olga, "Edition 2 is ready")
    expect(olga.get_by_role("region", name="Results")).to_contain_text("Bees won")
    olga.get_by_role("link", name="PDF, A4").click()
    drawn = olga.get_by_role("link", name="Open the PDF")
    if olga.locator("#job").count():  # a worker is still drawing it
        drawn.click(timeout=40_000)
    answer = olga.request.get(olga.url)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    text = pdf_text(answer.body())
    for words in ("SPRING WAR GAZETTE", "ROUND 1", "2ND EDITION", season.headline):
        assert words in text
