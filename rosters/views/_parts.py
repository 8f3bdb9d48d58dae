"""What the rosters views share: a service's refusal on the form that asked, what it did in a message."""

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
from rosters.models import Company, Player
from rosters.origins.selectors import origin_shown
from rosters.selectors import CompanySheet
from rosters.services import RefusedError, money_of
from systems.documents import DocumentError
from systems.words import pluralize

ResultT = TypeVar("ResultT")
RowT = TypeVar("RowT", bound=Model)
UNDO = "undo-"  # before the company and the act that a message can take back


def player(request: HttpRequest) -> Player:
    """The signed-in player; for views that ask for one."""
    assert isinstance(request.user, Player)
    return request.user


def company_context(request: HttpRequest, company: Company, sheet: CompanySheet) -> dict[str, object]:
    """What every page about a company needs."""
    is_own = policy.can_change(request.user, company)
    key = request.GET.get("key", "")
    return {
        "company": sheet,
        "origin": origin_shown(company),
        "is_own": is_own,
        "key_query": f"?key={company.link_key}" if key and not is_own else "",
        "link": request.build_absolute_uri(reverse("rosters:company", args=[company.pk])) + f"?key={company.link_key}",
    }


def attempt(form: forms.BaseForm, service: Callable[[], ResultT]) -> ResultT | None:
    """What the service returns; None if it refuses, with the reason on the form's field."""
    try:
        return service()
    except (RefusedError, DocumentError) as error:
        _refuse(form, error)
        return None


def _refuse(form: forms.BaseForm, error: RefusedError | DocumentError) -> None:
    field = error.path if isinstance(error, DocumentError) else error.field
    form.add_error(field if field in form.fields else None, error.reason)


def searched(request: HttpRequest, name: str = "q") -> str:
    """The words that the reader searches for, as a database takes them."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:100]


@contextmanager
def edited(request: HttpRequest, row: RowT) -> Iterator[RowT]:
    """The row that a page edits. For a form that is sent: as it stands, and locked until that is saved or refused; 404 if
    it is gone since."""
    if request.method != "POST":
        yield row
        return
    with transaction.atomic():
        yield get_object_or_404(row.__class__._default_manager.select_for_update(no_key=True), pk=row.pk)


def say(
    request: HttpRequest,
    service: Callable[[], ResultT],
    done: str | Callable[[ResultT], str],
    *,
    of: Company | None = None,
    form: forms.BaseForm | None = None,
) -> bool:
    """Runs a service of a one-button form; says what it did, or why it refused: on the form, if it is shown again. What it
    wrote to the ledger of the company can be undone from the message."""
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


def say_form(
    request: HttpRequest,
    form: forms.BaseForm,
    service: Callable[[], ResultT],
    done: str | Callable[[ResultT], str],
    *,
    of: Company | None = None,
) -> bool:
    """As `say`, for a small form whose page is another one: what it gets wrong is said there."""
    if form.is_valid():
        return say(request, service, done, of=of)
    messages.error(request, first_errors(form))
    return False


def for_price(price: int, company: Company) -> str:
    """What was paid, after what it was paid for; nothing if it cost nothing."""
    return f", for {pluralize(price, money_of(company))}" if price else ""


def row_id(text: str) -> int:
    """An id out of a form; 0, which no row has, if it is none."""
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def first_errors(form: forms.BaseForm) -> str:
    """All errors of a form as one line."""
    return " ".join(
        f"{form.fields[field].label or field}: {text}" if field in form.fields else str(text)
        for field, texts in form.errors.items()
        for text in texts
    )
