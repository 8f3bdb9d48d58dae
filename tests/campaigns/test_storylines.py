"""A campaign story (war) over the six scenarios: roles, effects on the next game, handicap points, and the end."""

import json

import pytest
from django.urls import reverse

from campaigns.campaign.services import campaign_change, campaign_create, campaign_move
from campaigns.corrections.plan import VerdictWithoutBattle
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.gazette.content import gazette_content
from campaigns.gazette.prose import build_headline, story
from campaigns.models import Match, Outcome, StorylineRole
from campaigns.notifications.selectors import describe_notification, notifications_of
from campaigns.planning.services import match_change, round_drop, round_open, round_plan, round_redraw
from campaigns.starting.services import campaign_create_from_template, templates_for
from campaigns.storylines import selectors
from campaigns.storylines.selectors import storyline_page
from campaigns.storylines.services import storyline_set
from rosters.ledger.records import differences
from rosters.models import Company
from rosters.services import RefusedError
from systems import ROSTERS, battle_rules, season_rules
from systems.reading import read_setup
from systems.simulation.odds import tally
from tests.builders import a_company, a_player
from tests.campaigns.builders import a_campaign, a_club, an_enrolment
from tests.campaigns.corrections import FLAG
from tests.campaigns.gazettes import close_round, confirm_result, forfeit_match
from tests.example_shares import share

pytestmark = pytest.mark.django_db
NAMES = ("Ants", "Bees", "Cats", "Dogs")
MEKS = "meks-and-mercs"


@pytest.fixture
def organiser():
    return a_player("olga")


@pytest.fixture
def campaign(organiser):
    """A war from its template with four companies: Ants and Bees attack, Cats and Dogs defend."""
    made = campaign_create_from_template(club=a_club(organiser), by=organiser, system=MEKS, after="six-scenario-war")
    rows = enrol_companies(made)
    running = campaign_move(campaign=made, to="running", by=organiser)
    assign_roles(running, organiser, rows[:2], rows[2:])
    return running


def enrol_companies(campaign, names=NAMES):
    return [an_enrolment(campaign, a_company(name=name)) for name in names]


def assign_roles(campaign, by, attackers, defenders, **more):
    one, two = ([row.pk for row in side] for side in (attackers, defenders))
    return storyline_set(campaign=campaign, by=by, attackers=one, defenders=two, **more)


def plan_round(campaign, by):
    return round_open(round_=round_plan(campaign=campaign, by=by), by=by)


def play_round(campaign, by, *winners, fights=forfeit_match):
    """Play the next round with these winners; companies that aren't named draw."""
    row = plan_round(campaign, by)
    for match in row.matches.filter(defender__isnull=False):
        names = [side.company.name for side in (match.attacker, match.defender)]
        outcome = next(
            (way for name, way in zip(names, ("attacker", "defender"), strict=True) if name in winners), "draw"
        )
        fights(match, outcome)
    return close_round(row)


def terms_of(row):
    """Return each table's companies, with points and support rolls of attacker and defender."""
    system, found = battle_rules(MEKS), []
    for match in row.matches.order_by("number"):
        one, two = system.terms(match.scenario).sides
        found.append(
            (
                f"{match.attacker.company.name} {match.defender.company.name}",
                (one.points, two.points),
                (one.rolls, two.rolls),
            )
        )
    return found


# --- the whole war ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_four_companies_play_the_whole_war(campaign, organiser, client):
    client.force_login(organiser)
    # Printed points are 30 : 30, 50 : 50, 60 : 30, 60 : 60, 60 : 60 and 100 : 100; adjusted by odds, three become 26,
    # 49 and 38.
    opening = play_round(campaign, organiser, "Ants", "Dogs", fights=confirm_result)
    assert terms_of(opening) == [("Ants Cats", (30, 30), (1, 1)), ("Bees Dogs", (30, 30), (1, 1))]
    gates = play_round(campaign, organiser, "Dogs", fights=confirm_result)  # Bees and Cats draw
    assert terms_of(gates) == [("Ants Dogs", (50, 50), (2, 4)), ("Bees Cats", (50, 50), (1, 3))]  # one roll for a win
    buying = play_round(campaign, organiser, "Cats", "Bees", fights=confirm_result)
    assert terms_of(buying) == [("Ants Cats", (26, 30), (1, 1)), ("Bees Dogs", (26, 33), (1, 1))]  # 3 points for a win
    breach = play_round(campaign, organiser, "Ants", "Bees", fights=confirm_result)
    assert terms_of(breach) == [("Ants Dogs", (49, 60), (1, 1)), ("Bees Cats", (49, 60), (2, 2))]  # one roll for a win
    head = play_round(campaign, organiser, "Dogs", fights=confirm_result)  # Ants and Cats draw
    assert terms_of(head) == [("Ants Cats", (65, 60), (1, 1)), ("Bees Dogs", (65, 60), (1, 1))]  # 5 points for a win
    citadel = play_round(campaign, organiser, "Dogs", "Bees", fights=confirm_result)
    assert terms_of(citadel) == [
        ("Ants Dogs", (100, 43), (1, 2)),
        ("Bees Cats", (100, 38), (1, 1)),
    ]  # 5 points and a roll
    names = [
        match.scenario_name for row in (opening, gates, buying, breach, head, citadel) for match in row.matches.all()
    ]
    assert (
        names[::2]
        == names[1::2]
        == [battle_rules(MEKS).scenarios[slug] for slug in season_rules(MEKS).storyline.scenarios]
    )
    sheet = storyline_page(campaign, with_planned=True)
    assert (sheet.count.attacker, sheet.count.defender, sheet.count.drawn) == (5, 5, 2)
    assert {each.name: (each.won, each.drawn, each.lost) for each in (*sheet.attackers, *sheet.defenders)} == {
        "Ants": (2, 1, 3), "Bees": (3, 1, 2), "Cats": (1, 2, 3), "Dogs": (4, 0, 2),
    }  # fmt: skip
    # It's level; each side won the Citadel once, so Head to Head, which only Dogs won, decides.
    assert (sheet.winner, sheet.follows) == ("defender", "The defenders have won the war: 5 games to 5.")
    with pytest.raises(
        RefusedError, match="All 6 scenarios of the story have been played. The defenders have won the war"
    ):
        round_plan(campaign=campaign, by=organiser)
    page = client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()
    assert "The defenders have won the war: 5 games to 5." in page
    assert not [each for company in Company.objects.all() for each in differences(company)]
    assert gazette_lines(opening) == (
        "Ants leads after round 1",
        "Opening Shots, the first of six scenarios: attackers and defenders won one each.",
        "The war stands level, 1 to 1. Next: At the Hot Gates.",
    )
    assert gazette_lines(gates)[1:] == (
        "At the Hot Gates, the second of six scenarios: the defenders won one, the attackers none.",
        "The war stands 2 to 1 for the defenders. Next: Buying us some time..",
    )
    assert gazette_lines(citadel) == (
        "The defenders have won the war",
        "Citadel, the sixth of six scenarios: attackers and defenders won one each.",
        "The defenders have won the war, by 5 games to 5.",
    )
    assert (
        "The defenders have won the war"
        in client.get(reverse("campaigns:gazette", args=[campaign.pk, 6])).content.decode()
    )


def gazette_lines(row):
    """Return the headline of a round's gazette and its lines about the war."""
    content = gazette_content(row)
    return build_headline(content), *story(content)[:2]


def test_gain_from_a_win_is_in_the_winners_force(campaign, organiser):
    for winners in (("Ants", "Dogs"), ("Dogs",)):
        play_round(campaign, organiser, *winners)
    row = plan_round(campaign, organiser)
    match = confirm_result(row.matches.get(number=2), "defender")  # Dogs, 33 points
    match.refresh_from_db()
    scenario = match.setup["scenario"]
    assert (scenario["name"], scenario["spec"]["defender"]["points"]) == ("Buying us some time..", 33)
    assert read_setup(match.setup).scenario == scenario


# --- roles ------------------------------------------------------------------------------------------------------------


def test_roles_are_drawn_with_a_repeatable_lot(campaign, organiser):
    StorylineRole.objects.all().delete()
    drawn = set()
    for _ in "123":
        row = round_plan(campaign=campaign, by=organiser)
        drawn.add(frozenset(StorylineRole.objects.filter(attacks=True).values_list("enrolment", flat=True)))
        round_drop(round_=row, by=organiser)
        StorylineRole.objects.all().delete()
    assert len(drawn) == 1
    assert len(drawn.pop()) == 2


@pytest.mark.parametrize(
    ("attackers", "reason"),
    [
        (0, "Nobody attacks. Both sides need at least one company"),
        (4, "Nobody defends. Both sides need at least one company"),
        (1, "1 attack and 3 defend. The sides can differ by one at most"),
    ],
)
def test_war_without_both_sides_is_refused(campaign, organiser, attackers, reason):
    rows = list(campaign.enrolments.order_by("pk"))
    before = set(StorylineRole.objects.values_list("enrolment", "attacks"))
    with pytest.raises(RefusedError, match=reason) as caught:
        assign_roles(campaign, organiser, rows[:attackers], rows[attackers:])
    assert caught.value.field == "roles"
    assert set(StorylineRole.objects.values_list("enrolment", "attacks")) == before


def test_war_stops_when_its_defenders_leave(campaign, organiser):
    play_round(campaign, organiser, "Ants")
    campaign.enrolments.filter(company__name__in=("Cats", "Dogs")).update(state="withdrawn")
    with pytest.raises(RefusedError, match="Nobody defends. Both sides need at least one company"):
        round_plan(campaign=campaign, by=organiser)
    assert campaign.rounds.count() == 1


def test_started_war_keeps_its_roles_and_scenarios(campaign, organiser):
    ants, bees, cats, dogs = campaign.enrolments.order_by("pk")
    with pytest.raises(RefusedError, match="Choose a role for every company. Missing: Dogs"):
        assign_roles(campaign, organiser, [ants, bees], [cats])
    with pytest.raises(RefusedError, match="A company can't both attack and defend"):
        assign_roles(campaign, organiser, [ants, bees], [bees, cats, dogs])
    play_round(campaign, organiser, "Ants")
    with pytest.raises(RefusedError, match="Ants and Cats: roles can't be changed once the story has started"):
        assign_roles(campaign, organiser, [cats, bees], [ants, dogs])
    with pytest.raises(RefusedError, match="The campaign story has started, so its points can't be changed"):
        storyline_set(campaign=campaign, by=organiser, compensates=False)
    row = round_plan(campaign=campaign, by=organiser)
    match = row.matches.get(number=1)
    change = {"scenario": 1, "terrain": "", "by": organiser}
    with pytest.raises(RefusedError, match="Cats defends in all games of the story") as caught:
        match_change(match=match, attacker=cats, defender=ants, **change)
    assert caught.value.field == "attacker"
    with pytest.raises(RefusedError, match="Round 2 of the story plays At the Hot Gates"):
        match_change(match=match, attacker=ants, defender=cats, **{**change, "scenario": 0})


def test_changed_pairing_gets_the_terms_of_its_sides(campaign, organiser):
    play_round(campaign, organiser, "Ants", "Dogs")
    ants, bees, cats, dogs = campaign.enrolments.order_by("pk")
    one, two = round_plan(campaign=campaign, by=organiser).matches.order_by("number")
    for match, attacker, defender in ((one, ants, cats), (two, bees, dogs)):
        match_change(match=match, attacker=attacker, defender=defender, scenario=1, terrain="", by=organiser)
    assert terms_of(one.round) == [("Ants Cats", (50, 50), (2, 3)), ("Bees Dogs", (50, 50), (1, 4))]


def test_late_entry_needs_a_role_before_pairing(campaign, organiser):
    play_round(campaign, organiser, "Ants")
    (elks,) = enrol_companies(campaign, ["Elks"])
    with pytest.raises(RefusedError, match="Elks has no role yet. Choose first whether it should attack or defend"):
        round_plan(campaign=campaign, by=organiser)
    storyline_set(campaign=campaign, by=organiser, attackers=[elks.pk], defenders=[])
    row = plan_round(campaign, organiser)
    pairs = [(m.attacker.company.name, m.defender and m.defender.company.name, m.state) for m in row.matches.all()]
    assert pairs == [("Ants", "Dogs", "scheduled"), ("Elks", "Cats", "scheduled"), ("Bees", None, "bye")]


def test_uneven_sides_rest_in_turn():
    rests = [selectors.fixtures([1, 2, 3], [7, 8], step)[-1] for step in range(1, 7)]
    assert [each.attacker for each in rests] == [3, 2, 1, 3, 2, 1]
    assert {each.defender for each in rests} == {None}
    met = [
        {(each.attacker, each.defender) for each in selectors.fixtures([1, 2, 3], [7, 8, 9], step)}
        for step in (1, 2, 3)
    ]
    assert len(set.union(*met)) == 9  # all opponents are met once before any of them again


# --- one scenario after another ---------------------------------------------------------------------------------------


def test_next_scenario_waits_for_undecided_matches(campaign, organiser):
    row = plan_round(campaign, organiser)
    with pytest.raises(
        RefusedError, match="Ants against Cats of round 1 and Bees against Dogs of round 1 are not decided"
    ):
        round_plan(campaign=campaign, by=organiser)
    forfeit_match(row.matches.get(number=1))
    with pytest.raises(RefusedError, match="Bees against Dogs of round 1 is not decided"):
        round_plan(campaign=campaign, by=organiser)


def test_redrawn_round_keeps_its_scenario(campaign, organiser):
    play_round(campaign, organiser, "Ants")
    row = round_redraw(round_=round_plan(campaign=campaign, by=organiser), by=organiser)
    assert (row.storyline_round.step, terms_of(row)[0]) == (2, ("Ants Dogs", (50, 50), (2, 3)))


def test_organiser_can_keep_the_printed_points(campaign, organiser):
    storyline_set(campaign=campaign, by=organiser, compensates=False)
    for _ in range(2):
        play_round(campaign, organiser)
    row = round_plan(campaign=campaign, by=organiser)
    assert terms_of(row) == [("Ants Cats", (60, 30), (1, 1)), ("Bees Dogs", (60, 30), (1, 1))]
    assert {match.scenario for match in row.matches.all()} == {"buying-time"}


def test_correction_previews_changed_gains_and_flags_matches(campaign, organiser):
    first = play_round(campaign, organiser, "Ants", "Dogs").matches.get(number=1)  # Ants against Cats
    row = plan_round(campaign, organiser)
    after = VerdictWithoutBattle(state="forfeited", outcome=Outcome.DEFENDER)
    preview = correction_preview(match=first, after=after, mode=FLAG, by=organiser)
    assert preview.war == (
        "Ants no longer has 1 support roll more in scenario 2 of the story. "
        "Its match of round 2 is unchanged but flagged.",
        "Cats now has 1 support roll more in scenario 2 of the story. Its match of round 2 is unchanged but flagged.",
        "The story's score is 0 to 2, not 1 to 1.",
    )
    correction_apply(match=first, after=after, mode=FLAG, token=preview.token, reason="He was there.", by=organiser)
    assert ["support roll more" in match.flag for match in row.matches.order_by("number")] == [True, True]


# --- campaigns that aren't wars ---------------------------------------------------------------------------------------


def test_only_meks_and_mercs_offers_a_war(organiser):
    offered = [system for system in ROSTERS if any(each.is_storyline for each in templates_for(system))]
    assert offered == [MEKS]
    with pytest.raises(RefusedError, match="Hex Core has no campaign story") as caught:
        campaign_create(club=a_club(organiser), by=organiser, system="hex-core", name="War", points=60, pairing="arc")
    assert caught.value.field == "pairing"


def test_war_needs_all_its_scenarios(organiser):
    made = campaign_create_from_template(
        club=a_club(organiser), by=organiser, system=MEKS, after="six-scenario-war", begins_mustering=False
    )
    without = [each for each in made.scenarios if each["value"] not in ("breach", "citadel")]
    campaign_change(campaign=made, by=organiser, scenarios=without)
    with pytest.raises(RefusedError, match="The campaign story also includes Through the Breach! and Citadel"):
        campaign_move(campaign=made, to="mustering", by=organiser)


def test_ordinary_campaign_draws_no_war_round(organiser):
    other = a_campaign(a_club(organiser))
    enrol_companies(other)
    with pytest.raises(RefusedError, match="has no campaign story, because it uses another pairing method"):
        round_plan(campaign=other, by=organiser, way="arc")


# --- page, API, document ----------------------------------------------------------------------------------------------


def test_page_shows_the_war_and_saves_roles(campaign, organiser, client):
    StorylineRole.objects.all().delete()
    url = reverse("campaigns:storyline", args=[campaign.pk])
    client.force_login(organiser)
    rows = list(campaign.enrolments.order_by("pk"))
    roles = ("defends", "defends", "attacks", "attacks")
    sent = {f"role-{row.pk}": role for row, role in zip(rows, roles, strict=True)}
    refused = client.post(url, {"compensates": "on", **sent, f"role-{rows[2].pk}": "defends"})
    assert (refused.status_code, "1 attack and 3 defend" in refused.content.decode()) == (422, True)
    assert client.post(url, {"compensates": "on", **sent}).status_code == 302
    assert list(StorylineRole.objects.order_by("pk").values_list("attacks", flat=True)) == [False, False, True, True]
    plan_round(campaign, organiser)
    client.logout()
    page = client.get(url, follow=True).content.decode()
    assert "Cats against Ants" in page
    assert "Opening Shots is being played; next is At the Hot Gates." in page
    assert "To even the odds, the attacker fields 26 points instead of 60" in page
    assert client.post(url, sent).status_code == 302  # redirects to sign-in


def test_planned_war_match_is_visible_to_organisers_only(campaign, organiser, client):
    round_plan(campaign=campaign, by=organiser)
    url = reverse("api-storyline", args=[campaign.pk])
    assert [step["state"] for step in client.get(url).json()["steps"]][:2] == ["next", "later"]
    client.force_login(organiser)
    assert [step["state"] for step in client.get(url).json()["steps"]][:2] == ["planned", "next"]
    match = Match.objects.get(number=1)
    page = client.get(reverse("campaigns:round", args=[campaign.pk, 1])).content.decode()
    assert match.attacker.company.name in page


def test_api_returns_the_war_and_refuses_late_changes(campaign, organiser, client):
    play_round(campaign, organiser, "Ants")
    plan_round(campaign, organiser)
    url = reverse("api-storyline", args=[campaign.pk])
    answer = client.get(url).json()
    assert (answer["name"], answer["won"]) == ("Six-scenario war", {"attacker": 1, "defender": 0, "drawn": 1})
    assert answer["steps"][1]["games"][0]["gains"] == [
        "Ants gets 1 support roll more for its win in round 1: it knows the ground."
    ]
    assert [step["points"] for step in answer["steps"]] == [[30, 30], [50, 50], [26, 30], [49, 60], [60, 60], [100, 38]]
    assert [step["printed"] for step in answer["steps"]] == [
        [30, 30],
        [50, 50],
        [60, 30],
        [60, 60],
        [60, 60],
        [100, 100],
    ]
    stranger = a_player("stranger")
    client.force_login(stranger)
    assert client.patch(url, {"compensates": False}, content_type="application/json").status_code == 403
    client.force_login(organiser)
    refused = client.patch(url, {"attackers": []}, content_type="application/json")
    assert (refused.status_code, "defenders" in refused.content.decode()) == (400, True)
    refused = client.patch(url, {"compensates": False}, content_type="application/json")
    assert "The campaign story has started, so its points can't be changed" in refused.content.decode()


def test_copied_war_keeps_its_settings(campaign, organiser):
    storyline_set(campaign=campaign, by=organiser, compensates=False)
    copy = campaign_create_from_template(club=campaign.club, by=organiser, system=MEKS, after=f"copy-{campaign.pk}")
    assert (copy.pairing, copy.options["season-mode"], copy.storyline.compensates) == ("arc", "fresh-build", False)
    assert not copy.storyline.roles.exists()


# --- odds -------------------------------------------------------------------------------------------------------------


@share(4_000, 20_000)
@pytest.mark.parametrize(
    "step", [each for each in season_rules(MEKS).storyline.steps if each.even], ids=lambda each: each.scenario
)
def test_handicap_points_match_the_published_odds(step, examples):
    """Simulate the set-ups behind docs/odds-meks-and-mercs.md again, with four standard errors of tolerance."""
    games, found = examples, []
    for name in (step.scenario, f"{step.scenario}-even"):
        with open(f"docs/examples/scenarios/{name}.json", encoding="utf-8") as file:
            document = json.load(file)
        battle = tally(read_setup(document), 5, 0, games).battle
        drawn = games - battle["attacker_wins"] - battle["defender_wins"]
        found.append((battle["attacker_wins"] + drawn / 2) / games)
    assert found == pytest.approx([step.even.chance, step.even.chance_with], abs=4 * 0.5 / games**0.5)
    assert abs(step.even.chance_with - 0.5) < 0.15 < abs(step.even.chance - 0.5)
    side = document["sides"][step.even.side]
    rules = ROSTERS[MEKS]
    meks = sum(rules.check_design(rules.published[unit["design"]].spec, {}).points for unit in side["units"])
    worth = meks + sum(rules.hire_points[unit["pilot"]["experience"]] for unit in side["units"])
    assert worth == step.even.points


def test_player_is_notified_once_of_a_role(campaign, organiser):
    rows = list(campaign.enrolments.order_by("pk").select_related("company__owner"))
    texts = [[describe_notification(letter).text for letter in notifications_of(row.company.owner)] for row in rows]
    name = campaign.name
    assert [lines[0] for lines in texts] == [
        f"Campaign story of {name}: {company} {does}."
        for company, does in zip(NAMES, ("attacks", "attacks", "defends", "defends"), strict=True)
    ]
    late = an_enrolment(campaign, a_company(name="Eels"))
    assign_roles(campaign, organiser, rows[:2], [*rows[2:], late])
    assert notifications_of(late.company.owner).filter(news__occasion="war-role").count() == 1
    assert all(notifications_of(row.company.owner).filter(news__occasion="war-role").count() == 1 for row in rows)
