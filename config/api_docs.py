"""The API's documentation: the index of the API, its OpenAPI description, and the page made from that.

The description is the same for everybody, so it is generated once per process and format.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.services import limits

Schema = Mapping[str, Any]
OF_ALL = ("401", "406", "429")  # responses listed once for all operations
GROUPS = {  # in page order, by the tag of the description
    "index": "Index",
    "designs": "Designs",
    "companies": "Companies",
    "units": "Units of a company",
    "pilots": "Pilots of a company",
    "battles": "Battles",
    "forecasts": "Odds",
    "scenarios": "Scenarios",
    "prints": "Prints",
    "clubs": "Clubs",
    "campaigns": "Campaigns",
    "matches": "Matches",
    "v1": "Corrections",
    "gazette": "Gazettes",
}
FORM = "multipart/form-data"  # of a body with a file
WORDS = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a field of a body."""

    name: str
    kind: str
    is_required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    id: str
    method: str
    path: str
    description: str
    needs_token: bool
    parameters: tuple[Field, ...]
    fields: tuple[Field, ...]
    example: str  # of a request body
    answers: tuple[tuple[str, str], ...]  # status and meaning, specific to this operation
    answer: str  # a recorded response with its lists shortened; empty if there is none


@require_GET
def api_docs(request: HttpRequest) -> HttpResponse:
    """Show how to start, every operation with its parameters and responses, and the errors."""
    context = {
        "groups": operations(),
        "operations_html": _describe_operations(),
        "site": request.build_absolute_uri("/").rstrip("/"),
        "schema_url": reverse("schema"),
        "errors": ERRORS,
        "visitor": ALLOWED["visitor"],
        "player": ALLOWED["player"],
    }
    return render(request, "api_docs.html", context)


ERRORS = (
    ("400", "The request can’t be read.", "Fix the field named in the response. Nothing was changed."),
    ("401", "The token is unknown or has expired.", "Create a new one on your profile page."),
    ("403", "You don’t have permission.", "Use a token with the right scope, or ask for another role in the club."),
    ("404", "It doesn’t exist, or you can’t see it.", "Check the id. Things shared by link need their key."),
    ("409", "It changed meanwhile, or the same request is still running.", "Read it again, then decide."),
    ("412", "It has changed since you read it (`If-Match`).", "Read it again and send your change with the new tag."),
    ("422", "The rules don’t allow it.", "Show the reason to the player; it is a full sentence."),
    ("429", "Too many requests.", "Wait for the number of seconds in `Retry-After`. The reason names the limit."),
)
ALLOWED = {  # per hour
    "visitor": {
        "battles": limits.BATTLES_AN_HOUR_VISITOR,
        "odds": limits.FORECASTS_AN_HOUR_VISITOR,
        "runs": limits.RUNS_VISITOR,
    },
    "player": {
        "battles": limits.BATTLES_AN_HOUR_PLAYER,
        "odds": limits.FORECASTS_AN_HOUR_PLAYER,
        "runs": limits.RUNS_PLAYER,
    },
}


@cache
def _describe_operations() -> SafeString:
    """Return all operations as HTML, which is the same for every reader."""
    return render_to_string("_api_operations.html", {"groups": operations()})


@cache
def operations() -> tuple[tuple[str, str, tuple[Operation, ...]], ...]:
    """Return the slug, the title and the operations of each group."""
    described = SchemaGenerator().get_schema(request=None, public=True)
    parts = described["components"]["schemas"]
    by_tag: dict[str, list[Operation]] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append(_operation(method, path, operation, parts))
    order = [*GROUPS, *sorted(by_tag.keys() - GROUPS.keys())]
    return tuple((tag, GROUPS.get(tag, tag.capitalize()), tuple(by_tag[tag])) for tag in order if tag in by_tag)


def _operation(method: str, path: str, operation: Schema, parts: Schema) -> Operation:
    kinds = operation.get("requestBody", {}).get("content", {})
    body = kinds.get("application/json", kinds.get(FORM, {})).get("schema")
    parameters = tuple(
        Field(
            each["name"],
            _kind(each["schema"], parts),
            each.get("required", False),
            each.get("description", ""),
        )
        for each in operation.get("parameters", ())
        if each["name"] != "Idempotency-Key"
    )
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        description=operation.get("description", ""),
        needs_token={} not in operation.get("security", ()),
        parameters=parameters,
        fields=tuple(_fields(body, parts)) if body else (),
        example=_sent(method, path, body, parts, as_form=FORM in kinds) if body else "",
        answers=tuple(
            (status, answer.get("description") or _named(answer))
            for status, answer in operation["responses"].items()
            if status not in OF_ALL
        ),
        answer=_answer(operation["responses"]),
    )


def _answer(responses: Schema) -> str:
    """Return the example response as JSON; empty if the description has none."""
    done = responses.get("200") or responses.get("201") or {}
    content = done.get("content", {}).get("application/json", {})
    return json.dumps(content["example"], indent=1, ensure_ascii=False) if "example" in content else ""


def _sent(method: str, path: str, body: Schema, parts: Schema, *, as_form: bool) -> str:
    """Return an example body: JSON, or a curl command if the body includes a file."""
    if not as_form:
        return json.dumps(example(body, parts), indent=1, ensure_ascii=False)
    fields = _resolved(body, parts).get("properties", {})
    arguments = [f'-F "{name}={"@club.zip" if _is_file(each) else "..."}"' for name, each in fields.items()]
    return f'curl -X {method.upper()} -H "Authorization: Token ..." {" ".join(arguments)} .../{path.lstrip("/")}'


def _is_file(schema: Schema) -> bool:
    return schema.get("format") == "binary" or "contentMediaType" in schema


def _named(answer: Schema) -> str:
    """Return the name of the response's schema."""
    for content in answer.get("content", {}).values():
        schema = content.get("schema", {})
        item_ref = schema.get("items", {}).get("$ref", "")
        ref = schema.get("$ref", "") or item_ref
        if ref:
            return f"{'a list of ' if item_ref else ''}{ref.rpartition('/')[2]}"
    return "done"


def _resolved(schema: Schema, parts: Schema) -> Schema:
    """Follow references and return the schema itself; of several alternatives, the first."""
    while True:
        if "$ref" in schema:
            schema = parts[schema["$ref"].rpartition("/")[2]]
        elif "examples" not in schema and (choice := schema.get("allOf") or schema.get("oneOf") or schema.get("anyOf")):
            schema = choice[0]
        else:
            return schema


def _fields(schema: Schema, parts: Schema) -> Iterator[Field]:
    found = _resolved(schema, parts)
    required = found.get("required", ())
    for name, field in found.get("properties", {}).items():
        description = field.get("description", "") or _resolved(field, parts).get("description", "")
        yield Field(name, _kind(field, parts), name in required, description.partition("\n\n")[0])


def _kind(schema: Schema, parts: Schema) -> str:
    found = _resolved(schema, parts)
    if "const" in found:
        return f"“{found['const']}”"
    if "enum" in found:
        return ", ".join(str(each) for each in found["enum"] if each is not None)
    kind = found.get("type", "")
    if kind == "array":
        return f"a list: {_kind(found.get('items', {}), parts)}"
    if kind == "object" or "properties" in found:
        return "an object"
    if _is_file(found):
        return "a file"
    least, most = found.get("minimum"), found.get("maximum")
    if kind in ("integer", "number") and least is not None and most is not None:
        return f"{WORDS[kind]}, {least} to {most}"
    if kind == "string" and "maxLength" in found:
        return f"text of {found['maxLength']} characters at most"
    return WORDS.get(str(kind), "anything")


def example(schema: Schema, parts: Schema) -> object:
    """Return the schema's own example, or else one with a small value for each required field."""
    found = _resolved(schema, parts)
    if "examples" in found:
        return found["examples"][0]
    if "const" in found or "enum" in found:
        return found["const"] if "const" in found else found["enum"][0]
    kind = found.get("type", "object")
    if kind == "array":
        return [example(found.get("items", {}), parts)]
    if kind == "object":
        names = found.get("required") or list(found.get("properties", {}))[:1]
        return {name: example(found["properties"][name], parts) for name in names}
    if "default" in found and found["default"] not in (None, ""):
        return found["default"]
    return {"integer": max(1, found.get("minimum", 1)), "number": 1, "boolean": True}.get(str(kind), _text(found))


def _text(found: Schema) -> str:
    by_format = {"uuid": "0b54b56e-2a7c-4f0e-9d7e-5f0f6c1f3c11", "date-time": "2026-12-01T19:00:00Z"}
    return by_format.get(str(found.get("format")), "one"[: found.get("maxLength", 3)])


@dataclass(frozen=True, slots=True)
class Written:
    """A generated API description, ready to send."""

    text: bytes
    headers: tuple[tuple[str, str], ...]
    tag: str


_written: dict[tuple[object, ...], Written] = {}


class SchemaView(SpectacularAPIView):
    """drf-spectacular's view with a cache, because generating the text takes a hundred times as long as sending it."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponseBase:
        media = request.accepted_renderer.media_type
        if request.query_params.keys() - {"format"} or request.accepted_media_type != media:
            return super().get(request, *args, **kwargs)
        form = (media, request.accepted_renderer.format, get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())
        written = _written.get(form)
        if written is None:
            response = self.finalize_response(request, super().get(request, *args, **kwargs), *args, **kwargs).render()
            tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
            written = _written[form] = Written(response.content, tuple(response.items()), tag)
        answer = HttpResponse(written.text, headers=dict(written.headers) | {"ETag": written.tag})
        return get_conditional_response(request, etag=written.tag, response=answer) or answer


COLLECTIONS = {
    "battles": "api-battles",
    "calendar": "api-calendar",
    "calendar_evenings": "api-availability",
    "campaigns": "api-campaigns",
    "clubs": "api-clubs",
    "companies": "api-companies",
    "company_names": "api-company-name-suggestions",
    "designs": "api-designs",
    "designs_published": "api-designs-published",
    "forces_saved": "api-saved-forces",
    "inbox": "api-inbox",
    "inbox_wishes": "api-notification-preferences",
    "prints": "api-prints",
    "scenarios": "api-scenarios",
    "scenarios_published": "api-scenarios-published",
}


class ReaderAnswer(serializers.Serializer[None]):
    id = serializers.IntegerField()
    username = serializers.CharField()
    name = serializers.CharField(help_text="as shown to others")


class IndexAnswer(serializers.Serializer[None]):
    version = serializers.CharField()
    schema = serializers.URLField(help_text="the OpenAPI description")
    docs = serializers.URLField(help_text="the same to read")
    you = ReaderAnswer(allow_null=True, help_text="null: not signed in")
    collections = serializers.DictField(child=serializers.URLField())


class Index(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(responses=IndexAnswer, operation_id="index_retrieve", tags=["index"])
    def get(self, request: Request) -> Response:
        """Return the addresses of the API, and the account you are signed in with."""
        user = request.user
        return Response(
            {
                "version": "1",
                "schema": request.build_absolute_uri(reverse("schema")),
                "docs": request.build_absolute_uri(reverse("api-docs")),
                "you": {"id": user.pk, "username": user.get_username(), "name": str(user)}
                if user.is_authenticated
                else None,
                "collections": {
                    name: request.build_absolute_uri(reverse(route)) for name, route in COLLECTIONS.items()
                },
            }
        )
