"""Clubs, their campaigns, rounds and matches, the reports of players and the rulings of arbiters."""

from campaigns.states import EnrolmentState, MatchState, Outcome

from .archives import ClubArchive, ClubRestore, Placeholder
from .arcs import Arc, ArcRole, ArcRound
from .balance import Balance
from .campaigns import (
    AbsentRule,
    AttackRule,
    Campaign,
    CampaignState,
    Enrolment,
    Pairing,
    Territory,
    TerritoryMap,
)
from .clubs import Club, DiaryEntry, Invitation, JoinRequest, Membership, RequestState, Role
from .cups import Cup, CupPlace, CupTie, Seeding
from .dates import Availability, MatchDate, PlayerCalendar
from .evenings import EvenGame, EvenGameState, ReadyCompany
from .gazette import Gazette, GazettePrint
from .guests import Guest, GuestLink
from .handicaps import Handicap
from .income import TerritoryIncome
from .matches import (
    DecidedBy,
    FairDraw,
    Friendly,
    Match,
    MatchForce,
    PairOdds,
    Round,
    RoundClose,
    RoundState,
    SupportRoll,
)
from .musters import MatchMuster, SavedForce
from .occasions import Channel, Letter, Mail, News, Wishes
from .phases import Phase
from .premieres import Premiere
from .pushes import Push, PushDevice, PushKey
from .releases import AdoptionState, ReleaseAdoption
from .results import Correction, CorrectionMode, Dispute, JudgeConsent, Report, Ruling
from .seasons import (
    PairingMethod,
    PairingState,
    Season,
    SeasonEntrant,
    SeasonGame,
    SeasonPairing,
    SeasonRound,
    SeasonRoundState,
    SeasonState,
    SeasonTeam,
    SeasonTie,
    SettledBy,
    SettleRule,
)
from .tables import MatchTable
from .walls import Wall
from .webhooks import Delivery, Webhook

__all__ = [
    "AdoptionState",
    "Arc",
    "ArcRole",
    "ArcRound",
    "AbsentRule",
    "AttackRule",
    "Availability",
    "Balance",
    "Campaign",
    "CampaignState",
    "Club",
    "ClubArchive",
    "ClubRestore",
    "Correction",
    "CorrectionMode",
    "Cup",
    "CupPlace",
    "CupTie",
    "DecidedBy",
    "Delivery",
    "DiaryEntry",
    "Dispute",
    "Enrolment",
    "EnrolmentState",
    "EvenGame",
    "EvenGameState",
    "FairDraw",
    "Friendly",
    "Gazette",
    "GazettePrint",
    "Guest",
    "GuestLink",
    "Handicap",
    "Invitation",
    "JoinRequest",
    "JudgeConsent",
    "Letter",
    "Mail",
    "Match",
    "MatchDate",
    "MatchForce",
    "MatchMuster",
    "MatchState",
    "MatchTable",
    "Membership",
    "News",
    "Outcome",
    "PairOdds",
    "Pairing",
    "PairingState",
    "Phase",
    "Placeholder",
    "PlayerCalendar",
    "Premiere",
    "Push",
    "PushDevice",
    "PushKey",
    "ReadyCompany",
    "ReleaseAdoption",
    "Report",
    "RequestState",
    "Role",
    "Round",
    "RoundClose",
    "RoundState",
    "Ruling",
    "Season",
    "SeasonEntrant",
    "SeasonGame",
    "SeasonPairing",
    "SeasonRound",
    "SeasonRoundState",
    "SeasonState",
    "SeasonTeam",
    "SeasonTie",
    "PairingMethod",
    "SettleRule",
    "SettledBy",
    "Seeding",
    "SavedForce",
    "SupportRoll",
    "Territory",
    "TerritoryIncome",
    "TerritoryMap",
    "Wall",
    "Channel",
    "Webhook",
    "Wishes",
]
