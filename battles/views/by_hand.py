"""Logging a battle that was fought at the table: first who fought, then what became of each unit."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles.forms.by_hand import HandForm, HandRow, UsedForm
from battles.forms.first import first_initial, posted_initial
from battles.forms.setups import BattleForms
from battles.selectors import sides_of
from battles.services.by_hand import battle_log_by_hand
from battles.services.setups import forces_checked
from battles.views._parts import player_of, refusal_of, system_of
from battles.views.quick import chosen_setup
from rosters.services import RefusedError
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.reading import house_rules_told, read_setup
from systems.setups import Setup


@login_required
@require_http_methods(["GET", "POST"])
def log(request: HttpRequest) -> HttpResponse:
    """The sides are chosen by GET, so that the grid has a URL; the grid is posted."""
    actor, rules = player_of(request), system_of(request)
    if "a-name" not in request.GET:
        initial = first_initial(rules, request.GET.get("scenario", ""), actor) if "scenario" in request.GET else {}
        return _choose(request, BattleForms(None, system=rules, player=actor, initial=initial, is_log=True))
    if "edit" in request.GET or request.GET.get("do") == "fill":
        initial = posted_initial(rules, request.GET, actor)
        return _choose(request, BattleForms(None, system=rules, player=actor, initial=initial, is_log=True))
    forms = BattleForms(request.GET, system=rules, player=actor, is_log=True)
    if not forms.is_valid():
        return _choose(request, forms)
    try:
        document, forces = chosen_setup(forms)
        setup = read_setup(document)
        forces_checked(setup=setup, forces=forces, actor=player_of(request))
    except (RefusedError, DocumentError) as error:
        forms.errors.append(refusal_of(error))
        return _choose(request, forms)
    sides = sides_of(setup)
    data = request.POST if request.method == "POST" else None
    system = battle_rules(setup.system)
    counted = f"{system.counted(setup.scenario).capitalize()}s"
    hand = HandForm(data, names=[side.name for side in sides], counted=counted)
    used = [
        UsedForm(data, system=setup.system, support=side.support, prefix=f"{line.letter}-support")
        for side, line in zip(setup.sides, sides, strict=True)
    ]
    rows = [
        [HandRow(data, prefix=unit.key, unit=unit, terms=system.hand, support=side.support) for unit in line.units]
        for side, line in zip(setup.sides, sides, strict=True)
    ]
    refusals: list[tuple[str, str, str]] = []
    if data is not None:
        forms_ = [hand, *used, *(row for side in rows for row in side)]
        if all(form.is_valid() for form in forms_):
            try:
                battle = battle_log_by_hand(
                    setup=document,
                    forces=forces,
                    units={row.unit.key: row.hand() for side in rows for row in side},
                    winner=_winner(hand.cleaned_data["winner"], setup),
                    rounds=hand.cleaned_data["rounds"],
                    visibility=forms.field.cleaned_data["visibility"] or "public",
                    actor=player_of(request),
                    key=hand.cleaned_data["key"],
                    support_used=[form.slugs() for form in used],
                )
                return redirect("battles:battle", key=battle.key)
            except RefusedError as error:
                refusals.append(_place(error, rows, used))
        refusals += _refusals(hand, rows, used)
    context = {
        "hand": hand,
        "grid": list(zip(sides, rows, used, strict=True)),
        "errors": refusals,
        "query": request.GET.urlencode(),
        "place": system.place_title(setup),
        "system_name": roster_rules(setup.system).name,
        "hits": system.hand.hits,
        "rolls_fates": bool(system.hand.fates),
        "house_rules": house_rules_told(setup.system, setup.options),
        "closed_books": [side.books for side in forms.sides if side.books],
    }
    return render(request, "battles/log_grid.html", context, status=422 if refusals else 200)


def _choose(request: HttpRequest, forms: BattleForms) -> HttpResponse:
    errors = forms.all_errors()
    return render(request, "battles/log_sides.html", {"forms": forms, "errors": errors}, status=422 if errors else 200)


def _place(error: RefusedError, rows: list[list[HandRow]], used: list[UsedForm]) -> tuple[str, str, str]:
    """The refusal of a service, with the field of the grid that it speaks of."""
    for at, form in enumerate(used):
        if error.field == f"support[{at}]":
            return form["used"].auto_id, "Support used", error.reason
    _, _, place = error.field.partition("units.")
    for row in (row for side in rows for row in side):
        name = place.removeprefix(f"{row.unit.key}.")
        name = "hits_left" if name == "hits_lost" else name
        if place != name and name in row.fields:
            return row[name].auto_id, f"{row.unit.name}, {row[name].label}", error.reason
    return "", error.field.capitalize(), error.reason


def _winner(value: str, setup: Setup) -> str | None:
    return None if value == "draw" else setup.sides[int(value)].name


def _refusals(hand: HandForm, rows: list[list[HandRow]], used: list[UsedForm]) -> list[tuple[str, str, str]]:
    found = [
        (hand[name].auto_id, str(hand[name].label), str(reason))
        for name, all_ in hand.errors.items()
        for reason in all_
    ]
    for form in used:
        found += [(form["used"].auto_id, "Support used", str(reason)) for reason in form.errors.get("used", ())]
    for row in (row for side in rows for row in side):
        for name, reasons in row.errors.items():
            found += [(row[name].auto_id, f"{row.unit.name}, {row[name].label}", str(reason)) for reason in reasons]
    return found
