"""The best answer to a force: the search as its page and the API show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from battles.models import BestAnswer
from battles.odds.rivals import describe_force
from rosters.site.compiled import PreparedQuery
from systems import battle_rules
from systems.reading import spec_of, stored_setup
from systems.setups import Setup
from systems.simulation.halving import Climb, Placed, Plan, surely_better

BEST_ANSWER = PreparedQuery(lambda key: BestAnswer.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID)
MAX_ANSWER_SEARCHES = 10
BEST_ANSWERS = PreparedQuery(
    lambda forecast: (
        BestAnswer.objects.filter(forecast=forecast).defer("forces", "counts").order_by("-pk")[:MAX_ANSWER_SEARCHES]
    ),
    forecast=int,
)


def best_answer_readable(key: UUID) -> BestAnswer | None:
    """Return the search with that key; anybody with the link may see it."""
    return BEST_ANSWER.row(key=key)


def best_answers_of(forecast: int) -> list[BestAnswer]:
    """Return the searches beside a forecast, newest first."""
    return BEST_ANSWERS.rows(forecast=forecast)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceRow:
    """A force in the order of the search."""

    place: int
    force: str
    designs: tuple[str, ...]  # empty: the side's own force
    specs: tuple[Mapping[str, object], ...]  # of its units
    placed: Placed

    @property
    def stands_there(self) -> bool:
        return not self.designs


@dataclass(frozen=True, slots=True, kw_only=True)
class BestAnswerPage:
    """The search as far as it has got."""

    lines: tuple[ForceRow, ...]
    rungs: int
    rung: int  # the one being played, from 1; the last when it is over
    sure: float | None  # how likely the first is really better than the second
    standing: ForceRow | None  # the side's own force
    side: str
    enemy: str
    foes: tuple[str, ...]  # the published forces it played against; empty: the enemy in the set-up

    @property
    def best(self) -> ForceRow | None:
        return self.lines[0] if self.lines else None

    @property
    def finalists(self) -> tuple[ForceRow, ...]:
        return tuple(line for line in self.lines if line.placed.rung == self.rung - 1)

    @property
    def others(self) -> tuple[ForceRow, ...]:
        return self.lines[len(self.finalists) :]


def best_answer_page(answer: BestAnswer) -> BestAnswerPage:
    """Return the forces in their order, best first."""
    climb, setup = best_answer_climb(answer), stored_setup(answer.forecast.setup)
    lines = tuple(
        ForceRow(
            place=place,
            force=_describe_force(answer, placed.candidate),
            designs=tuple(answer.forces[placed.candidate - 1]) if placed.candidate else (),
            specs=_force_specs(answer, setup, placed.candidate),
            placed=placed,
        )
        for place, placed in enumerate(climb.order(), start=1)
    )
    return BestAnswerPage(
        lines=lines,
        rungs=len(climb.plan.rungs),
        rung=max((line.placed.rung for line in lines), default=0) + 1,
        sure=surely_better(lines[0].placed, lines[1].placed) if len(lines) > 1 else None,
        standing=next((line for line in lines if line.stands_there), None),
        side=setup.sides[answer.side].name,
        enemy="the published forces" if answer.foes else setup.sides[1 - answer.side].name,
        foes=tuple(foe["name"] for foe in answer.foes),
    )


def best_answer_climb(answer: BestAnswer) -> Climb:
    """Return the search as far as it is simulated. Candidate 0 is the side's own force; then come `answer.forces`."""
    return Climb.from_json(Plan(len(answer.forces) + 1, answer.battles), answer.counts)


def _describe_force(answer: BestAnswer, candidate: int) -> str:
    """Describe the units of a candidate."""
    if candidate:
        return describe_force(answer.system, answer.forces[candidate - 1])
    setup = stored_setup(answer.forecast.setup)
    names = battle_rules(answer.system).unit_names(setup)
    return ", ".join(names[unit.key] for unit in setup.sides[answer.side].units)


def _force_specs(answer: BestAnswer, setup: Setup, candidate: int) -> tuple[Mapping[str, object], ...]:
    """Return the specs of a candidate's units."""
    units = [unit.design for unit in setup.sides[answer.side].units]
    designs = answer.forces[candidate - 1] if candidate else units
    return tuple(spec for design in designs if (spec := spec_of(setup, design)))
