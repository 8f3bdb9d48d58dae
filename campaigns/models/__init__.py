"""Clubs, their campaigns, rounds and matches, the reports of players and the rulings of arbiters."""

from campaigns.states import EnrolmentState, MatchState, Outcome

from .archives import ClubArchive, ClubRestore, Placeholder
from .arcs import Storyline, StorylineRole, StorylineRound
from .balance import BalanceReport
from .campaigns import (
    AbsentRule,
    AttackRule,
    Campaign,
    CampaignState,
    Enrolment,
    CampaignPairingMethod,
    Territory,
    TerritoryMap,
)
from .clubs import Club, ActivityLogEntry, Invitation, JoinRequest, Membership, RequestState, Role
from .cups import Cup, CupEntrant, CupTie, Seeding
from .dates import Availability, MatchDate, PlayerCalendar
from .evenings import MatchmakingOffer, OfferState, MatchmakingEntry
from .gazette import Gazette, GazettePrint
from .guests import Guest, GuestLink
from .handicaps import Handicap
from .income import TerritoryIncome
from .matches import (
    DecidedBy,
    FairDraw,
    Friendly,
    Match,
    SubmittedList,
    PairOdds,
    Round,
    RoundClose,
    RoundState,
    SupportRoll,
)
from .musters import MatchPreparation, SavedList
from .occasions import Channel, Notification, Mail, NotificationEvent, NotificationPreferences
from .phases import Phase
from .premieres import WatchParty
from .pushes import PushNotification, PushDevice, PushKey
from .releases import UpgradeState, CatalogueUpgrade
from .results import Correction, CorrectionMode, Dispute, ArbiterConsent, Report, Ruling
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
from .walls import ClubDisplay
from .webhooks import WebhookDelivery, Webhook

__all__ = [
    "UpgradeState",
    "Storyline",
    "StorylineRole",
    "StorylineRound",
    "AbsentRule",
    "AttackRule",
    "Availability",
    "BalanceReport",
    "Campaign",
    "CampaignState",
    "Club",
    "ClubArchive",
    "ClubRestore",
    "Correction",
    "CorrectionMode",
    "Cup",
    "CupEntrant",
    "CupTie",
    "DecidedBy",
    "WebhookDelivery",
    "ActivityLogEntry",
    "Dispute",
    "Enrolment",
    "EnrolmentState",
    "MatchmakingOffer",
    "OfferState",
    "FairDraw",
    "Friendly",
    "Gazette",
    "GazettePrint",
    "Guest",
    "GuestLink",
    "Handicap",
    "Invitation",
    "JoinRequest",
    "ArbiterConsent",
    "Notification",
    "Mail",
    "Match",
    "MatchDate",
    "SubmittedList",
    "MatchPreparation",
    "MatchState",
    "MatchTable",
    "Membership",
    "NotificationEvent",
    "Outcome",
    "PairOdds",
    "CampaignPairingMethod",
    "PairingState",
    "Phase",
    "Placeholder",
    "PlayerCalendar",
    "WatchParty",
    "PushNotification",
    "PushDevice",
    "PushKey",
    "MatchmakingEntry",
    "CatalogueUpgrade",
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
    "SavedList",
    "SupportRoll",
    "Territory",
    "TerritoryIncome",
    "TerritoryMap",
    "ClubDisplay",
    "Channel",
    "Webhook",
    "NotificationPreferences",
]
