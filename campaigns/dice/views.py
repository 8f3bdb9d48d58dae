"""Pages of provably fair dice: what is published about them, and a check that anybody can make."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from battles.models import Battle, LiveTable, SealedDice
from battles.selectors.battle import readable_battle
from campaigns import policy
from campaigns.dice.selectors import PURPOSES, dice_check, dice_sheet
from campaigns.dice.services import match_dice_replace
from campaigns.models import Match, Season
from campaigns.pages import for_match
from campaigns.rows import require_permission
from rosters.models import Player
from rosters.view_helpers import player, say

MATCH_RELATED = ("round__campaign__club", "attacker__company", "defender__company")


DEFAULT_SIDES = 6  # sides


class DiceCheckForm(forms.Form):
    secret = forms.CharField(max_length=200, help_text="As the page of the dice shows it once they are open.")
    purpose = forms.CharField(
        max_length=60,
        initial="battle",
        help_text="battle, support, aftermath; of a table table-1, table-2 ...; of two phones pair-1, pair-2 ...",
    )
    words = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The players’ words, one a line, in the order of the page.",
    )
    sides = forms.IntegerField(required=False, min_value=2, max_value=100, initial=6, label="Sides of the dice")
    commitment = forms.CharField(
        required=False,
        max_length=64,
        help_text="What was published before, or the seal of that phone; empty if you only want the seed.",
    )


@require_GET
def dice(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the commitment, and once the dice are open the secret with every seed made from it."""
    row = SealedDice.objects.filter(key=key).first()
    if row is None:
        raise Http404("No such dice")
    of_match = Q(dice=row) | Q(musters__dice=row)
    match = Match.objects.filter(of_match).select_related(*MATCH_RELATED).first()
    battle = Battle.objects.filter(dice=row).first()
    if not _can_see_dice(request, row, match, battle):
        raise Http404("No such dice")
    context = {"sheet": dice_sheet(row), "dice": row, "match": match, "battle": battle, "purposes": PURPOSES}
    return render(request, "campaigns/dice.html", context)


@require_GET
def check_dice(request: HttpRequest) -> HttpResponse:
    """Calculate a commitment and a seed from what somebody types in."""
    form = DiceCheckForm(request.GET if "secret" in request.GET else None, initial=request.GET.dict())
    found = None
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        words = tuple(line.strip() for line in given["words"].splitlines() if line.strip())
        found = dice_check(
            secret=given["secret"],
            purpose=given["purpose"],
            words=words,
            given=given["commitment"],
            sides=given["sides"] or DEFAULT_SIDES,
        )
    sides = form.cleaned_data.get("sides") if form.is_bound and form.is_valid() else None
    context = {"form": form, "found": found, "sides": sides or DEFAULT_SIDES}
    return render(request, "campaigns/dice_check.html", context, status=422 if form.errors else 200)


@require_POST
@for_match
def match_dice_replace_view(request: HttpRequest, match: Match) -> HttpResponse:
    """Replace a match's dice whose key is lost; for organisers."""
    require_permission(policy.can_run_campaign(request.user, match.round.campaign))
    by = player(request)
    say(
        request,
        lambda: match_dice_replace(match=match, by=by),
        "Other dice are sealed; the diary has their hash.",
    )
    return redirect("campaigns:match", key=match.key)


def _can_see_dice(request: HttpRequest, row: SealedDice, match: Match | None, battle: Battle | None) -> bool:
    """Return whether the reader may see the match or battle the dice belong to; waiting dice only their owner sees."""
    actor = request.user if isinstance(request.user, Player) else None
    if match is not None:
        return policy.can_see_match(request.user, match)
    season = Season.objects.filter(rounds__dice=row).select_related("club").first()
    if season is not None:
        return policy.can_see_season(request.user, season)
    if LiveTable.objects.filter(dice=row).exists():
        return True  # anybody with the link from a sheet: the dice show what everybody at the table sees
    if battle is not None:
        return readable_battle(battle.key, actor) is not None
    return actor is not None and row.asked_by_id == actor.pk
