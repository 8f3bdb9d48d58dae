"""Changes to club nights: companies that are ready, and even games proposed to them by their odds.

The odds are those of the forces that each company's rules pick from its ready units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import combinations, permutations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from battles.live.services import table_open_for
from battles.models import LiveTable
from campaigns import pairing
from campaigns.army_lists.legality import best_legal_units, member_of
from campaigns.locks import club_lock
from campaigns.models import Club, MatchmakingEntry, MatchmakingOffer, Membership, OfferState
from campaigns.notifications import notify
from campaigns.pairing import Entrant, Pair
from rosters.documents.snapshots import fielded, ready_units
from rosters.ledger.records import company_record
from rosters.models import Company, Player
from rosters.services import RefusedError
from rosters.services.base import company_lock
from rosters.site.heartbeats import skip_unreadable
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup, setup_json
from systems.simulation.odds import tally

ODDS_BATTLES = 2_000  # enough to distinguish 45% from 50%
ODDS_SEED = 0
SIDE_NAMES = ("Attacker", "Defender")


def even_game_ground(system: str) -> tuple[str, str]:
    """Return the scenario and terrain of an even game: the game's plainest scenario, and its first possible terrain."""
    rules = battle_rules(system)
    return rules.plain_scenario, next(iter(rules.match_terrains(rules.plain_scenario)))


def build_setup(attacker: Company, defender: Company, names: Sequence[str] = ()) -> Setup:
    """Return the setup of an even game. Its sides are called `names`, by default the names of their companies.

    Raise RefusedError or DocumentError if one of them can field nothing legal.
    """
    scenario, terrain = even_game_ground(attacker.system)
    called = list(names) or [attacker.name, defender.name]
    if called[0] == called[1]:
        called[1] = f"{called[1][:57]} II"
    sides = [_side(company, at, called[at], scenario) for at, company in enumerate((attacker, defender))]
    return read_setup(
        {
            "muster": "setup/1",
            "release": max(attacker.catalogue_release, defender.catalogue_release, key=int),
            "system": attacker.system,
            "scenario": scenario,
            "terrain": terrain,
            "options": {},
            "sides": sides,
        }
    )


def win_chance(attacker: Company, defender: Company) -> float | None:
    """Return the attacker's chance to win, a draw counted as half; None if one of them can field nothing legal."""
    try:
        battle = tally(build_setup(attacker, defender, SIDE_NAMES), ODDS_SEED, 0, ODDS_BATTLES).battle
    except (RefusedError, DocumentError):
        return None
    drawn = ODDS_BATTLES - battle["attacker_wins"] - battle["defender_wins"]
    return float(battle["attacker_wins"] + drawn / 2) / ODDS_BATTLES


def _side(company: Company, at: int, name: str, scenario: str) -> dict[str, object]:
    rosters = roster_rules(company.system, company.catalogue_release)
    record, ready = company_record(company), ready_units(company)
    members = [member_of(rosters, record, record.units[pk]) for pk in ready]
    units = [ready[place] for place in best_legal_units(company.system, scenario, members, {}, at)]
    counts_hiring = battle_rules(company.system).counts_hiring(scenario)
    documents = [
        unit.document() | ({"pilot": unit.crew | {"is_new": False}} if counts_hiring and unit.crew else {})
        for unit in fielded(company, units)
    ]
    doctrine = next(iter(battle_rules(company.system).doctrines))
    return {"name": name, "doctrine": doctrine, "support": [], "units": documents}


MAX_READY = 30  # companies of a club at once: odds are calculated for each pair
MAX_PER_PLAYER = 3  # of one player, whose companies meet only other players'
MAX_HOURS = 8  # max hours that a company waits
ANSWER_TIMEOUT = timedelta(minutes=10)  # time to accept
REMATCH_INTERVAL = timedelta(hours=12)  # before the same two companies are proposed again
MAX_IMBALANCE = 0.15  # max distance of an even game's odds from one half
EVEN_CHANCE = 0.5


@transaction.atomic
def ready_set(*, club: Club, company: Company, hours: int, by: Player) -> MatchmakingEntry:
    """Mark a company of the player as ready for this many hours. Calling it again restarts the time."""
    locked = club_lock(club)
    if not Membership.objects.filter(club=locked, player=by).exists():
        raise RefusedError("club", f"You aren't a member of {locked.name}. Join it first.")
    if not 1 <= hours <= MAX_HOURS:
        raise RefusedError("hours", f"Choose 1 to {MAX_HOURS} hours.")
    others = _ready_companies(locked).exclude(company=company)
    if others.filter(company__owner=by).count() >= MAX_PER_PLAYER:
        raise RefusedError(
            "company",
            f"You can look for a game with up to {MAX_PER_PLAYER} companies at {locked.name}. Remove one first.",
        )
    if others.count() >= MAX_READY:
        raise RefusedError(
            "club", f"{MAX_READY} companies are already looking for a game at {locked.name}. Try again later."
        )
    row = company_lock(company)
    if row.owner_id != by.pk:
        raise RefusedError("company", "This isn't your company. Choose one of yours.")
    elsewhere = MatchmakingEntry.objects.filter(company=row).exclude(club=locked).select_related("club").first()
    if elsewhere is not None and elsewhere.expires_at > timezone.now():
        raise RefusedError(
            "company", f"{row.name} is looking for a game at {elsewhere.club.name}. Remove it there first."
        )
    until = timezone.now() + timedelta(hours=hours)
    ready, _ = MatchmakingEntry.objects.update_or_create(company=row, defaults={"club": locked, "expires_at": until})
    return ready


@transaction.atomic
def ready_withdraw(*, club: Club, company: Company, by: Player) -> None:
    """Withdraw a company of the player. A game proposed to it is declined."""
    locked = club_lock(club)
    row = MatchmakingEntry.objects.filter(club=locked, company=company, company__owner=by).first()
    if row is None:
        raise RefusedError("company", f"{company.name} isn't looking for a game at {locked.name}.")
    for game in _proposed(locked):
        if company.pk in (game.attacker_id, game.defender_id):
            game.state = OfferState.DECLINED
            game.save(update_fields=["state"])
    row.delete()


@transaction.atomic
def game_answer(*, game: MatchmakingOffer, side: int, accepts: bool, by: Player) -> MatchmakingOffer:
    """Save a side's answer. Once both have accepted, they are no longer ready for others; a declined game ends."""
    locked = club_lock(game.club)
    row = MatchmakingOffer.objects.select_related("attacker__owner", "defender__owner", "club").get(pk=game.pk)
    if (row.attacker, row.defender)[side].owner_id != by.pk:
        raise RefusedError("side", "This isn't your side.")
    _expire(locked)
    row.refresh_from_db(fields=["state", "accepted"])
    if row.state != OfferState.PROPOSED:
        raise RefusedError("game", f"This game is already {row.get_state_display()}.")
    if not accepts:
        row.state = OfferState.DECLINED
    elif side not in row.accepted:
        row.accepted = sorted([*row.accepted, side])
    if set(row.accepted) == {0, 1}:
        row.state, row.table = OfferState.ACCEPTED, _table(row)
        MatchmakingEntry.objects.filter(company__in=(row.attacker_id, row.defender_id)).delete()
        notify.even_game_agreed(row, by)
    row.save(update_fields=["state", "accepted", "table"])
    return row


def clubs_propose_games() -> int:
    """Propose games in every club where companies wait, and return how many.

    The timer calls it; calling it twice is safe.
    """
    MatchmakingOffer.objects.filter(created_at__lt=timezone.now() - 2 * REMATCH_INTERVAL).exclude(
        state=OfferState.PROPOSED
    ).delete()
    clubs = Club.objects.filter(pk__in=MatchmakingEntry.objects.values("club")).order_by("pk")
    number = 0
    for club in clubs:
        with skip_unreadable(f"game night of club {club.pk}"):
            number += len(club_propose_games(club=club))
    return number


def club_propose_games(*, club: Club) -> list[MatchmakingOffer]:
    """Propose even games to the companies that wait at a club: as even as possible over all of them, none too uneven.

    Odds are calculated before anything is locked; a company that isn't free any more by then is skipped.
    """
    with transaction.atomic():
        _expire(club_lock(club))
    made: list[MatchmakingOffer] = []
    waiting = _free_companies(club)
    for system in dict.fromkeys(company.system for company in waiting):
        own = {company.pk: company for company in waiting if company.system == system}
        met = _excluded_pairs(club, own)
        wanted = [pair for pair in permutations(own, 2) if frozenset(pair) not in met]
        if not wanted:
            continue
        found = ((pair, win_chance(own[pair[0]], own[pair[1]])) for pair in wanted)
        chances = {pair: chance for pair, chance in found if chance is not None}
        apart = {frozenset(pair) for pair in combinations(own, 2) if not _is_even(pair, chances)}
        draw = pairing.pair_fairly([Entrant(id=pk) for pk in own], met | apart, chances)
        pairs = [(each.attacker, each.defender) for each in draw.fixtures if each.defender is not None]
        for one, two in pairs:
            if frozenset((one, two)) not in met | apart and two is not None:
                made += _propose(club, own[one], own[two], chances[one, two])
    return made


# --- parts ------------------------------------------------------------------------------------------------------------


def _is_even(pair: tuple[int, int], chances: dict[tuple[int, int], float]) -> bool:
    """Return whether the fairer order of the two sides is an even game."""
    ways = [chances[way] for way in (pair, pair[::-1]) if way in chances]
    return len(ways) == 2 and min(abs(chance - EVEN_CHANCE) for chance in ways) <= MAX_IMBALANCE


@transaction.atomic
def _propose(club: Club, attacker: Company, defender: Company, chance: float) -> list[MatchmakingOffer]:
    locked = club_lock(club)
    free = {company.pk for company in _free_companies(locked)}
    if not {attacker.pk, defender.pk} <= free:
        return []
    scenario, terrain = even_game_ground(attacker.system)
    rules = battle_rules(attacker.system)
    game = MatchmakingOffer.objects.create(
        club=locked,
        attacker=attacker,
        defender=defender,
        scenario_name=rules.scenarios[scenario][:60],
        ground=rules.ground_name(terrain)[:60],
        chance=chance,
        expires_at=timezone.now() + ANSWER_TIMEOUT,
    )
    notify.even_game_found(game)
    return [game]


def _table(game: MatchmakingOffer) -> LiveTable | None:
    """Open the table of a game both have accepted, with a seat for each.

    None if a company can't field anything any more.
    """
    try:
        setup = build_setup(game.attacker, game.defender)
    except (RefusedError, DocumentError):
        return None
    return table_open_for(setup=setup_json(setup), players=[game.attacker.owner, game.defender.owner])


def _expire(club: Club) -> None:
    """End games not answered in time. A company that didn't accept is assumed gone and is no longer ready."""
    now = timezone.now()
    MatchmakingEntry.objects.filter(club=club, expires_at__lte=now).delete()
    for game in _proposed(club):
        if game.expires_at <= now:
            game.state = OfferState.EXPIRED
            game.save(update_fields=["state"])
            silent = [pk for at, pk in enumerate((game.attacker_id, game.defender_id)) if at not in game.accepted]
            MatchmakingEntry.objects.filter(club=club, company__in=silent).delete()


def _proposed(club: Club) -> Sequence[MatchmakingOffer]:
    return list(MatchmakingOffer.objects.filter(club=club, state=OfferState.PROPOSED).order_by("pk"))


def _free_companies(club: Club) -> list[Company]:
    """Return the ready companies of active members, without those that have a game to answer."""
    busy = {pk for game in _proposed(club) for pk in (game.attacker_id, game.defender_id)}
    rows = _ready_companies(club).select_related("company").order_by("pk")
    return [row.company for row in rows if row.company_id not in busy]


def _ready_companies(club: Club) -> QuerySet[MatchmakingEntry]:
    """Return the ready companies of active members."""
    members = Membership.objects.filter(club=club, player__is_active=True).values("player")
    return MatchmakingEntry.objects.filter(
        club=club, expires_at__gt=timezone.now(), company__disbanded_at=None, company__owner__in=members
    )


def _excluded_pairs(club: Club, own: Iterable[int]) -> set[Pair]:
    """Return the pairs proposed recently, and all pairs of one player's own companies, which are never proposed."""
    keys = list(own)
    since = timezone.now() - REMATCH_INTERVAL
    games = MatchmakingOffer.objects.filter(club=club, created_at__gt=since, attacker__in=keys, defender__in=keys)
    owners = dict(Company.objects.filter(pk__in=keys).values_list("pk", "owner"))
    same = {frozenset(pair) for pair in combinations(keys, 2) if owners[pair[0]] == owners[pair[1]]}
    return same | {frozenset(pair) for pair in games.values_list("attacker", "defender")}
