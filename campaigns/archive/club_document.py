"""The club/1 document for export and import: a club with members, campaigns, rounds and results. No database access.

Players are given by user name, companies by owner and name. The import looks for both on its site, as a company travels
as its own company/1 document. An undecided match is exported as scheduled: its reports and submitted lists stay on the
site where they were made. So do autoplay orders until their campaign has ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

import pydantic

from campaigns.standings.tiebreakers import TIE_BREAKERS
from campaigns.states import MatchState, Outcome
from rosters.documents.company import Moment
from systems import UnknownSystemError, battle_rules, roster_rules, season_rules
from systems.documents import Document, DocumentError, NewName, parse_document, read_value, refuse_unknown, within
from systems.releases import UnknownReleaseError
from systems.setups import SetupScenario, Standing
from systems.standing import check_given

MAX_BYTES = 4 * 1024 * 1024  # years of a large club
STATES = ("draft", "mustering", "running", "finished")
SCHEDULED, BYE, VOID = "scheduled", "bye", "void"
WHOLE_SIDE = "all"  # key of orders for the whole company; other keys are ids of units
_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"

Username = Annotated[str, pydantic.Field(min_length=1, max_length=150, pattern=r"^[\w.@+-]+$")]
Place = Annotated[str, pydantic.Field(max_length=80, pattern=_LINE)]
Text = Annotated[str, pydantic.Field(max_length=2000, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f-\x9f]*$")]
Reason = Annotated[str, pydantic.Field(max_length=300, pattern=_LINE)]
Slug = Annotated[str, pydantic.Field(max_length=40, pattern=r"^[a-z0-9-]*$")]
Key = Annotated[str, pydantic.Field(pattern=r"^c\d{1,4}$")]
Number = Annotated[int, pydantic.Field(ge=1, le=1000)]


class ClubMember(Document):
    player: Username
    role: Literal["organiser", "arbiter", "player"]
    joined_at: Moment
    guest: NewName | None = None  # the guest's name, for a player without an account


class ClubScenario(Document):
    value: str | dict[str, object]  # slug or spec, as set-ups take it
    name: NewName


class ClubCompany(Document):
    """A company in a campaign. Matches refer to it by `key`."""

    key: Key
    owner: Username
    name: NewName
    state: Literal["asked", "accepted", "declined", "withdrawn"]
    orders: dict[str, object] = {}
    decision: Reason = ""
    asked_at: Moment


class ClubTerritory(Document):
    position: Annotated[int, pydantic.Field(ge=0, le=100)]
    name: Annotated[str, pydantic.Field(min_length=1, max_length=40, pattern=_LINE)]
    home: Key | None = None
    neighbours: Annotated[tuple[int, ...], pydantic.Field(max_length=100)] = ()  # positions; none: by the map's shape
    income: Annotated[int, pydantic.Field(ge=0, le=1000)] = 0  # points for its holder when a round is closed
    bonus_points: Annotated[int, pydantic.Field(ge=0, le=50)] = 0  # in the holder's next match
    bonus_rolls: Annotated[int, pydantic.Field(ge=0, le=3)] = 0


class ClubOdds(Document):
    """The published odds of a match: the number of battles, each side's wins, and how often each margin occurred."""

    runs: Annotated[int, pydantic.Field(ge=1, le=10_000_000)]
    attacker_wins: Annotated[int, pydantic.Field(ge=0)]
    defender_wins: Annotated[int, pydantic.Field(ge=0)]
    margins: Annotated[
        dict[Annotated[str, pydantic.Field(pattern=r"^-?\d{1,7}$")], int], pydantic.Field(max_length=5000)
    ] = {}


class ClubMatch(Document):
    """A match. A bye has no defender, an undecided match no outcome."""

    number: Number
    scenario: str | dict[str, object]
    scenario_name: Annotated[str, pydantic.Field(max_length=60, pattern=_LINE)]
    terrain: Slug = ""
    attacker: Key
    defender: Key | None = None
    territory: int | None = None  # its position
    state: Literal["scheduled", "confirmed", "ruled", "auto-resolved", "forfeited", "refused", "void", "bye"]
    outcome: Literal["", "attacker", "defender", "draw", "none"] = ""
    decided_by: Literal["", "agreement", "other-side", "deadline", "ruling", "orders", "organiser", "import"] = ""
    decided_at: Moment | None = None
    odds: ClubOdds | None = None  # kept when the round was closed
    margin: int | None = None  # value of the attacker's surviving units minus the defender's
    tie: Annotated[int, pydantic.Field(ge=0, le=63)] | None = None  # its place in the bracket of the cup


class ClubCupPlace(Document):
    """A company drawn into the cup."""

    company: Key
    group: Annotated[int, pydantic.Field(ge=0, le=8)] = 0


class ClubCup(Document):
    """The settings of a campaign's cup, and its draw, best seed first."""

    groups: Annotated[int, pydantic.Field(ge=0, le=8)] = 0
    advance: Annotated[int, pydantic.Field(ge=1, le=8)] = 2
    entrants: Annotated[int, pydantic.Field(ge=0, le=64)] = 0
    seeding: Literal["table", "lot", "by-hand"] = "lot"
    has_third_place: bool = False
    since: Number | None = None
    places: Annotated[tuple[ClubCupPlace, ...], pydantic.Field(max_length=64)] = ()


class ClubArc(Document):
    """The settings of a campaign's story, and the companies' roles in it."""

    compensates: bool = True
    attackers: Annotated[tuple[Key, ...], pydantic.Field(max_length=1000)] = ()
    defenders: Annotated[tuple[Key, ...], pydantic.Field(max_length=1000)] = ()


class ClubFriendly(Document):
    """A friendly game that was played. One that wasn't stays on the site where it was announced."""

    company: Key
    opponent: Annotated[str, pydantic.Field(min_length=1, max_length=60, pattern=_LINE)]
    at: Moment
    outcome: Literal["won", "drawn", "lost"]
    commitment: Annotated[
        str, pydantic.Field(pattern=r"^[0-9a-f]{64}$")
    ]  # of its dice, published before they were rolled


class ClubRound(Document):
    number: Number
    state: Literal["planned", "open", "closed"]
    opens_at: Moment | None = None
    deadline: Moment | None = None
    closed_at: Moment | None = None
    is_finale: bool = False
    step: Annotated[int, pydantic.Field(ge=1, le=99)] | None = None  # the step of the campaign story played in it
    matches: Annotated[tuple[ClubMatch, ...], pydantic.Field(max_length=100)] = ()
    friendlies: Annotated[tuple[ClubFriendly, ...], pydantic.Field(max_length=5000)] = ()  # oldest first


class ClubPhase(Document):
    first_round: Number
    name: NewName
    text: Text = ""


class ClubCampaign(Document):
    name: NewName
    system: Slug
    about: Text = ""
    state: Literal["draft", "mustering", "running", "finished"]
    is_public: bool = True
    points: Annotated[int, pydantic.Field(ge=0, le=100_000)]
    scenarios: Annotated[tuple[ClubScenario, ...], pydantic.Field(max_length=100)] = ()
    options: dict[str, object] = {}
    pace_days: Annotated[int, pydantic.Field(ge=1, le=365)] = 14
    pairing: Literal["round-robin", "swiss", "fair", "knock-out", "groups", "arc", "by-hand"] = "swiss"
    tie_breakers: Annotated[tuple[Slug, ...], pydantic.Field(max_length=20)] = ()
    map_kind: Literal["none", "zones", "ring"] = "none"
    attack_rule: Literal["free", "neighbours"] = "free"
    absent_rule: Literal["forfeit", "draw", "orders"] = "forfeit"
    confirms_by_deadline: bool = True
    friendlies: Annotated[int, pydantic.Field(ge=0, le=5)] = 0
    handicaps: bool = False
    counts_odds: bool | None = None
    seals_forces: bool = True
    seats: Annotated[int, pydantic.Field(ge=1, le=1000)] = 40
    fills_seats: bool = False
    release: Annotated[str, pydantic.Field(max_length=20, pattern=_LINE)]
    mustering_at: Moment | None = None
    running_at: Moment | None = None
    finished_at: Moment | None = None
    companies: Annotated[tuple[ClubCompany, ...], pydantic.Field(max_length=1000)] = ()
    territories: Annotated[tuple[ClubTerritory, ...], pydantic.Field(max_length=100)] = ()
    rounds: Annotated[tuple[ClubRound, ...], pydantic.Field(max_length=200)] = ()
    cup: ClubCup | None = None
    arc: ClubArc | None = None
    phases: Annotated[tuple[ClubPhase, ...], pydantic.Field(max_length=30)] = ()


class ClubDocument(Document):
    muster: Literal["club/1"]
    name: NewName
    about: Text = ""
    place: Place = ""
    is_public: bool = True
    takes_requests: bool = True
    members: Annotated[tuple[ClubMember, ...], pydantic.Field(min_length=1, max_length=300)]
    campaigns: Annotated[tuple[ClubCampaign, ...], pydantic.Field(max_length=100)] = ()


def read_club(data: bytes | str | dict[str, object]) -> ClubDocument:
    """Parse the document and check that it is consistent. Raise DocumentError."""
    document = parse_document(ClubDocument, data, most=MAX_BYTES, is_new=True)
    _check_unique("members", "player", [member.player.casefold() for member in document.members])
    for at, member in enumerate(document.members):
        if member.guest is not None and member.role != "player":
            raise DocumentError(f"members[{at}].role", "a guest is a player")
    if not any(member.role == "organiser" for member in document.members):
        raise DocumentError("members", "a club needs an organiser")
    _check_unique("campaigns", "name", [campaign.name for campaign in document.campaigns])
    for at, campaign in enumerate(document.campaigns):
        _check_campaign(f"campaigns[{at}]", campaign)
    return document


class StandingOrders(Document):
    """How the AI plays a company when its player is absent."""

    doctrine: Annotated[str, pydantic.Field(max_length=40)] | None = None
    standing: dict[Annotated[str, pydantic.Field(max_length=40)], Standing] = {}


def read_orders(system: str, value: object, path: str = "") -> StandingOrders:
    """Return a company's autoplay orders after checking them by the rules of its game. Raise DocumentError."""
    rules = battle_rules(system)
    with within(path):
        orders = read_value(_ORDERS, value)
        if orders.doctrine is not None:
            refuse_unknown("doctrine", "doctrine", orders.doctrine, rules.doctrines)
        for whom, given in orders.standing.items():
            if whom != WHOLE_SIDE and not (whom.isascii() and whom.isdecimal()):
                raise DocumentError("standing", f"“{whom[:20]}” is none of the units that can be ordered")
            beside = None if whom == WHOLE_SIDE else orders.standing.get(WHOLE_SIDE, {})
            check_given(rules.standing_orders, rules.standing_orders, given, path=f"standing.{whom}", beside=beside)
    return orders


def read_scenario(system: str, value: object, path: str = "") -> object:
    """Check a scenario: the slug of a published one, or the name and spec of a player's own. Raise DocumentError."""
    if isinstance(value, str):
        refuse_unknown(path, "scenario", value, battle_rules(system).scenarios)
        return value
    with within(path):
        own = read_value(_OWN_SCENARIO, value)
        return roster_rules(system).parse_scenario(own.spec, "spec")


_ORDERS, _OWN_SCENARIO = pydantic.TypeAdapter(StandingOrders), pydantic.TypeAdapter(SetupScenario)


# --- parts ------------------------------------------------------------------------------------------------------------


def _check_campaign(path: str, campaign: ClubCampaign) -> None:
    try:
        system = roster_rules(campaign.system)
    except UnknownSystemError as error:
        raise DocumentError(f"{path}.system", str(error)) from None
    try:
        system.of(campaign.release)
    except UnknownReleaseError as error:
        raise DocumentError(f"{path}.release", str(error)) from None
    system.parse_options(campaign.options, f"{path}.options")
    for at, slug in enumerate(campaign.tie_breakers):
        refuse_unknown(f"{path}.tie_breakers[{at}]", "tie-breaker", slug, TIE_BREAKERS)
    for at, scenario in enumerate(campaign.scenarios):
        read_scenario(campaign.system, scenario.value, f"{path}.scenarios[{at}].value")
    for at, company in enumerate(campaign.companies):
        read_orders(campaign.system, company.orders, f"{path}.companies[{at}].orders")
    for at, each in enumerate(campaign.rounds):
        for number, played in enumerate(each.matches):
            read_scenario(campaign.system, played.scenario, f"{path}.rounds[{at}].matches[{number}].scenario")
    _check_unique(f"{path}.companies", "key", [company.key for company in campaign.companies])
    _check_unique(f"{path}.companies", "name", [(company.owner, company.name) for company in campaign.companies])
    _check_unique(f"{path}.territories", "position", [territory.position for territory in campaign.territories])
    _check_unique(f"{path}.rounds", "number", [round_.number for round_ in campaign.rounds])
    _check_unique(f"{path}.phases", "first_round", [phase.first_round for phase in campaign.phases])
    _check_unique(f"{path}.phases", "name", [phase.name for phase in campaign.phases])
    for state, moment in (
        ("mustering", campaign.mustering_at),
        ("running", campaign.running_at),
        ("finished", campaign.finished_at),
    ):
        reached = STATES.index(campaign.state) >= STATES.index(state)
        if reached != (moment is not None):
            raise DocumentError(f"{path}.{state}_at", f"does not fit the state {campaign.state}")
    if campaign.rounds and campaign.state == "draft":
        raise DocumentError(f"{path}.rounds", "a draft has none")
    if campaign.companies and campaign.state == "draft":
        raise DocumentError(f"{path}.companies", "a draft has none")
    keys = {company.key for company in campaign.companies}
    for at, territory in enumerate(campaign.territories):
        _check_company_key(f"{path}.territories[{at}].home", territory.home, keys)
    positions = {territory.position for territory in campaign.territories}
    for at, territory in enumerate(campaign.territories):
        if not set(territory.neighbours) <= positions - {territory.position}:
            raise DocumentError(f"{path}.territories[{at}].neighbours", "are other territories of this map")
    _check_cup(path, campaign, keys)
    _check_arc(path, campaign, keys)
    for at, round_ in enumerate(campaign.rounds):
        place = f"{path}.rounds[{at}]"
        _check_unique(f"{place}.matches", "number", [match.number for match in round_.matches])
        if (round_.state == "closed") != (round_.closed_at is not None):
            raise DocumentError(f"{place}.closed_at", f"does not fit the state {round_.state}")
        if round_.friendlies and round_.state == "planned":
            raise DocumentError(f"{place}.friendlies", "a planned round has none")
        for number, friendly in enumerate(round_.friendlies):
            _check_company_key(f"{place}.friendlies[{number}].company", friendly.company, keys)
        for number, match in enumerate(round_.matches):
            _check_match(f"{place}.matches[{number}]", match, round_, keys, positions)


def _check_cup(path: str, campaign: ClubCampaign, keys: set[str]) -> None:
    ties = [(at, number, match) for at, each in enumerate(campaign.rounds) for number, match in enumerate(each.matches)]
    seen: set[int] = set()
    for at, number, match in ties:
        place = f"{path}.rounds[{at}].matches[{number}].tie"
        if match.tie is None:
            continue
        if campaign.cup is None:
            raise DocumentError(place, "this campaign has no cup")
        if match.tie in seen:
            raise DocumentError(place, "is there twice")
        seen.add(match.tie)
    if campaign.cup is None:
        return
    _check_unique(f"{path}.cup.places", "company", [place.company for place in campaign.cup.places])
    for at, drawn in enumerate(campaign.cup.places):
        _check_company_key(f"{path}.cup.places[{at}].company", drawn.company, keys)
        if (drawn.group > 0) != (campaign.cup.groups > 0) or drawn.group > campaign.cup.groups:
            raise DocumentError(f"{path}.cup.places[{at}].group", "is no group of this cup")
    _check_groups(f"{path}.cup.advance", campaign.cup)


def _check_groups(path: str, cup: ClubCup) -> None:
    """Raise DocumentError if more companies advance from a group than were drawn into it."""
    if not cup.places or not cup.groups:
        return
    sizes = Counter(place.group for place in cup.places)
    least = min(sizes[group] for group in range(1, cup.groups + 1))
    if least < cup.advance:
        raise DocumentError(path, f"a group of this cup has {least}; no more can go on")


def _check_arc(path: str, campaign: ClubCampaign, keys: set[str]) -> None:
    known, arc = season_rules(campaign.system).arc, campaign.arc
    if campaign.pairing == "arc" and known is None:
        raise DocumentError(f"{path}.pairing", "its game knows no war over its scenarios")
    steps = [
        (f"{path}.rounds[{at}].step", each.step) for at, each in enumerate(campaign.rounds) if each.step is not None
    ]
    for at, (place, step) in enumerate(steps):
        if arc is None or campaign.pairing != "arc" or known is None:
            raise DocumentError(place, "this campaign is no war")
        if step > len(known.steps):
            raise DocumentError(place, f"the war has {len(known.steps)} scenarios")
        if step != at + 1:
            raise DocumentError(place, "the scenarios of a war are played one after the other")
    if arc is None:
        return
    if campaign.pairing != "arc":
        raise DocumentError(f"{path}.arc", "this campaign is no war")
    for side, members in (("attackers", arc.attackers), ("defenders", arc.defenders)):
        for at, key in enumerate(members):
            _check_company_key(f"{path}.arc.{side}[{at}]", key, keys)
    cast = [*arc.attackers, *arc.defenders]
    if len(set(cast)) != len(cast):
        raise DocumentError(f"{path}.arc.defenders", "a company has one role in a war")
    for side, members in (("attackers", arc.attackers), ("defenders", arc.defenders)):
        if not members and (cast or steps):
            raise DocumentError(f"{path}.arc.{side}", "a war has two sides, and this one is missing")


def _check_match(path: str, match: ClubMatch, round_: ClubRound, keys: set[str], positions: set[int]) -> None:
    _check_company_key(f"{path}.attacker", match.attacker, keys)
    _check_company_key(f"{path}.defender", match.defender, keys)
    if match.attacker == match.defender:
        raise DocumentError(f"{path}.defender", "fights against itself")
    if match.defender is None and match.state not in (BYE, VOID):
        raise DocumentError(f"{path}.defender", "is missing: only a bye has none, and one that was undone")
    if match.state == BYE and match.defender is not None:
        raise DocumentError(f"{path}.defender", "a bye has none")
    if match.territory is not None and match.territory not in positions:
        raise DocumentError(f"{path}.territory", f"there is no territory {match.territory}")
    if match.state == SCHEDULED:
        if match.outcome or match.decided_by or match.decided_at:
            raise DocumentError(f"{path}.state", "a scheduled match has no outcome yet")
        if round_.state == "closed":
            raise DocumentError(f"{path}.state", "a closed round has no scheduled match")
    elif match.state != BYE and match.decided_at is None:
        raise DocumentError(f"{path}.decided_at", "a decided match says when")
    if match.odds is not None:
        counted = match.odds.attacker_wins + match.odds.defender_wins
        margins = match.odds.margins.values()
        if (
            counted > match.odds.runs
            or any(number < 0 for number in margins)
            or sum(margins) not in (0, match.odds.runs)
        ):
            raise DocumentError(f"{path}.odds", "does not add up")
    if match.state in MatchState.fought() and match.outcome not in Outcome.results():
        raise DocumentError(f"{path}.outcome", f"a {match.state} match was won or drawn")


def _check_unique(path: str, field: str, values: Iterable[object]) -> None:
    seen: set[object] = set()
    for at, value in enumerate(values):
        if value in seen:
            raise DocumentError(f"{path}[{at}].{field}", "is there twice")
        seen.add(value)


def _check_company_key(path: str, key: str | None, known: set[str]) -> None:
    if key is not None and key not in known:
        raise DocumentError(path, f"there is no company {key} in this campaign")
