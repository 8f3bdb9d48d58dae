"""The rosters half of the API: designs, companies, units, pilots. Reads call selectors, writes call services."""

from __future__ import annotations

from typing import Any

from django.db.models import Sum
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.permissions import AllowAny, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import selectors, services
from rosters.documents import read_design
from rosters.exports import company_document
from rosters.legality import Check
from rosters.models import Company, Design, Pilot, Player, Unit, Visibility
from rosters.selectors import CompanySheet, PilotRow, UnitRow
from rosters.services.companies import POINTS_DEFAULT, POINTS_LEAST, POINTS_MOST
from rosters.systems import SYSTEMS, get_system

# --- what goes in -----------------------------------------------------------------------------------------------------


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError({str(field): ["unknown field"] for field in unknown[:10]})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A text; numbers are not taken for one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("must be a text")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number; texts and 3.0 are not taken for one."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            raise serializers.ValidationError("must be a whole number")
        return super().to_internal_value(data)


class CompanyIn(StrictSerializer):
    system = serializers.ChoiceField(choices=list(SYSTEMS))
    name = Text(max_length=60)
    points = Whole(min_value=POINTS_LEAST, max_value=POINTS_MOST, default=POINTS_DEFAULT)
    motto = Text(max_length=120, allow_blank=True, required=False)
    colour = Text(max_length=7, required=False)
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False)


class CompanyChange(StrictSerializer):
    name = Text(max_length=60, required=False)
    motto = Text(max_length=120, allow_blank=True, required=False)
    colour = Text(max_length=7, required=False)
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False)


class UnitIn(StrictSerializer):
    published = Text(max_length=60, required=False, help_text="slug of a published design")
    design = Whole(min_value=1, required=False, help_text="id of an own design")
    name = Text(max_length=60, required=False, allow_blank=True)


class NameIn(StrictSerializer):
    name = Text(max_length=60)


class AssignIn(StrictSerializer):
    pilot = Whole(min_value=1, allow_null=True)


class PilotIn(StrictSerializer):
    name = Text(max_length=60)
    callsign = Text(max_length=30, required=False, allow_blank=True)


class HireIn(PilotIn):
    experience = Text(max_length=20, default="green")


class DesignIn(serializers.Serializer[Any]):
    """A design/1 document."""

    muster = serializers.ChoiceField(choices=["design/1"])
    system = serializers.ChoiceField(choices=list(SYSTEMS))
    name = serializers.CharField(max_length=60)
    spec = serializers.DictField(help_text="as the rule system defines it")


# --- what comes out ---------------------------------------------------------------------------------------------------


class RefusalOut(serializers.Serializer[Any]):
    field = serializers.CharField()
    reason = serializers.CharField()


class ErrorsOut(serializers.Serializer[Any]):
    errors = RefusalOut(many=True)  # type: ignore[assignment]


class ProblemOut(serializers.Serializer[Any]):
    rule = serializers.CharField()
    message = serializers.CharField()
    place = serializers.CharField(allow_blank=True)


class BillOut(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]
    points = serializers.IntegerField()


class CheckOut(serializers.Serializer[Any]):
    legal = serializers.BooleanField()
    points = serializers.IntegerField()
    problems = ProblemOut(many=True)
    warnings = ProblemOut(many=True)
    bill = BillOut(many=True)
    notes = serializers.ListField(child=serializers.CharField())


class DesignOut(DesignIn):
    id = serializers.IntegerField()
    visibility = serializers.ChoiceField(choices=Visibility.choices)
    check = CheckOut()


class PublishedOut(DesignIn):
    slug = serializers.CharField()
    printed_points = serializers.IntegerField()
    note = serializers.CharField(allow_blank=True)
    check = CheckOut()


class CompanyLine(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    system = serializers.CharField()
    name = serializers.CharField()
    owner = serializers.CharField()
    visibility = serializers.CharField()
    balance = serializers.IntegerField()


class UnitOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    design_name = serializers.CharField()
    design = serializers.DictField()
    status = serializers.CharField()
    points = serializers.IntegerField()
    paid = serializers.IntegerField()
    sale = serializers.IntegerField()
    repair = serializers.IntegerField()
    condition = serializers.DictField()
    pilot = serializers.IntegerField(allow_null=True)
    problems = ProblemOut(many=True)


class PilotOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    callsign = serializers.CharField(allow_blank=True)
    status = serializers.CharField()
    experience = serializers.CharField()
    skills = serializers.ListField(child=serializers.CharField())
    kills = serializers.IntegerField()
    games = serializers.IntegerField()
    wounds = serializers.IntegerField()
    unit = serializers.IntegerField(allow_null=True)


class CompanyOut(CompanyLine):
    motto = serializers.CharField(allow_blank=True)
    colour = serializers.CharField()
    value = serializers.IntegerField()
    units = UnitOut(many=True)
    pilots = PilotOut(many=True)
    problems = ProblemOut(many=True)


REFUSALS = {
    400: OpenApiResponse(ErrorsOut, "The document can't be read; names the field."),
    422: OpenApiResponse(ErrorsOut, "Refused by the rules or by what is there; names the field."),
}
GONE = {404: OpenApiResponse(ErrorsOut, "Not there, or not yours to see.")}


def check_json(check: Check) -> dict[str, Any]:
    """A check as the API answers it."""
    return {
        "legal": check.legal,
        "points": check.points,
        "problems": [_problem(problem) for problem in check.problems],
        "warnings": [_problem(warning) for warning in check.warnings],
        "bill": [{"label": line.label, "points": line.points} for line in check.bill],
        "notes": list(check.notes),
    }


# --- designs ----------------------------------------------------------------------------------------------------------


class DesignCheck(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        request=DesignIn, responses={200: CheckOut, **REFUSALS}, operation_id="designs_check", tags=["designs"]
    )
    def post(self, request: Request) -> Response:
        """Points, bill and every problem of a design/1 document; nothing is stored."""
        document, spec = read_design(_object(request))
        return Response(check_json(get_system(document.system).check_design(spec)))


class PublishedDesigns(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(responses=PublishedOut(many=True), operation_id="designs_published", tags=["designs"])
    def get(self, request: Request) -> Response:
        """The designs that the rulebooks print, as documents with their checks."""
        return Response(
            [
                {
                    "muster": "design/1",
                    "slug": card.key,
                    "system": card.system,
                    "name": card.name,
                    "spec": card.spec,
                    "printed_points": card.printed_points,
                    "note": card.note,
                    "check": check_json(card.check),
                }
                for slug in SYSTEMS
                for card in selectors.designs_published(slug)
            ]
        )


class Designs(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        responses=DesignOut(many=True),
        operation_id="designs_list",
        tags=["designs"],
        parameters=[OpenApiParameter("limit", int), OpenApiParameter("offset", int)],
    )
    def get(self, request: Request) -> Response:
        """Your own designs."""
        return _paged(request, self, Design.objects.filter(author=_player(request)), _design)

    @extend_schema(
        request=DesignIn, responses={201: DesignOut, **REFUSALS}, operation_id="designs_create", tags=["designs"]
    )
    def post(self, request: Request) -> Response:
        """Saves a design; it may have problems."""
        document, _ = read_design(_object(request))
        design = services.design_save(
            author=_player(request), system=document.system, name=document.name, spec=document.spec
        )
        return Response(_design(design), status=status.HTTP_201_CREATED)


class DesignDetail(APIView):
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(responses={200: DesignOut, **GONE}, operation_id="designs_read", tags=["designs"])
    def get(self, request: Request, pk: int) -> Response:
        """A design that you may see."""
        try:
            design = selectors.design_get(reader=request.user, pk=pk, link_key=request.query_params.get("key", ""))
        except Design.DoesNotExist:
            raise Http404 from None
        return Response(_design(design))

    @extend_schema(
        request=DesignIn,
        responses={200: DesignOut, **REFUSALS, **GONE},
        operation_id="designs_update",
        tags=["designs"],
    )
    def put(self, request: Request, pk: int) -> Response:
        """Rebuilds your design."""
        design = _own_design(request, pk)
        document, _ = read_design(_object(request))
        changed = services.design_save(
            author=_player(request), system=document.system, name=document.name, spec=document.spec, design=design
        )
        return Response(_design(changed))

    @extend_schema(responses={204: None, **GONE}, operation_id="designs_delete", tags=["designs"])
    def delete(self, request: Request, pk: int) -> Response:
        """Deletes your design; units bought from it stay as they are."""
        services.design_delete(design=_own_design(request, pk), by=_player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- companies --------------------------------------------------------------------------------------------------------


class Companies(APIView):
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        responses=CompanyLine(many=True),
        operation_id="companies_list",
        tags=["companies"],
        parameters=[
            OpenApiParameter("limit", int),
            OpenApiParameter("offset", int),
            OpenApiParameter("own", bool, description="only your own"),
        ],
    )
    def get(self, request: Request) -> Response:
        """Your companies and the public ones."""
        rows = selectors.companies_visible_to(request.user)
        if request.query_params.get("own") in ("1", "true") and request.user.is_authenticated:
            rows = rows.filter(owner=request.user.pk)
        return _paged(request, self, rows.annotate(balance=Sum("ledger__points")), _company_line)

    @extend_schema(
        request=CompanyIn, responses={201: CompanyOut, **REFUSALS}, operation_id="companies_create", tags=["companies"]
    )
    def post(self, request: Request) -> Response:
        """Founds a company."""
        company = services.company_found(owner=_player(request), **_valid(CompanyIn, request))
        return Response(_company(company), status=status.HTTP_201_CREATED)


class CompanyDetail(APIView):
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(responses={200: CompanyOut, **GONE}, operation_id="companies_read", tags=["companies"])
    def get(self, request: Request, pk: int) -> Response:
        """A company that you may see, as it stands."""
        return Response(_company(_seen_company(request, pk)))

    @extend_schema(
        request=CompanyChange,
        responses={200: CompanyOut, **REFUSALS, **GONE},
        operation_id="companies_update",
        tags=["companies"],
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Changes name, motto, colour, visibility."""
        company = _own_company(request, pk)
        return Response(
            _company(services.company_change(company=company, by=_player(request), **_valid(CompanyChange, request)))
        )


class CompanyExport(APIView):
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "a company/1 document"), **GONE},
        operation_id="companies_export",
        tags=["companies"],
    )
    def get(self, request: Request, pk: int) -> Response:
        """The company with its ledger as a company/1 document."""
        return Response(company_document(_seen_company(request, pk)))


class CompanyUndo(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=None, responses={200: CompanyOut, **REFUSALS, **GONE}, operation_id="companies_undo", tags=["companies"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Takes back the last act."""
        company = _own_company(request, pk)
        services.undo_last_act(company=company, by=_player(request))
        return Response(_company(company))


# --- units ------------------------------------------------------------------------------------------------------------


class Units(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=UnitIn, responses={201: UnitOut, **REFUSALS, **GONE}, operation_id="units_buy", tags=["units"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Buys a unit of a published design or of one of yours."""
        company = _own_company(request, pk)
        wanted = _valid(UnitIn, request)
        design = None
        if "design" in wanted:
            design = Design.objects.filter(author=_player(request), pk=wanted["design"]).first()
            if design is None:
                raise services.RefusedError("design", "You have no such design.")
        unit = services.unit_buy(
            company=company,
            by=_player(request),
            published=wanted.get("published", ""),
            design=design,
            name=wanted.get("name", ""),
        )
        return Response(_unit_of(company, unit), status=status.HTTP_201_CREATED)


class UnitDetail(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=NameIn, responses={200: UnitOut, **REFUSALS, **GONE}, operation_id="units_rename", tags=["units"]
    )
    def patch(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Renames the unit."""
        company, unit = _own_unit(request, pk, unit_pk)
        services.unit_rename(company=company, by=_player(request), unit=unit, **_valid(NameIn, request))
        return Response(_unit_of(company, unit))


class UnitSell(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=None, responses={200: UnitOut, **REFUSALS, **GONE}, operation_id="units_sell", tags=["units"]
    )
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Sells the unit: for what it cost if it never fought, else for half."""
        company, unit = _own_unit(request, pk, unit_pk)
        services.unit_sell(company=company, by=_player(request), unit=unit)
        return Response(_unit_of(company, unit))


class UnitRepair(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=None, responses={200: UnitOut, **REFUSALS, **GONE}, operation_id="units_repair", tags=["units"]
    )
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Repairs the unit."""
        company, unit = _own_unit(request, pk, unit_pk)
        services.unit_repair(company=company, by=_player(request), unit=unit)
        return Response(_unit_of(company, unit))


class UnitAssign(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=AssignIn, responses={200: UnitOut, **REFUSALS, **GONE}, operation_id="units_assign", tags=["units"]
    )
    def post(self, request: Request, pk: int, unit_pk: int) -> Response:
        """Puts a pilot in the unit's seat; null empties it."""
        company, unit = _own_unit(request, pk, unit_pk)
        wanted = _valid(AssignIn, request)["pilot"]
        pilot = Pilot.objects.filter(company=company, pk=wanted).first() if wanted else None
        if wanted and pilot is None:
            raise services.RefusedError("pilot", "There is no such pilot in this company.")
        services.pilot_assign(company=company, by=_player(request), unit=unit, pilot=pilot)
        return Response(_unit_of(company, unit))


# --- pilots -----------------------------------------------------------------------------------------------------------


class Pilots(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=HireIn, responses={201: PilotOut, **REFUSALS, **GONE}, operation_id="pilots_hire", tags=["pilots"]
    )
    def post(self, request: Request, pk: int) -> Response:
        """Hires a pilot."""
        company = _own_company(request, pk)
        pilot = services.pilot_hire(company=company, by=_player(request), **_valid(HireIn, request))
        return Response(_pilot_of(company, pilot), status=status.HTTP_201_CREATED)


class PilotDetail(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=PilotIn, responses={200: PilotOut, **REFUSALS, **GONE}, operation_id="pilots_rename", tags=["pilots"]
    )
    def patch(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Renames the pilot."""
        company, pilot = _own_pilot(request, pk, pilot_pk)
        services.pilot_rename(company=company, by=_player(request), pilot=pilot, **_valid(PilotIn, request))
        return Response(_pilot_of(company, pilot))


class PilotRetire(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=None, responses={200: PilotOut, **REFUSALS, **GONE}, operation_id="pilots_retire", tags=["pilots"]
    )
    def post(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Retires the pilot."""
        company, pilot = _own_pilot(request, pk, pilot_pk)
        services.pilot_retire(company=company, by=_player(request), pilot=pilot)
        return Response(_pilot_of(company, pilot))


# --- parts ------------------------------------------------------------------------------------------------------------


def _player(request: Request) -> Player:
    assert isinstance(request.user, Player)
    return request.user


def _object(request: Request) -> dict[str, Any]:
    return dict(request.data) if isinstance(request.data, dict) else {}  # the parser refuses all but objects


def _valid(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def _seen_company(request: Request, pk: int) -> Company:
    try:
        return selectors.company_get(reader=request.user, pk=pk, link_key=request.query_params.get("key", ""))
    except Company.DoesNotExist:
        raise Http404 from None


def _own_company(request: Request, pk: int) -> Company:
    try:
        return selectors.company_own(player=request.user, pk=pk)
    except Company.DoesNotExist:
        raise Http404 from None


def _own_design(request: Request, pk: int) -> Design:
    try:
        return selectors.design_own(player=request.user, pk=pk)
    except Design.DoesNotExist:
        raise Http404 from None


def _own_unit(request: Request, pk: int, unit_pk: int) -> tuple[Company, Unit]:
    company = _own_company(request, pk)
    try:
        return company, Unit.objects.get(company=company, pk=unit_pk)
    except Unit.DoesNotExist:
        raise Http404 from None


def _own_pilot(request: Request, pk: int, pilot_pk: int) -> tuple[Company, Pilot]:
    company = _own_company(request, pk)
    try:
        return company, Pilot.objects.get(company=company, pk=pilot_pk)
    except Pilot.DoesNotExist:
        raise Http404 from None


class Pages(LimitOffsetPagination):
    """Pages by limit and offset; neither is larger than a database takes."""

    max_limit = 200

    def get_offset(self, request: Request) -> int:
        return min(super().get_offset(request), 10**9)


def _paged(request: Request, view: APIView, rows: Any, to_json: Any) -> Response:
    pages = Pages()
    page: Any = pages.paginate_queryset(rows, request, view)
    return pages.get_paginated_response([to_json(row) for row in page or ()])


def _problem(problem: Any) -> dict[str, str]:
    return {"rule": problem.rule, "message": problem.message, "place": problem.place}


def _design(design: Design) -> dict[str, Any]:
    rules = get_system(design.system)
    return {
        "id": design.pk,
        "muster": "design/1",
        "system": design.system,
        "name": design.name,
        "spec": design.spec,
        "visibility": design.visibility,
        "check": check_json(rules.check_design(rules.parse_spec(design.spec))),
    }


def _company_line(company: Any) -> dict[str, Any]:
    return {
        "id": company.pk,
        "system": company.system,
        "name": company.name,
        "owner": str(company.owner),
        "visibility": company.visibility,
        "balance": company.balance,
    }


def _company(company: Company) -> dict[str, Any]:
    sheet: CompanySheet = selectors.company_sheet(company)
    return {
        "id": sheet.id,
        "system": sheet.system,
        "name": sheet.name,
        "owner": sheet.owner,
        "visibility": sheet.visibility,
        "balance": sheet.balance,
        "motto": sheet.motto,
        "colour": sheet.colour,
        "value": sheet.value,
        "units": [_unit(unit) for unit in sheet.units],
        "pilots": [_pilot(pilot) for pilot in sheet.pilots],
        "problems": [_problem(problem) for problem in sheet.check.problems],
    }


def _unit_of(company: Company, unit: Unit) -> dict[str, Any]:
    row = selectors.company_sheet(company).unit(unit.pk)
    assert row is not None
    return _unit(row)


def _pilot_of(company: Company, pilot: Pilot) -> dict[str, Any]:
    row = selectors.company_sheet(company).pilot(pilot.pk)
    assert row is not None
    return _pilot(row)


def _unit(unit: UnitRow) -> dict[str, Any]:
    return {
        "id": unit.id,
        "name": unit.name,
        "design_name": unit.design_name,
        "design": unit.spec,
        "status": unit.status,
        "points": unit.points,
        "paid": unit.paid,
        "sale": unit.sale,
        "repair": unit.repair,
        "condition": unit.condition,
        "pilot": unit.pilot.id if unit.pilot else None,
        "problems": [_problem(problem) for problem in unit.problems],
    }


def _pilot(pilot: PilotRow) -> dict[str, Any]:
    return {
        "id": pilot.id,
        "name": pilot.name,
        "callsign": pilot.callsign,
        "status": pilot.status,
        "experience": pilot.level,
        "skills": list(pilot.skills),
        "kills": pilot.kills,
        "games": pilot.games,
        "wounds": pilot.wounds,
        "unit": pilot.seat.id if pilot.seat else None,
    }
