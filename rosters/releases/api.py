"""API of catalogue versions."""

from __future__ import annotations

from typing import Literal

import pydantic
from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import hooks
from rosters.api.base import StrictCharField, StrictSerializer, player, valid
from rosters.api.headers import idempotent
from rosters.models import Company
from rosters.releases.selectors import CompanyChange, ReleaseRow, company_offer, describe_releases
from rosters.releases.services import release_adopt
from rosters.shortcuts import own_company
from systems import ROSTERS


class ReleaseFigure(pydantic.BaseModel):
    """A changed field of a catalogue entry, as text."""

    name: str
    before: str
    after: str


class ReleaseLine(pydantic.BaseModel):
    """A catalogue entry that a version changed."""

    table: str
    slug: str
    name: str
    how: Literal["changed", "new", "retired"]
    rule: str
    reason: str
    figures: list[ReleaseFigure]


class ReleaseDesign(pydantic.BaseModel):
    """A published design that a version affected, with its points before and after; null if it wasn't offered.

    `played` is the house rule under which this applies; empty if it always does.
    """

    slug: str
    name: str
    before: int | None
    after: int | None
    played: str


class ReleaseAnswer(pydantic.BaseModel):
    """A version of a game's catalogue."""

    number: str
    on: str
    title: str
    reason: str
    changes: list[ReleaseLine]
    designs: list[ReleaseDesign]


class RulesVersionAnswer(pydantic.BaseModel):
    """A version of a game's battle rules. Records of older versions can be played back, but not simulated again."""

    number: int
    on: str
    what: str
    is_current: bool


class ReleasesAnswer(pydantic.BaseModel):
    """The versions of a game's catalogue and of its rules, newest first."""

    system: str
    releases: list[ReleaseAnswer]
    rules_versions: list[RulesVersionAnswer]


class UnitReleaseAnswer(pydantic.BaseModel):
    """A unit that a version affects: its points, new problems, and parts that are no longer sold."""

    id: int
    name: str
    before: int
    after: int
    problems: list[str]
    retired: list[str]


class CompanyReleaseAnswer(pydantic.BaseModel):
    """The catalogue version of a company, and the effects of changing to the newest.

    `kept` says why the company can't change now. It is empty if it can, or if it has the newest version.
    """

    release: str
    newest: str
    points_before: int | None
    points_after: int | None
    units: list[UnitReleaseAnswer]
    kept: str


class ReleaseRequest(StrictSerializer):
    release = StrictCharField(max_length=20, help_text="a newer version than the company uses")


class Releases(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(tags=["releases"], operation_id="releases_retrieve", responses={200: ReleasesAnswer})
    def get(self, request: Request, system: str) -> Response:
        """Return the versions of a game's catalogue, with their changes and reasons, and of its battle rules."""
        if system not in ROSTERS:
            raise Http404
        history = describe_releases(system)
        answer = ReleasesAnswer(
            system=system,
            releases=[release_answer(each) for each in history.releases],
            rules_versions=[
                RulesVersionAnswer(
                    number=each.version.number, on=each.version.on, what=each.version.what, is_current=each.is_now
                )
                for each in history.versions
            ],
        )
        return Response(answer.model_dump())


class CompanyRelease(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(tags=["releases"], operation_id="companies_release_retrieve", responses={200: CompanyReleaseAnswer})
    def get(self, request: Request, pk: int) -> Response:
        """Return the effects of changing your company to the newest version."""
        return Response(_company_answer(own_company(request, pk)))

    @idempotent
    @extend_schema(
        tags=["releases"],
        operation_id="companies_release_adopt",
        request=ReleaseRequest,
        responses={200: CompanyReleaseAnswer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Change your company to a newer version. Past prices stay; new purchases have the new prices.

        The change can be undone. A company in a campaign changes together with its campaign.
        """
        company = own_company(request, pk)
        return Response(
            _company_answer(release_adopt(company=company, by=player(request), **valid(ReleaseRequest, request)))
        )


def release_answer(release: ReleaseRow) -> ReleaseAnswer:
    return ReleaseAnswer(
        number=release.number,
        on=release.on,
        title=release.title,
        reason=release.reason,
        changes=[
            ReleaseLine(
                table=line.change.table,
                slug=line.change.slug,
                name=line.change.name,
                how=line.change.how,
                rule=line.change.rule,
                reason=line.change.reason,
                figures=[
                    ReleaseFigure(name=each.name, before=each.before, after=each.after) for each in line.change.figures
                ],
            )
            for line in release.lines
        ],
        designs=[
            ReleaseDesign(slug=each.slug, name=each.name, before=each.before, after=each.after, played=each.played)
            for each in release.touched
        ],
    )


def units_answer(change: CompanyChange) -> list[UnitReleaseAnswer]:
    return [
        UnitReleaseAnswer(
            id=each.id,
            name=each.name,
            before=each.before,
            after=each.after,
            problems=[f"{problem.message} ({problem.rule})" for problem in each.problems],
            retired=list(each.retired),
        )
        for each in change.units
    ]


def _company_answer(company: Company) -> dict[str, object]:
    offer = company_offer(company)
    change = offer.change
    answer = CompanyReleaseAnswer(
        release=offer.release,
        newest=offer.newest,
        points_before=change.before if change else None,
        points_after=change.after if change else None,
        units=units_answer(change) if change else [],
        kept=hooks.release_kept(company) if change else "",
    )
    return answer.model_dump()


urls = [
    path("releases/<slug:system>/", Releases.as_view(), name="api-releases"),
    path("companies/<int:pk>/release/", CompanyRelease.as_view(), name="api-company-release"),
]
