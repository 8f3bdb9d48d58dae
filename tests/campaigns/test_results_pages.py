"""Pages of matches and results by role: 404 for readers who may not see them, 403 for acts that aren't allowed."""

from hashlib import sha256

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from battles.tasks import forecast_run
from campaigns.arbiters import consent_give
from campaigns.army_lists.services import list_submit, lists_reveal
from campaigns.models import Match, Round, Ruling
from campaigns.results.rulings import match_rule
from campaigns.results.selectors import support_names
from campaigns.results.services import match_refuse, report_make
from tests.builders import a_player
from tests.campaigns.builders import (
    a_campaign,
    a_club,
    a_match,
    a_member,
    a_mustered_company,
    a_round,
    an_enrolment,
)
from tests.campaigns.supported_matches import a_supported_match
from tests.campaigns.test_results import a_kill, document, key, owner

pytestmark = pytest.mark.django_db

ROLES = ("anonymous", "stranger", "member", "side", "opponent", "arbiter", "organiser")


@pytest.fixture(scope="module")
def revealed(rows_of_all):
    """A match with revealed lists, in a club of its own; written once."""
    return lists_reveal(match=a_match(a_round(a_campaign(a_club(name="Revealed")))))


@pytest.fixture(scope="module")
def reported(rows_of_all):
    """The same, with the attacker's report."""
    match = lists_reveal(match=a_match(a_round(a_campaign(a_club(name="Reported")))))
    return report_by_owner(match, 0, a_kill(match))


@pytest.fixture(scope="module")
def private(rows_of_all):
    return lists_reveal(match=a_match(a_round(a_campaign(a_club(name="Private"), is_public=False))))


@pytest.fixture(scope="module")
def planned(rows_of_all):
    return a_match(a_round(a_campaign(a_club(name="Planned")), state="planned"))


@pytest.fixture
def match(revealed, db):
    return fresh(revealed)


def fresh(match):
    """Return a match from the database: tests change the rows that they look at, not the object of all."""
    return Match.objects.get(pk=match.pk)


def reader(match, role):
    club = match.round.campaign.club
    match role:
        case "stranger":
            return a_player()
        case "member":
            return a_member(club)
        case "side" | "opponent":
            return owner(match, role == "opponent")
        case "arbiter":
            return a_member(club, "arbiter")
        case "organiser":
            return club.memberships.get(role="organiser").player
    return None


def signed_in(client, match, role):
    player = reader(match, role)
    if player:
        client.force_login(player)
    return client


def url(match, name="match"):
    return reverse(f"campaigns:{name}", args=[match.key])


def text_of(response, status=200):
    assert response.status_code == status, (response.status_code, response.content.decode()[:2000])
    return response.content.decode()


def grid(match, winner="attacker", **cells):
    """Return the posted form of an uneventful match with these `cells`, (unit key, field) -> value."""
    data = {"r-winner": winner, "r-rounds": ""}
    return data | {f"{unit}-{field}": value for (unit, field), value in cells.get("cells", {}).items()}


def report_by_owner(match, side, content):
    return report_make(match=match, side=side, content=content, by=owner(match, side))


# --- access -----------------------------------------------------------------------------------------------------------

LOGIN = 302
# name: statuses in the order of ROLES; GET unless "post"
PUBLIC = {
    "match": (200, 200, 200, 200, 200, 200, 200),
    "match_report": (LOGIN, 403, 403, 200, 200, 200, 200),
    "report_withdraw post": (LOGIN, 403, 403, 302, 302, 403, 403),
    "report_confirm": (LOGIN, 403, 403, 302, 302, 403, 403),
    "report_compare": (LOGIN, 403, 403, 302, 403, 302, 302),
    "match_ruling": (LOGIN, 403, 403, 403, 403, 200, 200),
    "match_refuse": (LOGIN, 403, 403, 302, 302, 403, 403),
}


@pytest.mark.parametrize("route", PUBLIC)
@pytest.mark.parametrize("role", ROLES)
def test_pages_answer_each_role_by_its_rights(client, reported, route, role):
    match = fresh(reported)
    name, _, method = route.partition(" ")
    answer = getattr(signed_in(client, match, role), method or "get")(url(match, name))
    wanted = PUBLIC[route][ROLES.index(role)]
    assert answer.status_code == wanted
    if role == "anonymous" and wanted == LOGIN:
        assert answer.url.startswith(reverse("account_login"))


@pytest.mark.parametrize("route", PUBLIC)
@pytest.mark.parametrize("role", ["anonymous", "stranger"])
def test_private_match_is_hidden_from_strangers(client, private, route, role):
    match = fresh(private)
    name, _, method = route.partition(" ")
    assert getattr(signed_in(client, match, role), method or "get")(url(match, name)).status_code == 404


@pytest.mark.parametrize("role", ROLES)
def test_planned_match_is_visible_to_organisers_only(client, planned, role):
    match = fresh(planned)
    assert signed_in(client, match, role).get(url(match)).status_code == (200 if role == "organiser" else 404)


@pytest.mark.parametrize("role", ROLES)
def test_rulings_are_public_and_past_results_for_organisers(client, match, role):
    signed_in(client, match, role)
    pk = [match.round.campaign_id]
    assert client.get(reverse("campaigns:gazettes", args=pk)).status_code == 200
    wanted = {"anonymous": 302, "organiser": 200}.get(role, 403)
    assert client.get(reverse("campaigns:past_results", args=pk)).status_code == wanted


# --- match page -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "outcome", "look", "word"),
    [
        ("scheduled", "", "unknown", "No result yet"),
        ("disputed", "", "disputed", "In dispute"),
        ("confirmed", "draw", "draw", "Draw"),
        ("confirmed", "attacker", "won", "won"),
        ("forfeited", "defender", "forfeit", "wins by forfeit"),
        ("forfeited", "draw", "draw", "Draw, not played"),
        ("refused", "none", "refused", "Refused"),
        ("void", "none", "void", "Void"),
    ],
)
def test_every_match_state_has_its_word_and_look(client, match, state, outcome, look, word):
    Match.objects.filter(pk=match.pk).update(state=state, outcome=outcome)
    page = text_of(client.get(url(match)))
    assert f"standing--{look}" in page
    assert word in page


def test_bye_has_a_match_page(client):
    match = a_match()
    Match.objects.filter(pk=match.pk).update(defender=None, state="bye")
    assert "standing--bye" in text_of(client.get(url(match)))


def test_match_page_hides_lists_before_the_reveal(client):
    match = a_match()
    page = text_of(client.get(url(match)))
    assert "no list yet" in page
    assert 'id="forces"' not in page


@pytest.mark.parametrize(("role", "sees"), [("anonymous", False), ("side", False), ("arbiter", True)])
def test_flag_of_a_match_is_shown_to_its_judges(client, match, role, sees):
    Match.objects.filter(pk=match.pk).update(flag="The report couldn't be used.")
    page = text_of(signed_in(client, match, role).get(url(match)))
    assert (escape("The report couldn't be used.") in page) is sees


def test_decided_match_links_to_its_battle(client, match):
    report_by_owner(match, 0, a_kill(match))
    match = report_by_owner(match, 1, a_kill(match))
    page = text_of(client.get(url(match)))
    assert reverse("battles:battle", args=[match.battle.key]) in page
    assert "both reports agree" in page.lower()


# --- report page ------------------------------------------------------------------------------------------------------


def test_grid_saves_a_report(client, match):
    killer, victim = key(match, 0), key(match, 1)
    client.force_login(owner(match, 0))
    page = text_of(client.get(url(match, "match_report")))
    assert page.count("data-hits=") == 4
    cells = {(killer, "kills"): "1", (victim, "hits_lost"): "2", (victim, "destroyed"): "on"}
    assert client.post(url(match, "match_report"), grid(match, cells=cells)).status_code == 302
    content = match.reports.get().content
    assert content["units"][killer]["kills"] == 1
    assert content["units"][victim]["destroyed"]
    again = text_of(client.get(url(match, "match_report")))
    assert f'name="{killer}-kills" value="1"' in again


def test_fill_row_appears_only_for_several_units(client):
    campaign = a_campaign()
    alone = an_enrolment(campaign, a_mustered_company(None, "wasp"))
    match = lists_reveal(match=a_match(a_round(campaign), alone))
    assert [len(force) for force in match.forces] == [1, 2]
    client.force_login(owner(match, 0))
    first, second = text_of(client.get(url(match, "match_report"))).split("data-side")[1:]
    assert ("data-fill" in first, "data-fill" in second) == (False, True)


def test_other_report_is_hidden_until_an_own_report(client, match):
    report_by_owner(match, 0, a_kill(match, winner="draw") | {"rounds": 707})
    client.force_login(owner(match, 1))
    page = text_of(client.get(url(match)))
    assert ">707<" not in page
    assert "Reports" not in page
    fold = text_of(client.get(url(match, "match_report"))).partition('<details class="fold">')
    assert ">707<" in fold[2].partition("</details>")[0]
    assert "Reports" not in fold[0]
    report_by_owner(match, 1, document("draw"))
    page = text_of(client.get(url(match, "match_report")))
    assert "Both reports, field by field" in page
    assert ">707<" in page


@pytest.mark.parametrize(
    ("cells", "winner", "reason"),
    [
        ({"kills": "1"}, "attacker", "but the other side lost only 0"),
        ({"hits_lost": "9"}, "attacker", "has only 2 Hits to lose"),
        ({"hits_lost": "2"}, "attacker", "so it is destroyed"),
        ({"kills": "many"}, "attacker", "must be a whole number"),
        ({}, "", "This field is required"),
    ],
)
def test_refused_report_keeps_the_input_and_gives_a_reason(client, match, cells, winner, reason):
    client.force_login(owner(match, 0))
    unit = key(match, 0)
    answer = client.post(
        url(match, "match_report"), grid(match, winner, cells={(unit, name): value for name, value in cells.items()})
    )
    page = text_of(answer, 422)
    assert reason in page
    for name, value in cells.items():
        assert f'name="{unit}-{name}" value="{value}"' in page
    assert not match.reports.exists()


def test_report_page_asks_about_playing_before_the_reveal(client):
    match = a_match(a_round(a_campaign(), deadline=timezone.now()))
    client.force_login(owner(match, 0))
    assert "Was the match played?" in text_of(client.get(url(match, "match_report")))
    list_submit(match=match, side=0, by=owner(match, 0), units=units_of(match, 0), doctrine="cautious")
    client.post(url(match, "match_report"), {"do": "open"})
    match.refresh_from_db()
    assert match.setup is not None
    assert "data-grid" in text_of(client.get(url(match, "match_report")))


def test_differing_reports_are_shown_side_by_side(client, match):
    report_by_owner(match, 1, a_kill(match))
    client.force_login(owner(match, 0))
    answer = client.post(url(match, "match_report"), grid(match, "draw"), follow=True)
    page = text_of(answer)
    assert answer.redirect_chain[-1][0] == url(match, "match_report")
    assert page.count("differs: ") == 4
    assert "is-different" in page
    attacker, defender = (escape(side.company.name) for side in (match.attacker, match.defender))
    assert f'<td data-label="{attacker}">draw</td>' in page
    assert f'<td data-label="{defender}">{attacker}</td>' in page


def test_confirmed_match_accepts_nothing_more(client, match):
    report_by_owner(match, 0, a_kill(match))
    client.force_login(owner(match, 1))
    client.post(url(match, "report_confirm"), {"report": match.reports.get().pk})
    match.refresh_from_db()
    assert match.state == "confirmed"
    for name, data in (("match_report", grid(match)), ("report_confirm", {"report": "1"}), ("report_withdraw", {})):
        answer = client.post(url(match, name), data, follow=True)
        assert "Ask an arbiter to correct it" in text_of(answer)


def test_invalid_confirmation_is_ignored(client, match):
    report_by_owner(match, 0, a_kill(match))
    client.force_login(owner(match, 1))
    for value in ("", "x", "9" * 40):
        assert client.post(url(match, "report_confirm"), {"report": value}).status_code == 302
    match.refresh_from_db()
    assert match.state == "reported"


def test_side_refuses_to_play_and_returns(client, match):
    client.force_login(owner(match, 0))
    assert client.post(url(match, "match_refuse"), {"reason": ""}).status_code == 422
    page = text_of(client.post(url(match, "match_refuse"), {"reason": "Ill in bed"}, follow=True))
    assert "Ill in bed" in page
    assert "Play after all" in page
    client.post(url(match, "match_refuse"), {"do": "play"})
    match.refresh_from_db()
    assert match.refusing_side is None


def test_confirmed_result_cannot_be_undone_as_a_battle(client, match):
    report_by_owner(match, 0, a_kill(match))
    report_by_owner(match, 1, a_kill(match))
    match.refresh_from_db()
    before = match.defender.company.ledger.count()
    for side in (0, 1):
        client.force_login(owner(match, side))
        client.post(reverse("battles:effects", args=[match.battle.key]), {"do": "take-back"})
    assert match.defender.company.ledger.count() == before


# --- ruling page ------------------------------------------------------------------------------------------------------


@pytest.fixture
def disputed(reported, db):
    match = fresh(reported)
    return report_by_owner(match, 1, document("draw", {key(match, 1): {"hits_lost": 1}}))


def test_arbiter_sees_both_reports_and_rules(client, disputed):
    signed_in(client, disputed, "arbiter")
    page = text_of(client.get(url(disputed, "match_ruling")))
    assert page.count("is-different") >= 4
    assert f'name="{key(disputed, 0)}-kills" value="1"' in page, "the arbiter's own version starts with a report"
    answer = client.post(url(disputed, "match_ruling"), {"verdict": "defender", "reason": "The photo."}, follow=True)
    assert "The photo." in text_of(answer)
    disputed.refresh_from_db()
    assert (disputed.state, disputed.outcome) == ("ruled", "draw")


def test_arbiter_rules_with_an_own_version_from_the_grid(client, disputed):
    signed_in(client, disputed, "organiser")
    bad = grid(disputed, "defender", cells={(key(disputed, 0), "kills"): "5"})
    answer = client.post(url(disputed, "match_ruling"), {"verdict": "own", "reason": "Both wrong.", **bad})
    page = text_of(answer, 422)
    assert "lost only 0" in page
    assert "Both wrong." in page
    good = grid(disputed, "defender", cells={(key(disputed, 0), "wounded"): "on"})
    client.post(url(disputed, "match_ruling"), {"verdict": "own", "reason": "Both wrong.", **good})
    disputed.refresh_from_db()
    assert (disputed.state, disputed.outcome) == ("ruled", "defender")
    assert next(unit for unit in disputed.battle.result["units"] if unit["key"] == key(disputed, 0))["wounded"]


@pytest.mark.parametrize(
    "data", [{}, {"verdict": "void"}, {"reason": "because"}, {"verdict": "own", "reason": "because"}]
)
def test_incomplete_ruling_is_refused(client, disputed, data):
    signed_in(client, disputed, "arbiter")
    assert client.post(url(disputed, "match_ruling"), data).status_code == 422
    disputed.refresh_from_db()
    assert disputed.state == "disputed"


def test_playing_arbiter_sees_the_other_report_after_reporting(client, match):
    members = match.round.campaign.club.memberships
    members.filter(role="organiser").update(role="player")
    members.filter(player=owner(match, 1)).update(role="arbiter")
    consent_give(match=match, side=0, by=owner(match, 0))
    report_by_owner(match, 0, a_kill(match) | {"rounds": 707})
    client.force_login(owner(match, 1))
    page = text_of(client.get(url(match, "match_ruling")))
    assert "You play in this match yourself" in page
    assert ">707<" not in page


def units_of(match, side):
    return list((match.attacker, match.defender)[side].company.units.values_list("pk", flat=True))


def test_arbiter_rules_before_and_reveals_after_the_deadline(client):
    match = a_match()
    list_submit(match=match, side=0, by=owner(match, 0), units=units_of(match, 0), doctrine="cautious")
    signed_in(client, match, "arbiter")
    assert "can still submit one; you can reveal the lists after the deadline" in text_of(
        client.get(url(match, "match_ruling"))
    )
    Round.objects.update(deadline=timezone.now())
    assert "Reveal lists" in text_of(client.get(url(match, "match_ruling")))
    client.post(url(match, "match_ruling"), {"do": "open"})
    assert "My own version" in text_of(client.get(url(match, "match_ruling")))


def a_ruling(campaign, **fields):
    by = fields.pop("decided_by", None) or a_member(campaign.club, "arbiter")
    return Ruling.objects.create(
        **{
            "campaign": campaign,
            "kind": "dispute",
            "title": "Dice off the table",
            "reason": "Roll again.",
            "decided_by": by,
        }
        | fields
    )


def test_rulings_are_found_by_word_kind_and_author(client, match):
    campaign = match.round.campaign
    dice = a_ruling(campaign)
    late = a_ruling(campaign, kind="match", title="Late by an hour", reason="An hour is too long", match=match)
    a_ruling(a_campaign(a_club(name="Others")), title="Elsewhere")
    page = reverse("campaigns:gazettes", args=[campaign.pk])

    def found(**search):
        return [row.pk for row in client.get(page, search).context["slice"]]

    assert found() == [late.pk, dice.pk]
    emblems = client.get(page).content.decode().count('class="emblem')
    assert emblems == 2 * sum(row.match is not None for row in (late, dice))  # of the companies each ruling is about
    assert found(text="roll table") == [dice.pk]
    assert found(text=match.attacker.company.name) == [late.pk]
    assert found(kind="match") == [late.pk]
    assert found(by=dice.decided_by.pk) == [dice.pk]
    assert found(text="roll", kind="match") == []
    assert found(by="x", kind="x") == [late.pk, dice.pk]
    assert "Roll again." in text_of(client.get(reverse("campaigns:ruling", args=[campaign.pk, dice.pk]), follow=True))
    assert client.get(reverse("campaigns:ruling", args=[campaign.pk + 999, dice.pk])).status_code == 404


# --- waiting items ----------------------------------------------------------------------------------------------------


def test_home_and_page_header_show_waiting_items(client, match):
    client.force_login(owner(match, 0))
    home = text_of(client.get("/"))
    assert "Play and report" in home
    assert url(match) in home
    assert '<span class="nav__count">1</span>' in text_of(client.get(reverse("rosters:companies")))
    client.force_login(a_player())
    assert "nav__count" not in text_of(client.get("/"))


# --- numbers of queries -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["match", "match_report", "match_ruling"])
def test_page_queries_do_not_grow_with_content(client, disputed, name, django_assert_max_num_queries):
    club = disputed.round.campaign.club
    organiser = club.memberships.get(role="organiser").player
    counts = []
    for _ in range(2):
        client.force_login(organiser if name == "match_ruling" else owner(disputed, 0))
        with django_assert_max_num_queries(12) as queries:
            text_of(client.get(url(disputed, name)))
        counts.append(len(queries))
        for _ in range(3):
            other = lists_reveal(match=a_match(disputed.round, attacker=disputed.attacker))
            match_refuse(match=other, side=0, reason="No", by=owner(other, 0))
            match_rule(match=a_match(disputed.round), verdict="void", reason="Never was", by=organiser)
            disputed.activity.create(club=club, text="Something", created_by=a_player())
    assert counts[0] == counts[1]


@pytest.mark.slow
def test_rulings_page_queries_do_not_grow_with_rulings(client, match, django_assert_max_num_queries):
    campaign, counts = match.round.campaign, []
    for _ in range(2):
        a_ruling(campaign, match=match)
        with django_assert_max_num_queries(10) as queries:
            text_of(client.get(reverse("campaigns:gazettes", args=[campaign.pk])))
        counts.append(len(queries))
        an_enrolment(campaign)
    assert counts[0] == counts[1]


def test_grid_asks_which_support_was_used(client):
    match = a_supported_match()
    client.force_login(owner(match, 0))
    page = text_of(client.get(url(match, "match_report")))
    assert "Ambush used" in page
    assert "Support roll" in page
    data = grid(match) | {"support-attacker-0": "on", "support-defender-0": "decoy"}
    assert client.post(url(match, "match_report"), data).status_code == 302
    assert match.reports.get().content["support"] == {"attacker": ["ambush"], "defender": ["decoy"]}
    again = text_of(client.get(url(match, "match_report")))
    assert '<option value="decoy" selected>' in again


# --- submitted lists, support rolls, odds -----------------------------------------------------------------------------


def test_list_shows_its_hash_first_and_its_contents_later(client):
    match = a_match()
    for side, is_visible in ((0, False), (1, True)):
        company = (match.attacker, match.defender)[side].company
        client.force_login(company.owner)
        units = list(company.units.values_list("pk", flat=True))
        match = list_submit(match=match, side=side, units=units, doctrine="cautious", by=company.owner)
        page = client.get(url(match))
        text_of(page)
        own = page.context["page"].sides[side]
        assert own.hash == match.sealed.get(side=side).hash
        assert own.hash in page.content.decode()
        assert bool(own.hashed) == is_visible
    revealed, not_yet = own, page.context["page"].sides[0]
    assert sha256(revealed.hashed.encode()).hexdigest() == revealed.hash
    assert escape(revealed.hashed) in page.content.decode()
    assert (not_yet.hashed, not_yet.can_be_checked) == ("", True)  # it contains the other side's orders


@pytest.mark.rule("MM-014")
def test_support_rolls_are_shown_with_their_dice(client):
    scenarios = [{"value": "hot-gates", "name": "At the Hot Gates"}]
    row = a_round(a_campaign(scenarios=scenarios))
    match = a_match(row, scenario="hot-gates", scenario_name="At the Hot Gates", terrain="printed")
    assert "Support rolls" not in text_of(client.get(url(match)))
    match = lists_reveal(match=match)
    page = client.get(url(match))
    names = support_names("meks-and-mercs")
    assert [(line.number, line.faces, line.name) for line in page.context["page"].support_rolls] == [
        (made.number, tuple(made.faces), names[made.result]) for made in match.support_rolls.all()
    ]
    assert "Support rolls" in text_of(page)


def test_published_odds_are_shown_when_calculated(client, compiled_rules):
    match = a_match(a_round(a_campaign(absent_rule="orders")))
    assert "Odds" not in text_of(client.get(url(match)))
    match = lists_reveal(match=match)
    link = reverse("battles:forecast", args=[match.forecast.key])
    page = text_of(client.get(url(match)))
    assert link in page
    assert "Calculating. Reload the page in a moment" in page
    while not match.forecast.is_over:
        forecast_run(match.forecast.pk)
        match.forecast.refresh_from_db()
    page = text_of(client.get(url(match)))
    assert "20,000 simulated battles" in page
    assert link in page


def test_second_list_says_that_both_are_revealed(client):
    match = a_match()
    for side, message in (
        (0, "List submitted. Your opponent sees only its hash"),
        (1, "Both sides have submitted, and the lists are revealed"),
    ):
        client.force_login(owner(match, side))
        units = (match.attacker, match.defender)[side].company.units.values_list("pk", flat=True)
        data = {"units": list(units), "doctrine": "cautious", "words": ""}
        assert message in text_of(client.post(url(match, "match_forces"), data, follow=True))


def test_equal_unit_names_are_shown_with_their_company(client, match):
    report_by_owner(match, 0, a_kill(match))
    client.force_login(owner(match, 0))
    page = text_of(client.get(url(match, "match_report")))
    for side in (match.attacker, match.defender):
        assert f"WASP of {side.company.name}" in page
