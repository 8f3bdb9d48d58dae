"""Extensions of the OpenAPI description for all endpoints: errors, examples, strict bodies, documents, tokens.

Signed-in users need no scope.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from drf_spectacular.authentication import SessionScheme as BrowserScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.contrib.pydantic import PydanticExtension
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, force_instance
from drf_spectacular.utils import OpenApiResponse

from systems.documents import SystemPart

Direction = Literal["request", "response"]
REFERENCE = "#/components/schemas/{model}"
SAFE = ("GET", "HEAD", "OPTIONS")
DONE = ("200", "201")
ANSWERS = Path(__file__).parent / "answers"  # recorded responses by operation ID, see tests/tools/example_responses.py


@cache
def recorded_responses() -> Mapping[str, Any]:
    """Return the recorded responses by operation ID."""
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(ANSWERS.glob("*.json"))}


class ApiSchema(AutoSchema):
    """Adds to each operation the errors that it can return, and its recorded response as an example."""

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, object]:
        bodies: dict[str, object] = super()._get_response_bodies(direction)
        for code, why in self._refusals().items():
            if code not in bodies:
                bodies[code] = self._refusal(code, why)
        self._exemplify(bodies)
        return dict(sorted(bodies.items()))

    def _exemplify(self, bodies: Mapping[str, Any]) -> None:
        """Add the operation's recorded response as an example."""
        kept = recorded_responses().get(self.get_operation_id())
        for code in DONE if kept is not None else ():
            if content := bodies.get(code, {}).get("content", {}).get("application/json"):
                content["example"] = kept

    def _refusals(self) -> dict[str, str]:
        """Return the error codes that the operation can return, with their reasons."""
        is_safe, has_place = self.method in SAFE, "{" in self.path
        has_body = self.method in ("POST", "PUT", "PATCH") and self.get_request_serializer() is not None
        asks = bool(self.get_override_parameters()) or (self._is_list_view() and self._get_paginator() is not None)
        found = {
            "401": "The token is unknown, or the operation needs one.",
            "406": "The response isn't available in an accepted format.",
            "429": "Too many requests or wrong tokens; Retry-After says how long to wait.",
        }
        if has_body or asks:
            found["400"] = "The request can't be read; names the field or parameter."
        if has_place or not is_safe:
            found["403"] = "You can see it, but you don't have permission for this."
            found["404"] = "It doesn't exist, or you can't see it."
        if has_body:
            found["415"] = "Wrong content type: send JSON, or a form if a file is included."
        if not is_safe:
            found["422"] = "Refused by the rules or the current state; names the field."
        return found

    def _refusal(self, code: str, why: str) -> dict[str, object]:
        from rosters.api.base import ErrorsAnswer  # it needs the settings, which import this module

        answer: dict[str, object] = self._get_response_for_code(
            OpenApiResponse(ErrorsAnswer, why), code, ("application/json",), "response"
        )
        return answer

    def _map_basic_serializer(self, serializer: Any, direction: str) -> dict[str, object]:
        from rosters.api.base import StrictSerializer

        schema: dict[str, object] = super()._map_basic_serializer(serializer, direction)
        if isinstance(force_instance(serializer), StrictSerializer):
            schema["additionalProperties"] = False
        return schema


class DocumentExtension(PydanticExtension):
    """Describes input documents as they are read; by default, pydantic describes how they would be written."""

    target_class = "systems.documents.Document"
    match_subclasses = True
    priority = 1

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, object]:
        return described(auto_schema, self.target.model_json_schema(ref_template=REFERENCE))


class SystemObjectExtension(OpenApiSerializerFieldExtension):
    """Describes objects that games read in the same way as in documents."""

    target_class = "rosters.api.base.SystemObject"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, object]:
        kind: Any = Annotated[dict[str, object], SystemPart(self.target.part)]
        return described(auto_schema, pydantic.TypeAdapter(kind).json_schema(ref_template=REFERENCE))


def described(auto_schema: AutoSchema, schema: dict[str, Any]) -> dict[str, object]:
    """Return the schema of a document, after registering each of its parts as a component."""
    for name, part in schema.pop("$defs", {}).items():
        component = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=name, schema=part)
        auto_schema.registry.register_on_missing(component)
    return schema


class TokenScheme(KnoxTokenScheme):
    target_class = "rosters.accounts.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, object]:
        definition: dict[str, object] = super().get_security_definition(auto_schema)
        text = (
            "Create one on your account page. Any token can read; changes need the scope `companies` or `club`. "
            "Battles without companies and odds need no token."
        )
        return {**definition, "description": text}


class SessionScheme(BrowserScheme):
    target_class = "rosters.accounts.tokens.SessionAuthentication"
