"""The campaign map: neighbours, territories in reach, and changes of owner round by round."""

import pytest
from django.urls import reverse

from campaigns.campaign.services import campaign_change, campaign_create, territories_set
from campaigns.models import Territory
from campaigns.planning.services import match_add, round_plan
from campaigns.starting.services import campaign_create_from_template
from campaigns.territories.selectors import borders, can_reach, map_sheet, neighbours, neighbours_by_shape
from campaigns.territories.services import borders_set
from rosters.models import Company
from rosters.services import RefusedError
from tests.builders import SYSTEM, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_round, an_enrolment

NAMES = ("Ford", "Hill", "Mill", "Quay", "Gate")


def test_zones_and_rings_have_the_right_neighbours():
    zones = neighbours_by_shape("zones", 9)
    assert (zones[1], zones[5], zones[6]) == ({2, 4}, {2, 4, 6, 8}, {3, 5, 9})
    ring = neighbours_by_shape("ring", 5)
    assert (ring[1], ring[3], ring[5]) == ({2, 5}, {2, 4}, {1, 4})


def test_custom_borders_work_both_ways_and_replace_the_shape():
    found = neighbours("ring", {1: [3], 2: [], 3: [], 4: [3], 5: []})
    assert found == {1: {3}, 2: set(), 3: {1, 4}, 4: {3}, 5: set()}


def test_company_attacks_next_to_its_territories():
    ring = neighbours_by_shape("ring", 5)
    assert can_reach((), 4, ring)
    assert [place for place in range(1, 6) if can_reach({1}, place, ring)] == [1, 2, 5]


@pytest.fixture
def organiser(db):
    return a_player("olga")


@pytest.fixture
def campaign(organiser):
    made = a_campaign(a_club(organiser), map_kind="ring", attack_rule="neighbours")
    for at, name in enumerate(NAMES, start=1):
        Territory.objects.create(campaign=made, position=at, name=name)
    return made


def enrol_companies(campaign, *names):
    companies = [Company.objects.create(owner=a_player(), system=SYSTEM, name=name) for name in names]
    return [an_enrolment(campaign, company) for company in companies]


def place(campaign, name):
    return campaign.territories.get(name=name)


def win_territory(campaign, winner, loser, name):
    a_match(
        a_round(campaign, "closed"),
        winner,
        loser,
        territory=place(campaign, name),
        state="confirmed",
        outcome="attacker",
    )


def test_manual_match_needs_a_territory_in_reach(campaign, organiser):
    ants, bees = enrol_companies(campaign, "Ants", "Bees")
    win_territory(campaign, ants, bees, "Ford")
    win_territory(campaign, bees, ants, "Mill")
    row = round_plan(campaign=campaign, by=organiser, way="by-hand")

    def add(name):
        return match_add(round_=row, attacker=ants, defender=bees, by=organiser, territory=place(campaign, name))

    with pytest.raises(RefusedError, match="Mill is out of reach"):
        add("Mill")  # the Bees', and two places from the Ants'
    assert add("Hill").territory.name == "Hill"
    campaign.attack_rule = "free"
    campaign.save()
    assert add("Mill").territory.name == "Mill"


def test_drawn_match_gets_a_territory_in_reach(campaign, organiser):
    ants, bees = enrol_companies(campaign, "Ants", "Bees")
    win_territory(campaign, ants, bees, "Mill")
    win_territory(campaign, bees, ants, "Quay")
    match = round_plan(campaign=campaign, by=organiser, way="swiss").matches.get()
    assert match.territory.name in ("Hill", "Gate")  # beside Mill, or beside Quay
    campaign.territories.update(neighbours=[])
    campaign.territories.filter(name="Ford").update(neighbours=[2])  # nothing else has a border
    campaign.rounds.filter(state="planned").first().matches.all().delete()
    campaign.rounds.filter(state="planned").delete()
    assert round_plan(campaign=campaign, by=organiser, way="swiss").matches.get().territory is None


def a_draft(organiser, **settings):
    made = campaign_create(
        club=a_club(organiser), by=organiser, system=SYSTEM, name="War", points=30, map_kind="ring", **settings
    )
    territories_set(campaign=made, by=organiser, names=["Ford", "Hill", "Mill"])
    return made


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (["Ford", "Hill", "Mill"], True),
        (["Ford", "Tor", "Mill"], True),  # a new name on the same place
        (["Mill", "Hill", "Ford"], False),  # territories that moved would get other territories' borders
        (["Hill", "Mill", "Tor"], False),
        (["Ford", "Hill", "Mill", "Tor"], False),
    ],
)
def test_renaming_keeps_borders_unless_territories_move(organiser, names, kept):
    made = a_draft(organiser)
    borders_set(campaign=made, by=organiser, lines=["Ford: Mill"])
    written = list(made.territories.order_by("position").values_list("neighbours", flat=True))
    territories_set(campaign=made, by=organiser, names=names)
    now = list(made.territories.order_by("position").values_list("neighbours", flat=True))
    assert (now == written) is kept
    assert kept or not any(now)


def test_another_map_shape_resets_borders(organiser):
    made = a_draft(organiser)
    borders_set(campaign=made, by=organiser, lines=["Ford: Mill"])
    campaign_change(campaign=made, by=organiser, map_kind="zones")
    assert not any(made.territories.values_list("neighbours", flat=True))


def test_organiser_sets_borders_by_name(organiser):
    made = a_draft(organiser)
    borders_set(campaign=made, by=organiser, lines=["ford: Mill", "Hill : mill,"])
    assert borders(made) == {"Ford": ("Mill",), "Hill": ("Mill",), "Mill": ("Ford", "Hill")}
    borders_set(campaign=made, by=organiser, lines=[])
    assert borders(made)["Ford"] == ("Hill", "Mill")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["Ford: Moor"], "no territory “Moor”"),
        (["Moor: Ford"], "no territory “Moor”"),
        (["Ford"], "after a colon"),
        (["Ford: Ford"], "can't be its own neighbour"),
        (["Ford: Hill", "ford: Mill"], "two lines"),
    ],
)
def test_invalid_borders_are_refused_whole(organiser, lines, why):
    made = a_draft(organiser)
    with pytest.raises(RefusedError, match=why):
        borders_set(campaign=made, by=organiser, lines=["Hill: Mill", *lines])
    assert not made.territories.exclude(neighbours=[]).exists()


def test_running_campaign_refuses_border_changes(campaign, organiser):
    with pytest.raises(RefusedError, match="can't be changed once the campaign is running"):
        borders_set(campaign=campaign, by=organiser, lines=["Ford: Mill"])


def test_map_shows_changes_of_owner_by_round(client, campaign):
    ants, bees = enrol_companies(campaign, "Ants", "Bees")
    win_territory(campaign, ants, bees, "Ford")
    win_territory(campaign, ants, bees, "Ford")
    win_territory(campaign, bees, ants, "Ford")
    history = [
        (each.number, [(one.territory, one.to, one.before) for one in each.changes])
        for each in map_sheet(campaign).history
    ]
    assert history == [(3, [("Ford", "Bees", "Ants")]), (1, [("Ford", "Ants", "")])]
    html = client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()
    assert "History" in html
    assert "A company can only fight for neighbours of its territories, or anywhere if it holds none" in html


def test_settings_page_saves_borders(client, organiser):
    made = a_draft(organiser)
    client.force_login(organiser)
    page = reverse("campaigns:campaign_settings", args=[made.pk])
    form = client.get(page).context["form"]
    fields = {name: value for name, value in form.initial.items() if value is not None and value is not False}
    fields |= {"scenarios": ["zone-battle"], "borders": "Ford: Mill", "attack_rule": "neighbours"}
    answer = client.post(page, fields)
    assert answer.status_code == 302, answer.context["form"].errors
    made.refresh_from_db()
    assert (made.attack_rule, borders(made)["Hill"]) == ("neighbours", ())
    assert client.get(page).context["form"].initial["borders"] == "Ford: Mill"
    assert client.post(page, {**fields, "borders": "Ford: Moor"}).status_code == 422


def test_copies_and_documents_keep_borders(organiser):
    made = a_draft(organiser, attack_rule="neighbours")
    borders_set(campaign=made, by=organiser, lines=["Ford: Mill"])
    copy = campaign_create_from_template(
        club=made.club, by=organiser, system=SYSTEM, after=f"copy-{made.pk}", begins_mustering=False
    )
    assert (copy.attack_rule, borders(copy)) == ("neighbours", borders(made))


def test_api_renames_territories_and_keeps_borders(client, campaign, organiser):
    campaign.state = "draft"
    campaign.save()
    borders_set(campaign=campaign, by=organiser, lines=["Ford: Mill, Quay"])
    client.force_login(organiser)
    url, json_ = reverse("api-campaign", args=[campaign.pk]), "application/json"
    sent = {"territories": ["Bridge", *NAMES[1:]], "attack_rule": "free", "handicaps": True}
    answer = client.patch(url, sent, json_).json()
    assert (answer["territories"], answer["attack_rule"], answer["handicaps"]) == (["Bridge", *NAMES[1:]], "free", True)
    assert campaign.territories.get(name="Bridge").neighbours == [3, 4]
    client.patch(url, {"territories": [*NAMES, "Sixth"]}, json_)
    assert campaign.territories.get(name="Ford").neighbours == [], "another map has another shape"
    assert client.patch(url, {"attack_rule": "anywhere"}, json_).status_code == 400


def test_api_reads_and_writes_borders_by_name(client, campaign, organiser):
    campaign.state = "draft"
    campaign.save()
    client.force_login(organiser)
    url, json_ = reverse("api-campaign", args=[campaign.pk]), "application/json"
    by_shape = client.get(url).json()["borders"]
    assert set(by_shape) == set(NAMES)
    borders = client.patch(url, {"borders": {"ford": ["Mill", "Quay"]}}, json_).json()["borders"]
    assert borders["Ford"] == ["Mill", "Quay"]
    assert "Ford" in borders["Mill"], "a border is there on both sides"
    assert client.patch(url, {"borders": {}}, json_).json()["borders"] == by_shape
    for wrong, reason in (
        ({"Ford": ["Nowhere"]}, "Nowhere"),
        ({"Ford": []}, "neighbours of Ford"),
        ({"Ford": ["Ford"]}, "can't be its own neighbour"),
        ({"Ford": ["Mill"], "ford": ["Quay"]}, "two lines"),
    ):
        answer = client.patch(url, {"borders": wrong, "about": "Changed"}, json_)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "borders")
        assert reason in answer.json()["errors"][0]["reason"]
        assert client.get(url).json()["borders"] == by_shape
    assert client.patch(url, {"map_kind": "none", "borders": {"Ford": ["Mill"]}}, json_).status_code == 422
    campaign.state = "running"
    campaign.save()
    answer = client.patch(url, {"borders": {"Ford": ["Mill"]}}, json_)
    assert (answer.status_code, answer.json()["errors"][0]["reason"]) == (
        422,
        "The map can't be changed once the campaign is running.",
    )
