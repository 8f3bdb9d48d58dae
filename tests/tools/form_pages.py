"""The forms on pages, as a browser sends them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode, urljoin, urlsplit

import lxml.html
from django.urls import Resolver404, resolve
from lxml.html import HtmlElement

Pairs = list[tuple[str, str]]
BOUNDARY = "muster-form"
WORDS = {"email": "kim@example.org", "date": "2031-05-01", "datetime-local": "2031-05-01T18:00", "time": "18:00"}
WORDS |= {"number": "1", "color": "#8a2b1d", "url": "https://example.org/", "text": "Grey Wardens", "": "Grey Wardens"}


@dataclass(frozen=True)
class Form:
    """A form on a page in one role, with the values that it sends."""

    role: str
    page: str
    path: str  # its target, with the query
    route: str
    pairs: tuple[tuple[str, str], ...]
    files: tuple[str, ...] = ()  # names of its file fields

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name, _ in self.pairs))


def forms_on(html: str, *, role: str, page: str) -> Iterator[Form]:
    """Yield each posting form, once per button, and each posting element outside forms."""
    root = lxml.html.fromstring(html or "<p></p>")
    for form in root.iter("form"):
        is_posted = (form.get("method") or "get").lower() == "post"
        if is_posted or form.get("hx-post"):
            for action in dict.fromkeys((form.get("hx-post"), (form.get("action") or page) if is_posted else None)):
                found = _form(form, action, role, page) if action else None
                yield from _pressed(form, found) if found else ()
    for element in root.xpath("//*[@hx-post][not(self::form)]"):
        around = next(iter(element.xpath("ancestor::form")), None)
        found = _form(around, element.get("hx-post"), role, page)
        if found:
            added = json.loads(element.get("hx-vals") or "{}")
            yield replace(found, pairs=(*found.pairs, *((name, str(value)) for name, value in added.items())))


def _form(form: HtmlElement | None, action: str, role: str, page: str) -> Form | None:
    path = urljoin(page, action)
    try:
        route = resolve(urlsplit(path).path).view_name
    except Resolver404:
        return None
    if form is None:
        return Form(role, page, path, route, ())
    return Form(role, page, path, route, tuple(_filled(form)), tuple(_named(form, ".//input[@type='file']")))


def _pressed(form: HtmlElement, found: Form) -> Iterator[Form]:
    """Yield the form once for each of its buttons."""
    buttons = form.xpath(".//button[@name and not(@disabled)]|.//input[@type='submit' and @name and not(@disabled)]")
    if not buttons or form.xpath(".//button[not(@name) and not(@type='button')]"):
        yield found
    for button in buttons:
        yield replace(found, pairs=(*found.pairs, (button.get("name"), button.get("value") or "")))


def _filled(form: HtmlElement) -> Pairs:
    """Return the values of the form, with fitting ones in required fields that are empty."""
    pairs: Pairs = []
    ticked = set()
    for field in form.xpath(".//input[@name]|.//select[@name]|.//textarea[@name]"):
        name, kind = field.get("name"), (field.get("type") or "").lower()
        if field.get("disabled") is not None or kind in ("submit", "button", "file", "image", "reset"):
            continue
        is_needed = field.get("required") is not None
        if field.tag == "select":
            chosen = [each.get("value", each.text) or "" for each in field.xpath(".//option[@selected]")]
            first = [value for value in field.value_options if value]
            if not chosen and field.get("multiple") is None or (is_needed and not any(chosen)):
                chosen = first[:1]
            pairs += [(name, value) for value in chosen]
        elif kind in ("radio", "checkbox"):
            of_the_name = [each for each in form.xpath(f".//input[@type='{kind}']") if each.get("name") == name]
            is_free = not any(each.get("checked") is not None for each in of_the_name) and name not in ticked
            if field.get("checked") is not None or (is_free and (is_needed or kind == "radio" or name == "units")):
                ticked.add(name)
                pairs.append((name, "on" if field.get("value") is None else field.get("value")))
        else:
            value = (field.text if field.tag == "textarea" else field.get("value")) or ""
            value = value.removeprefix("\n") if field.tag == "textarea" else value  # as in browsers
            if not value and is_needed:
                value = field.get("min") or WORDS.get(kind, "Grey Wardens")
            pairs.append((name, value))
    return pairs


def _named(form: HtmlElement, path: str) -> list[str]:
    return [field.get("name") for field in form.xpath(path) if field.get("name")]


def with_new_key(pairs: Pairs) -> Pairs:
    """Return the values with a new key, as after reloading the page."""
    return [(name, uuid.uuid4().hex if name == "once" else value) for name, value in pairs]


def urlencoded(pairs: Pairs) -> tuple[bytes, str]:
    """Return the body and its type; surrogates are sent as bytes."""
    sent = [(_bytes(name), _bytes(value)) for name, value in pairs]
    return urlencode(sent).encode(), "application/x-www-form-urlencoded"


def multipart(pairs: Pairs, files: list[tuple[str, str, bytes]]) -> tuple[bytes, str]:
    """Return the body and its type with files: name of the field, name of the file, content."""
    parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + _bytes(value) for name, value in pairs]
    parts += [
        f'Content-Disposition: form-data; name="{name}"; filename="{file}"\r\n'.encode()
        + b"Content-Type: application/octet-stream\r\n\r\n"
        + content
        for name, file, content in files
    ]
    body = b"".join(b"--" + BOUNDARY.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    return body + f"--{BOUNDARY}--\r\n".encode(), f"multipart/form-data; boundary={BOUNDARY}"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def visible_texts(html: str) -> list[str]:
    """Return the visible words of a page."""
    if not html.strip():
        return []
    root = lxml.html.fromstring(f"<div>{html}</div>" if "<body" not in html else html)
    for unread in root.xpath("//script|//style|//head"):
        unread.drop_tree()
    return root.text_content().split()
