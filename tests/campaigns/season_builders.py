"""A season over three games with six players, and its acts by the players' names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import uuid4

from django.utils import timezone

from campaigns.models import Campaign, Club, Outcome, Season, SeasonPairing, SeasonRound
from campaigns.seasons.entrants import season_enter_all
from campaigns.seasons.game_choice import game_accept, game_propose
from campaigns.seasons.queries import common_games, games_of, playable_companies
from campaigns.seasons.rounds import season_round_draw, season_round_open
from campaigns.seasons.selectors import SeasonPage, season_page
from campaigns.seasons.services import game_add, season_create, season_start
from rosters.models import Company, Player
from systems import battle_rules
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_mustered_company, an_enrolment
from tests.campaigns.gazettes import forfeit_match

GAMES = ("meks-and-mercs", "mech-campaign", "blazing-steel")
OPTIONS = {"meks-and-mercs": {"season-mode": "standing-company"}}
UNITS = {
    "meks-and-mercs": ("wasp", "wasp"),
    "mech-campaign": ("heavy-mech", "heavy-mech", "light-mech", "light-mech"),
    "blazing-steel": ("hawker", "skimmer"),
}
GAMES_BY_PLAYER = {  # games by player: the first three play all, Dora and Emil two each, Finn one
    "ann": GAMES,
    "ben": GAMES,
    "cy": GAMES,
    "dora": GAMES[:2],
    "emil": GAMES[1:],
    "finn": GAMES[:1],
}


@dataclass
class Ledger:
    """The season, its players by name, and its results, recorded apart from the database."""

    season: Season
    organiser: Player
    players: dict[str, Player]
    campaigns: dict[str, Campaign]
    results: list[tuple[str, str | None, str]] = field(default_factory=list)  # one, two, the winner or "draw"

    @property
    def sheet(self) -> SeasonPage:
        return season_page(
            Season.objects.select_related("club").get(pk=self.season.pk), self.organiser, with_planned=True
        )

    def entrant(self, name: str) -> int:
        return self.season.entrants.get(player=self.players[name]).pk

    def game(self, system: str) -> int:
        return self.season.games.get(campaign__system=system).pk

    def names(self, pairing: SeasonPairing) -> tuple[str, str | None]:
        return pairing.one.player.username, pairing.two.player.username if pairing.two else None


def a_company_of(owner: Player, system: str, *, is_real: bool) -> Company:
    """Create a company that can be fielded, or one without units, which is enough to forfeit."""
    name = f"{owner.username.title()}'s {system.split('-')[0]}"
    if is_real:
        return a_mustered_company(owner, *UNITS[system], name=name, system=system)
    company = Company.objects.create(owner=owner, system=system, name=name)
    company.ledger.create(act=uuid4(), kind="founded", points=60, facts={"to": {"name": name}}, cause="act")
    return company


def an_unstarted_season(
    club: Club | None = None,
    *,
    played: dict[str, Iterable[str]] | None = None,
    real: Iterable[str] = (),
    **settings: object,
) -> Ledger:
    """Create a season with its campaigns and players; the companies of the `real` games can be fielded."""
    organiser = a_player("olga")
    club = club or a_club(organiser)
    season = season_create(club=club, by=organiser, name="Long Year", **settings)
    campaigns = {}
    for system in GAMES:
        scenario = scenarios_of(system)[0]
        campaigns[system] = a_campaign(
            club,
            system=system,
            name=f"War of {system}",
            options=OPTIONS.get(system, {}),
            tie_breakers=[],
            scenarios=[scenario],
        )
        game_add(season=season, campaign=campaigns[system], by=organiser)
    players = {}
    for name, systems in (played or GAMES_BY_PLAYER).items():
        players[name] = a_player(name)
        for system in systems:
            an_enrolment(campaigns[system], a_company_of(players[name], system, is_real=system in set(real)))
    season_enter_all(season=season, by=organiser)
    return Ledger(season, organiser, players, campaigns)


def a_season(**settings: object) -> Ledger:
    """Create a season that has started."""
    found = an_unstarted_season(**settings)  # type: ignore[arg-type]
    found.season = season_start(season=found.season, by=found.organiser)
    return found


def scenarios_of(system: str) -> list[dict[str, str]]:
    return [{"value": slug, "name": name} for slug, name in battle_rules(system).scenarios.items()]


def a_round(ledger: Ledger, way: str, **drawn: int) -> SeasonRound:
    """Draw the next round this way and open it."""
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way=way, **drawn)
    return season_round_open(round_=row, by=ledger.organiser)


def agree_on_games(ledger: Ledger, row: SeasonRound, choose: int = 0, *, step: int = 0) -> None:
    """Agree on a game in every pairing of a round.

    `one` proposes the game at place `choose` among those that both play, and `two` accepts. Each following pairing
    moves `step` places on.
    """
    rows = row.pairings.filter(state="agreeing").select_related("one__player", "two__player", "round__season")
    for at, pairing in enumerate(rows):
        assert pairing.two is not None
        games = common_games(
            games_of(ledger.season), playable_companies(ledger.season), pairing.one.player_id, pairing.two.player_id
        )
        game = games[(choose + at * step) % len(games)].id
        game_propose(pairing=pairing, game=game, by=pairing.one.player)
        game_accept(pairing=pairing, game=game, by=pairing.two.player)


def decide_matches(ledger: Ledger, row: SeasonRound, *winners: str, draws: Iterable[str] = ()) -> None:
    """Decide all matches of a round by forfeit.

    The player among `winners` wins; the results are added to `ledger.results`.
    """
    rows = row.pairings.select_related("one__player", "two__player", "match__round__campaign")
    for pairing in rows.order_by("number"):
        one, two = ledger.names(pairing)
        if two is None:
            ledger.results.append((one, None, one))
            continue
        assert pairing.match is not None, pairing.blocked_reason
        if {one, two} & set(draws):
            outcome, won = Outcome.DRAW, "draw"
        else:
            won = one if one in winners else two
            outcome = Outcome.ATTACKER if (won == one) == pairing.one_attacks else Outcome.DEFENDER
        forfeit_match(pairing.match, outcome)
        ledger.results.append((one, two, won))


def end_agreement_time(row: SeasonRound) -> None:
    """End the round's time to agree on games."""
    row.agree_by = timezone.now()
    row.save(update_fields=["agree_by"])
