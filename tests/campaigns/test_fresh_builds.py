"""Fresh lists for each match in the printed order: pilots, support roll, purchase, submission."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.army_lists import purchases
from campaigns.army_lists.services import (
    MAX_SAVED,
    list_hash,
    list_submit,
    list_submit_by_orders,
    list_withdraw,
    preparation_roll,
    saved_list_save,
)
from campaigns.dice import match_dice_replace
from campaigns.enrolments.selectors import enrolment_check
from campaigns.hall_of_fame.history import match_history_of
from campaigns.models import ActivityLogEntry, DecidedBy, Match, MatchPreparation, MatchState, Outcome, SavedList
from campaigns.results.decisions import match_settle_report, match_settle_unfought
from campaigns.results.services import match_reveal_lists, report_make
from campaigns.starting.services import campaign_create_from_template
from rosters.ledger.records import company_record, differences
from rosters.models import Design
from rosters.services import RefusedError, companies, pilot_hire
from systems import roster_rules
from systems.engine.dice import ScriptedDice
from tests.builders import a_company, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import CASCADE, COMPENSATE, LOST, Faces, correct_match, report
from tests.campaigns.fresh_builds import FRESH_BUILD, a_fresh_match, a_purchase, fix_support_dice, preparation_of

pytestmark = pytest.mark.django_db
OPENING = [
    a_purchase("viper", "regular"),
    a_purchase("wasp"),
    a_purchase("wasp"),
]  # 12 + 9 + 9 = 30 of 30; all three pilots are free


def owner_of(match, side):
    return (match.attacker, match.defender)[side].company.owner


def submit_purchases(match, side, buys, doctrine="aggressive", **more):
    preparation_roll(match=match, side=side, by=owner_of(match, side))
    return list_submit(match=match, side=side, buys=buys, doctrine=doctrine, by=owner_of(match, side), **more)


def reveal_lists(monkeypatch, scenario="opening-shots", buys=(OPENING, OPENING), faces=(1, 3)):
    match = a_fresh_match(scenario)
    for side in range(2):
        fix_support_dice(monkeypatch, *faces)
        match = submit_purchases(match, side, buys[side])
    assert match.setup is not None
    return match


@pytest.mark.rule("MM-010", "MM-011", "MM-012")
def test_opening_shots_has_free_pilots_and_thirty_points(monkeypatch):
    match = reveal_lists(monkeypatch)
    (attacker, defender) = match.setup["sides"]
    assert [(unit["key"], unit["name"], unit["pilot"]["experience"]) for unit in attacker["units"]] == [
        ("a1", "VIPER", "regular"),
        ("a2", "WASP", "green"),
        ("a3", "WASP 2", "green"),
    ]
    assert (attacker["support"], defender["support"]) == (["surprise"], ["surprise"])
    pilots = company_record(match.attacker.company).pilots
    assert [(each.name, each.experience, each.paid) for each in pilots.values()] == [
        ("Pilot of VIPER", "regular", 0),
        ("Pilot of WASP", "green", 0),
        ("Pilot of WASP 2", "green", 0),
    ]
    assert not match.attacker.company.units.exists()
    assert list(match.forces[0].values()) == [{"unit": None, "pilot": pk} for pk in pilots]


@pytest.mark.rule("MM-087")
def test_rich_uncle_pays_before_units_are_bought(monkeypatch):
    match = a_fresh_match("hot-gates")
    fix_support_dice(monkeypatch, 3, 6, 4)  # table B, entry 6, and the uncle's die
    preparation_roll(match=match, side=0, by=owner_of(match, 0))
    assert (preparation_of(match).support, preparation_of(match).rolled) == (["rich-uncle"], {"rich-uncle": [4]})
    buys = [a_purchase("draken"), a_purchase("demon"), a_purchase("demon")]  # 24 + 15 + 15 = 54 of 50 + 4
    match = list_submit(match=match, side=0, buys=buys, doctrine="aggressive", by=owner_of(match, 0))
    dearer = [a_purchase("draken", "regular"), a_purchase("demon"), a_purchase("demon")]
    with pytest.raises(RefusedError, match="costs 59 points; At the Hot Gates allows 54") as caught:
        list_submit(match=match, side=0, buys=dearer, doctrine="aggressive", by=owner_of(match, 0))
    assert caught.value.field == "buys"
    fix_support_dice(monkeypatch, 1, 3, 1, 3, 1, 3)
    match = submit_purchases(
        match, 1, [a_purchase("draken", "regular"), a_purchase("wasp", "regular")]
    )  # 24 + 9 + 5 + 5 = 43 of 50
    assert match.setup["sides"][0]["rolled"] == {"rich-uncle": [4]}
    assert match.setup["sides"][1]["support"] == ["surprise"] * 3


@pytest.mark.rule("MM-010")
@pytest.mark.parametrize(
    ("buys", "reason"),
    [
        (
            [a_purchase("viper"), a_purchase("wasp")],
            "played with 1 Medium and 2 Light; the company has 1 Light and 1 Medium",
        ),
        ([a_purchase("demon"), a_purchase("wasp"), a_purchase("wasp")], "costs 33 points; Opening Shots allows 30"),
        (
            [a_purchase("draken"), a_purchase("wasp"), a_purchase("wasp")],
            "is Heavy; Opening Shots allows Medium at most",
        ),
        ([a_purchase("viper", "regular"), a_purchase("wasp", "regular"), a_purchase("wasp")], "costs 35 points"),
        ([a_purchase("viper", "elite")], "needs one of the company's pilots, or a hired one"),
        ([a_purchase("battlecruiser")], "no published design"),
        ([a_purchase({"chassis": "light", "weapons": ["ppc"], "systems": []})], "no huge mount"),
        ([], "at least one unit"),
        ([a_purchase("wasp")] * 31, "at most 30 units"),
    ],
)
def test_force_over_the_scenario_limits_is_refused(monkeypatch, buys, reason):
    match = a_fresh_match()
    fix_support_dice(monkeypatch, 1, 3)  # no Rich Uncle
    with pytest.raises(RefusedError, match=reason):
        submit_purchases(match, 0, buys)
    assert not match.sealed.exists()


def test_retired_parts_cannot_be_bought(monkeypatch):
    match = a_fresh_match()
    game = type(roster_rules("meks-and-mercs"))
    monkeypatch.setattr(game, "retired_in", lambda _, spec: ("Light chassis",) if spec.chassis == "light" else ())
    fix_support_dice(monkeypatch, 1, 3)
    with pytest.raises(RefusedError, match="Light chassis is retired in catalogue version .") as caught:
        submit_purchases(match, 0, OPENING)
    assert caught.value.field == "buys"


def test_purchase_needs_one_support_roll():
    match = a_fresh_match()
    with pytest.raises(RefusedError, match="roll for support first"):
        list_submit(match=match, side=0, buys=OPENING, doctrine="aggressive", by=owner_of(match, 0))
    preparation_roll(match=match, side=0, by=owner_of(match, 0))
    before = preparation_of(match).rolls
    with pytest.raises(RefusedError, match="You have already rolled for support, and the roll can't be changed"):
        preparation_roll(match=match, side=0, by=owner_of(match, 0))
    list_submit(match=match, side=0, buys=OPENING, doctrine="aggressive", by=owner_of(match, 0))
    list_withdraw(match=match, side=0, by=owner_of(match, 0))
    with pytest.raises(RefusedError, match="You have already rolled for support, and the roll can't be changed"):
        preparation_roll(match=match, side=0, by=owner_of(match, 0))
    assert preparation_of(match).rolls == before


@pytest.mark.rule("MM-075")
def test_log_hero_adds_a_roll_and_keeps_the_result(monkeypatch):
    match = a_fresh_match("head-to-head")
    company = match.attacker.company
    hero = pilot_hire(company=company, by=company.owner, name="Hero", experience="regular")
    monkeypatch.setattr(
        "campaigns.army_lists.purchases.crew_document",
        lambda pilot: {"experience": "regular", "skills": ["log-hero"], "is_new": False},
    )
    fix_support_dice(monkeypatch, 1, 3, 1, 6)
    row = preparation_roll(match=match, side=0, by=company.owner, pilots=[hero.pk])
    assert row.support == ["surprise", "minefield"]
    monkeypatch.undo()
    list_submit(match=match, side=0, buys=[a_purchase("wasp")], doctrine="aggressive", by=company.owner)
    match = submit_purchases(match, 1, [a_purchase("wasp")])
    assert match.setup["sides"][0]["support"] == ["surprise"]


def test_pilot_absent_from_the_support_roll_cannot_fly():
    match = a_fresh_match("head-to-head")
    company = match.attacker.company
    late = pilot_hire(company=company, by=company.owner, name="Late", experience="green")
    preparation_roll(match=match, side=0, by=company.owner, pilots=[])
    buys = [{"design": "wasp", "pilot": late.pk}]
    with pytest.raises(RefusedError, match="Late wasn't among the pilots you chose"):
        list_submit(match=match, side=0, buys=buys, doctrine="aggressive", by=company.owner)


@pytest.mark.rule("MM-S06", "MM-099", "MM-100")
def test_pilots_and_their_careers_stay_and_meks_do_not(monkeypatch):
    match = reveal_lists(monkeypatch)
    units = {
        "a1": {"kills": 2},
        "b1": {"destroyed": True, "fate": "killed"},
        "b2": {"destroyed": True, "fate": "injured"},
    }
    report = {"muster": "report/1", "winner": "attacker", "rounds": 5, "units": units}
    for side in range(2):
        match = report_make(match=match, side=side, content=report, by=owner_of(match, side))
    assert match.state == MatchState.CONFIRMED
    ants, bees = (company_record(side.company) for side in (match.attacker, match.defender))
    assert [(each.kills, each.games, each.experience) for each in ants.pilots.values()] == [
        (2, 1, "regular"),
        (0, 1, "regular"),
        (0, 1, "regular"),
    ]
    assert [each.status for each in bees.pilots.values()] == ["dead", "wounded", "active"]
    assert (ants.won, bees.lost, ants.units, bees.units) == (1, 1, {}, {})
    assert ants.balance == 60
    game = match.attacker.company.ledger.get(kind="game")
    assert game.facts["bought"] == [["VIPER", 12], ["WASP", 9], ["WASP 2", 9]]
    assert match.figures == {"destroyed": [2, 0], "lost": [0, 2], "destroyed_points": [21, 0], "margin": [21]}
    for side in (match.attacker, match.defender):
        assert list(differences(side.company)) == []


def test_chronicle_counts_pilots_in_fresh_units(monkeypatch, client):
    test_pilots_and_their_careers_stay_and_meks_do_not(monkeypatch)
    club = Match.objects.get().round.campaign.club
    chronicle = match_history_of(club.pk)
    (game,) = chronicle.games
    assert [
        [(each.unit, each.unit_name, each.pilot_name, each.kills) for each in part.deeds] for part in game.parts
    ] == [
        [
            (None, "VIPER", "Pilot of VIPER", 2),
            (None, "WASP", "Pilot of WASP", 0),
            (None, "WASP 2", "Pilot of WASP 2", 0),
        ],
        [
            (None, "VIPER", "Pilot of VIPER", 0),
            (None, "WASP", "Pilot of WASP", 0),
            (None, "WASP 2", "Pilot of WASP 2", 0),
        ],
    ]
    assert [(each.is_lost, each.is_dead, each.is_hurt) for each in game.parts[1].deeds] == [
        (True, True, False), (True, False, True), (False, False, False),
    ]  # fmt: skip
    assert {award.to.kind for award in chronicle.awards} <= {"pilot", "company"}
    assert "Pilot of VIPER" in client.get(reverse("campaigns:club_hall_of_fame", args=[club.slug])).content.decode()


def test_dead_and_wounded_pilots_miss_the_next_match(monkeypatch):
    test_pilots_and_their_careers_stay_and_meks_do_not(monkeypatch)
    first = Match.objects.get()
    match = a_match(
        a_round(first.round.campaign), first.attacker, first.defender,
        scenario="head-to-head", scenario_name="Head to Head", terrain="printed",
    )  # fmt: skip
    row = preparation_roll(match=match, side=1, by=owner_of(match, 1))
    record = company_record(match.defender.company)
    assert [record.pilots[pk].name for pk in row.pilots] == ["Pilot of WASP 2"]
    wounded = next(each for each in record.pilots.values() if each.status == "wounded")
    buys = [{"design": "wasp", "pilot": wounded.id}]
    with pytest.raises(RefusedError, match="wounded and misses the next game"):
        list_submit(match=match, side=1, buys=buys, doctrine="aggressive", by=owner_of(match, 1))


def test_list_is_hidden_and_its_hash_kept(monkeypatch, client):
    match = a_fresh_match()
    fix_support_dice(monkeypatch, 3, 6, 4)
    match = submit_purchases(match, 0, OPENING)
    row = match.sealed.get()
    assert row.hash == list_hash(row.salt, row.document)
    for reader in (None, owner_of(match, 1)):
        client.logout()
        if reader:
            client.force_login(reader)
        for url in (f"/matches/{match.key}/", f"/api/v1/matches/{match.key}/", f"/api/v1/matches/{match.key}/forces/"):
            html = client.get(url).content.decode()
            assert "VIPER" not in html
            assert "Rich Uncle" not in html
            assert "rich-uncle" not in html
    assert not match.support_rolls.exists()


def test_revealed_list_cannot_be_changed(monkeypatch):
    match = reveal_lists(monkeypatch)
    with pytest.raises(RefusedError, match="already revealed"):
        list_submit(match=match, side=0, buys=OPENING, doctrine="cautious", by=owner_of(match, 0))
    with pytest.raises(RefusedError, match="already revealed"):
        preparation_roll(match=match, side=0, by=owner_of(match, 0))
    assert [made.result for made in match.support_rolls.order_by("side")] == ["surprise", "surprise"]
    for row in match.preparations.select_related("dice"):
        assert row.dice.revealed_at is not None


def test_absent_side_gets_a_list_by_orders(monkeypatch):
    match = a_fresh_match("citadel")
    fix_support_dice(monkeypatch, 3, 6, 2)
    submit_purchases(match, 0, [a_purchase("thor"), a_purchase("warthog")])
    match.round.deadline = timezone.now() - timedelta(hours=1)
    match.round.save()
    fix_support_dice(monkeypatch, 1, 3)
    match = match_reveal_lists(match=match, side=0, by=owner_of(match, 0))
    theirs = match.setup["sides"][1]["units"]
    assert theirs
    assert len(company_record(match.defender.company).pilots) == len(theirs)
    assert MatchPreparation.objects.filter(match=match).exclude(rolled_at=None).count() == 2


@pytest.mark.parametrize("scenario", ["opening-shots", "hot-gates", "buying-time", "breach", "head-to-head", "citadel"])
def test_orders_field_a_legal_force_in_every_scenario(scenario):
    match = a_fresh_match(scenario)
    for side in range(2):
        match = list_submit_by_orders(match=match, side=side, by=owner_of(match, side))
    assert match.setup is not None


def test_hiring_respects_the_roster_limit(monkeypatch):
    match = a_fresh_match()
    monkeypatch.setattr(companies, "MAX_PILOTS", 2)
    monkeypatch.setattr(purchases, "MAX_PILOTS", 2)
    fix_support_dice(monkeypatch, 1, 3)
    with pytest.raises(
        RefusedError, match="A company can have at most 2 pilots. You can hire 2 more, but these units need 3"
    ):
        submit_purchases(match, 0, OPENING)
    assert not match.sealed.exists()
    with pytest.raises(RefusedError, match="No ready-made list"):
        list_submit_by_orders(match=match, side=1, by=owner_of(match, 1))
    company = match.defender.company
    own = [pilot_hire(company=company, by=company.owner, name=name, experience="green") for name in ("One", "Two")]
    monkeypatch.setattr(companies, "MAX_PILOTS", 3)
    monkeypatch.setattr(purchases, "MAX_PILOTS", 3)
    match = list_submit_by_orders(match=match, side=1, by=owner_of(match, 1))
    crews = [buy["pilot"] for buy in match.sealed.get().document["buys"]]
    assert sorted(crews, key=str) == sorted([*(pilot.pk for pilot in own), None], key=str)


def test_list_without_room_for_its_hires_is_voided(monkeypatch):
    match = a_fresh_match()
    fix_support_dice(monkeypatch, 1, 3)
    submit_purchases(match, 0, OPENING)
    company = match.attacker.company
    for name in ("One", "Two"):
        pilot_hire(company=company, by=company.owner, name=name, experience="green")
    monkeypatch.setattr(companies, "MAX_PILOTS", 4)
    monkeypatch.setattr(purchases, "MAX_PILOTS", 4)
    fix_support_dice(monkeypatch, 1, 3)
    match = submit_purchases(match, 1, OPENING)
    assert (match.setup, match.flag) == (None, "")
    assert list(match.sealed.filter(fell="").values_list("side", flat=True)) == [1]
    assert "A company can have at most 4 pilots" in match.sealed.get(side=0).fell


def test_units_are_submitted_or_bought_by_season_mode():
    standing = a_match()
    with pytest.raises(RefusedError, match="companies keep their units, so you don't buy units for a match"):
        list_submit(match=standing, side=0, buys=OPENING, doctrine="aggressive", by=owner_of(standing, 0))
    with pytest.raises(RefusedError, match="companies keep their units, so there is no roll before a match"):
        preparation_roll(match=standing, side=0, by=owner_of(standing, 0))
    campaign = a_campaign(standing.round.campaign.club, name="Book", options=FRESH_BUILD)
    own = an_enrolment(campaign, a_mustered_company())
    match = a_match(a_round(campaign), own, an_enrolment(campaign))
    units = list(own.company.units.values_list("pk", flat=True))
    with pytest.raises(RefusedError, match="you buy units for each match, so you can't use your company's units"):
        list_submit(match=match, side=0, units=units, doctrine="aggressive", by=own.company.owner)


def test_player_saves_and_replaces_forces():
    player = a_player()
    saved_list_save(player=player, system="meks-and-mercs", name="Three", designs=[{"design": "wasp"}])
    saved_list_save(player=player, system="meks-and-mercs", name="Three", designs=[{"design": "viper", "name": "Asp"}])
    assert SavedList.objects.get().designs == [{"design": "viper", "name": "Asp"}]
    with pytest.raises(RefusedError, match="no published design"):
        saved_list_save(player=player, system="meks-and-mercs", name="None", designs=[{"design": "nothing"}])
    SavedList.objects.bulk_create(
        SavedList(player=player, system="meks-and-mercs", name=f"{at}", designs=[]) for at in range(MAX_SAVED - 1)
    )
    with pytest.raises(RefusedError, match="at most"):
        saved_list_save(player=player, system="meks-and-mercs", name="One more", designs=[{"design": "wasp"}])


def test_forfeited_match_keeps_hired_pilots_only(monkeypatch):
    match = reveal_lists(monkeypatch)
    match = match_settle_unfought(
        match=match, state=MatchState.FORFEITED, outcome=Outcome.ATTACKER, decided_by=DecidedBy.ORGANISER, by=None
    )
    record = company_record(match.attacker.company)
    assert (len(record.pilots), record.units, record.games) == (3, {}, 0)


@pytest.mark.parametrize("mode", [COMPENSATE, CASCADE])
def test_correction_recalculates_pilots_of_fresh_units(monkeypatch, mode):
    match = reveal_lists(monkeypatch)
    faces = Faces(monkeypatch)
    faces.fix(match, 1, 1, 1, 1, 1, 1)
    match = match_settle_report(
        match=match, report=report(match, "attacker", attacker={0: {"kills": 1}}, defender={1: LOST}),
        state=MatchState.CONFIRMED, decided_by=DecidedBy.AGREEMENT, by=None,
    )  # fmt: skip
    arbiter = match.round.campaign.club.memberships.first().player
    correct_match(match, report(match, "defender", attacker={1: LOST}, defender={2: {"kills": 1}}), mode, arbiter)
    ants, bees = (company_record(side.company) for side in (match.attacker, match.defender))
    assert [(each.kills, each.games) for each in ants.pilots.values()] == [(0, 1), (0, 1), (0, 1)]
    assert [each.status for each in ants.pilots.values()] == ["active", "dead", "active"]
    assert [(each.kills, each.games) for each in bees.pilots.values()] == [(0, 1), (0, 1), (1, 1)]
    match.refresh_from_db()
    correct_match(match, None, mode, arbiter)
    for side in (match.attacker, match.defender):
        pilots = company_record(side.company).pilots.values()
        assert [(each.status, each.kills, each.games) for each in pilots] == [("active", 0, 0)] * 3
        assert list(differences(side.company)) == []


# --- support orders ---


@pytest.mark.rule("MM-014", "MM-081")
def test_support_orders_are_submitted_and_used(monkeypatch):
    match = a_fresh_match()
    fix_support_dice(monkeypatch, 1, 6)
    preparation_roll(match=match, side=1, by=owner_of(match, 1))

    def submit(orders):
        return list_submit(
            match=match, side=1, buys=OPENING, doctrine="cautious", orders=orders, by=owner_of(match, 1)
        )  # fmt: skip

    for orders, reason in (
        ({"minefield": {"zone": 12}}, "orders.minefield.zone: must be a whole number from 1 to 9"),
        ({"hidden-mek": {"unit": "b1"}}, "no such support to order"),
    ):
        with pytest.raises(RefusedError, match=reason) as caught:
            submit(orders)
        assert caught.value.field == "orders"
    submit({"minefield": {"zone": 6}})
    row = match.sealed.get()
    assert row.hash == list_hash(row.salt, row.document)
    assert row.document["orders"] == {"minefield": {"zone": 6}}
    fix_support_dice(monkeypatch, 1, 3)
    opened = submit_purchases(match, 0, OPENING)
    assert opened.setup["sides"][1]["orders"] == {"minefield": {"zone": 6}}
    assert "orders" not in opened.setup["sides"][0]


def test_support_orders_without_their_support_are_dropped(monkeypatch):
    campaign = a_campaign(scenarios=[{"value": "head-to-head", "name": "Head to Head"}])
    match = a_match(
        a_round(campaign), *[an_enrolment(campaign) for _ in range(2)],
        scenario="head-to-head", scenario_name="Head to Head", terrain="printed",
    )  # fmt: skip
    units = list(match.attacker.company.units.values_list("pk", flat=True))
    orders = {"minefield": {"zone": 6}, "hidden-mek": {"unit": f"u{units[0]}"}}
    list_submit(match=match, side=0, units=units, orders=orders, doctrine="aggressive", by=owner_of(match, 0))
    monkeypatch.setattr("campaigns.army_lists.services.SeededDice", lambda seed: ScriptedDice([1, 6, 1, 3]))
    theirs = list(match.defender.company.units.values_list("pk", flat=True))
    match = list_submit(match=match, side=1, units=theirs, doctrine="aggressive", by=owner_of(match, 1))
    assert match.setup["sides"][0]["orders"] == {"minefield": {"zone": 6}}


def test_page_asks_for_orders_of_rolled_support(monkeypatch, client):
    match = a_fresh_match()
    client.force_login(owner_of(match, 0))
    url = f"/matches/{match.key}/forces/"
    fix_support_dice(monkeypatch, 2, 1)  # table A, entry 1: Ambush
    client.post(url, {"act": "roll"})
    answer = client.get(f"{url}?force=published:first-contract")
    assert "Ambushing Mek" in answer.content.decode()
    start = form_data(answer)
    start["design_4"], start["seat_4"], start["design_2"] = (
        start["design_2"],
        "hire:green",
        "",
    )  # the second row is empty
    client.post(f"{url}?force=published:first-contract", {**start, "order-ambush-unit": "4"})
    assert match.sealed.get().document["orders"] == {"ambush": {"unit": "a3"}}
    again = client.get(url).context["form"]
    assert again["order-ambush-unit"].value() == "3"


def test_autoplay_orders_stay_with_their_unit_row(monkeypatch, client):
    match = a_fresh_match()
    client.force_login(owner_of(match, 0))
    url = f"/matches/{match.key}/forces/"
    fix_support_dice(monkeypatch, 2, 1)
    client.post(url, {"act": "roll"})
    url = f"{url}?force=published:first-contract"
    start = form_data(client.get(url))
    start["design_4"], start["seat_4"], start["design_2"] = (
        start["design_2"],
        "hire:green",
        "",
    )  # the second row is empty
    to_nobody = client.post(url, {**start, "standing-1-who": "2", "standing-1-what": "retreat:2"})
    assert "has autoplay orders but isn&#x27;t chosen. Choose it, or remove its orders" in to_nobody.content.decode()
    assert not match.sealed.exists()
    client.post(url, {**start, "standing-1-who": "4", "standing-1-what": "retreat:2"})
    assert match.sealed.get().document["standing"] == {"3": {"retreat": 2}}
    again = client.get(url.partition("?")[0]).context["form"].standing
    assert (again["1-who"].value(), again["1-what"].value()) == ("3", "retreat:2")


# --- page and API -----------------------------------------------------------------------------------------------------


def form_data(response, **values):
    """Return the purchase form's fields as the page shows them, with these changes."""
    form = response.context["form"]
    initial = {field.name: field.value() or "" for field in form}
    return {**initial, "act": "seal", "doctrine": "aggressive", **values}


def test_page_rolls_shows_problems_and_submits(monkeypatch, client):
    match = a_fresh_match()
    client.force_login(owner_of(match, 0))
    url = f"/matches/{match.key}/forces/"
    assert "Roll for support" in client.get(url).content.decode()
    fix_support_dice(monkeypatch, 1, 3)
    rolled = client.post(url, {"act": "roll"}, follow=True)
    assert "Surprise" in rolled.content.decode()
    start, url = form_data(client.get(f"{url}?force=published:first-contract")), f"{url}?force=published:first-contract"
    dear = client.post(f"{url}&part=tally", {**start, "design_2": "demon"}).content.decode()
    assert "is played with 1 Medium and 2 Light" in dear
    refused = client.post(url, {**start, "design_2": "demon"})
    assert refused.status_code == 422
    assert not match.sealed.exists()
    done = client.post(url, {**start, "keep_as": "The three"})
    assert done.status_code == 302, done.context["form"].errors
    assert [buy["design"] for buy in match.sealed.get().document["buys"]] == ["viper", "wasp", "wasp"]
    assert [each["design"] for each in SavedList.objects.get().designs] == ["viper", "wasp", "wasp"]
    again = client.get(f"{url[: url.index('?')]}?force=saved:{SavedList.objects.get().pk}").content.decode()
    assert "The three" in again
    client.post(url, {"act": "drop", "saved": SavedList.objects.get().pk})
    assert not SavedList.objects.exists()


def test_player_buys_only_their_own_designs(monkeypatch, client):
    match = a_fresh_match("head-to-head")
    owner = owner_of(match, 0)
    spec = {"chassis": "light", "weapons": ["rail-cannon"], "systems": []}
    own = Design.objects.create(author=owner, system="meks-and-mercs", name="Gnat", spec=spec)
    theirs = Design.objects.create(author=a_player(), system="meks-and-mercs", name="Moth", spec=spec)
    client.force_login(owner)
    url = f"/matches/{match.key}/forces/"
    fix_support_dice(monkeypatch, 1, 3)
    start = form_data(client.post(url, {"act": "roll"}, follow=True))
    bare = {name: "" for name in start if name.startswith("design_")}
    assert client.post(url, {**start, **bare, "design_1": f"own:{theirs.pk}"}).status_code == 422
    client.post(url, {**start, **bare, "design_1": f"own:{own.pk}"})
    (buy,) = match.sealed.get().document["buys"]
    assert (buy["name"], buy["design"]) == ("Gnat", spec)
    own.delete()
    kept = client.get(url).content.decode()
    assert "Gnat" in kept


def test_api_rolls_and_buys_by_the_same_rules(monkeypatch, client):
    match = a_fresh_match("hot-gates")
    client.force_login(owner_of(match, 0))
    muster, forces = (f"/api/v1/matches/{match.key}/{name}/" for name in ("muster", "forces"))
    bought = {"buys": [{"design": "wasp", "hire": "green"}], "doctrine": "aggressive"}
    assert client.post(forces, bought, content_type="application/json").status_code == 422
    fix_support_dice(monkeypatch, 3, 6, 4)
    rolled = client.post(muster, {"pilots": []}, content_type="application/json")
    assert rolled.status_code == 200, rolled.content
    assert (rolled.json()["limit"], rolled.json()["rolls"][0]["name"]) == (54, "Rich Uncle")
    dear = {**bought, "buys": [{"design": "draken", "hire": "green"}] * 3}
    refused = client.post(forces, dear, content_type="application/json")
    assert (refused.status_code, "costs 72 points" in refused.content.decode()) == (422, True)
    assert client.post(forces, bought, content_type="application/json").status_code == 200
    client.force_login(owner_of(match, 1))
    assert client.get(muster).json()["rolls"] == []
    assert client.get("/api/v1/saved-forces/").json() == []
    kept = client.post(
        "/api/v1/saved-forces/",
        {"system": "meks-and-mercs", "name": "Two", "designs": ["wasp", "viper"]},
        content_type="application/json",
    )
    assert kept.status_code == 201, kept.content
    pk = kept.json()["id"]
    client.force_login(owner_of(match, 0))
    assert client.delete(f"/api/v1/saved-forces/{pk}/").status_code == 404
    client.force_login(owner_of(match, 1))
    assert client.delete(f"/api/v1/saved-forces/{pk}/").status_code == 204


def test_company_without_units_fits_a_fresh_build_campaign():
    campaign = a_campaign(state="mustering", options=FRESH_BUILD, scenarios=[{"value": "citadel", "name": "Citadel"}])
    assert enrolment_check(a_company(), campaign).problems == ()
    standing = a_campaign(campaign.club, name="Other", state="mustering")
    assert enrolment_check(a_company(), standing).problems


def test_campaign_form_sets_the_season_mode(client):
    campaign = a_campaign(state="draft", options={})
    client.force_login(campaign.club.memberships.first().player)
    url = f"/campaigns/{campaign.pk}/settings/"
    rules = client.get(url).context["rules"]
    assert rules["season-mode"].value() == "standing-company"
    fields = {
        **{each.html_name: each.value() for each in client.get(url).context["form"] if each.value() is not None},
        "rule-tzc-rounds": "12",
    }
    done = client.post(url, {**fields, "rule-season-mode": "fresh-build"})
    assert done.status_code == 302, (done.context["form"].errors, done.context["rules"].errors)
    campaign.refresh_from_db()
    assert campaign.options == {"season-mode": "fresh-build"}
    assert "fresh build" in client.get(f"/campaigns/{campaign.pk}/").content.decode()


@pytest.mark.rule("MM-S06")
def test_new_campaign_defaults_to_fresh_build(client):
    club = a_club()
    client.force_login(club.memberships.get().player)
    url = f"/clubs/{club.slug}/campaigns/new/"
    page = client.get(url)
    assert page.context["rules"]["season-mode"].value() == "fresh-build"
    assert "Fresh build, as the text has it: Meks are bought again for each match" in page.content.decode()
    data = {"club": club.slug, "system": "meks-and-mercs", "scenarios": ["opening-shots"]}
    post = {"path": "/api/v1/campaigns/", "content_type": "application/json"}
    made = client.post(data=data | {"name": "By the book"}, **post)
    assert made.status_code == 201, made.content
    assert made.json()["options"] == {"season-mode": "fresh-build"}
    standing = {"options": {"season-mode": "standing-company"}}
    kept = client.post(data=data | {"name": "With hangars"} | standing, **post)
    assert kept.json()["options"] == standing["options"]


@pytest.mark.rule("MM-S06")
def test_league_templates_use_standing_companies(client):
    club = a_club()
    by = club.memberships.get().player
    made = campaign_create_from_template(club=club, by=by, system="meks-and-mercs", after="league-of-four")
    assert made.options == {"season-mode": "standing-company"}
    client.force_login(by)
    page = client.get(f"/clubs/{club.slug}/campaigns/new/").content.decode()
    assert "standing company" in page
    war = campaign_create_from_template(club=club, by=by, system="meks-and-mercs", after="six-scenario-war")
    assert war.options["season-mode"] == "fresh-build"


def test_outdated_saved_force_is_reported_and_replaced(monkeypatch, client):
    match = a_fresh_match()
    owner = owner_of(match, 0)
    client.force_login(owner)
    url = f"/matches/{match.key}/forces/"
    fix_support_dice(monkeypatch, 1, 3)
    client.post(url, {"act": "roll"})
    gone = SavedList.objects.create(
        player=owner, system="meks-and-mercs", name="Old", designs=[{"design": "withdrawn", "name": ""}]
    )
    answer = client.get(f"{url}?force=saved:{gone.pk}")
    assert answer.status_code == 200
    assert "can’t buy that list here" in answer.content.decode().replace("&#x27;", "’")
    assert client.post(f"{url}?force=saved:{gone.pk}&part=tally", {}).status_code == 200


def test_organiser_replaces_support_dice_with_a_lost_key(monkeypatch, client, settings):
    match = a_fresh_match()
    organiser = a_member(match.round.campaign.club, "organiser")
    client.force_login(organiser)
    before = [preparation_of(match, side).dice.commitment for side in (0, 1)]
    with pytest.raises(RefusedError):
        match_dice_replace(match=match, by=organiser)
    settings.DICE_KEYS = ("another key than the one that dice were sealed under",)
    with pytest.raises(RefusedError, match="server's key for these dice is missing"):
        preparation_roll(match=match, side=0, by=owner_of(match, 0))
    url = reverse("campaigns:match", args=[match.key])
    assert "Replace dice" in client.get(url).content.decode()
    client.post(reverse("campaigns:match_dice_replace", args=[match.key]))
    after = [preparation_of(match, side).dice.commitment for side in (0, 1)]
    assert not {*before} & {*after}
    log = " ".join(ActivityLogEntry.objects.filter(match=match, created_by=organiser).values_list("text", flat=True))
    assert all(each in log for each in (*before, *after))
    assert "Replace dice" not in client.get(url).content.decode()
    for side in (0, 1):
        fix_support_dice(monkeypatch, 1, 3)
        match = submit_purchases(match, side, OPENING)
    assert match.setup is not None
