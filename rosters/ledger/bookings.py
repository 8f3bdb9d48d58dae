"""What a game writes into a company's ledger: drafts of entries, made of the record as it is then. Pure.

Services write the drafts down; a ruling on the past makes them for a moment long gone. Who decides (which level, which
skill, which fate) is not here: the rules of campaigns do, and hand over plain facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rosters.ledger.fold import Folding
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, Fact
from systems.roster import RosterSystem

KIND_OF_FATE = {"unhurt": "unhurt", "injured": "wounded", "killed": "died"}
NOT_WRITTEN = 10**15  # the numbers of entries not written yet begin here


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """How a unit came out of a battle, and the pilot who sat in it."""

    unit: int
    pilot: int | None
    lost: bool = False
    # Its condition before the battle and after it, as its system has it; what is left out is whole.
    began: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    kills: int = 0  # units that count as kills
    specials: int = 0  # special actions that its scenario counted
    wounded: bool = False
    wounded_by: str = ""  # name of what wounded the pilot
    exploded: bool = False  # its reactor did
    fate: str = ""  # of the pilot, as rolled at the table
    died: bool = False
    killed_by: str = ""  # name of the unit that destroyed it
    cause: str = ""  # what destroyed it, in words after "destroyed: "
    victims: tuple[str, ...] = ()  # names of what it destroyed


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotAftermath:
    """What a game made of one pilot; faces and numbers are written down with what they led to."""

    pilot: int
    settled: tuple[str, ...] = ()  # skills earned earlier that nobody chose in time
    points: int = 0  # of experience that he gained
    fate: Literal["", "unhurt", "injured", "killed"] = ""
    fate_facts: Mapping[str, Any] = field(default_factory=dict)
    promoted_from: str = ""
    promoted_to: str = ""
    skill_facts: Mapping[str, Any] = field(default_factory=dict)  # of a skill roll; empty: none was made


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAftermath:
    """What a game made of one unit, beyond the damage that it brought home."""

    unit: int
    condition: Mapping[str, Any] | None  # None: it is gone for good
    facts: Mapping[str, Any] = field(default_factory=dict)  # what is told of it, and the die that said so


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBooking:
    """The game as the company books it."""

    result: Literal["won", "drawn", "lost"]
    season_points: int
    income: int = 0
    repaid: int = 0
    gifts: tuple[int, ...] = ()  # faces of the dice of points that its support brought
    lapsed: int = 0  # points left from the founding that are money no more
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry not written yet. `ref` names its cause where that differs from its act's."""

    kind: str
    unit: int | None = None
    pilot: int | None = None
    points: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    reverses: int | None = None
    ref: str = ""

    def fact(self, number: int) -> Fact:
        """The entry as the fold takes it."""
        return Fact(
            id=number, kind=self.kind, unit=self.unit, pilot=self.pilot, points=self.points, facts=self.facts,
            reverses=self.reverses,
        )  # fmt: skip


class _Pen:
    """Drafts, and the company as each of them leaves it."""

    def __init__(self, record: CompanyRecord) -> None:
        self.folding = Folding(record)
        self.drafts: list[Draft] = []

    def write(self, kind: str, **fields: Any) -> None:
        draft = Draft(kind=kind, **fields)
        self.folding.take(draft.fact(NOT_WRITTEN + len(self.drafts)))
        self.drafts.append(draft)

    def empty_seat(self, unit: int, pilot: int) -> None:
        facts = {"from": self.folding.pilots[pilot].name, "to": None}
        self.write("assigned", unit=unit, facts=facts)

    def seats_of(self, pilot: int) -> list[int]:
        return [unit.id for unit in self.folding.units.values() if unit.pilot == pilot]


def result_drafts(
    record: CompanyRecord,
    units: Sequence[UnitResult],
    *,
    rules: RosterSystem[Any, Any],
    title: str = "",
    keeps_units: bool = True,
) -> list[Draft]:
    """What a battle did to units and pilots.

    Pilots get games and kills, also when they or their unit have left the roster since. A unit that has left keeps
    its state. A unit comes home as the battle says; to one that is not as it began the battle, the battle does what it
    did, harm and repairs, and damage that it has taken elsewhere meanwhile stays.
    A wound is booked, but a pilot whose Mek comes home is unhurt after the game (MM-S03); `died` ends a career.
    Where units are bought anew for each game (`keeps_units` False), they bring no damage and no loss home (MM-S06);
    nor do they where the system leaves it to the aftermath what becomes of them.
    """
    pen = _Pen(record)
    about = {"battle": title} if title else {}
    for fact in units:
        _draft_unit(pen, fact, rules, about, keeps_units and rules.keeps_damage)
    return pen.drafts


def aftermath_drafts(
    record: CompanyRecord,
    game: GameBooking,
    pilots: Sequence[PilotAftermath],
    took_part: Sequence[int],
    *,
    units: Sequence[UnitAftermath] = (),
    rules: RosterSystem[Any, Any],
    title: str = "",
) -> list[Draft]:
    """What a game made of pilots, units and bank; `record` has the game's result already. MM-S02.

    Wounded pilots who did not take part have missed their game and are fit again. What was lent for the game leaves.
    """
    pen = _Pen(record)
    about = {"battle": title} if title else {}
    for fact in pilots:
        for skill in fact.settled:
            facts = {"skill": skill, "name": rules.skill_names[skill], "earned": True, "unasked": True}
            pen.write("skill-gained", pilot=fact.pilot, facts=facts)
    for pilot in list(pen.folding.pilots.values()):
        if pilot.status == WOUNDED and pilot.id not in took_part:
            pen.write("recovered", pilot=pilot.id, facts=about)
    for unit in units:
        _draft_unit_after(pen, unit, about)
    for fact in pilots:
        if fact.fate:
            _draft_fate(pen, fact, about)
    for fact in pilots:
        if fact.points:
            pen.write("experience", pilot=fact.pilot, facts={**about, "count": fact.points})
    for fact in pilots:
        if fact.promoted_to:
            level = {"from": fact.promoted_from, "to": fact.promoted_to, "name": rules.level_names[fact.promoted_to]}
            pen.write("promoted", pilot=fact.pilot, facts={**about, **level})
    for fact in pilots:
        if fact.skill_facts:
            pen.write("skill-rolled", pilot=fact.pilot, facts={**about, **fact.skill_facts})
    booking = {
        "result": game.result,
        "season_points": game.season_points,
        "income": game.income,
        "repaid": game.repaid,
        "gifts": list(game.gifts),
        **({"lapsed": game.lapsed} if game.lapsed else {}),
    }
    points = game.income - game.repaid + sum(game.gifts) - game.lapsed
    pen.write("game", points=points, facts={**about, **booking, **game.facts})
    _draft_returns(pen, about)
    return pen.drafts


def _draft_unit(
    pen: _Pen, fact: UnitResult, rules: RosterSystem[Any, Any], about: Mapping[str, str], keeps_units: bool
) -> None:
    lost = {"lost": True, **_loss(fact)} if fact.lost else {}
    pen.write("fought", unit=fact.unit, pilot=fact.pilot, facts={**about, **lost})
    if fact.kills:
        kills = {**about, "count": fact.kills, "victims": list(fact.victims)}
        pen.write("kill", unit=fact.unit, pilot=fact.pilot, facts=kills)
    if fact.pilot is not None and fact.wounded:
        by = {"by": fact.wounded_by} if fact.wounded_by else {}
        pen.write("wounded", pilot=fact.pilot, unit=fact.unit, facts={**about, **by})
    if keeps_units and pen.folding.units[fact.unit].status == READY:
        _draft_damage(pen, fact, rules, about)
    if fact.pilot is not None and fact.died and pen.folding.pilots[fact.pilot].status in (ACTIVE, WOUNDED):
        for seat in pen.seats_of(fact.pilot):
            pen.empty_seat(seat, fact.pilot)
        pen.write("died", pilot=fact.pilot, facts=about)


def _loss(fact: UnitResult) -> dict[str, str]:
    return {"by": fact.killed_by, **({"cause": fact.cause} if fact.cause else {})}


def _draft_damage(pen: _Pen, fact: UnitResult, rules: RosterSystem[Any, Any], about: Mapping[str, str]) -> None:
    unit = pen.folding.units[fact.unit]
    spec = rules.parse_spec(unit.spec)
    # A unit that is lost is as the battle left it, whatever it was before.
    home = fact.after if fact.lost else rules.condition_home(spec, fact.began, fact.after, unit.condition)
    facts = {**about, "from": unit.condition, "to": home}
    if fact.lost:
        pen.write("destroyed", unit=fact.unit, facts={**facts, **_loss(fact)})
        if unit.pilot is not None:
            pen.empty_seat(fact.unit, unit.pilot)
    elif sum(line.points for line in rules.repair_bill(spec, home)) < sum(
        line.points for line in rules.repair_bill(spec, unit.condition)
    ):
        pen.write("repaired", unit=fact.unit, facts={**facts, "told": "was mended"})
    elif home != unit.condition:
        pen.write("damaged", unit=fact.unit, facts=facts)


def _draft_unit_after(pen: _Pen, fact: UnitAftermath, about: Mapping[str, Any]) -> None:
    unit = pen.folding.units[fact.unit]
    if unit.status != READY:
        return
    facts = {**about, **fact.facts, "from": unit.condition, "to": dict(fact.condition or {})}
    if fact.condition is not None:
        pen.write("damaged" if fact.condition else "repaired", unit=fact.unit, facts=facts)
        return
    pen.write("destroyed", unit=fact.unit, facts=facts)
    if unit.pilot is not None:
        pen.empty_seat(fact.unit, unit.pilot)


def _draft_returns(pen: _Pen, about: Mapping[str, Any]) -> None:
    for unit in list(pen.folding.units.values()):
        if unit.lent and unit.status == READY:
            pen.write("returned", unit=unit.id, facts=about)
    for pilot in list(pen.folding.pilots.values()):
        if pilot.lent and pilot.status in (ACTIVE, WOUNDED):
            pen.write("returned", pilot=pilot.id, facts=about)


def _draft_fate(pen: _Pen, fact: PilotAftermath, about: Mapping[str, Any]) -> None:
    """MM-S03."""
    facts = {**about, **fact.fate_facts}
    if fact.fate == "injured":
        facts["misses"] = 1
    elif fact.fate == "killed":
        facts["game_lost"] = True  # a killed pilot keeps no game survived
        for seat in pen.seats_of(fact.pilot):
            pen.empty_seat(seat, fact.pilot)
    pen.write(KIND_OF_FATE[fact.fate], pilot=fact.pilot, facts=facts)
