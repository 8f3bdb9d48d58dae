"""What an archive does with each table: keep its rows, have them calculated again, or leave them behind.

Add a line for every new table; a test checks this. A table that foreign keys link to the club is kept by the path to
it: `"campaigns.Phase": Kept(rows="campaign__club")`. Ids inside JSON values need a codec, and keys that give access are
made new (`anew`). A table that stays behind says why.
"""

from __future__ import annotations

from collections.abc import Mapping

from battles.models import BattleSide, LiveEvent, LiveSeat, Record
from campaigns.models import EvenGame, GazettePrint, Handicap, MatchForce, MatchTable, Premiere, RoundClose
from rosters.models import LedgerEntry, Pilot, Player, Portrait, Unit, Words

from . import scope as rows
from .references import cause, effects, force, ids, orders
from .words import DRAWN_AGAIN, OF_A_JOB, OF_THE_SITE, Derived, Kept, Left, Word

OVER = ("done", "failed", "called-off")
UNIT, PILOT = "rosters.Unit", "rosters.Pilot"
AN_ACCOUNT = Left(why="of an account, which every site has its own of")
OWN = Left(why="a player's own, which he takes along with his data")
MAILED = Left(why="told by the site on which it came about; what is kept of it stands in diary, gazettes and rulings")
COUNTED = Derived(how="counted again when somebody asks")

WORDS: Mapping[str, Word] = {
    # --- the club
    "campaigns.Club": Kept(rows=""),
    "campaigns.Membership": Kept(rows="club", anew=("feed_key",)),
    "campaigns.Invitation": Left(why="its link is of the site that made it; who comes along gets a link of his own"),
    "campaigns.JoinRequest": Left(why="who asks to join asks the site that he is on"),
    "campaigns.DiaryEntry": Kept(rows="club"),
    "campaigns.Wall": Kept(rows="club", anew=("key",)),
    "campaigns.Webhook": Kept(
        rows="club",
        anew=("key",),
        without={
            "secret": "it signs what is sent",
            "failing_since": "nothing is sent from a copy yet",
        },
    ),
    "campaigns.Delivery": Left(why="a sending of the site to an address that stays behind"),
    "campaigns.Balance": Left(why="counted of all clubs of the site"),
    "campaigns.ReadyCompany": Left(why="waits for a game of tonight"),
    "campaigns.EvenGame": Kept(
        rows=lambda s: EvenGame.objects.filter(
            s.of_companies("attacker"), s.of_companies("defender"), club=s.club
        ).exclude(state="proposed")
    ),
    "campaigns.Guest": Left(why="who was a guest comes along as a player, and gets a place like everybody"),
    "campaigns.GuestLink": Left(why="lets somebody in on the site that made it"),
    "campaigns.ClubArchive": Left(why="an archive holds no archives"),
    "campaigns.ClubRestore": Left(why="what was brought to one site"),
    "campaigns.Placeholder": Left(why="its link lets somebody in; made anew for everybody who comes along"),
    # --- campaigns
    "campaigns.Campaign": Kept(rows="club"),
    "campaigns.Enrolment": Kept(
        rows="campaign__club", codecs={"orders": orders}
    ),  # orders only of finished campaigns: see `special`
    "campaigns.Territory": Kept(rows="campaign__club"),
    "campaigns.Phase": Kept(rows="campaign__club"),
    "campaigns.Round": Kept(rows="campaign__club"),
    "campaigns.RoundClose": Kept(
        rows=lambda s: RoundClose.objects.filter(round__campaign__club=s.club, status__in=OVER), without=OF_A_JOB
    ),
    "campaigns.FairDraw": Derived(how="counted again when a round is drawn up"),
    "campaigns.PairOdds": Derived(how="counted again when pairs are made by hand"),
    "campaigns.Arc": Kept(rows="campaign__club"),
    "campaigns.ArcRole": Kept(rows="arc__campaign__club"),
    "campaigns.ArcRound": Kept(rows="arc__campaign__club"),
    "campaigns.Cup": Kept(rows="campaign__club"),
    "campaigns.CupPlace": Kept(rows="cup__campaign__club"),
    "campaigns.CupTie": Kept(rows="cup__campaign__club"),
    "campaigns.ReleaseAdoption": Kept(rows="campaign__club"),
    "campaigns.TerritoryIncome": Kept(rows="round__campaign__club"),
    # --- seasons
    "campaigns.Season": Kept(rows="club"),
    "campaigns.SeasonGame": Kept(rows="season__club"),
    "campaigns.SeasonTeam": Kept(rows="season__club"),
    "campaigns.SeasonEntrant": Kept(rows="season__club"),
    "campaigns.SeasonRound": Kept(rows="season__club"),
    "campaigns.SeasonTie": Kept(rows="round__season__club"),
    "campaigns.SeasonPairing": Kept(
        rows="round__season__club", without={"told": "word that went to inboxes, which stay behind too"}
    ),
    # --- matches
    "campaigns.Match": Kept(
        rows="round__campaign__club", codecs={"forces": ids(f"*.*.unit={UNIT}", f"*.*.pilot={PILOT}")}
    ),
    "campaigns.MatchForce": Kept(  # unrevealed lists stay behind; see also `special`
        rows=lambda s: MatchForce.objects.filter(match__round__campaign__club=s.club, match__setup__isnull=False),
        codecs={"document": force},
    ),
    "campaigns.MatchMuster": Kept(rows="match__round__campaign__club", codecs={"pilots": ids(f"*={PILOT}")}),
    "campaigns.SupportRoll": Kept(rows="match__round__campaign__club"),
    "campaigns.Friendly": Kept(rows=rows.friendlies),
    "campaigns.Handicap": Kept(
        rows=lambda s: Handicap.objects.filter(match__round__campaign__club=s.club, status__in=OVER), without=OF_A_JOB
    ),
    "campaigns.MatchTable": Kept(rows=lambda s: MatchTable.objects.filter(table__in=rows.tables(s.club).values("pk"))),
    "campaigns.MatchDate": Kept(rows="match__round__campaign__club"),
    "campaigns.Premiere": Kept(
        rows=lambda s: Premiere.objects.filter(match__round__campaign__club=s.club, status__in=OVER),
        without=OF_A_JOB | {"record": "once told, it is the match's battle"},
    ),
    "campaigns.Availability": OWN,
    "campaigns.SavedForce": OWN,
    # --- results
    "campaigns.Report": Kept(rows="match__round__campaign__club"),
    "campaigns.Ruling": Kept(
        rows="campaign__club",
        codecs={
            "decision": ids(
                "enrolment=campaigns.Enrolment",
                "company=rosters.Company",
                "undoes=campaigns.Ruling",
                f"adjustments.*.unit={UNIT}",
                f"adjustments.*.pilot={PILOT}",
            )
        },
    ),
    "campaigns.Dispute": Kept(rows="match__round__campaign__club"),
    "campaigns.Correction": Kept(rows="match__round__campaign__club", codecs={"effects": effects}),
    "campaigns.JudgeConsent": Kept(rows="match__round__campaign__club"),
    "campaigns.Gazette": Kept(
        rows="round__campaign__club",
        codecs={"content": ids("places.*.id=campaigns.Territory", "places.*.holder=rosters.Company")},
    ),
    "campaigns.GazettePrint": Kept(
        rows=lambda s: GazettePrint.objects.filter(gazette__round__campaign__club=s.club, status__in=OVER),
        without=OF_A_JOB | DRAWN_AGAIN,
    ),
    # --- notifications
    "campaigns.News": MAILED,
    "campaigns.Letter": MAILED,
    "campaigns.Mail": MAILED,
    "campaigns.Wishes": AN_ACCOUNT,
    "campaigns.PushKey": Left(why="a key of the site that sends"),
    "campaigns.PushDevice": AN_ACCOUNT,
    "campaigns.Push": MAILED,
    "campaigns.PlayerCalendar": AN_ACCOUNT,
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
            "of the account, which the new site has its own of",
        )
        | {"is_guest": "a guest's link is of the site that made it; here he gets a place like everybody"},
    ),  # fmt: skip
    "rosters.Company": Kept(rows=lambda s: s.companies, anew=("link_key",)),
    "rosters.CompanyOrigin": Left(
        why="says how it came to one site; to where it is restored, it came with the archive"
    ),
    "rosters.Pilot": Kept(rows=lambda s: Pilot.objects.filter(s.of_companies())),
    "rosters.Unit": Kept(rows=lambda s: Unit.objects.filter(s.of_companies())),
    "rosters.LedgerEntry": Kept(
        rows=lambda s: LedgerEntry.objects.filter(s.of_companies()),
        codecs={
            "facts": ids(*(f"{name}=rosters.LedgerEntry" for name in ("place", "prices", "again"))),
            "cause_ref": cause,
        },
    ),
    "rosters.Portrait": Kept(rows=lambda s: Portrait.objects.filter(s.of_companies())),
    "rosters.Words": Kept(
        rows=lambda s: Words.objects.filter(s.of_companies()), without={"notes": "nobody but the owner reads them"}
    ),
    "rosters.Design": Kept(rows=rows.designs, anew=("link_key",)),
    "rosters.Scenario": Kept(rows=rows.scenarios, anew=("link_key",)),
    "rosters.PrintJob": Kept(
        rows=rows.prints,
        without=OF_A_JOB
        | DRAWN_AGAIN
        | OF_THE_SITE
        | {
            "choice": "what was chosen on a page of the old site; the order holds what is printed",
            "form_path": "the address of that page",
            "subjects": "what a page of the old site compares with",
        },
    ),
    "rosters.PrintBatch": Derived(how="made again when a print is drawn"),
    "rosters.PrintPreset": OWN,
    "rosters.PrinterProfile": OWN,
    # --- battles
    "battles.SealedDice": Kept(
        rows=rows.dice,
        without=OF_THE_SITE | dict.fromkeys(("hidden", "hidden_under"), "what is not shown yet stays secret"),
    ),
    "battles.Battle": Kept(rows=rows.battles, without=OF_A_JOB | OF_THE_SITE),
    "battles.BattleSide": Kept(
        rows=lambda s: BattleSide.objects.filter(battle__in=s.battles),
        codecs={"force": ids(f"*.unit={UNIT}", f"*.pilot={PILOT}")},
    ),
    "battles.Record": Kept(rows=lambda s: Record.objects.filter(battle__in=s.battles)),
    "battles.Forecast": Kept(
        rows=rows.forecasts, without=OF_A_JOB | OF_THE_SITE | {"ready_by": "nothing is compiled for it any more"}
    ),
    "battles.LiveTable": Kept(
        rows=lambda s: rows.tables(s.club),
        codecs={"forces": ids("*.company=rosters.Company", f"*.units.*.unit={UNIT}", f"*.units.*.pilot={PILOT}")},
        without={"code": "lets somebody sit down", "made_from": "the mark of a visitor of one site"},
    ),
    "battles.LiveSeat": Kept(
        rows=lambda s: LiveSeat.objects.filter(table__in=rows.tables(s.club).values("pk")), anew=("key",)
    ),
    "battles.LiveEvent": Kept(rows=lambda s: LiveEvent.objects.filter(table__in=rows.tables(s.club).values("pk"))),
    "battles.SoloBattle": Left(why="a player's practice; what came of it is kept as a battle if a ledger names it"),
    "battles.WhatIf": COUNTED,
    "battles.Matrix": COUNTED,
    "battles.Curve": COUNTED,
    "battles.BestAnswer": COUNTED,
    "battles.BestBuild": COUNTED,
    "battles.BestChange": COUNTED,
    "battles.Fork": COUNTED,
    "battles.Chunk": COUNTED,
    "battles.PairedDice": Left(why="rolled by two phones, whose lists hang on no club"),
    "battles.PairedList": Left(why="rolled by two phones, whose lists hang on no club"),
    "battles.RecordCheck": Left(why="a check that somebody asked one site for"),
    # --- accounts and site
    "rosters.AccessToken": AN_ACCOUNT,
    "rosters.SignIn": AN_ACCOUNT,
    "rosters.Takeout": AN_ACCOUNT,
    "rosters.PlayerSuccession": Left(why="holds for one transaction"),
    "rosters.CompanyErasure": Left(why="holds for one transaction"),
    "rosters.WorkerSeen": Left(why="of the workers of one site"),
    "rosters.KeptAnswer": Left(why="an answer of one site to one program"),
    "account.EmailAddress": AN_ACCOUNT,
    "account.EmailConfirmation": AN_ACCOUNT,
    "mfa.Authenticator": AN_ACCOUNT,
    "usersessions.UserSession": AN_ACCOUNT,
    "sessions.Session": AN_ACCOUNT,
    "auth.Permission": Left(why="of the admin of one site"),
    "auth.Group": Left(why="of the admin of one site"),
    "admin.LogEntry": Left(why="of the admin of one site"),
    "contenttypes.ContentType": Derived(how="made by the migrations"),
}

KEPT: Mapping[str, Kept] = {label: word for label, word in WORDS.items() if isinstance(word, Kept)}
