"""A campaign and its accepted companies move to a newer catalogue version between rounds."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.army_lists.services import list_submit
from campaigns.campaign.services import campaign_change, campaign_create, campaign_move
from campaigns.catalogue_upgrades.selectors import adoption_preview, release_page
from campaigns.catalogue_upgrades.services import (
    adoption_cancel,
    adoption_undo,
    make_due_adoption,
    make_due_adoptions,
    release_adopt,
    release_choose,
)
from campaigns.enrolments.selectors import enrolment_check
from campaigns.locks import campaign_lock
from campaigns.models import ActivityLogEntry, Campaign, CatalogueUpgrade, Match, Round, RoundClose
from campaigns.notifications.selectors import describe_notification, notifications_of
from campaigns.planning.services import match_create_outside_pairing, round_open
from campaigns.rounds.closing import round_close, round_close_work
from rosters.ledger.records import differences
from rosters.models import Company, LedgerEntry
from rosters.releases.services import follow, following
from rosters.releases.services import release_adopt as company_adopt
from rosters.services import RefusedError, undo_last_act, unit_buy
from systems import battle_rules
from systems.reading import read_setup
from tests.builders import a_company, a_crewed_unit, a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment
from tests.rosters.test_races import at_once
from tests.systems.toy import SLUG, reissue

pytestmark = pytest.mark.django_db
SKIRMISH = [{"value": "skirmish", "name": "Skirmish"}]
ODIN = {"season-mode": "standing-company", "odin-printed-cost": True}


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    reissue(monkeypatch)
    monkeypatch.setattr("celery.app.task.Task.delay", lambda *args, **kwargs: None)


@pytest.fixture
def olga(client):
    olga = a_player("olga")
    client.force_login(olga)
    return olga


def a_box(name: str, *kinds: str) -> Company:
    box = a_company(system=SLUG, name=name, release="1", points=20)
    for kind in kinds or ("knight", "runner"):
        unit_buy(company=box, by=box.owner, published=kind)
    return box


@pytest.fixture
def campaign(olga):
    """A campaign of two companies with the first catalogue version.

    One has three Knights, worth 15 of 20 points, the other a Knight and a Runner.
    """
    war = a_campaign(
        a_club(olga), system=SLUG, name="Carpet War", points=20, scenarios=SKIRMISH, options={}, tie_breakers=[],
        catalogue_release="1",
    )  # fmt: skip
    an_enrolment(war, a_box("Red Box", "knight", "knight", "knight"))
    an_enrolment(war, a_box("Blue Box"))
    return war


def adopt_release(campaign, by, release="2", **when) -> CatalogueUpgrade:
    token = adoption_preview(campaign, release).token
    return release_adopt(campaign=campaign, release=release, by=by, token=token, **when)


def versions(campaign) -> list[str]:
    """Return the catalogue versions of the campaign and of its companies."""
    campaign.refresh_from_db()
    companies = [each.company for each in campaign.enrolments.select_related("company").order_by("pk")]
    assert [found for company in companies for found in differences(company)] == []
    return [campaign.catalogue_release, *(company.catalogue_release for company in companies)]


def close_round(row) -> None:
    job = RoundClose.claim(round_close(round_=row, by=None).pk)
    assert round_close_work(job=job)


# --- preview ----------------------------------------------------------------------------------------------------------


def test_preview_shows_the_changes_for_each_company(campaign):
    preview = adoption_preview(campaign, "2")
    red, blue = preview.companies
    assert (red.change.before, red.change.after, blue.change.after) == (15, 21, 10)
    (over,) = red.problems
    assert over.message == "The company is worth 26 points (including 5 unspent), but Carpet War allows only 20."
    assert [unit.retired for unit in blue.change.units] == [(), ("Runner",)]
    assert not preview.obstacles
    assert [each.number for each in preview.newer_versions] == ["2"]


def test_preview_page_changes_nothing(campaign, olga, client):
    before = LedgerEntry.objects.count()
    page = " ".join(client.get(reverse("campaigns:campaign_release", args=[campaign.pk])).content.decode().split())
    assert "15 → 21 points" in page
    assert "Carpet War allows only 20" in page
    assert versions(campaign) == ["1", "1", "1"]
    assert LedgerEntry.objects.count() == before


@pytest.mark.slow
def test_preview_queries_do_not_grow_with_companies(campaign, django_assert_num_queries):
    with CaptureQueriesContext(connection) as few:
        adoption_preview(campaign, "2")
    for name in ("Green Box", "Grey Box", "Gold Box"):
        an_enrolment(campaign, a_box(name))
    with django_assert_num_queries(len(few)):
        assert len(adoption_preview(campaign, "2").companies) == 5
    assert len(few) <= 12


# --- change of version ------------------------------------------------------------------------------------------------


def test_campaign_and_accepted_companies_change_together(campaign, olga):
    asked = an_enrolment(campaign, a_box("Green Box"), state="asked")
    adopt_release(campaign, olga)
    assert versions(campaign) == ["2", "2", "2", "1"]  # a company that only asked decides for itself
    older = "The company uses catalogue version 1, but Carpet War uses 2."
    assert older in [each.message for each in enrolment_check(asked.company, campaign).problems]
    went = company_adopt(company=asked.company, by=asked.company.owner)
    assert older not in [each.message for each in enrolment_check(went, campaign).problems]
    assert ActivityLogEntry.objects.filter(text="Changed to catalogue version 2, with 2 companies").exists()


def test_paid_points_stay_and_new_units_cost_new_prices(campaign, olga):
    blue = campaign.enrolments.last().company
    adopt_release(campaign, olga)
    blue.refresh_from_db()
    assert unit_buy(company=blue, by=blue.owner, published="archer").company.ledger.last().points == -4
    with pytest.raises(RefusedError, match="no published design"):
        unit_buy(company=blue, by=blue.owner, published="runner")


def test_next_match_uses_the_new_version(campaign, olga):
    Campaign.objects.filter(pk=campaign.pk).update(points=60)
    campaign.refresh_from_db()
    adopt_release(campaign, olga)
    sides = list(campaign.enrolments.select_related("company").order_by("pk"))
    match = a_match(a_round(campaign), *sides, scenario="skirmish", scenario_name="Skirmish", terrain="carpet")
    for side, enrolment in enumerate(sides):
        units = list(enrolment.company.units.values_list("pk", flat=True))
        match = list_submit(match=match, side=side, units=units, doctrine="charge", by=enrolment.company.owner)
    setup = read_setup(match.setup)
    assert setup.catalogue_release == "2"
    assert battle_rules(SLUG).worths(setup)[setup.sides[0].units[0].key] == 7


def test_open_round_delays_the_change(campaign, olga):
    row = a_round(campaign)
    match = a_match(row, *campaign.enrolments.order_by("pk"), scenario="skirmish", terrain="carpet")
    with pytest.raises(RefusedError, match="Round 1 is open and has to be finished with version 1. .* round 2"):
        adopt_release(campaign, olga)
    planned = adopt_release(campaign, olga, from_round=2)
    assert (planned.state, versions(campaign)) == ("planned", ["1", "1", "1"])
    close_round(match.round)
    planned.refresh_from_db()
    assert (planned.state, versions(campaign)) == ("adopted", ["2", "2", "2"])


def test_planned_change_happens_when_its_round_opens(campaign, olga):
    planned = adopt_release(campaign, olga, from_round=2)
    row = a_round(campaign, state="planned")
    a_match(row, *campaign.enrolments.order_by("pk"), scenario="skirmish", terrain="carpet")
    round_open(round_=row, by=olga)
    assert versions(campaign) == ["1", "1", "1"]
    close_round(row)
    planned.refresh_from_db()
    assert (planned.state, versions(campaign)) == ("adopted", ["2", "2", "2"])


def test_season_match_opens_the_round_of_a_planned_change(campaign, olga):
    adopt_release(campaign, olga, from_round=1)
    one, two = campaign.enrolments.order_by("pk")
    match = match_create_outside_pairing(
        campaign=campaign, one=one, two=two, deadline=timezone.now() + timedelta(days=7), beside=None, by=None
    )
    assert (match.round.number, versions(campaign)) == (1, ["2", "2", "2"])


def test_unfinished_match_keeps_the_version_of_its_round(campaign, olga):
    """Its forces couldn't be revealed at the deadline, so its set-up names no version."""
    row = a_round(campaign)
    match = a_match(row, *campaign.enrolments.order_by("pk"), scenario="skirmish", terrain="carpet")
    planned = adopt_release(campaign, olga, from_round=2)
    Round.objects.filter(pk=row.pk).update(state="closed")
    with transaction.atomic():
        make_due_adoption(campaign_lock(campaign))
    planned.refresh_from_db()
    assert planned.waits == f"{match} of Round 1 still has to be played with version 1."
    assert versions(campaign) == ["1", "1", "1"]
    adoption_cancel(campaign=campaign, by=olga)
    with pytest.raises(RefusedError, match="still has to be played with version 1"):
        adopt_release(campaign, olga)
    planned = adopt_release(campaign, olga, from_round=3)
    CatalogueUpgrade.objects.filter(pk=planned.pk).update(from_round=2, waits="It had to.")
    Match.objects.filter(pk=match.pk).update(state="void")
    assert make_due_adoptions() == 1
    assert versions(campaign) == ["2", "2", "2"]


def test_timer_makes_a_change_planned_for_a_day(campaign, olga):
    planned = adopt_release(campaign, olga, from_day=timezone.localdate() + timedelta(days=2))
    assert (make_due_adoptions(), versions(campaign)[0]) == (0, "1")
    CatalogueUpgrade.objects.filter(pk=planned.pk).update(from_day=timezone.localdate() - timedelta(days=1))
    row = a_round(campaign)
    assert (make_due_adoptions(), versions(campaign)[0]) == (1, "1")  # a round is open
    row.delete()
    assert (make_due_adoptions(), versions(campaign)[0]) == (1, "2")
    assert make_due_adoptions() == 0


def test_planned_change_can_be_cancelled(campaign, olga):
    adopt_release(campaign, olga, from_round=5)
    with pytest.raises(RefusedError, match="A change of version is already planned. Cancel that first"):
        adopt_release(campaign, olga, from_round=6)
    assert adoption_cancel(campaign=campaign, by=olga).state == "called-off"
    with pytest.raises(RefusedError, match="No change of version is planned"):
        adoption_cancel(campaign=campaign, by=olga)
    adopt_release(campaign, olga)
    assert versions(campaign)[0] == "2"


def test_finished_campaign_cancels_its_planned_change(campaign, olga, client):
    planned = adopt_release(campaign, olga, from_round=5)
    campaign_move(campaign=campaign, to="finished", by=olga)
    planned.refresh_from_db()
    assert (planned.state, planned.ended_by) == ("called-off", olga)
    assert "Cancelled the change to catalogue version 2" in campaign.activity.values_list("text", flat=True)
    client.force_login(olga)
    page = client.get(reverse("campaigns:campaign_release", args=[campaign.pk])).content.decode()
    assert "is planned" not in page


@pytest.mark.parametrize(
    ("release", "when", "reason"),
    [
        ("9", {}, "no catalogue version '9'; there is 1, 2"),
        ("", {}, "no catalogue version ''"),
        ("1", {}, "already uses version 1"),
        ("2", {"from_round": 1, "from_day": timezone.localdate()}, "a round or a day, not both"),
        ("2", {"from_day": timezone.localdate() - timedelta(days=1)}, "That day is in the past. Choose a later one"),
        ("2", {"from_round": 1000}, "has already started or is too far ahead"),
    ],
)
def test_invalid_version_or_time_is_refused(campaign, olga, release, when, reason):
    token = adoption_preview(campaign, "2").token
    with pytest.raises(RefusedError, match=reason):
        release_adopt(campaign=campaign, release=release, by=olga, token=token, **when)
    assert versions(campaign) == ["1", "1", "1"]
    assert not CatalogueUpgrade.objects.exists()


def test_older_version_is_refused(campaign, olga):
    adopt_release(campaign, olga)
    with pytest.raises(RefusedError, match="and can't go back to an older one"):
        release_adopt(campaign=campaign, release="1", by=olga, token="")


def test_finished_campaign_keeps_its_version(campaign, olga):
    Campaign.objects.filter(pk=campaign.pk).update(state="finished")
    with pytest.raises(RefusedError, match="is finished"):
        release_adopt(campaign=campaign, release="2", by=olga, token="")
    campaign.refresh_from_db()
    assert release_page(campaign).choices == ()


def test_outdated_preview_is_refused(campaign, olga):
    token = adoption_preview(campaign, "2").token
    blue = campaign.enrolments.last().company
    unit_buy(company=blue, by=blue.owner, published="knight")
    with pytest.raises(RefusedError, match="Something has changed since this preview. Check the new one first"):
        release_adopt(campaign=campaign, release="2", by=olga, token=token)
    assert versions(campaign) == ["1", "1", "1"]


@pytest.mark.django_db(transaction=True)
def test_concurrent_changes_succeed_once(campaign, olga):
    token = adoption_preview(campaign, "2").token
    answers = at_once(lambda: release_adopt(campaign=campaign, release="2", by=olga, token=token))
    assert answers.count(True) == 1
    assert versions(campaign) == ["2", "2", "2"]
    assert LedgerEntry.objects.filter(kind="release-adopted").count() == 2
    assert CatalogueUpgrade.objects.count() == 1


# --- undo -------------------------------------------------------------------------------------------------------------


def test_change_is_undone_while_nothing_happened_since(campaign, olga):
    adopt_release(campaign, olga)
    assert adoption_undo(campaign=campaign, by=olga).state == "undone"
    assert versions(campaign) == ["1", "1", "1"]
    with pytest.raises(RefusedError, match="There is no change of version to undo"):
        adoption_undo(campaign=campaign, by=olga)
    adopt_release(campaign, olga)
    assert versions(campaign) == ["2", "2", "2"]


def test_change_is_final_once_a_company_has_acted(campaign, olga):
    adopt_release(campaign, olga)
    blue = campaign.enrolments.last().company
    blue.refresh_from_db()
    unit_buy(company=blue, by=blue.owner, published="archer")
    with pytest.raises(RefusedError, match="Blue Box has bought, sold or changed something since"):
        adoption_undo(campaign=campaign, by=olga)
    assert versions(campaign) == ["2", "2", "2"]  # Red Box too


def test_foreign_ledger_entry_does_not_block_undo(campaign, olga):
    row = adopt_release(campaign, olga)
    grey = a_box("Grey Box")
    follow(following(grey, grey.owner, f"release/{row.pk}"), "2")
    grey.refresh_from_db()
    unit_buy(company=grey, by=grey.owner, published="archer")
    adoption_undo(campaign=campaign, by=olga)
    assert versions(campaign) == ["1", "1", "1"]
    grey.refresh_from_db()
    assert grey.catalogue_release == "2"


def test_change_is_final_once_a_round_is_opened(campaign, olga):
    adopt_release(campaign, olga)
    a_round(campaign, opens_at=timezone.now() + timedelta(seconds=1))
    with pytest.raises(RefusedError, match="Round 1 has been published since"):
        adoption_undo(campaign=campaign, by=olga)


def test_player_cannot_change_or_undo_alone(campaign, olga):
    red = campaign.enrolments.first().company
    with pytest.raises(RefusedError, match="plays in Carpet War and changes version when that campaign does"):
        company_adopt(company=red, by=red.owner)
    adopt_release(campaign, olga)
    with pytest.raises(RefusedError, match="The campaign has switched catalogue version"):
        undo_last_act(company=red, by=red.owner)
    assert versions(campaign) == ["2", "2", "2"]


def test_company_accepted_after_its_own_change_stays(campaign, olga):
    adopt_release(campaign, olga)
    green = a_box("Green Box")
    company_adopt(company=green, by=green.owner)
    an_enrolment(campaign, green)
    with pytest.raises(RefusedError, match="plays in Carpet War"):
        undo_last_act(company=green, by=green.owner)


def test_company_in_another_campaign_blocks_the_change(campaign, olga):
    red = campaign.enrolments.first().company
    other = a_campaign(
        campaign.club, system=SLUG, name="Sofa War", catalogue_release="1", options={}, scenarios=SKIRMISH
    )
    an_enrolment(other, red)
    preview = adoption_preview(campaign, "2")
    assert preview.obstacles == ("Red Box also plays in Sofa War, which keeps another version.",)
    with pytest.raises(RefusedError, match="also plays in Sofa War"):
        release_adopt(campaign=campaign, release="2", by=olga, token=preview.token)


def test_blocked_change_gives_its_reason_and_happens_later(campaign, olga):
    planned = adopt_release(campaign, olga, from_day=timezone.localdate() + timedelta(days=2))
    other = a_campaign(
        campaign.club, system=SLUG, name="Sofa War", catalogue_release="1", options={}, scenarios=SKIRMISH
    )
    an_enrolment(other, campaign.enrolments.first().company)
    CatalogueUpgrade.objects.filter(pk=planned.pk).update(from_day=timezone.localdate())
    make_due_adoptions()
    make_due_adoptions()
    planned.refresh_from_db()
    assert (planned.state, planned.waits) == (
        "planned", "Red Box: also in another campaign, which keeps another version."
    )  # fmt: skip
    assert ActivityLogEntry.objects.filter(text__startswith="Catalogue version 2 has to wait").count() == 1
    Campaign.objects.filter(pk=other.pk).update(state="finished")
    make_due_adoptions()
    assert versions(campaign) == ["2", "2", "2"]


# --- the Meks & Mercs misprint ----------------------------------------------------------------------------------------


@pytest.mark.rule("MM-002")
def test_odin_costs_33_points_after_the_change(olga):
    war = a_campaign(a_club(olga), catalogue_release="1", options=ODIN, points=60)
    titan = a_company(release="1")
    a_crewed_unit(titan, "odin")
    an_enrolment(war, titan)
    preview = adoption_preview(war, "2")
    (goes,) = preview.companies
    assert [(unit.design_name, unit.before, unit.after) for unit in goes.change.units] == [("ODIN", 27, 33)]
    assert preview.rules_lost == ("ODIN at its printed points",)
    adopt_release(war, olga)
    war.refresh_from_db()
    assert war.options == {"season-mode": "standing-company"}
    adoption_undo(campaign=war, by=olga)
    war.refresh_from_db()
    assert (war.catalogue_release, war.options) == ("1", ODIN)


@pytest.mark.rule("MM-002")
def test_draft_chooses_its_version_within_its_house_rules(olga):
    club = a_club(olga)
    given = {"club": club, "by": olga, "system": "meks-and-mercs", "points": 60, "scenarios": []}
    with pytest.raises(RefusedError, match="ODIN at its printed points is retired in catalogue version 2"):
        campaign_create(**given, name="Spring War", options={"odin-printed-cost": True})
    war = campaign_create(**given, name="Spring War", options={})
    assert war.catalogue_release == "2"
    with pytest.raises(RefusedError, match="is retired in catalogue version 2"):
        campaign_change(campaign=war, by=olga, options={"odin-printed-cost": True})
    release_choose(campaign=war, release="1", by=olga)
    campaign_change(campaign=war, by=olga, options={"odin-printed-cost": True})
    with pytest.raises(RefusedError, match="is retired in catalogue version 2"):
        release_choose(campaign=war, release="2", by=olga)
    with pytest.raises(RefusedError, match="is a draft, so choose its version directly"):
        release_adopt(campaign=war, release="2", by=olga, token="")
    war.refresh_from_db()
    assert war.catalogue_release == "1"


# --- pages, API, documents --------------------------------------------------------------------------------------------


def post_preview(client, campaign, **given):
    url = reverse("campaigns:campaign_release", args=[campaign.pk])
    campaign.refresh_from_db()
    preview = release_page(campaign).preview
    token = preview.token if preview else ""
    return client.post(url, {"release": "2", "token": token, "when": "now", **given}, follow=True)


def test_page_makes_undoes_plans_and_cancels_a_change(campaign, olga, client):
    assert "now use version 2" in post_preview(client, campaign).content.decode()
    assert versions(campaign) == ["2", "2", "2"]
    answer = client.post(reverse("campaigns:release_undo", args=[campaign.pk]), follow=True)
    assert "Undone. The campaign uses version 1 again." in answer.content.decode()
    planned = post_preview(client, campaign, when="round", from_round="3").content.decode()
    assert "Version 2 is planned" in planned
    answer = client.post(reverse("campaigns:release_cancel", args=[campaign.pk]), follow=True)
    assert "The change to version 2 is cancelled." in answer.content.decode()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"when": "round"}, "Choose a round."),
        ({"when": "day", "from_day": "soon"}, "Enter a valid date."),
        ({"when": "never"}, "not one of the available choices"),
        ({"token": "old"}, "Something has changed since this preview. Check the new one first"),
        ({"release": "7"}, "no catalogue version"),
    ],
)
def test_page_refuses_invalid_input(campaign, olga, client, given, reason):
    answer = post_preview(client, campaign, **given)
    assert answer.status_code == 422
    assert reason in answer.content.decode()
    assert versions(campaign) == ["1", "1", "1"]


def test_draft_page_sets_the_version(olga, client):
    war = a_campaign(a_club(olga), state="draft", system=SLUG, scenarios=SKIRMISH, options={}, catalogue_release="2")
    url = reverse("campaigns:campaign_release", args=[war.pk])
    assert "Use version 1" in client.get(url).content.decode()
    client.post(reverse("campaigns:release_choose", args=[war.pk]), {"release": "1"})
    war.refresh_from_db()
    assert war.catalogue_release == "1"


def test_api_previews_makes_and_undoes_a_change(campaign, olga, client):
    head = {"Authorization": f"Token {a_token(olga)}"}
    url = reverse("api-campaign-release", args=[campaign.pk])
    overview = client.get(url, headers=head).json()
    assert (overview["release"], overview["choices"], overview["preview"]["release"]) == ("1", ["2"], "2")
    assert overview["preview"]["companies"][0]["problems"] == [
        "The company is worth 26 points (including 5 unspent), but Carpet War allows only 20."
    ]
    refused = client.post(url, {"release": "2"}, "application/json", headers=head)
    assert (refused.status_code, versions(campaign)[0]) == (422, "1")
    given = {"release": "2", "token": overview["preview"]["token"]}
    done = client.post(url, given, "application/json", headers=head).json()
    assert (done["release"], done["preview"], done["adoptions"][0]["state"]) == ("2", None, "adopted")
    undone = client.post(reverse("api-campaign-release-undo", args=[campaign.pk]), headers=head).json()
    assert (undone["release"], undone["adoptions"][0]["state"]) == ("1", "undone")
    off = client.post(reverse("api-campaign-release-cancel", args=[campaign.pk]), headers=head)
    assert off.status_code == 422


def test_only_organisers_see_the_page(campaign, client):
    member = a_member(campaign.club)
    client.force_login(member)
    assert client.get(reverse("campaigns:campaign_release", args=[campaign.pk])).status_code == 403


def test_change_notifies_owners_of_accepted_companies_only(campaign, olga):
    asked = an_enrolment(campaign, a_box("Green Box"), state="asked")
    adopt_release(campaign, olga)
    for row in campaign.enrolments.filter(state="accepted").select_related("company__owner"):
        (letter,) = notifications_of(row.company.owner)
        assert describe_notification(letter).text == (
            f"Carpet War now uses catalogue version 2. This changes {row.company.name}."
        )
    assert not notifications_of(asked.company.owner).exists()
