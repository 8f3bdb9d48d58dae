"""A club with something of everything, and helpers for its archive."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from itertools import count
from typing import Any
from unittest import mock

from django.apps import apps
from django.db import connection
from django.utils import timezone
from PIL import Image

from battles.models import Battle
from battles.services.battles import battle_simulate
from battles.services.dice import dice_seal
from campaigns.archive.checks import survey_archive
from campaigns.archive.packing import pack_club
from campaigns.archive.reading import open_archive
from campaigns.archive.restoring import RestoredClub, club_restore
from campaigns.army_lists.services import list_submit, preparation_roll
from campaigns.corrections.adjustment_plan import Adjustment
from campaigns.corrections.services import adjustment_create, adjustment_preview, adjustment_undo
from campaigns.cups.services import cup_make_draw, cup_seat, cup_set
from campaigns.enrolments.services import enrolment_excuse
from campaigns.live_tables import match_table_seat
from campaigns.models import (
    CatalogueUpgrade,
    Club,
    ClubDisplay,
    Handicap,
    Match,
    MatchDate,
    Phase,
    Territory,
    TerritoryIncome,
    WatchParty,
    Webhook,
)
from campaigns.results.services import report_make
from campaigns.statistics.ratings import club_ratings
from rosters.appearance.services import description_save, portrait_set
from rosters.models import Player, PrintJob
from rosters.products import EXAMPLE
from rosters.services import design_save
from tests.battles.live.builders import mark
from tests.builders import SYSTEM, WASP, a_company, a_player
from tests.campaigns import test_cups, test_storylines
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import CASCADE, LOST, correct_match, play_match, report
from tests.campaigns.gazettes import close_round
from tests.campaigns.test_friendlies import announce_friendly

SECRET_WORDS, NOTES = "of the sealed force alone", "Where the spare key lies."


def a_full_club(name: str = "The Full Table") -> Club:
    """Make a club with something of everything through the services; its dice are the same on every run."""
    drawn = (hashlib.sha256(f"secret {number}".encode()).hexdigest() for number in count())
    with mock.patch("secrets.token_hex", lambda length=32: next(drawn)[: 2 * length]):
        return _made(name)


def _made(name: str) -> Club:
    club = a_club(a_player("olga"), name=name, about="We meet\non Thursdays", place="Graz")
    a_member(club, "arbiter", a_player("arne"))
    war = _war(club)
    _open_round(war)
    _add_cup_and_others(club)
    _add_season_and_others(club, war)
    return club


def _war(club: Club) -> Any:
    """Three companies on a map: a sale that a correction undid and redid, rulings, a friendly, a gazette."""
    olga = club.memberships.get(role="organiser").player
    war = a_campaign(club, map_kind="zones", friendlies=2, name="Border War", handicaps=True)
    three = [
        an_enrolment(war, a_mustered_company(a_player(name.lower()), name=name)) for name in ("Ants", "Bees", "Cats")
    ]
    zone = Territory.objects.create(campaign=war, position=1, name="Wood", home=three[1])
    Phase.objects.create(campaign=war, first_round=1, name="The thaw", text="Mud.")
    ants, bees, cats = three
    first = a_round(war)
    match = a_match(first, ants, bees, territory=zone)
    _play_and_report(match)
    close_round(first)
    match.refresh_from_db()
    later = play_match(war, ants, cats, attacker={0: {"kills": 1}}, defender={0: LOST})
    correct_match(later, report(later, "attacker", attacker={0: LOST}), CASCADE, olga)
    correct_match(later, report(later, "attacker"), CASCADE, olga)
    unit = ants.company.units.filter(status="ready").order_by("pk").first()
    _adjust(cats, olga, {"what": "points", "count": 5}, {"what": "grant-pilot", "name": "Zoe", "level": "green"})
    ruling = _adjust(ants, olga, {"what": "harm-unit", "unit": unit.pk, "count": 1})
    adjustment_undo(ruling=ruling, reason="It was another.", by=olga)
    _emblem_and_texts(ants.company)
    _print_cards(cats.company)
    ready = list(bees.company.units.filter(status="ready", pilot__status="active").values_list("pk", flat=True))
    row = a_round(war)
    assert battle_simulate(battle=Battle.claim(announce_friendly(bees, units=ready).battle_id))
    close_round(row)
    return war


def _play_and_report(match: Match) -> None:
    """Let both sides submit lists, play at a live table and report."""
    owners = [match.attacker.company.owner, match.defender.company.owner]
    for side, enrolment in enumerate((match.attacker, match.defender)):
        units = list(enrolment.company.units.values_list("pk", flat=True))
        sealed = list_submit(match=match, side=side, units=units, doctrine="aggressive", by=owners[side], words="hail")
    seats = [match_table_seat(match=sealed, side=side, by=owners[side]) for side in (0, 1)]
    keys = list(sealed.forces[1])
    mark(seats[1], f"{keys[0]}.hits", 2)
    report = {"muster": "report/1", "winner": "attacker", "units": {keys[0]: {"hits_lost": 2, "destroyed": True}}}
    for side in (0, 1):
        report_make(match=Match.objects.get(pk=match.pk), side=side, content=report, by=owners[side])


def _adjust(enrolment: Any, by: Player, *asked: Any) -> Any:
    wanted = [Adjustment(**each) for each in asked]
    preview = adjustment_preview(enrolment=enrolment, asked=wanted, by=by)
    return adjustment_create(enrolment=enrolment, asked=wanted, reason="So be it.", by=by, token=preview.token)


def _emblem_and_texts(company: Any) -> None:
    description_save(company=company, by=company.owner, story="They came from the hills.", notes=NOTES)
    held = io.BytesIO()
    Image.new("RGB", (90, 70), "red").save(held, "PNG")
    portrait_set(company=company, by=company.owner, sent=held.getvalue())
    design_save(author=company.owner, system=SYSTEM, name="WASP", spec=WASP)
    _print_cards(company)


def _print_cards(company: Any) -> None:
    PrintJob.objects.create(
        company=company, asked_by=company.owner, title="Cards", status="done", content={"muster": "print/1", **EXAMPLE},
        ended_at=timezone.now(), pages=1, form_path=f"/companies/{company.pk}/print/",
    )  # fmt: skip


def _open_round(war: Any) -> None:
    """Open a round in which one side has submitted a list, with a calculated handicap and an exception."""
    ants, bees = war.enrolments.order_by("pk")[:2]
    row = a_round(war)
    match = a_match(row, ants, bees)
    units = list(ants.company.units.filter(status="ready", pilot__status="active").values_list("pk", flat=True))
    list_submit(match=match, side=0, units=units, doctrine="cautious", by=ants.company.owner, words=SECRET_WORDS)
    Handicap.objects.create(match=match, status="done", kind="points", value=9, side=0, chance=0.75, chance_with=0.5)


def _add_cup_and_others(club: Club) -> None:
    """Add a cup, a war of six scenarios, a half-prepared fresh build, an excused company, a display and a webhook."""
    olga = club.memberships.get(role="organiser").player
    cup = a_campaign(club, pairing="knock-out", tie_breakers=["destroyed"], name="The Cup")
    entrants = [an_enrolment(cup, a_company(name=each)) for each in test_cups.NAMES[:4]]
    cup_set(campaign=cup, by=olga, seeding="table")
    cup_make_draw(campaign=cup, by=olga)
    cup_seat(campaign=cup, by=olga, seats={row.pk: (at, 0) for at, row in enumerate(entrants, start=1)})
    test_cups.play_round(cup, olga, "Ants", "Cats")
    arc = test_storylines.campaign_create_from_template(club=club, by=olga, system=SYSTEM, after="six-scenario-war")
    rows = test_storylines.enrol_companies(arc)
    running = test_storylines.campaign_move(campaign=arc, to="running", by=olga)
    test_storylines.assign_roles(running, olga, rows[:2], rows[2:])
    opened_round = test_storylines.plan_round(running, olga)
    match = opened_round.matches.order_by("number").first()
    preparation_roll(match=match, side=0, by=match.attacker.company.owner)
    spring = a_campaign(club, state="mustering", name="Next year", points=5)
    late = an_enrolment(spring, a_mustered_company(a_player("ludo"), name="Latecomers"), state="asked")
    enrolment_excuse(enrolment=late, reason="They know.", by=olga)
    ClubDisplay.objects.create(club=club, created_by=olga)
    Webhook.objects.create(
        club=club, created_by=olga, url="https://example.org/hush/hush", secret="x", occasions=["round-opened"]
    )


def _add_season_and_others(club: Club, war: Any) -> None:
    """Add a season with a team match and a lot, a date, a watch party, a catalogue version and territory income."""
    decided, waiting = (
        war.rounds.order_by("number")[0],
        Match.objects.filter(round__campaign=war, setup__isnull=True).last(),
    )
    ants, bees = war.enrolments.order_by("pk")[:2]
    season = club.seasons.create(name="Four seasons", state="running")
    game = season.games.create(campaign=war, position=1)
    teams = [season.teams.create(name=name) for name in ("Reds", "Blues")]
    one, two = (
        season.entrants.create(player=each.company.owner, team=team)
        for each, team in zip((ants, bees), teams, strict=True)
    )
    row = season.rounds.create(number=1, way="teams", state="open", boards=1, dice=dice_seal())
    tie = row.ties.create(number=1, one=teams[0], two=teams[1])
    row.pairings.create(number=1, board=1, tie=tie, one=one, two=two, state="settled", game=game, settled_by="lot")
    MatchDate.objects.create(match=waiting, agreed_at=timezone.now())
    decided_match = Match.objects.filter(round=decided).first()
    WatchParty.objects.create(
        match=decided_match, starts_at=timezone.now(), pace=4, status="done", began_at=timezone.now(), cuts=[3, 7]
    )
    CatalogueUpgrade.objects.create(
        campaign=war, before="1", release="2", state="called-off", waits="A round was open."
    )
    TerritoryIncome.objects.create(round=decided, enrolment=ants, points=0, places=[])


# --- archives ---------------------------------------------------------------------------------------------------------


def archived(club: Club) -> bytes:
    return pack_club(club, at=timezone.now())


def restored(data: bytes, by: Player, **how: Any) -> RestoredClub:
    with open_archive(io.BytesIO(data)) as archive:
        return club_restore(archive=archive, survey=survey_archive(archive), by=by, **how)


def rows_in(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of an archive by the names of their files."""
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        return {
            name.removeprefix("rows/").removesuffix(".jsonl"): [
                json.loads(line) for line in held.read(name).splitlines()
            ]
            for name in held.namelist()
            if name.startswith("rows/")
        }


def rated(club: Club) -> list[str]:
    """Return the club's ratings to the last digit, with the players' names in the archive."""
    found = [repr(each) for each in club_ratings(club.pk).rated]
    for place in club.placeholders.select_related("player"):
        found = [text.replace(repr(place.player.username), repr(place.username)) for text in found]
    return sorted(found)


def emptied() -> None:
    """Delete all players, clubs and battles inside a test's transaction; sequences continue."""
    kept = {"django_content_type", "auth_permission", "django_migrations"}
    tables = sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True)} - kept)
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(tables)}")
