"""API of random names."""

from __future__ import annotations

import pydantic
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters.api.parts import player
from rosters.naming.roll import company_name, pilot_name, unit_name
from rosters.rows import own_company


class PilotNameAnswer(pydantic.BaseModel):
    name: str
    callsign: str


class NamesAnswer(pydantic.BaseModel):
    """Random names that nobody in the company has or had."""

    pilot: PilotNameAnswer
    unit: str


class CompanyNameAnswer(pydantic.BaseModel):
    """A random name that none of your companies has."""

    company: str


class Names(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(tags=["names"], operation_id="names_roll", responses={200: NamesAnswer})
    def get(self, request: Request, pk: int) -> Response:
        """Return a random pilot's name and callsign and a unit's name for your company, new ones on each request."""
        company = own_company(request, pk)
        pilot = pilot_name(company)
        answer = NamesAnswer(
            pilot=PilotNameAnswer(name=pilot.name, callsign=pilot.callsign), unit=unit_name(company)
        )  # fmt: skip
        return Response(answer.model_dump())


class CompanyNames(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(tags=["names"], operation_id="names_roll_company", responses={200: CompanyNameAnswer})
    def get(self, request: Request) -> Response:
        """Return a random name for a company, a new one on each request."""
        return Response(CompanyNameAnswer(company=company_name(player(request))).model_dump())


urls = [
    path("companies/names/", CompanyNames.as_view(), name="api-company-names"),
    path("companies/<int:pk>/names/", Names.as_view(), name="api-names"),
]
