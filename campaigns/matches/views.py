"""Pages of a match: its page, packet, handicap, live table and dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.formats import date_format
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.models import Battle, LiveTable, SealedDice
from battles.paper import owner_of, setup_packet
from battles.selectors.battle import readable_battle
from battles.services.dice import has_key
from battles.services.results import outcome_choices
from campaigns import policy
from campaigns.arbiters import consent_give, consent_withdraw
from campaigns.army_lists.purchases import buys_units_per_match
from campaigns.availability.forms import DateForm
from campaigns.dice import dice_check, dice_sheet, match_dice_replace, preparations_without_key
from campaigns.handicaps import services
from campaigns.house_rules import round_house_rules
from campaigns.live_tables import match_table_seat
from campaigns.matches.selectors import SUBMITTED_LISTS, match_page
from campaigns.models import Match, Season
from campaigns.results.forms import ReasonForm
from campaigns.results.services import match_refuse, match_withdraw_refusal
from campaigns.shortcuts import match_or_404, own_side, require_permission
from campaigns.view_helpers import for_match, match_context
from campaigns.watch_parties.selectors import watch_party_note
from campaigns.watch_parties.services import watch_party_announce, watch_party_cancel
from campaigns.watch_parties.views import FIELD_IDS, WatchPartyForm, watch_party_context
from rosters.appearance.emblems import emblem_of
from rosters.documents.snapshots import ready_units
from rosters.models import Company, Player
from rosters.paper.sources import Packet, PacketSide, PacketUnit, unit_document
from rosters.printing.orders import packet_order, packet_products, usual_products
from rosters.printing.view_helpers import products_page
from rosters.selectors import company_sheet
from rosters.services import RefusedError
from rosters.view_helpers import player, row_id, run_and_flash, run_for_form
from systems import roster_rules
from systems.documents import DocumentError
from systems.reading import stored_setup


@require_GET
def match(request: HttpRequest, key: UUID) -> HttpResponse:
    return _match_page(request, match_or_404(request, key), ReasonForm())


def match_with_list(request: HttpRequest, row: Match, army_list: dict[str, object], *, status: int) -> HttpResponse:
    """Render the page of a match with the form of a side's list."""
    return _match_page(request, row, ReasonForm(), army_list={"has_list_form": True, **army_list}, status=status)


def _match_page(
    request: HttpRequest,
    row: Match,
    refusal: ReasonForm,
    party_form: WatchPartyForm | None = None,
    *,
    army_list: Mapping[str, object] = MappingProxyType({}),
    status: int = 200,
) -> HttpResponse:
    """Show the match.

    `refusal` is the form in which a side says why it can't play, `party_form` a refused announcement, `army_list` the
    context of the form of a list.
    """
    page = match_page(row, request.user, with_availability="evenings" in request.GET)
    typed = DateForm({"at": request.GET["at"]}, auto_id="id_date_%s") if "at" in request.GET else None
    lost_dice = page.is_open and _has_lost_dice(row)
    context = match_context(row, page=page, lost_dice=lost_dice, typed_date=typed, refusal_form=refusal)
    context |= watch_party_context(row, page.watch_party, party_form) | dict(army_list)
    status = 422 if refusal.errors or party_form else status
    response = render(request, "campaigns/match.html", context, status=status)
    if context["party"]:
        add_never_cache_headers(response)
    return response


@require_http_methods(["GET", "POST"])
def watch_party(request: HttpRequest, key: UUID) -> HttpResponse:
    """Announce the match's watch party, or call it off (`do`: off). GET redirects to it on the page of the match."""
    row = match_or_404(request, key)
    rights = policy.rights_in(request.user, row.round.campaign.club)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    require_permission(request.method != "POST" or rights.may_run)
    if watch_party_note(row, rights) is None and getattr(row, "watch_party", None) is None:
        raise Http404("No watch party is announced")
    if request.method != "POST":
        return redirect(_watch_party_address(row, request.GET))
    by = player(request)
    if request.POST.get("do") == "off":
        run_and_flash(request, lambda: watch_party_cancel(match=row, by=by), "Watch party cancelled.")
        return redirect("campaigns:match", key=key)
    form = WatchPartyForm(request.POST, auto_id=FIELD_IDS)
    if form.is_valid():
        given = form.cleaned_data
        if run_for_form(form, lambda: watch_party_announce(match=row, by=by, **given)):
            messages.success(request, "Watch party announced. All members are notified.")
            return redirect(_watch_party_address(row))
    return _match_page(request, row, ReasonForm(), form)


def _watch_party_address(row: Match, query: Mapping[str, str] = MappingProxyType({})) -> str:
    return reverse("campaigns:match", args=[row.key], query=query, fragment="watch-party")


def _has_lost_dice(match: Match) -> bool:
    """Return whether the server has lost the key of the match's dice, or of those its sides roll for support with."""
    if match.dice is not None and not has_key(match.dice):
        return True
    return buys_units_per_match(match.round.campaign) and bool(preparations_without_key(match))


@require_http_methods(["GET", "POST"])
@for_match
def refuse(request: HttpRequest, match: Match) -> HttpResponse:
    """Let a side refuse to play, or (`do` = play) agree to play after all; GET redirects to the match."""
    is_back = request.POST.get("do") == "play"
    side = own_side(request, match, done={at for at in (0, 1) if is_back and at != match.refusing_side})
    by = player(request)
    if is_back:
        run_and_flash(
            request,
            lambda: match_withdraw_refusal(match=match, side=side, by=by),
            "The match will be played after all.",
        )
        return redirect("campaigns:match", key=match.key)
    if request.method != "POST":
        return redirect(reverse("campaigns:match", args=[match.key]) + "#refuse")
    form = ReasonForm(request.POST)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        if run_for_form(form, lambda: match_refuse(match=match, side=side, reason=reason, by=by)):
            messages.success(request, "Sent. An arbiter or organiser will decide the match.")
            return redirect("campaigns:match", key=match.key)
    return _match_page(request, match, form)


@require_POST
@for_match
def consent(request: HttpRequest, match: Match) -> HttpResponse:
    """Let a side allow the other side's player to judge the match, if nobody else can.

    `do` = withdraw takes that back.
    """
    side, by = own_side(request, match), player(request)
    if request.POST.get("do") == "withdraw":
        run_and_flash(
            request, lambda: consent_withdraw(match=match, side=side, by=by), "You have withdrawn your consent."
        )
    else:
        message = "Your opponent can now make one ruling on this match. You can withdraw your consent until they do."
        run_and_flash(request, lambda: consent_give(match=match, side=side, by=by), message)
    return redirect("campaigns:match", key=match.key)


@require_http_methods(["GET", "POST"])
def packet(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show and order what both sides and the table need, as far as the reader may see it."""
    match = match_or_404(request, key)
    if match.defender is None:
        raise Http404("A bye has no game")

    def link(company: Company, unit: int) -> str:
        return request.build_absolute_uri(reverse("rosters:unit", args=[company.pk, unit]))

    report = request.build_absolute_uri(reverse("campaigns:match_report", args=[key]))
    found = match_packet(match, request.user, url=report, link=link)
    products = packet_products(found)
    note = describe_omissions(match, request.user)
    return products_page(
        request,
        products=products,
        order=lambda products, settings, copies, _: packet_order(found, products, settings, copies),
        chosen=usual_products(products),
        context={
            "name": str(match),
            "back_url": reverse("campaigns:match", args=[key]),
            "back_to": "the match",
            "list_url": reverse("campaigns:campaign", args=[match.round.campaign_id]),
            "list_name": match.round.campaign.name,
            "kicker": f"{match.round} · table {match.number}",
            "lead": "Everything both sides need at the table. The code on the result slip opens this match's "
            "report form.",
            "notes": [note] if note else [],
        },
    )


@require_POST
@for_match
def handicap(request: HttpRequest, match: Match) -> HttpResponse:
    """Run `act`: ask, agree or back. The last two name the handicap the reader saw."""
    side, by, act = own_side(request, match), player(request), request.POST.get("act", "")
    if act in ("agree", "back"):
        kind, value = request.POST.get("kind", ""), row_id(request.POST.get("value", ""))
        message = (
            "You have agreed. It counts once your opponent agrees too."
            if act == "agree"
            else "You no longer agree to it."
        )
        run_and_flash(
            request,
            lambda: services.handicap_answer(
                match=match, side=side, agrees=act == "agree", kind=kind, value=value, by=by
            ),
            lambda row: "Both sides have agreed: the handicap counts." if row.is_agreed else message,
        )
    else:
        message = "The handicap is being calculated. Look again in a moment."
        run_and_flash(request, lambda: services.handicap_ask(match=match, by=by), message)
    return redirect("campaigns:match", key=match.key)


@require_POST
@for_match
def live_table(request: HttpRequest, match: Match) -> HttpResponse:
    """Redirect to the reader's seat at the match's table, which is opened if there is none yet."""
    side, by = own_side(request, match), player(request)
    try:
        seat = match_table_seat(match=match, side=side, by=by)
    except (RefusedError, DocumentError) as error:
        messages.error(request, error.reason)
        return redirect("campaigns:match", key=match.key)
    return redirect("battles:seat", key=seat.key)


MATCH_RELATED = ("round__campaign__club", "attacker__company", "defender__company")


DEFAULT_SIDES = 6  # sides


class DiceCheckForm(forms.Form):
    secret = forms.CharField(max_length=200, help_text="Shown on the dice page once it is published.")
    purpose = forms.CharField(
        max_length=60,
        initial="battle",
        help_text="battle, support or aftermath; table-1, table-2 ... for a game; pair-1, pair-2 ... for paired dice.",
    )
    words = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The players’ contributions, one per line, in the order of the dice page.",
    )
    sides = forms.IntegerField(required=False, min_value=2, max_value=100, initial=6, label="Die size")
    commitment = forms.CharField(
        required=False,
        max_length=64,
        help_text="The hash published before the roll, or that phone’s hash. Leave blank to calculate only the seed.",
    )


@require_GET
def dice(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the commitment, and once the dice are open the secret with every seed made from it, and a check of rolls."""
    row = SealedDice.objects.filter(key=key).first()
    if row is None:
        raise Http404("No such dice")
    of_match = Q(dice=row) | Q(preparations__dice=row)
    match = Match.objects.filter(of_match).select_related(*MATCH_RELATED).first()
    battle = Battle.objects.filter(dice=row).first()
    if not _can_see_dice(request, row, match, battle):
        raise Http404("No such dice")
    sheet = dice_sheet(row)
    known = {
        "secret": sheet.secret,
        "purpose": next((use.purpose for use in sheet.uses), "battle"),
        "words": "\n".join(text for _, text in sheet.words),
        "commitment": sheet.commitment,
    }
    return _dice_page(request, known, sheet=sheet, match=match, battle=battle)


@require_GET
def check_dice(request: HttpRequest) -> HttpResponse:
    """Calculate a commitment and a seed from what somebody types in."""
    return _dice_page(request, {})


def _dice_page(request: HttpRequest, known: dict[str, str], **context: object) -> HttpResponse:
    """Show dice, if any, and the form that checks a roll. `known` fills it in."""
    form = DiceCheckForm(request.GET if "secret" in request.GET else None, initial=known | request.GET.dict())
    found, sides = None, DEFAULT_SIDES
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        words = tuple(line.strip() for line in given["words"].splitlines() if line.strip())
        sides = given["sides"] or DEFAULT_SIDES
        found = dice_check(
            secret=given["secret"], purpose=given["purpose"], words=words, given=given["commitment"], sides=sides
        )
    context |= {"form": form, "found": found, "sides": sides}
    return render(request, "campaigns/dice.html", context, status=422 if form.errors else 200)


@require_POST
@for_match
def match_dice_replace_view(request: HttpRequest, match: Match) -> HttpResponse:
    """Replace a match's dice whose key is lost; for organisers."""
    require_permission(policy.can_run_campaign(request.user, match.round.campaign))
    by = player(request)
    run_and_flash(
        request,
        lambda: match_dice_replace(match=match, by=by),
        "The dice are replaced. The activity log shows the new hash.",
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


Link = Callable[[Company, int], str]


def match_packet(match: Match, reader: policy.Reader, *, url: str, link: Link) -> Packet:
    """Return the match's packet.

    Before the lists are revealed it has only the reader's own. `url` leads to the report form.
    """
    assert match.defender is not None
    round_ = match.round
    kicker = f"{round_.campaign.name} · {round_} · table {match.number}"
    deadline = ""
    if round_.deadline:
        deadline = date_format(timezone.localtime(round_.deadline), "j F Y, H:i")
    companies = [match.attacker.company, match.defender.company]
    if match.setup is not None:
        refs = match.forces
        owners = [owner_of(company, refs[at], reader, link) for at, company in enumerate(companies)]
        setup = stored_setup(match.setup)
        return setup_packet(setup, owners, title=str(match)[:120], url=url, kicker=kicker, deadline=deadline)
    own = policy.sides_of(reader, match)
    sides = [_closed_side(match, at, company, link, is_own=at in own) for at, company in enumerate(companies)]
    name, spec = _scenario(match)
    return Packet(
        system=round_.campaign.system,
        title=str(match)[:120],
        sides=(sides[0], sides[1]),
        kicker=kicker,
        scenario_name=name,
        scenario=spec,
        terrain=match.terrain,
        deadline=deadline,
        url=url,
        outcomes=tuple(label for _, label in outcome_choices([side.name for side in sides])),
        options=round_house_rules(round_),
    )


def describe_omissions(match: Match, reader: policy.Reader) -> str:
    """Return what the packet leaves out, and why; empty if nothing."""
    own = policy.sides_of(reader, match)
    if match.setup is not None or len(own) == 2:
        return ""
    if not own:
        return "You can print cards and rosters once the lists are revealed."
    return "You can print your opponent's cards and roster once the lists are revealed."


def _closed_side(match: Match, at: int, company: Company, link: Link, *, is_own: bool) -> PacketSide:
    """Return the side without its units. The reader's own side has those they submitted, or all they could field."""
    bare = PacketSide(
        name=company.name,
        player=str(company.owner)[:60],
        colour=company.colour,
        emblem=emblem_of(company.emblem, company.name).code,
    )
    if not is_own:
        return bare
    if buys_units_per_match(match.round.campaign):
        return bare  # units bought for the match can be printed once they are bought
    sealed = next(
        (force for force in SUBMITTED_LISTS.rows(match=match.pk) if force.side == at and not force.fell), None
    )
    chosen = sealed.document["units"] if sealed else ready_units(company)
    sheet = company_sheet(company)
    units = [unit for pk in chosen if (unit := sheet.unit(pk)) and unit.is_ready]
    documents = (
        PacketUnit(
            document=unit_document(
                sheet,
                unit,
                link=lambda unit=None, pilot=None: link(company, unit) if unit else "",
                options=round_house_rules(match.round),
            ),
            points=unit.points,
            hits=unit.hits_left,
        )
        for unit in units
    )
    return replace(bare, units=tuple(documents))


def _scenario(match: Match) -> tuple[str, Mapping[str, object] | None]:
    rules = roster_rules(match.round.campaign.system, match.round.campaign.catalogue_release)
    if isinstance(match.scenario, Mapping):
        return str(match.scenario["name"]), match.scenario["spec"]
    published = rules.scenarios.get(match.scenario)
    return (published.name, rules.scenario_json(published.spec)) if published else (match.scenario_name, None)
