"""Log a battle that was played at a table: first the sides, then the fate of each unit."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles.forms.by_hand import LogForms
from battles.forms.first import first_initial, goes_on, posted_initial
from battles.forms.setups import BattleForms
from battles.services.by_hand import battle_log_result
from battles.services.setups import check_forces
from battles.view_helpers import refusal_of, system_of
from battles.views.quick import chosen_setup
from rosters.services import RefusedError
from rosters.view_helpers import player
from systems import battle_rules, roster_rules
from systems.documents import DocumentError
from systems.reading import describe_house_rules, read_setup


@login_required
@require_http_methods(["GET", "POST"])
def log_battle(request: HttpRequest) -> HttpResponse:
    """Show and accept the log. The sides are chosen by GET, so that the grid has a URL; the grid is posted."""
    actor, rules = player(request), system_of(request)
    if "a-name" not in request.GET:
        initial = first_initial(rules, request.GET.get("scenario", ""), actor) if "scenario" in request.GET else {}
        return _choose_sides(request, BattleForms(None, system=rules, player=actor, initial=initial, is_log=True))
    if "edit" in request.GET or goes_on(request.GET):
        initial = posted_initial(rules, request.GET, actor)
        return _choose_sides(request, BattleForms(None, system=rules, player=actor, initial=initial, is_log=True))
    forms = BattleForms(request.GET, system=rules, player=actor, is_log=True)
    if not forms.is_valid():
        return _choose_sides(request, forms)
    try:
        document, forces = chosen_setup(forms)
        setup = read_setup(document)
        check_forces(setup=setup, forces=forces, actor=player(request))
    except (RefusedError, DocumentError) as error:
        forms.errors.append(refusal_of(error))
        return _choose_sides(request, forms)
    said = LogForms(request.POST if request.method == "POST" else None, setup)
    if request.method == "POST" and said.is_valid():
        visibility = forms.field.cleaned_data["visibility"] or "public"
        try:
            battle = battle_log_result(
                setup=document, forces=forces, visibility=visibility, actor=player(request), **said.said()
            )
            return redirect("battles:battle", key=battle.key)
        except RefusedError as error:
            said.refuse(error)
    system = battle_rules(setup.system)
    context = {
        "hand": said.hand,
        "grid": said.grid,
        "errors": said.errors,
        "query": request.GET.urlencode(),
        "place": system.place_title(setup),
        "system": setup.system,
        "system_name": roster_rules(setup.system, setup.catalogue_release).name,
        "hits": system.hand.hits,
        "rolls_fates": bool(system.hand.fates),
        "house_rules": describe_house_rules(setup.system, setup.options),
        "closed_books": [side.books for side in forms.sides if side.books],
    }
    return render(request, "battles/log_grid.html", context, status=422 if said.errors else 200)


def _choose_sides(request: HttpRequest, forms: BattleForms) -> HttpResponse:
    errors = forms.all_errors()
    return render(request, "battles/log_sides.html", {"forms": forms, "errors": errors}, status=422 if errors else 200)
