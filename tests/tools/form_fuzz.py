"""Fill in every form on the pages as a browser would; send it valid, twice, spoilt, and as somebody else.

Forms are found by reading every page in every role. Routes with a form that no page shows get blind requests. Each
request is rolled back, so that all start from the same state; at the end accepted requests are sent in a row, and every
page is read again. A response is wrong if
- it fails (5xx),
- it refuses without a reason, or refuses but still changes something,
- it changes somebody else's rows, except in a campaign,
- the same form with the same key gets another response the second time, or acts again.
"""

from __future__ import annotations

import functools
import random
import re
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from django.apps import apps
from django.contrib.messages import get_messages
from django.contrib.messages.constants import WARNING
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F, Model
from django.http.response import HttpResponseBase
from django.test import Client

from rosters.models import IdempotentResponse, Player
from rosters.site.idempotency import NOT_HERE
from tests.permissions.routes import address, client_of, get_page, routes, table
from tests.permissions.world import ROLES as TABLE_ROLES
from tests.permissions.world import World

from .form_pages import Form, Pairs, forms_on, multipart, urlencoded, visible_texts, with_new_key

# Pages that show a secret once, so that their responses aren't kept.
SHOWN_ONCE = ("campaigns:webhooks", "campaigns:webhook_secret")

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

ROLES = ("anonymous", "stranger", "attacker", "defender", "arbiter", "organiser", "operator")
READERS = ("anonymous", "attacker", "defender", "arbiter", "organiser", "operator")
OTHER_ROLE_SHARE, HTMX_SHARE, OTHER_SITE_SHARE, TRUNCATED_SHARE = 0.3, 0.3, 0.05, 0.03  # of the spoilt forms
ALWAYS_WRITABLE = {
    "django_session",
    "rosters_keptanswer",
    "rosters_signin",
    "rosters_workerseen",
}  # any request may write these
ALWAYS_WRITABLE |= {"battles_sealeddice"}  # a page with a battle form seals dice, even if it is a refusal
WRITES = re.compile(r'^(?:INSERT INTO|UPDATE|DELETE FROM)\s+"(\w+)"')
OWNERS = {  # by model: the owner, who alone may change its rows
    "rosters.Company": "owner", "rosters.Unit": "company__owner", "rosters.Pilot": "company__owner",
    "rosters.LedgerEntry": "company__owner", "rosters.Design": "author", "rosters.Scenario": "author",
    "rosters.PrintJob": "asked_by", "rosters.PrintPreset": "player", "rosters.PrinterProfile": "player",
    "rosters.AccessToken": "user", "rosters.Player": "pk", "account.EmailAddress": "user", "mfa.Authenticator": "user",
    "usersessions.UserSession": "user",
}  # fmt: skip
CAMPAIGN_MODELS = {"rosters.Company", "rosters.Unit", "rosters.Pilot", "rosters.LedgerEntry"}  # changed by results
JUNK = [
    "", " ", "-1", "0", "1", "9" * 30, "1e309", "NaN", "1.5", "None", "null", "true", "[]", "{}", '{"a": 1}', "on",
    "a\x00b", "\x00", "\ud800", "a\udfffb", "\ufffe", "\ufdd0", "\U0001ffff", "\u202etxt", "\u2066", "\u200b", "\u200f",
    "\ufeff", "\u0301", "Z" + "\u0301" * 80, "\U000e0041", "x" * 61, "x" * 5000, "\u7070\u72fc", "\u0631\u0645\u0627\u062f\u064a", "\U0001f9d9\u200d\u2642\ufe0f",
    "<script>alert(1)</script>", "{{ 7 }}", "%00", "../../etc/passwd", "a\r\nSet-Cookie: b=c", "2031-13-45", "9999999-01-01",
    "2147483648", "-9223372036854775809", "00000000-0000-0000-0000-000000000000", "wasp", "published:wasp", "design:1",
]  # fmt: skip
FILES = [
    b"", b"\x00\xff\xfe", b"{}", b"[]", b'{"muster": "company/1"}', b'{"muster": "scenario/1", "spec": {}}', b"%PDF-1.7",
    "\ufeff{}".encode(), b'{"a": 1, "a": 2}', b'{"muster": NaN}', b"[" * 2000, b'"' + b"x" * 100_000 + b'"', b"\x1f\x8b",
]  # fmt: skip


@dataclass(frozen=True)
class Sent:
    """A form that was sent: role, address, values and kind of case."""

    role: str
    form: Form
    pairs: tuple[tuple[str, str], ...]
    how: str
    is_part: bool = False  # sent by htmx
    files: tuple[tuple[str, str, bytes], ...] = ()

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value[:60]!r}" for name, value in self.pairs if name != "csrfmiddlewaretoken")
        files = ", ".join(f"{name}: {content[:40]!r}" for name, _, content in self.files)
        return f"{self.role} {'part ' * self.is_part}{self.how} {self.form.path} [{values}] {files}"


@dataclass
class Found:
    posts: Counter[str] = field(default_factory=Counter)  # by route
    roles: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)  # by route
    forms: int = 0
    twice: int = 0  # valid forms that were done, and sent again
    blind: set[str] = field(default_factory=set)  # routes whose form no page shows
    pages: int = 0  # read after the accepted requests
    wrong: dict[str, str] = field(default_factory=dict, repr=False)
    seconds: float = 0

    def __str__(self) -> str:
        never = sorted(set(self.posts) - set(self.done))
        return "\n".join(
            [
                f"{self.posts.total()} posts of {self.forms} forms to {len(self.posts)} routes in {self.seconds:.0f} s",
                *(f"  {status}  {count:6}" for status, count in sorted(self.statuses.items())),
                "by role: " + ", ".join(f"{role} {count}" for role, count in self.roles.items()),
                "outcomes: " + ", ".join(f"{what} {count}" for what, count in self.outcomes.items()),
                f"sent twice with their key: {self.twice}",
                f"sent to blindly: {', '.join(sorted(self.blind)) or 'none'}",
                f"done at {len(self.done)} routes; never done: {', '.join(never) or 'none'}",
                f"{self.pages} pages read after what was accepted",
                f"{sum(count for status, count in self.statuses.items() if status >= 500)} server errors, "
                f"{len(self.wrong)} kinds of violations",
            ]
        )


def form_routes(world: World) -> dict[str, list[str]]:
    """Return the page routes that take a form, with the addresses of their cases."""
    found: dict[str, list[str]] = {}
    for row in table():
        path = address(row.route, world.cases[row.case])
        if any(outcome.startswith("POST") for outcome in row.expected) and not path.startswith("/api/"):
            found.setdefault(row.route, []).append(path)
    return {route: found[route] for route in sorted(routes()) if route in found}


def fuzz_forms(world: World, *, spoilt: int, seed: int = 1, only: str = "", pages: str = "", kept: int = 300) -> Found:
    """Send every form valid and twice, and `spoilt` spoilt copies of each.

    `only`: parts of names of the routes to send to, separated by commas; `pages`: the same for the routes whose pages
    are read; `kept`: the number of accepted requests that are repeated at the end.
    """
    began = time.monotonic()
    fuzz = _Fuzz(world, random.Random(seed))
    targets = {route: paths for route, paths in form_routes(world).items() if _has(route, only)}
    forms = [form for form in fuzz.read_pages(pages) if form.route in targets]
    fuzz.found.forms = len(forms)
    fuzz.found.blind = set(targets) - {form.route for form in forms}
    blind = [Form("attacker", path, path, route, ()) for route in sorted(fuzz.found.blind) for path in targets[route]]
    fuzz.learn(forms)
    for form in forms:
        fuzz.send_twice(form)
    for form in [*forms, *blind]:
        for _ in range(spoilt):
            fuzz.send_spoilt(form)
    if kept:
        fuzz.do_in_a_row(kept)
    fuzz.found.seconds = time.monotonic() - began
    return fuzz.found


def send_again_later(world: World, *, only: str, pages: str) -> Found:
    """Send the forms to these routes, and again two minutes later, as after going back and pressing again."""
    fuzz = _Fuzz(world, random.Random(1))
    for form in fuzz.read_pages(pages):
        if form.route in only.split(",") and not fuzz.found.done[form.route]:
            fuzz.send_later(form)
    return fuzz.found


class _Fuzz:
    def __init__(self, world: World, chance: random.Random) -> None:
        self.world, self.chance, self.found = world, chance, Found()
        self.clients = {role: self._client(role) for role in ROLES}
        self.values: dict[str, list[str]] = {}  # values in all forms, by field name
        self.accepted: list[Sent] = []
        self.base = self._rows(set(_models()))  # all rows before each request

    def _client(self, role: str) -> Client:
        client = client_of(self.world, role)
        client.raise_request_exception = False
        client.get("/")  # gets the cookie that identifies a visitor's forms
        return client

    # --- finding forms

    def read_pages(self, pages: str) -> Iterator[Form]:
        """Yield the forms that each role sees, at most two of each kind."""
        seen: Counter[tuple[object, ...]] = Counter()
        for role in READERS:
            for row in table():
                path = address(row.route, self.world.cases[row.case])
                may = row.expected.get("GET", "4" * 8)[TABLE_ROLES.index(role)] == "."
                if not may or path.startswith("/api/") or not _has(row.route, pages):
                    continue
                with self._undone():
                    cache.clear()
                    answer, page = get_page(self.clients[role], path)
                    html = _text(answer)
                if "<form" not in html and "hx-post" not in html:
                    continue
                for form in forms_on(html, role=role, page=page):
                    pressed = tuple(pair for pair in form.pairs if pair[0] in ("act", "do", "what", "to"))
                    kind = (role, form.route, form.names, pressed)
                    seen[kind] += 1
                    if seen[kind] <= 2:
                        yield form

    def learn(self, forms: list[Form]) -> None:
        for form in forms:
            for name, value in form.pairs:
                known = self.values.setdefault(name, [])
                if value and value not in known:
                    known.append(value)

    # --- sending

    def send_twice(self, form: Form) -> None:
        """Send the form as shown, and again with the same key."""
        pairs = tuple(with_new_key(list(form.pairs)))
        sent = Sent(form.role, form, pairs, "valid")
        with self._undone():
            answer, tables = self._post(sent)
            if (
                self._judge(sent, answer, tables) != "done"
                or form.route.startswith(NOT_HERE + SHOWN_ONCE)
                or form.files
            ):
                return
            before = self._rows(tables)
            self.found.twice += 1
            again, _ = self._post(sent)
            first, second = (answer.status_code, answer.get("Location")), (again.status_code, again.get("Location"))
            if first != second:
                self._wrong("answered otherwise the second time", sent, f"{first} then {second}")
            if self._rows(tables) != before:
                self._wrong("done twice", sent, f"in {sorted(tables)}")

    def send_later(self, form: Form) -> None:
        """Send the form as shown, and again later, which must redirect to the first result and say so."""
        sent = Sent(form.role, form, tuple(with_new_key(list(form.pairs))), "valid")
        with self._undone():
            answer, tables = self._post(sent)
            if self._judge(sent, answer, tables) != "done" or answer.status_code != 302:
                return
            before = self._rows(tables)
            IdempotentResponse.objects.update(created_at=F("created_at") - timedelta(minutes=2))
            again, _ = self._post(sent)
            self.found.twice += 1
            messages = " ".join(str(message) for message in get_messages(again.wsgi_request))
            if again.headers.get("Location") != answer.headers["Location"]:
                self._wrong("does not lead to what was made", sent, str(again.headers.get("Location")))
            if "You already did this 2 minutes ago, so we didn't do it again" not in messages:
                self._wrong("does not say that it was done", sent, messages)
            if self._rows(tables) != before:
                self._wrong("done twice", sent, f"in {sorted(tables)}")

    def send_spoilt(self, form: Form) -> None:
        chance = self.chance
        role = chance.choice(ROLES) if chance.random() < OTHER_ROLE_SHARE else form.role
        pairs, how = self._spoil(with_new_key(list(form.pairs)))
        files = tuple(
            (name, chance.choice(("a.json", "b\u202e.json", "")), chance.choice(FILES)) for name in form.files
        )
        sent = Sent(role, form, tuple(pairs), how, chance.random() < HTMX_SHARE, files)
        with self._undone():
            if chance.random() < OTHER_SITE_SHARE:
                self._judge_elsewhere(sent)
            else:
                answer, tables = self._post(sent, is_broken=chance.random() < TRUNCATED_SHARE)
                self._judge(sent, answer, tables)

    def _spoil(self, pairs: Pairs) -> tuple[Pairs, str]:
        chance = self.chance
        if not pairs:
            pairs = [(name, "") for name in chance.sample(sorted(self.values), min(3, len(self.values)))]
        kind = chance.choice(("junk", "junk", "junk", "else", "else", "missing", "twice", "empty", "more", "as it is"))
        at = chance.randrange(len(pairs)) if pairs else 0
        name = pairs[at][0] if pairs else "name"
        if kind == "empty" or not pairs:
            return [], "empty"
        if kind == "missing":
            return pairs[:at] + pairs[at + 1 :], f"without {name}"
        if kind == "as it is":
            return pairs, kind
        if kind == "more":
            return [*pairs, (chance.choice(sorted(self.values)), chance.choice(JUNK))], kind
        known = self.values.get(name, [])
        value = chance.choice(known) if kind == "else" and known else chance.choice(JUNK)
        if kind == "twice":
            return [*pairs, (name, value)], f"{name} twice"
        return pairs[:at] + [(name, value)] + pairs[at + 1 :], f"{kind} in {name}"

    def _get(self, role: str, path: str) -> Answer:
        cache.clear()
        return self.clients[role].get(path)

    def _post(self, sent: Sent, *, is_broken: bool = False, client: Client | None = None) -> tuple[Answer, set[str]]:
        """Return the response, and the tables that were written to."""
        is_file = sent.files or sent.form.files
        pairs = list(sent.pairs)
        body, kind = multipart(pairs, list(sent.files)) if is_file else urlencoded(pairs)
        if is_broken:
            body, kind = body[: len(body) // 2], self.chance.choice((kind, "multipart/form-data", "application/json"))
        headers = {"HX-Request": "true"} if sent.is_part else {}
        tables: set[str] = set()

        def watch(execute: Callable[..., object], sql: str, *asked: object) -> object:
            if written := WRITES.match(sql):
                tables.add(written[1])
            return execute(sql, *asked)

        cache.clear()
        with connection.execute_wrapper(watch):
            answer = (client or self.clients[sent.role]).generic("POST", sent.form.path, body, kind, headers=headers)
        self.found.posts[sent.form.route] += 1
        self.found.roles[sent.role] += 1
        self.found.statuses[answer.status_code] += 1
        return answer, tables - ALWAYS_WRITABLE

    @contextmanager
    def _undone(self) -> Iterator[None]:
        """Roll back everything inside."""
        cookies = {role: client.cookies.copy() for role, client in self.clients.items()}
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
        for role, client in self.clients.items():
            client.cookies = cookies[role]

    # --- judging

    def _judge(self, sent: Sent, answer: Answer, tables: set[str]) -> str:
        """Return the outcome: refused, shown (the page or a part of it again) or done."""
        what = outcome(answer)
        self.found.outcomes[what] += 1
        if answer.status_code >= 500:
            self._wrong(f"answers {answer.status_code}", sent, _broken(answer) or _text(answer)[:500])
            return what
        changed = self._changes(tables)
        if what == "refused":
            has_reason = answer.status_code < 400 or len(visible_texts(_text(answer))) >= 3
            if not has_reason:
                self._wrong("refuses without a word", sent, f"{answer.status_code} {_text(answer)[:300]}")
            if changed:
                self._wrong("changes something though it refuses", sent, f"{answer.status_code} {changed}")
            return what
        if changed:
            what = "done"
            self.found.done[sent.form.route] += 1
            self.accepted.append(sent)
        self._look_for_foreign(sent, changed)
        if 300 <= answer.status_code < 400 and answer["Location"].startswith("/"):
            page = self._get(sent.role, answer["Location"])
            if page.status_code >= 500:
                self._wrong(f"leads to a page that answers {page.status_code}", sent, _broken(page))
        return what

    def _judge_elsewhere(self, sent: Sent) -> None:
        """Send the form without its token, as another site would."""
        client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        client.cookies = self.clients[sent.role].cookies.copy()
        unknown = ("csrfmiddlewaretoken", "form_account")  # another site doesn't know these
        pairs = tuple(pair for pair in sent.pairs if pair[0] not in unknown)
        answer, tables = self._post(Sent(sent.role, sent.form, pairs, "from elsewhere", sent.is_part), client=client)
        self.found.outcomes["refused"] += 1
        if answer.status_code != 403 or self._changes(tables) or len(visible_texts(_text(answer))) < 3:
            self._wrong("takes a form from elsewhere", sent, f"{answer.status_code} {_text(answer)[:300]}")

    def _changes(self, tables: set[str]) -> dict[str, list[object]]:
        """Return the changed rows of these tables, by table."""
        changed = {}
        for name, rows in self._rows(tables).items():
            before = self.base[name]
            if differ := [pk for pk in {*rows, *before} if rows.get(pk) != before.get(pk)]:
                changed[name] = differ
        return changed

    def _look_for_foreign(self, sent: Sent, changed: dict[str, list[object]]) -> None:
        player = self.world.people[sent.role]
        own = player.pk if isinstance(player, Player) else None
        models = _models()
        for name, pks in changed.items():
            label = models[name]._meta.label
            if label not in OWNERS or (sent.form.route.startswith("campaigns:") and label in CAMPAIGN_MODELS):
                continue
            before = self.base[name]
            foreign = [pk for pk in pks if pk in before and before[pk][0] not in (own, None)]
            if foreign:
                self._wrong("changes what is somebody else's", sent, f"{label} {foreign}")

    def _rows(self, tables: set[str]) -> dict[str, dict[object, tuple[object, ...]]]:
        """Return each row with its owner, by key, by table."""
        found = {}
        for name, model in _models().items():
            if name not in tables:
                continue
            owner = OWNERS.get(model._meta.label, "pk")
            fields = [each.attname for each in model._meta.concrete_fields]
            rows = model._base_manager.values_list("pk", owner, *fields)
            found[name] = {row[0]: (row[1], *map(repr, row[2:])) for row in rows}
        return found

    def _wrong(self, what: str, sent: Sent, detail: str) -> None:
        self.found.wrong.setdefault(f"{sent.form.route} {what}", f"{sent}\n{detail}")

    # --- in a row

    def do_in_a_row(self, most: int) -> None:
        """Repeat accepted requests without rolling back; then read every page in up to two roles."""
        chosen = self.chance.sample(self.accepted, min(most, len(self.accepted)))
        for sent in chosen:
            with transaction.atomic():
                answer, _ = self._post(sent)
            if answer.status_code >= 500:
                self._wrong(f"answers {answer.status_code} after others", sent, _broken(answer))
        clients = {role: self._client(role) for role in READERS}
        for row in table():
            able = [role for role in READERS if row.expected.get("GET", "4" * 8)[TABLE_ROLES.index(role)] == "."]
            for role in {*able[:1], *able[-2:-1]}:
                client = clients[role]
                path = address(row.route, self.world.cases[row.case])
                cache.clear()
                with transaction.atomic():
                    answer = client.get(path)
                    _text(answer)
                self.found.pages += 1
                if answer.status_code >= 500:
                    detail = f"{path}\n{_broken(answer)}"
                    self.found.wrong.setdefault(f"{row.route} is not shown after what was accepted", detail)


def outcome(answer: Answer) -> str:
    """Return refused, shown or done, judged by the response alone."""
    if answer.status_code >= 400:
        return "refused"
    levels = [message.level for message in get_messages(answer.wsgi_request)]
    if any(level >= WARNING for level in levels):
        return "refused"
    if answer.status_code >= 300:
        return "refused" if "/accounts/login/" in answer["Location"] else "done"
    return "shown"


def _has(route: str, parts: str) -> bool:
    return any(part in route for part in parts.split(","))


def _broken(answer: Answer) -> str:
    """Return the end of the traceback."""
    return "".join(traceback.format_exception(*answer.exc_info)[-6:]) if answer.exc_info else ""


def _text(answer: HttpResponseBase) -> str:
    return answer.getvalue().decode(errors="replace")


@functools.cache
def _models() -> dict[str, type[Model]]:
    """Return every model by its table."""
    found = apps.get_models(include_auto_created=True)
    return {model._meta.db_table: model for model in found if not model._meta.proxy and model._meta.managed}
