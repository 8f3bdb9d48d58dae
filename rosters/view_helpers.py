"""Helpers of all views: they show errors of services on forms, and results as messages."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from rosters import policy
from rosters.documents.origins import origin_of
from rosters.models import Company, Player
from rosters.selectors import CompanySheet
from rosters.services import RefusedError, money_of
from systems.documents import DocumentError
from systems.text import pluralize

ResultT = TypeVar("ResultT")
RowT = TypeVar("RowT", bound=Model)
UNDO = "undo-"  # prefix of a message's tag that names a company and an act to undo


def player(request: HttpRequest) -> Player:
    """Return the signed-in player; for views that require one."""
    assert isinstance(request.user, Player)
    return request.user


def company_context(request: HttpRequest, company: Company, sheet: CompanySheet) -> dict[str, object]:
    """Return the context that every page of a company needs."""
    is_own = policy.can_change(request.user, company)
    has_key = bool(request.GET.get("key")) and not is_own
    return {
        "company": sheet,
        "origin": origin_of(company),
        "is_own": is_own,
        "key_query": f"?key={company.link_key}" if has_key else "",
        "key_more": f"&key={company.link_key}" if has_key else "",  # after other parameters
        "link": request.build_absolute_uri(reverse("rosters:company", args=[company.pk])) + f"?key={company.link_key}",
    }


def run_for_form(form: forms.BaseForm, service: Callable[[], ResultT]) -> ResultT | None:
    """Return the service's result; if it refuses, add the error to the form's field and return None."""
    try:
        return service()
    except (RefusedError, DocumentError) as error:
        _refuse(form, error)
        return None


def _refuse(form: forms.BaseForm, error: RefusedError | DocumentError) -> None:
    field = error.path if isinstance(error, DocumentError) else error.field
    form.add_error(field if field in form.fields else None, error.reason)


def searched(request: HttpRequest, name: str = "q") -> str:
    """Return the search text, cleaned for the database."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:100]


@contextmanager
def locked_for_edit(request: HttpRequest, row: RowT) -> Iterator[RowT]:
    """Yield the row that a page edits. For a POST, read it again and lock it; 404 if it was deleted."""
    if request.method != "POST":
        yield row
        return
    with transaction.atomic():
        yield get_object_or_404(row.__class__._default_manager.select_for_update(no_key=True), pk=row.pk)


def run_and_flash(
    request: HttpRequest,
    service: Callable[[], ResultT],
    done: str | Callable[[ResultT], str],
    *,
    of: Company | None = None,
    form: forms.BaseForm | None = None,
) -> bool:
    """Run a service and show its result, or why it refused, as a message; return whether it succeeded.

    If `form` is given, the refusal is added to it instead. If the service wrote to the ledger of `of`, the message has
    an undo button.
    """
    before = _newest_act(of) if of else None
    try:
        result = service()
    except (RefusedError, DocumentError) as error:
        if form is None:
            messages.error(request, error.reason)
        else:
            _refuse(form, error)
        return False
    act = _newest_act(of) if of else None
    tag = f"{UNDO}{of.pk}-{act}" if of and act and act != before else ""
    messages.success(request, done(result) if callable(done) else done, extra_tags=tag)
    return True


def _newest_act(company: Company) -> uuid.UUID | None:
    found: uuid.UUID | None = company.ledger.order_by("-pk").values_list("act", flat=True).first()
    return found


def run_form_and_flash(
    request: HttpRequest,
    form: forms.BaseForm,
    service: Callable[[], ResultT],
    done: str | Callable[[ResultT], str],
    *,
    of: Company | None = None,
) -> bool:
    """Like `run_and_flash`, for a small form on another page: errors of the form are shown as a message, too."""
    if form.is_valid():
        return run_and_flash(request, service, done, of=of)
    messages.error(request, first_errors(form))
    return False


def for_price(price: int, company: Company) -> str:
    """Return text like ", for 5 points" that follows the name of what was bought; empty if it was free."""
    return f", for {pluralize(price, money_of(company))}" if price else ""


def row_id(text: str) -> int:
    """Return an ID from a form; if it is invalid, 0, which no row has."""
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def first_errors(form: forms.BaseForm) -> str:
    """Return all errors of a form as one line."""
    return " ".join(
        f"{form.fields[field].label or field}: {text}" if field in form.fields else str(text)
        for field, texts in form.errors.items()
        for text in texts
    )
