"""Checks before a restored archive is committed: that its rows agree, and that the club's pages can read them."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import models

from campaigns.archive.json_readers import check_json
from campaigns.archive.packing import path_of
from campaigns.archive.reading import Archive, Row, refuse
from campaigns.archive.tables import ENDED, KEPT, archived_fields, json_columns, model_of, related_label
from campaigns.cups.selectors import cup_of, cup_sheet
from campaigns.gazette.selectors import gazette_sheet
from campaigns.hall_of_fame.selectors import club_hall_of_fame, club_match_history, club_medals
from campaigns.handicaps.selectors import handicap_sheet
from campaigns.matches.friendlies import friendly_rows
from campaigns.matches.selectors import match_page
from campaigns.models import Campaign, CampaignState, Club, Gazette, Match, MatchState, Round
from campaigns.planning.selectors import round_sheets
from campaigns.rounds.closing import closing_of
from campaigns.seasons.selectors import season_page
from campaigns.standings.selectors import standings
from campaigns.statistics.ratings import club_ratings
from campaigns.statistics.selectors import club_statistics
from campaigns.storylines.selectors import storyline_page
from campaigns.territories.income import paid_rounds
from campaigns.territories.selectors import map_sheet
from rosters.jobs import Job
from rosters.models import Company, Player
from rosters.selectors import company_sheet
from rosters.services import RefusedError
from systems import roster_rules
from systems.catalogue import UnknownReleaseError
from systems.documents import WHOLE, DocumentError

ACT = ("rosters.LedgerEntry", "act")  # not unique: entries that are undone together share it
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
CHUNK_SIZE = 500
ROWS_PER_STEP = 100  # after these a worker renews its claim on the job
Reference = tuple[str, str, int, str, int]  # table, field and line of a row; table and number of the row it refers to
Game = tuple[str, str]
Owners = dict[str, int | str]  # table -> number of the owner in it; GAME -> the game
GAME = "game"
# A row and all rows it refers to have the same owners. Only tables of `rosters` are checked for the company, as a match
# has two.
OWNERS = {
    "campaigns.Campaign": "campaign",
    "campaigns.Season": "season",
    "campaigns.Match": "match",
    "rosters.Company": "company",
    GAME: "game",
}
ALLOWED_OTHER_OWNERS = {  # references that may lead to another owner
    ("campaigns.ArbiterConsent", "ruling"): (
        "campaigns.Match",
    ),  # a ruling on one match uses a consent for a later one
    ("campaigns.SeasonPairing", "proposed"): ("campaigns.Campaign", GAME),  # the sides may have agreed on another game
}


@dataclass(slots=True, kw_only=True)
class Survey:
    """Facts about the rows that restoring needs before it writes them."""

    counts: dict[str, int] = field(default_factory=dict)
    club: Row = field(default_factory=dict)
    usernames: list[str] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)  # numbers of players who have left
    roles: dict[int, str] = field(default_factory=dict)  # number of a player -> their role
    questions: dict[int, str] = field(default_factory=dict)  # number of odds -> their question
    rolls_on: set[int] = field(default_factory=set)  # dice that will still be rolled
    plays_on: bool = False  # whether any campaign is unfinished
    keys: dict[str, str] = field(default_factory=dict)  # key -> its new key here; empty if no key is taken
    found: dict[tuple[str, str], set[uuid.UUID]] = field(default_factory=dict)
    games: dict[str, list[Game]] = field(default_factory=dict)  # table -> system and release of each of its rows
    owners: dict[str, list[Owners]] = field(default_factory=dict)  # table -> the owners of each of its rows
    ahead: list[tuple[Reference, Owners]] = field(default_factory=list)  # references to later rows

    def changed(self, line: str) -> str:
        """Return a line of the archive with the new keys."""
        return _UUID.sub(lambda found: self.keys.get(found[0], found[0]), line) if self.keys else line


def survey_archive(archive: Archive, step: Callable[[int], object] = lambda done: None) -> Survey:
    """Read every row. Raise RefusedError at the first that isn't valid."""
    survey = Survey()
    closed: set[int] = set()
    for done, label in enumerate(KEPT, start=1):
        unique = [each.name for each in archived_fields(label) if _is_unique_key(label, each)]
        number = 0
        for number, row in enumerate(archive.rows(label), start=1):
            for name in unique:
                survey.found.setdefault((label, name), set()).add(row[name])
            _check_row(survey, label, number, row)
            _check_owners(survey, label, number, row)
            _note_row(survey, closed, label, number, row)
            if number % ROWS_PER_STEP == 0:
                step(done - 1)
        survey.counts[label] = number
        step(done)
    for named, owners in survey.ahead:
        _merge_owners(survey, named, owners)
    _note_preparations(archive, survey, closed)
    if survey.counts["campaigns.Club"] != 1:
        refuse("it doesn't contain exactly one club")
    if len(survey.usernames) != len(archive.manifest.people):
        refuse(f"it doesn't name its players: there are {len(survey.usernames)}")
    if len(set(survey.usernames)) != len(survey.usernames):
        refuse("two players in it have the same username")
    _fresh_keys(survey)
    return survey


def _check_row(survey: Survey, label: str, number: int, row: Row) -> None:
    """Refuse a row that the club's pages couldn't read, or that a worker would start to work on."""
    where = f"{path_of(label)}, line {number}"
    if "status" in row and issubclass(model_of(label), Job) and row["status"] not in ENDED:
        refuse(f"{where}: status: this job hasn't finished")
    system, release = _game_of_parent(survey, label, row)
    game = row.get("system") or system, row.get("catalogue_release") or release
    survey.games.setdefault(label, []).append(game)
    if "catalogue_release" in row:
        check_release(*game)
    for name in json_columns(label):
        try:
            check_json(label, name, row, *game)
        except DocumentError as error:
            refuse(f"{where}: {error.reason if error.path == WHOLE else error}")


def _check_owners(survey: Survey, label: str, number: int, row: Row) -> None:
    """Refuse a row that refers to rows of two campaigns, seasons, matches, companies or games."""
    owners = Owners({label: number} if label in OWNERS else {})
    if "system" in row:
        owners[GAME] = row["system"]
    for each in archived_fields(label):
        target, value = related_label(each), row[each.name]
        if target is None or value is None:
            continue
        named = (label, each.name, number, target, value)
        if value <= len(survey.owners.get(target, ())):
            _merge_owners(survey, named, owners)
        elif target != label:
            survey.ahead.append((named, owners))
    survey.owners.setdefault(label, []).append(owners)


def _merge_owners(survey: Survey, named: Reference, owners: Owners) -> None:
    label, name, number, target, value = named
    for owner, one in survey.owners[target][value - 1].items():
        if owner in ALLOWED_OTHER_OWNERS.get((label, name), ()) or (
            owner == "rosters.Company" and not label.startswith("rosters.")
        ):
            continue
        if owners.setdefault(owner, one) != one:
            refuse(f"{path_of(label)}, line {number}: {name} names a row of another {OWNERS[owner]} than the rest")


def check_release(system: str, release: str) -> None:
    """Refuse a catalogue version that this Muster doesn't have; the list of migrations doesn't reveal it."""
    try:
        roster_rules(system, release)
    except UnknownReleaseError as error:
        refuse(f"{error}; update this Muster first")


def _game_of_parent(survey: Survey, label: str, row: Row) -> Game:
    """Return the game of the first earlier row that this one refers to and that has one, or empty strings."""
    for each in archived_fields(label):
        known = survey.games.get(related_label(each) or "", [])
        named = row[each.name]
        if isinstance(named, int) and 0 < named <= len(known) and (game := known[named - 1])[0]:
            return game
    return "", ""


def _is_unique_key(label: str, each: models.Field[Any, Any]) -> bool:
    return isinstance(each, models.UUIDField) and (each.unique or (label, each.name) == ACT)


def _note_row(survey: Survey, closed: set[int], label: str, number: int, row: Row) -> None:
    match label:
        case "campaigns.Club":
            survey.club = row
        case "campaigns.Campaign" if row["state"] != CampaignState.FINISHED:
            survey.plays_on = True
        case "campaigns.SeasonRound" if row["dice"] is not None:
            survey.rolls_on.add(row["dice"])
        case "campaigns.Membership":
            survey.roles[row["player"]] = row["role"]
        case "rosters.Player":
            survey.usernames.append(row["username"])
            if row["left_at"] is not None:
                survey.gone.add(number)
        case "battles.Forecast":
            survey.questions[number] = row["question"]
        case "campaigns.Match":
            if row["state"] in MatchState.undecided():
                survey.rolls_on.add(row["dice"])
            if row["setup"] is None:
                closed.add(number)


def _note_preparations(archive: Archive, survey: Survey, closed: set[int]) -> None:
    for row in archive.rows("campaigns.MatchPreparation"):
        if row["match"] in closed:
            survey.rolls_on.add(row["dice"])


def _fresh_keys(survey: Survey) -> None:
    """Give every row a new key if any key is taken, which means that the club exists here already."""
    if any(_is_taken(label, name, keys) for (label, name), keys in survey.found.items() if (label, name) != ACT):
        survey.keys = {str(key): str(uuid.uuid4()) for keys in survey.found.values() for key in keys}


def _is_taken(label: str, name: str, keys: set[uuid.UUID]) -> bool:
    wanted = sorted(keys)
    chunks = (wanted[at : at + CHUNK_SIZE] for at in range(0, len(wanted), CHUNK_SIZE))
    return any(model_of(label)._default_manager.filter(**{f"{name}__in": chunk}).exists() for chunk in chunks)


def organiser_number(survey: Survey, username: str) -> int | None:
    """Return the number of the organiser with this username; None for an empty name. Raise RefusedError if unknown."""
    if not username:
        return None
    organisers = {survey.usernames[number - 1]: number for number, role in survey.roles.items() if role == "organiser"}
    if username not in organisers:
        raise RefusedError(
            "stands_for",
            f"No organiser in this backup is called {username} (organisers: {', '.join(sorted(organisers)) or 'none'}). "
            "Leave the field blank if you weren't one.",
        )
    return organisers[username]


Reading = tuple[str, Callable[[], object]]
HANDICAP_RELATED = ("round__campaign", "handicap", "attacker__company__owner", "defender__company__owner")
READ_ERRORS = (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, AssertionError)


def unreadable_parts(club: Club, reader: Player) -> Iterator[str]:
    """Yield the parts of the club that its pages can't read, and why."""
    for what, read in _readings(club, reader):
        try:
            read()
        except READ_ERRORS as error:
            yield f"{what} can't be read: {type(error).__name__} {' '.join(str(error).split())[:100]}"


def _readings(club: Club, reader: Player) -> Iterator[Reading]:
    for campaign in club.campaigns.order_by("pk"):
        yield from _campaign_readings(campaign, reader)
    for season in club.seasons.order_by("pk"):
        yield f"season {season}", partial(season_page, season, reader, with_planned=True)
    for company in Company.objects.filter(enrolments__campaign__club=club).distinct().order_by("pk"):
        yield f"company {company}", partial(company_sheet, company)
    yield "the ratings", partial(club_ratings, club.pk)
    yield "the statistics", partial(club_statistics, club, reader)
    yield "the hall of fame", partial(_check_hall_of_fame, club, reader)


def _check_hall_of_fame(club: Club, reader: Player) -> None:
    chronicle = club_match_history(club, reader)
    club_hall_of_fame(chronicle)
    club_medals(chronicle)


def _campaign_readings(campaign: Campaign, reader: Player) -> Iterator[Reading]:
    yield f"the table of {campaign}", partial(standings, campaign)
    yield f"the map of {campaign}", partial(map_sheet, campaign)
    yield f"the rounds of {campaign}", partial(round_sheets, campaign, reader, with_planned=True)
    yield f"the campaign story of {campaign}", partial(storyline_page, campaign, with_planned=True)
    if (cup := cup_of(campaign)) is not None:
        yield f"the cup of {campaign}", partial(cup_sheet, campaign, cup, with_planned=True)
    yield f"the territory income of {campaign}", partial(paid_rounds, campaign)
    yield f"the friendly games of {campaign}", partial(friendly_rows, campaign)
    for row in Round.objects.filter(campaign=campaign):
        yield f"the closing of {row} of {campaign}", partial(closing_of, row)
    for gazette in Gazette.objects.filter(round__campaign=campaign).select_related("round__campaign__club"):
        yield f"the gazette of {gazette.round} of {campaign}", partial(gazette_sheet, gazette)
    matches = Match.objects.filter(round__campaign=campaign).order_by("pk")
    for match in matches.iterator(chunk_size=100):
        yield f"match {match.number} of {match.round} of {campaign}", partial(match_page, match, reader)
    for match in matches.filter(handicap__isnull=False).select_related(*HANDICAP_RELATED):
        for side in filter(None, (match.attacker, match.defender)):  # they see more of it than others
            read = partial(handicap_sheet, match, side.company.owner, is_open=True)
            yield f"the handicap of match {match.number} of {match.round} of {campaign}", read
