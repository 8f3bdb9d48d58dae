"""Fill in the fields of a form in the finished HTML of a page; it doesn't matter what rendered the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin

from rosters.site.idempotency import FORM_KEY_FIELD

Attrs = dict[str, str | None]
Span = tuple[int, int]
OWN = frozenset(
    {"csrfmiddlewaretoken", FORM_KEY_FIELD, "form_account", "form_page"}
)  # fields that keep the values of the current page
MARK_READ = "as_read"  # the field with the marks of the form's values when it was opened (forms.py)
UNFILLED = frozenset({"password", "file", "submit", "button", "image", "reset"})
TICKED = ("radio", "checkbox")
PLACE = "kept-form"  # ID for a form without one, so that the notice can link to it


@dataclass
class Filled:
    """A page with a form that was filled in. `place` is the form's ID; it is empty if the page has no such form."""

    html: str
    place: str = ""
    typed: bool = False  # whether a visible field was filled in
    has_password: bool = False
    left: list[str] = field(default_factory=list)  # texts for which the page has no field


@dataclass
class _Field:
    tag: str
    attrs: Attrs
    span: Span  # of the start tag
    options: list[_Option] = field(default_factory=list)
    text: Span = (0, 0)  # of a textarea

    @property
    def name(self) -> str:
        return self.attrs.get("name") or ""

    @property
    def kind(self) -> str:
        return (self.attrs.get("type") or "text").lower() if self.tag == "input" else self.tag

    @property
    def value(self) -> str:
        return self.attrs.get("value") or ""


@dataclass
class _Option:
    attrs: Attrs
    span: Span
    text: str = ""

    @property
    def value(self) -> str:
        return self.text.strip() if self.attrs.get("value") is None else self.attrs["value"] or ""


@dataclass
class _Form:
    attrs: Attrs
    span: Span
    folds: tuple[tuple[Attrs, Span], ...]  # closed `details` elements around it
    targets: set[str] = field(default_factory=set)
    fields: list[_Field] = field(default_factory=list)
    buttons: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    """Finds forms and their fields in HTML, with their positions in the text."""

    def __init__(self, html: str, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.page = page
        self.lines = [0, *(hit.end() for hit in re.finditer("\n", html))]
        self.forms: list[_Form] = []
        self.elsewhere: list[tuple[str, _Field]] = []  # fields and buttons outside their form, with the form's ID
        self.form: _Form | None = None
        self.area: _Field | None = None
        self.select: _Field | None = None
        self.folds: list[tuple[Attrs, Span]] = []
        self.feed(html)
        self.close()
        by_id = {form.attrs["id"]: form for form in self.forms if form.attrs.get("id")}
        for name, found in self.elsewhere:
            if name in by_id:
                self._add(by_id[name], found)

    def _at(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given, start = dict(attrs), self._at()
        span = (start, start + len(self.get_starttag_text() or ""))
        if tag == "details":
            self.folds.append((given, span))
        elif tag == "form":
            self.form = _Form(given, span, tuple(fold for fold in self.folds if "open" not in fold[0]))
            self.forms.append(self.form)
            self._aim(self.form, given, "action")
        elif tag in ("input", "select", "textarea", "button"):
            self._field(_Field(tag, given, span))
        elif tag == "option" and self.select:
            self.select.options.append(_Option(given, span))
        if self.form and tag != "form":
            self._aim(self.form, given, "formaction")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "details" and self.folds:
            self.folds.pop()
        elif tag == "select":
            self.select = None
        elif tag == "textarea" and self.area:
            self.area.text = (self.area.span[1], self._at())
            self.area = None

    def handle_data(self, data: str) -> None:
        if self.select and self.select.options:
            self.select.options[-1].text += data

    def _aim(self, form: _Form, attrs: Attrs, name: str) -> None:
        """Record the URL to which this element submits the form."""
        for address in (attrs.get(name), attrs.get("hx-post")):
            if address:
                form.targets.add(_target(self.page, address))
        if name == "action" and not attrs.get("action"):
            form.targets.add(self.page)

    def _field(self, found: _Field) -> None:
        if found.tag == "textarea":
            self.area = found
        elif found.tag == "select":
            self.select = found
        if found.attrs.get("form"):
            self.elsewhere.append((found.attrs["form"] or "", found))
        elif self.form:
            self._add(self.form, found)

    def _add(self, form: _Form, found: _Field) -> None:
        if found.tag == "button" or found.kind in ("submit", "image"):
            form.buttons.add(found.name)
            if address := found.attrs.get("formaction"):
                form.targets.add(_target(self.page, address))
        elif found.name and "disabled" not in found.attrs:
            form.fields.append(found)


def fill_form(html: str, *, page: str, path: str, fields: dict[str, list[str]]) -> Filled:
    """Return the page with these fields filled into the form that is submitted to `path`, and what did not fit in."""
    form = _form_meant(_Reader(html, page).forms, path, fields)
    if form is None:
        return Filled(html, left=_texts(value for values in fields.values() for value in values))
    left = {name: list(values) for name, values in fields.items()}
    edits: list[tuple[Span, str]] = []
    is_typed = False
    for each in form.fields:
        if each.name in OWN or each.kind in UNFILLED:
            continue
        taken = _fill(each, left, edits)
        is_typed |= taken and each.kind != "hidden"
    place = form.attrs.get("id") or PLACE
    edits.append((form.span, _tag("form", form.attrs | {"id": place})))
    edits += [(span, _tag("details", attrs | {"open": None})) for attrs, span in form.folds]
    unplaced = (value for name, values in left.items() if name not in form.buttons for value in values)
    return Filled(
        html=_edited(html, edits),
        place=place,
        typed=is_typed,
        has_password=any(each.kind == "password" for each in form.fields),
        left=_texts(unplaced),
    )


def insert_notice(html: str, notice: str) -> str:
    """Return the page with the notice inserted at the top of its content."""
    found = re.search(r"<main\b[^>]*>", html) or re.search(r"<body\b[^>]*>", html)
    at = found.end() if found else 0
    return html[:at] + notice + html[at:]


def _form_meant(forms: list[_Form], path: str, fields: dict[str, list[str]]) -> _Form | None:
    """Return the form that was submitted: of several with the same URL, the one with the same hidden values."""
    aimed = [form for form in forms if path in form.targets]
    if len(aimed) < 2:
        return next(iter(aimed), None)
    times = Counter(name for form in aimed for name in {each.name for each in _telling(form)})

    def is_same(each: _Field) -> bool:  # a value that only one form has, such as a dice hash, may have changed since
        return each.name in fields and (times[each.name] == 1 or each.value in fields[each.name])

    same = [form for form in aimed if all(map(is_same, _telling(form)))]

    def likeness(form: _Form) -> tuple[int, int]:
        names = {each.name for each in form.fields} | form.buttons
        return len(names & set(fields)), -len(names - set(fields))

    return max(same, key=likeness, default=None)


def _telling(form: _Form) -> Iterator[_Field]:
    """Yield the hidden fields that distinguish the form from others with the same URL."""
    for each in form.fields:
        if each.kind == "hidden" and each.name not in OWN and not each.name.endswith(MARK_READ):
            yield each


def _fill(each: _Field, left: dict[str, list[str]], edits: list[tuple[Span, str]]) -> bool:
    """Append the edits for this field; return whether a submitted value was filled in."""
    values = left.get(each.name, [])
    if each.kind in TICKED:
        value = "on" if each.attrs.get("value") is None else each.value
        is_ticked = value in values
        if is_ticked:
            values.remove(value)
        _mark(each.tag, each.attrs, each.span, "checked", is_ticked, edits)
        return is_ticked
    if each.kind == "select":
        return _choose(each, values, edits)
    if not values:
        return False
    value = values.pop(0)
    if each.kind == "textarea":
        edits.append((each.text, "\n" + escape(value, quote=False)))
    elif value != each.value:
        edits.append((each.span, _tag("input", each.attrs | {"value": value})))
    return True


def _choose(each: _Field, values: list[str], edits: list[tuple[Span, str]]) -> bool:
    known = {option.value for option in each.options}
    chosen = {value for value in values if value in known}
    if "multiple" not in each.attrs:
        if not values or values[0] not in known:
            return False  # the chosen option no longer exists
        chosen = {values[0]}
    for value in chosen:
        values.remove(value)
    for option in each.options:
        _mark("option", option.attrs, option.span, "selected", option.value in chosen, edits)
    return bool(chosen)


def _mark(tag: str, attrs: Attrs, span: Span, word: str, is_on: bool, edits: list[tuple[Span, str]]) -> None:
    """Append the edit that sets or removes an attribute without a value."""
    if (word in attrs) != is_on:
        others = {name: value for name, value in attrs.items() if name != word}
        edits.append((span, _tag(tag, others | ({word: None} if is_on else {}))))


def _tag(tag: str, attrs: Attrs) -> str:
    words = (f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in attrs.items())
    return f"<{tag}{''.join(words)}>"


def _target(page: str, address: str) -> str:
    """Return the address, which may be relative to the page, as the path that a browser requests."""
    return urldefrag(urljoin(page, address)).url


def _edited(html: str, edits: list[tuple[Span, str]]) -> str:
    for (start, end), text in sorted(edits, reverse=True):
        html = html[:start] + text + html[end:]
    return html


def _texts(values: Iterator[str]) -> list[str]:
    """Return the texts that somebody probably typed: several words, and no data of a script."""
    return [text for value in values if len((text := value.strip()).split()) > 1 and text[0] not in "{["]
