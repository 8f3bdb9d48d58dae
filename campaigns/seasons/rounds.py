"""Rounds of a season: drawn from the current table, changed by an organiser, opened, discarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations, permutations

from django.db import transaction
from django.utils import timezone

from battles.services.dice import dice_seal
from campaigns import pairing
from campaigns.arbiters import organiser_own_case
from campaigns.cups.bracket import VOID, CupState, next_ties, round_robin
from campaigns.models import (
    PairingMethod,
    Season,
    SeasonEntrant,
    SeasonPairing,
    SeasonRound,
    SeasonRoundState,
    SeasonTeam,
    SeasonTie,
    SettleRule,
)
from campaigns.notifications import notify
from campaigns.pairing import Entrant, Pair
from campaigns.scoring import season_scoring
from campaigns.seasons import tables
from campaigns.seasons.game_choice import pairing_begin
from campaigns.seasons.queries import (
    EntrantRow,
    GameRow,
    PairingRow,
    PlayableCompany,
    common_games,
    current_cup,
    entrants_of,
    games_of,
    pairings_of,
    playable_companies,
    players_table,
    rounds_of,
)
from campaigns.seasons.services import log_season_activity, season_lock, season_running
from campaigns.seasons.tables import is_undecided
from campaigns.standings.table import TableRow
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.forms import days_later
from systems.legality import join_words

MAX_ROUNDS = 99
PairOrBye = tuple[int, int | None]  # of one round; None: a bye
MIN_BOARDS, MAX_BOARDS = 2, 6
NEEDS_RESULTS = (PairingMethod.SWISS, PairingMethod.TEAMS, PairingMethod.CUP)  # drawn from the current table
EDITABLE_METHODS = (
    PairingMethod.BY_HAND,
    PairingMethod.SWISS,
    PairingMethod.ROUND_ROBIN,
)  # can be changed by an organiser


@dataclass(frozen=True, slots=True)
class _PlannedPairing:
    """A pairing to be made."""

    one: int
    two: int | None
    board: int = 0
    place: int | None = None
    tie: int = -1  # index among the matches of teams


@dataclass(frozen=True, slots=True)
class _DrawState:
    """A locked season with everything that drawing needs."""

    season: Season
    games: Sequence[GameRow]
    entrants: Mapping[int, EntrantRow]
    pairings: Sequence[PairingRow]
    plays: Mapping[int, Mapping[int, PlayableCompany]]
    standing: tuple[TableRow, ...]

    def can_meet(self, one: int, two: int) -> bool:
        """Return whether the two have a game in common."""
        players = self.entrants[one].player, self.entrants[two].player
        return bool(common_games(self.games, self.plays, *players))

    @property
    def present(self) -> list[int]:
        """Return the entrants who are in, best first."""
        return [row.entrant for row in self.standing if self.entrants[row.entrant].is_in]

    @property
    def past_pairs(self) -> list[Pair]:
        """Return the pairs that have met or will meet, once for each time."""
        played = [each for each in self.pairings if each.state != VOID and each.place is None]
        return [frozenset((each.one, each.two)) for each in played if each.two is not None]

    def names(self, ids: Iterable[int]) -> str:
        return join_words([self.entrants[pk].name for pk in ids])


@transaction.atomic
def season_round_draw(*, season: Season, by: Player, way: str, boards: int = 0) -> SeasonRound:
    """Draw the season's next round; players don't see it before it is opened.

    `boards`: number of players per team, in a round of teams.
    """
    locked = season_lock(season)
    season_running(locked)
    if way not in PairingMethod.values:
        raise RefusedError("way", "There is no such pairing method.")
    if locked.rounds.filter(state=SeasonRoundState.PLANNED).exists():
        raise RefusedError("round", "A round is already planned. Publish or discard it first.")
    last = locked.rounds.order_by("-number").first()
    number = (last.number if last else 0) + 1
    if number > MAX_ROUNDS:
        raise RefusedError("round", f"A season can have at most {MAX_ROUNDS} rounds.")
    field = _load_draw_state(locked)
    if any(row.seed is not None for row in field.entrants.values()) and way != PairingMethod.CUP:
        raise RefusedError("way", "The cup has started, so you can only plan cup rounds.")
    if way in NEEDS_RESULTS:
        _check_all_decided(field)
    row = SeasonRound(season=locked, number=number, way=way)
    if way == PairingMethod.TEAMS:
        _draw_teams(field, row, boards)
    else:
        seats = DRAW_METHODS[PairingMethod(way)](field)
        row.save()
        _save_pairings(row, seats)
    log_season_activity(locked, f"Planned {row}: {PairingMethod(way).label}", by)
    return row


@transaction.atomic
def season_round_drop(*, round_: SeasonRound, by: Player) -> None:
    """Discard a planned round; if it was the cup's first, the cup is seeded again later."""
    season, row = _planned(round_)
    row.delete()
    if row.way == PairingMethod.CUP and not season.rounds.filter(way=PairingMethod.CUP).exists():
        season.entrants.update(seed=None)
    log_season_activity(season, f"Discarded {round_}", by)


@transaction.atomic
def season_pairing_add(*, round_: SeasonRound, one: int, two: int | None, by: Player) -> SeasonPairing:
    """Pair two players in a planned round as an organiser; without a second one the first has a bye.

    An organiser's own pairing must be made by another organiser, if there is one.
    """
    season, row = _planned(round_)
    _check_editable(row)
    field = _load_draw_state(season)
    for pk in (one, two):
        if pk is not None and (pk not in field.entrants or not field.entrants[pk].is_in):
            raise RefusedError("one", f"There is no such player in {season}.")
    if one == two:
        raise RefusedError("two", "Choose two different players.")
    wanted = {pk for pk in (one, two) if pk is not None}
    twice = wanted & {pk for each in row.pairings.all() for pk in (each.one_id, each.two_id) if pk is not None}
    if twice:
        raise RefusedError("one", f"{field.names(sorted(twice))} would play twice in {row}.")
    if two is not None and not field.can_meet(one, two):
        raise RefusedError("two", f"{field.names((one, two))} have no game in common.")
    own_case = _own_pairing(season, {field.entrants[pk].player for pk in wanted}, by)
    if two is None:
        _check_bye_needed(field, one, by)
    last = row.pairings.order_by("-number").first()
    made = SeasonPairing.objects.create(round=row, number=(last.number if last else 0) + 1, one_id=one, two_id=two)
    log_season_activity(season, f"Added {made} to {row}{own_case}", by)
    return made


@transaction.atomic
def season_pairing_remove(*, pairing: SeasonPairing, by: Player) -> None:
    """Remove a pairing from a planned round. An organiser's own is for another organiser to remove, if there is one."""
    season, row = _planned(pairing.round)
    _check_editable(row)
    if not row.pairings.filter(pk=pairing.pk).exists():
        raise RefusedError("round", "This pairing has already been removed.")
    name = str(pairing)
    own_case = unpair_own_case(pairing, by)
    pairing.delete()
    log_season_activity(season, f"Removed {name} from {row}{own_case}", by)


@transaction.atomic
def season_round_open(*, round_: SeasonRound, by: Player) -> SeasonRound:
    """Open a planned round: the players agree on games from now on; two with one game in common play it at once.

    If an organiser has a bye in the round, another organiser must open it, if there is one.
    """
    season, row = _planned(round_)
    season_running(season)
    if not row.pairings.exists():
        raise RefusedError("round", f"{row} has no pairings yet. Add one first.")
    gone = row.pairings.filter(one__is_in=False) | row.pairings.filter(two__is_in=False)
    if gone.exists():
        raise RefusedError("round", "One of its players has left the season. Change the pairings or redraw the round.")
    own_case = byes_own_case(row, by)
    left_out = _describe_left_out(row)
    now = timezone.now()
    row.state, row.opens_at = SeasonRoundState.OPEN, now
    row.agree_by, row.deadline = (days_later(now, days, by.time_zone) for days in (season.agree_days, season.pace_days))
    if season.settle_rule == SettleRule.LOT:
        row.dice = dice_seal()
    row.save()
    log_season_activity(season, f"Published {row}{own_case}{left_out}", by)
    waiting = [made for each in row.pairings.order_by("number") if (made := pairing_begin(pairing=each, by=by))]
    notify.season_round_opened(row, waiting, by)
    return row


# --- ways of drawing --------------------------------------------------------------------------------------------------


def _draw_manually(field: _DrawState) -> list[_PlannedPairing]:
    return []


def _draw_swiss(field: _DrawState) -> list[_PlannedPairing]:
    """Pair players of similar score, without rematches if possible and only with a game in common."""
    there = _playable_entrants(field)
    entrants = [_as_entrant(row) for row in field.standing if row.entrant in there]
    apart = {frozenset(pair) for pair in combinations(there, 2) if not field.can_meet(*pair)}
    pairs, strange = _swiss(entrants, field.past_pairs, apart)
    if not strange:
        return [_PlannedPairing(one, two) for one, two in pairs]
    wrong = "; ".join(field.names([pk for pk in pair if pk is not None]) for pair in strange)
    raise RefusedError(
        "round", f"Not everybody can be paired: {wrong} have no game in common. Pair the round yourself."
    )


def _swiss(
    entrants: Sequence[Entrant], met: Iterable[Pair], apart: AbstractSet[Pair]
) -> tuple[list[PairOrBye], list[PairOrBye]]:
    """Return all pairs, and those without a game in common; rematches are used to avoid the latter."""
    for avoided in ({*met, *apart}, apart):
        fixtures = pairing.pair_swiss(entrants, avoided).fixtures
        pairs = [(each.attacker, each.defender) for each in fixtures]
        strange = [pair for pair in pairs if frozenset(pair) in apart]
        if not strange:
            break
    return pairs, strange


def _draw_round_robin(field: _DrawState) -> list[_PlannedPairing]:
    """Return the turn of the round robin with the most pairs that have met least. Players left over have a bye."""
    there = sorted(_playable_entrants(field))
    times = {frozenset(pair): 0 for pair in combinations(there, 2) if field.can_meet(*pair)}
    for pair in field.past_pairs:
        if pair in times:
            times[pair] += 1
    least = min(times.values(), default=0)
    turns = [[pair for pair in turn if times.get(frozenset(pair)) == least] for turn in round_robin(there)]
    best = max(range(len(turns)), key=lambda at: (len(turns[at]), -at))
    if not turns[best]:
        raise RefusedError("round", "No two players have a game in common.")
    seated = {pk for pair in list(round_robin(there))[best] for pk in pair}
    byes = [_PlannedPairing(pk, None) for pk in there if pk not in seated]
    return [*(_PlannedPairing(one, two) for one, two in turns[best]), *byes]


def _draw_cup(field: _DrawState) -> list[_PlannedPairing]:
    """Return the ties of the bracket that can be played now; seed the top of the table if the cup begins."""
    found = current_cup(field.season, field.entrants, field.pairings)
    if found is None:
        _seed(field)
        found = current_cup(field.season, entrants_of(field.season), field.pairings)
    assert found is not None
    waiting = next_ties(found.ties)
    if not waiting:
        winner = found.ties[1].winner
        outcome = f"{found.draw.names[winner]} has won it" if winner is not None else "no players are left"
        raise RefusedError("round", f"The cup is decided: {outcome}.")
    return [_tie_seat(found, tie.place, tie.due) for tie in waiting if tie.can_be_played]


def _tie_seat(found: CupState, place: int, due: tuple[int | None, int | None]) -> _PlannedPairing:
    """Return a tie's planned pairing; if a player has left, the opponent has a bye."""
    there = [pk for pk in due if pk is not None]
    sides = [pk for pk in there if pk not in found.draw.gone] or there[:1]
    return _PlannedPairing(sides[0], sides[1] if len(sides) == 2 else None, place=place)


def _seed(field: _DrawState) -> None:
    season = field.season
    if not season.cup_size:
        raise RefusedError("way", f"{season} has no cup. Set one up in its settings.")
    first = field.present[: season.cup_size]
    if len(first) < 2:
        raise RefusedError("way", "A cup needs at least two players.")
    for seed, pk in enumerate(first, start=1):
        SeasonEntrant.objects.filter(pk=pk).update(seed=seed)


DRAW_METHODS = {
    PairingMethod.BY_HAND: _draw_manually,
    PairingMethod.SWISS: _draw_swiss,
    PairingMethod.ROUND_ROBIN: _draw_round_robin,
    PairingMethod.CUP: _draw_cup,
}


def _draw_teams(field: _DrawState, row: SeasonRound, boards: int) -> None:
    """Pair teams of similar score; the best players of each by the table play on the boards.

    A team without players is left out.
    """
    if not MIN_BOARDS <= boards <= MAX_BOARDS:
        raise RefusedError("boards", f"Choose {MIN_BOARDS} to {MAX_BOARDS} boards.")
    teams = {team.pk: team.name for team in SeasonTeam.objects.filter(season=field.season)}
    found = {pk: [each for each in field.present if field.entrants[each].team == pk] for pk in teams}
    squads = {pk: squad for pk, squad in found.items() if squad}
    if len(squads) < 2:
        raise RefusedError("way", "A team round needs at least two teams.")
    short = [teams[pk] for pk, squad in squads.items() if len(squad) < boards]
    if short:
        raise RefusedError(
            "boards", f"{join_words(short)} can't fill {boards} boards. Use fewer boards, or add players to the teams."
        )
    results = tables.tie_results(rounds_of(field.season)[1], field.pairings)
    rows = tables.team_table(teams, results, season_scoring(field.season))
    met = {frozenset((each.tie.one, each.tie.two)) for each in results if each.tie.two is not None}
    lines = {pk: _line_up(field, squads[pk[0]][:boards], squads[pk[1]][:boards]) for pk in permutations(squads, 2)}
    apart = {frozenset(pk) for pk, line in lines.items() if line is None}
    entrants = [_as_entrant(each) for each in rows if each.entrant in squads]
    pairs, strange = _swiss(entrants, met, apart)
    if strange:
        named = join_words([teams[pk] for pair in strange for pk in pair if pk is not None])
        raise RefusedError("way", f"{named} can't fill their boards with games that both sides play.")
    row.boards = boards
    row.save()
    seats: list[_PlannedPairing] = []
    for at, (first, second) in enumerate(pairs):
        SeasonTie.objects.create(round=row, number=at + 1, one_id=first, two_id=second)
        line = lines[first, second] if second is not None else ()
        seats += [
            _PlannedPairing(one, two, board=board, tie=at) for board, (one, two) in enumerate(line or (), start=1)
        ]
    _save_pairings(row, seats)


def _line_up(field: _DrawState, one: Sequence[int], two: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
    """Return the pairs on the boards: first against first and so on, moved as little as games in common allow."""
    best: tuple[int, tuple[tuple[int, int], ...]] | None = None
    for order in permutations(range(len(two))):
        moved = sum(abs(at - other) for at, other in enumerate(order))
        if best is not None and best[0] <= moved:
            continue
        pairs = tuple((one[at], two[other]) for at, other in enumerate(order))
        if all(field.can_meet(*pair) for pair in pairs):
            best = moved, pairs
    return best[1] if best else None


# --- parts ------------------------------------------------------------------------------------------------------------


def _load_draw_state(season: Season) -> _DrawState:
    entrants, pairings = entrants_of(season), pairings_of(season)
    return _DrawState(
        season=season,
        games=games_of(season),
        entrants=entrants,
        pairings=pairings,
        plays=playable_companies(season),
        standing=players_table(season, entrants, pairings),
    )


def _playable_entrants(field: _DrawState) -> list[int]:
    """Return the entrants who are in and have a company to play with."""
    there = [pk for pk in field.present if field.plays.get(field.entrants[pk].player)]
    if len(there) < 2:
        raise RefusedError("round", "A round needs at least two players with a company in one of the season's games.")
    return there


def _as_entrant(row: TableRow) -> Entrant:
    return Entrant(id=row.entrant, score=row.points, place=row.place, byes=row.byes)


def _check_all_decided(field: _DrawState) -> None:
    """Raise RefusedError while results that the draw depends on are undecided."""
    waiting = [each for each in field.pairings if is_undecided(each)]
    if waiting:
        undecided = [f"{field.names((each.one, each.two or each.one))} in round {each.round}" for each in waiting]
        raise RefusedError("round", f"Not decided yet: {'; '.join(undecided)}. This round depends on those results.")


def _save_pairings(row: SeasonRound, seats: Sequence[_PlannedPairing]) -> None:
    ties = list(row.ties.order_by("number"))
    for number, seat in enumerate(seats, start=1):
        SeasonPairing.objects.create(
            round=row,
            number=number,
            one_id=seat.one,
            two_id=seat.two,
            board=seat.board,
            place=seat.place,
            tie=ties[seat.tie] if seat.tie >= 0 else None,
        )


def _planned(round_: SeasonRound) -> tuple[Season, SeasonRound]:
    season = season_lock(round_.season)
    row = SeasonRound.objects.filter(pk=round_.pk).select_related("season__club").first()
    if row is None:
        raise RefusedError("round", "Somebody has discarded this round.")
    if row.state != SeasonRoundState.PLANNED:
        raise RefusedError("round", f"{row} is {row.get_state_display()}, so its pairings can't be changed.")
    return season, row


def unpair_own_case(pairing: SeasonPairing, by: Player) -> str:
    """Return a note for the log if an organiser removes their own pairing. Raise RefusedError if another could."""
    players = {each.player_id for each in (pairing.one, pairing.two) if each is not None}
    return _own_pairing(pairing.round.season, players, by)


def _own_pairing(season: Season, players: set[int], by: Player) -> str:
    return organiser_own_case(season.club, by, players, field="one", what="This is your own pairing")


def _check_bye_needed(field: _DrawState, one: int, by: Player) -> None:
    """Refuse a bye that nobody needs to an organiser who takes part: see `arbiters.check_bye_needed`."""
    there, name = field.present, field.entrants[one].name
    players = {field.entrants[pk].player for pk in there}
    if by.pk not in players:
        return
    if len(there) % 2 == 0:
        what = f"{field.season} has an even number of players and you are one of them"
        organiser_own_case(field.season.club, by, players, field="two", what=what)
        raise RefusedError("two", f"The number of players is even, so {name} needs no bye. Choose an opponent.")
    if field.entrants[one].player != by.pk:
        return
    had = Counter(each.one for each in field.pairings if each.state == "bye")
    due = next((pk for pk in there if had[pk] < had[one]), None)
    if due is not None:
        raise RefusedError("two", f"{name} has had a bye before, and it is {field.entrants[due].name}'s turn.")


def byes_own_case(row: SeasonRound, by: Player) -> str:
    """Return a note for the log if an organiser opens a round with their own bye. Raise RefusedError if another could.

    The only organiser can't open it while another player without an opponent could be paired with them.
    """
    season = row.season
    pairings = list(row.pairings.select_related("one"))
    byes = {each.one.player_id: each.one_id for each in pairings if each.two_id is None}
    resting = SeasonEntrant.objects.filter(season=season, team__in=row.ties.filter(two=None).values("one"))
    owners = {*byes, *resting.values_list("player", flat=True)}
    note = organiser_own_case(season.club, by, owners, field="round", what=f"You have a bye in {row}")
    if by.pk not in byes or row.way not in EDITABLE_METHODS:
        return note
    field, own = _load_draw_state(season), byes[by.pk]
    paired = {pk for each in pairings if each.two_id is not None for pk in (each.one_id, each.two_id)}
    for pk in field.present:
        if pk not in paired and pk != own and field.can_meet(pk, own):
            reason = f"You have a bye though {field.entrants[pk].name} has no opponent. Pair the two, or redraw."
            raise RefusedError("round", reason)
    return note


def _describe_left_out(row: SeasonRound) -> str:
    """Return a note for the log on players who have no pairing in a round for everybody."""
    if row.way not in EDITABLE_METHODS:
        return ""
    seated = {pk for pair in row.pairings.values_list("one", "two") for pk in pair if pk is not None}
    rows = row.season.entrants.filter(is_in=True).exclude(pk__in=seated).select_related("player").order_by("pk")
    names = [str(each.player) for each in rows]
    return f"; not paired: {', '.join(names)}" if names else ""


def _check_editable(row: SeasonRound) -> None:
    if row.way not in EDITABLE_METHODS:
        raise RefusedError("round", f"{row} is drawn as {PairingMethod(row.way).label}. Discard it to draw again.")
