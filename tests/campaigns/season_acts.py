"""Acts somebody could try in each state of a season and a cup, and what changes.

Ann takes part and is about to meet Ben; Olga organises and doesn't play. Acts by an organiser who plays are Ann's
beside Olga; "alone" means that Ann is the only organiser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from campaigns.campaign import services as campaigns
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.cups.services import cup_make_draw, cup_seat, cup_set
from campaigns.enrolments import services as enrolments
from campaigns.models import (
    Campaign,
    Cup,
    CupEntrant,
    Enrolment,
    Match,
    Membership,
    Outcome,
    Round,
    Season,
    SeasonPairing,
    SeasonRound,
)
from campaigns.planning import services as rounds
from campaigns.seasons import entrants, game_choice, services
from campaigns.seasons import rounds as drawing
from campaigns.seasons.selectors import season_page
from campaigns.standings.selectors import standings
from rosters.models import Player
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_mustered_company, an_enrolment
from tests.campaigns.corrections import COMPENSATE
from tests.campaigns.gazettes import forfeit_match
from tests.campaigns.season_builders import GAMES, Ledger, an_unstarted_season

FIVE = dict.fromkeys(("ann", "ben", "cy", "dora", "emil"), GAMES[:2])


# --- seasons ----------------------------------------------------------------------------------------------------------


@dataclass
class SeasonWorld:
    ledger: Ledger

    @property
    def season(self) -> Season:
        return Season.objects.select_related("club").get(pk=self.ledger.season.pk)

    @property
    def olga(self) -> Player:
        return self.ledger.organiser

    @property
    def ann(self) -> Player:
        return self.ledger.players["ann"]

    @property
    def ben(self) -> Player:
        return self.ledger.players["ben"]

    def ann_organises(self, *, alone: bool = False) -> Player:
        members = Membership.objects.filter(club=self.season.club)
        members.filter(player=self.ann).update(role="organiser")
        if alone:
            members.filter(player=self.olga).update(role="player")
        return self.ann

    def round(self) -> SeasonRound:
        row = self.season.rounds.select_related("season__club").order_by("-number").first()
        if row is None:
            raise LookupError
        return row

    def pairing(self, of: str = "ann") -> SeasonPairing:
        """Return the player's pairing in the last round."""
        rows = self.round().pairings.select_related("round__season__club", "one__player", "two__player", "match")
        player = self.ledger.players[of].pk
        for row in rows:
            if player in (row.one.player_id, row.two.player_id if row.two else None):
                return row
        raise LookupError

    def game(self, at: int = 0) -> int:
        return self.ledger.game(GAMES[at])

    def entrant(self, name: str) -> int:
        return self.ledger.entrant(name)


def _begin(world: SeasonWorld) -> None:
    services.season_start(season=world.season, by=world.olga)


def _plan_pairs(*pairs: tuple[str, str | None]) -> Callable[[SeasonWorld], None]:
    def step(world: SeasonWorld) -> None:
        row = drawing.season_round_draw(season=world.season, by=world.olga, way="by-hand")
        for one, two in pairs:
            ids = world.entrant(one), world.entrant(two) if two else None
            drawing.season_pairing_add(round_=row, one=ids[0], two=ids[1], by=world.olga)

    return step


def _open(world: SeasonWorld) -> None:
    drawing.season_round_open(round_=world.round(), by=world.olga)


def _propose(world: SeasonWorld) -> None:
    game_choice.game_propose(pairing=world.pairing(), game=world.game(), by=world.ben)


def _agree(world: SeasonWorld) -> None:
    game_choice.game_accept(pairing=world.pairing(), game=world.game(), by=world.ann)


def _decide(world: SeasonWorld) -> None:
    pairing = world.pairing()
    assert pairing.match is not None
    is_one = pairing.one.player_id == world.ann.pk
    forfeit_match(pairing.match, Outcome.ATTACKER if is_one == pairing.one_attacks else Outcome.DEFENDER)


def _award_step(side: int | None, of: str = "ann") -> Callable[[SeasonWorld], None]:
    return lambda world: _award_pairing(world, world.olga, side, of)


def _award_pairing(world: SeasonWorld, by: Player, side: int | None, of: str = "ann") -> None:
    game_choice.pairing_award(pairing=world.pairing(of), side=side, reason="So be it.", by=by)


def _finish(world: SeasonWorld) -> None:
    for name in ("cy", "emil"):
        pairing = world.pairing(name)
        if pairing.two is not None and pairing.match is None:
            _award_pairing(world, world.olga, None, name)
    services.season_finish(season=world.season, by=world.olga)


def _cup(world: SeasonWorld) -> None:
    drawing.season_round_draw(season=world.season, by=world.olga, way="cup")


SeasonStep = Callable[[SeasonWorld], object]
PLANNED = (_begin, _plan_pairs(("ann", "ben"), ("cy", "dora"), ("emil", None)))
WITH_BYE = (_begin, _plan_pairs(("ann", None), ("ben", "cy"), ("dora", "emil")))
SEASON_STATES: Mapping[str, tuple[SeasonStep, ...]] = {
    "not started": (),
    "started": (_begin,),
    "empty": (_begin, _plan_pairs()),
    "planned": PLANNED,
    "bye planned": WITH_BYE,
    "published": (*PLANNED, _open),
    "proposed": (*PLANNED, _open, _propose),
    "agreed": (*PLANNED, _open, _propose, _agree),
    "decided": (*PLANNED, _open, _propose, _agree, _decide),
    "awarded": (*PLANNED, _open, _award_step(1)),
    "cancelled": (*PLANNED, _open, _award_step(None)),
    "bye": (*WITH_BYE, _open),
    "cup planned": (_begin, _cup),
    "finished": (*PLANNED, _open, _propose, _agree, _decide, _finish),
}


def in_season_state(state: str) -> SeasonWorld:
    world = SeasonWorld(an_unstarted_season(played=FIVE, cup_size=3))
    for step in SEASON_STATES[state]:
        step(world)
    return world


def _add_pairing(world: SeasonWorld, by: Player, one: str, two: str | None) -> object:
    ids = world.entrant(one), world.entrant(two) if two else None
    return drawing.season_pairing_add(round_=world.round(), one=ids[0], two=ids[1], by=by)


def _open_round(world: SeasonWorld, by: Player) -> object:
    return drawing.season_round_open(round_=world.round(), by=by)


def _draw_round(world: SeasonWorld, by: Player, way: str) -> object:
    return drawing.season_round_draw(season=world.season, by=by, way=way)


def _drop_round(world: SeasonWorld, by: Player) -> None:
    drawing.season_round_drop(round_=world.round(), by=by)


def _leave_season(world: SeasonWorld, by: Player, of: str) -> None:
    entrants.season_leave(season=world.season, entrant=world.entrant(of), by=by)


def _reverse_games(world: SeasonWorld, by: Player) -> None:
    games = list(world.season.games.values_list("pk", flat=True))
    services.games_order(season=world.season, games=games[::-1], by=by)


def _decide_on_game(world: SeasonWorld, by: Player) -> object:
    return game_choice.game_decide(pairing=world.pairing(), game=world.game(), by=by)


def _change_settings(world: SeasonWorld, by: Player, **settings: object) -> object:
    return services.season_change(season=world.season, by=by, **settings)


def _own_side(world: SeasonWorld) -> int:
    """Return Ann's side in her pairing."""
    return 0 if world.pairing().one.player_id == world.ann.pk else 1


def _remove_pairing(world: SeasonWorld, by: Player) -> None:
    drawing.season_pairing_remove(pairing=world.pairing(), by=by)


SEASON_PLAYERS: Mapping[str, SeasonStep] = {
    "leave the season": lambda world: _leave_season(world, world.ann, "ann"),
    "remove another player": lambda world: _leave_season(world, world.ann, "ben"),
    "enter the season": lambda world: entrants.season_enter(season=world.season, player=world.ann, by=world.ann),
    "propose a game": lambda world: game_choice.game_propose(pairing=world.pairing(), game=world.game(1), by=world.ann),
    "accept the game": lambda world: game_choice.game_accept(pairing=world.pairing(), game=world.game(), by=world.ann),
    "accept a game that nobody proposed": lambda world: game_choice.game_accept(
        pairing=world.pairing(), game=world.game(1), by=world.ann
    ),
    "propose a game for others": lambda world: game_choice.game_propose(
        pairing=world.pairing("cy"), game=world.game(), by=world.ann
    ),
}

SEASON_ORGANISING: Mapping[str, SeasonStep] = {
    "draw a round with themselves in it": lambda world: _draw_round(world, world.ann_organises(), "swiss"),
    "give themselves a bye": lambda world: _add_pairing(world, world.ann_organises(), "ann", None),
    "pair themselves": lambda world: _add_pairing(world, world.ann_organises(), "ann", "emil"),
    "remove their own pairing": lambda world: _remove_pairing(world, world.ann_organises()),
    "discard a round with themselves in it": lambda world: _drop_round(world, world.ann_organises()),
    "publish a round with themselves in it": lambda world: _open_round(world, world.ann_organises()),
    "decide on the game of their own pairing": lambda world: _decide_on_game(world, world.ann_organises()),
    "award their own pairing to themselves": lambda world: _award_pairing(
        world, world.ann_organises(), _own_side(world)
    ),
    "concede their own pairing": lambda world: _award_pairing(world, world.ann_organises(), 1 - _own_side(world)),
    "cancel their own pairing": lambda world: _award_pairing(world, world.ann_organises(), None),
    "remove their rival": lambda world: _leave_season(world, world.ann_organises(), "ben"),
    "shorten the days per round": lambda world: _change_settings(world, world.ann_organises(), pace_days=5),
    "change how games are chosen": lambda world: _change_settings(world, world.ann_organises(), settle_rule="lot"),
    "change the order of games": lambda world: _reverse_games(world, world.ann_organises()),
    "change the points for a win": lambda world: _change_settings(world, world.ann_organises(), win_points=9),
}

SEASON_ALONE: Mapping[str, SeasonStep] = {
    "alone: give themselves a bye": lambda world: _add_pairing(world, world.ann_organises(alone=True), "ann", None),
    "alone: pair themselves": lambda world: _add_pairing(world, world.ann_organises(alone=True), "ann", "emil"),
    "alone: remove their own pairing": lambda world: _remove_pairing(world, world.ann_organises(alone=True)),
    "alone: publish a round with themselves in it": lambda world: _open_round(world, world.ann_organises(alone=True)),
    "alone: decide on the game of their own pairing": lambda world: _decide_on_game(
        world, world.ann_organises(alone=True)
    ),
    "alone: award their own pairing to themselves": lambda world: _award_pairing(
        world, world.ann_organises(alone=True), _own_side(world)
    ),
    "alone: cancel their own pairing": lambda world: _award_pairing(world, world.ann_organises(alone=True), None),
    "alone: remove their rival": lambda world: _leave_season(world, world.ann_organises(alone=True), "ben"),
}

SEASON_ORGANISER: Mapping[str, SeasonStep] = {
    "start the season": _begin,
    "draw a round": lambda world: _draw_round(world, world.olga, "swiss"),
    "draw the cup": lambda world: _draw_round(world, world.olga, "cup"),
    "give a bye": lambda world: _add_pairing(world, world.olga, "ann", None),
    "remove a pairing": lambda world: _remove_pairing(world, world.olga),
    "discard the planned round": lambda world: _drop_round(world, world.olga),
    "publish the planned round": lambda world: _open_round(world, world.olga),
    "decide on a game": lambda world: _decide_on_game(world, world.olga),
    "award a pairing": lambda world: _award_pairing(world, world.olga, _own_side(world)),
    "award a pairing to the opponent": lambda world: _award_pairing(world, world.olga, 1 - _own_side(world)),
    "cancel a pairing": lambda world: _award_pairing(world, world.olga, None),
    "enter a player": lambda world: entrants.season_enter(season=world.season, player=world.ann, by=world.olga),
    "remove a player": lambda world: _leave_season(world, world.olga, "ben"),
    "change the days per round": lambda world: _change_settings(world, world.olga, pace_days=5),
    "sort the games": lambda world: _reverse_games(world, world.olga),
    "add a team": lambda world: entrants.team_add(season=world.season, name="Red", by=world.olga),
    "remove a game": lambda world: services.game_remove(season=world.season, game=world.game(2), by=world.olga),
    "finish the season": lambda world: services.season_finish(season=world.season, by=world.olga),
    "delete the season": lambda world: services.season_delete(season=world.season, by=world.olga),
}

SEASON_ACTS = {
    "Season: players": SEASON_PLAYERS,
    "Season: one of several organisers, who plays": SEASON_ORGANISING,
    "Season: the only organiser, who plays": SEASON_ALONE,
    "Season: an organiser who doesn't play": SEASON_ORGANISER,
}


def measure_season(world: SeasonWorld) -> dict[str, object]:
    """Measure Ann's points (`p`), everybody else's (`P`), and Ann's opponent and game in the last round (`o`)."""
    sheet = season_page(world.season, world.olga, with_planned=True)
    points = {row.row.name: row.row.points for row in sheet.table}
    try:
        pairing = world.pairing()
        meets: object = (pairing.one.player_id, pairing.two.player_id if pairing.two else None, pairing.game_id)
    except LookupError:
        meets = None
    return {"p": points.pop("ann", 0), "P": {name: each for name, each in points.items() if each}, "o": meets}


# --- cups -------------------------------------------------------------------------------------------------------------


@dataclass
class CupWorld:
    """A cup of Ants (Ann's), Bees (Ben's) and Cats; the first seed has a bye."""

    campaign: Campaign
    olga: Player
    ann: Player
    ben: Player

    def fresh(self) -> Campaign:
        return Campaign.objects.select_related("club").get(pk=self.campaign.pk)

    def of(self, name: str) -> Enrolment:
        return Enrolment.objects.select_related("campaign__club", "company").get(
            campaign=self.campaign, company__name=name
        )

    def ann_organises(self, *, alone: bool = False) -> Player:
        members = Membership.objects.filter(club=self.campaign.club)
        members.filter(player=self.ann).update(role="organiser")
        if alone:
            members.filter(player=self.olga).update(role="player")
        return self.ann

    def round(self) -> Round:
        row = Round.objects.filter(campaign=self.campaign).order_by("-number").first()
        if row is None:
            raise LookupError
        return row

    def match(self) -> Match:
        """Return the Ants' match in the last round."""
        for match in self.round().matches.select_related("round__campaign__club"):
            if self.of("Ants").pk in (match.attacker_id, match.defender_id):
                return match
        raise LookupError


CupStep = Callable[[CupWorld], object]


def _set_up(world: CupWorld) -> None:
    cup_set(campaign=world.fresh(), by=world.olga, seeding="table")


def _seed(world: CupWorld, by: Player, *names: str) -> None:
    if not CupEntrant.objects.filter(cup__campaign=world.campaign).exists():
        raise LookupError
    cup_seat(campaign=world.fresh(), by=by, seats={world.of(name).pk: (at, 0) for at, name in enumerate(names, 1)})


def _plan(world: CupWorld) -> None:
    rounds.round_plan(campaign=world.fresh(), by=world.olga)


def _open_next(world: CupWorld) -> None:
    rounds.round_open(round_=world.round(), by=world.olga)


def _decide_round(world: CupWorld) -> None:
    for match in world.round().matches.exclude(defender=None):
        forfeit_match(match, Outcome.ATTACKER)


def _finish_campaign(world: CupWorld) -> None:
    for step in (_plan, _open_next, _decide_round):
        step(world)
    campaigns.campaign_move(campaign=world.fresh(), to="finished", by=world.olga)


DRAWN: tuple[CupStep, ...] = (
    _set_up,
    lambda world: cup_make_draw(campaign=world.fresh(), by=world.olga),
    lambda world: _seed(world, world.olga, "Ants", "Bees", "Cats"),
)
CUP_STATES: Mapping[str, tuple[CupStep, ...]] = {
    "no cup": (),
    "set up": (_set_up,),
    "drawn": DRAWN,
    "planned": (*DRAWN, _plan),
    "open": (*DRAWN, _plan, _open_next),
    "semi-final decided": (*DRAWN, _plan, _open_next, _decide_round),
    "final": (*DRAWN, _plan, _open_next, _decide_round, _plan, _open_next),
    "finished": (*DRAWN, _plan, _open_next, _decide_round, _finish_campaign),
}


def in_cup_state(state: str) -> CupWorld:
    olga, ann, ben = (a_player(name) for name in ("olga", "ann", "ben"))
    campaign = a_campaign(a_club(olga), pairing="knock-out")
    for owner, name in ((ann, "Ants"), (ben, "Bees"), (a_player("cy"), "Cats")):
        an_enrolment(campaign, a_mustered_company(owner, name=name))
    world = CupWorld(campaign, olga, ann, ben)
    for step in CUP_STATES[state]:
        step(world)
    return world


def _undo_match(world: CupWorld, by: Player) -> object:
    match = world.match()
    token = correction_preview(match=match, after=None, mode=COMPENSATE, by=None).token
    return correction_apply(match=match, after=None, mode=COMPENSATE, reason="Never was.", by=by, token=token)


def _withdraw_rival(world: CupWorld, by: Player) -> object:
    return enrolments.enrolment_withdraw(enrolment=world.of("Bees"), by=by)


def _add_bye(world: CupWorld, by: Player) -> object:
    return rounds.match_add(round_=world.round(), attacker=world.of("Ants"), defender=None, by=by)


def _open_cup_round(world: CupWorld, by: Player) -> object:
    return rounds.round_open(round_=world.round(), by=by)


def _plan_cup_round(world: CupWorld, by: Player, way: str = "") -> object:
    return rounds.round_plan(campaign=world.fresh(), by=by, way=way)


CUP_ORGANISING: Mapping[str, CupStep] = {
    "set up their own cup": lambda world: cup_set(campaign=world.fresh(), by=world.ann_organises(), entrants=2),
    "draw their own cup": lambda world: cup_make_draw(campaign=world.fresh(), by=world.ann_organises()),
    "seed their rival last": lambda world: _seed(world, world.ann_organises(), "Ants", "Cats", "Bees"),
    "plan the next round of their own cup": lambda world: _plan_cup_round(world, world.ann_organises()),
    "plan a Swiss round instead": lambda world: _plan_cup_round(world, world.ann_organises(), "swiss"),
    "publish a round with their own bye": lambda world: _open_cup_round(world, world.ann_organises()),
    "add a second bye": lambda world: _add_bye(world, world.ann_organises()),
    "withdraw their rival": lambda world: _withdraw_rival(world, world.ann_organises()),
    "undo their own match": lambda world: _undo_match(world, world.ann_organises()),
}
CUP_ALONE: Mapping[str, CupStep] = {
    "alone: seed their rival last": lambda world: _seed(world, world.ann_organises(alone=True), "Ants", "Cats", "Bees"),
    "alone: publish a round with their own bye": lambda world: _open_cup_round(world, world.ann_organises(alone=True)),
    "alone: add a second bye": lambda world: _add_bye(world, world.ann_organises(alone=True)),
    "alone: withdraw their rival": lambda world: _withdraw_rival(world, world.ann_organises(alone=True)),
    "alone: undo their own match": lambda world: _undo_match(world, world.ann_organises(alone=True)),
}
CUP_ORGANISER: Mapping[str, CupStep] = {
    "set up the cup": lambda world: cup_set(campaign=world.fresh(), by=world.olga, entrants=2),
    "draw the cup": lambda world: cup_make_draw(campaign=world.fresh(), by=world.olga),
    "choose the seeds": lambda world: _seed(world, world.olga, "Cats", "Ants", "Bees"),
    "plan the next round": lambda world: _plan_cup_round(world, world.olga),
    "publish the round": lambda world: _open_cup_round(world, world.olga),
    "withdraw a company": lambda world: _withdraw_rival(world, world.olga),
    "undo a match": lambda world: _undo_match(world, world.olga),
}
CUP_ACTS = {
    "Cup: one of several organisers, who plays": CUP_ORGANISING,
    "Cup: the only organiser, who plays": CUP_ALONE,
    "Cup: an organiser who doesn't play": CUP_ORGANISER,
}


def measure_cup(world: CupWorld) -> dict[str, object]:
    """Measure the Ants' points (`p`), all others' (`P`), the seeds (`d`), and the Ants' last opponent (`o`)."""
    points = {each.row.name: each.row.points for each in standings(world.fresh())}
    seeds = list(
        CupEntrant.objects.filter(cup__campaign=world.campaign).order_by("seed").values_list("enrolment", flat=True)
    )
    cup = Cup.objects.filter(campaign=world.campaign).values_list("entrants", "seeding").first()
    try:
        match = world.match()
        meets: object = match.round.number, match.attacker_id, match.defender_id
    except LookupError:
        meets = None
    return {
        "p": points.pop("Ants", 0),
        "P": {name: each for name, each in points.items() if each},
        "d": (seeds, cup),
        "o": meets,
    }
