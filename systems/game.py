"""Game: the parts of a rule system. The site doesn't offer a part that is None."""

from __future__ import annotations

from dataclasses import dataclass

from systems.battle import BattleSystem
from systems.ledger import Kind
from systems.paper import SystemPaper
from systems.roster import AnyRoster, RosterSystem
from systems.season import AnySeason, CampaignSystem


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One rule system. Each game's package calls its instance GAME."""

    roster: AnyRoster
    battle: BattleSystem | None = None
    season: AnySeason | None = None
    paper: SystemPaper | None = None
    ledger: tuple[Kind, ...] = ()  # kinds of entries that only this game has


KINDS: dict[str, type] = {
    "roster": RosterSystem,
    "battle": BattleSystem,
    "season": CampaignSystem,
    "paper": SystemPaper,
}


class InvalidGameError(ValueError):
    """Raised for a GAME that would break the site; names what it lacks."""


def fit_for_the_site(slug: str, game: object) -> Game:
    """Return the game if every part has the right type and all required attributes; raises InvalidGameError."""
    if not isinstance(game, Game):
        raise InvalidGameError(f"GAME is a {type(game).__name__} and no systems.game.Game")
    for name, kind in KINDS.items():
        part = getattr(game, name)
        if part is None and name != "roster":
            continue
        if not isinstance(part, kind):
            raise InvalidGameError(f"`{name}` of GAME is a {type(part).__name__} and no {kind.__name__}")
        unnamed = [field for field in kind.__annotations__ if not hasattr(part, field)]
        if unnamed:
            raise InvalidGameError(f"`{name}` of GAME does not name its {', '.join(unnamed)}")
        part_slug = getattr(part, "system" if name == "paper" else "slug")
        if part_slug != slug:
            raise InvalidGameError(f"`{name}` of GAME is of {part_slug!r}, and the game is {slug!r}")
    return game
