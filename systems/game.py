"""Game: what a rule system brings, part by part. What a game has not got is None, and the site then offers nothing of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from systems.battle import BattleSystem
from systems.ledger import Kind
from systems.paper.system import SystemPaper
from systems.roster import RosterSystem
from systems.season import CampaignSystem


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One rule system. A package of a game names its own GAME."""

    roster: RosterSystem[Any, Any]
    battle: BattleSystem | None = None
    season: CampaignSystem[Any] | None = None
    paper: SystemPaper | None = None
    ledger: tuple[Kind, ...] = ()  # kinds of entries that no other game has
