"""API of scenarios: check one, list published ones, save your own."""

from __future__ import annotations

from functools import partial

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters import services
from rosters.api.base import (
    LINK_KEY,
    PAGING,
    OwnQuery,
    Pages,
    ProblemAnswer,
    StrictCharField,
    StrictSerializer,
    SystemObject,
    asked,
    body,
    paged,
    player,
    valid,
)
from rosters.api.headers import idempotent, if_match, tagged
from rosters.models import Scenario, Visibility
from rosters.scenarios import selectors
from rosters.shortcuts import own_scenario, visible_scenario
from systems import ROSTERS, roster_rules
from systems.documents import ScenarioDocument
from systems.legality import Check
from systems.reading import read_scenario

described = partial(extend_schema, tags=["scenarios"])


class ScenarioParts(serializers.Serializer[None]):
    """A scenario/1 document."""

    muster = serializers.CharField(default="scenario/1", help_text="scenario/1")
    system = serializers.ChoiceField(choices=list(ROSTERS))
    name = serializers.CharField(max_length=60)
    spec = SystemObject("scenario", help_text="as the game defines it")


class ScenarioChangeRequest(StrictSerializer):
    name = StrictCharField(max_length=60, required=False)
    visibility = serializers.ChoiceField(choices=Visibility.choices, required=False)


class ScenarioCopyRequest(StrictSerializer):
    system = serializers.ChoiceField(choices=list(ROSTERS))
    slug = StrictCharField(max_length=40, help_text="slug of a published scenario")


class ScenarioCheckAnswer(serializers.Serializer[Check]):
    playable = serializers.BooleanField(source="legal")
    problems = ProblemAnswer(many=True)
    warnings = ProblemAnswer(many=True)


class PublishedScenarioAnswer(ScenarioParts):
    slug = serializers.CharField()


class ScenarioAnswer(ScenarioParts):
    id = serializers.IntegerField()
    author = serializers.CharField()
    visibility = serializers.ChoiceField(choices=Visibility.choices)
    check = ScenarioCheckAnswer()


class ScenarioCheck(APIView):
    permission_classes = (AllowAny,)

    @described(request=ScenarioDocument, responses={200: ScenarioCheckAnswer}, operation_id="scenarios_check")
    def post(self, request: Request) -> Response:
        """Return all problems of a scenario/1 document; nothing is stored."""
        document, spec = read_scenario(body(request))
        return Response(ScenarioCheckAnswer(roster_rules(document.system).check_scenario(spec)).data)


class PublishedScenarios(APIView):
    permission_classes = (AllowAny,)

    @described(responses=PublishedScenarioAnswer(many=True), operation_id="scenarios_published_list")
    def get(self, request: Request) -> Response:
        """List the published scenarios of all games, as documents."""
        return Response([{"slug": card.key, **card.document} for card in selectors.scenarios_published()])


class Scenarios(APIView):
    pagination_class = Pages

    @described(
        responses=ScenarioAnswer(many=True),
        operation_id="scenarios_list",
        parameters=[OwnQuery],
    )
    def get(self, request: Request) -> Response:
        """List your scenarios and the public ones."""
        own = asked(OwnQuery, request, beside=PAGING).get("own") and request.user.is_authenticated
        rows = selectors.scenarios_own(request.user) if own else selectors.scenarios_visible(request.user)
        return paged(request, rows, _scenario, "name", "pk")

    @idempotent
    @described(request=ScenarioDocument, responses={201: ScenarioAnswer}, operation_id="scenarios_create")
    def post(self, request: Request) -> Response:
        """Save a scenario; it may have problems."""
        document, _ = read_scenario(body(request))
        row = services.scenario_save(
            author=player(request), system=document.system, name=document.name, spec=document.spec
        )
        return Response(_scenario(row), status=status.HTTP_201_CREATED)


class ScenarioDetail(APIView):
    @tagged
    @described(responses={200: ScenarioAnswer}, operation_id="scenarios_retrieve", parameters=[LINK_KEY])
    def get(self, request: Request, pk: int) -> Response:
        """Return a scenario that you may see."""
        return Response(_scenario(visible_scenario(request, pk)))

    @if_match(lambda pk: Scenario.objects.filter(pk=pk))
    @described(request=ScenarioDocument, responses={200: ScenarioAnswer}, operation_id="scenarios_update")
    def put(self, request: Request, pk: int) -> Response:
        """Replace your scenario."""
        row = own_scenario(request, pk)
        document, _ = read_scenario(body(request))
        changed = services.scenario_save(
            author=player(request), system=document.system, name=document.name, spec=document.spec, scenario=row
        )
        return Response(_scenario(changed))

    @if_match(lambda pk: Scenario.objects.filter(pk=pk))
    @described(request=ScenarioChangeRequest, responses={200: ScenarioAnswer}, operation_id="scenarios_partial_update")
    def patch(self, request: Request, pk: int) -> Response:
        """Rename your scenario, or change who may see it."""
        row, change = own_scenario(request, pk), valid(ScenarioChangeRequest, request)
        changed = services.scenario_save(
            author=player(request),
            system=row.system,
            name=change.get("name", row.name),
            spec=row.spec,
            scenario=row,
            visibility=change.get("visibility"),
        )
        return Response(_scenario(changed))

    @described(responses={204: None}, operation_id="scenarios_delete")
    def delete(self, request: Request, pk: int) -> Response:
        """Delete your scenario; battles played in it stay unchanged."""
        services.scenario_delete(scenario=own_scenario(request, pk), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ScenarioClone(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @described(request=None, responses={201: ScenarioAnswer}, operation_id="scenarios_clone")
    def post(self, request: Request, pk: int) -> Response:
        """Copy a scenario that you may see to your own scenarios."""
        row = services.scenario_clone(scenario=visible_scenario(request, pk), by=player(request))
        return Response(_scenario(row), status=status.HTTP_201_CREATED)


class PublishedScenarioClone(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @described(request=ScenarioCopyRequest, responses={201: ScenarioAnswer}, operation_id="scenarios_published_clone")
    def post(self, request: Request) -> Response:
        """Copy a published scenario to your own scenarios."""
        wanted = valid(ScenarioCopyRequest, request)
        row = services.scenario_clone(by=player(request), system=wanted["system"], published=wanted["slug"])
        return Response(_scenario(row), status=status.HTTP_201_CREATED)


def _scenario(row: Scenario) -> dict[str, object]:
    card = selectors.scenario_card(row)
    return {
        "id": row.pk,
        **card.document,
        "author": card.author,
        "visibility": row.visibility,
        "check": ScenarioCheckAnswer(card.check).data,
    }
