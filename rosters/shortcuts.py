"""Functions that return a row for a page or an endpoint, or raise Http404 if the visitor may not see it."""

from __future__ import annotations

import uuid
from typing import TypeVar

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from rosters.database.queries import PreparedQuery
from rosters.models import Company, Design, Pilot, PilotStatus, PrintJob, Scenario, Unit, UnitStatus
from rosters.policy import can_change, can_see
from rosters.site.retention import ExplainedNotFoundError, kept_for

RowT = TypeVar("RowT", Company, Design, Scenario)
MemberT = TypeVar("MemberT", Unit, Pilot)
UNITS = Unit.objects.exclude(status=UnitStatus.UNDONE)
PILOTS = Pilot.objects.exclude(status=PilotStatus.UNDONE)
COMPANY = PreparedQuery(lambda pk: Company.objects.filter(pk=pk).select_related("owner", "origin__imported_by"), pk=int)
DESIGN = PreparedQuery(lambda pk: Design.objects.filter(pk=pk).select_related("author"), pk=int)
SCENARIO = PreparedQuery(lambda pk: Scenario.objects.filter(pk=pk).select_related("author"), pk=int)


def visible_company(request: HttpRequest | Request, pk: int) -> Company:
    """Return the company if the visitor may see it, else 404; a disbanded company only for its owner."""
    company = _seen(request, COMPANY.row(pk=pk))
    return _own(request, company) if company.disbanded_at else company


def own_company(request: HttpRequest | Request, pk: int) -> Company:
    """Return the visitor's own company, else 404."""
    return _own(request, COMPANY.row(pk=pk))


def visible_design(request: HttpRequest | Request, pk: int) -> Design:
    """Return the design if the visitor may see it, else 404."""
    return _seen(request, DESIGN.row(pk=pk))


def own_design(request: HttpRequest | Request, pk: int) -> Design:
    """Return the visitor's own design, else 404."""
    return _own(request, DESIGN.row(pk=pk))


def _seen(request: HttpRequest | Request, row: RowT | None) -> RowT:
    if row is None or not can_see(request.user, row, request.GET.get("key", "")):
        raise Http404
    return row


def _own(request: HttpRequest | Request, row: RowT | None) -> RowT:
    if row is None or not can_change(request.user, row):
        raise Http404
    return row


def visible_scenario(request: HttpRequest | Request, pk: int) -> Scenario:
    """Return the scenario if the visitor may see it, else 404."""
    return _seen(request, SCENARIO.row(pk=pk))


def own_scenario(request: HttpRequest | Request, pk: int) -> Scenario:
    """Return the visitor's own scenario, else 404."""
    return _own(request, SCENARIO.row(pk=pk))


def visible_unit(request: HttpRequest | Request, pk: int, unit_pk: int) -> tuple[Company, Unit]:
    """Return a company that the visitor may see and one of its units, unless its purchase was undone; else 404."""
    return _with(visible_company(request, pk), UNITS, unit_pk)


def own_unit(request: HttpRequest | Request, pk: int, unit_pk: int) -> tuple[Company, Unit]:
    """Return the visitor's company and one of its units, unless its purchase was undone; else 404."""
    return _with(own_company(request, pk), UNITS, unit_pk)


def visible_pilot(request: HttpRequest | Request, pk: int, pilot_pk: int) -> tuple[Company, Pilot]:
    """Return a company that the visitor may see and one of its pilots, unless their hiring was undone; else 404."""
    return _with(visible_company(request, pk), PILOTS, pilot_pk)


def own_pilot(request: HttpRequest | Request, pk: int, pilot_pk: int) -> tuple[Company, Pilot]:
    """Return the visitor's company and one of its pilots, unless their hiring was undone; else 404."""
    return _with(own_company(request, pk), PILOTS, pilot_pk)


def _with(company: Company, members: QuerySet[MemberT], pk: int) -> tuple[Company, MemberT]:
    return company, get_object_or_404(members, company=company, pk=pk)


def visible_print(request: HttpRequest | Request, key: uuid.UUID) -> PrintJob:
    """Return the print if the visitor requested it or may see its company, or if nobody owns it; else 404.

    Prints without an owner are protected by their secret key only.
    """
    missing = ExplainedNotFoundError(
        kept_for("A print that was asked for without an account is", settings.KEEP_PRINTS_DAYS)
    )
    row = PrintJob.objects.select_related("company").filter(key=key).first()
    if row is None:
        raise missing
    is_own = request.user.is_authenticated and row.asked_by_id == request.user.pk
    if row.company is not None:
        is_seen = can_see(request.user, row.company, request.GET.get("key", ""))
    else:
        is_seen = row.asked_by_id is None
    if not is_own and not is_seen:
        raise missing
    return row
