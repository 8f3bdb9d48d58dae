"""What the rosters views share: rows or a 404, and a service's refusal on the form that asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest
from django.urls import reverse

from rosters import policy, selectors
from rosters.models import Company, Design, Player
from rosters.selectors import CompanySheet
from rosters.services import RefusedError

ResultT = TypeVar("ResultT")


def seen_company(request: HttpRequest, pk: int) -> Company:
    """The company if the visitor may see it, else 404."""
    try:
        return selectors.company_get(reader=request.user, pk=pk, link_key=request.GET.get("key", ""))
    except Company.DoesNotExist:
        raise Http404 from None


def own_company(request: HttpRequest, pk: int) -> Company:
    """The visitor's own company, else 404."""
    try:
        return selectors.company_own(player=request.user, pk=pk)
    except Company.DoesNotExist:
        raise Http404 from None


def own_design(request: HttpRequest, pk: int) -> Design:
    """The visitor's own design, else 404."""
    try:
        return selectors.design_own(player=request.user, pk=pk)
    except Design.DoesNotExist:
        raise Http404 from None


def player(request: HttpRequest) -> Player:
    """The signed-in player; for views that ask for one."""
    assert isinstance(request.user, Player)
    return request.user


def company_context(request: HttpRequest, company: Company, sheet: CompanySheet) -> dict[str, Any]:
    """What every page about a company needs."""
    is_own = policy.can_change(request.user, company)
    key = request.GET.get("key", "")
    return {
        "company": sheet,
        "is_own": is_own,
        "key_query": f"?key={company.link_key}" if key and not is_own else "",
        "link": request.build_absolute_uri(reverse("rosters:company", args=[company.pk])) + f"?key={company.link_key}",
    }


def attempt(form: forms.BaseForm, service: Callable[[], ResultT]) -> ResultT | None:
    """What the service returns; None if it refuses, with the reason on the form's field."""
    try:
        return service()
    except RefusedError as error:
        form.add_error(error.field if error.field in form.fields else None, error.reason)
        return None


def say(request: HttpRequest, service: Callable[[], ResultT], done: str | Callable[[ResultT], str]) -> bool:
    """Runs a service of a one-button form; says what it did, or why it refused."""
    try:
        result = service()
    except RefusedError as error:
        messages.error(request, error.reason)
        return False
    messages.success(request, done(result) if callable(done) else done)
    return True


def first_errors(form: forms.BaseForm) -> str:
    """All errors of a form as one line."""
    return " ".join(
        f"{form.fields[field].label or field}: {text}" if field in form.fields else str(text)
        for field, texts in form.errors.items()
        for text in texts
    )
