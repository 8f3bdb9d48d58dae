"""Phases of a campaign: named groups of rounds with a text, shown wherever rounds are."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from campaigns.campaign.phases import phase_add, phase_change, phase_remove, phases_of
from campaigns.gazette.content import gazette_content
from campaigns.models import ActivityLogEntry
from campaigns.starting.services import campaign_create_from_template
from rosters.services import RefusedError
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_round, an_enrolment
from tests.campaigns.gazettes import close_round, forfeit_match
from tests.test_edit_conflicts import check_reread, form_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(client):
    olga = a_player("olga")
    client.force_login(olga)
    return olga


@pytest.fixture
def campaign(olga):
    return a_campaign(a_club(olga))


def name_phases(campaign, olga, *phases):
    return [phase_add(campaign=campaign, name=name, first_round=first, by=olga) for first, name in phases]


def rounds(campaign):
    return {each.name: each.rounds for each in phases_of(campaign)}


def test_phase_lasts_until_the_next_begins(campaign, olga):
    name_phases(campaign, olga, (4, "The Siege"), (1, "The Thaw"), (5, "The Finals"))
    assert rounds(campaign) == {
        "The Thaw": "rounds 1 to 3", "The Siege": "round 4", "The Finals": "from round 5",
    }  # fmt: skip
    assert ActivityLogEntry.objects.first().text == "Added the phase The Finals to Spring War, from round 5"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": "", "first_round": 3}, "name"),
        ({"name": "The Thaw", "first_round": 3}, "name"),
        ({"name": "x" * 61, "first_round": 3}, "name"),
        ({"name": "Siege", "first_round": 1}, "first_round"),
        ({"name": "Siege", "first_round": 0}, "first_round"),
        ({"name": "Siege", "first_round": 1000}, "first_round"),
        ({"name": "Siege", "first_round": 3, "text": "x" * 2001}, "text"),
    ],
)
def test_invalid_phase_is_refused_at_its_field(campaign, olga, given, field):
    name_phases(campaign, olga, (1, "The Thaw"))
    with pytest.raises(RefusedError) as refused:
        phase_add(campaign=campaign, by=olga, **given)
    assert refused.value.field == field
    assert rounds(campaign) == {"The Thaw": "from round 1"}


def test_played_rounds_stay_in_their_phase(campaign, olga):
    thaw, siege = name_phases(campaign, olga, (1, "The Thaw"), (2, "The Siege"))
    a_round(campaign, "closed")
    for act in (
        lambda: phase_remove(phase=thaw, by=olga),
        lambda: phase_change(phase=thaw, name="The Thaw", text="", first_round=2, by=olga),
        lambda: phase_change(phase=siege, name="The Siege", text="", first_round=1, by=olga),
    ):
        with pytest.raises(RefusedError):
            act()
    phase_change(phase=thaw, name="The Melt", text="Mud.", first_round=1, by=olga)
    phase_change(phase=siege, name="The Siege", text="", first_round=3, by=olga)
    assert rounds(campaign) == {"The Melt": "rounds 1 to 2", "The Siege": "from round 3"}
    phase_remove(phase=siege, by=olga)
    assert rounds(campaign) == {"The Melt": "from round 1"}


def test_past_rounds_can_be_named_until_the_campaign_ends(campaign, olga):
    a_round(campaign, "closed")
    name_phases(campaign, olga, (1, "The Thaw"))
    campaign.state = "finished"
    campaign.save()
    with pytest.raises(RefusedError, match="finished"):
        name_phases(campaign, olga, (2, "Too late"))


def test_pages_and_gazette_name_the_phase(client, campaign, olga):
    thaw, _ = name_phases(campaign, olga, (1, "The Thaw"), (2, "The Siege"))
    phase_change(phase=thaw, name="The Thaw", text="Mud to the <knees>.", first_round=1, by=olga)
    match = a_match(a_round(campaign), an_enrolment(campaign), an_enrolment(campaign))
    forfeit_match(match)
    close_round(match.round)
    overview = client.get(reverse("campaigns:campaign", args=[campaign.pk])).content.decode()
    assert "Mud to the &lt;knees&gt;." in overview
    assert overview.index("The Siege") < overview.index("The Thaw") < overview.index("/rounds/1/")
    assert "The Thaw" in client.get(reverse("campaigns:round", args=[campaign.pk, 1])).content.decode()
    standings = client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()
    assert '?after=1"' in standings[standings.index("After which phase") :]
    assert "The Siege" not in standings[standings.index("After which phase") :]
    assert gazette_content(match.round).phase == "The Thaw"
    gazette = client.get(reverse("campaigns:gazette", args=[campaign.pk, 1])).content.decode()
    assert "The Thaw, round 1" in gazette


def test_copies_and_documents_keep_phases(campaign, olga):
    name_phases(campaign, olga, (1, "The Thaw"), (4, "The Siege"))
    copy = campaign_create_from_template(
        club=campaign.club, by=olga, system=campaign.system, after=f"copy-{campaign.pk}", begins_mustering=False
    )
    assert rounds(copy) == rounds(campaign)


def test_organiser_adds_changes_and_removes_phases(client, campaign, olga):
    url = reverse("campaigns:phases", args=[campaign.pk])
    assert "No phases yet" in client.get(url, follow=True).content.decode()
    client.post(url, {"name": "The Thaw", "first_round": "1", "text": "Mud."})
    wrong = client.post(url, {"name": "The Thaw", "first_round": "2"})
    assert (
        wrong.status_code,
        "There is already a phase of that name. Choose another name" in wrong.content.decode(),
    ) == (422, True)
    phase = campaign.phases.get()
    page = reverse("campaigns:phase", args=[campaign.pk, phase.pk])
    client.post(page, form_on(client.get(page, follow=True), page) | {"name": ["The Melt"]})
    assert campaign.phases.get().name == "The Melt"
    client.post(reverse("campaigns:phase_remove", args=[campaign.pk, phase.pk]))
    assert not campaign.phases.exists()


def test_change_to_a_removed_phase_is_refused(campaign, olga):
    (thaw,) = name_phases(campaign, olga, (1, "The Thaw"))
    phase_remove(phase=thaw, by=olga)
    thaw.pk = 999_999
    with pytest.raises(RefusedError, match="Somebody else has removed this phase"):
        phase_change(phase=thaw, name="Thaw", text="", first_round=1, by=olga)


def test_outdated_phase_change_is_refused_and_kept(client, campaign, olga):
    (phase,) = name_phases(campaign, olga, (1, "The Thaw"))
    page = reverse("campaigns:phase", args=[campaign.pk, phase.pk])
    old = form_on(client.get(page, follow=True), page) | {"name": ["Mine"]}
    phase_change(phase=phase, name="Theirs", text="", first_round=1, by=olga)
    check_reread(client, page, old, "Changed meanwhile to “Theirs”. Save again to replace that")
    assert campaign.phases.get().name == "Theirs"


def test_api_adds_changes_and_removes_phases(client, campaign, olga):
    def ask(method, route, *args, by=olga, expects, **body):
        head = {"Authorization": f"Token {a_token(by)}"}
        url = reverse(route, args=args)
        answer = client.generic(method, url, json.dumps(body), content_type="application/json", headers=head)
        assert answer.status_code == expects, answer.content
        return answer.json() if answer.content else None

    made = ask("POST", "api-phases", campaign.pk, expects=201, name="The Thaw", first_round=1)
    assert made == {"id": made["id"], "name": "The Thaw", "text": "", "first_round": 1, "last_round": None}
    at = (campaign.pk, made["id"])
    assert ask("PATCH", "api-phase", *at, expects=200, text="Mud.")["text"] == "Mud."
    assert ask("PATCH", "api-phase", *at, expects=400, first_round="1")["errors"][0]["field"] == "first_round"
    player = an_enrolment(campaign).company.owner
    ask("PATCH", "api-phase", *at, by=player, expects=403, name="Mine")
    assert [each["name"] for each in ask("GET", "api-phases", campaign.pk, by=player, expects=200)] == ["The Thaw"]
    ask("DELETE", "api-phase", *at, expects=204)
    ask("GET", "api-phase", *at, expects=404)
