"""Clubs, their campaigns, rounds and matches, and what players and arbiters said about them."""

from .archives import ClubArchive, ClubRestore, Placeholder
from .arcs import Arc, ArcRole, ArcRound
from .campaigns import (
    AbsentRule,
    AttackRule,
    Campaign,
    CampaignState,
    Enrolment,
    EnrolmentState,
    Pairing,
    Territory,
    TerritoryMap,
)
from .clubs import Club, DiaryEntry, Invitation, JoinRequest, Membership, RequestState, Role
from .cups import Cup, CupPlace, CupTie, Seeding
from .evenings import EvenGame, EvenGameState, ReadyCompany
from .gazette import Gazette, GazettePrint
from .handicaps import Handicap
from .matches import (
    DecidedBy,
    FairDraw,
    Friendly,
    Match,
    MatchForce,
    MatchState,
    Outcome,
    Round,
    RoundClose,
    RoundState,
    SupportRoll,
)
from .musters import MatchMuster, SavedForce
from .occasions import Letter, Mail, News, Way, Wishes
from .phases import Phase
from .results import Correction, CorrectionMode, Dispute, JudgeConsent, Report, Ruling
from .tables import MatchTable
from .walls import Wall
from .webhooks import Delivery, Webhook

__all__ = [
    "Arc",
    "ArcRole",
    "ArcRound",
    "AbsentRule",
    "AttackRule",
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
    "Handicap",
    "Invitation",
    "JoinRequest",
    "JudgeConsent",
    "Letter",
    "Mail",
    "Match",
    "MatchForce",
    "MatchMuster",
    "MatchState",
    "MatchTable",
    "Membership",
    "News",
    "Outcome",
    "Pairing",
    "Phase",
    "Placeholder",
    "ReadyCompany",
    "Report",
    "RequestState",
    "Role",
    "Round",
    "RoundClose",
    "RoundState",
    "Ruling",
    "Seeding",
    "SavedForce",
    "SupportRoll",
    "Territory",
    "TerritoryMap",
    "Wall",
    "Way",
    "Webhook",
    "Wishes",
]
