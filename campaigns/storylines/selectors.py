"""Campaign stories as pages and the API show them, calculated from the games of the campaign.

Companies are the IDs of their enrolments; steps are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from campaigns.models import (
    Campaign,
    CampaignPairingMethod,
    EnrolmentState,
    Match,
    MatchState,
    RoundState,
    Storyline,
    StorylineRole,
    StorylineRound,
)
from campaigns.pairing import Fixture
from campaigns.standings.selectors import Entrant, enrolments_of
from rosters.database.queries import PreparedQuery, columns
from systems import battle_rules, season_rules
from systems.season import EvenTerms, StorylineBonus, StorylineRules, StorylineStep
from systems.text import pluralize

ATTACKER, DEFENDER, DRAW = "attacker", "defender", "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineGame:
    """A match of the story. A bye has no defender."""

    match: int
    key: UUID
    round: int
    step: int
    table: int
    state: str
    won: str  # attacker, defender or draw; empty if it doesn't count (yet)
    is_open: bool
    attacker: int
    defender: int | None

    @property
    def winner(self) -> int | None:
        """The enrolment of the winner; None for a bye."""
        if self.defender is None:
            return None
        return {ATTACKER: self.attacker, DEFENDER: self.defender}.get(self.won)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCount:
    """Numbers of games by outcome."""

    attacker: int = 0
    defender: int = 0
    drawn: int = 0


def fixtures(attackers: Collection[int], defenders: Collection[int], step: int) -> tuple[Fixture, ...]:
    """Return the pairings of a step. Defenders move on by one each step; a company without an opponent has a bye."""
    one, two = sorted(attackers), sorted(defenders)
    size = max(len(one), len(two))
    line = [two[at] if at < len(two) else None for at in range(size)]
    met = [(one[at] if at < len(one) else None, line[(at + step - 1) % size]) for at in range(size)]
    fights = [Fixture(attacker=a, defender=d) for a, d in met if a is not None and d is not None]
    alone = [a if a is not None else d for a, d in met if a is None or d is None]
    return (*fights, *(Fixture(attacker=each, defender=None) for each in alone if each is not None))


def winners(games: Iterable[StorylineGame], step: int) -> dict[int, StorylineGame]:
    """Return the games of that step by their winner."""
    return {each.winner: each for each in games if each.step == step and each.winner is not None}


def count_outcomes(games: Iterable[StorylineGame], step: int | None = None) -> OutcomeCount:
    """Count the outcomes of the games, of all steps or of one."""
    won = [each.won for each in games if each.defender is not None and step in (None, each.step)]
    return OutcomeCount(attacker=won.count(ATTACKER), defender=won.count(DEFENDER), drawn=won.count(DRAW))


def war_winner(games: Sequence[StorylineGame], steps: int) -> str:
    """Return which side won the story: the one with more wins, else with more in the latest step that wasn't level.

    A draw if every step was level.
    """
    for found in (count_outcomes(games), *(count_outcomes(games, step) for step in range(steps, 0, -1))):
        if found.attacker != found.defender:
            return ATTACKER if found.attacker > found.defender else DEFENDER
    return DRAW


WINNERS = {ATTACKER: "The attackers have won the war", DEFENDER: "The defenders have won the war"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineCompany:
    """A company in the story, with the games it won, drew and lost."""

    enrolment: int
    name: str
    colour: str
    emblem: str
    player: str
    attacks: bool | None  # None: it has no role yet
    won: int
    drawn: int
    lost: int
    has_left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StepGame:
    """A game of a step. A bye has no defender."""

    key: UUID
    attacker: str
    defender: str
    result: str  # in words
    winner: str
    gains: tuple[str, ...]  # what its sides gained in their last games, as sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """A scenario of the story."""

    number: int
    scenario: str
    name: str
    brief: str
    points: tuple[int, int]  # of attacker and defender, as this story plays it
    printed: tuple[int, int]
    even: str  # why the points differ from the printed ones; empty if they don't
    leaves: str  # what its winner gains; empty if nothing
    state: str  # played, open, planned, next or later
    round: int | None  # the round in which it is played, if it has one
    games: tuple[StepGame, ...]
    count: OutcomeCount


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylinePage:
    """The present state of a story."""

    name: str
    about: str
    compensates: bool
    has_begun: bool
    steps: tuple[StepRow, ...]
    attackers: tuple[StorylineCompany, ...]
    defenders: tuple[StorylineCompany, ...]
    unassigned: tuple[StorylineCompany, ...]
    count: OutcomeCount
    winner: str  # attacker, defender or draw once it has ended; empty until then
    follows: str  # what comes next, as a sentence

    @property
    def is_ready(self) -> bool:
        """Whether its next scenario can be paired."""
        states = [each.state for each in self.steps]
        return "next" in states and "open" not in states and "planned" not in states


def storyline_rules(campaign: Campaign) -> StorylineRules | None:
    """Return the campaign story of the campaign's game, if it has one."""
    return season_rules(campaign.system).storyline


def has_storyline(campaign: Campaign) -> bool:
    """Return whether the campaign plays the story of its game."""
    return campaign.pairing == CampaignPairingMethod.STORYLINE and storyline_rules(campaign) is not None


def storyline_of(campaign: Campaign) -> Storyline | None:
    """Return the settings of the campaign's story, if it was set up. One query."""
    return STORYLINE.row(campaign=campaign.pk)


def storyline_roles(storyline: Storyline | None) -> dict[int, bool]:
    """Return whether each company attacks, by enrolment. One query."""
    return dict(ROLES.rows(storyline=storyline.pk)) if storyline is not None else {}


def storyline_games(campaign: Campaign, *, with_planned: bool = True) -> list[StorylineGame]:
    """Return the games of the story, in order. One query."""
    found = GAMES.rows(campaign=campaign.pk)
    return [game for game, state in found if with_planned or state != RoundState.PLANNED]


def storyline_rounds(campaign: Campaign, *, with_planned: bool = True) -> dict[int, str]:
    """Return the state of the round of each step that has one, by step. One query."""
    found = STEPS.rows(campaign=campaign.pk)
    return {step: state for step, state in found if with_planned or state != RoundState.PLANNED}


def storyline_page(
    campaign: Campaign, *, with_planned: bool, enrolments: Mapping[int, Entrant] | None = None
) -> StorylinePage | None:
    """Return the story as its readers see it; None if the campaign has none. Five queries, four with `enrolments`."""
    rules = storyline_rules(campaign)
    if rules is None or campaign.pairing != CampaignPairingMethod.STORYLINE:
        return None
    storyline, enrolments = storyline_of(campaign), enrolments_of(campaign) if enrolments is None else enrolments
    roles, games = storyline_roles(storyline), storyline_games(campaign, with_planned=with_planned)
    begun = storyline_rounds(campaign, with_planned=with_planned)
    compensates = storyline is None or storyline.compensates
    steps = tuple(
        _step(campaign, rules, number, games, begun, enrolments, compensates=compensates)
        for number in range(1, len(rules.steps) + 1)
    )
    companies = [_company(each, roles, games) for each in enrolments.values() if each.id in roles or _is_in(each)]
    over = all(each.state == "played" for each in steps)
    winner = war_winner(games, len(steps)) if over else ""
    return StorylinePage(
        name=rules.name,
        about=rules.about,
        compensates=compensates,
        has_begun=bool(begun),
        steps=steps,
        attackers=tuple(each for each in companies if each.attacks),
        defenders=tuple(each for each in companies if each.attacks is False),
        unassigned=tuple(each for each in companies if each.attacks is None),
        count=count_outcomes(games),
        winner=winner,
        follows=_describe_next(steps, winner),
    )


def step_scenario(
    campaign: Campaign, step: int, sides: tuple[int, int | None], won: Mapping[int, StorylineGame], *, compensates: bool
) -> str | Mapping[str, object]:
    """Return the scenario that these sides play in that step: evened out, and with the gains of their last games."""
    rules = storyline_rules(campaign)
    assert rules is not None
    each = rules.steps[step - 1]
    gains = [
        _even_gain(campaign, each, at, compensates=compensates) + step_gain(rules, step, pk, won)
        for at, pk in enumerate(sides)
    ]
    return season_rules(campaign.system).changed(each.scenario, gains)


def step_gain(
    rules: StorylineRules, step: int, company: int | None, won: Mapping[int, StorylineGame]
) -> StorylineBonus:
    """Return the company's bonus in that step from the step before; `won`: the games of the step before, by winner."""
    return rules.steps[step - 2].leaves if step > 1 and company in won else StorylineBonus()


def describe_terms(campaign: Campaign, match: Match) -> tuple[str, ...]:
    """Describe what the story changes in the terms of a match, in sentences. Two queries; none in other campaigns."""
    found = STEP.row(round=match.round_id) if campaign.pairing == CampaignPairingMethod.STORYLINE else None
    rules = storyline_rules(campaign)
    if found is None or rules is None:
        return ()
    number, compensates = found
    step = rules.steps[number - 1]
    draw = [_describe_draw(campaign, step, step.even)] if step.even and compensates else []
    games = storyline_games(campaign) if number > 1 else ()  # the first step has none before it
    names = {each.pk: each.company.name for each in (match.attacker, match.defender) if each is not None}
    return (*draw, *_describe_gains(rules, number, (match.attacker_id, match.defender_id), games, names))


# --- parts ------------------------------------------------------------------------------------------------------------


def _is_in(each: Entrant) -> bool:
    return each.state == EnrolmentState.ACCEPTED


def _game(
    match: int,
    key: UUID,
    round_: int,
    step: int,
    table: int,
    state: str,
    outcome: str,
    attacker: int,
    defender: int | None,
    round_state: str,
) -> tuple[StorylineGame, str]:
    game = StorylineGame(
        match=match,
        key=key,
        round=round_,
        step=step,
        table=table,
        state=state,
        won=outcome if state in MatchState.counting() else "",
        is_open=state in MatchState.undecided(),
        attacker=attacker,
        defender=defender,
    )
    return game, round_state


def _company(each: Entrant, roles: Mapping[int, bool], games: Sequence[StorylineGame]) -> StorylineCompany:
    own = [game for game in games if game.defender is not None and each.id in (game.attacker, game.defender)]
    decided = [game for game in own if game.won in (ATTACKER, DEFENDER)]
    won = sum(game.winner == each.id for game in decided)
    return StorylineCompany(
        enrolment=each.id,
        name=each.name,
        colour=each.colour,
        emblem=each.emblem,
        player=each.player,
        attacks=roles.get(each.id),
        won=won,
        drawn=sum(game.won == DRAW for game in own),
        lost=len(decided) - won,
        has_left=not _is_in(each),
    )


def _step(
    campaign: Campaign,
    rules: StorylineRules,
    number: int,
    games: Sequence[StorylineGame],
    begun: Mapping[int, str],
    enrolments: Mapping[int, Entrant],
    *,
    compensates: bool,
) -> StepRow:
    step = rules.steps[number - 1]
    names = {pk: each.name for pk, each in enrolments.items()}
    own = [each for each in games if each.step == number]
    round_ = next((each.round for each in own), None)
    printed = _points(campaign, step)
    even = step.even if compensates else None
    terms = battle_rules(campaign.system).terms(step.scenario)
    played = [even.points if even is not None and even.side == side else printed[side] for side in (0, 1)]
    return StepRow(
        number=number,
        scenario=step.scenario,
        name=terms.name if terms else step.scenario,
        brief=terms.brief if terms else "",
        points=(played[0], played[1]),
        printed=printed,
        even=_describe_draw(campaign, step, even) if even is not None else "",
        leaves=f"{step.leaves}: {step.why}" if step.leaves else "",
        state=_state(number, own, begun),
        round=round_,
        games=tuple(_game_row(rules, each, games, names) for each in own),
        count=count_outcomes(own),
    )


def _state(number: int, own: Sequence[StorylineGame], begun: Mapping[int, str]) -> str:
    if number not in begun:
        return "next" if number == len(begun) + 1 else "later"
    if begun[number] == RoundState.PLANNED:
        return "planned"
    return "open" if any(each.is_open for each in own) else "played"


def _game_row(
    rules: StorylineRules, game: StorylineGame, games: Sequence[StorylineGame], names: Mapping[int, str]
) -> StepGame:
    winner = names[game.winner] if game.winner is not None else ""
    words = {ATTACKER: "attacker won", DEFENDER: "defender won", DRAW: "draw"}
    is_bye = game.defender is None
    return StepGame(
        key=game.key,
        attacker=names[game.attacker],
        defender="" if game.defender is None else names[game.defender],
        result="rests" if is_bye else words.get(game.won) or str(MatchState(game.state).label),
        winner=winner,
        gains=_describe_gains(rules, game.step, (game.attacker, game.defender), games, names),
    )


def _describe_gains(
    rules: StorylineRules,
    step: int,
    sides: tuple[int, int | None],
    games: Sequence[StorylineGame],
    names: Mapping[int, str],
) -> tuple[str, ...]:
    won = winners(games, step - 1)
    if None in sides:
        return ()
    return tuple(
        f"{names[pk]} gets {gain} for its win in round {won[pk].round}: {rules.steps[step - 2].why}."
        for pk in sides
        if pk is not None and (gain := step_gain(rules, step, pk, won))
    )


def _points(campaign: Campaign, step: StorylineStep) -> tuple[int, int]:
    terms = battle_rules(campaign.system).terms(step.scenario)
    found = [side.points or 0 for side in terms.sides] if terms is not None else [0, 0]
    return found[0], found[1]


def _even_gain(campaign: Campaign, step: StorylineStep, side: int, *, compensates: bool) -> StorylineBonus:
    if step.even is None or not compensates or step.even.side != side:
        return StorylineBonus()
    return StorylineBonus(points=step.even.points - _points(campaign, step)[side])


def _describe_draw(campaign: Campaign, step: StorylineStep, even: EvenTerms) -> str:
    who = ("attacker", "defender")[even.side]
    printed = _points(campaign, step)[even.side]
    return (
        f"To even the odds, the {who} fields {pluralize(even.points, 'points')} instead of {printed}. Attacker’s win "
        f"chance: {100 * even.chance_with:.3g}% (as printed {100 * even.chance:.3g}%)."
    )


def _describe_next(steps: Sequence[StepRow], winner: str) -> str:
    if winner:
        total = OutcomeCount(
            attacker=sum(each.count.attacker for each in steps),
            defender=sum(each.count.defender for each in steps),
        )
        figures = f"{total.attacker} games to {total.defender}"
        return f"{WINNERS.get(winner, 'The war ended in a draw')}: {figures}."
    now = next((each for each in steps if each.state in ("open", "planned")), None)
    after = next((each for each in steps if each.state == "next"), None)
    if now is not None:
        to_come = f"; next is {after.name}" if after is not None else ", the last scenario"
        return f"{now.name} is being played{to_come}."
    if after is None:
        return ""
    left = len(steps) - after.number
    more = f", then {pluralize(left, 'more scenarios')}" if left else ", the last"
    return f"Next is {after.name}{more}."


def _games(campaign: int) -> QuerySet[Match, object]:
    rows = Match.objects.filter(round__campaign=campaign, round__storyline_round__isnull=False)
    return rows.order_by("round__storyline_round__step", "number").values_list(
        *columns(
            _game,
            match="pk",
            round_="round__number",
            step="round__storyline_round__step",
            table="number",
            attacker="attacker_id",
            defender="defender_id",
            round_state="round__state",
        )
    )


STORYLINE = PreparedQuery(lambda campaign: Storyline.objects.filter(campaign=campaign), campaign=int)
STEP = PreparedQuery(
    lambda round: StorylineRound.objects.filter(round=round).values_list("step", "storyline__compensates"), round=int
)
ROLES = PreparedQuery(
    lambda storyline: StorylineRole.objects.filter(storyline=storyline).values_list("enrolment", "attacks"),
    storyline=int,
)
STEPS = PreparedQuery(
    lambda campaign: StorylineRound.objects.filter(storyline__campaign=campaign).values_list("step", "round__state"),
    campaign=int,
)
GAMES = PreparedQuery(_games, _game, campaign=int)
