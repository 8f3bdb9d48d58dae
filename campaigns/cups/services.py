"""Set up, draw and play cups round by round. A draw is final once a round is planned for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.crypto import salted_hmac

from campaigns import pairing
from campaigns.activity_log import log_campaign_activity
from campaigns.arbiters import organiser_own_case
from campaigns.cups.bracket import (
    CupState,
    assign_groups,
    build_cup_state,
    next_group_pairs,
    next_ties,
    open_group_matches,
)
from campaigns.cups.selectors import cup_draw, cup_matches, tie_places
from campaigns.locks import campaign_lock, require_running
from campaigns.models import (
    Campaign,
    CampaignPairingMethod,
    CampaignState,
    Cup,
    CupEntrant,
    CupTie,
    Enrolment,
    EnrolmentState,
    Round,
    Seeding,
)
from campaigns.pairing import Draw, Entrant
from campaigns.standings.selectors import enrolments_of, standings
from rosters.models import Player
from rosters.services import RefusedError
from systems.legality import join_words

CUP_PAIRINGS = (CampaignPairingMethod.KNOCK_OUT, CampaignPairingMethod.GROUPS)
MIN_GROUPS, MAX_GROUPS, MAX_ADVANCE, MAX_ENTRANTS = 2, 8, 8, 64
DEFAULT_GROUPS = 2
SETTINGS = ("groups", "advance", "entrants", "seeding", "has_third_place")


@transaction.atomic
def cup_set(
    *,
    campaign: Campaign,
    by: Player | None,
    groups: int = 0,
    advance: int = 2,
    entrants: int = 0,
    seeding: str = Seeding.LOT,
    has_third_place: bool = False,
) -> Cup:
    """Save the settings of a campaign's cup.

    If settings other than the match for third place changed, its draw is discarded.
    """
    locked = campaign_lock(campaign)
    cup = Cup.objects.filter(campaign=locked).first() or Cup(campaign=locked)
    _check_not_begun(locked, cup)
    if groups and not MIN_GROUPS <= groups <= MAX_GROUPS:
        raise RefusedError("groups", f"Choose no groups, or {MIN_GROUPS} to {MAX_GROUPS}.")
    if not 1 <= advance <= MAX_ADVANCE:
        raise RefusedError("advance", f"Let 1 to {MAX_ADVANCE} companies of a group advance.")
    if entrants != 0 and not 2 <= entrants <= MAX_ENTRANTS:
        raise RefusedError("entrants", f"Choose 2 to {MAX_ENTRANTS} companies, or 0 for all.")
    if seeding not in Seeding.values:
        raise RefusedError("seeding", "There is no such seeding.")
    wanted = {
        "groups": groups,
        "advance": advance,
        "entrants": entrants,
        "seeding": seeding,
        "has_third_place": bool(has_third_place),
    }
    changed = [field for field, value in wanted.items() if getattr(cup, field) != value]
    if cup.pk is not None and not changed:
        return cup
    for field, value in wanted.items():
        setattr(cup, field, value)
    cup.save()
    if set(changed) - {"has_third_place"}:
        cup.places.all().delete()
    log_campaign_activity(locked, f"Set up the cup of {locked.name}: {describe_cup(cup)}", by)
    return cup


@transaction.atomic
def cup_make_draw(*, campaign: Campaign, by: Player | None) -> Cup:
    """Draw the cup. Drawing by lot gives the same result every time, so nobody can redraw until it suits them."""
    locked = campaign_lock(campaign)
    require_running(locked)
    cup = Cup.objects.filter(campaign=locked).first()
    if cup is None:
        raise RefusedError("cup", f"{locked.name} has no cup. Set one up first.")
    _check_not_begun(locked, cup)
    table = [each.row.entrant for each in standings(locked) if each.is_in]
    entered = table[: cup.entrants] if cup.entrants else table
    _check_size(cup, len(entered))
    if cup.seeding == Seeding.LOT:
        entered.sort(key=lambda pk: salted_hmac("campaigns.cups", f"{locked.pk} {pk}", algorithm="sha256").hexdigest())
    group_of = assign_groups(entered, cup.groups) if cup.groups else {}
    _save_places(cup, [(pk, group_of.get(pk, 0)) for pk in entered])
    log_campaign_activity(
        locked, f"Drew the cup of {locked.name}, {Seeding(cup.seeding).label}: {_describe_seeds(cup)}", by
    )
    return cup


@transaction.atomic
def cup_seat(*, campaign: Campaign, by: Player, seats: Mapping[int, tuple[int, int]]) -> Cup:
    """Set the seed and group of every enrolment in the draw; group 0 if there are none.

    The first seeds may have a bye, so organisers who play in the cup leave this to somebody else: see `seat_own_case`.
    """
    locked = campaign_lock(campaign)
    require_running(locked)
    cup = Cup.objects.filter(campaign=locked).first()
    if cup is None or not cup.places.exists():
        raise RefusedError("cup", "Draw the cup before you change seeds.")
    _check_not_begun(locked, cup)
    if set(seats) != set(cup.places.values_list("enrolment", flat=True)):
        raise RefusedError("cup", "The companies in the cup have changed. Look at them again.")
    if sorted(seed for seed, _ in seats.values()) != list(range(1, len(seats) + 1)):
        raise RefusedError("seed", f"Give each seed from 1 to {len(seats)} exactly once.")
    if cup.groups:
        sizes = [sum(group == number for _, group in seats.values()) for number in range(1, cup.groups + 1)]
        if sum(sizes) != len(seats) or min(sizes) < max(2, cup.advance):
            raise RefusedError("group", f"Each group needs at least {max(2, cup.advance)} companies.")
    elif any(group for _, group in seats.values()):
        raise RefusedError("group", "This cup has no groups.")
    order = sorted(seats, key=lambda pk: seats[pk][0])
    before = list(cup.places.values_list("enrolment", "group"))
    after = [(pk, seats[pk][1]) for pk in order]
    if before != after:
        own_case = seat_own_case(locked, by)
        _save_places(cup, after)
        log_campaign_activity(locked, f"Seeded the cup of {locked.name}{own_case}: {_describe_seeds(cup)}", by)
    return cup


def seat_own_case(campaign: Campaign, by: Player) -> str:
    """Check an organiser who seeds a cup that they play in. See `organiser_own_case`."""
    players = set(CupEntrant.objects.filter(cup__campaign=campaign).values_list("enrolment__company__owner", flat=True))
    return organiser_own_case(campaign.club, by, players, field="seed", what=f"You play in the cup of {campaign.name}")


def cup_next_round(
    *, campaign: Campaign, way: str, number: int, entrants: Sequence[Entrant], by: Player | None
) -> tuple[Cup, Draw, tuple[int | None, ...]]:
    """Return the cup, its next pairings as round `number`, and their places in the bracket. The campaign is locked.

    Without a cup, one of all companies is set up; if it isn't drawn yet, it is drawn now. Raise RefusedError while
    matches that the next ones depend on are open, and once the cup is decided.
    """
    cup = Cup.objects.filter(campaign=campaign).first()
    if cup is None:
        cup = cup_set(campaign=campaign, by=by, groups=DEFAULT_GROUPS if way == CampaignPairingMethod.GROUPS else 0)
    if not has_begun(campaign, cup):
        if not cup.places.exists():
            cup = cup_make_draw(campaign=campaign, by=by)
        cup.since = number
        cup.save(update_fields=["since"])
    draw = cup_draw(cup, campaign, enrolments_of(campaign))
    assert draw is not None
    found = build_cup_state(draw, cup_matches(campaign, with_planned=True), tie_places(cup))
    by_id = {each.id: each for each in entrants}
    pairs = next_group_pairs(found) if not found.groups_are_over else ()
    if pairs:
        fixtures = [pairing.build_fixture(one, two, by_id) for one, two in pairs]
        return cup, Draw(fixtures=tuple(fixtures)), tuple(None for _ in fixtures)
    if not found.groups_are_over and not found.lines:
        _refuse_open(found, [line.match for line in open_group_matches(found)])
    return cup, *_knock_out(found, by_id)


def ties_save(*, cup: Cup, row: Round, places: Sequence[int | None]) -> None:
    """Save the place in the bracket of each match of a round, in table order.

    The place of a void match passes to the new one.
    """
    for match, place in zip(row.matches.order_by("number"), places, strict=True):
        if place is not None:
            CupTie.objects.update_or_create(cup=cup, place=place, defaults={"match": match})


def has_begun(campaign: Campaign, cup: Cup) -> bool:
    """Return whether a round was planned for the cup and not discarded."""
    return cup.since is not None and campaign.rounds.filter(number__gte=cup.since).exists()


def describe_cup(cup: Cup) -> str:
    """Return the cup's settings in words."""
    who = f"top {cup.entrants} of the standings" if cup.entrants else "all companies"
    form = f"{cup.groups} groups, top {cup.advance} advance" if cup.groups else "knock-out"
    third = ", with a match for third place" if cup.has_third_place else ""
    return f"{form}, {who}, {Seeding(cup.seeding).label}{third}"


def _knock_out(found: CupState, by_id: Mapping[int, Entrant]) -> tuple[Draw, tuple[int | None, ...]]:
    """Return the ties that can be played now. An entrant who has left is dropped, and their opponent has a bye."""
    waiting = next_ties(found.ties)
    if not waiting:
        winner = found.ties[1].winner
        outcome = f"{found.draw.names[winner]} has won it" if winner is not None else "no companies are left"
        raise RefusedError("round", f"The cup is decided: {outcome}.")
    ready = [tie for tie in waiting if tie.can_be_played]
    if not ready:
        _refuse_open(found, [found.lines[tie.place].match for tie in waiting])
    fixtures = []
    for tie in ready:
        there = [side for side in tie.due if side is not None]
        sides = [side for side in there if side not in found.draw.gone] or there[:1]
        if len(sides) == 2:
            fixtures.append(pairing.build_fixture(sides[0], sides[1], by_id))
        else:
            fixtures.append(pairing.Fixture(attacker=sides[0], defender=None))
    return Draw(fixtures=tuple(fixtures)), tuple(tie.place for tie in ready)


def _refuse_open(found: CupState, matches: Sequence[int]) -> None:
    names, wanted = found.draw.names, set(matches)
    lines = [*found.lines.values(), *(line for group in found.groups for line in group.lines)]
    undecided = [
        f"{names[line.attacker]} against {names[line.defender or 0]} of round {line.round}"
        for line in lines
        if line.match in wanted
    ]
    verb = "is" if len(undecided) == 1 else "are"
    raise RefusedError("round", f"{join_words(undecided)} {verb} not decided yet, and the next round depends on it.")


def _check_not_begun(campaign: Campaign, cup: Cup) -> None:
    if campaign.state == CampaignState.FINISHED:
        raise RefusedError("cup", f"{campaign.name} is finished, so it can't be changed.")
    if has_begun(campaign, cup):
        reason = f"The cup started with round {cup.since}, so its draw can't be changed."
        raise RefusedError("cup", reason)


def _check_size(cup: Cup, count: int) -> None:
    least = max(2, cup.groups * max(2, cup.advance))
    if count < least:
        what = f"{cup.groups} groups with {cup.advance} advancing" if cup.groups else "A cup"
        raise RefusedError("entrants", f"{what} needs at least {least} companies, but there are only {count}.")
    if count > MAX_ENTRANTS:
        reason = f"A cup can have at most {MAX_ENTRANTS} companies. Limit it to the top {MAX_ENTRANTS}."
        raise RefusedError("entrants", reason)


def _save_places(cup: Cup, order: Sequence[tuple[int, int]]) -> None:
    accepted = set(
        Enrolment.objects.filter(campaign=cup.campaign_id, state=EnrolmentState.ACCEPTED).values_list("pk", flat=True)
    )
    if not {pk for pk, _ in order} <= accepted:
        raise RefusedError("cup", "A company has left the campaign. Redraw the cup.")
    cup.places.all().delete()
    CupEntrant.objects.bulk_create(
        CupEntrant(cup=cup, enrolment_id=pk, seed=at, group=group) for at, (pk, group) in enumerate(order, start=1)
    )


def _describe_seeds(cup: Cup) -> str:
    rows = cup.places.select_related("enrolment__company")
    return ", ".join(f"{row.seed} {row.enrolment.company.name}" for row in rows)
