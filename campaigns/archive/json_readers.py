"""Readers for the JSON columns of an archive. No database access.

Every JSON column in an archive has its line in `READERS`; a test checks this. A reader raises DocumentError, with the
place in the value, for anything that the club's pages couldn't read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import pydantic

from battles.live.state import AGREE, AHEAD, OPEN, PREPARE, ROLL, SEAL, SET, TYPED, UNDO
from campaigns.archive.json_types import (
    MAX_SIDES,
    Adjusted,
    Agreed,
    Basis,
    Count,
    Decided,
    Difference,
    Effects,
    Excused,
    Faces,
    Figures,
    Force,
    Id,
    Line,
    Marked,
    MatchOdds,
    Noted,
    Past,
    Placed,
    Prepared,
    Result,
    SealedForce,
    Side,
    Sides,
    Small,
    Step,
    SupportRolled,
    TableForce,
    TallyForm,
    Thrown,
    ThrownAhead,
    Tried,
)
from campaigns.corrections.adjustment_plan import Adjustment
from campaigns.gazette.document import Fixtures, GazetteDocument
from campaigns.models import MatchState, Outcome, Ruling
from campaigns.notifications.event_types import WEBHOOK_EVENTS
from campaigns.results.reports import parse_stored_report
from campaigns.standings.table import TIE_BREAKERS
from rosters.ledger.projection import bill_of, describe_entry, plain
from rosters.printing.orders import MAX_BYTES, MAX_VALUES, check_order, read_order
from systems import battle_rules, roster_rules
from systems.documents import (
    WHOLE,
    Document,
    DocumentError,
    Name,
    kind_of,
    object_of,
    plain_json,
    read_value,
    refuse_unknown,
    within,
)
from systems.ledger import Subject
from systems.orders import check_given_orders
from systems.reading import read_system, stored_setup
from systems.roster import AnyRoster
from systems.setups import Setup, SetupScenario, Slug, Standing
from systems.simulation.odds import Tally
from systems.simulation.summary import odds

WHOLE_SIDE = "all"  # key of orders for the whole company; other keys are ids of units


class AutoplayOrders(Document):
    """How the AI plays a company when its player is absent."""

    doctrine: Annotated[str, pydantic.Field(max_length=40)] | None = None
    standing: dict[Annotated[str, pydantic.Field(max_length=40)], Standing] = {}


_ORDERS, _OWN_SCENARIO = pydantic.TypeAdapter(AutoplayOrders), pydantic.TypeAdapter(SetupScenario)


def read_orders(system: str, value: object) -> AutoplayOrders:
    """Return a company's autoplay orders after checking them by the rules of its game. Raise DocumentError."""
    rules = battle_rules(system)
    orders = read_value(_ORDERS, value)
    if orders.doctrine is not None:
        refuse_unknown("doctrine", "doctrine", orders.doctrine, rules.doctrines)
    for whom, given in orders.standing.items():
        if whom != WHOLE_SIDE and not (whom.isascii() and whom.isdecimal()):
            raise DocumentError("standing", f"“{whom[:20]}” is none of the units that can be ordered")
        beside = None if whom == WHOLE_SIDE else orders.standing.get(WHOLE_SIDE, {})
        check_given_orders(rules.autoplay_orders, rules.autoplay_orders, given, path=f"standing.{whom}", beside=beside)
    return orders


def read_scenario(system: str, value: object, path: str = "") -> object:
    """Check a scenario: the slug of a published one, or the name and spec of a player's own. Raise DocumentError."""
    if isinstance(value, str):
        refuse_unknown(path, "scenario", value, battle_rules(system).scenarios)
        return value
    with within(path):
        own = read_value(_OWN_SCENARIO, value)
        return roster_rules(system).parse_scenario(own.spec, "spec")


Row = Mapping[str, Any]
MAX_WATCH_PARTY_STEPS = 20_000  # steps of a watch party


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A JSON value of a row being read. `system`, `release`: the row's game and catalogue version, if it has a game."""

    value: Any
    row: Row
    system: str
    release: str

    @property
    def rules(self) -> AnyRoster:
        return read_system(self.system, release=self.release or read_system(self.system).newest)


Reader = Callable[[Column], object]


# --- readers ----------------------------------------------------------------------------------------------------------


def typed_reader(kind: Any) -> Reader:
    """Return a reader that checks the value against the type."""
    adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(kind)
    return lambda column: read_value(adapter, column.value)


def _slugs(known: Mapping[str, object] | frozenset[str]) -> Reader:
    """Return a reader for a list of known slugs without repeats."""
    adapter = pydantic.TypeAdapter(tuple[str, ...])

    def read(column: Column) -> object:
        found = read_value(adapter, column.value)
        for at, slug in enumerate(found):
            refuse_unknown(f"[{at}]", "word", slug, known)
            if slug in found[:at]:
                raise DocumentError(f"[{at}]", "is there twice")
        return found

    return read


def _options(column: Column) -> object:
    return column.rules.parse_options(column.value, "")


def _options_before(column: Column) -> object:
    return read_system(column.system, release=str(column.row["before"])).parse_options(column.value, "")


def _spec(column: Column) -> object:
    return column.rules.parse_spec(column.value, "")


def _condition(column: Column) -> object:
    row, rules = column.row, column.rules
    return rules.datasheet(
        rules.parse_spec(row["spec"]),
        name=row["name"],
        design_name=row["design_name"],
        condition=object_of(column.value, ""),
    )


def _scenario_spec(column: Column) -> object:
    return column.rules.parse_scenario(column.value, "")


def _scenario(column: Column) -> object:
    return read_scenario(column.system, column.value)


class _InPlay(Document):
    value: Slug | dict[str, object]
    name: Name


_IN_PLAY = pydantic.TypeAdapter(Annotated[tuple[_InPlay, ...], pydantic.Field(max_length=100)])


def _scenarios(column: Column) -> object:
    found = read_value(_IN_PLAY, column.value)
    for at, each in enumerate(found):
        read_scenario(column.system, each.value, f"[{at}].value")
    return found


def _setup(column: Column) -> Setup:
    """Return the set-up as pages read it. Raise DocumentError if it is of another game."""
    setup = stored_setup(object_of(column.value, ""))
    _check_game(setup, column)
    return setup


def _check_game(setup: Setup, column: Column) -> None:
    if setup.system != column.system:
        raise DocumentError("system", f"must be {column.system}, the game that it is played in")


_ODDS, _FORCE = pydantic.TypeAdapter(MatchOdds), pydantic.TypeAdapter(SealedForce)


def _autoplay_orders(column: Column) -> object:
    return read_orders(column.system, column.value)


def _submitted_list(column: Column) -> object:
    force = read_value(_FORCE, column.value)
    rules = battle_rules(column.system)
    refuse_unknown("doctrine", "doctrine", force.doctrine, rules.doctrines)
    for at, buy in enumerate(force.buys or ()):
        if isinstance(buy.design, dict):
            read_system(column.system).parse_spec(buy.design, f"buys[{at}].design")
    return force


def _odds(column: Column) -> object:
    found = read_value(_ODDS, column.value)
    margins = found.margins.values()
    won = found.attacker_wins + found.defender_wins
    if won > found.runs or min(margins, default=0) < 0 or sum(margins) not in (0, found.runs):
        raise DocumentError("", "does not add up")
    return found


def _basis(column: Column) -> object:
    basis = read_value(pydantic.TypeAdapter(Basis), column.value)
    with within("setup"):
        _check_game(stored_setup(basis.setup), column)
    return basis


def _report(column: Column) -> object:
    return parse_stored_report(object_of(column.value, ""))


class _Verdict(Document):
    verdict: Line
    report: dict[str, object] | None = None


class _Unfought(Document):
    state: str
    outcome: str


_DECISIONS: Mapping[str, pydantic.TypeAdapter[Any]] = {
    Ruling.Kind.DISPUTE: pydantic.TypeAdapter(_Verdict),
    Ruling.Kind.MATCH: pydantic.TypeAdapter(_Verdict),
    Ruling.Kind.EXCEPTION: pydantic.TypeAdapter(Excused),
    Ruling.Kind.ADJUSTMENT: pydantic.TypeAdapter(Adjusted),
}


def _decision(column: Column) -> object:
    """Check the decision of a ruling by the ruling's kind."""
    kind = column.row["kind"]
    if kind == Ruling.Kind.CORRECTION:
        return _corrected(object_of(column.value, ""), "")
    found = read_value(_DECISIONS[kind], column.value)
    if isinstance(found, _Verdict) and found.report is not None:
        with within("report"):
            parse_stored_report(found.report)
    if isinstance(found, Adjusted):
        for at, each in enumerate(found.adjustments):
            with within(f"adjustments[{at}]"):
                read_value(pydantic.TypeAdapter(Adjustment), each)
    return found


def _corrected(value: dict[str, object], path: str) -> object:
    """Check the new state of a corrected match: nothing, a report, or an end without a battle."""
    if not value:
        return None
    with within(path):
        if "muster" in value:
            return parse_stored_report(value)
        return _check_end(read_value(pydantic.TypeAdapter(_Unfought), value))


def _decided(column: Column) -> object:
    found = _check_end(read_value(pydantic.TypeAdapter(Decided), column.value))
    if found.report is not None:
        _corrected(found.report, "report")
    return found


def _check_end(found: Any) -> Any:
    refuse_unknown("state", "state", found.state, MatchState.values)
    refuse_unknown("outcome", "outcome", found.outcome, Outcome.values)
    return found


_FACTS = pydantic.TypeAdapter(dict[Annotated[str, pydantic.Field(max_length=40)], object])


def _ledger_facts(column: Column) -> object:
    """Check the facts of a ledger entry by its kind. The ledger is added up later, when all of it has been written."""
    facts = read_value(_FACTS, column.value)
    with document_errors("", "are not the facts of such an entry"):
        plain(describe_entry(column.row["kind"], facts, Subject(0, ""), Subject(0, "")))
        bill_of(facts)
    return facts


def _outcome(column: Column) -> object:
    result = read_value(pydantic.TypeAdapter(Result), column.value)
    rules, setup = battle_rules(column.system), stored_setup(column.row["setup"])
    sides = [side.name for side in setup.sides]
    if result.winner is not None and result.winner not in sides or result.draw != (result.winner is None):
        raise DocumentError("winner", "must be one of the sides, or nobody where it is a draw")
    if result.points.keys() - set(sides):
        raise DocumentError("points", "must be of the sides")
    for at, unit in enumerate(result.units):
        if unit.side not in sides:
            raise DocumentError(f"units[{at}].side", "must be one of the sides")
        with document_errors(f"units[{at}]", "is no end that a unit of this game has"):
            outcome = unit.model_dump(mode="json")
            own = rules.own_outcome.model_fields
            rules.own_outcome.model_validate_json(
                json.dumps({name: outcome[name] for name in own.keys() & outcome.keys()})
            )
            rules.condition_after(outcome)
            rules.hand.fate_of(outcome)
    return result


@contextmanager
def document_errors(path: str, what: str) -> Iterator[None]:
    """Turn the errors of readers that don't raise DocumentError into DocumentErrors."""
    try:
        yield
    except DocumentError:
        raise
    except (LookupError, ArithmeticError, TypeError, ValueError, AttributeError) as error:
        raise DocumentError(path, f"{what} ({type(error).__name__})") from None


def _forecast_counts(column: Column) -> object:
    """Check the tallies as odds of the row's set-up."""
    found = read_value(pydantic.TypeAdapter(TallyForm), column.value)
    with document_errors("", "are no odds of its set-up"):
        return odds(Tally.from_json(found.model_dump()), stored_setup(column.row["setup"]))


def _print_order(column: Column) -> object:
    """Check a print order by the code that reads it for a reprint."""
    order = read_order(_order_object(column.value))
    check_order(order)
    return order


def _order_object(value: object) -> dict[str, object]:
    found = plain_json(value, most=MAX_BYTES, most_values=MAX_VALUES) if isinstance(value, dict) else None
    if not isinstance(found, dict):
        raise DocumentError("", f"must be an object, not {kind_of(value)}")
    return found


_ACTS: Mapping[str, pydantic.TypeAdapter[Any]] = {
    kind: pydantic.TypeAdapter(form)
    for kind, form in (
        (SET, Marked), (SEAL, Noted), (OPEN, Placed), (UNDO, Placed), (AGREE, Agreed), (ROLL, Thrown), (TYPED, Thrown),
        (AHEAD, ThrownAhead), (PREPARE, Prepared),
    )
}  # fmt: skip


def _act(column: Column) -> object:
    """Check the facts of an act at a live table by its kind."""
    kind = column.row["kind"]
    refuse_unknown("", "act", kind, _ACTS)
    return read_value(_ACTS[kind], column.value)


# --- the columns ------------------------------------------------------------------------------------------------------

_TWO = pydantic.Field(max_length=MAX_SIDES)
READERS: Mapping[str, Reader] = {
    "campaigns.Webhook.occasions": _slugs(frozenset(WEBHOOK_EVENTS)),
    "campaigns.MatchmakingOffer.accepted": typed_reader(Sides),
    "campaigns.Campaign.scenarios": _scenarios,
    "campaigns.Campaign.options": _options,
    "campaigns.Campaign.tie_breakers": _slugs(TIE_BREAKERS),
    "campaigns.Enrolment.orders": _autoplay_orders,
    "campaigns.Territory.neighbours": typed_reader(Annotated[tuple[Small, ...], pydantic.Field(max_length=100)]),
    "campaigns.RoundClose.steps": typed_reader(Annotated[tuple[Step, ...], pydantic.Field(max_length=100)]),
    "campaigns.CatalogueUpgrade.options_before": _options_before,
    "campaigns.TerritoryIncome.places": typed_reader(
        Annotated[tuple[tuple[Line, Count], ...], pydantic.Field(max_length=200)]
    ),
    "campaigns.Season.tie_breakers": _slugs(TIE_BREAKERS),
    "campaigns.Match.scenario": _scenario,
    "campaigns.Match.setup": _setup,
    "campaigns.Match.forces": typed_reader(Annotated[tuple[Force, ...], _TWO]),
    "campaigns.Match.odds": _odds,
    "campaigns.Match.bonus": typed_reader(
        Annotated[tuple[tuple[Side, Line, Small, Small], ...], pydantic.Field(max_length=200)]
    ),
    "campaigns.Match.figures": typed_reader(Figures),
    "campaigns.Match.past": typed_reader(Past),
    "campaigns.SubmittedList.document": _submitted_list,
    "campaigns.SubmittedList.sealed_as": _submitted_list,
    "campaigns.MatchPreparation.pilots": typed_reader(
        Annotated[tuple[Id | None, ...], pydantic.Field(max_length=1000)]
    ),
    "campaigns.MatchPreparation.rolls": typed_reader(
        Annotated[tuple[SupportRolled, ...], pydantic.Field(max_length=100)]
    ),
    "campaigns.MatchPreparation.rolled": typed_reader(Annotated[dict[Slug, Faces], pydantic.Field(max_length=100)]),
    "campaigns.SupportRoll.faces": typed_reader(Faces),
    "campaigns.Handicap.tried": typed_reader(Annotated[tuple[Tried, ...], pydantic.Field(max_length=1000)]),
    "campaigns.Handicap.basis": _basis,
    "campaigns.Handicap.agreed": typed_reader(Sides),
    "campaigns.WatchParty.cuts": typed_reader(
        Annotated[tuple[Count, ...], pydantic.Field(max_length=MAX_WATCH_PARTY_STEPS)]
    ),
    "campaigns.Report.content": _report,
    "campaigns.Ruling.decision": _decision,
    "campaigns.Dispute.differences": typed_reader(Annotated[tuple[Difference, ...], pydantic.Field(max_length=2000)]),
    "campaigns.Correction.before": _decided,
    "campaigns.Correction.after": _decided,
    "campaigns.Correction.effects": typed_reader(Effects),
    "campaigns.Gazette.content": typed_reader(GazetteDocument),
    "campaigns.Gazette.fixtures": typed_reader(Fixtures),
    "rosters.Player.names_before": typed_reader(Annotated[tuple[Line, ...], pydantic.Field(max_length=1000)]),
    "rosters.Unit.spec": _spec,
    "rosters.Unit.condition": _condition,
    "rosters.LedgerEntry.facts": _ledger_facts,
    "rosters.Design.spec": _spec,
    "rosters.Scenario.spec": _scenario_spec,
    "rosters.PrintJob.content": _print_order,
    "battles.SealedDice.words": typed_reader(Annotated[tuple[tuple[Line, Line], ...], pydantic.Field(max_length=100)]),
    "battles.SealedDice.uses": typed_reader(Annotated[tuple[Line, ...], pydantic.Field(max_length=10_000)]),
    "battles.Battle.setup": _setup,
    "battles.Battle.result": _outcome,
    "battles.BattleSide.force": typed_reader(Force),
    "battles.Forecast.setup": _setup,
    "battles.Forecast.counts": _forecast_counts,
    "battles.LiveTable.setup": _setup,
    "battles.LiveTable.forces": typed_reader(Annotated[tuple[TableForce | None, ...], _TWO]),
    "battles.LiveEvent.facts": _act,
}


def check_json(label: str, field: str, row: Row, system: str, release: str) -> None:
    """Read a JSON column of a row. Raise DocumentError with the column and the place in it."""
    value = row[field]
    if value is None:
        return
    try:
        READERS[f"{label}.{field}"](Column(value=value, row=row, system=system, release=release))
    except DocumentError as error:
        path = "" if error.path == WHOLE else error.path.lstrip(".")
        raise DocumentError(f"{field}{'.' if path and path[0] != '[' else ''}{path}", error.reason) from None
