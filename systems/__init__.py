"""The rule systems that Muster plays: GAMES, one line each.

A game installed as its own package joins through an entry point in the group "muster.systems": the entry point's name
is the slug, its value the package. A broken game must not stop the others, so a game that can't be loaded is left out
and BROKEN says why.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator, Mapping, MutableMapping
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from systems.documents import SystemPart

if TYPE_CHECKING:
    import pydantic

    from systems.battle import BattleSystem
    from systems.game import Game
    from systems.paper import SystemPaper
    from systems.roster import AnyRoster
    from systems.season import AnySeason

PACKAGES = {
    "meks-and-mercs": "systems.meks_and_mercs",
    "mech-campaign": "systems.mech_campaign",
    "blazing-steel": "systems.blazing_steel",
    "mechastellar": "systems.mechastellar",
    "hex-core": "systems.hex_core",
}
BROKEN: dict[str, str] = {}  # slug -> why the game is left out

PartT = TypeVar("PartT")
log = logging.getLogger("muster.systems")


class UnknownSystemError(ValueError):
    """Raised for a slug that no rule system has."""


class Games(MutableMapping[str, "Game"]):
    """The games by slug, loaded when one of them is first used."""

    def __init__(self) -> None:
        self._loaded: dict[str, Game] | None = None

    def take_in(self, slug: str, package: str) -> None:
        """Add the package's GAME to the games, or leave it out and record the reason in BROKEN."""
        from systems.game import fit_for_the_site

        try:
            self[slug] = fit_for_the_site(slug, importlib.import_module(package).GAME)
        except Exception as error:
            log.exception("the rule system %s can't be taken in and is left out", slug)
            BROKEN[slug] = f"{type(error).__name__}: {error}"

    def _games(self) -> dict[str, Game]:
        if self._loaded is None:
            self._loaded = {}
            for slug, package in packages().items():
                self.take_in(slug, package)
        return self._loaded

    def __getitem__(self, slug: str) -> Game:
        return self._games()[slug]

    def __setitem__(self, slug: str, game: Game) -> None:
        self._games()[slug] = game

    def __delitem__(self, slug: str) -> None:
        del self._games()[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games())

    def __len__(self) -> int:
        return len(self._games())


class Part(Mapping[str, PartT], Generic[PartT]):
    """One part of every game that has it, by the game's slug."""

    def __init__(self, part: str) -> None:
        self._part = part

    def __getitem__(self, slug: str) -> PartT:
        found: PartT | None = getattr(GAMES[slug], self._part)
        if found is None:
            raise KeyError(slug)
        return found

    def __iter__(self) -> Iterator[str]:
        return (slug for slug, game in GAMES.items() if getattr(game, self._part) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def packages() -> dict[str, str]:
    """Return the package of each game by its slug: the built-in ones, then the installed ones."""
    return PACKAGES | {point.name: point.value for point in entry_points(group="muster.systems")}


def template_folders() -> list[Path]:
    """Return the template folders of the games, without loading any game."""
    folders = [place / "templates" for package in packages().values() for place in _places(package)]
    return sorted(folder for folder in folders if folder.is_dir())


def _places(package: str) -> list[Path]:
    try:
        spec = find_spec(package)
    except Exception:  # the parent package is missing or broken: the game is left out when it is loaded
        return []
    return [Path(place) for place in spec.submodule_search_locations or ()] if spec else []


GAMES = Games()
ROSTERS: Part[AnyRoster] = Part("roster")
BATTLES: Part[BattleSystem] = Part("battle")
SEASONS: Part[AnySeason] = Part("season")
PAPER: Part[SystemPaper] = Part("paper")


def roster_rules(slug: str, release: str = "") -> AnyRoster:
    """Return a game's rules for designs, pilots and companies, in the given catalogue release, by default the newest.

    The newest release reads everything that earlier ones read. Raises UnknownSystemError, UnknownReleaseError.
    """
    rules = _part(ROSTERS, slug)
    return rules.of(release) if release else rules


def battle_rules(slug: str) -> BattleSystem:
    """Return a game's battle rules; raises UnknownSystemError."""
    return _part(BATTLES, slug)


def season_rules(slug: str) -> AnySeason:
    """Return a game's rules for what happens between battles; raises UnknownSystemError."""
    return _part(SEASONS, slug)


def system_choices() -> list[tuple[str, str]]:
    """Return the slug and name of each game, for a model field's choices."""
    return [(slug, system.name) for slug, system in ROSTERS.items()]


def _read_as(part: str) -> list[type[pydantic.BaseModel] | dict[str, object]]:
    """Return each game's model, or schema, of that part of a document."""
    if part == "options":
        return [system.options_schema() for system in ROSTERS.values()]
    return [system.documents.get(part) or {"type": "object"} for system in ROSTERS.values()]


SystemPart.read_by_games = staticmethod(_read_as)


def _part(parts: Part[PartT], slug: str) -> PartT:
    try:
        return parts[slug]
    except KeyError:
        raise UnknownSystemError(f"unknown rule system {ascii(slug[:60])}; there is {', '.join(parts)}") from None
