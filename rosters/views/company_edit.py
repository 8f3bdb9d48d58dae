"""The page on which an owner edits a company: settings, catalogue version, emblem, texts and photo; each part is a form of its own."""

from __future__ import annotations

import re
import secrets

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_http_methods

from rosters import hooks, selectors, services
from rosters.appearance.emblems import chosen, emblem_of, emblem_option_groups
from rosters.appearance.forms import DescriptionForm, EmblemForm
from rosters.appearance.selectors import company_texts_and_portrait
from rosters.appearance.views import save_photo, save_texts
from rosters.forms import CompanyForm
from rosters.models import Company
from rosters.releases.selectors import company_offer
from rosters.releases.services import release_adopt
from rosters.services.companies import SETTINGS
from rosters.shortcuts import own_company
from rosters.view_helpers import (
    company_context,
    locked_for_edit,
    player,
    run_and_flash,
    run_for_form,
)
from rosters.views.companies import is_everybodys
from systems import roster_rules


@login_required
@require_http_methods(["GET", "POST"])
def company_settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the page; on a POST, change the company's name, motto, colour and visibility."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        form = CompanyForm(request.POST or None, initial=model_to_dict(row, SETTINGS))
        if request.method == "POST" and form.is_valid():
            by = player(request)
            changed = run_for_form(form, lambda: services.company_change(company=row, by=by, **form.cleaned_data))
            if changed:
                messages.success(request, "Settings saved.")
                return redirect("rosters:company_settings", pk=pk)
    return _edit_page(request, row, settings=form)


@login_required
@require_http_methods(["GET", "POST"])
def company_emblem(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the previewed emblem."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        if request.method == "GET":
            return _redirect_to(request, pk, "emblem")
        form = _emblem_form(request, row)
        if form.is_valid():
            code, by = form.cleaned_data["emblem"], player(request)
            if run_and_flash(
                request,
                lambda: services.company_change(company=row, by=by, emblem=code),
                "Emblem saved.",
                of=row,
                form=form,
            ):
                return redirect("rosters:company", pk=pk)
    return _edit_page(request, row, emblem=form)


@login_required
@require_http_methods(["GET", "POST"])
def company_notes(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the owner's story and notes about the company."""
    with locked_for_edit(request, own_company(request, pk)) as row:
        if request.method == "GET":
            return _redirect_to(request, pk, "texts")
        refused = save_texts(request, row)
    return _edit_page(request, row, texts=refused) if refused else redirect("rosters:company", pk=pk)


@login_required
@require_http_methods(["GET", "POST"])
def company_portrait(request: HttpRequest, pk: int) -> HttpResponse:
    """Upload or remove the company's photo."""
    row = own_company(request, pk)
    if request.method == "GET":
        return _redirect_to(request, pk, "photo")
    refusal = save_photo(request, row)
    return _edit_page(request, row, photo_refusal=refusal) if refusal else redirect("rosters:company", pk=pk)


@login_required
@require_http_methods(["GET", "POST"])
def company_release(request: HttpRequest, pk: int) -> HttpResponse:
    """Change to the newest catalogue version."""
    row = own_company(request, pk)
    if request.method == "GET":
        return _redirect_to(request, pk, "release")
    run_and_flash(
        request,
        lambda: release_adopt(company=row, by=player(request), release=request.POST.get("release", "")[:20]),
        lambda company: f"{company.name} now uses catalogue version {company.catalogue_release}.",
        of=row,
    )
    return redirect(reverse("rosters:company_settings", args=[pk], fragment="catalogue"))


def _edit_page(
    request: HttpRequest,
    row: Company,
    *,
    settings: CompanyForm | None = None,
    emblem: EmblemForm | None = None,
    texts: DescriptionForm | None = None,
    photo_refusal: str = "",
) -> HttpResponse:
    """Show the page with the forms that were refused, if any."""
    now = emblem_of(row.emblem, row.name)
    sent = request.POST.get("emblem")
    preview = emblem_of(sent, row.name) if sent else chosen(request.GET, now, row.name)
    words, portrait = company_texts_and_portrait(row, is_own=True)
    offer = company_offer(row)
    context = {
        **company_context(request, row, selectors.company_sheet(row)),
        "form": settings or CompanyForm(initial=model_to_dict(row, SETTINGS)),
        "emblem_form": emblem or _emblem_form(request, row),
        "texts_form": texts or DescriptionForm(texts=words),
        "now": now,
        "preview": preview,
        "groups": emblem_option_groups(preview),
        "dice": secrets.token_hex(4),
        "portrait": portrait,
        "photo_barred": hooks.portraits_barred([row.pk]).get(row.pk, ""),
        "photo_refusal": photo_refusal,
        "codes": company_codes(request, row),
        "offer": offer,
        "newest_rules": roster_rules(row.system),
        "release_kept": hooks.release_kept(row) if offer.change else "",
    }
    is_refused = any(form is not None and form.errors for form in (settings, emblem, texts)) or photo_refusal
    return render(request, "rosters/company_edit.html", context, status=422 if is_refused else 200)


def _emblem_form(request: HttpRequest, row: Company) -> EmblemForm:
    described = emblem_of(row.emblem, row.name).description
    data = request.POST if "emblem" in request.POST else None
    return EmblemForm(data, emblem=row.emblem, description=described)


def _redirect_to(request: HttpRequest, pk: int, section: str) -> HttpResponse:
    return redirect(reverse("rosters:company_settings", args=[pk], query=request.GET, fragment=section))


def company_codes(request: HttpRequest, company: Company) -> list[tuple[str, str]]:
    """Return the codes with which other sites can show the company; empty unless it is public."""
    if not is_everybodys(company):
        return []
    page, badge = (
        request.build_absolute_uri(reverse(f"rosters:{name}", args=[company.pk]))
        for name in ("company", "company_badge")
    )
    return [
        ("Badge (HTML)", f'<a href="{page}"><img src="{badge}" alt="{escape(company.name)}" height="24"></a>'),
        ("Badge (Markdown)", f"[![{_in_markdown(company.name)}]({badge})]({page})"),
    ]


def _in_markdown(name: str) -> str:
    """Return the name escaped for the text of a Markdown link."""
    return re.sub(r"([\\\[\]()`*_<>!])", r"\\\1", name)
