"""Create a campaign from a template or an old campaign, and start it with its companies."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path

import pydantic
from django.contrib.humanize.templatetags.humanize import apnumber
from django.db import transaction

from campaigns.campaign.selectors import enrolment_rows
from campaigns.campaign.services import YIELD_FIELDS, campaign_create, campaign_move, territories_set
from campaigns.cups.services import cup_set
from campaigns.enrolments.services import enrolment_accept
from campaigns.locks import campaign_lock
from campaigns.models import (
    AbsentRule,
    Campaign,
    CampaignPairingMethod,
    CampaignState,
    Club,
    Cup,
    Enrolment,
    EnrolmentState,
    Phase,
    Round,
    Storyline,
    Territory,
    TerritoryMap,
)
from campaigns.planning.services import round_plan
from campaigns.scoring import CAMPAIGN_SCORING
from campaigns.storylines.services import storyline_set
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import company_lock
from systems import battle_rules, roster_rules, season_rules
from systems.text import pluralize

FORBID_UNKNOWN = pydantic.ConfigDict(extra="forbid")  # a misspelt setting of a template is an error


@dataclass(frozen=True, slots=True, kw_only=True)
class CupSettings:
    """The cup settings of a template."""

    __pydantic_config__ = FORBID_UNKNOWN

    groups: int = 0
    advance: int = 2
    has_third_place: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A template for a campaign; settings it leaves out are those of every new campaign."""

    __pydantic_config__ = FORBID_UNKNOWN

    slug: str
    name: str  # may contain {scenarios}, their number
    about: str
    place: int  # among the templates
    seats: int
    pairing: CampaignPairingMethod
    pace_days: int
    scenarios_most: int
    scenarios_least: int = 1  # games with fewer don't offer it
    plain_scenario: bool = True  # the game's plainest scenario is played, if there are others
    map_kind: TerritoryMap = TerritoryMap.NONE
    territories: tuple[str, ...] = ()
    absent_rule: AbsentRule = AbsentRule.FORFEIT
    cup: CupSettings | None = None
    is_storyline: bool = False  # the campaign story of the game, with its scenarios, name and house rules
    scenarios: tuple[tuple[str, str], ...] = ()  # slug and name, of the game
    options: Mapping[str, object] = field(default_factory=dict)  # house rules


@cache
def templates_for(system: str) -> tuple[Template, ...]:
    """Return the templates that the rule system has enough scenarios for, with the scenarios it plays in them."""
    known, plain = battle_rules(system).scenarios, battle_rules(system).plain_scenario
    found = []
    for template in _templates():
        if template.is_storyline:
            found += _storyline_templates(template, system)
            continue
        others = [slug for slug in known if slug != plain]
        slugs = [plain, *others] if template.plain_scenario or len(others) < template.scenarios_least else others
        if len(slugs) < template.scenarios_least:
            continue
        chosen = tuple((slug, known[slug]) for slug in slugs[: template.scenarios_most])
        name = template.name.format(scenarios=apnumber(len(chosen)))
        found.append(replace(template, name=name, scenarios=chosen))
    return tuple(found)


def _storyline_templates(template: Template, system: str) -> list[Template]:
    """Return the template as the game's campaign story; none if it has none."""
    storyline, known = season_rules(system).storyline, battle_rules(system).scenarios
    if storyline is None:
        return []
    chosen = tuple((slug, known[slug]) for slug in storyline.scenarios)
    return [replace(template, name=storyline.name, about=storyline.about, scenarios=chosen, options=storyline.options)]


@cache
def _templates() -> tuple[Template, ...]:
    read = pydantic.TypeAdapter(Template).validate_python
    paths = sorted(Path(__file__).parent.glob("*.toml"))
    found = [read({"slug": path.stem.replace("_", "-"), **tomllib.loads(path.read_text("utf-8"))}) for path in paths]
    return tuple(sorted(found, key=lambda each: each.place))


COPIES_SHOWN = 6
COPY_PREFIX = "copy-"  # before the ID of a campaign


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignTemplate:
    """A template or campaign that a new campaign can copy; `value` names it in forms."""

    value: str
    name: str
    about: str
    facts: str
    is_copy: bool


def campaign_templates(club: Club, system: str) -> tuple[CampaignTemplate, ...]:
    """Return the templates, then the club's newest campaigns of that game. One query."""
    points = roster_rules(system).founding_points
    made = [
        CampaignTemplate(
            value=each.slug,
            name=each.name,
            about=each.about,
            facts=_facts(points, each.seats, each.pace_days, each.pairing, [name for _, name in each.scenarios])
            + _mode(system, each.options),
            is_copy=False,
        )
        for each in templates_for(system)
    ]
    rows = club.campaigns.filter(system=system).order_by("-pk")[:COPIES_SHOWN]
    return (*made, *(_copy(row) for row in rows))


def _copy(row: Campaign) -> CampaignTemplate:
    return CampaignTemplate(
        value=f"{COPY_PREFIX}{row.pk}",
        name=f"Copy of {row.name}",
        about="Same settings, house rules, territories and phases, but no companies or rounds.",
        facts=_facts(row.points, row.seats, row.pace_days, row.pairing, row.scenario_names)
        + _mode(row.system, row.options),
        is_copy=True,
    )


def _mode(system: str, options: Mapping[str, object]) -> str:
    """Return, in words, the options that every campaign of the game states: what carries over from match to match."""
    rules = roster_rules(system).house_rules
    values = {**season_rules(system).explicit_options, **options}
    return "".join(f"; {rules[slug].label_of(values[slug])}" for slug in season_rules(system).explicit_options)


def _facts(points: int, seats: int, pace: int, pairing: str, scenarios: list[str]) -> str:
    played = ", ".join(scenarios) or "no scenarios yet"
    pairs = CampaignPairingMethod(pairing).label
    return f"{seats} places, {points} points each, {pluralize(pace, 'days')} per round, {pairs}; {played}"


COPIED_FIELDS = (
    "about", "is_public", "points", "scenarios", "options", "pace_days", "pairing", "tie_breakers", "map_kind",
    *CAMPAIGN_SCORING, "confirms_by_deadline", "seals_forces", "seats", "fills_seats", "friendlies", "handicaps", "attack_rule",
    "counts_odds",
)  # fmt: skip
CUP_FIELDS = ("groups", "advance", "entrants", "seeding", "has_third_place")
COPIED_OF_PLACES = ("neighbours", *YIELD_FIELDS)
MAX_NAME_LENGTH = 60


@transaction.atomic
def campaign_create_from_template(
    *, club: Club, by: Player, system: str, after: str, name: str = "", begins_mustering: bool = True
) -> Campaign:
    """Create a campaign from a template (its slug) or from one of the club's (`copy-` and its ID).

    Without a name it gets that of the template or campaign, numbered if the club has one of that name. It begins
    mustering at once, unless it is to stay a draft.
    """
    if after.startswith(COPY_PREFIX):
        original, settings, territories = _of_campaign(club, after.removeprefix(COPY_PREFIX))
        wanted, system = original.name, original.system
        cup = Cup.objects.filter(campaign=original).values(*CUP_FIELDS).first() or {}
        phases = list(original.phases.values("first_round", "name", "text"))
    else:
        template = next((each for each in templates_for(system) if each.slug == after), None)
        if template is None:
            raise RefusedError("after", "There is no such template. Choose one from the list.")
        wanted, settings, territories = template.name, _of_template(template, system), list(template.territories)
        cup = asdict(template.cup) if template.cup else {}
        phases = []
    made = campaign_create(
        club=club,
        by=by,
        system=system,
        name=name.strip() or _free_name(club, wanted),
        **settings,  # type: ignore[arg-type]
    )
    if territories and made.map_kind != TerritoryMap.NONE:
        territories_set(campaign=made, by=by, names=territories)
        if after.startswith(COPY_PREFIX):
            _copy_borders(int(after.removeprefix(COPY_PREFIX)), made)
    if cup:
        cup_set(campaign=made, by=by, **cup)
    if after.startswith(COPY_PREFIX) and made.pairing == CampaignPairingMethod.STORYLINE:
        war = Storyline.objects.filter(campaign=int(after.removeprefix(COPY_PREFIX))).first()
        storyline_set(campaign=made, by=by, compensates=war.compensates if war is not None else None)
    Phase.objects.bulk_create(Phase(campaign=made, **phase) for phase in phases)
    return campaign_move(campaign=made, to=CampaignState.MUSTERING, by=by) if begins_mustering else made


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedCompanies:
    """The result of accepting the fit companies among those that asked."""

    accepted: tuple[Enrolment, ...]
    left: tuple[str, ...]  # not fit, or without a place
    later: tuple[str, ...]  # fit, but not among those chosen


@transaction.atomic
def enrolments_accept_fit(*, campaign: Campaign, by: Player, among: Collection[int]) -> AcceptedCompanies:
    """Accept the fit ones of these enrolments, in the order of their requests.

    Companies that asked or became fit after the list was read keep waiting.
    """
    locked = campaign_lock(campaign)
    asking = [each for each in enrolment_rows(locked, by) if each.state == EnrolmentState.ASKED]
    rows = locked.enrolments.select_related("company__owner").in_bulk([each.id for each in asking if each.id in among])
    for row in sorted(rows.values(), key=lambda row: row.company_id):
        company_lock(row.company)
    accepted, left, later = [], [], []
    for each in asking:
        if each.is_fit and each.id not in rows:
            later.append(each.name)
            continue
        try:
            if not each.is_fit:
                raise RefusedError("company", "It isn't battle-ready.")
            accepted.append(enrolment_accept(enrolment=rows[each.id], by=by))
        except RefusedError:
            left.append(each.name)
    return AcceptedCompanies(accepted=tuple(accepted), left=tuple(left), later=tuple(later))


@transaction.atomic
def campaign_start(
    *, campaign: Campaign, by: Player, accepts: Collection[int] = (), plans: bool = False
) -> tuple[AcceptedCompanies, Round | None]:
    """Start a mustered campaign: accept the fit ones of these enrolments, and plan round 1 if asked."""
    taken = enrolments_accept_fit(campaign=campaign, by=by, among=accepts)
    running = campaign_move(campaign=campaign, to=CampaignState.RUNNING, by=by)
    return taken, round_plan(campaign=running, by=by) if plans else None


def _of_template(template: Template, system: str) -> dict[str, object]:
    return {
        "points": roster_rules(system).founding_points,
        "about": template.about,
        "seats": template.seats,
        "pairing": template.pairing,
        "pace_days": template.pace_days,
        "map_kind": template.map_kind,
        "absent_rule": template.absent_rule,
        "options": {**season_rules(system).explicit_options, **template.options},
        "scenarios": [{"value": slug, "name": name} for slug, name in template.scenarios],
    }


def _of_campaign(club: Club, pk: str) -> tuple[Campaign, dict[str, object], list[str]]:
    """Return one of the club's campaigns with its settings and territories."""
    found = club.campaigns.filter(pk=int(pk)).first() if pk.isdecimal() and len(pk) < 19 else None
    if found is None:
        raise RefusedError("after", f"{club.name} has no such campaign to copy.")
    settings: Mapping[str, object] = {field: getattr(found, field) for field in COPIED_FIELDS}
    names = [place.name for place in found.territories.all()]
    return found, dict(settings), names


def _copy_borders(original: int, made: Campaign) -> None:
    """Copy the borders and yields of a campaign to the new campaign's territories, which already exist."""
    known = {row.position: row for row in Territory.objects.filter(campaign=original)}
    for row in made.territories.all():
        for name in COPIED_OF_PLACES if row.position in known else ():
            setattr(row, name, getattr(known[row.position], name))
        row.save(update_fields=COPIED_OF_PLACES)


def _free_name(club: Club, name: str) -> str:
    """Return the name, numbered if the club has a campaign of that name."""
    known = set(club.campaigns.values_list("name", flat=True))
    number, free = 1, name
    while free in known:
        number += 1
        free = f"{name[: MAX_NAME_LENGTH - 4].rstrip()} {number}"
    return free
