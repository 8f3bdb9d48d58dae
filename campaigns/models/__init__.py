"""Clubs, their campaigns, rounds and matches, the reports of players and the rulings of arbiters."""

from campaigns.states import EnrolmentState, MatchState, Outcome

from campaigns.models.clubs import ClubArchive
from campaigns.models.clubs import ClubRestore
from campaigns.models.clubs import Placeholder
from campaigns.models.formats import Storyline
from campaigns.models.formats import StorylineRole
from campaigns.models.formats import StorylineRound
from campaigns.models.results import BalanceReport
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
from campaigns.models.formats import Cup
from campaigns.models.formats import CupEntrant
from campaigns.models.formats import CupTie
from campaigns.models.formats import Seeding
from campaigns.models.matches import Availability
from campaigns.models.matches import MatchDate
from campaigns.models.matches import PlayerCalendar
from campaigns.models.clubs import MatchmakingOffer
from campaigns.models.clubs import OfferState
from campaigns.models.clubs import MatchmakingEntry
from campaigns.models.results import Gazette
from campaigns.models.results import GazettePrint
from campaigns.models.clubs import Guest
from campaigns.models.clubs import GuestLink
from campaigns.models.matches import Handicap
from campaigns.models.formats import TerritoryIncome
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
from campaigns.models.matches import MatchPreparation
from campaigns.models.matches import SavedList
from campaigns.models.notifications import Channel
from campaigns.models.notifications import Notification
from campaigns.models.notifications import Mail
from campaigns.models.notifications import NotificationEvent
from campaigns.models.notifications import NotificationPreferences
from campaigns.models.formats import Phase
from campaigns.models.matches import WatchParty
from campaigns.models.notifications import PushNotification
from campaigns.models.notifications import PushDevice
from campaigns.models.notifications import PushKey
from campaigns.models.campaigns import UpgradeState
from campaigns.models.campaigns import CatalogueUpgrade
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
from campaigns.models.matches import MatchTable
from campaigns.models.clubs import ClubDisplay
from campaigns.models.notifications import WebhookDelivery
from campaigns.models.notifications import Webhook

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
