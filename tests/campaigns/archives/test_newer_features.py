"""Archives of newer features: catalogue versions, autoplay orders, seasons, odds, watch parties, own designs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.utils import timezone

from battles.models import Forecast
from battles.odds.services import forecast_ask
from battles.services.dice import dice_seal, has_key
from campaigns.archive.forms import PlaceForm
from campaigns.army_lists.checks import changes_of
from campaigns.army_lists.services import list_submit
from campaigns.catalogue_upgrades.selectors import adoption_preview
from campaigns.catalogue_upgrades.services import adoption_undo, release_adopt
from campaigns.handicaps.services import handicap_answer, handicap_ask, handicap_calculate
from campaigns.models import (
    ActivityLogEntry,
    Enrolment,
    Handicap,
    Match,
    Placeholder,
    Season,
    SubmittedList,
    WatchParty,
)
from rosters.ledger.records import differences
from rosters.models import Company, Design, Player, PrintJob, Unit
from rosters.services import RefusedError, design_save
from systems.reading import read_setup
from systems.simulation.odds import tally
from tests.battles.builders import duel
from tests.builders import SYSTEM, WASP, a_company, a_crewed_unit, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment, submit_list

from .clubs import archived, restored, rows_in
from .test_bad_archives import forged, refused

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def olga():
    return a_player("olga")


@pytest.fixture
def club(olga):
    return a_club(olga, name="Iron Table")


@pytest.fixture
def war(club):
    """A campaign of two companies."""
    made = a_campaign(club)
    for name in ("Ants", "Bees"):
        an_enrolment(made, a_mustered_company(a_player(name.lower()), name=name))
    return made


def a_match_of(war: Any, **fields: Any) -> Match:
    return a_match(a_round(war), *war.enrolments.order_by("pk"), **fields)


def copied(club: Any, by: Player) -> Any:
    return restored(archived(club), by, name="The Copy", stands_for="olga").club


def test_version_change_is_undone_in_the_copy_only(club, olga):
    war = a_campaign(club, catalogue_release="1", points=60)
    titan = a_company(release="1", name="Titans")
    a_crewed_unit(titan, "odin")
    an_enrolment(war, titan)
    release_adopt(campaign=war, release="2", by=olga, token=adoption_preview(war, "2").token)
    again = copied(club, olga).campaigns.get()
    adoption_undo(campaign=again, by=olga)
    theirs = again.enrolments.get().company
    assert (theirs.catalogue_release, Company.objects.get(pk=titan.pk).catalogue_release) == ("1", "2")
    assert [*differences(theirs), *differences(Company.objects.get(pk=titan.pk))] == []


def test_autoplay_orders_stay_out_of_an_unfinished_campaigns_archive(club, war, olga):
    Enrolment.objects.filter(campaign=war).update(orders={"doctrine": "cautious", "standing": {"all": {"retreat": 3}}})
    assert "cautious" not in json.dumps(rows_in(archived(club))["campaigns.enrolment"])
    made = restored(archived(club), olga, name="The Copy", stands_for="olga")
    assert any(line.startswith("Autoplay orders") for line in made.differences)
    assert {str(row.orders) for row in Enrolment.objects.filter(campaign__club=made.club)} == {"{}"}


def test_archive_of_an_undecided_match_keeps_secrets_out(club, war):
    """Otherwise an organiser who plays could read the opponent's orders, words and prints in an archive."""
    match = a_match_of(war)
    basis = {"setup": {"system": SYSTEM, "sides": [{"doctrine": "cautious"}, {"doctrine": "aggressive"}]}}
    Handicap.objects.create(match=match, status="done", kind="points", value=9, side=0, chance=0.7, basis=basis)
    company = match.attacker.company
    order = {"muster": "print/1", "title": "The four that I bring"}
    PrintJob.objects.create(company=company, asked_by=company.owner, status="done", content=order, pages=1)

    def packed():
        rows = rows_in(archived(club))
        return [row["basis"] for row in rows["campaigns.handicap"]], rows.get("rosters.printjob", [])

    assert packed() == ([None], [])
    words = {side: f"words of side {side}" for side in (0, 1)}
    for side, enrolment in enumerate((match.attacker, match.defender)):
        units = list(enrolment.company.units.values_list("pk", flat=True))
        by = enrolment.company.owner
        match = list_submit(match=match, side=side, units=units, doctrine="cautious", by=by, words=words[side])
    assert match.setup is not None
    kept = rows_in(archived(club))
    assert [row["words"] for row in kept["campaigns.submittedlist"]] == ["", ""]
    assert [row["basis"] for row in kept["campaigns.handicap"]] == [None]
    Match.objects.filter(pk=match.pk).update(state="void", outcome="none", decided_at=timezone.now())
    kept = rows_in(archived(club))
    assert [row["words"] for row in kept["campaigns.submittedlist"]] == [*words.values()]
    assert [row["basis"] for row in kept["campaigns.handicap"]] == [basis]


def a_handicap_agreed(club: Any, monkeypatch: Any) -> Handicap:
    """Four units against three, with a handicap that both sides agreed on."""
    monkeypatch.setattr("campaigns.army_lists.handicaps.HANDICAP_BATTLES", 200)
    monkeypatch.setattr("campaigns.handicaps.services.POINT_PERCENTAGES", (80, 65, 50))
    uneven = a_campaign(club, handicaps=True, seals_forces=True)
    for name, band in (("Ants", ("wasp", "wasp", "viper", "viper")), ("Bees", ("wasp", "wasp", "viper"))):
        an_enrolment(uneven, a_mustered_company(a_player(name.lower()), *band, name=name))
    match = a_match_of(uneven)
    owners = [each.company.owner for each in (match.attacker, match.defender)]
    job = Handicap.claim(handicap_ask(match=match, by=owners[0]).pk)
    assert job is not None
    assert handicap_calculate(job=job)
    row = Handicap.objects.get()
    for side, by in enumerate(owners):
        match = Match.objects.get(pk=match.pk)
        handicap_answer(match=match, side=side, agrees=True, kind=row.kind, value=row.value, by=by)
    row.refresh_from_db()
    assert row.is_agreed
    return row


@pytest.mark.parametrize("state", ["scheduled", "void"])
def test_agreed_handicap_is_restored(club, olga, monkeypatch, state):
    row = a_handicap_agreed(club, monkeypatch)
    if state == "void":
        Match.objects.update(state="void", outcome="none", decided_at=timezone.now())
    again = copied(club, olga)
    there = Handicap.objects.get(match__round__campaign__club=again)
    for name in ("basis", "tried", "side", "kind", "value", "chance", "chance_with", "agreed"):
        assert getattr(there, name) == getattr(row, name), name
    assert there.basis["best_styles"]
    assert all(len(each["styles"]) == 2 for each in there.tried)


def test_restored_handicap_is_compared_with_the_current_units(club, olga, monkeypatch):
    a_handicap_agreed(club, monkeypatch)
    there = Handicap.objects.get(match__round__campaign__club=copied(club, olga))
    assert changes_of(there.match, there) == []
    unit = there.match.defender.company.units.filter(pilot__isnull=False).first()
    Unit.objects.filter(pk=unit.pk).update(pilot=None)
    assert changes_of(there.match, there) == [(1, "units")]


def _basis_of_another_game(row: dict[str, Any]) -> None:
    row["basis"]["setup"]["system"] = "hex-core"


def _nothing_bought(row: dict[str, Any]) -> None:
    row["tried"][0]["bought"] = [{}]


def _a_design_of_no_release(row: dict[str, Any]) -> None:
    row["tried"][0]["bought"] = [{"key": "a1", "name": "Nemo", "design": "nemo"}]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (_basis_of_another_game, "basis.setup"),
        (_nothing_bought, "tried.*bought"),
        (_a_design_of_no_release, "handicap of match 1.* can't be read"),
    ],
)
def test_unreadable_handicap_is_refused(club, monkeypatch, change, place):
    a_handicap_agreed(club, monkeypatch)
    nora = a_player("nora")

    def forge(rows: Any) -> None:
        change(rows[0])

    assert re.search(place, refused(forged(archived(club), campaigns_handicap=forge), nora))


def test_finished_campaigns_orders_refer_to_the_restored_units(club, war, olga):
    unit = war.enrolments.order_by("pk")[0].company.units.order_by("pk")[0]
    given = {"standing": {"all": {"range": "long"}, str(unit.pk): {"retreat": 1}}}
    Enrolment.objects.filter(campaign=war, company=unit.company).update(orders=given)
    war.state = "finished"
    war.save()
    row = copied(club, olga).campaigns.get().enrolments.get(company__name="Ants")
    there = row.company.units.get(name=unit.name, position=unit.position)
    assert there.pk != unit.pk
    assert row.orders == {"standing": {"all": {"range": "long"}, str(there.pk): {"retreat": 1}}}


def test_revealed_orders_refer_to_the_restored_units(club, war, olga):
    match = a_match_of(war)
    units = [each.company.units.order_by("pk")[0].pk for each in (match.attacker, match.defender)]
    for side in (0, 1):
        submit_list(match, side, standing={str(units[side]): {"retreat": 1}})
    Match.objects.update(state="void")  # its orders may be public now
    again = copied(club, olga)
    forces = SubmittedList.objects.filter(match__round__campaign__club=again).order_by("side")
    named = [int(whom) for force in forces for whom in force.document["standing"]]
    assert len(named) == 2
    assert not {*named} & {*units}
    owners = Unit.objects.in_bulk(named)
    assert [owners[pk].company.name for pk in named] == ["Ants", "Bees"]
    assert [force.sealed_as["standing"] for force in forces] == [{str(pk): {"retreat": 1}} for pk in units]


def test_orders_of_an_undecided_match_stay_out_of_archives(club, war, olga):
    match = a_match_of(war)
    for side, enrolment in enumerate((match.attacker, match.defender)):
        submit_list(match, side, standing={str(enrolment.company.units.order_by("pk")[0].pk): {"retreat": 1}})
    salts = list(SubmittedList.objects.values_list("salt", flat=True))
    text = "\n".join(str(row) for rows in rows_in(archived(club)).values() for row in rows)
    assert "'retreat'" not in text
    assert [salt for salt in salts if salt in text] == []
    again = copied(club, olga)
    forces = SubmittedList.objects.filter(match__round__campaign__club=again)
    assert {len(force.document["units"]) for force in forces} == {2}, "the submitted lists are restored completely"


def test_undrawn_lot_gets_new_dice_when_restored(club, war, olga):
    season = club.seasons.create(name="Four seasons", state="running", settle_rule="lot")
    one, two = (season.entrants.create(player=each.company.owner) for each in war.enrolments.order_by("pk"))
    row = season.rounds.create(number=1, way="by-hand", state="open", dice=dice_seal())
    row.pairings.create(number=1, one=one, two=two)
    lot = Season.objects.get(club=copied(club, olga)).rounds.get().dice
    assert has_key(lot)
    assert lot.commitment != row.dice.commitment
    text = ActivityLogEntry.objects.get(text__contains="new dice prepared").text
    assert row.dice.commitment in text
    assert lot.commitment in text


def test_restored_odds_are_not_reused_for_others(club, war, olga):
    forecast, _ = forecast_ask(setup=duel(), runs=100, visitor="v")
    forged = tally(read_setup(duel()), seed=1, first=0, count=3, compiled=False).to_json()
    Forecast.objects.update(status="done", runs_done=100, counts=forged)
    a_match_of(war, forecast=forecast)
    sent = archived(club)
    Match.objects.update(forecast=None)
    Forecast.objects.all().delete()
    again = restored(sent, olga, name="The Copy", stands_for="olga").club
    assert Match.objects.get(round__campaign__club=again).forecast.counts == forged
    asked, is_new = forecast_ask(setup=duel(), runs=100, visitor="v")
    assert is_new
    assert asked.counts == {}


def test_club_waiting_for_a_watch_party_is_not_packed(club, war):
    match = a_match_of(war)
    WatchParty.objects.create(match=match, starts_at=timezone.now(), pace=4)
    archived(club)
    match.round.state = "closed"
    match.round.save()
    with pytest.raises(RefusedError, match="waiting for its watch party"):
        archived(club)


def test_private_design_changed_since_purchase_is_left_out(club, war):
    ants = war.enrolments.order_by("pk")[0].company
    unit = ants.units.order_by("pk")[0]
    design_save(author=ants.owner, system=SYSTEM, name=unit.design_name, spec=unit.spec)
    assert len(rows_in(archived(club))["rosters.design"]) == 1
    Design.objects.update(spec={**WASP, "name": "Hush"})
    assert rows_in(archived(club))["rosters.design"] == []
    Design.objects.update(visibility="public")
    assert len(rows_in(archived(club))["rosters.design"]) == 1


def test_former_guest_chooses_a_new_name():
    place = Placeholder(player=Player(username="place-7k2m"), username="guest-7k2m")
    assert PlaceForm(place=place).initial["username"] == ""
    form = PlaceForm({"username": "guest-7k2m", "password1": "x", "password2": "x"}, place=place)
    assert form.errors["username"] == ["This name is reserved for guests. Choose another."]
