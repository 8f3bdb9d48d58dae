"""What an archive does with each table: keep its rows, have them calculated again, or leave them behind.

Add a line for every new table; a test checks this. A table that foreign keys link to the club is kept by the path to
it: `"campaigns.Phase": Kept(rows="campaign__club")`. Ids inside JSON values need a codec, and keys that give access are
made new (`anew`). A table that stays behind says why.
"""

from __future__ import annotations

from collections.abc import Mapping

from battles.models import BattleSide, LiveEvent, LiveSeat, Record
from campaigns.models import MatchmakingOffer, GazettePrint, Handicap, SubmittedList, MatchTable, WatchParty, RoundClose
from rosters.models import LedgerEntry, Pilot, Player, Portrait, Unit, Description

from . import scope as rows
from .references import cause_codec, effects_codec, ids_codec, list_codec, orders_codec
from .words import JOB_FIELDS, REDRAWN_FIELDS, SITE_FIELDS, Derived, Kept, Omitted, TableRule

ENDED = ("done", "failed", "called-off")
UNIT, PILOT = "rosters.Unit", "rosters.Pilot"
ACCOUNT = Omitted(why="accounts belong to one site")
OWN = Omitted(why="belongs to a player, who takes it along with their data")
NOTIFICATION = Omitted(why="notifications belong to one site; activity log, gazettes and rulings hold what happened")
RECALCULATED = Derived(how="calculated again when somebody asks")

TABLE_RULES: Mapping[str, TableRule] = {
    # --- the club
    "campaigns.Club": Kept(rows=""),
    "campaigns.Membership": Kept(rows="club", anew=("feed_key",)),
    "campaigns.Invitation": Omitted(why="its link belongs to one site; everybody in the archive gets a new one"),
    "campaigns.JoinRequest": Omitted(why="a request to join is for one site"),
    "campaigns.ActivityLogEntry": Kept(rows="club"),
    "campaigns.ClubDisplay": Kept(rows="club", anew=("key",)),
    "campaigns.Webhook": Kept(
        rows="club",
        anew=("key",),
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
    ),  # orders only of finished campaigns: see `special`
    "campaigns.Territory": Kept(rows="campaign__club"),
    "campaigns.Phase": Kept(rows="campaign__club"),
    "campaigns.Round": Kept(rows="campaign__club"),
    "campaigns.RoundClose": Kept(
        rows=lambda s: RoundClose.objects.filter(round__campaign__club=s.club, status__in=ENDED), without=JOB_FIELDS
    ),
    "campaigns.FairDraw": Derived(how="calculated again when a round is planned"),
    "campaigns.PairOdds": Derived(how="calculated again when pairings are chosen"),
    "campaigns.Storyline": Kept(rows="campaign__club"),
    "campaigns.StorylineRole": Kept(rows="arc__campaign__club"),
    "campaigns.StorylineRound": Kept(rows="arc__campaign__club"),
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
        rows="round__season__club", without={"told": "sent to inboxes, which aren't in the archive either"}
    ),
    # --- matches
    "campaigns.Match": Kept(
        rows="round__campaign__club", codecs={"forces": ids_codec(f"*.*.unit={UNIT}", f"*.*.pilot={PILOT}")}
    ),
    "campaigns.SubmittedList": Kept(  # unrevealed lists stay behind; see also `special`
        rows=lambda s: SubmittedList.objects.filter(match__round__campaign__club=s.club, match__setup__isnull=False),
        codecs={"document": list_codec},
    ),
    "campaigns.MatchPreparation": Kept(rows="match__round__campaign__club", codecs={"pilots": ids_codec(f"*={PILOT}")}),
    "campaigns.SupportRoll": Kept(rows="match__round__campaign__club"),
    "campaigns.Friendly": Kept(rows=rows.friendlies),
    "campaigns.Handicap": Kept(
        rows=lambda s: Handicap.objects.filter(match__round__campaign__club=s.club, status__in=ENDED),
        without=JOB_FIELDS,
    ),
    "campaigns.MatchTable": Kept(rows=lambda s: MatchTable.objects.filter(table__in=rows.tables(s.club).values("pk"))),
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
    "rosters.Company": Kept(rows=lambda s: s.companies, anew=("link_key",)),
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
        rows=lambda s: Description.objects.filter(s.of_companies()), without={"notes": "nobody but the owner reads them"}
    ),
    "rosters.Design": Kept(rows=rows.designs, anew=("link_key",)),
    "rosters.Scenario": Kept(rows=rows.scenarios, anew=("link_key",)),
    "rosters.PrintJob": Kept(
        rows=rows.prints,
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
        rows=rows.dice,
        without=SITE_FIELDS | dict.fromkeys(("hidden", "hidden_under"), "hidden units stay secret"),
    ),
    "battles.Battle": Kept(rows=rows.battles, without=JOB_FIELDS | SITE_FIELDS),
    "battles.BattleSide": Kept(
        rows=lambda s: BattleSide.objects.filter(battle__in=s.battles),
        codecs={"force": ids_codec(f"*.unit={UNIT}", f"*.pilot={PILOT}")},
    ),
    "battles.Record": Kept(rows=lambda s: Record.objects.filter(battle__in=s.battles)),
    "battles.Forecast": Kept(
        rows=rows.forecasts, without=JOB_FIELDS | SITE_FIELDS | {"ready_by": "no rules are compiled for it any more"}
    ),
    "battles.LiveTable": Kept(
        rows=lambda s: rows.tables(s.club),
        codecs={"forces": ids_codec("*.company=rosters.Company", f"*.units.*.unit={UNIT}", f"*.units.*.pilot={PILOT}")},
        without={"code": "lets somebody join", "made_from": "identifies a visitor of one site"},
    ),
    "battles.LiveSeat": Kept(
        rows=lambda s: LiveSeat.objects.filter(table__in=rows.tables(s.club).values("pk")), anew=("key",)
    ),
    "battles.LiveEvent": Kept(rows=lambda s: LiveEvent.objects.filter(table__in=rows.tables(s.club).values("pk"))),
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
