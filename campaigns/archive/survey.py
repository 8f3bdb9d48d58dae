"""A first walk through an archive: every row read, and what has to be known of them before any is written."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import models

from campaigns.models import CampaignState, MatchState
from rosters.services import RefusedError

from .fields import fields_of, model_of
from .reading import Archive, Row, refuse
from .tables import KEPT

ACT = ("rosters.LedgerEntry", "act")  # shared by rows that are undone together
UNDECIDED = (MatchState.SCHEDULED, MatchState.REPORTED, MatchState.DISPUTED)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
AT_A_TIME = 500


@dataclass(slots=True, kw_only=True)
class Survey:
    """What the rows say before they are written."""

    counts: dict[str, int] = field(default_factory=dict)
    club: Row = field(default_factory=dict)
    usernames: list[str] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)  # numbers of players who have left
    roles: dict[int, str] = field(default_factory=dict)  # number of a player -> his role
    questions: dict[int, str] = field(default_factory=dict)  # number of odds -> what was asked
    rolls_on: set[int] = field(default_factory=set)  # dice that something is left to roll with
    plays_on: bool = False  # whether a campaign is not over
    keys: dict[str, str] = field(default_factory=dict)  # key -> the one that it gets here, where one is taken
    found: dict[tuple[str, str], set[uuid.UUID]] = field(default_factory=dict)

    def changed(self, line: str) -> str:
        """A line of the archive with the keys that it gets here."""
        return _UUID.sub(lambda found: self.keys.get(found[0], found[0]), line) if self.keys else line


def surveyed(archive: Archive, step: Callable[[int], object] = lambda done: None) -> Survey:
    """Reads every row; raises RefusedError at the first that can't be one."""
    survey = Survey()
    closed: set[int] = set()
    for done, label in enumerate(KEPT, start=1):
        unique = [each.name for each in fields_of(label) if _names(label, each)]
        number = 0
        for number, row in enumerate(archive.rows(label), start=1):
            for name in unique:
                survey.found.setdefault((label, name), set()).add(row[name])
            _noted(survey, closed, label, number, row)
        survey.counts[label] = number
        step(done)
    _musters(archive, survey, closed)
    if survey.counts["campaigns.Club"] != 1:
        refuse("there is not one club in it")
    if len(survey.usernames) != len(archive.manifest.people):
        refuse(f"it does not say who its players are: there are {len(survey.usernames)}")
    if len(set(survey.usernames)) != len(survey.usernames):
        refuse("two players in it have one user name")
    _fresh_keys(survey)
    return survey


def _names(label: str, each: models.Field[Any, Any]) -> bool:
    return isinstance(each, models.UUIDField) and (each.unique or (label, each.name) == ACT)


def _noted(survey: Survey, closed: set[int], label: str, number: int, row: Row) -> None:
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
            if row["state"] in UNDECIDED:
                survey.rolls_on.add(row["dice"])
            if row["setup"] is None:
                closed.add(number)


def _musters(archive: Archive, survey: Survey, closed: set[int]) -> None:
    for row in archive.rows("campaigns.MatchMuster"):
        if row["match"] in closed:
            survey.rolls_on.add(row["dice"])


def _fresh_keys(survey: Survey) -> None:
    """Where a key is taken here, for the club is here already, all of the archive's get others."""
    if any(_is_taken(label, name, keys) for (label, name), keys in survey.found.items() if (label, name) != ACT):
        survey.keys = {str(key): str(uuid.uuid4()) for keys in survey.found.values() for key in keys}


def _is_taken(label: str, name: str, keys: set[uuid.UUID]) -> bool:
    wanted = sorted(keys)
    chunks = (wanted[at : at + AT_A_TIME] for at in range(0, len(wanted), AT_A_TIME))
    return any(model_of(label)._default_manager.filter(**{f"{name}__in": chunk}).exists() for chunk in chunks)


def standing_for(survey: Survey, username: str) -> int | None:
    """The number of the organiser whom the name means; None for no name. Raises RefusedError."""
    if not username:
        return None
    organisers = {survey.usernames[number - 1]: number for number, role in survey.roles.items() if role == "organiser"}
    if username not in organisers:
        raise RefusedError(
            "stands_for",
            f"No organiser in this archive is called {username}; there is {', '.join(sorted(organisers)) or 'none'}. "
            "Leave it empty if you were none of them.",
        )
    return organisers[username]
