"""The API of the hall of fame: a club's records, medals and fallen pilots, a company's medals, a pilot's biography."""

from __future__ import annotations

from datetime import datetime

import pydantic
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.hall_of_fame import selectors as reads
from campaigns.hall_of_fame.medals import MEDALS, Award, Holder, Kind, Medal, PlayedMatch
from campaigns.shortcuts import club_or_404
from rosters.api.base import LINK_KEY, Query, asked
from rosters.selectors import company_sheet, pilot_row
from rosters.shortcuts import visible_company, visible_pilot


class HolderAnswer(pydantic.BaseModel):
    """A pilot, unit or company with its `id`. `company` is its company."""

    kind: Kind
    id: int
    name: str
    company: int
    company_name: str


class PlayedMatchAnswer(pydantic.BaseModel):
    """A match in short. `at` is when it was written to the ledgers."""

    match: str
    title: str
    campaign: int
    round: int
    at: str


class MedalAnswer(pydantic.BaseModel):
    slug: str
    name: str
    of: str
    rule: str
    given: int  # how often in this club


class AwardAnswer(pydantic.BaseModel):
    """An awarded medal and its reason."""

    medal: str
    to: HolderAnswer
    cause: str
    match: PlayedMatchAnswer


class RecordAnswer(pydantic.BaseModel):
    what: str
    holder: HolderAnswer
    figure: str
    match: PlayedMatchAnswer


class HeroAnswer(pydantic.BaseModel):
    """A pilot in the hall of fame, or a unit without a pilot."""

    who: HolderAnswer
    medals: list[str]
    matches: int
    kills: int
    is_dead: bool


class HallOfFameAnswer(pydantic.BaseModel):
    """The hall of fame and the record book, from the matches you may see."""

    matches: int
    medals: int
    fallen: int
    hall: list[HeroAnswer]
    records: list[RecordAnswer]


class MedalsAnswer(pydantic.BaseModel):
    """The catalogue of medals, and the awards, latest first."""

    medals: list[MedalAnswer]
    awards: list[AwardAnswer]


class FallenAnswer(pydantic.BaseModel):
    """A pilot killed in a match: their unit, what destroyed it, and their totals in the club's matches."""

    who: HolderAnswer
    unit: str
    how: str
    against: str
    match: PlayedMatchAnswer
    matches: int
    kills: int


class FallenList(pydantic.BaseModel):
    results: list[FallenAnswer]


class HonoursAnswer(pydantic.BaseModel):
    """The medals of the company, its units and its pilots in the clubs and campaigns you may see."""

    results: list[AwardAnswer]


class BiographyAnswer(pydantic.BaseModel):
    """A pilot's biography in sentences, with dates in UTC."""

    sentences: list[str]


class MedalQuery(Query):
    medal = serializers.ChoiceField(choices=tuple(MEDALS), required=False, help_text="only awards of this medal")


class ClubHallOfFame(APIView):
    @extend_schema(tags=["fame"], operation_id="hall_of_fame_retrieve", responses={200: HallOfFameAnswer})
    def get(self, request: Request, slug: str) -> Response:
        """Return a club's hall of fame and records."""
        chronicle = reads.club_match_history(club_or_404(request._request, slug), request.user)
        fame = reads.club_hall_of_fame(chronicle)
        answer = HallOfFameAnswer(
            matches=fame.matches,
            medals=fame.medals,
            fallen=fame.dead,
            hall=[
                HeroAnswer(
                    who=_who(hero.who),
                    medals=[award.medal.slug for award in hero.medals],
                    matches=hero.games,
                    kills=hero.kills,
                    is_dead=hero.is_dead,
                )
                for hero in fame.heroes
            ],
            records=[
                RecordAnswer(what=each.what, holder=_who(each.who), figure=each.figure, match=_match(each.game))
                for each in fame.records
            ],
        )
        return Response(answer.model_dump(mode="json"))


class ClubMedals(APIView):
    @extend_schema(
        tags=["fame"], operation_id="medals_retrieve", responses={200: MedalsAnswer}, parameters=[MedalQuery]
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """List a club's medals and who got them."""
        wanted = asked(MedalQuery, request).get("medal")
        chronicle = reads.club_match_history(club_or_404(request._request, slug), request.user)
        lines = reads.club_medals(chronicle)
        given = [award for award in reversed(chronicle.awards) if wanted in (None, award.medal.slug)]
        answer = MedalsAnswer(
            medals=[_medal(line.medal, line.number) for line in lines], awards=[_award(award) for award in given]
        )
        return Response(answer.model_dump(mode="json"))


class ClubFallen(APIView):
    @extend_schema(tags=["fame"], operation_id="fallen_list", responses={200: FallenList})
    def get(self, request: Request, slug: str) -> Response:
        """List the pilots killed in club matches, latest first."""
        chronicle = reads.club_match_history(club_or_404(request._request, slug), request.user)
        results = [
            FallenAnswer(
                who=_who(each.who),
                unit=each.unit,
                how=each.how.strip(),
                against=each.against,
                match=_match(each.game),
                matches=each.games,
                kills=each.kills,
            )
            for each in chronicle.fallen
        ]
        return Response(FallenList(results=results).model_dump(mode="json"))


class CompanyHonours(APIView):
    @extend_schema(tags=["fame"], operation_id="honours_list", responses={200: HonoursAnswer}, parameters=[LINK_KEY])
    def get(self, request: Request, pk: int) -> Response:
        """List the medals you may see of a company, its units and its pilots, oldest first."""
        company = visible_company(request._request, pk)
        found = reads.company_honours(company.pk, request.user)
        return Response(HonoursAnswer(results=[_award(award) for award in found.awards]).model_dump(mode="json"))


class PilotBiography(APIView):
    @extend_schema(
        tags=["fame"], operation_id="biography_retrieve", responses={200: BiographyAnswer}, parameters=[LINK_KEY]
    )
    def get(self, request: Request, pk: int, pilot_pk: int) -> Response:
        """Return a pilot's biography in sentences, from their company's ledger."""
        company, pilot = visible_pilot(request._request, pk, pilot_pk)
        honours = reads.company_honours(company.pk, request.user)
        life = reads.pilot_biography(company_sheet(company), pilot_row(company, pilot.pk), honours)
        sentences = ["".join(_part_text(part) for part in sentence) for sentence in life]
        return Response(BiographyAnswer(sentences=sentences).model_dump(mode="json"))


def _part_text(part: str | datetime) -> str:
    return part if isinstance(part, str) else f"{part.day} {part:%B %Y}"


def _who(who: Holder) -> HolderAnswer:
    return HolderAnswer(kind=who.kind, id=who.id, name=who.name, company=who.company, company_name=who.company_name)


def _match(game: PlayedMatch) -> PlayedMatchAnswer:
    return PlayedMatchAnswer(
        match=str(game.match), title=game.title, campaign=game.campaign, round=game.round, at=game.at.isoformat()
    )


def _medal(medal: Medal, given: int) -> MedalAnswer:
    return MedalAnswer(slug=medal.slug, name=medal.name, of=medal.of, rule=medal.rule, given=given)


def _award(award: Award) -> AwardAnswer:
    return AwardAnswer(medal=award.medal.slug, to=_who(award.to), cause=award.cause, match=_match(award.game))


urlpatterns = [
    path("clubs/<slug:slug>/fame/", ClubHallOfFame.as_view(), name="api-hall-of-fame"),
    path("clubs/<slug:slug>/medals/", ClubMedals.as_view(), name="api-medals"),
    path("clubs/<slug:slug>/fallen/", ClubFallen.as_view(), name="api-fallen-pilots"),
    path("companies/<int:pk>/honours/", CompanyHonours.as_view(), name="api-company-honours"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/biography/", PilotBiography.as_view(), name="api-pilot-biography"),
]
