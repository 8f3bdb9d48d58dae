"""A season over three games whose matches are all simulated, and everything derived from its rows.

Tests compare a club with its copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from battles.models import Forecast
from campaigns.army_lists.handicaps import describe_handicap, recalculate
from campaigns.army_lists.services import list_submit_by_orders
from campaigns.handicaps.services import handicap_answer, handicap_ask, handicap_calculate
from campaigns.models import Campaign, Club, Handicap, Match, Round, Season, SeasonRound
from campaigns.seasons.entrants import season_enter_all
from campaigns.seasons.selectors import season_page
from campaigns.seasons.services import game_add, season_create, season_start
from campaigns.statistics.glicko import RatedMatch, Rating, calculate_ratings
from campaigns.statistics.ratings import club_ratings, stored_odds
from rosters.ledger.records import company_balance
from rosters.models import Company, Player, UnitStatus
from systems import roster_rules
from tests.battles.builders import count_out
from tests.builders import a_company, a_crewed_unit, a_player, a_unit, outfit
from tests.campaigns.builders import a_campaign, a_club, an_enrolment
from tests.campaigns.gazettes import close_round
from tests.campaigns.season_builders import GAMES, GAMES_BY_PLAYER, Ledger, a_round, agree_on_games, scenarios_of

MEKS, MECH, STEEL = GAMES
BANK = 400  # points of a standing company, more than it ever needs
OUTFITS = {  # units of a company; Ann's are stronger, so that handicaps have something to give up
    MECH: ("heavy-mech",) * 3 + ("light-mech",) * 4,
    STEEL: ("hawker", "skimmer"),
}
STRONGER = {MECH: ("heavy-mech", "light-mech"), STEEL: ("bulwark",)}


def a_simulated_season(*, played: dict[str, Iterable[str]] = GAMES_BY_PLAYER, **settings: object) -> Ledger:
    """Create a season that has started: Meks & Mercs with fresh lists, the others with standing companies."""
    organiser = a_player("olga")
    club = a_club(organiser, name="The Long Table")
    season = season_create(club=club, by=organiser, name="Long Year", points_may_differ=True, **settings)
    campaigns = {system: _campaign(club, system) for system in GAMES}
    for campaign in campaigns.values():
        game_add(season=season, campaign=campaign, by=organiser)
    players: dict[str, Player] = {}
    for name, systems in played.items():
        players[name] = a_player(name)
        for system in systems:
            own = a_company(
                players[name], name=f"{name.title()}'s {system.split('-')[0]}", system=system,
                points=60 if system == MEKS else BANK,
            )  # fmt: skip
            refit(own)
            an_enrolment(campaigns[system], own)
    season_enter_all(season=season, by=organiser)
    return Ledger(season_start(season=season, by=organiser), organiser, players, campaigns)


def _campaign(club: Club, system: str) -> Campaign:
    more: dict[str, Any] = {"options": {}, "handicaps": True, "points": BANK, "scenarios": scenarios_of(system)[:1]}
    if system == MEKS:
        scenarios = [{"value": "opening-shots", "name": "Opening Shots"}]
        more |= {"options": {"season-mode": "fresh-build"}, "scenarios": scenarios, "points": 60}
    return a_campaign(club, system=system, name=f"War of {system}", tie_breakers=[], absent_rule="orders", **more)


def refit(company: Company) -> None:
    """Buy the company's lost units again, as far as its points go."""
    if company.system == MEKS:
        return
    wanted = [*OUTFITS[company.system], *(STRONGER[company.system] if company.owner.username == "ann" else ())]
    rules = roster_rules(company.system)
    for row in company.units.filter(status=UnitStatus.READY).select_related("pilot"):
        is_manned = row.pilot is None or row.pilot.status == "active"
        design = row.design_name.lower().replace(" ", "-")
        if is_manned and design in wanted and not rules.is_barred(row.condition):
            wanted.remove(design)

    def buy() -> None:
        for design in wanted:
            if company_balance(company) < rules.check_design(rules.published[design].spec).points:
                continue
            if rules.needs_pilot(rules.spec_json(rules.published[design].spec)):
                a_crewed_unit(company, design, pilot=f"Pilot {company.pilots.count() + 1}")
            else:
                a_unit(company, design)

    if company.units.exists():
        buy()
    else:
        outfit(company, ("of a season", company.system, *wanted), buy)


def simulate_round(ledger: Ledger, row: SeasonRound, *, agree: Sequence[bool] = (True,)) -> None:
    """Simulate all matches of a season's round.

    Handicaps are requested and answered (`agree`, in turn), lists submitted and odds calculated; then the campaigns'
    rounds are closed. The results are added to `ledger.results`.
    """
    played = Match.objects.filter(season_pairing__round=row)
    for at, pk in enumerate(played.order_by("pk").values_list("pk", flat=True)):
        _prepare_match(pk, agrees=agree[at % len(agree)])
    for each in Round.objects.filter(matches__in=played, state="open").distinct().order_by("pk"):
        each.deadline = timezone.now()
        each.save(update_fields=["deadline"])
        close_round(each)
    for pairing in row.pairings.select_related("one__player", "two__player", "match").order_by("number"):
        one, two = ledger.names(pairing)
        if two is None:
            ledger.results.append((one, None, one))
            continue
        match = pairing.match
        assert match is not None, pairing.blocked_reason
        assert (match.state, match.flag) == ("auto-resolved", ""), (match.state, match.flag)
        won = {"draw": "draw", "attacker": one, "defender": two}[match.outcome]
        if not pairing.one_attacks:
            won = {"attacker": two, "defender": one}.get(match.outcome, won)
        ledger.results.append((one, two, won))
    for company in Company.objects.filter(enrolments__campaign__club=ledger.season.club).order_by("pk"):
        refit(company)


def _prepare_match(pk: int, *, agrees: bool) -> None:
    match = _match(pk)
    assert match.defender is not None
    owners = [match.attacker.company.owner, match.defender.company.owner]
    if match.round.campaign.handicaps:
        job = Handicap.claim(handicap_ask(match=match, by=owners[0]).pk)
        assert job is not None
        assert handicap_calculate(job=job)
        job.refresh_from_db()
        for side in (0, 1) if agrees and job.kind else ():
            handicap_answer(match=match, side=side, agrees=True, kind=job.kind, value=job.value, by=owners[side])
    for side in (0, 1):
        list_submit_by_orders(match=_match(pk), side=side, by=owners[side])
    match = _match(pk)
    assert match.setup is not None, match.flag
    assert match.forecast is not None, match.no_odds
    for forecast in Forecast.objects.filter(
        status="queued"
    ):  # with the best AI styles, and with the ones that were named
        count_out(forecast)


def _match(pk: int) -> Match:
    rows = Match.objects.select_related("round__campaign__club", "attacker__company__owner", "defender__company__owner")
    return rows.get(pk=pk)


def a_cup(ledger: Ledger, **how: Any) -> None:
    """Play the cup to its end."""
    for number in range(5):
        if ledger.sheet.cup is not None and ledger.sheet.cup.winner:
            return
        row = a_round(ledger, "cup")
        agree_on_games(ledger, row, number)
        simulate_round(ledger, row, **how)
    raise AssertionError("the cup didn't end")


# --- data derived from a club's rows ----------------------------------------------------------------------------------


def derived_data(club: Club) -> dict[str, object]:
    """Return a club's ratings, handicaps, tables and cup as its pages show them, without the site's ids."""
    season = Season.objects.select_related("club").get(club=club)
    reader, found = club.memberships.get(player__username="olga").player, dict[str, object]()
    for system in ("", *GAMES):
        page = club_ratings(club.pk, system)
        found[f"ratings {system}"] = page.rated
        found[f"rows {system}"] = page.rows()
        found[f"pages {system}"] = [page.of(each.player, by_member=True) for each in page.rated]
        sheet = season_page(season, reader, with_planned=True, game=system)
        names = {line.row.entrant: line.row.name for line in sheet.table}
        found[f"table {system}"] = [
            (replace(line.row, entrant=0, opponents=()), [names[each] for each in line.row.opponents])
            for line in sheet.table
        ]
        if not system and sheet.cup is not None:
            ties = [
                (tie.place, tie.stage, [side.name for side in tie.sides], tie.winner, tie.how) for tie in sheet.cup.ties
            ]
            found["cup"] = (sheet.cup.winner, sheet.cup.second, sheet.cup.third, ties)
        found[f"results {system}"] = [
            (row.number, each.one.name, each.two.name if each.two else None, each.result)
            for row in sheet.rounds
            for each in row.pairings
        ]
    found["handicaps"] = [_handicap(row) for row in handicaps_of(club)]
    return found


def handicaps_of(club: Club) -> list[Handicap]:
    rows = Handicap.objects.filter(match__round__campaign__club=club).order_by("match__pk")
    sides = ("match__attacker__company", "match__defender__company")
    return list(rows.select_related("match__round__campaign", *sides))


def _handicap(row: Handicap) -> object:
    fields = (row.side, row.kind, row.value, row.chance, row.chance_with, row.tried, row.agreed, row.reason)
    return (
        row.match.round.campaign.name,
        row.match.round.number,
        row.match.number,
        describe_handicap(row.match, row),
        fields,
    )


def check_recalculation(row: Handicap) -> None:
    """Check that a handicap recalculated from its own row is the same to the last digit."""
    found, tried = recalculate(row)
    assert tried == row.tried
    assert found == {name: getattr(row, name) for name in found}


def ratings_from(rows: dict[str, list[dict[str, Any]]]) -> dict[str, tuple[Rating, ...]]:
    """Calculate the ratings from the lines of an archive, without a database; rows refer to each other by number."""

    def row(table: str, number: int) -> dict[str, Any]:
        return rows[table][number - 1]

    def player(enrolment: int) -> str:
        company = row("rosters.company", row("campaigns.enrolment", enrolment)["company"])
        return str(row("rosters.player", company["owner"])["username"])

    matches = []
    for each in rows["campaigns.match"]:
        of_round = row("campaigns.round", each["round"])
        if each["outcome"] not in ("attacker", "defender", "draw") or each["defender"] is None:
            continue
        campaign = row("campaigns.campaign", of_round["campaign"])
        matches.append(
            RatedMatch(
                closed_at=datetime.fromisoformat(of_round["closed_at"]),
                campaign=of_round["campaign"] - 1,
                round=of_round["number"],
                table=each["number"],
                system=campaign["system"],
                attacker=player(each["attacker"]),
                defender=player(each["defender"]),
                outcome=each["outcome"],
                odds=stored_odds(each["odds"]) if each["odds"] else None,
                margin=each["figures"]["margin"][0] if each["figures"].get("margin") else None,
            )
        )
    return {
        system: calculate_ratings(each for each in matches if system in ("", each.system)) for system in ("", *GAMES)
    }


def count_figures(ratings: Iterable[Rating]) -> int:
    """Count the numbers in a list of ratings, histories and steps included."""
    return sum(_numbers(asdict(each)) for each in ratings)


def _numbers(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(_numbers, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_numbers, value))
    return isinstance(value, float)
