"""The changes that a correction makes, and their effects on standings, territories, storyline, cup and season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from battles.models import Battle
from campaigns.cups.bracket import FINAL, THIRD, CupMatch, CupState, Tie, build_cup_state, distance_to_final, stage_name
from campaigns.cups.selectors import cup_draw, cup_matches, cup_of, tie_places
from campaigns.models import Campaign, CampaignPairingMethod, Match, MatchState, Outcome, SeasonPairing, Territory
from campaigns.results.decisions import battle_figures
from campaigns.scoring import campaign_scoring
from campaigns.seasons.queries import current_cup, entrants_of, pairings_of, players_table, teams_tables
from campaigns.seasons.tables import PairingFacts, pairing_status
from campaigns.standings.selectors import (
    WON,
    DecidedMatch,
    enrolments_of,
    entrant_names,
    score_of,
    score_with_outcome,
)
from campaigns.standings.table import Score, TableRow
from campaigns.standings.table import table as table_of
from campaigns.storylines import selectors
from campaigns.storylines.selectors import step_gain, storyline_games, storyline_rules
from systems import season_rules
from systems.ledger import CompanyRecord, PilotRecord, UnitRecord
from systems.roster import RosterSystem
from systems.text import pluralize

Rules = RosterSystem[object, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value of a company, pilot or unit, before and after."""

    of: str  # "company", "pilot" or "unit"
    id: int
    name: str
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyEffects:
    """The effects on one company. `spent`: its purchases and sales since the match, so that no loss is hidden."""

    id: int
    name: str
    balance_before: int
    balance_after: int
    entries: int  # number of entries that are written
    changes: tuple[Change, ...]
    spent: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterMatch:
    """A later game that the correction affects."""

    key: str  # of its match; empty if it isn't a match of a campaign
    title: str
    text: str
    is_flagged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingChange:
    """A company's line in the standings, before and after."""

    name: str
    place_before: int
    place_after: int
    points_before: int
    points_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPreview:
    """Everything that a correction would do. `refusal`: why it isn't possible; `token`: identifies the state used."""

    match: str
    mode: str
    outcome_before: str
    outcome_after: str
    refusal: str = ""
    companies: tuple[CompanyEffects, ...] = ()
    later: tuple[LaterMatch, ...] = ()
    standings: tuple[StandingChange, ...] = ()
    territory: tuple[str, str, str] | None = None  # name, holder before, holder after
    war: tuple[str, ...] = ()  # changes in the campaign story, as sentences
    season: tuple[str, ...] = ()  # changes in the season over several games, as sentences
    advances: tuple[str, ...] = ()  # changes in the cup, as sentences
    token: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the preview as JSON values."""
        return asdict(self)


def record_changes(name: str, pk: int, before: CompanyRecord, after: CompanyRecord, rules: Rules) -> tuple[Change, ...]:
    """Return every value that differs: the company's, then pilot by pilot, then unit by unit."""
    found = _differences("company", pk, name, _company(before), _company(after))
    for key, pilot in after.pilots.items():
        found += _differences("pilot", key, pilot.name, _pilot(before.pilots[key], rules), _pilot(pilot, rules))
    for key, unit in after.units.items():
        found += _differences(
            "unit", key, unit.name, _unit(before.units[key], before, rules), _unit(unit, after, rules)
        )
    return tuple(found)


def table_changes(before: tuple[TableRow, ...], after: tuple[TableRow, ...]) -> tuple[StandingChange, ...]:
    """Return the lines of the standings that differ, in their new order. A company that hasn't played has place 0."""
    old, new = ({row.entrant: row for row in rows} for rows in (before, after))
    changes = [
        StandingChange(
            name=row.name,
            place_before=old[entrant].place if entrant in old else 0,
            place_after=new[entrant].place if entrant in new else 0,
            points_before=old[entrant].points if entrant in old else 0,
            points_after=new[entrant].points if entrant in new else 0,
        )
        for entrant, row in {**new, **old}.items()
    ]
    return tuple(
        each for each in changes if (each.place_before, each.points_before) != (each.place_after, each.points_after)
    )


def _differences(of: str, pk: int, name: str, before: dict[str, str], after: dict[str, str]) -> list[Change]:
    return [
        Change(of=of, id=pk, name=name, what=what, before=before[what], after=after[what])
        for what in after
        if before[what] != after[what]
    ]


def _company(record: CompanyRecord) -> dict[str, str]:
    return {
        "Balance": str(record.balance),
        "Debt": str(record.debt),
        "Games won, drawn, lost": f"{record.won}, {record.drawn}, {record.lost}",
        "Season points": str(record.season_points),
    }


def _pilot(pilot: PilotRecord, rules: Rules) -> dict[str, str]:
    return {
        "Status": pilot.status,
        "Level": rules.level_names.get(pilot.experience, pilot.experience),
        "Kills": str(pilot.kills),
        "Games": str(pilot.games),
        "Wounds": str(pilot.wounds),
        "Experience": str(pilot.points),
        "Skills": ", ".join(rules.skill_names.get(skill, skill) for skill in pilot.skills) or "none",
        "Skills to choose": str(len(pilot.pending)),
    }


def _unit(unit: UnitRecord, record: CompanyRecord, rules: Rules) -> dict[str, str]:
    pilot = record.pilots[unit.pilot].name if unit.pilot is not None else "nobody"
    return {
        "Status": unit.status,
        "Damage": rules.describe_condition(unit.condition) or "none",
        "Pilot": pilot,
        "Games": str(unit.games),
        "Kills": str(unit.kills),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a match ended, or would have ended."""

    state: str
    outcome: str
    battle: Battle | None

    @property
    def counts(self) -> bool:
        """Whether it gives points."""
        return self.state in MatchState.counting() and self.outcome in WON


def decided_matches(campaign: Campaign) -> list[Match]:
    """Return the campaign's matches, including byes, in order of play."""
    rows = Match.objects.filter(round__campaign=campaign)
    return list(
        rows.select_related("round", "attacker__company", "defender__company", "battle").order_by(
            "round__number", "number"
        )
    )


def standings_with(
    campaign: Campaign, matches: Sequence[Match], instead: Mapping[int, Verdict]
) -> tuple[TableRow, ...]:
    """Return the standings after these matches. `instead`: other verdicts for some of them, by id of the match."""
    scores = []
    for match in matches:
        verdict, figures = instead.get(match.pk), match.figures
        if verdict is None:
            verdict = verdict_of(match)
        else:
            figures = battle_figures(verdict.battle) if verdict.battle else {}
        is_forfeit = verdict.state == MatchState.FORFEITED
        score = score_with_outcome(match, verdict.outcome, figures, is_forfeit=is_forfeit) if verdict.counts else None
        if score is not None:
            scores.append(score)
        elif is_forfeit and verdict.outcome == Outcome.NONE:
            scores.append(Score(match.attacker_id, match.defender_id, "nobody", is_forfeit=True))
    names = entrant_names(campaign, matches)
    shares = season_rules(campaign.system).shares_places
    return table_of(names, scores, campaign_scoring(campaign), campaign.tie_breakers, shares_places=shares)


def territory_holder(matches: Sequence[Match], territory: Territory, instead: Mapping[int, Verdict]) -> str:
    """Return the winner of the last match for the territory, else the company whose home it is; empty if nobody."""
    held = territory.home.company.name if territory.home else ""
    for match in matches:
        if match.territory_id != territory.pk or match.defender is None:
            continue
        verdict = instead.get(match.pk) or verdict_of(match)
        if verdict.counts and verdict.outcome != Outcome.DRAW:
            winner = match.attacker if verdict.outcome == Outcome.ATTACKER else match.defender
            held = winner.company.name
    return held


def verdict_of(match: Match) -> Verdict:
    """Return how the match ended."""
    return Verdict(state=match.state, outcome=match.outcome, battle=match.battle)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineChanges:
    """The changes as sentences. `flags`: by match, why a later game has other terms than the results now call for."""

    sentences: tuple[str, ...] = ()
    flags: Mapping[int, str] = field(default_factory=dict)


def storyline_changes(campaign: Campaign, match: int, state: str, outcome: str) -> StorylineChanges:
    """Return what changes in the story if that match ends with this state and outcome.

    Two queries; none in a campaign without a story.
    """
    rules = storyline_rules(campaign)
    if rules is None or campaign.pairing != CampaignPairingMethod.STORYLINE:
        return StorylineChanges()
    before = storyline_games(campaign)
    game = next((each for each in before if each.match == match), None)
    if game is None:
        return StorylineChanges()
    instead = replace(game, won=outcome if state in MatchState.counting() else "")
    names = {pk: each.name for pk, each in enrolments_of(campaign).items()}
    sentences: list[str] = []
    flags: dict[int, str] = {}
    step = game.step + 1
    has_next = step <= len(rules.steps)
    leaves = rules.steps[game.step - 1].leaves
    was, now = ({each.winner: each} if each.winner is not None else {} for each in (game, instead))
    for company in filter(None, (game.attacker, game.defender)):
        if not has_next or step_gain(rules, step, company, was) == step_gain(rules, step, company, now):
            continue
        has_it = "now has" if company in now else "no longer has"
        text = f"{names[company]} {has_it} {leaves} in scenario {step} of the story."
        later = next((each for each in before if each.step == step and company in (each.attacker, each.defender)), None)
        if later is None or later.defender is None:
            sentences.append(text)
            continue
        flags[later.match] = f"{flags[later.match]} {text}" if later.match in flags else text
        sentences.append(f"{text} Its match of round {later.round} is unchanged but flagged.")
    if before and (old := selectors.count_outcomes(before)) != (
        new := selectors.count_outcomes(_with_game(before, instead))
    ):
        sentences.append(
            f"The story's score is {new.attacker} to {new.defender}, not {old.attacker} to {old.defender}."
        )
    return StorylineChanges(sentences=tuple(sentences), flags=flags)


def _with_game(games: list[selectors.StorylineGame], instead: selectors.StorylineGame) -> list[selectors.StorylineGame]:
    return [instead if each.match == instead.match else each for each in games]


OUTCOME_VERBS = {FINAL: "wins the cup", THIRD: "takes third place"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CupChanges:
    """The changes as sentences, from the first round to the final.

    `flags` explain, by match ID, why a later match has the wrong sides.
    """

    sentences: tuple[str, ...] = ()
    flags: Mapping[int, str] = field(default_factory=dict)


def cup_changes(
    campaign: Campaign, match: int, state: str, outcome: str, figures: Mapping[str, Sequence[int]]
) -> CupChanges:
    """Return what changes in the cup if the match ends like this. Five queries; one if the campaign has no cup."""
    cup = cup_of(campaign)
    enrolments = enrolments_of(campaign) if cup is not None else {}
    draw = cup_draw(cup, campaign, enrolments) if cup is not None else None
    if cup is None or draw is None:
        return CupChanges()
    lines, places = cup_matches(campaign, with_planned=True), tie_places(cup)
    instead = [_with_result(line, state, outcome, figures) if line.match == match else line for line in lines]
    return compare_cups(build_cup_state(draw, lines, places), build_cup_state(draw, instead, places))


def _with_result(line: CupMatch, state: str, outcome: str, figures: Mapping[str, Sequence[int]]) -> CupMatch:
    score = None
    if state in MatchState.counting() and outcome:
        score = score_of(DecidedMatch(line.round, line.attacker, line.defender, None, outcome, figures, state))
    return line._replace(state=state, outcome=outcome, score=score)


def compare_cups(before: CupState, after: CupState) -> CupChanges:
    """Compare two states of a cup. Flags are keyed by the match IDs of the cup's lines."""
    names = before.draw.names
    sentences: list[str] = []
    flags: dict[int, str] = {}

    def name(pk: int | None) -> str:
        return names[pk] if pk is not None else "nobody"

    for place in sorted(after.ties, key=lambda place: (-distance_to_final(place), place)):
        was, now = before.ties[place], after.ties[place]
        stage = stage_name(place)
        if was.winner != now.winner:
            sentences.append(
                f"{stage}: {name(now.winner)} {OUTCOME_VERBS.get(place, 'advances')}, not {name(was.winner)}."
            )
        due = _newly_due(was, now)
        line = after.lines.get(place)
        if line is not None and set(now.strays) - set(was.strays):
            who = " and ".join(name(pk) for pk in now.strays)
            instead = " and ".join(name(pk) for pk in now.due if pk is not None and pk not in (now.played or now).sides)
            text = f"{stage}: {instead or 'nobody'} should play, not {who}."
            flags[line.match] = text
            sentences.append(f"{text} The match of round {line.round} is unchanged but flagged.")
        elif line is None and due:
            sentences.append(f"{stage}: {' and '.join(name(pk) for pk in due)} will play.")
    return CupChanges(sentences=tuple(sentences), flags=flags)


def _newly_due(was: Tie, now: Tie) -> tuple[int, ...]:
    """Return the entrants who reach this tie only with the other result."""
    return tuple(pk for pk in now.due if pk is not None and pk not in was.due)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonChanges:
    """The changes as sentences. `flags`: by match, why a later game would have other players."""

    sentences: tuple[str, ...] = ()
    flags: Mapping[int, str] = field(default_factory=dict)


def season_changes(match: int, state: str, outcome: str) -> SeasonChanges:
    """Return the changes if that match ends like this. Six queries at most; one if it is in no season."""
    rows = SeasonPairing.objects.filter(match=match).select_related("round__season")
    pairing = rows.first()
    if pairing is None:
        return SeasonChanges()
    season = pairing.round.season
    entrants, before = entrants_of(season), pairings_of(season)
    stands = pairing_status(PairingFacts(pairing.state, True, None, pairing.one_attacks, state, outcome, None))
    after = [
        each._replace(state=stands.state, outcome=stands.outcome, refusing=stands.refusing)
        if each.id == pairing.pk
        else each
        for each in before
    ]
    sentences = _describe_moved(*(players_table(season, entrants, each) for each in (before, after)))
    if pairing.tie_id is not None:
        sentences += _describe_moved(*teams_tables(season, (before, after)))
    cups = [current_cup(season, entrants, each) for each in (before, after)]
    flags: dict[int, str] = {}
    if cups[0] is not None and cups[1] is not None:
        found = compare_cups(cups[0], cups[1])
        sentences += found.sentences
        matches = dict(SeasonPairing.objects.filter(pk__in=list(found.flags)).values_list("pk", "match"))
        flags = {pk: text for at, text in found.flags.items() if (pk := matches.get(at)) is not None}
    return SeasonChanges(sentences=tuple(sentences), flags=flags)


def _describe_moved(before: Sequence[TableRow], after: Sequence[TableRow]) -> list[str]:
    """Return a sentence for each row that differs in the second table."""
    was = {row.entrant: row for row in before}
    found = []
    for row in after:
        old = was[row.entrant]
        if (old.points, old.place) != (row.points, row.place):
            now = f"place {row.place} with {pluralize(row.points, 'points')}"
            found.append(f"{row.name}: {now}, not {old.place} with {old.points}.")
    return found
