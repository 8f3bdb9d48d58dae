"""Set up a campaign story, check its scenarios, assign roles, and play it step by step."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils.crypto import salted_hmac

from campaigns.activity_log import log_campaign_activity
from campaigns.locks import campaign_lock
from campaigns.models import (
    Campaign,
    CampaignPairingMethod,
    CampaignState,
    Enrolment,
    EnrolmentState,
    Match,
    Round,
    Storyline,
    StorylineRole,
    StorylineRound,
)
from campaigns.notifications import notify
from campaigns.pairing import Draw, Entrant
from campaigns.storylines import selectors
from campaigns.storylines.selectors import (
    WINNERS,
    step_scenario,
    storyline_games,
    storyline_of,
    storyline_roles,
    storyline_rounds,
)
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules, roster_rules, season_rules
from systems.legality import join_words
from systems.season import StorylineRules


def require_storyline_rules(campaign: Campaign) -> StorylineRules:
    """Return the campaign story that the campaign plays. Raise RefusedError if it plays none."""
    rules = season_rules(campaign.system).storyline
    if rules is None:
        raise RefusedError(
            "way", f"{roster_rules(campaign.system, campaign.catalogue_release).name} has no campaign story."
        )
    if campaign.pairing != CampaignPairingMethod.STORYLINE:
        raise RefusedError("way", f"{campaign.name} has no campaign story, because it uses another pairing method.")
    return rules


def check_scenarios(campaign: Campaign) -> None:
    """Raise RefusedError if the campaign lacks a scenario of its story."""
    known = [each["value"] for each in campaign.scenarios]
    missing = [slug for slug in require_storyline_rules(campaign).scenarios if slug not in known]
    if missing:
        names = join_words([battle_rules(campaign.system).scenarios[slug] for slug in missing])
        raise RefusedError("scenarios", f"The campaign story also includes {names}. Choose all of its scenarios.")


@transaction.atomic
def storyline_set(
    *,
    campaign: Campaign,
    by: Player | None,
    compensates: bool | None = None,
    attackers: Collection[int] | None = None,
    defenders: Collection[int] | None = None,
) -> Storyline:
    """Change how the campaign's story is played; None leaves a setting as it is.

    Roles are given to all companies at once. Once the story has begun, nobody's role changes; only companies that
    joined later get one.
    """
    locked = campaign_lock(campaign)
    require_storyline_rules(locked)
    if locked.state == CampaignState.FINISHED:
        raise RefusedError("arc", f"{locked.name} is finished, so it can't be changed.")
    storyline, begun = storyline_of(locked) or Storyline(campaign=locked), bool(storyline_rounds(locked))
    if compensates is not None and compensates != storyline.compensates and begun:
        raise RefusedError("compensates", "The campaign story has started, so its points can't be changed.")
    if storyline.pk is None or (compensates is not None and compensates != storyline.compensates):
        storyline.compensates = storyline.compensates if compensates is None else bool(compensates)
        storyline.save()
        points = "uneven scenarios are evened out" if storyline.compensates else "points are as printed"
        log_campaign_activity(locked, f"Set up the story of {locked.name}: {points}", by)
    if attackers is not None or defenders is not None:
        wanted = {**dict.fromkeys(attackers or (), True), **dict.fromkeys(defenders or (), False)}
        both = set(attackers or ()) & set(defenders or ())
        if both:
            raise RefusedError("roles", "A company can't both attack and defend.")
        _set_roles(locked, storyline, wanted, begun=begun, by=by)
    return storyline


class NextStep(NamedTuple):
    """The next step of a story."""

    storyline: Storyline
    step: int
    scenario: str
    draw: Draw


def next_storyline_step(*, campaign: Campaign, entrants: Sequence[Entrant], by: Player | None) -> NextStep:
    """Return the next step in the story of a locked campaign. If no roles were given, draw them by lot.

    Raise RefusedError while a game is undecided that the next ones depend on, if a side is missing, or if the story has
    ended.
    """
    rules = require_storyline_rules(campaign)
    check_scenarios(campaign)
    storyline = storyline_of(campaign) or storyline_set(campaign=campaign, by=by)
    games, begun = storyline_games(campaign), storyline_rounds(campaign)
    step = len(begun) + 1
    _check_all_decided(campaign, [each for each in games if each.is_open])
    if step > len(rules.steps):
        won = WINNERS.get(selectors.war_winner(games, len(rules.steps)), "It ended in a draw")
        raise RefusedError("round", f"All {len(rules.steps)} scenarios of the story have been played. {won}.")
    roles = storyline_roles(storyline)
    if not roles:
        roles = _draw_roles(campaign, [each.id for each in entrants])
        _set_roles(campaign, storyline, roles, begun=False, by=by)
    there = {each.id: roles.get(each.id) for each in entrants}
    without = [pk for pk, attacks in there.items() if attacks is None]
    if without:
        one, verb = ("it", "has") if len(without) == 1 else ("them", "have")
        reason = f"{_names(campaign, without)} {verb} no role yet. Choose first whether {one} should attack or defend."
        raise RefusedError("roles", reason)
    attackers = [pk for pk, attacks in there.items() if attacks]
    defenders = [pk for pk, attacks in there.items() if not attacks]
    _check_both_sides(attackers, defenders)
    draw = Draw(fixtures=selectors.fixtures(attackers, defenders, step))
    return NextStep(storyline, step, rules.steps[step - 1].scenario, draw)


def storyline_round_create(*, row: Round, due: NextStep) -> None:
    """Note which step of the story a round is, and give each of its matches its terms there."""
    StorylineRound.objects.create(storyline=due.storyline, round=row, step=due.step)
    for match in row.matches.all():
        storyline_terms_set(match)
        match.save(update_fields=["scenario", "scenario_name"])


def storyline_terms_set(match: Match) -> None:
    """Give a match its terms in the story, if its round belongs to one. Refuse if a side has the other role."""
    found = StorylineRound.objects.select_related("storyline__campaign").filter(round=match.round_id).first()
    if found is None:
        return
    campaign, roles = found.storyline.campaign, storyline_roles(found.storyline)
    if match.defender_id is not None:
        _check_role("attacker", match.attacker, roles.get(match.attacker_id), attacks=True)
        assert match.defender is not None
        _check_role("defender", match.defender, roles.get(match.defender_id), attacks=False)
    won = selectors.winners(storyline_games(campaign), found.step - 1)
    sides = (match.attacker_id, match.defender_id)
    rules = require_storyline_rules(campaign)
    slug = rules.steps[found.step - 1].scenario
    name = next((str(each["name"]) for each in campaign.scenarios if each["value"] == slug), slug)
    if match.scenario_name != name:
        raise RefusedError("scenario", f"{match.round} of the story plays {name}. Choose that scenario.")
    match.scenario = step_scenario(campaign, found.step, sides, won, compensates=found.storyline.compensates)


# --- parts ------------------------------------------------------------------------------------------------------------


def _set_roles(
    campaign: Campaign, storyline: Storyline, wanted: Mapping[int, bool], *, begun: bool, by: Player | None
) -> None:
    accepted = set(campaign.enrolments.filter(state=EnrolmentState.ACCEPTED).values_list("pk", flat=True))
    before = storyline_roles(storyline)
    if begun:
        moved = [pk for pk, attacks in before.items() if pk in wanted and wanted[pk] != attacks]
        if moved:
            raise RefusedError(
                "roles", f"{_names(campaign, moved)}: roles can't be changed once the story has started."
            )
        wanted = {**before, **wanted}
    strangers = set(wanted) - accepted - set(before)
    if strangers:
        raise RefusedError("roles", "The companies have changed. Look at them again.")
    without = accepted - set(wanted)
    if without:
        raise RefusedError("roles", f"Choose a role for every company. Missing: {_names(campaign, without)}.")
    attackers = [pk for pk, attacks in wanted.items() if attacks and pk in accepted]
    defenders = [pk for pk, attacks in wanted.items() if not attacks and pk in accepted]
    _check_both_sides(attackers, defenders)
    if not begun and abs(len(attackers) - len(defenders)) > 1:
        reason = f"{len(attackers)} attack and {len(defenders)} defend. The sides can differ by one at most."
        raise RefusedError("roles", reason)
    if dict(wanted) == before:
        return
    storyline.roles.all().delete()
    StorylineRole.objects.bulk_create(
        StorylineRole(storyline=storyline, enrolment_id=pk, attacks=attacks) for pk, attacks in sorted(wanted.items())
    )
    roles = f"{_names(campaign, attackers)} attack, {_names(campaign, defenders)} defend"
    log_campaign_activity(campaign, f"Assigned the roles in the story of {campaign.name}: {roles}", by)
    notify.war_roles(campaign, {pk: attacks for pk, attacks in wanted.items() if before.get(pk) != attacks}, by)


def _check_both_sides(attackers: Collection[int], defenders: Collection[int]) -> None:
    for side, word in ((attackers, "attacks"), (defenders, "defends")):
        if not side:
            raise RefusedError("roles", f"Nobody {word}. Both sides need at least one company.")


def _draw_roles(campaign: Campaign, companies: Sequence[int]) -> dict[int, bool]:
    """Let every other company attack, in a random order that is the same however often it is drawn."""
    order = sorted(
        companies,
        key=lambda pk: salted_hmac("campaigns.arcs", f"{campaign.pk} {pk}", algorithm="sha256").hexdigest(),
    )
    return {pk: at % 2 == 0 for at, pk in enumerate(order)}


def _check_all_decided(campaign: Campaign, waiting: Sequence[selectors.StorylineGame]) -> None:
    if not waiting:
        return
    names = dict(campaign.enrolments.values_list("pk", "company__name"))
    undecided = [
        f"{names[each.attacker]} against {names[each.defender or 0]} of round {each.round}" for each in waiting
    ]
    verb = "is" if len(undecided) == 1 else "are"
    raise RefusedError("round", f"{join_words(undecided)} {verb} not decided yet, and the next round depends on it.")


def _check_role(field: str, side: Enrolment, role: bool | None, *, attacks: bool) -> None:
    if role is None:
        raise RefusedError(field, f"{side.company.name} has no role yet.")
    if role != attacks:
        raise RefusedError(field, f"{side.company.name} {'attacks' if role else 'defends'} in all games of the story.")


def _names(campaign: Campaign, companies: Collection[int]) -> str:
    rows = campaign.enrolments.filter(pk__in=companies).order_by("pk").values_list("company__name", flat=True)
    return join_words(list(rows))
