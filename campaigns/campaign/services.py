"""Create, change and delete campaigns with their territories, and move them to their next state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import TextChoices
from django.utils import timezone

from campaigns.activity_log import log_activity, log_campaign_activity
from campaigns.arbiters import organiser_own_case, players_in
from campaigns.campaign.selectors import ENROLMENTS, ORDER
from campaigns.catalogue_upgrades.services import adoption_drop
from campaigns.enrolments.selectors import enrolment_checks
from campaigns.enrolments.services import seats_fill
from campaigns.locks import campaign_lock
from campaigns.models import (
    AttackRule,
    Campaign,
    CampaignPairingMethod,
    CampaignState,
    Club,
    EnrolmentState,
    MatchState,
    RoundState,
    Territory,
    TerritoryMap,
)
from campaigns.notifications import notify
from campaigns.planning.services import refuse_finish
from campaigns.scoring import CAMPAIGN_SCORING
from campaigns.standings.selectors import standings
from campaigns.standings.table import parse_tie_breakers, tie_breakers_of
from campaigns.storylines.services import check_scenarios
from campaigns.territories.income import Yield
from campaigns.territories.services import borders_set, yields_check, yields_set
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_lines, clean_text, release_of, system_of
from systems import battle_rules, season_rules
from systems.documents import DocumentError
from systems.legality import join_words
from systems.roster import AnyRoster
from systems.text import pluralize

STAMPS = {
    CampaignState.MUSTERING: "mustering_at",
    CampaignState.RUNNING: "running_at",
    CampaignState.FINISHED: "finished_at",
}
MOVED = {
    CampaignState.MUSTERING: "Opened {} for sign-up",
    CampaignState.RUNNING: "Started {}",
    CampaignState.FINISHED: "Finished {}",
}  # for the activity log
MIN_POINTS, MAX_POINTS = 5, 2_000  # or the most a company of the game may be founded with, if that is more
MIN_PACE, MAX_PACE = 1, 90
MIN_SEATS, MAX_SEATS = 2, 100
MAX_FRIENDLIES = 5
MAX_ABOUT_LENGTH = 2000
MAX_SCENARIOS = 12
MIN_RING, MAX_RING = 3, 40
FIXED_FROM_MUSTERING = (
    "points",
    "scenarios",
    "options",
    "map_kind",
    "attack_rule",
    "friendlies",
)  # fixed when mustering begins
SCORING_BETWEEN_ROUNDS = tuple(name for name, setting in CAMPAIGN_SCORING.items() if setting.changes_between_rounds)
FIXED_FROM_RUNNING = (  # fixed when the campaign runs
    "pairing",
    "tie_breakers",
    "seals_forces",
    *(name for name in CAMPAIGN_SCORING if name not in SCORING_BETWEEN_ROUNDS),
)
ALWAYS = (
    "name", "about", "is_public", "pace_days", *SCORING_BETWEEN_ROUNDS, "confirms_by_deadline", "handicaps", "counts_odds", "seats",
    "fills_seats",
)  # fmt: skip
# those of ALWAYS that can't change while a round is open
FIXED_WHILE_ROUND_OPEN = (*SCORING_BETWEEN_ROUNDS, "confirms_by_deadline", "counts_odds")
YIELD_FIELDS = ("income", "bonus_points", "bonus_rolls")  # the fields of a territory's yield
ZONE_NAMES = tuple(f"Zone {number}" for number in range(1, 10))

Scenario = Mapping[str, object]  # {"value": slug or spec, "name": ...}


@transaction.atomic
def campaign_create(*, club: Club, by: Player, system: str, name: str, points: int, **settings: object) -> Campaign:
    """Create a campaign of the club, in draft: only its organisers see it."""
    rules = system_of(system)
    ties = list(season_rules(system).tie_breakers)
    given = _clean_settings(system, {"name": name, "points": points, "tie_breakers": ties, **settings})
    _require_free_name(club, str(given["name"]))
    _refuse_retired(rules, given.get("options", {}))
    campaign = Campaign.objects.create(club=club, system=system, catalogue_release=rules.newest, **given)
    log_activity(club=club, campaign=campaign, text=f"Created the campaign {campaign.name}", by=by)
    return campaign


@transaction.atomic
def campaign_change(*, campaign: Campaign, by: Player, **settings: object) -> Campaign:
    """Change settings; raise RefusedError for those that players have relied on since mustering began."""
    locked = campaign_lock(campaign)
    if locked.state == CampaignState.FINISHED:
        raise RefusedError("campaign", f"{locked.name} is finished, so it can't be changed.")
    given = _clean_settings(
        locked.system, {field: value for field, value in settings.items() if not _is_unchanged(locked, field, value)}
    )
    changed = {field: value for field, value in given.items() if getattr(locked, field) != value}
    late = [field for field in changed if field not in campaign_changeable(locked)]
    if late:
        raise RefusedError(late[0], f"This can't be changed because {locked.name} is {locked.get_state_display()}.")
    if set(FIXED_WHILE_ROUND_OPEN) & set(changed) and locked.rounds.filter(state=RoundState.OPEN).exists():
        field = next(field for field in FIXED_WHILE_ROUND_OPEN if field in changed)
        raise RefusedError(field, "The open round uses this rule. Change it once that round is closed.")
    own_case = ""
    if (
        int(str(changed.get("pace_days", locked.pace_days))) < locked.pace_days
        and locked.state == CampaignState.RUNNING
    ):
        what = f"You play in {locked.name}"
        own_case = organiser_own_case(locked.club, by, players_in(locked), field="pace_days", what=what)
    if "name" in changed:
        _require_free_name(locked.club, str(changed["name"]))
    if "options" in changed:
        _refuse_retired(release_of(system_of(locked.system), locked.catalogue_release), changed["options"])
    if "map_kind" in changed:
        locked.territories.update(neighbours=[])  # another shape has other borders
    was_full = "seats" in changed and _check_seats(locked, int(str(changed["seats"])))
    for field, value in changed.items():
        setattr(locked, field, value)
    if changed:
        locked.save(update_fields=list(changed))
        what = ", ".join(sorted(field.replace("_", " ") for field in changed))
        log_campaign_activity(locked, f"Changed {what} of {locked.name}{own_case}", by)
    if was_full:
        seats_fill(campaign=locked, by=by)
    return locked


def _check_seats(campaign: Campaign, seats: int) -> bool:
    """Return whether the campaign was full; raise RefusedError if more companies are in it than there would "
    "be places."""
    accepted = campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).count()
    if accepted > seats:
        raise RefusedError(
            "seats",
            f"{pluralize(accepted, 'companies')} {'is' if accepted == 1 else 'are'} already accepted. Set at least that many places.",
        )
    return accepted >= campaign.seats


@transaction.atomic
def campaign_move(*, campaign: Campaign, to: str, by: Player) -> Campaign:
    """Move the campaign to its next state; raise RefusedError if it already moved or isn't ready."""
    locked = campaign_lock(campaign)
    if to not in ORDER or to == CampaignState.DRAFT:
        raise RefusedError("state", "There is no such state.")
    at, wanted = ORDER.index(CampaignState(locked.state)), ORDER.index(CampaignState(to))
    if wanted <= at:
        raise RefusedError("state", f"{locked.name} is already {locked.get_state_display()}, and you can't go back.")
    if wanted > at + 1:
        raise RefusedError("state", f"{locked.name} must be {ORDER[at + 1].label} first.")
    READY_FOR[CampaignState(to)](locked)
    if to == CampaignState.MUSTERING:
        _create_zones(locked)
    locked.state = CampaignState(to)
    setattr(locked, STAMPS[CampaignState(to)], timezone.now())
    locked.save(update_fields=["state", STAMPS[CampaignState(to)]])
    log_campaign_activity(locked, MOVED[CampaignState(to)].format(locked.name), by)
    is_over = locked.state == CampaignState.FINISHED
    if is_over:
        adoption_drop(locked, by)
    notify.campaign_moved(locked, by, [each.row.name for each in standings(locked)[:3]] if is_over else ())
    return locked


def campaign_obstacle(campaign: Campaign, to: CampaignState) -> str:
    """Return what keeps the campaign from its next state as things stand; empty if nothing does."""
    try:
        READY_FOR[to](campaign)
    except RefusedError as error:
        return error.reason
    return ""


@transaction.atomic
def campaign_delete(*, campaign: Campaign, by: Player) -> None:
    """Delete a draft that nobody has seen."""
    locked = campaign_lock(campaign)
    if locked.state != CampaignState.DRAFT:
        raise RefusedError("campaign", "Only a draft can be deleted.")
    log_activity(club=locked.club, text=f"Deleted the draft {locked.name}", by=by)
    locked.territories.all().delete()
    locked.delete()


@transaction.atomic
def territories_set(*, campaign: Campaign, by: Player, names: Sequence[str]) -> list[Territory]:
    """Set the territories of the campaign map, in order; refused once it runs. The nine zones keep their numbers."""
    locked = campaign_lock(campaign)
    if locked.state not in (CampaignState.DRAFT, CampaignState.MUSTERING):
        raise RefusedError("territories", "The map can't be changed once the campaign is running.")
    if locked.map_kind == TerritoryMap.NONE:
        raise RefusedError("territories", "This campaign has no map.")
    clean = [clean_text("territories", name, longest=40) for name in names]
    if locked.map_kind == TerritoryMap.ZONES and len(clean) != len(ZONE_NAMES):
        raise RefusedError("territories", "The zone map has nine territories.")
    if not MIN_RING <= len(clean) <= MAX_RING:
        raise RefusedError("territories", f"A ring needs {MIN_RING} to {MAX_RING} territories.")
    if len({name.casefold() for name in clean}) != len(clean):
        raise RefusedError("territories", "Two territories have the same name. Rename one.")
    rows = list(locked.territories.order_by("position"))
    kept = _borders_kept([(row.name, row.neighbours) for row in rows], clean)
    brought = {row.name.casefold(): {field: getattr(row, field) for field in YIELD_FIELDS} for row in rows}
    locked.territories.all().delete()
    return [
        Territory.objects.create(
            campaign=locked, position=position, name=name, neighbours=borders, **brought.get(name.casefold(), {})
        )
        for position, (name, borders) in enumerate(zip(clean, kept, strict=True), start=1)
    ]


def _borders_kept(before: Sequence[tuple[str, list[int]]], names: Sequence[str]) -> list[list[int]]:
    """Return the borders after renaming the territories: they stay unless a name has moved to another place."""
    old = [name.casefold() for name, _ in before]
    stays = len(old) == len(names) and all(
        name.casefold() not in old or old.index(name.casefold()) == place for place, name in enumerate(names)
    )
    return [list(borders) for _, borders in before] if stays else [[] for _ in names]


def campaign_changeable(campaign: Campaign) -> tuple[str, ...]:
    """Return the settings that can still be changed."""
    if campaign.state == CampaignState.FINISHED:
        return ()
    if campaign.state == CampaignState.DRAFT:
        return (*FIXED_FROM_MUSTERING, *FIXED_FROM_RUNNING, *ALWAYS)
    return (*FIXED_FROM_RUNNING, *ALWAYS) if campaign.state == CampaignState.MUSTERING else ALWAYS


def _check_ready_to_muster(campaign: Campaign) -> None:
    if not campaign.scenarios:
        raise RefusedError("scenarios", "Choose at least one scenario before you open sign-ups.")
    if campaign.map_kind == TerritoryMap.RING and not campaign.territories.exists():
        raise RefusedError("territories", "Name the ring's territories first.")
    if campaign.pairing == CampaignPairingMethod.STORYLINE:
        check_scenarios(campaign)
    yields_check(campaign)


def _refuse_retired(rules: AnyRoster, options: object) -> None:
    """Raise RefusedError for house rules that the campaign's catalogue version doesn't offer any more."""
    given = options if isinstance(options, Mapping) else {}
    for slug in sorted(rules.retired_rules & set(given)):
        if given[slug] != rules.house_rules[slug].default:
            raise RefusedError("options", f"{rules.describe_retired(slug)}.")


def _create_zones(campaign: Campaign) -> None:
    if campaign.map_kind == TerritoryMap.ZONES and not campaign.territories.exists():
        Territory.objects.bulk_create(
            Territory(campaign=campaign, position=at, name=name) for at, name in enumerate(ZONE_NAMES, start=1)
        )


def _ready_to_run(campaign: Campaign) -> None:
    enrolled = [each for each in ENROLMENTS.rows(campaign=campaign.pk) if each.state == EnrolmentState.ACCEPTED]
    if len(enrolled) < 2:
        raise RefusedError("companies", f"{campaign.name} needs at least two accepted companies.")
    checks = enrolment_checks([each.stand for each in enrolled], campaign)
    unfit = [
        each.name
        for each in enrolled
        if checks[each.company].problems and checks[each.company].hash != each.exception_hash
    ]
    if unfit:
        raise RefusedError(
            "companies",
            f"Not battle-ready: {', '.join(unfit)}. Ask their players to fix it, grant an exception, or decline them.",
        )


def _ready_to_finish(campaign: Campaign) -> None:
    refuse_finish(campaign)
    waiting = [
        (round_, sum(match.state in MatchState.undecided() for match in round_.matches.all()))
        for round_ in campaign.rounds.prefetch_related("matches")
    ]
    if undecided := [f"{round_} has {_undecided(number)}" for round_, number in waiting if number]:
        it = "it" if sum(number for _, number in waiting) == 1 else "them"
        raise RefusedError("rounds", f"{join_words(undecided)}. Decide or void {it} first.")


def _undecided(number: int) -> str:
    return "one undecided match" if number == 1 else f"{number} undecided matches"


READY_FOR: dict[CampaignState, Callable[[Campaign], None]] = {
    CampaignState.MUSTERING: _check_ready_to_muster,
    CampaignState.RUNNING: _ready_to_run,
    CampaignState.FINISHED: _ready_to_finish,
}


def _require_free_name(club: Club, name: str) -> None:
    if club.campaigns.filter(name=name).exists():
        raise RefusedError("name", f"{club.name} already has a campaign of that name. Choose another name.")


def _is_unchanged(campaign: Campaign, field: str, value: object) -> bool:
    """Return whether a text is unchanged. An old text stays even if it breaks today's rules for texts."""
    return field in ("name", "about") and str(value).replace("\r\n", "\n").strip() == getattr(campaign, field)


def _clean_settings(system: str, given: Mapping[str, object]) -> dict[str, object]:
    """Return the settings, cleaned; raise RefusedError with the field's name."""
    clean: dict[str, object] = {}
    for field, value in given.items():
        if field in BOOLEAN_FIELDS:
            clean[field] = bool(value)
        elif field in CAMPAIGN_SCORING:
            clean[field] = CAMPAIGN_SCORING[field].clean(value)
        elif field in BOUNDS:
            clean[field] = _number(system, field, value)
        elif field in CHOICES:
            if value not in CHOICES[field].values:
                raise RefusedError(field, "This isn't one of the choices.")
            if value == CampaignPairingMethod.STORYLINE and season_rules(system).storyline is None:
                raise RefusedError(field, f"{system_of(system).name} has no campaign story.")
            clean[field] = str(value)
        else:
            clean[field] = _READERS[field](system, value)
    return clean


BOOLEAN_FIELDS = ("is_public", "confirms_by_deadline", "seals_forces", "handicaps", "counts_odds", "fills_seats")
BOUNDS = {
    "points": (MIN_POINTS, MAX_POINTS),  # see `max_points_for`
    "pace_days": (MIN_PACE, MAX_PACE),
    "seats": (MIN_SEATS, MAX_SEATS),
    "friendlies": (0, MAX_FRIENDLIES),
}
CHOICES: dict[str, type[TextChoices]] = {
    "pairing": CampaignPairingMethod,
    "map_kind": TerritoryMap,
    "attack_rule": AttackRule,
}


def max_points_for(system: str) -> int:
    """Return the most points a campaign may allow its companies."""
    return max(MAX_POINTS, system_of(system).founding_most)


def _number(system: str, field: str, value: object) -> int:
    least, most = (MIN_POINTS, max_points_for(system)) if field == "points" else BOUNDS[field]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RefusedError(field, f"must be a whole number from {least} to {most}.")
    return value


def _options(system: str, value: object) -> dict[str, object]:
    try:
        return dict(system_of(system).parse_options(value))
    except DocumentError as error:
        raise RefusedError("options", error.reason) from None


def _scenarios(system: str, value: Sequence[Scenario]) -> list[dict[str, object]]:
    if len(value) > MAX_SCENARIOS:
        raise RefusedError("scenarios", f"A campaign can have at most {MAX_SCENARIOS} scenarios.")
    return [
        {"value": _scenario(system, each["value"]), "name": clean_text("scenarios", each["name"], longest=60)}
        for each in value
    ]


def _scenario(system: str, given: object) -> str | dict[str, object]:
    """Return a published scenario's slug, or name and spec of a player's own scenario that can be played."""
    if isinstance(given, str):
        if given not in battle_rules(system).scenarios:
            raise RefusedError("scenarios", "There is no such scenario.")
        return given
    rules = system_of(system)
    if not isinstance(given, Mapping) or set(given) != {"name", "spec"}:
        raise RefusedError("scenarios", "Give a scenario by its slug, or by name and spec.")
    name = clean_text("scenarios", given["name"], longest=60)
    try:
        spec = rules.parse_scenario(given["spec"])
    except DocumentError as error:
        raise RefusedError("scenarios", f"{name} can't be read: {error}") from None
    problems = rules.check_scenario(spec).problems
    if problems:
        raise RefusedError("scenarios", f"{name} can't be played: {problems[0].message}")
    return {"name": name, "spec": rules.scenario_json(spec)}


def _tie_breakers(system: str, value: Sequence[str]) -> list[str]:
    return parse_tie_breakers(value, tie_breakers_of(system))


_READERS: dict[str, Callable[[str, Any], object]] = {
    "name": lambda system, value: clean_text("name", value, longest=60),
    "about": lambda system, value: clean_lines("about", value, longest=MAX_ABOUT_LENGTH),
    "options": _options,
    "scenarios": _scenarios,
    "tie_breakers": _tie_breakers,
}


Yields = Sequence[str] | Mapping[str, Yield]  # lines as in the form, or by name
Borders = Sequence[str] | Mapping[str, Sequence[str]]  # lines as in the form, or neighbours by name
MAP_EDITABLE_STATES = (CampaignState.DRAFT, CampaignState.MUSTERING)  # while its map can be changed


@transaction.atomic
def campaign_create_with_map(
    *,
    club: Club,
    by: Player,
    system: str,
    name: str,
    points: int | None = None,
    territories: Sequence[str] = (),
    borders: Borders | None = None,
    yields: Yields | None = None,
    **settings: object,
) -> Campaign:
    """Create a campaign in draft, with its map's territories, their borders and yields.

    Borders and yields are read as in `borders_set` and `yields_set`. Without `points`, it gets the points with which
    its game founds companies. House rules that its game sets for every new campaign are set unless given.
    """
    worth = system_of(system).founding_points if points is None else points
    given = settings.pop("options", {})
    options = {**season_rules(system).new_options, **given} if isinstance(given, Mapping) else given
    made = campaign_create(club=club, by=by, system=system, name=name, points=worth, options=options, **settings)
    if territories:
        territories_set(campaign=made, by=by, names=territories)
    _borders(made, by, borders)
    _yields(made, by, yields)
    return made


@transaction.atomic
def campaign_change_with_map(
    *,
    campaign: Campaign,
    by: Player,
    territories: Sequence[str] = (),
    borders: Borders | None = None,
    yields: Yields | None = None,
    **settings: object,
) -> Campaign:
    """Change settings, and also territories, borders and yields if they are given and differ."""
    changed = campaign_change(campaign=campaign, by=by, **settings)
    if territories and list(territories) != list(changed.territories.values_list("name", flat=True)):
        territories_set(campaign=changed, by=by, names=territories)
    _borders(changed, by, borders)
    _yields(changed, by, yields)
    return changed


def _borders(campaign: Campaign, by: Player, given: Borders | None) -> None:
    """Set the borders. Ignore a form's borders if there is no map or it is fixed."""
    if isinstance(given, Mapping):
        if campaign.map_kind == TerritoryMap.NONE:
            raise RefusedError("borders", f"{campaign.name} has no map.")
        borders_set(campaign=campaign, by=by, beside=given)
    elif given is not None and campaign.map_kind != TerritoryMap.NONE and campaign.state in MAP_EDITABLE_STATES:
        borders_set(campaign=campaign, by=by, lines=given)


def _yields(campaign: Campaign, by: Player, given: Yields | None) -> None:
    """Set the territories' yields. Ignore a form's yields if there is no map or it is fixed."""
    if isinstance(given, Mapping):
        if campaign.map_kind == TerritoryMap.NONE:
            raise RefusedError("yields", f"{campaign.name} has no map.")
        yields_set(campaign=campaign, by=by, brings=given)
    elif given is not None and campaign.map_kind != TerritoryMap.NONE and campaign.state in MAP_EDITABLE_STATES:
        yields_set(campaign=campaign, by=by, lines=given)
