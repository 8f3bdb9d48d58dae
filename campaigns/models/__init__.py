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
from .phases import Phase
from .results import Correction, CorrectionMode, Dispute, JudgeConsent, Report, Ruling

__all__ = [
    "AbsentRule",
    "Campaign",
    "CampaignState",
    "Club",
    "Correction",
    "CorrectionMode",
    "DecidedBy",
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
    "Match",
    "MatchForce",
    "MatchState",
    "Membership",
    "Outcome",
    "Pairing",
    "Phase",
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
]
