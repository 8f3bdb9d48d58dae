"""Fill in every form, end the session, send the form, sign in again, and check that nothing is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import lxml.html
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest
from django.test import Client
from lxml.html import HtmlElement

from rosters.models import Player
from rosters.site.kept_forms import NEVER_KEPT, PREVIEWS, SIGN_IN_ROUTES, account_field
from tests.permissions.routes import address, client_of, get_page, table
from tests.permissions.world import ROLES, World

from .form_pages import Form, Pairs, forms_on, multipart, urlencoded

READERS = ROLES[1:]
TYPED = 'Kept "words" <b>of</b> Ünder & over\'s'
TEXTS = ("", "text", "search", "email", "url", "tel")


@dataclass
class Found:
    """The results. `wrong`: an example by route and kind of fault."""

    forms: int = 0
    fields: int = 0
    routes: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return (
            f"{self.forms} forms of {len(self.routes)} routes sent with an ended session, {self.fields} fields compared, "
            f"{len(self.wrong)} kinds of faults"
        )


def walk_ended_sessions(world: World, *, pages: str = "", each: int = 1) -> Found:
    """Walk the pages and return the results.

    `pages`: parts of route names of the pages to read, separated by commas; `each`: number of forms of one kind.
    """
    found = Found()
    clients = {role: client_of(world, role) for role in READERS}
    for client in clients.values():
        client.raise_request_exception = False
        client.get("/")
    seen: Counter[tuple[object, ...]] = Counter()
    for role, path in _pages(world, pages):
        html, page = _read(clients[role], path)
        html = typed_into(html)
        for number, form in enumerate(forms_on(html, role=role, page=page)):
            kind = (role, form.route, form.names)
            seen[kind] += 1
            if seen[kind] <= each and form.route not in SIGN_IN_ROUTES + PREVIEWS:
                _try(found, clients[role], form, is_part=number % 2 == 1)
    return found


def _pages(world: World, parts: str) -> Iterator[tuple[str, str]]:
    for role in READERS:
        for row in table():
            path = address(row.route, world.cases[row.case])
            may = row.expected.get("GET", "4" * 8)[ROLES.index(role)] == "."
            if may and not path.startswith("/api/") and any(part in row.route for part in parts.split(",")):
                yield role, path


def _read(client: Client, path: str) -> tuple[str, str]:
    """Return the page to which the path leads, if it has a form, and its own path."""
    cache.clear()
    cookies = client.cookies.copy()
    with transaction.atomic():
        answer, page = get_page(client, path)
        html = answer.getvalue().decode(errors="replace")
        transaction.set_rollback(True)
    client.cookies = cookies
    is_page = answer.status_code < 400 and answer.headers.get("Content-Type", "").startswith("text/html")
    return html if is_page and ("<form" in html or "hx-post" in html) else "", page


def typed_into(html: str) -> str:
    """Return the page with a changed value in every editable field."""
    if not html:
        return ""
    root = lxml.html.fromstring(html)
    for each in root.xpath("//form//input|//form//textarea|//form//select"):
        if each.get("disabled") is None and (each.get("form") is None):
            _type(each)
    return lxml.html.tostring(root, encoding="unicode")


def _type(each: HtmlElement) -> None:
    kind = (each.get("type") or "").lower()
    if each.tag == "textarea":
        each.text = f"{TYPED}\n\n  second line"
    elif each.tag == "select":
        options = each.xpath(".//option[not(@disabled)]")
        for option in options:
            option.attrib.pop("selected", None)
        if options:
            options[-1].set("selected", "")
    elif kind == "checkbox":
        if each.get("checked") is None:
            each.set("checked", "")
        else:
            del each.attrib["checked"]
    elif kind == "number":
        each.set("value", each.get("max") or "7")
    elif each.tag == "input" and kind in TEXTS:
        each.set("value", TYPED)


def _try(found: Found, client: Client, form: Form, *, is_part: bool) -> None:
    found.forms += 1
    found.routes[form.route] += 1
    sent: Pairs = [pair for pair in form.pairs if "password" not in pair[0]]
    with transaction.atomic():
        fault = _fault(found, client, form, sent, is_part)
        transaction.set_rollback(True)
    if fault:
        what, detail = fault
        found.wrong.setdefault(f"{form.route}: {what}", f"{form.role} on {form.page} to {form.path}\n{detail}")


def _fault(found: Found, client: Client, form: Form, sent: Pairs, is_part: bool) -> tuple[str, str] | None:
    cache.clear()
    gone = Client(raise_request_exception=False)
    gone.cookies = client.cookies.copy()
    del gone.cookies[settings.SESSION_COOKIE_NAME]
    is_upload = bool(form.files)
    files = [(name, "a.txt", b"never kept") for name in form.files]
    body, kind = multipart(sent, files) if is_upload else urlencoded(sent)
    page = f"http://testserver{form.page}"
    headers = {"Referer": page}
    if is_part or "form_account" not in dict(sent):
        is_part, account = True, _account_of(form.role)
        headers = {"HX-Request": "true", "HX-Current-URL": page, "X-Form-Account": account}
    answer = gone.generic("POST", form.path, body, kind, headers=headers)
    url = answer.headers.get("HX-Redirect" if is_part else "Location", "")
    if "/accounts/login/" not in url and "form_account" not in dict(sent) and answer.status_code < 400:
        return None  # a button that needs no session
    if "/accounts/login/" not in url:
        return "not led to sign in", f"{answer.status_code} {url}"
    back = parse_qs(urlsplit(url).query)["next"][0]
    if urlsplit(back).path != urlsplit(form.page).path:
        return "leads to another page", back
    returned = client.get(back)
    html = returned.content.decode(errors="replace")
    if returned.status_code != 200:
        return f"its page answers {returned.status_code}", html[:300]
    if "You were signed out" not in html:
        return "says nothing", html[:300]
    if "never kept" in html:
        return "shows a file", ""
    if form.files and "Choose the file again." not in html:
        return "does not ask for the file", ""
    wanted = _compared(sent)
    found.fields += len(wanted)
    nearest = None
    for other in forms_on(html, role=form.role, page=form.page):
        if other.path != form.path:
            continue
        held = _compared(list(other.pairs))
        differ = {"sent": sorted(wanted - held), "held": sorted(held - wanted)}
        if held == wanted:
            return None
        if nearest is None or len(str(differ)) < len(str(nearest)):
            nearest = differ
    return "another content", str(nearest)[:1500]


def _compared(pairs: Pairs) -> set[tuple[str, str]]:
    return {
        (name, value.replace("\r\n", "\n"))
        for name, value in pairs
        if name not in NEVER_KEPT and "password" not in name
    }


def _account_of(role: str) -> str:
    """Return the account that htmx sends for a reader of the page."""
    request = HttpRequest()
    request.user = Player.objects.get(username=f"the-{role}")
    return account_field(request)
