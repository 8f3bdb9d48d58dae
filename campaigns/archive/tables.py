"""What an archive does with each table (keep, recalculate or omit its rows), and its fields' values as JSON.

Add a line for every new table; a test checks this. A table that foreign keys link to the club is kept by the path to
it: `"campaigns.Phase": Kept(rows="campaign__club")`. Ids inside JSON values need a codec, and access keys get new
values (`renewed`). An omitted table says why.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Model, QuerySet

from battles.models import BattleSide, LiveEvent, LiveSeat, Record
from campaigns.archive import scope
from campaigns.archive.scope import Codec, Scope, cause_codec, effects_codec, ids_codec, list_codec, orders_codec
from campaigns.models import GazettePrint, Handicap, MatchmakingOffer, MatchTable, RoundClose, SubmittedList, WatchParty
from rosters.models import Description, LedgerEntry, Pilot, Player, Portrait, Unit
from systems import text as texts

Rows = Callable[[Scope], QuerySet[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """A table that is left out."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A table whose rows are calculated again from those kept."""

    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A table that is archived. `rows`: the path from a row to its club, or a function that returns the rows."""

    rows: str | Rows
    codecs: Mapping[str, Codec] = field(default_factory=dict)  # fields that hold ids of rows
    renewed: tuple[str, ...] = ()  # access keys, which get new values where the archive is restored
    without: Mapping[str, str] = field(default_factory=dict)  # field -> why it is left out; restored with its default


TableRule = Kept | Derived | Omitted

JOB_REASON = "a worker's hold on the row; it is over"
JOB_FIELDS = dict.fromkeys(("lease", "lease_until", "tries", "blips", "not_before"), JOB_REASON)
REDRAWN_FIELDS = {"file": "it is drawn again from its order", "previews": "drawn again with the file"}
SITE_FIELDS = {"asked_from": "the mark of a visitor of one site"}


def rows_of(model: type[Model], word: Kept, scope: Scope) -> QuerySet[Any]:
    """Return the rows of a table that are the club's, oldest first."""
    if callable(word.rows):
        found = word.rows(scope)
    else:
        found = model._default_manager.filter(**{word.rows or "pk": scope.club})
    return found.order_by("pk")


ENDED = ("done", "failed", "called-off")
UNIT, PILOT = "rosters.Unit", "rosters.Pilot"
ACCOUNT = Omitted(why="accounts belong to one site")
OWN = Omitted(why="belongs to a player, who takes it along with their data")
NOTIFICATION = Omitted(why="notifications belong to one site; activity log, gazettes and rulings hold what happened")
RECALCULATED = Derived(how="calculated again when somebody asks")

TABLE_RULES: Mapping[str, TableRule] = {
    # --- the club
    "campaigns.Club": Kept(rows=""),
    "campaigns.Membership": Kept(rows="club", renewed=("feed_key",)),
    "campaigns.Invitation": Omitted(why="its link belongs to one site; everybody in the archive gets a new one"),
    "campaigns.JoinRequest": Omitted(why="a request to join is for one site"),
    "campaigns.ActivityLogEntry": Kept(rows="club"),
    "campaigns.ClubDisplay": Kept(rows="club", renewed=("key",)),
    "campaigns.Webhook": Kept(
        rows="club",
        renewed=("key",),
        without={
            "secret": "it signs what is sent",
            "failing_since": "nothing is sent from a copy yet",
        },
    ),
    "campaigns.WebhookDelivery": Omitted(why="sent to an address that isn't in the archive"),
    "campaigns.BalanceReport": Omitted(why="calculated from all clubs of a site"),
    "campaigns.MatchmakingEntry": Omitted(why="is only for one evening"),
    "campaigns.MatchmakingOffer": Kept(
        rows=lambda s: MatchmakingOffer.objects.filter(
            s.of_companies("attacker"), s.of_companies("defender"), club=s.club
        ).exclude(state="proposed")
    ),
    "campaigns.Guest": Omitted(why="guests come along as players, with a place like everybody's"),
    "campaigns.GuestLink": Omitted(why="its link opens the site that made it"),
    "campaigns.ClubArchive": Omitted(why="an archive holds no archives"),
    "campaigns.ClubRestore": Omitted(why="records what was restored on one site"),
    "campaigns.Placeholder": Omitted(why="its link gives access; everybody in the archive gets a new one"),
    # --- campaigns
    "campaigns.Campaign": Kept(rows="club"),
    "campaigns.Enrolment": Kept(
        rows="campaign__club", codecs={"orders": orders_codec}
    ),  # orders only of finished campaigns: see `_ROW_CHANGES` in packing.py
    "campaigns.Territory": Kept(rows="campaign__club"),
    "campaigns.Phase": Kept(rows="campaign__club"),
    "campaigns.Round": Kept(rows="campaign__club"),
    "campaigns.RoundClose": Kept(
        rows=lambda s: RoundClose.objects.filter(round__campaign__club=s.club, status__in=ENDED), without=JOB_FIELDS
    ),
    "campaigns.FairDraw": Derived(how="calculated again when a round is planned"),
    "campaigns.PairOdds": Derived(how="calculated again when pairings are chosen"),
    "campaigns.Storyline": Kept(rows="campaign__club"),
    "campaigns.StorylineRole": Kept(rows="storyline__campaign__club"),
    "campaigns.StorylineRound": Kept(rows="storyline__campaign__club"),
    "campaigns.Cup": Kept(rows="campaign__club"),
    "campaigns.CupEntrant": Kept(rows="cup__campaign__club"),
    "campaigns.CupTie": Kept(rows="cup__campaign__club"),
    "campaigns.CatalogueUpgrade": Kept(rows="campaign__club"),
    "campaigns.TerritoryIncome": Kept(rows="round__campaign__club"),
    # --- seasons
    "campaigns.Season": Kept(rows="club"),
    "campaigns.SeasonGame": Kept(rows="season__club"),
    "campaigns.SeasonTeam": Kept(rows="season__club"),
    "campaigns.SeasonEntrant": Kept(rows="season__club"),
    "campaigns.SeasonRound": Kept(rows="season__club"),
    "campaigns.SeasonTie": Kept(rows="round__season__club"),
    "campaigns.SeasonPairing": Kept(
        rows="round__season__club", without={"last_notices": "sent to inboxes, which aren't in the archive either"}
    ),
    # --- matches
    "campaigns.Match": Kept(
        rows="round__campaign__club", codecs={"forces": ids_codec(f"*.*.unit={UNIT}", f"*.*.pilot={PILOT}")}
    ),
    "campaigns.SubmittedList": Kept(  # unrevealed lists are left out; see also `_ROW_CHANGES` in packing.py
        rows=lambda s: SubmittedList.objects.filter(match__round__campaign__club=s.club, match__setup__isnull=False),
        codecs={"document": list_codec},
    ),
    "campaigns.MatchPreparation": Kept(rows="match__round__campaign__club", codecs={"pilots": ids_codec(f"*={PILOT}")}),
    "campaigns.SupportRoll": Kept(rows="match__round__campaign__club"),
    "campaigns.Friendly": Kept(rows=scope.friendlies),
    "campaigns.Handicap": Kept(
        rows=lambda s: Handicap.objects.filter(match__round__campaign__club=s.club, status__in=ENDED),
        without=JOB_FIELDS,
    ),
    "campaigns.MatchTable": Kept(rows=lambda s: MatchTable.objects.filter(table__in=scope.tables(s.club).values("pk"))),
    "campaigns.MatchDate": Kept(rows="match__round__campaign__club"),
    "campaigns.WatchParty": Kept(
        rows=lambda s: WatchParty.objects.filter(match__round__campaign__club=s.club, status__in=ENDED),
        without=JOB_FIELDS | {"record": "after the watch party it is the match's battle"},
    ),
    "campaigns.Availability": OWN,
    "campaigns.SavedList": OWN,
    # --- results
    "campaigns.Report": Kept(rows="match__round__campaign__club"),
    "campaigns.Ruling": Kept(
        rows="campaign__club",
        codecs={
            "decision": ids_codec(
                "enrolment=campaigns.Enrolment",
                "company=rosters.Company",
                "undoes=campaigns.Ruling",
                f"adjustments.*.unit={UNIT}",
                f"adjustments.*.pilot={PILOT}",
            )
        },
    ),
    "campaigns.Dispute": Kept(rows="match__round__campaign__club"),
    "campaigns.Correction": Kept(rows="match__round__campaign__club", codecs={"effects": effects_codec}),
    "campaigns.ArbiterConsent": Kept(rows="match__round__campaign__club"),
    "campaigns.Gazette": Kept(
        rows="round__campaign__club",
        codecs={"content": ids_codec("places.*.id=campaigns.Territory", "places.*.holder=rosters.Company")},
    ),
    "campaigns.GazettePrint": Kept(
        rows=lambda s: GazettePrint.objects.filter(gazette__round__campaign__club=s.club, status__in=ENDED),
        without=JOB_FIELDS | REDRAWN_FIELDS,
    ),
    # --- notifications
    "campaigns.NotificationEvent": NOTIFICATION,
    "campaigns.Notification": NOTIFICATION,
    "campaigns.Mail": NOTIFICATION,
    "campaigns.NotificationPreferences": ACCOUNT,
    "campaigns.PushKey": Omitted(why="a key of the site that sends notifications"),
    "campaigns.PushDevice": ACCOUNT,
    "campaigns.PushNotification": NOTIFICATION,
    "campaigns.PlayerCalendar": ACCOUNT,
    # --- companies
    "rosters.Player": Kept(
        rows=lambda s: Player.objects.filter(pk__in=s.players),
        without=dict.fromkeys(
            (
                "password",
                "last_login",
                "is_superuser",
                "first_name",
                "last_name",
                "email",
                "is_staff",
                "is_active",
                "leaves_at",
                "leaves_as",
                "time_zone",
                "paper",
            ),
            "belongs to the account on one site",
        )
        | {"is_guest": "a guest's link belongs to one site; they get a place like everybody's"},
    ),  # fmt: skip
    "rosters.Company": Kept(rows=lambda s: s.companies, renewed=("link_key",)),
    "rosters.CompanyOrigin": Omitted(why="the way it came to one site; on the new site it came with the archive"),
    "rosters.Pilot": Kept(rows=lambda s: Pilot.objects.filter(s.of_companies())),
    "rosters.Unit": Kept(rows=lambda s: Unit.objects.filter(s.of_companies())),
    "rosters.LedgerEntry": Kept(
        rows=lambda s: LedgerEntry.objects.filter(s.of_companies()),
        codecs={
            "facts": ids_codec(*(f"{name}=rosters.LedgerEntry" for name in ("place", "prices", "again"))),
            "cause_ref": cause_codec,
        },
    ),
    "rosters.Portrait": Kept(rows=lambda s: Portrait.objects.filter(s.of_companies())),
    "rosters.Description": Kept(
        rows=lambda s: Description.objects.filter(s.of_companies()),
        without={"notes": "nobody but the owner reads them"},
    ),
    "rosters.Design": Kept(rows=scope.designs, renewed=("link_key",)),
    "rosters.Scenario": Kept(rows=scope.scenarios, renewed=("link_key",)),
    "rosters.PrintJob": Kept(
        rows=scope.prints,
        without=JOB_FIELDS
        | REDRAWN_FIELDS
        | SITE_FIELDS
        | {
            "choice": "a choice on a page of the old site; the order holds what is printed",
            "form_path": "the address of that page",
            "subjects": "for comparison on pages of the old site",
        },
    ),
    "rosters.PrintBatch": Derived(how="made again when a print is drawn"),
    "rosters.PrintPreset": OWN,
    "rosters.PrinterProfile": OWN,
    # --- battles
    "battles.SealedDice": Kept(
        rows=scope.dice,
        without=SITE_FIELDS | dict.fromkeys(("hidden", "hidden_under"), "hidden units stay secret"),
    ),
    "battles.Battle": Kept(rows=scope.battles, without=JOB_FIELDS | SITE_FIELDS),
    "battles.BattleSide": Kept(
        rows=lambda s: BattleSide.objects.filter(battle__in=s.battles),
        codecs={"force": ids_codec(f"*.unit={UNIT}", f"*.pilot={PILOT}")},
    ),
    "battles.Record": Kept(rows=lambda s: Record.objects.filter(battle__in=s.battles)),
    "battles.Forecast": Kept(
        rows=scope.forecasts, without=JOB_FIELDS | SITE_FIELDS | {"ready_by": "no rules are compiled for it any more"}
    ),
    "battles.LiveTable": Kept(
        rows=lambda s: scope.tables(s.club),
        codecs={"forces": ids_codec("*.company=rosters.Company", f"*.units.*.unit={UNIT}", f"*.units.*.pilot={PILOT}")},
        without={"code": "lets somebody join", "made_from": "identifies a visitor of one site"},
    ),
    "battles.LiveSeat": Kept(
        rows=lambda s: LiveSeat.objects.filter(table__in=scope.tables(s.club).values("pk")), renewed=("key",)
    ),
    "battles.LiveEvent": Kept(rows=lambda s: LiveEvent.objects.filter(table__in=scope.tables(s.club).values("pk"))),
    "battles.SoloBattle": Omitted(why="a player's practice; if a ledger names its result, the battle is kept"),
    "battles.WhatIf": RECALCULATED,
    "battles.Matrix": RECALCULATED,
    "battles.Curve": RECALCULATED,
    "battles.BestAnswer": RECALCULATED,
    "battles.BestBuild": RECALCULATED,
    "battles.BestChange": RECALCULATED,
    "battles.Fork": RECALCULATED,
    "battles.Chunk": RECALCULATED,
    "battles.PairedDice": Omitted(why="the dice of two phones, which belong to no club"),
    "battles.PairedList": Omitted(why="the dice of two phones, which belong to no club"),
    "battles.RecordCheck": Omitted(why="a check requested on one site"),
    # --- accounts and site
    "rosters.AccessToken": ACCOUNT,
    "rosters.SignIn": ACCOUNT,
    "rosters.DataExport": ACCOUNT,
    "rosters.AccountMerge": Omitted(why="holds for one transaction"),
    "rosters.CompanyErasure": Omitted(why="holds for one transaction"),
    "rosters.WorkerHeartbeat": Omitted(why="the workers of one site"),
    "rosters.IdempotentResponse": Omitted(why="one site's answer to a program"),
    "account.EmailAddress": ACCOUNT,
    "account.EmailConfirmation": ACCOUNT,
    "mfa.Authenticator": ACCOUNT,
    "usersessions.UserSession": ACCOUNT,
    "sessions.Session": ACCOUNT,
    "auth.Permission": Omitted(why="of the admin of one site"),
    "auth.Group": Omitted(why="of the admin of one site"),
    "admin.LogEntry": Omitted(why="of the admin of one site"),
    "contenttypes.ContentType": Derived(how="made by the migrations"),
}

KEPT: Mapping[str, Kept] = {label: word for label, word in TABLE_RULES.items() if isinstance(word, Kept)}


FIRST_YEAR, LAST_YEAR = 1970, 2200  # times within these years can be shown in every time zone
SIDE_FIELDS = ("side", "refusing_side")
MAY_BE_EMPTY = ("campaigns.SubmittedList.salt",)  # empty while the match of the list is undecided


def model_of(label: str) -> type[models.Model]:
    return apps.get_model(label)


@cache
def archived_fields(label: str) -> tuple[models.Field[Any, Any], ...]:
    """Return the fields that the archive holds, in order, without the primary key."""
    word = KEPT[label]
    return tuple(each for each in all_fields(label) if each.name not in (*word.renewed, *word.without))


@cache
def all_fields(label: str) -> tuple[models.Field[Any, Any], ...]:
    """Return every field of a table that can be written, except the primary key."""
    concrete = model_of(label)._meta.concrete_fields
    return tuple(each for each in concrete if not each.primary_key and not getattr(each, "generated", False))


@cache
def related_label(field: models.Field[Any, Any]) -> str | None:
    """Return the table that the field refers to, or None."""
    related = field.related_model
    return related._meta.label if isinstance(related, type) and issubclass(related, models.Model) else None


@cache
def json_columns(label: str) -> tuple[str, ...]:
    """Return the names of the archived fields that hold JSON."""
    return tuple(each.name for each in archived_fields(label) if isinstance(each, models.JSONField))


def json_value(field: models.Field[Any, Any], row: models.Model) -> object:
    value = field.value_from_object(row)
    if value is None or isinstance(field, models.JSONField) or isinstance(value, bool | int | float | str):
        return value
    return field.value_to_string(row)


def python_value(field: models.Field[Any, Any], stored: object) -> object:
    """Return the value of the field for its JSON. Raise ValidationError for a value it can't hold."""
    if stored is None:
        if not field.null:
            raise ValidationError("must not be empty")
        return None
    value = stored if isinstance(field, models.JSONField) else field.to_python(_check_json_type(field, stored))
    choices = _choices(field)
    if choices is not None and value not in field.empty_values and value not in choices:
        raise ValidationError("is none of the values that there are")
    is_text = isinstance(field, models.CharField | models.TextField)
    if is_text and stored == "" and not field.blank and str(field) not in MAY_BE_EMPTY:
        raise ValidationError("must not be empty")
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValidationError("must say its time zone")
    if isinstance(value, date) and not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValidationError(f"must be between {FIRST_YEAR} and {LAST_YEAR}")
    if field.name in SIDE_FIELDS and value not in (None, 0, 1):
        raise ValidationError("must be 0 or 1")
    field.run_validators(value)
    return value


def clean_json(value: object) -> object:
    """Return the JSON value with its texts cleaned as by forms: no invisible or direction-changing characters."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else _clean_text(value)
    if isinstance(value, dict):
        return {name: clean_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [clean_json(each) for each in value]
    return value


def _clean_text(text: str) -> str:
    if not texts.text_problem(text, lines=True, may_be_empty=True):
        return text
    lines = text.replace("\t", " ").replace("\r", "").split("\n")
    return "\n".join(texts.shorten_name(line, longest=len(line), nothing="") for line in lines)


@cache
def _choices(field: models.Field[Any, Any]) -> frozenset[object] | None:
    return frozenset(value for value, _ in field.flatchoices) if field.choices else None


def _check_json_type(field: models.Field[Any, Any], stored: object) -> object:
    """Return the value if JSON of its type is allowed for the field. Raise ValidationError otherwise."""
    if isinstance(stored, list | dict):
        raise ValidationError("must be a text or a number")
    if isinstance(field, models.BooleanField) != isinstance(stored, bool):
        raise ValidationError("must be true or false" if not isinstance(stored, bool) else "must not be true or false")
    if isinstance(field, models.CharField | models.TextField) and not isinstance(stored, str):
        raise ValidationError("must be a text")
    if isinstance(field, models.IntegerField) and not isinstance(stored, int):
        raise ValidationError("must be a whole number")
    if isinstance(field, models.FloatField) and not isinstance(stored, int | float):
        raise ValidationError("must be a number")
    if isinstance(field, models.UUIDField):
        return uuid.UUID(str(stored))
    return stored


def line_of(row: Mapping[str, object]) -> str:
    """Return a row as a line of its file."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
