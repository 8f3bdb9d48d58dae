"""Clubs, their campaigns, rounds and matches, and what players and arbiters said about them."""

from .campaigns import AbsentRule, Campaign, CampaignState, Enrolment, EnrolmentState, Pairing, Territory, TerritoryMap
from .clubs import Club, DiaryEntry, Invitation, JoinRequest, Membership, RequestState, Role
from .gazette import Gazette, GazettePrint
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
from .occasions import Letter, Mail, News, Way, Wishes
from .results import Correction, CorrectionMode, Dispute, JudgeConsent, Report, Ruling
from .walls import Wall
from .webhooks import Delivery, Webhook

__all__ = [
    "AbsentRule",
    "Campaign",
    "CampaignState",
    "Club",
    "Correction",
    "CorrectionMode",
    "DecidedBy",
    "Delivery",
    "DiaryEntry",
    "Dispute",
    "Enrolment",
    "EnrolmentState",
    "FairDraw",
    "Friendly",
    "Gazette",
    "GazettePrint",
    "Invitation",
    "JoinRequest",
    "JudgeConsent",
    "Letter",
    "Mail",
    "Match",
    "MatchForce",
    "MatchState",
    "Membership",
    "News",
    "Outcome",
    "Pairing",
    "Report",
    "RequestState",
    "Role",
    "Round",
    "RoundClose",
    "RoundState",
    "Ruling",
    "SupportRoll",
    "Territory",
    "TerritoryMap",
    "Wall",
    "Way",
    "Webhook",
    "Wishes",
]
