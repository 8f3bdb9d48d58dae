"""Everything an organiser does on pages, through the API, with the same services and refusals."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign, EnrolmentState, RoundClose, RoundState
from campaigns.planning import services as round_services
from campaigns.rounds import closing
from rosters.services import RefusedError
from tests.builders import SYSTEM, a_company, a_player, a_token
from tests.campaigns.builders import (
    a_campaign,
    a_club,
    a_match,
    a_member,
    a_mustered_company,
    a_round,
    an_enrolment,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga():
    return a_player("olga")


@pytest.fixture
def club(olga):
    return a_club(olga)


@pytest.fixture
def ask(client, olga):
    """Call an endpoint with a token of the organiser or of somebody else."""

    def asked(method, route, *args, by=olga, scopes=(), expects=None, **body):
        head = {"Authorization": f"Token {a_token(by, *scopes)}"} if by else {}
        answer = client.generic(
            method, reverse(route, args=args), json.dumps(body), content_type="application/json", headers=head
        )
        if expects is not None:
            assert answer.status_code == expects, answer.content
        return answer.json() if answer.content else None

    return asked


def field(answer):
    return answer["errors"][0]["field"]


# --- a campaign and its settings --------------------------------------------------------------------------------------


def test_api_runs_a_campaign_to_its_second_round(ask, club, olga):
    made = ask(
        "POST", "api-campaigns", expects=201, club=club.slug, system=SYSTEM, name="Copper Mile", scenarios=["zone-battle"],
        seats=4, map_kind="ring", territories=["Ford", "Mill", "Pass"], options={"season-mode": "standing-company"},
    )  # fmt: skip
    pk = made["id"]
    assert (made["state"], made["scenarios"], made["territories"]) == (
        "draft",
        ["Zone battle"],
        ["Ford", "Mill", "Pass"],
    )
    changed = ask("PATCH", "api-campaign", pk, expects=200, about="On Thursdays.", territories=["Ford", "Mill", "Hill"])
    assert (changed["about"], changed["territories"][2]) == ("On Thursdays.", "Hill")
    assert ask("POST", "api-campaign-state", pk, expects=200, to="mustering")["campaign"]["state"] == "mustering"

    own = a_mustered_company(olga, name="Own")
    assert ask("POST", "api-enrolments", pk, expects=201, company=own.pk)["state"] == "accepted"
    others = {}
    for name in ("Axes", "Bears"):
        company = a_mustered_company(a_member(club), name=name)
        others[name] = ask("POST", "api-enrolments", pk, by=company.owner, expects=201, company=company.pk)["id"]
    taken = ask("POST", "api-enrolments-accept-ready", pk, expects=200, among=[others["Axes"]])
    assert taken == {"accepted": [others["Axes"]], "left": [], "later": ["Bears"]}
    moved = ask("POST", "api-campaign-state", pk, expects=200, to="running", accept=[others["Bears"]], plan=True)
    assert (moved["campaign"]["state"], moved["taken"]["accepted"], moved["planned"]) == (
        "running",
        [others["Bears"]],
        1,
    )

    opened = ask("POST", "api-round-open", pk, 1, expects=200)
    assert (opened["state"], len(opened["matches"])) == ("open", 2)
    assert {each["state"] for each in opened["matches"]} == {"scheduled", "bye"}
    assert ask("POST", "api-rounds", pk, expects=201, way="by-hand")["matches"] == []


def test_campaign_without_points_gets_the_games_default(ask, club):
    made = ask("POST", "api-campaigns", expects=201, club=club.slug, system="mech-campaign", name="Ore")
    assert made["points"] == a_company(system="mech-campaign").ledger.get().points


@pytest.mark.parametrize(
    ("sent", "status", "wrong"),
    [
        ({"scenarios": ["citadel-of-nowhere"]}, 422, "scenarios"),
        ({"scenarios": ["custom-1"]}, 422, "scenarios"),
        ({"scenarios": "zone-battle"}, 400, "scenarios"),
        ({"points": 1}, 400, "points"),
        ({"points": "60"}, 400, "points"),
        ({"seats": 1}, 400, "seats"),
        ({"options": {"season-mode": "forever"}}, 422, "options"),
        ({"tie_breakers": ["luck"]}, 422, "tie_breakers"),
        ({"tie_breakers": ["destroyed", "destroyed"]}, 422, "tie_breakers"),
        ({"territories": ["Ford", "Mill", "Pass"]}, 422, "territories"),
        ({"map_kind": "ring", "territories": ["Ford", "ford", "Pass"]}, 422, "territories"),
        ({"map_kind": "hexes"}, 400, "map_kind"),
        ({"colour": "red"}, 400, "colour"),
        ({"name": ""}, 400, "name"),
        ({"club": "nowhere"}, 422, "club"),
    ],
)
def test_invalid_settings_are_refused_at_their_field(ask, club, sent, status, wrong):
    answer = ask(
        "POST", "api-campaigns", expects=status, **{"club": club.slug, "system": SYSTEM, "name": "War", **sent}
    )
    assert field(answer) == wrong
    assert not Campaign.objects.exists()


def test_fixed_setting_refuses_the_whole_change(ask, club):
    campaign = a_campaign(club, "mustering")
    answer = ask("PATCH", "api-campaign", campaign.pk, expects=422, about="New", points=90)
    assert field(answer) == "points"
    campaign.refresh_from_db()
    assert (campaign.about, campaign.points) == ("", 60)


def test_only_drafts_can_be_deleted(ask, club):
    draft, mustering = a_campaign(club, "draft", name="Draft"), a_campaign(club, "mustering", name="Mustering")
    ask("DELETE", "api-campaign", draft.pk, expects=204)
    assert field(ask("DELETE", "api-campaign", mustering.pk, expects=422)) == "campaign"
    assert list(club.campaigns.all()) == [mustering]


def test_campaign_moves_one_state_at_a_time(ask, club):
    campaign = a_campaign(club, "draft")
    assert field(ask("POST", "api-campaign-state", campaign.pk, expects=422, to="running")) == "state"
    assert field(ask("POST", "api-campaign-state", campaign.pk, expects=400, to="draft")) == "to"
    assert field(ask("POST", "api-campaign-state", campaign.pk, expects=400, to="mustering", plan=True)) == "plan"


# --- rounds -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def campaign(club):
    campaign = a_campaign(club, map_kind="ring")
    campaign.territories.create(position=1, name="Ford")
    return campaign


def enrol_companies(campaign, *names):
    return [an_enrolment(campaign, a_mustered_company(name=name)) for name in names]


def test_round_is_paired_by_hand_changed_and_opened(ask, campaign):
    axes, bears, crows = enrol_companies(campaign, "Axes", "Bears", "Crows")
    ask("POST", "api-rounds", campaign.pk, expects=201, way="by-hand")
    sent = {"attacker": axes.pk, "defender": bears.pk, "terrain": "wood", "territory": "Ford"}
    made = ask("POST", "api-pairings", campaign.pk, 1, expects=201, **sent)
    assert made | sent == made
    changed = ask("PATCH", "api-pairing", made["key"], expects=200, defender=crows.pk, territory="")
    assert (changed["attacker"], changed["defender"], changed["terrain"]) == (axes.pk, crows.pk, "wood")
    assert changed["territory"] == ""
    bye = ask("POST", "api-pairings", campaign.pk, 1, expects=201, attacker=bears.pk)
    ask("DELETE", "api-pairing", bye["key"], expects=204)
    until = timezone.now() + timedelta(days=20)
    opened = ask("POST", "api-round-open", campaign.pk, 1, expects=200, deadline=until.isoformat())
    assert (len(opened["matches"]), opened["deadline"][:10]) == (1, f"{until:%Y-%m-%d}")
    later = until + timedelta(days=2)
    moved = ask("PATCH", "api-round", campaign.pk, 1, expects=200, deadline=later.isoformat())
    assert moved["deadline"][:10] == f"{later:%Y-%m-%d}"
    assert field(ask("PATCH", "api-pairing", made["key"], expects=422, defender=bears.pk)) == "round"


@pytest.mark.parametrize(
    ("sent", "status", "wrong"),
    [
        ({"attacker": 999_999}, 422, "attacker"),
        ({"attacker": "elsewhere"}, 422, "attacker"),
        ({"defender": "own"}, 422, "defender"),
        ({"scenario": 7}, 422, "scenario"),
        ({"scenario": -1}, 400, "scenario"),
        ({"terrain": "lava"}, 422, "terrain"),
        ({"territory": "Atlantis"}, 422, "territory"),
        ({"attacker": True}, 400, "attacker"),
    ],
)
def test_invalid_pairing_is_refused_at_its_field(ask, campaign, sent, status, wrong):
    axes, bears = enrol_companies(campaign, "Axes", "Bears")
    elsewhere = an_enrolment(a_campaign(campaign.club, name="Elsewhere"), a_mustered_company())
    ask("POST", "api-rounds", campaign.pk, expects=201, way="by-hand")
    known = {"elsewhere": elsewhere.pk, "own": axes.pk}
    given = {name: known.get(value, value) if isinstance(value, str) else value for name, value in sent.items()}
    body = {"attacker": axes.pk, "defender": bears.pk, **given}
    assert field(ask("POST", "api-pairings", campaign.pk, 1, expects=status, **body)) == wrong
    assert not campaign.rounds.get().matches.exists()


def test_only_planned_rounds_are_redrawn_or_discarded(ask, campaign):
    enrol_companies(campaign, "Axes", "Bears", "Crows", "Dogs")
    assert len(ask("POST", "api-rounds", campaign.pk, expects=201)["matches"]) == 2
    assert ask("POST", "api-round-draw", campaign.pk, 1, expects=200, way="by-hand")["matches"] == []
    assert len(ask("POST", "api-round-draw", campaign.pk, 1, expects=200, way="round-robin")["matches"]) == 2
    ask("DELETE", "api-round", campaign.pk, 1, expects=204)
    assert not campaign.rounds.exists()
    a_match(a_round(campaign), *enrol_companies(campaign, "Elks", "Foxes"))
    assert field(ask("DELETE", "api-round", campaign.pk, 1, expects=422)) == "round"
    assert field(ask("POST", "api-round-draw", campaign.pk, 1, expects=422)) == "round"
    assert campaign.rounds.get().matches.count() == 1


def test_failed_redraw_keeps_the_plan(campaign, olga):
    enrol_companies(campaign, "Axes", "Bears")
    row = round_services.round_plan(campaign=campaign, by=olga)
    with pytest.raises(RefusedError, match="no such pairing method"):
        round_services.round_redraw(round_=row, by=olga, way="by-lot")
    assert campaign.rounds.get().matches.count() == 1


def test_closing_progress_is_public(ask, campaign):
    row = a_match(a_round(campaign), *enrol_companies(campaign, "Axes", "Bears")).round
    ask("GET", "api-round-close", campaign.pk, 1, expects=404)
    asked = ask("POST", "api-round-close", campaign.pk, 1, expects=202)
    assert (asked["is_over"], {step["state"] for step in asked["steps"]}) == (False, {"waiting"})
    job = RoundClose.claim(RoundClose.objects.get(round=row).pk)
    assert closing.round_close_work(job=job)
    seen = ask("GET", "api-round-close", campaign.pk, 1, by=None, expects=200)
    assert (seen["is_over"], seen["has_failed"]) == (True, False)
    row.refresh_from_db()
    assert row.state == RoundState.CLOSED
    assert ask("POST", "api-gazette", campaign.pk, 1, expects=422)["errors"][0]["reason"].startswith(
        "Nothing has changed since"
    )


@pytest.mark.parametrize(
    "deadline", ["soon", 5, "2020-01-01", "2020-01-01T00:00:00Z", None, "0001-01-01T00:00:00+14:00"]
)
def test_invalid_deadline_is_refused(ask, campaign, deadline):
    a_match(a_round(campaign), *enrol_companies(campaign, "Axes", "Bears"))
    before = campaign.rounds.get().deadline
    assert field(ask("PATCH", "api-round", campaign.pk, 1, deadline=deadline)) == "deadline"
    assert campaign.rounds.get().deadline == before


def test_playing_organiser_cannot_shorten_the_round(ask, campaign, olga):
    own = an_enrolment(campaign, a_mustered_company(olga, name="Own"))
    a_match(a_round(campaign), own, *enrol_companies(campaign, "Bears"))
    soon = (timezone.now() + timedelta(hours=2)).isoformat()
    assert field(ask("PATCH", "api-round", campaign.pk, 1, expects=422, deadline=soon)) == "round"
    assert field(ask("POST", "api-round-close", campaign.pk, 1, expects=422)) == "round"


def test_idempotency_key_plans_one_round(client, campaign, olga):
    enrol_companies(campaign, "Axes", "Bears")
    head = {"Authorization": f"Token {a_token(olga)}", "Idempotency-Key": "plan-1"}
    sent = [
        client.post(reverse("api-rounds", args=[campaign.pk]), {}, content_type="application/json", headers=head)
        for _ in range(2)
    ]
    assert [each.status_code for each in sent] == [201, 201]
    assert sent[0].json() == sent[1].json()
    assert campaign.rounds.count() == 1


def test_outdated_deadline_change_is_refused(client, campaign, olga):
    a_match(a_round(campaign), *enrol_companies(campaign, "Axes", "Bears"))
    url, head = reverse("api-round", args=[campaign.pk, 1]), {"Authorization": f"Token {a_token(olga)}"}
    tag = client.get(url, headers=head)["ETag"]
    answers = []
    for days in (9, 12):
        body = {"deadline": (timezone.now() + timedelta(days=days)).isoformat()}
        mine = {**head, "If-Match": tag}
        answers.append(client.patch(url, body, content_type="application/json", headers=mine).status_code)
    assert answers == [200, 412]


# --- other acts of organisers -----------------------------------------------------------------------------------------


PAST = "date,round,attacker,defender,winner\n2025-03-01,1,Axes,Bears,Axes\n"


def test_past_results_are_checked_and_imported(ask, campaign):
    enrol_companies(campaign, "Axes", "Bears")
    wrong = ask(
        "POST", "api-past-results", campaign.pk, expects=200, text=PAST + "2025-03-02,1,Axes,Cows,draw\n", check=True
    )
    assert (wrong["is_clean"], wrong["rounds"], bool(wrong["lines"][1]["problems"])) == (False, [], True)
    refused = ask("POST", "api-past-results", campaign.pk, expects=422, text=PAST + "2025-03-02,1,Axes,Cows,draw\n")
    assert "Line 3" in refused["errors"][0]["reason"]
    assert not campaign.rounds.exists()
    assert ask("POST", "api-past-results", campaign.pk, expects=201, text=PAST)["rounds"] == [1]
    assert ask("GET", "api-standings", campaign.pk, expects=200)[0]["company"] == "Axes"


def test_arbiter_reveals_lists_only_after_the_deadline(ask, campaign, club):
    round_ = a_round(campaign)
    match = a_match(round_, *enrol_companies(campaign, "Axes", "Bears"))
    arbiter = a_member(club, "arbiter")
    early = ask("POST", "api-match-forces-reveal", match.key, by=arbiter, expects=422)
    assert "Axes and Bears have not submitted a list yet." in early["errors"][0]["reason"]
    round_.deadline = timezone.now() - timedelta(minutes=1)
    round_.save()
    assert ask("POST", "api-match-forces-reveal", match.key, by=arbiter, expects=200)["is_open"]


# --- refusals ---------------------------------------------------------------------------------------------------------


def acts(campaign, match, planned):
    """List every act of an organiser."""
    return [
        ("POST", "api-campaigns", [], {"club": campaign.club.slug, "system": SYSTEM, "name": "Mine"}),
        ("PATCH", "api-campaign", [campaign.pk], {"about": "Mine"}),
        ("DELETE", "api-campaign", [campaign.pk], {}),
        ("POST", "api-campaign-state", [campaign.pk], {"to": "finished"}),
        ("POST", "api-enrolments-accept-ready", [campaign.pk], {"among": []}),
        ("POST", "api-rounds", [campaign.pk], {}),
        ("PATCH", "api-round", [campaign.pk, 1], {"deadline": "2040-01-01T00:00:00Z"}),
        ("POST", "api-round-close", [campaign.pk, 1], {}),
        ("PATCH", "api-pairing", [match.key], {"defender": None}),
        ("DELETE", "api-pairing", [match.key], {}),
        ("POST", "api-past-results", [campaign.pk], {"text": PAST}),
        ("DELETE", "api-round", [campaign.pk, 2], {}),
        ("POST", "api-round-draw", [campaign.pk, 2], {}),
        ("POST", "api-round-open", [campaign.pk, 2], {}),
        ("POST", "api-pairings", [campaign.pk, 2], {"attacker": planned.attacker_id}),
    ]


def test_organiser_acts_need_the_role_and_the_scope(ask, campaign, olga):
    sides = enrol_companies(campaign, "Axes", "Bears")
    match = a_match(a_round(campaign), *sides)
    planned = a_match(a_round(campaign, "planned"), *sides)
    before = [(row.pk, row.state, row.matches.count()) for row in campaign.rounds.all()]
    for method, route, args, body in acts(campaign, match, planned):
        gone = 404 if args[1:] == [2] else 403
        ask(method, route, *args, by=sides[0].company.owner, expects=gone, **body)
        ask(method, route, *args, by=olga, scopes=("read", "companies"), expects=403, **body)
        ask(method, route, *args, by=None, expects=401, **body)
    assert [(row.pk, row.state, row.matches.count()) for row in campaign.rounds.all()] == before
    assert EnrolmentState.ASKED not in set(campaign.enrolments.values_list("state", flat=True))
    assert not Campaign.objects.filter(name="Mine").exists()


# --- a cup ------------------------------------------------------------------------------------------------------------


def test_api_sets_up_draws_and_seeds_a_cup(ask, club):
    campaign = a_campaign(club, pairing="knock-out")
    sides = [an_enrolment(campaign, a_mustered_company(name=f"Company {n}")).pk for n in range(1, 5)]
    before = ask("GET", "api-cup-settings", campaign.pk, expects=200)
    assert (before["groups"], before["seats"], before["has_begun"]) == (0, [], False)
    set_up = ask("PATCH", "api-cup-settings", campaign.pk, expects=200, has_third_place=True, seeding="table")
    assert (set_up["seeding"], set_up["has_third_place"]) == ("table", True)
    assert "with a match for third place" in set_up["told"]
    drawn = ask("POST", "api-cup-draw", campaign.pk, expects=201)
    assert sorted(seat["enrolment"] for seat in drawn["seats"]) == sides
    wanted = [{"enrolment": pk, "seed": seed} for seed, pk in enumerate(reversed(sides), start=1)]
    seeded = ask("POST", "api-cup-seats", campaign.pk, expects=200, seats=wanted)
    assert [seat["enrolment"] for seat in seeded["seats"]] == sides[::-1]
    wrong = ask("POST", "api-cup-seats", campaign.pk, expects=422, seats=wanted[1:])
    assert field(wrong) == "cup"
    twice = ask("POST", "api-cup-seats", campaign.pk, expects=422, seats=[{**wanted[0], "seed": 4}, *wanted])
    assert field(twice) == "seats"
    assert field(ask("PATCH", "api-cup-settings", campaign.pk, expects=422, groups=1)) == "groups"
    ask("POST", "api-rounds", campaign.pk, expects=201, way="knock-out")
    assert ask("GET", "api-cup-settings", campaign.pk)["has_begun"]
    assert "its draw can't be changed" in ask("POST", "api-cup-draw", campaign.pk, expects=422)["errors"][0]["reason"]


# --- guests -----------------------------------------------------------------------------------------------------------


def test_api_renames_a_guest_and_founds_their_company(ask, club, campaign):
    pk = ask("POST", "api-guests", club.slug, expects=201, name="Gus")["id"]
    assert ask("PATCH", "api-guest", club.slug, pk, expects=200, name="August")["name"] == "August"
    answer = ask("POST", "api-guest-companies", club.slug, pk, expects=201, campaign=campaign.pk, name="August's Ants")
    (company,) = answer["companies"]
    assert (company["name"], company["campaign"]) == ("August's Ants", campaign.name)
    far = a_campaign(a_club(name="Far Table"))
    refused = ask("POST", "api-guest-companies", club.slug, pk, expects=422, campaign=far.pk, name="More")
    assert field(refused) == "campaign"
    assert field(ask("PATCH", "api-guest", club.slug, pk, expects=400, name="\u202e")) == "name"
