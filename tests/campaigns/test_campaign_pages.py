"""Pages of campaigns, rounds, standings and dice: access, forms and numbers of queries."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.army_lists.services import lists_reveal
from campaigns.campaign import services
from campaigns.models import Campaign, EnrolmentState, FairDraw
from campaigns.planning import services as rounds
from campaigns.rounds.closing import round_close, round_close_work
from rosters.services import scenario_clone, scenario_save
from tests.builders import SYSTEM, a_company, a_player, a_unit
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db
VISITOR, STRANGER, MEMBER, ORGANISER = "visitor", "stranger", "member", "organiser"
LOGIN = 302


def url(name, *args):
    return reverse(f"campaigns:{name}", args=args)


def text_of(response, status=200):
    assert response.status_code == status, response.status_code
    return response.content.decode()


def messages_of(response):
    return " ".join(str(message) for message in response.wsgi_request._messages)


@pytest.fixture
def organiser():
    return a_player()


@pytest.fixture
def club(organiser):
    return a_club(organiser)


@pytest.fixture
def campaign(club, organiser):
    """A running campaign with a ring map, an open round of one match, and a planned round."""
    campaign = a_campaign(club, "mustering", map_kind="ring")
    services.territories_set(campaign=campaign, by=organiser, names=["Ford", "Mill", "Hill"])
    for _ in range(2):
        an_enrolment(campaign)
    campaign = services.campaign_move(campaign=campaign, to="running", by=organiser)
    rounds.round_open(round_=rounds.round_plan(campaign=campaign, by=organiser), by=organiser)
    rounds.round_plan(campaign=campaign, by=organiser)
    return campaign


def sign_in(client, club, role, organiser):
    """Sign in somebody with this role."""
    client.logout()
    if role != VISITOR:
        client.force_login({STRANGER: a_player, MEMBER: lambda: a_member(club), ORGANISER: lambda: organiser}[role]())


def pages(campaign):
    """Map each page's name to its path and the statuses for visitor, stranger, member and organiser."""
    pk = campaign.pk
    enrolment = campaign.enrolments.first()
    match = campaign.rounds.get(number=1).matches.get()
    return {
        "overview": (url("campaign", pk), (200, 200, 200, 200)),
        "companies": (url("campaign_companies", pk), (200, 200, 200, 200)),
        "open round": (url("round", pk, 1), (200, 200, 200, 200)),
        "planned round": (url("round", pk, 2), (404, 404, 404, 200)),
        "standings": (url("standings", pk), (200, 200, 200, 200)),
        "standings after": (url("standings", pk) + "?after=1", (200, 200, 200, 200)),
        "dice": (url("dice", match.dice.key), (200, 200, 200, 200)),
        "settings": (url("campaign_settings", pk), (LOGIN, 403, 403, 200)),
        "enrolment": (url("enrolment", pk, enrolment.pk), (LOGIN, 403, 403, 200)),
        "forces": (url("match_forces", match.key), (LOGIN, 403, 403, 403)),
        "new": (url("campaign_new", campaign.club.slug), (LOGIN, 403, 403, 200)),
    }


@pytest.mark.parametrize("at", range(4), ids=[VISITOR, STRANGER, MEMBER, ORGANISER])
def test_pages_answer_each_role_by_its_rights(client, campaign, club, organiser, at):
    sign_in(client, club, (VISITOR, STRANGER, MEMBER, ORGANISER)[at], organiser)
    for name, (path, answers) in pages(campaign).items():
        assert client.get(path).status_code == answers[at], name


@pytest.mark.parametrize("role", [VISITOR, STRANGER])
def test_private_campaign_is_hidden_from_strangers(client, campaign, club, organiser, role):
    Campaign.objects.filter(pk=campaign.pk).update(is_public=False)
    sign_in(client, club, role, organiser)
    for name, (path, answers) in pages(campaign).items():
        if name != "new":
            expected = LOGIN if role == VISITOR and answers[0] == LOGIN else 404
            assert client.get(path).status_code == expected, name
    sign_in(client, club, MEMBER, organiser)
    assert "· members only" in text_of(client.get(url("campaign", campaign.pk)))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("campaign_move", {"to": "finished"}),
        ("campaign_delete", {}),
        ("campaign_settings", {"name": "Mine"}),
        ("rounds", {"way": "swiss"}),
        ("round_act", {"act": "drop"}),
        ("enrolment", {"act": "accept"}),
    ],
)
def test_member_cannot_run_a_campaign(client, campaign, club, organiser, name, data):
    sign_in(client, club, MEMBER, organiser)
    more = {"round_act": [1], "enrolment": [campaign.enrolments.first().pk]}.get(name, [])
    assert client.post(url(name, campaign.pk, *more), data).status_code == 403


# --- forms ------------------------------------------------------------------------------------------------------------


def form_fields(**more):
    """Return the fields that the form of a new campaign sends."""
    return {
        "name": "Autumn War",
        "points": "60",
        "seats": "12",
        "friendlies": "0",
        "scenarios": ["zone-battle"],
        "pairing": "swiss",
        "pace_days": "14",
        "absent_rule": "forfeit",
        "map_kind": "none",
        "attack_rule": "free",
        "tie_1": "destroyed",
        "tie_2": "buchholz",
        "rule-season-mode": "standing-company",
        **more,
    }


@pytest.fixture
def form(client, club, organiser):
    client.force_login(organiser)
    return lambda **more: client.post(url("campaign_new", club.slug), form_fields(**more))


def test_campaign_form_creates_a_playable_campaign(form, client, club, organiser):
    own = scenario_clone(by=organiser, system=SYSTEM, published="head-to-head")
    spec = {**own.spec, "attacker": {**own.spec["attacker"], "support_rolls": 2}}
    scenario_save(author=organiser, system=SYSTEM, name="Ridge", spec=spec, scenario=own)
    assert "Ridge (yours)" in text_of(client.get(url("campaign_new", club.slug)))
    made = form(scenarios=[f"custom-{own.pk}"], map_kind="ring", territories="Ford\nMill\n\nHill", is_public="on")
    assert made.status_code == 302, made.content.decode()
    campaign = club.campaigns.get()
    assert campaign.options == {"season-mode": "standing-company"}
    assert campaign.tie_breakers == ["destroyed", "buchholz"]
    assert [each.name for each in campaign.territories.all()] == ["Ford", "Mill", "Hill"]
    (scenario,) = campaign.scenarios
    assert (scenario["name"], scenario["value"]["name"]) == ("Ridge", "Ridge")

    assert "Ridge" in text_of(client.get(url("campaign_settings", campaign.pk)))
    client.post(url("campaign_move", campaign.pk), {"to": "mustering"})
    for _ in range(2):
        an_enrolment(campaign)
    client.post(url("campaign_move", campaign.pk), {"to": "running"})
    client.post(url("rounds", campaign.pk), {"way": "swiss"})
    page = text_of(client.get(url("round", campaign.pk, 1)))
    assert '<option value="0:printed" selected>Ridge</option>' in page
    match = campaign.rounds.get().matches.get()
    rounds.round_open(round_=match.round, by=organiser)
    match.refresh_from_db()
    match = lists_reveal(match=match)
    assert match.setup["scenario"]["name"] == "Ridge"
    assert match.support_rolls.filter(side=0).count() == 2


@pytest.mark.rule("MM-011")
def test_roster_pilots_cost_nothing_in_a_scenario():
    campaign = a_campaign()
    sides = [an_enrolment(campaign) for _ in range(2)]
    match = a_match(a_round(campaign), *sides, scenario="hot-gates", terrain="printed")
    match = lists_reveal(match=match)
    assert {unit["pilot"]["is_new"] for side in match.setup["sides"] for unit in side["units"]} == {False}


@pytest.mark.parametrize(
    ("field", "more", "reason"),
    [
        ("name", {"name": ""}, "required"),
        ("points", {"points": "1"}, "greater than or equal to 5"),
        ("scenarios", {"scenarios": ["chess"]}, "chess"),
        ("tie_2", {"tie_2": "destroyed"}, "You have already chosen this one above"),
        ("territories", {"map_kind": "ring", "territories": "Ford\nford\nHill"}, "same name"),
        ("territories", {"map_kind": "zones", "territories": "Ford\nMill\nHill"}, "nine territories"),
        ("pairing", {"pairing": "duel"}, "duel"),
    ],
)
def test_campaign_form_shows_errors_at_their_fields(form, club, field, more, reason):
    answer = form(**more)
    text_of(answer, 422)
    assert reason in " ".join(answer.context["form"].errors[field])
    assert not club.campaigns.exists()


def test_unplayable_scenario_is_refused(club, organiser):
    own = scenario_clone(by=organiser, system=SYSTEM, published="head-to-head")
    bad = {**own.spec, "objective": {**own.spec["objective"], "kind": None}}
    value = {"name": "Broken", "spec": bad}
    with pytest.raises(services.RefusedError, match="Broken can't be played"):
        services.campaign_create(
            club=club, by=organiser, system=SYSTEM, name="X", points=60, scenarios=[{"value": value, "name": "Broken"}]
        )


def test_fixed_settings_are_disabled_and_stay(client, club, organiser):
    campaign = a_campaign(club, "mustering")
    client.force_login(organiser)
    page = client.get(url("campaign_settings", campaign.pk))
    form = page.context["form"]
    assert form.fields["points"].disabled
    assert not form.fields["pairing"].disabled
    saved = client.post(
        url("campaign_settings", campaign.pk), form_fields(points="900", name="Winter War", pairing="fair")
    )
    assert saved.status_code == 302
    campaign.refresh_from_db()
    assert (campaign.points, campaign.name, campaign.pairing) == (60, "Winter War", "fair")
    assert campaign.options == {"season-mode": "standing-company"}


def test_finished_campaign_has_no_settings_form(client, club, organiser):
    client.force_login(organiser)
    page = text_of(client.get(url("campaign_settings", a_campaign(club, "finished").pk)))
    assert "is finished" in page
    assert 'name="points"' not in page


def test_campaign_move_asks_for_confirmation_first(client, campaign, organiser):
    client.force_login(organiser)
    step = f"{url('campaign_settings', campaign.pk)}?open=next#next"
    assert f'href="{step}"' in text_of(client.get(url("campaign", campaign.pk)))
    asked = text_of(client.get(step))
    assert "Round 1 has one undecided match and Round 2 has one undecided match. Decide or void them first." in asked
    refused = client.post(url("campaign_move", campaign.pk), {"to": "finished"}, follow=True)
    assert "undecided" in text_of(refused)
    campaign.refresh_from_db()
    assert campaign.state == "running"


# --- companies --------------------------------------------------------------------------------------------------------


def test_declined_company_asks_again_and_is_accepted(client, club, organiser):
    campaign = a_campaign(club, "mustering")
    owner = a_member(club)
    company = a_mustered_company(owner, name="Late Riders")
    client.force_login(owner)
    path = url("campaign_companies", campaign.pk)
    assert "Ask to join" in text_of(client.get(path))
    text_of(client.post(path, {"company": "0", "doctrine": "cautious"}), 422)
    for _ in range(2):
        client.force_login(owner)
        assert client.post(path, {"company": str(company.pk), "doctrine": "cautious"}).status_code == 302
        one = campaign.enrolments.get()
        assert one.state == EnrolmentState.ASKED
        client.force_login(organiser)
        page = url("enrolment", campaign.pk, one.pk)
        assert "Accept Late Riders" in text_of(client.get(page))
        if not one.decision and one.decided_at is None:
            client.post(page, {"act": "decline", "reason": "Next time"})
            client.force_login(owner)
            assert "Next time" in text_of(client.get(page))
    client.force_login(organiser)
    client.post(page, {"act": "accept"})
    one.refresh_from_db()
    assert one.state == EnrolmentState.ACCEPTED
    client.force_login(owner)
    client.post(page, {"act": "orders", "doctrine": "aggressive"})
    one.refresh_from_db()
    assert one.orders == {"doctrine": "aggressive"}
    html = text_of(client.get(reverse("rosters:company", args=[company.pk])))
    assert f'href="{url("campaign", campaign.pk)}"' in html


def test_exception_needs_a_reason(client, club, organiser):
    campaign = a_campaign(club, "mustering")
    one = an_enrolment(campaign, a_company(a_member(club), name="Nobody's"), state="asked")
    a_unit(one.company)
    client.force_login(organiser)
    page = url("enrolment", campaign.pk, one.pk)
    assert "has no pilot" in text_of(client.get(page))
    answer = client.post(page, {"act": "excuse", "reason": ""})
    text_of(answer, 422)
    assert answer.context["reason"].errors["reason"]
    assert client.post(page, {"act": "excuse", "reason": "He is on the way."}).status_code == 302
    assert "He is on the way." in text_of(client.get(page))


# --- rounds -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def planned(campaign):
    return campaign.rounds.get(number=2)


def table_fields(match, **more):
    """Return the fields that the form sends for one table."""
    fields = {"attacker": match.attacker_id, "defender": match.defender_id, "ground": f"0:{match.terrain}"}
    return {f"m{match.pk}-{name}": str(value) for name, value in {**fields, **more}.items()}


def post_act(client, round_, act, **data):
    return client.post(url("round_act", round_.campaign_id, round_.number), {"act": act, **data})


def test_every_button_saves_all_pairings(client, campaign, planned, organiser):
    client.force_login(organiser)
    match = planned.matches.get()
    swapped = table_fields(match, attacker=match.defender_id, defender=match.attacker_id, ground="0:wood")
    assert post_act(client, planned, "save", **swapped).status_code == 302
    match.refresh_from_db()
    assert (match.terrain, str(match.attacker_id)) == ("wood", swapped[f"m{match.pk}-attacker"])
    third = an_enrolment(campaign)
    added = {"add-attacker": third.pk, "add-defender": "", "add-ground": "0:plain"}
    assert post_act(client, planned, "add", **{**table_fields(match), "add-attacker": ""}).status_code == 422
    assert post_act(client, planned, "add", **table_fields(match, ground="0:urban"), **added).status_code == 302
    match.refresh_from_db()
    assert (match.terrain, planned.matches.count()) == ("urban", 2)
    bye = planned.matches.get(defender=None)
    assert post_act(client, planned, f"remove-{bye.pk}", **table_fields(match)).status_code == 302
    assert planned.matches.get() == match


def test_opening_a_round_needs_a_valid_deadline(client, planned, organiser):
    client.force_login(organiser)
    match = planned.matches.get()
    wrong = post_act(client, planned, "open", **table_fields(match), deadline="soon")
    assert wrong.context["deadline"].errors["deadline"]
    text_of(wrong, 422)
    past = post_act(client, planned, "open", **table_fields(match, ground="0:wood"), deadline="2020-01-01T10:00")
    assert "in the future" in messages_of(past)
    match.refresh_from_db()
    assert match.terrain != "wood", "all or nothing"
    soon = timezone.localtime(timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    assert "Round 2 is published." in messages_of(
        post_act(client, planned, "open", **table_fields(match), deadline=soon)
    )
    planned.refresh_from_db()
    assert planned.state == "open"
    moved = post_act(client, planned, "deadline", deadline=soon)
    assert "Deadline set" in messages_of(moved)


def test_unknown_pairing_is_refused_on_the_overview(client, campaign, organiser, planned):
    client.force_login(organiser)
    post_act(client, planned, "drop")
    page = text_of(client.post(url("rounds", campaign.pk), {"way": "by-lot"}), 422)
    assert "Plan round 2" in page
    assert 'id="errors"' in page


def test_fair_draw_page_shows_progress(client, campaign, planned, organiser):
    client.force_login(organiser)
    post_act(client, planned, "drop")
    client.post(url("rounds", campaign.pk), {"way": "fair"})
    row = campaign.rounds.get(number=2)
    FairDraw.objects.filter(round=row).update(pairs=2, chances={"1-2": 0.5})
    path = url("round", campaign.pk, 2)
    page = text_of(client.get(path))
    assert 'hx-trigger="every 1s"' in page
    assert "New match" not in page
    part_of_it = text_of(client.get(path, headers={"HX-Request": "true"}))
    assert "<html" not in part_of_it
    assert "1 / 2" in part_of_it
    job = FairDraw.claim(row.fair_draw.pk)
    job.fail("The odds could not be counted; pair the round in another way.")
    assert "pair the round in another way" in text_of(client.get(path))


def test_closed_round_cannot_be_changed(client, campaign, organiser):
    client.force_login(organiser)
    row = campaign.rounds.get(number=1)
    from campaigns.models import RoundClose

    job = RoundClose.claim(round_close(round_=row, by=organiser).pk)
    round_close_work(job=job)
    page = text_of(client.get(url("round", campaign.pk, 1)))
    assert "closed" in page
    assert 'name="deadline"' not in page


# --- standings, map, dice ---------------------------------------------------------------------------------------------


def test_large_ring_map_numbers_and_lists_its_territories(client, club, organiser):
    campaign = a_campaign(club, "mustering", map_kind="ring")
    names = [f"Waterworks and pumping station {number}" for number in range(1, 13)]
    services.territories_set(campaign=campaign, by=organiser, names=names)
    page = text_of(client.get(url("standings", campaign.pk)))
    assert all(page.count(name) >= 2 for name in names), "in the map's description and in the list"
    assert '<tspan x="' in page
    assert "Waterworks…" not in page


def test_campaign_without_a_map_has_no_map_page(client, club):
    assert client.get(url("campaign_map", a_campaign(club).pk)).status_code == 404


def test_dice_check_form_validates_and_compares(client):
    path = url("dice_check")
    assert "Roll" in text_of(client.get(path))
    answer = client.get(path, {"secret": "", "purpose": "battle"})
    text_of(answer, 422)
    assert answer.context["form"].errors["secret"]
    wrong = text_of(client.get(path, {"secret": "a", "purpose": "battle", "commitment": "b"}))
    assert "This is not the original secret: its hash differs from the published one" in wrong


def test_member_without_company_gets_a_founding_link(client, campaign, club):
    client.force_login(a_member(club))
    found = f"{reverse('rosters:company_create')}?system={SYSTEM}"
    assert f'href="{found}"' in text_of(client.get(url("campaign", campaign.pk)))
    assert client.get(found).context["form"].initial["system"] == SYSTEM


# --- numbers of queries -----------------------------------------------------------------------------------------------


def a_large(organiser, companies, rounds_):
    """A running campaign with this many companies and rounds, and a planned round."""
    campaign = a_campaign(a_club(organiser, name=f"Club of {companies}"), name=f"War of {companies}", map_kind="none")
    for _ in range(companies):
        an_enrolment(campaign)
    for _ in range(rounds_):
        rounds.round_open(round_=rounds.round_plan(campaign=campaign, by=organiser), by=organiser)
    rounds.round_plan(campaign=campaign, by=organiser)
    return campaign


@pytest.mark.slow
def test_page_queries_do_not_grow_with_companies(client, organiser):
    client.force_login(organiser)
    counts = []
    for campaign in (a_large(organiser, 2, 1), a_large(organiser, 12, 3)):
        last = campaign.rounds.count()
        paths = [url(name, campaign.pk) for name in ("campaign", "campaign_companies", "standings")]
        paths += [url("round", campaign.pk, 1), url("round", campaign.pk, last), url("campaign_settings", campaign.pk)]
        paths += [reverse("api-campaigns"), *(reverse(name, args=[campaign.pk]) for name in API)]
        found = {}
        for number, path in enumerate(paths):
            client.get(path)
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert client.get(path).status_code == 200, path
            found[number] = len(queries)
        counts.append(found)
    assert counts[0] == counts[1]
    assert max(counts[1].values()) <= 25


@pytest.mark.slow
def test_queries_of_the_next_step_do_not_grow_with_companies(client, organiser):
    client.force_login(organiser)
    counts = []
    for companies in (2, 8):
        campaign = a_campaign(a_club(organiser, name=f"Club of {companies}"), "mustering", name=f"War of {companies}")
        for _ in range(companies):
            an_enrolment(campaign)
        with CaptureQueriesContext(connection) as queries:
            assert "You can’t do this yet" not in text_of(client.get(url("campaign_settings", campaign.pk)))
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- the API ----------------------------------------------------------------------------------------------------------

API = ("api-campaign", "api-enrolments", "api-standings", "api-rounds")


def patch(client, campaign, enrolment, **body):
    path = reverse("api-enrolment", args=[campaign.pk, enrolment.pk])
    return client.patch(path, body, content_type="application/json")


def test_api_returns_only_visible_campaigns(client, campaign, club, organiser):
    draft = a_campaign(club, "draft", name="Secret plan")
    private = a_campaign(club, name="Members only", is_public=False)
    names = lambda **query: {row["name"] for row in client.get(reverse("api-campaigns"), query).json()["results"]}  # noqa: E731
    assert names() == {"Spring War"}
    sign_in(client, club, MEMBER, organiser)
    assert names() == {"Spring War", "Members only"}
    assert client.get(reverse("api-campaign", args=[draft.pk])).status_code == 404
    sign_in(client, club, ORGANISER, organiser)
    assert names() == {"Spring War", "Members only", "Secret plan"}
    assert names(state="draft") == {"Secret plan"}
    assert names(club="no-such") == set()
    client.logout()
    for name in API:
        assert client.get(reverse(name, args=[campaign.pk])).status_code == 200, name
        assert client.get(reverse(name, args=[private.pk])).status_code == 404, name
    (round_,) = client.get(reverse("api-rounds", args=[campaign.pk])).json()
    assert (round_["number"], round_["state"], len(round_["matches"])) == (1, "open", 1), "the planned round is hidden"
    assert [row["points"] for row in client.get(reverse("api-standings", args=[campaign.pk])).json()] == [0, 0]


def test_api_enrols_a_company(client, club, organiser):
    campaign = a_campaign(club, "mustering")
    owner = a_member(club)
    company = a_mustered_company(owner)
    path = reverse("api-enrolments", args=[campaign.pk])
    assert client.post(path, {"company": company.pk}, content_type="application/json").status_code == 401
    client.force_login(a_player())
    assert client.post(path, {"company": company.pk}, content_type="application/json").status_code == 403
    client.force_login(owner)
    asked = client.post(path, {"company": company.pk, "doctrine": "cautious"}, content_type="application/json")
    assert (asked.status_code, asked.json()["state"], asked.json()["is_fit"]) == (201, "asked", True)
    one = campaign.enrolments.get()
    assert patch(client, campaign, one, decision="accept").status_code == 403
    assert patch(client, campaign, one, doctrine="aggressive").status_code == 200
    client.force_login(organiser)
    assert patch(client, campaign, one).status_code == 400
    refused = patch(client, campaign, one, decision="excuse", reason="No need")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "company")
    assert patch(client, campaign, one, decision="accept").json()["state"] == "accepted"
    assert patch(client, campaign, one, decision="accept").status_code == 422
    assert patch(client, campaign, one, decision="withdraw").json()["state"] == "withdrawn"


def test_api_submits_a_list(client):
    match = a_match()
    path = reverse("api-match-forces", args=[match.key])

    def submit(side):
        company = (match.attacker, match.defender)[side].company
        client.force_login(company.owner)
        body = {"units": list(company.units.values_list("pk", flat=True)), "doctrine": "aggressive"}
        return client.post(path, body, content_type="application/json")

    first = submit(0).json()
    assert (first["is_open"], [bool(line["hash"]) for line in first["seals"]]) == (False, [True, False])
    assert submit(1).json()["is_open"] is True
    assert submit(1).status_code == 422
    client.force_login(a_player())
    assert client.post(path, {"units": [1], "doctrine": "x"}, content_type="application/json").status_code == 403


def test_list_page_submits_or_shows_errors(client):
    match = a_match()
    company = match.attacker.company
    path = url("match_forces", match.key)
    client.force_login(company.owner)
    page = text_of(client.get(path))
    assert f'href="{url("match", match.key)}">Cancel' in page
    answer = client.post(path, {"doctrine": "aggressive"})
    text_of(answer, 422)
    assert answer.context["form"].errors["units"]
    ids = list(company.units.values_list("pk", flat=True))
    assert client.post(path, {"units": ids, "doctrine": "aggressive"}).status_code == 302
    sealed = match.sealed.get()
    client.force_login(match.defender.company.owner)
    theirs = text_of(client.get(path))
    assert sealed.hash in theirs
    assert company.units.first().pk not in [row.id for row, _ in client.get(path).context["rows"]]


def test_own_player_gives_orders_and_organisers_decide(client, club, organiser):
    row = an_enrolment(a_campaign(club, "mustering"), state="asked")
    page = url("enrolment", row.campaign_id, row.pk)
    client.force_login(row.company.owner)
    assert [client.post(page, {"act": act}).status_code for act in ("accept", "decline", "excuse")] == [403] * 3
    client.force_login(organiser)
    assert client.post(page, {"act": "orders"}).status_code == 403
    row.refresh_from_db()
    assert row.state == "asked"
