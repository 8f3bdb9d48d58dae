"""JSON documents from outside: read completely, or refused with place and reason, never with another exception.

Every document carries `"muster": "<kind>/<version>"`. Text from outside is first checked for size, nesting, duplicate
keys and numbers that JSON doesn't have, then parsed and validated by a strict pydantic model.
"""

import difflib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NoReturn, TypeVar

import pydantic
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails

from systems.text import normalize_text, text_problem

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_VALUES = 50_000
MAX_INTEGER = 2**64 - 1  # the largest seed
WHOLE = "document"  # the path of a refusal that concerns no single field
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # characters that a database can't store
PLAIN_NAME = re.compile(r"[\w.-]{1,60}")  # of a field that a path names without quotes

ModelT = TypeVar("ModelT", bound="Document")
T = TypeVar("T")


class DocumentError(ValueError):
    """Raised when a document is refused; `path` names the field, `reason` is a sentence on one line.

    `rule` is the broken rule, for documents that can be read but break one; the reason cites it.
    """

    def __init__(self, path: str, reason: str, rule: str = "") -> None:
        self.path, self.reason, self.rule = path or WHOLE, reason, rule
        super().__init__(f"{self.path}: {self.reason}")


@contextmanager
def within(path: str) -> Iterator[None]:
    """Prefix the paths of refusals raised inside with `path`, their place in a larger document; empty: no prefix."""
    try:
        yield
    except DocumentError as error:
        raise DocumentError(f"{path}.{error.path}" if path else error.path, error.reason, error.rule) from None


class Document(pydantic.BaseModel):
    """A part of a document: no conversions, no unknown fields."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", strict=True)


def with_example(**example: pydantic.JsonValue) -> pydantic.ConfigDict:
    """Return the configuration of a document model with an example in its description."""
    return pydantic.ConfigDict(json_schema_extra={"examples": [example]})


_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
Name = Annotated[
    str,
    pydantic.Field(min_length=1, max_length=60, pattern=rf"^[^{_CONTROLS}]*[^\s{_CONTROLS}][^{_CONTROLS}]*$"),
]


def _seen(name: str) -> str:
    if reason := text_problem(name):
        raise ValueError(reason)
    return name


NewName = Annotated[Name, pydantic.AfterValidator(_seen)]


@dataclass(frozen=True)
class Described:
    """Describes an object in the API schema as such a document, which is read and checked elsewhere."""

    model: type[pydantic.BaseModel]

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: pydantic.GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(self.model.__pydantic_core_schema__)


@dataclass(frozen=True)
class SystemPart:
    """Describes an object in the API schema as a part that the rule systems read.

    The part is a "spec", "condition" or "scenario", or "options", the house rules.
    """

    part: str
    read_by_games: ClassVar[Callable[[str], list[type[pydantic.BaseModel] | dict[str, object]]]]  # set by the registry

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: pydantic.GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        parts = type(self).read_by_games(self.part)
        return {"anyOf": [part if isinstance(part, dict) else handler(part.__pydantic_core_schema__) for part in parts]}


SystemSpec = Annotated[dict[str, object], SystemPart("spec")]
SystemCondition = Annotated[dict[str, object], SystemPart("condition")]
SystemScenario = Annotated[dict[str, object], SystemPart("scenario")]
SystemOptions = Annotated[dict[str, object], SystemPart("options")]


class ScenarioDocument(Document):
    """A player's own scenario; the rule system defines its spec."""

    muster: Literal["scenario/1"]
    system: str
    name: Name
    spec: SystemScenario


class DesignDocument(Document):
    model_config = with_example(
        muster="design/1",
        system="meks-and-mercs",
        name="Wasp",
        spec={"chassis": "light", "weapons": ["cannon", "ciws", "ciws"], "systems": ["jammer"]},
    )

    muster: Literal["design/1"]
    system: str
    name: Name
    spec: SystemSpec


def parse_document(
    model: type[ModelT],
    data: bytes | str | Mapping[str, object],
    path: str = "",
    *,
    most: int = MAX_BYTES,
    most_values: int = MAX_VALUES,
    is_new: bool = False,
) -> ModelT:
    """Parse `data`, at most `most` bytes, as that model; raises DocumentError.

    `path` is the document's place in a larger one. `is_new`: the document will be stored, so its texts are checked like
    any player's text.
    """
    value = plain_json(data, path, most=most, most_values=most_values)
    if is_new:
        value = fit(value, path)
    if not isinstance(value, dict):
        raise DocumentError(path, f"must be an object, not {kind_of(value)}")
    try:
        return model.model_validate_json(json.dumps(value))
    except pydantic.ValidationError as error:
        raise _refusal(value, error, path) from None


def read_value(reader: pydantic.TypeAdapter[T], data: object, path: str = "") -> T:
    """Return a JSON value of any kind, validated by the adapter; for values outside documents. Raises DocumentError."""
    value = plain_json(data, path) if not isinstance(data, str) else data
    try:
        return reader.validate_json(json.dumps(value), strict=True)
    except pydantic.ValidationError as error:
        raise _refusal(value, error, path) from None


def _refusal(value: object, error: pydantic.ValidationError, path: str) -> DocumentError:
    """Turn pydantic's error into a refusal with its place."""
    errors = error.errors(include_url=False, include_context=True)
    # unknown fields first: they are often misspelt names of the missing ones
    first = min(errors, key=lambda each: each["type"] != "extra_forbidden")
    return DocumentError(_join(path, _place(value, first["loc"])), _reason(first["type"], first["msg"], first))


def plain_json(data: object, path: str = "", *, most: int = MAX_BYTES, most_values: int = MAX_VALUES) -> object:
    """Return a copy made only of dicts, lists, texts, numbers, booleans and None; raises DocumentError."""
    if isinstance(data, bytes | bytearray | str):
        data = _loads(data, path, most)
    return _plain(data, path, MAX_DEPTH, _Budget(most_values))


def fit(value: object, path: str = "") -> object:
    """Return a copy of a JSON value with its texts in composed form; raises DocumentError for a forbidden text."""
    if isinstance(value, str):
        if reason := text_problem(value, lines=True, may_be_empty=True):
            raise DocumentError(path, reason)
        return normalize_text(value)
    if isinstance(value, dict):
        return {fit(key, path): fit(item, _join(path, (str(key),))) for key, item in value.items()}
    if isinstance(value, list):
        return [fit(item, _join(path, (at,))) for at, item in enumerate(value)]
    return value


def refuse_unseen(path: str, name: str | None) -> None:
    """Raise DocumentError for a name without any visible character."""
    if name is not None and (reason := text_problem(name)):
        raise DocumentError(path, reason)


def object_of(data: object, path: str) -> dict[str, object]:
    """Return a copy of a part of a document that must be an object; a text is refused instead of parsed."""
    if not isinstance(data, Mapping):
        raise DocumentError(path, f"must be an object, not {kind_of(data)}")
    value = plain_json(data, path)
    assert isinstance(value, dict)
    return value


def refuse_unknown(path: str, what: str, slug: str, known: Iterable[str]) -> None:
    """Raise DocumentError for an unknown slug."""
    known = list(known)
    if slug not in known:
        raise unknown_slug(path, what, slug, known)


def unknown_slug(path: str, what: str, slug: str, known: Iterable[str]) -> DocumentError:
    """Return the refusal of an unknown slug, suggesting the nearest known one."""
    near = difflib.get_close_matches(slug[:40], list(known), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return DocumentError(path, f"unknown {what} {_quoted(slug)}{hint}")


def _loads(data: bytes | bytearray | str, path: str, most: int) -> object:
    if len(data) > most:
        raise DocumentError(path, f"larger than {most // 1024} KiB")
    if not isinstance(data, str):
        try:
            data = bytes(data).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise DocumentError(path, f"not UTF-8 text (byte {error.start})") from None
    elif len(data.encode("utf-8", "surrogatepass")) > most:
        raise DocumentError(path, f"larger than {most // 1024} KiB")
    _refuse_deep_nesting(data, path)

    def constant(text: str) -> NoReturn:
        raise DocumentError(path, f"{text} is not a number that JSON has")

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        table: dict[str, object] = {}
        for key, value in items:
            if key in table:
                raise DocumentError(path, f"the key {_quoted(key)} appears twice in one object")
            table[key] = value
        return table

    try:
        return json.loads(data, object_pairs_hook=pairs, parse_constant=constant)
    except DocumentError:
        raise
    except json.JSONDecodeError as error:
        raise DocumentError(path, f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except ValueError:  # an integer with thousands of digits
        raise DocumentError(path, "holds a number that is too large") from None


def _refuse_deep_nesting(text: str, path: str) -> None:
    """Count brackets outside texts and refuse more nesting than the parser can take."""
    depth, in_text, skip = 0, False, -1
    for match in re.finditer(r'["\\\[\]{}]', text):
        mark, at = match.group(), match.start()
        if at == skip:
            continue
        if in_text:
            if mark == "\\":
                skip = at + 1
            elif mark == '"':
                in_text = False
        elif mark == '"':
            in_text = True
        elif mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise DocumentError(path, f"nested more than {MAX_DEPTH} deep")
        elif mark in "]}":
            depth -= 1


@dataclass(slots=True)
class _Budget:
    """Counts the values of a document against the number that it may hold."""

    most: int
    spent: int = 0


def _plain(value: object, path: str, depth: int, budget: _Budget) -> object:
    budget.spent += 1
    if budget.spent > budget.most:
        raise DocumentError(path, f"holds more than {budget.most} values")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(str(value), path)
    if isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise DocumentError(path, "the number is too large")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise DocumentError(path, "not a finite number")
        return float(value)
    if depth <= 0:
        raise DocumentError(path, f"nested more than {MAX_DEPTH} deep")
    if isinstance(value, Mapping):
        table: dict[str, object] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise DocumentError(path, f"the key {_quoted(str(key))} is not a text")
            table[_text(key, path)] = _plain(item, _join(path, (key,)), depth - 1, budget)
        return table
    if isinstance(value, list | tuple):
        return [_plain(item, _join(path, (at,)), depth - 1, budget) for at, item in enumerate(value)]
    raise DocumentError(path, f"{type(value).__name__} is not a kind of value that JSON has")


def _text(text: str, path: str) -> str:
    if UNSTORABLE.search(text):
        raise DocumentError(path, "the text holds a character that cannot be stored")
    return text


def _place(value: object, loc: tuple[int | str, ...]) -> list[int | str]:
    """Return the place of an error in the document, without pydantic's names for members of a union."""
    place: list[int | str] = []
    for at, part in enumerate(loc):
        if isinstance(value, dict) and part not in value and at < len(loc) - 1:
            continue
        place.append(part)
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
    return place


def _join(path: str, parts: Iterable[int | str]) -> str:
    for part in parts:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            name = part if PLAIN_NAME.fullmatch(part) else _quoted(part)
            path = f"{path}.{name}" if path else name
    return path


def _quoted(text: str) -> str:
    """Return text from outside in quotes, on one line and shortened."""
    return ascii(text if len(text) <= 60 else text[:57] + "...")


def kind_of(value: object) -> str:
    """Return the JSON name of the value's type, for a refusal."""
    kinds = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return kinds.get(type(value), "null")


_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}


def _reason(kind: str, message: str, error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    if kind in _WANTED:
        return f"must be {_WANTED[kind]}, not {kind_of(error['input'])}"
    match kind:
        case "value_error":
            return str(context["error"])
        case "extra_forbidden":
            return "unknown field"
        case "union_tag_invalid":
            known = str(context["expected_tags"]).replace("'", "")
            return f"unknown {context['discriminator']} {_quoted(str(context['tag']))}; there is {known}"
        case "union_tag_not_found":
            return f"the field {context['discriminator']} is missing"
        case "missing":
            return "missing"
        case "literal_error":
            return f"must be {context['expected']}, not {_quoted(str(error['input']))}"
        case "string_too_short":
            return "must not be empty"
        case "string_too_long":
            return f"is longer than {context['max_length']} characters"
        case "string_pattern_mismatch":
            return "is blank or holds a character that is not allowed there"
        case "too_long":
            return f"holds more than {context['max_length']} entries"
        case "too_short":
            return f"holds fewer than {context['min_length']} entries"
        case "greater_than_equal":
            return f"must be {context['ge']} or more"
        case "less_than_equal":
            return f"must be {context['le']} or less"
    return " ".join(message.split())
