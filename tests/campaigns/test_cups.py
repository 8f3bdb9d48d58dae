"""A cup from its settings to its winner: draw, rounds, corrections, gazette, API and document."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.corrections.plan import VerdictWithoutBattle
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.cups.selectors import cup_of, cup_sheet
from campaigns.cups.services import cup_make_draw, cup_seat, cup_set
from campaigns.gazette.content import gazette_content
from campaigns.gazette.prose import story
from campaigns.models import Cup, CupTie, Match, MatchState, Outcome
from campaigns.planning.services import round_drop, round_open, round_plan
from campaigns.starting.services import campaign_create_from_template
from rosters.models import Company
from rosters.services import RefusedError
from tests.builders import SYSTEM, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment
from tests.campaigns.corrections import FLAG
from tests.campaigns.gazettes import close_round, forfeit_match

pytestmark = pytest.mark.django_db
NAMES = ("Ants", "Bees", "Cats", "Dogs", "Elks", "Foxes", "Gulls", "Hares")


@pytest.fixture
def organiser():
    return a_player("olga")


@pytest.fixture
def campaign(organiser):
    return a_campaign(a_club(organiser), pairing="knock-out", tie_breakers=["destroyed"])


def enrol_companies(campaign, count):
    """Enrol companies without units, which is enough to forfeit."""
    rows = []
    for name in NAMES[:count]:
        company = Company.objects.create(owner=a_player(), system=SYSTEM, name=name)
        company.ledger.create(act=uuid4(), kind="founded", points=60, facts={"to": {"name": name}}, cause="act")
        rows.append(an_enrolment(campaign, company))
    return rows


def a_seeded_cup(campaign, organiser, count, **settings):
    """Draw a cup of this many companies, and seed them in the order of their names."""
    rows = enrol_companies(campaign, count)
    cup_set(campaign=campaign, by=organiser, seeding="table", **settings)
    cup_make_draw(campaign=campaign, by=organiser)
    groups = settings.get("groups", 0)
    seats = {row.pk: (at, (at - 1) % groups + 1 if groups else 0) for at, row in enumerate(rows, start=1)}
    cup_seat(campaign=campaign, by=organiser, seats=seats)
    return rows


def play_round(campaign, organiser, *winners):
    """Plan, open and decide the next round by forfeit; the named companies win."""
    row = round_open(round_=round_plan(campaign=campaign, by=organiser), by=organiser)
    for match in row.matches.filter(defender__isnull=False):
        is_attacker = match.attacker.company.name in winners
        forfeit_match(match, Outcome.ATTACKER if is_attacker else Outcome.DEFENDER)
    return close_round(row)


def pairs(row):
    """Return the two companies of each match, regardless of role."""
    return [
        " ".join(sorted(side.company.name for side in (match.attacker, match.defender) if side))
        for match in row.matches.order_by("number")
    ]


def sheet(campaign):
    return cup_sheet(campaign, cup_of(campaign), with_planned=True)


# --- a knock-out ------------------------------------------------------------------------------------------------------


def test_knock_out_is_played_to_its_winner(campaign, organiser):
    a_seeded_cup(campaign, organiser, 4, has_third_place=True)
    assert pairs(play_round(campaign, organiser, "Ants", "Cats")) == ["Ants Dogs", "Bees Cats"]
    assert pairs(play_round(campaign, organiser, "Cats", "Bees")) == ["Ants Cats", "Bees Dogs"]
    found = sheet(campaign)
    assert (found.winner, found.second, found.third) == ("Cats", "Ants", "Bees")
    with pytest.raises(RefusedError, match="The cup is decided: Cats has won it"):
        round_plan(campaign=campaign, by=organiser)


def test_best_seeds_get_byes_in_an_incomplete_bracket(campaign, organiser):
    a_seeded_cup(campaign, organiser, 5)
    row = play_round(campaign, organiser, "Elks")
    assert pairs(row) == ["Ants", "Dogs Elks", "Bees", "Cats"]
    assert [match.state for match in row.matches.order_by("number")] == ["bye", "forfeited", "bye", "bye"]
    assert pairs(round_plan(campaign=campaign, by=organiser)) == ["Ants Elks", "Bees Cats"]


def test_cup_without_settings_includes_all_by_lot(campaign, organiser):
    enrol_companies(campaign, 4)
    row = round_plan(campaign=campaign, by=organiser)
    assert sorted(" ".join(pairs(row)).split()) == list(NAMES[:4])
    assert (Cup.objects.get().seeding, Cup.objects.get().since) == ("lot", 1)


def test_repeated_lot_gives_the_same_draw(campaign, organiser):
    enrol_companies(campaign, 6)
    cup_set(campaign=campaign, by=organiser)
    drawn = {
        tuple(cup_make_draw(campaign=campaign, by=organiser).places.values_list("enrolment", flat=True)) for _ in "123"
    }
    assert len(drawn) == 1


def test_next_round_waits_for_undecided_matches(campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    row = round_open(round_=round_plan(campaign=campaign, by=organiser), by=organiser)
    with pytest.raises(
        RefusedError, match="Ants against Dogs of round 1 and Bees against Cats of round 1 are not decided"
    ):
        round_plan(campaign=campaign, by=organiser)
    assert campaign.rounds.count() == 1
    forfeit_match(row.matches.get(number=1))
    with pytest.raises(RefusedError, match="Bees against Cats of round 1 is not decided"):
        round_plan(campaign=campaign, by=organiser)


def test_void_match_is_played_again(campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    row = play_round(campaign, organiser, "Ants", "Bees")
    Match.objects.filter(round=row, number=2).update(state=MatchState.VOID, outcome=Outcome.NONE)
    again = round_plan(campaign=campaign, by=organiser)
    assert pairs(again) == ["Bees Cats"]
    assert CupTie.objects.get(place=3).match.round == again


def test_opponent_of_a_withdrawn_company_gets_a_bye(campaign, organiser):
    rows = a_seeded_cup(campaign, organiser, 4)
    play_round(campaign, organiser, "Ants", "Bees")
    rows[0].state = "withdrawn"
    rows[0].save()
    row = play_round(campaign, organiser)
    assert pairs(row) == ["Bees"]
    assert sheet(campaign).winner == "Bees"


def test_play_offs_take_the_top_of_the_table(campaign, organiser):
    rows = enrol_companies(campaign, 5)
    row = a_round(campaign, "closed")
    for winner, loser in ((rows[4], rows[0]), (rows[3], rows[1])):
        a_match(row, winner, loser, state="confirmed", outcome="attacker", figures={})
    cup_set(campaign=campaign, by=organiser, seeding="table", entrants=2)
    assert pairs(round_plan(campaign=campaign, by=organiser, way="knock-out")) == ["Dogs Elks"]
    assert sheet(campaign).left_out == ("Ants", "Bees", "Cats")


def test_discarded_plan_allows_a_new_draw(campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    row = round_plan(campaign=campaign, by=organiser)
    for act in (
        lambda: cup_make_draw(campaign=campaign, by=organiser),
        lambda: cup_set(campaign=campaign, by=organiser, groups=2),
    ):
        with pytest.raises(RefusedError, match="its draw can't be changed"):
            act()
    round_drop(round_=row, by=organiser)
    round_plan(campaign=campaign, by=organiser, way="by-hand")  # the cup doesn't begin with this round
    cup_set(campaign=campaign, by=organiser, groups=2)
    assert not Cup.objects.get().places.exists()


# --- groups -----------------------------------------------------------------------------------------------------------


def test_two_groups_lead_to_play_offs(campaign, organiser):
    a_seeded_cup(campaign, organiser, 8, groups=2, advance=2)
    met = [pair for _ in range(3) for pair in pairs(play_round(campaign, organiser, "Ants", "Bees", "Cats", "Dogs"))]
    assert sorted(met) == sorted(
        f"{one} {two}"
        for group in (NAMES[0::2], NAMES[1::2])
        for at, one in enumerate(group)
        for two in group[at + 1 :]
    )
    tables = sheet(campaign).groups
    assert [[row.name for row in group.rows if row.advances] for group in tables] == [
        ["Ants", "Cats"],
        ["Bees", "Dogs"],
    ]
    assert pairs(round_plan(campaign=campaign, by=organiser)) == ["Ants Dogs", "Bees Cats"]


def test_odd_group_member_rests_without_a_bye(campaign, organiser):
    a_seeded_cup(campaign, organiser, 5, groups=2, advance=1)
    row = play_round(campaign, organiser, "Ants", "Bees")
    assert sorted(pairs(row)) == ["Bees Dogs", "Cats Elks"]
    assert not row.matches.filter(defender=None).exists()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"groups": 1}, "Choose no groups, or 2 to 8"),
        ({"groups": 9}, "Choose no groups, or 2 to 8"),
        ({"advance": 0}, "Let 1 to 8"),
        ({"entrants": 1}, "Choose 2 to 64"),
        ({"entrants": -3}, "Choose 2 to 64"),
        ({"seeding": "mine"}, "There is no such seeding"),
    ],
)
def test_invalid_cup_settings_are_refused(campaign, organiser, settings, why):
    with pytest.raises(RefusedError, match=why):
        cup_set(campaign=campaign, by=organiser, **settings)
    assert not Cup.objects.exists()


def test_groups_with_too_few_companies_are_refused(campaign, organiser):
    enrol_companies(campaign, 3)
    cup_set(campaign=campaign, by=organiser, groups=2)
    with pytest.raises(
        RefusedError, match="2 groups with 2 advancing needs at least 4 companies, but there are only 3"
    ):
        round_plan(campaign=campaign, by=organiser)
    assert not campaign.rounds.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda seats, other: {**seats, other: (5, 1)},
        lambda seats, other: dict(list(seats.items())[1:]),
        lambda seats, other: dict.fromkeys(seats, (1, 1)),
        lambda seats, other: {pk: (seed, 1) for pk, (seed, _) in seats.items()},
        lambda seats, other: {pk: (seed, 3) for pk, (seed, _) in seats.items()},
        lambda seats, other: {pk: (seed, 0) for pk, (seed, _) in seats.items()},
    ],
)
def test_invalid_seats_are_refused(campaign, organiser, wrong):
    rows = a_seeded_cup(campaign, organiser, 4, groups=2, advance=1)
    other = an_enrolment(a_campaign(campaign.club, name="Other"), rows[0].company)
    kept = list(Cup.objects.get().places.values_list("enrolment", "seed", "group"))
    seats = {pk: (seed, group) for pk, seed, group in kept}
    with pytest.raises(RefusedError):
        cup_seat(campaign=campaign, by=organiser, seats=wrong(seats, other.pk))
    assert list(Cup.objects.get().places.values_list("enrolment", "seed", "group")) == kept


# --- corrections ------------------------------------------------------------------------------------------------------

REVERSED = VerdictWithoutBattle(state=MatchState.FORFEITED, outcome=Outcome.DEFENDER)


def first_of(row):
    return row.matches.order_by("number").select_related("attacker__company", "defender__company").first()


def test_correction_previews_advancers_and_flags_later_matches(client, campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    first = first_of(play_round(campaign, organiser, "Ants", "Bees"))
    final = round_open(round_=round_plan(campaign=campaign, by=organiser), by=organiser).matches.get()
    after = REVERSED if first.attacker.company.name == "Ants" else VerdictWithoutBattle(
        state=MatchState.FORFEITED, outcome=Outcome.ATTACKER
    )  # fmt: skip
    preview = correction_preview(match=first, after=after, mode=FLAG, by=organiser)
    assert preview.advances == (
        "Semi-final: Dogs advances, not Ants.",
        "Final: Dogs should play, not Ants. The match of round 2 is unchanged but flagged.",
    )
    assert not Match.objects.exclude(flag="").exists()
    correction_apply(match=first, after=after, mode=FLAG, reason="Late.", by=organiser, token=preview.token)
    final.refresh_from_db()
    assert "Dogs should play, not Ants" in final.flag
    assert {final.attacker.company.name, final.defender.company.name} == {"Ants", "Bees"}
    assert sheet(campaign).ties[-1].strays == "Ants"
    assert "wrong side: Ants" in client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()


def test_correction_previews_an_empty_place_in_next_round(campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    first = first_of(play_round(campaign, organiser, "Ants", "Bees"))
    after = VerdictWithoutBattle(state=MatchState.REFUSED, outcome=Outcome.NONE)
    preview = correction_preview(match=first, after=after, mode=FLAG, by=organiser)
    assert preview.advances == ("Semi-final: nobody advances, not Ants.",)


def test_correction_preview_expires_once_a_round_is_planned(campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    first = first_of(play_round(campaign, organiser, "Ants", "Bees"))
    after = VerdictWithoutBattle(state=MatchState.REFUSED, outcome=Outcome.NONE)
    preview = correction_preview(match=first, after=after, mode=FLAG, by=organiser)
    round_plan(campaign=campaign, by=organiser)
    with pytest.raises(RefusedError, match="Something has changed since this preview. Check the new one first"):
        correction_apply(match=first, after=after, mode=FLAG, reason="Late.", by=organiser, token=preview.token)


def test_correction_page_names_effects_on_the_cup(client, campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    first = first_of(play_round(campaign, organiser, "Ants", "Bees"))
    arbiter = a_member(campaign.club, "arbiter")
    client.force_login(arbiter)
    html = client.get(reverse("campaigns:match_correct", args=[first.key]), {"do": "undo"}).content.decode()
    assert "Semi-final: nobody advances, not Ants." in html


# --- gazette, document, models ----------------------------------------------------------------------------------------


def test_gazette_shows_the_cup_after_its_round(campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    first = play_round(campaign, organiser, "Ants", "Bees")
    last = play_round(campaign, organiser, "Bees")
    content = gazette_content(first)
    assert [tie.winner for tie in content.cup.ties] == ["Ants", "Bees", ""]
    assert "Ants and Bees meet in the final of the cup." in story(content)
    content = gazette_content(last)
    assert content.cup.winner == "Bees"
    assert "Bees wins the cup, beating Ants in the final." in story(content)


def test_gazette_before_the_cup_omits_the_cup(campaign, organiser):
    rows = enrol_companies(campaign, 2)
    row = a_round(campaign)
    forfeit_match(a_match(row, *rows))
    close_round(row)
    round_plan(campaign=campaign, by=organiser)
    assert gazette_content(row).cup is None


def test_templates_and_copies_include_the_cup(organiser):
    club = a_club(organiser)
    made = campaign_create_from_template(club=club, by=organiser, system=SYSTEM, after="two-groups-of-four")
    cup = cup_of(made)
    assert (made.pairing, cup.groups, cup.advance, cup.has_third_place) == ("groups", 2, 2, True)
    copy = campaign_create_from_template(club=club, by=organiser, system=SYSTEM, after=f"copy-{made.pk}")
    assert (cup_of(copy).groups, cup_of(copy).has_third_place) == (2, True)


# --- the page ---------------------------------------------------------------------------------------------------------


def address(campaign):
    """Return the address that the cup's forms are sent to; GET leads to the page."""
    return reverse("campaigns:cup", args=[campaign.pk])


def page(campaign):
    return reverse("campaigns:standings", args=[campaign.pk])


def settings_form(client, campaign, **fields):
    """Return the settings as the page has them, with some changed."""
    form = client.get(page(campaign)).context["cup"].form
    return {"act": "settings", "as_read": form["as_read"].value(), **form.initial, **fields}


@pytest.fixture
def olga(client, organiser):
    client.force_login(organiser)
    return client


def test_organiser_sets_up_draws_and_seeds_the_cup(olga, campaign):
    rows = enrol_companies(campaign, 4)
    assert olga.post(address(campaign), settings_form(olga, campaign, groups="2", advance="1")).status_code == 302
    assert olga.post(address(campaign), {"act": "draw"}, follow=True).status_code == 200
    seats = olga.get(page(campaign)).context["cup"].seats
    fields = {"act": "seats", "as_read": seats["as_read"].value()}
    for at, row in enumerate(rows, start=1):
        fields |= {f"seed-{row.pk}": str(at), f"group-{row.pk}": str(2 - at % 2)}
    assert olga.post(address(campaign), fields).status_code == 302
    assert list(Cup.objects.get().places.values_list("enrolment", flat=True)) == [row.pk for row in rows]


def test_settings_changed_meanwhile_are_not_overwritten(olga, campaign, organiser):
    cup_set(campaign=campaign, by=organiser, groups=2)
    fields = settings_form(olga, campaign, advance="1")
    cup_set(campaign=campaign, by=organiser, groups=2, advance=3)
    answer = olga.post(address(campaign), fields)
    assert answer.status_code == 422
    assert "changed after you opened the page" in answer.content.decode()
    assert Cup.objects.get().advance == 3


@pytest.mark.parametrize("fields", [{"groups": "1"}, {"entrants": "x"}, {"seeding": "mine"}, {"entrants": "1"}])
def test_page_refuses_invalid_settings(olga, campaign, fields):
    assert olga.post(address(campaign), settings_form(olga, campaign, **fields)).status_code == 422
    assert not Cup.objects.exists()


def test_page_shows_groups_bracket_and_draw_rule(client, campaign, organiser):
    a_seeded_cup(campaign, organiser, 4, groups=2, advance=1)
    play_round(campaign, organiser, "Ants", "Bees")
    html = client.get(page(campaign)).content.decode()
    for words in ("Group A", "Play-offs", "advances", "the better seed", "Ants", 'role="img"'):
        assert words in html
    assert "Save seeds" not in html
    assert re.search(rf'href="{page(campaign)}"\s+aria-current="page"', html)


def test_planned_cup_round_is_visible_to_organisers_only(client, campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    match = round_plan(campaign=campaign, by=organiser).matches.first()
    assert str(match.key) not in client.get(page(campaign)).content.decode()
    api = reverse("api-cup", args=[campaign.pk])
    assert str(match.key) not in client.get(api).content.decode()
    client.force_login(organiser)
    assert str(match.key) in client.get(page(campaign)).content.decode()


def test_api_returns_groups_and_bracket(client, campaign, organiser):
    api = reverse("api-cup", args=[campaign.pk])
    assert client.get(api).status_code == 404
    a_seeded_cup(campaign, organiser, 4, has_third_place=True)
    play_round(campaign, organiser, "Ants", "Cats")
    answer = client.get(api).json()
    assert [tie["stage"] for tie in answer["ties"]] == ["Semi-final", "Semi-final", "Final", "Third place"]
    assert [tie["winner"] for tie in answer["ties"]] == ["Ants", "Cats", "", ""]
    assert [side["name"] for side in answer["ties"][2]["sides"]] == ["Ants", "Cats"]


def test_match_page_names_stage_and_draw_rule(client, campaign, organiser):
    a_seeded_cup(campaign, organiser, 4)
    row = round_open(round_=round_plan(campaign=campaign, by=organiser), by=organiser)
    html = client.get(reverse("campaigns:match", args=[row.matches.first().key])).content.decode()
    assert ">Semi-final</a>" in html
    assert "A drawn knock-out match is decided by the standings after its round" in html
