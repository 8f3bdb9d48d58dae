"""Collect the content and pictures of a closed round's gazette in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from django.db.models import QuerySet

from battles.models import Battle
from battles.selectors.battle import MIN_BATTLES_FOR_LUCK
from battles.selectors.records import replayed
from campaigns.campaign.phases import phase_of, phases_of
from campaigns.cups.selectors import cup_of, cup_sheet
from campaigns.gazette.document import (
    AceLine,
    CupGroupLine,
    CupGroupPart,
    CupPart,
    CupSideLine,
    CupTieLine,
    Fixture,
    Fixtures,
    GazetteDocument,
    MedalLine,
    MomentPart,
    PilotLine,
    Place,
    ResultLine,
    Side,
    StorylinePart,
    TableLine,
    UnitLoss,
    Upset,
)
from campaigns.hall_of_fame.history import match_history_of
from campaigns.models import Campaign, CampaignPairingMethod, Enrolment, Match, Outcome, Round, RoundState, Ruling
from campaigns.planning.selectors import fixtures_of, match_status
from campaigns.standings.selectors import StandingRow, standings, standings_and_map
from campaigns.storylines import selectors
from campaigns.storylines.selectors import storyline_games, storyline_rules
from campaigns.territories.income import describe_income
from rosters.entries.company import Fought, Kill
from rosters.entries.units_and_pilots import Died, Promoted, SkillGained, SkillRolled, Unhurt, Wounded, describe_loss
from rosters.models import LedgerEntry
from systems import battle_rules
from systems.text import full_name

KILL = "kill"  # the replay mark of a kill


def find_moment(matches: Sequence[Match], upset: Upset | None) -> MomentPart | None:
    """Return the last kill of the upset's battle; without an upset, of the battle that cost the most units.

    None if that battle can't be drawn. Reads one record; `matches` come with their battles. Two queries.
    """
    for match in _featured_match(matches, upset.match if upset else None):
        assert match.battle is not None
        found = replayed(match.battle)
        board = found.board if found else None
        if board is None:
            continue
        moments = board.page(1, 0).moments
        last = next((each for each in reversed(moments) if each.mark == KILL), moments[-1] if moments else None)
        if last is not None:
            return MomentPart(battle=match.battle.key, match=match.key, step=last.step, says=last.says)
    return None


def _featured_match(matches: Iterable[Match], upset: UUID | None) -> list[Match]:
    """Return the match whose battle is shown, as a list; empty if no battle was played by the rules."""
    fought = [match for match in matches if match.battle and match.defender_id and not match.battle.fought_by_hand]
    fought.sort(key=lambda match: (match.key != upset, -sum(match.figures.get("lost", ())), match.number))
    return fought[:1]


WINNER = {Outcome.ATTACKER: 0, Outcome.DEFENDER: 1}
PILOT_NEWS_KINDS = (Died.slug, Wounded.slug, Unhurt.slug, Promoted.slug, SkillRolled.slug, SkillGained.slug)
MIN_ACE_KILLS = 2  # for the pilot of the round
NEWS_ORDER = ("killed", "wounded", "promoted", "skill")


@dataclass(frozen=True, slots=True, kw_only=True)
class Victory:
    """A decided match with a winner, as `find_upset` needs it. `points` are those before the round."""

    match: Match
    winner: str
    loser: str
    chance: float | None  # of the winner, by the odds published before
    battles: int
    points: tuple[int, int]


def gazette_content(round_: Round) -> GazetteDocument:
    """Return the gazette of a closed round, as its rows are now."""
    campaign, number = round_.campaign, round_.number
    matches = fixtures_of(campaign, round=round_)
    _add_battles(matches)
    forecasts = _chances(matches)
    after, places = standings_and_map(campaign, up_to=number)
    before = standings(campaign, up_to=number - 1)
    points = {each.row.entrant: each.row.points for each in before}
    losses = unit_losses(matches)
    upset = find_upset([_victory(match, forecasts.get(match.pk), points) for match in matches if _is_victory(match)])
    return GazetteDocument(
        campaign=campaign.name,
        club=campaign.club.name,
        round=number,
        closed_at=round_.closed_at,
        results=tuple(_result(match, losses.get(match.pk, ())) for match in matches),
        upset=upset,
        pilots=pilot_lines(matches),
        ace=find_ace(matches),
        moment=find_moment(matches, upset),
        medals=medal_lines(campaign, number),
        units_lost=sum(sum(match.figures.get("lost", ())) for match in matches),
        lost_word=battle_rules(campaign.system).hand.fields["destroyed"],
        standings=_table(after, before if number > 1 else ()),
        map_kind=campaign.map_kind,
        places=tuple(Place(**asdict(each), taken=each.since == number) for each in places),
        phase=named.name if (named := phase_of(phases_of(campaign), number)) else "",
        adjusted=_describe_adjustments(round_),
        income=describe_income(round_),
        cup=_cup(campaign, number),
        war=_war(campaign, number),
    )


def fixtures_content(campaign: Campaign, *, after: int) -> Fixtures | None:
    """Return the fixtures of the first open round after this one; None if there is none yet."""
    row = campaign.rounds.filter(state=RoundState.OPEN, number__gt=after).order_by("number").first()
    if row is None:
        return None
    system = battle_rules(campaign.system)
    return Fixtures(
        round=row.number,
        deadline=row.deadline,
        matches=tuple(
            Fixture(
                match=match.key,
                table=match.number,
                attacker=match.attacker.company.name,
                defender=match.defender.company.name if match.defender else None,
                scenario=match.scenario_name,
                ground=system.ground_name(match.terrain),
                territory=match.territory.name if match.territory else "",
            )
            for match in fixtures_of(campaign, round=row)
        ),
    )


def find_upset(victories: Sequence[Victory]) -> Upset | None:
    """Return the most surprising victory: the lowest chance below one half; without one, the widest gap in points.

    Points count only for matches without odds. Among equals the lower table number comes first.
    """
    by_odds = [(each.chance, each) for each in victories if each.chance is not None and each.chance < 0.5]
    if by_odds:
        chance, least = min(by_odds, key=lambda pair: (pair[0], pair[1].match.number))
        return Upset(
            match=least.match.key,
            winner=least.winner,
            loser=least.loser,
            by="odds",
            chance=chance,
            battles=least.battles,
            points=least.points,
        )
    by_table = [each for each in victories if each.chance is None and each.points[0] < each.points[1]]
    if not by_table:
        return None
    least = min(by_table, key=lambda each: (each.points[0] - each.points[1], each.match.number))
    return Upset(match=least.match.key, winner=least.winner, loser=least.loser, by="table", points=least.points)


def pilot_lines(matches: Sequence[Match]) -> tuple[PilotLine, ...]:
    """Return what happened to pilots in these matches, from the ledgers without reversed entries. One query."""
    entries = _entries(matches).filter(kind__in=PILOT_NEWS_KINDS, pilot__isnull=False)
    of_pilot: dict[int | None, list[LedgerEntry]] = {}
    for entry in entries.select_related("company", "pilot").order_by("pk"):
        of_pilot.setdefault(entry.pilot_id, []).append(entry)
    lines = [line for found in of_pilot.values() for line in _pilot_lines(found)]
    return tuple(sorted(lines, key=lambda line: (NEWS_ORDER.index(line.what), line.company.casefold(), line.pilot)))


def find_ace(matches: Sequence[Match]) -> AceLine | None:
    """Return the pilot with the most kills, at least two; None if two pilots share the lead. One query."""
    kills: dict[int, int] = {}
    entries: dict[int, LedgerEntry] = {}
    rows = _entries(matches).filter(kind=Kill.slug, pilot__isnull=False).order_by("pk")
    for entry in rows.select_related("company", "pilot", "unit"):
        assert entry.pilot_id is not None
        kills[entry.pilot_id] = kills.get(entry.pilot_id, 0) + int(entry.facts.get("count", 1))
        entries[entry.pilot_id] = entry
    most = max(kills.values(), default=0)
    best = [pk for pk, number in kills.items() if number == most]
    if most < MIN_ACE_KILLS or len(best) > 1:
        return None
    row = entries[best[0]]
    assert row.pilot is not None
    return AceLine(
        pilot=full_name(row.pilot.name, row.pilot.callsign),
        company=row.company.name,
        colour=row.company.colour,
        kills=most,
        emblem=row.company.emblem,
        unit=row.unit.name if row.unit else "",
        spec=row.unit.spec if row.unit else None,
    )


def medal_lines(campaign: Campaign, number: int) -> tuple[MedalLine, ...]:
    """Return the medals of the round, as its matches are now."""
    found = match_history_of(campaign.club_id).awards
    return tuple(
        MedalLine(medal=each.medal.name, to=each.to.name, company=each.to.company_name, cause=each.cause)
        for each in found
        if (each.game.campaign, each.game.round) == (campaign.pk, number)
    )


def unit_losses(matches: Sequence[Match]) -> Mapping[int, tuple[UnitLoss, ...]]:
    """Return the units lost in each match, from the ledgers; the attacker's first. One query."""
    match_of = {str(match.battle.key): match for match in matches if match.battle}
    entries = _entries(matches).filter(kind=Fought.slug, facts__lost=True, unit__isnull=False)
    found: dict[int, list[tuple[bool, int, UnitLoss]]] = {}
    for entry in entries.select_related("company", "unit"):
        assert entry.unit is not None
        match = match_of[entry.cause_ref]
        is_defender = entry.company_id != match.attacker.company_id
        loss = UnitLoss(unit=entry.unit.name, company=entry.company.name, how=describe_loss(entry.facts, "to"))
        found.setdefault(match.pk, []).append((is_defender, entry.pk, loss))
    return {pk: tuple(loss for _, _, loss in sorted(rows, key=lambda row: row[:2])) for pk, rows in found.items()}


def _entries(matches: Sequence[Match]) -> QuerySet[LedgerEntry]:
    """Return the valid ledger entries that the battles of these matches made for their sides."""
    keys = [str(match.battle.key) for match in matches if match.battle]
    sides = [side.company_id for match in matches for side in (match.attacker, match.defender) if side]
    return LedgerEntry.objects.filter(company__in=sides, cause_ref__in=keys, reverses=None, reversed_by=None)


def _pilot_lines(entries: Sequence[LedgerEntry]) -> Iterable[PilotLine]:
    """Yield the lines of one pilot: death or wound, promotion, skills."""
    kinds = {entry.kind for entry in entries}
    misses = any(entry.kind == Wounded.slug and entry.facts.get("misses") for entry in entries)
    if Died.slug in kinds:
        yield _line(entries[0], "killed", "killed")
    elif misses:
        yield _line(entries[0], "wounded", "injured, misses the next game")
    elif Wounded.slug in kinds and Unhurt.slug not in kinds:
        yield _line(entries[0], "wounded", "wounded, ready for the next game")
    skills: list[str] = []
    for entry in entries:
        facts = entry.facts
        if entry.kind == Promoted.slug:
            yield _line(entry, "promoted", f"promoted to {facts.get('name') or facts.get('to', '')}")
        elif entry.kind == SkillRolled.slug and facts.get("gained"):
            skills.append("earned a skill")
        elif entry.kind == SkillGained.slug:
            skills.append(f"learned {facts.get('name') or facts.get('skill', '')}")
    if skills:
        yield _line(entries[0], "skill", ", ".join(skills))


def _line(entry: LedgerEntry, what: str, text: str) -> PilotLine:
    assert entry.pilot is not None
    return PilotLine(
        pilot=full_name(entry.pilot.name, entry.pilot.callsign),
        company=entry.company.name,
        colour=entry.company.colour,
        what=what,
        told=text,
    )


def _result(match: Match, losses: tuple[UnitLoss, ...]) -> ResultLine:
    found = match_status(match)
    destroyed = match.figures.get("destroyed")
    if match.past and None in match.past.values():  # one side's kills of an imported result are unknown
        destroyed = None
    return ResultLine(
        match=match.key,
        table=match.number,
        attacker=_side(match.attacker, match.outcome == Outcome.ATTACKER),
        defender=_side(match.defender, match.outcome == Outcome.DEFENDER) if match.defender else None,
        look=found.look,
        mark=found.mark,
        word=found.word,
        how=found.sentence,
        scenario=match.scenario_name,
        territory=match.territory.name if match.territory else "",
        destroyed=(destroyed[0], destroyed[1]) if destroyed else None,
        battle=match.battle.key if match.battle else None,
        losses=losses,
    )


def _side(enrolment: Enrolment, has_won: bool) -> Side:
    company = enrolment.company
    return Side(
        name=company.name, player=str(company.owner), colour=company.colour, emblem=company.emblem, has_won=has_won
    )


def _is_victory(match: Match) -> bool:
    return match.battle_id is not None and match.defender_id is not None and Outcome(match.outcome) in WINNER


def _victory(match: Match, odds: tuple[float, float, int] | None, points: Mapping[int, int]) -> Victory:
    assert match.defender is not None
    winner = WINNER[Outcome(match.outcome)]
    sides = (match.attacker, match.defender)
    won, lost = sides[winner], sides[1 - winner]
    return Victory(
        match=match,
        winner=won.company.name,
        loser=lost.company.name,
        chance=odds[winner] if odds else None,
        battles=odds[2] if odds else 0,
        points=(points.get(won.pk, 0), points.get(lost.pk, 0)),
    )


def _chances(matches: Iterable[Match]) -> dict[int, tuple[float, float, int]]:
    """Return the chances of attacker and defender by the published odds, and the battles simulated. One query."""
    rows = Match.objects.filter(pk__in=[match.pk for match in matches], forecast__runs_done__gte=MIN_BATTLES_FOR_LUCK)
    return {
        pk: (counts["battle"]["attacker_wins"] / runs, counts["battle"]["defender_wins"] / runs, runs)
        for pk, counts, runs in rows.values_list("pk", "forecast__counts", "forecast__runs_done")
    }


def _add_battles(matches: Sequence[Match]) -> None:
    """Load the battles without their setups and results. One query."""
    found = Battle.objects.only("key", "status", "fought_by_hand").in_bulk(
        [match.battle_id for match in matches if match.battle_id]
    )
    for match in matches:
        match.battle = found.get(match.battle_id) if match.battle_id else None


def _table(after: Sequence[StandingRow], before: Sequence[StandingRow]) -> tuple[TableLine, ...]:
    earlier = {each.row.entrant: each.row for each in before}
    lines = []
    for each in after:
        row, was = each.row, earlier.get(each.row.entrant)
        lines.append(
            TableLine(
                place=row.place,
                moved=was.place - row.place if was else None,
                name=row.name,
                player=each.player,
                colour=each.colour,
                emblem=each.emblem,
                points=row.points,
                gained=row.points - (was.points if was else 0),
                played=row.played,
                won=row.won,
                drawn=row.drawn,
                lost=row.lost,
                destroyed=row.destroyed,
                units_lost=row.units_lost,
                territories=each.territories,
                is_in=each.is_in,
            )
        )
    return tuple(lines)


def _describe_adjustments(round_: Round) -> tuple[str, ...]:
    """Return the rulings on companies between the previous closing of a round and this one. Two queries at most."""
    rows = Ruling.objects.filter(campaign=round_.campaign, kind=Ruling.Kind.ADJUSTMENT).order_by("pk")
    before = round_.campaign.rounds.filter(number__lt=round_.number, closed_at__isnull=False).order_by("-number")
    since = before.values_list("closed_at", flat=True).first()
    rows = rows.filter(decided_at__gt=since) if since else rows
    rows = rows.filter(decided_at__lte=round_.closed_at) if round_.closed_at else rows
    return tuple(f"{title}: {reason}" for title, reason in rows.values_list("title", "reason"))


def _war(campaign: Campaign, number: int) -> StorylinePart | None:
    """Return the state of the war after the round, if one of its scenarios was played in it. One query, or none."""
    rules = storyline_rules(campaign) if campaign.pairing == CampaignPairingMethod.STORYLINE else None
    games = [each for each in storyline_games(campaign) if each.round <= number] if rules is not None else []
    step = next((each.step for each in games if each.round == number), None)
    if rules is None or step is None:
        return None
    here, all_ = selectors.count_outcomes(games, step), selectors.count_outcomes(games)
    is_last = step == len(rules.steps)
    follows = "" if is_last else _scenario_name(campaign, rules.steps[step].scenario)
    return StorylinePart(
        step=step,
        steps=len(rules.steps),
        scenario=_scenario_name(campaign, rules.steps[step - 1].scenario),
        won=(here.attacker, here.defender),
        stands=(all_.attacker, all_.defender),
        follows=follows,
        winner=selectors.war_winner(games, len(rules.steps))
        if is_last and not any(each.is_open for each in games)
        else "",
    )


def _scenario_name(campaign: Campaign, scenario: str) -> str:
    terms = battle_rules(campaign.system).terms(scenario)
    return terms.name if terms is not None else scenario


def _cup(campaign: Campaign, number: int) -> CupPart | None:
    """Return the cup after the round, if it was drawn by then. Five queries, or one."""
    cup = cup_of(campaign)
    if cup is None or cup.since is None or cup.since > number:
        return None
    sheet = cup_sheet(campaign, cup, with_planned=False, up_to=number)
    if sheet is None:
        return None
    return CupPart(
        groups=tuple(
            CupGroupPart(
                letter=group.letter,
                rows=tuple(
                    CupGroupLine(place=row.place, name=row.name, points=row.points, advances=row.advances)
                    for row in group.rows
                ),
            )
            for group in sheet.groups
        ),
        ties=tuple(
            CupTieLine(
                place=tie.place,
                stage=tie.stage,
                sides=tuple(
                    CupSideLine(name=side.name, colour=side.colour, has_won=side.has_won) for side in tie.sides
                ),
                round=tie.round,
                winner=tie.winner,
                how=tie.how,
            )
            for tie in sheet.ties
        ),
        winner=sheet.winner,
        second=sheet.second,
        third=sheet.third,
    )
