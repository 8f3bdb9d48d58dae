"""Changing a secret changes nothing that other readers can open: no page, no API response, no ETag.

Every secret in the list below is changed. Every address that a reader without the secret can reach is requested before
and after: those in table.txt, with every method, and those that pages link to. All secrets hidden from a reader are
changed at once: if nothing differs, none of them shows. If something differs, each secret is tried alone.

A new secret gets an entry in SECRETS: its name, the roles that know it, how to change it, and where those roles see the
change (otherwise the test couldn't fail). Secrets of fair dice aren't in the list, because rolls depend on them;
test_permissions.py searches every response for them instead.
"""

from __future__ import annotations

import copy
import html
import io
import re
import uuid
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.cache import caches
from django.db import transaction
from django.db.models import QuerySet
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from battles.live.selectors import _cached_view
from battles.live.sheet import table_sheet
from battles.live.state import SEAL, SET
from battles.models import Battle, LiveEvent
from campaigns.archive.packing import pack_club
from campaigns.army_lists.services import preparation_roll
from campaigns.live_tables import match_table_seat
from campaigns.models import (
    ActivityLogEntry,
    Availability,
    Campaign,
    Club,
    ClubArchive,
    ClubDisplay,
    ClubRestore,
    Enrolment,
    Guest,
    GuestLink,
    Handicap,
    Invitation,
    JoinRequest,
    Match,
    MatchPreparation,
    Membership,
    Notification,
    NotificationPreferences,
    Placeholder,
    PlayerCalendar,
    Report,
    SavedList,
    Season,
    SubmittedList,
    WatchParty,
    Webhook,
)
from rosters.accounts.data_export import pack_files as pack_own_data
from rosters.appearance.services import description_save
from rosters.models import (
    AccessToken,
    Company,
    DataExport,
    Description,
    Design,
    Player,
    PrinterProfile,
    PrintJob,
    PrintPreset,
    Scenario,
    SignIn,
    Unit,
)
from systems.reading import read_setup, stored_setup
from systems.setups import setup_json
from tests.accounts.test_tokens import api
from tests.battles.builders import duel
from tests.battles.live.builders import do, mark
from tests.campaigns.fresh_builds import a_fresh_match
from tests.example_shares import in_every_run, stable_number

from .routes import address, ask, client_of, steady, table
from .world import ROLES, SECRET_UNIT, World

pytestmark = pytest.mark.any_database

Reading = tuple[int, tuple[tuple[str, str], ...], str]  # status, headers, body
HEADERS = ("Content-Type", "Content-Disposition", "ETag", "Last-Modified", "Location", "Allow", "Link")
LINK = re.compile(r'\b(?:href|src|action|hx-get|data-[\w-]+)="(/[^"#]*)')
NO_LINKS = ("/static/", "/admin/", "/accounts/logout/", "/api/")
MAX_LINKS_PER_ROUTE = 2  # links to one route with the same parameters
PARTS = 8  # one part of the addresses is requested in every run
RANDOM = ("/names/", "/devices/key/")  # random for each request
MAX_EXPLAINED = 12  # differences per reader for which the secret is searched

OWNER = frozenset({"attacker"})
ORGANISER = frozenset({"organiser"})
SIDES = frozenset({"attacker", "defender"})
JUDGES = frozenset({"attacker", "defender", "arbiter", "organiser"})
CLUB = JUDGES | {"member"}
NOBODY = frozenset[str]()


@dataclass(frozen=True, kw_only=True)
class Secret:
    """Something that some roles may not know.

    `change` gives it another value, and returns keys that are no longer valid.
    """

    name: str
    knows: frozenset[str]  # roles
    change: Callable[[World], object]
    seen: tuple[str, str, str] | None = None  # role, route and case that show it; None: nothing shows it
    is_opened_by_keys: bool = False  # anybody with the link can read it too


# --- changing secrets ---


def update(rows: QuerySet[Any], **values: Any) -> None:
    assert rows.update(**values), f"no {rows.model.__name__} to change"


def rewrite(rows: QuerySet[Any], name: str, change: Callable[[Any], Any]) -> None:
    """Change that field of each row."""
    found = list(rows)
    assert found, f"no {rows.model.__name__} to change"
    for row in found:
        before = getattr(row, name)
        after = change(copy.deepcopy(before))
        assert before != after
        type(row).objects.filter(pk=row.pk).update(**{name: after})


def change_keys(rows: QuerySet[Any], name: str = "key") -> list[str]:
    """Give each row another key; return the old ones."""
    before = [str(getattr(row, name)) for row in rows]
    rewrite(rows, name, lambda _: uuid.uuid4())
    return before


def owner(world: World) -> Any:
    return world.people["attacker"]


def hidden_lists() -> QuerySet[SubmittedList]:
    """Return the attacker's lists in matches whose lists aren't revealed."""
    return SubmittedList.objects.filter(match__setup__isnull=True, side=0, submitted_by__username="the-attacker")


def a_table() -> Any:
    return LiveEvent.objects.filter(table__match_table__match__round__campaign__name="The public war")


def with_doctrine(document: Any) -> Any:
    return document | {"doctrine": "aggressive" if document["doctrine"] == "cautious" else "cautious"}


def with_orders(document: Any) -> Any:
    return document | {"standing": {"all": {"retreat": 2}}}


def with_setup_orders(setup: Any) -> Any:
    setup["sides"][0]["standing"] = {"retreat": 2}
    return setup


def with_setup_style(basis: Any) -> Any:
    basis["setup"]["sides"][0]["doctrine"] = "aggressive"
    return basis


def toggle_mark(facts: Any) -> Any:
    cell, was, now = facts["changes"][0]
    return {"changes": [[cell, was, int(not now)]]}


SECRETS = (
    # --- an undecided match ---
    Secret(
        name="units of a submitted list",
        knows=OWNER,
        change=lambda w: rewrite(hidden_lists(), "document", lambda each: each | {"units": each["units"][:1]}),
        seen=("attacker", "campaigns:match", "public-match"),
    ),
    Secret(
        name="AI style of a submitted list",
        knows=OWNER,
        change=lambda w: rewrite(hidden_lists(), "document", with_doctrine),
        seen=("attacker", "campaigns:match_forces", "public-match"),
    ),
    Secret(
        name="autoplay orders of a submitted list",
        knows=OWNER,
        change=lambda w: rewrite(hidden_lists(), "document", with_orders),
        seen=("attacker", "campaigns:match_forces", "public-match"),
    ),
    Secret(
        name="salt of a submitted list",
        knows=OWNER,
        change=lambda w: update(hidden_lists(), salt="5" * 32),
    ),
    Secret(
        name="words for the dice of a submitted list",
        knows=OWNER,
        change=lambda w: update(hidden_lists(), words="badger"),
        seen=("attacker", "campaigns:match_forces", "public-match"),
    ),
    Secret(
        name="orders of a revealed list",
        knows=OWNER,
        change=lambda w: rewrite(
            Match.objects.filter(key=w.cases["public-reported"]["key"]), "setup", with_setup_orders
        ),
        seen=("attacker", "api-match", "public-reported"),
    ),
    Secret(
        name="sealed document of a revealed list",
        knows=OWNER,
        change=lambda w: rewrite(
            SubmittedList.objects.filter(match__key=w.cases["public-reported"]["key"], side=0), "document", with_orders
        ),
    ),
    Secret(
        name="autoplay orders of a company",
        knows=OWNER,
        change=lambda w: update(
            Enrolment.objects.filter(company__owner=owner(w)),
            orders={"doctrine": "cautious", "standing": {"all": {"retreat": 1}}},
        ),
        seen=("attacker", "campaigns:enrolment", "public-enrolment"),
    ),
    Secret(
        name="basis of a handicap",
        knows=SIDES,
        change=lambda w: rewrite(Handicap.objects.all(), "basis", with_setup_style),
    ),
    Secret(
        name="support rolls of an unrevealed list",
        knows=OWNER,
        change=lambda w: rewrite(
            MatchPreparation.objects.exclude(rolled_at=None),
            "rolls",
            lambda rolls: [{**each, "faces": [7 - face for face in each["faces"]]} for each in rolls],
        ),
        seen=("attacker", "campaigns:match_forces", "fresh-match"),
    ),
    Secret(
        name="sealed note at a table",
        knows=OWNER,
        change=lambda w: rewrite(a_table().filter(kind=SEAL), "facts", lambda facts: facts | {"text": "By the mill."}),
        seen=("attacker", "battles:seat", "attackers-seat"),
    ),
    Secret(
        name="marks of a hidden unit",
        knows=OWNER,
        change=lambda w: rewrite(a_table().filter(kind=SET), "facts", toggle_mark),
        seen=("attacker", "battles:seat", "attackers-seat"),
    ),
    Secret(
        name="report of one side",
        knows=JUDGES,
        change=lambda w: rewrite(Report.objects.all(), "content", lambda each: each | {"winner": "defender"}),
        seen=("attacker", "campaigns:match_report", "public-reported"),
    ),
    # --- a player's own ---
    Secret(
        name="private company",
        knows=OWNER,
        change=lambda w: update(Company.objects.filter(pk=w.cases["private"]["pk"]), name="Other", motto="Otherwise"),
        seen=("attacker", "rosters:company", "private"),
    ),
    Secret(
        name="unit of a private company that plays in a campaign",
        knows=JUDGES,
        change=lambda w: update(Unit.objects.filter(name=SECRET_UNIT), name="Loud Lark"),
        seen=("defender", "rosters:company", "company"),
    ),
    Secret(
        name="private notes",
        knows=OWNER,
        change=lambda w: update(Description.objects.exclude(notes=""), notes="Never sell it."),
        seen=("attacker", "rosters:company", "company"),
    ),
    Secret(
        name="private design",
        knows=OWNER,
        change=lambda w: update(Design.objects.filter(pk=w.cases["private-design"]["pk"]), name="Kite"),
        seen=("attacker", "rosters:design", "private-design"),
    ),
    Secret(
        name="private scenario",
        knows=OWNER,
        change=lambda w: update(Scenario.objects.filter(pk=w.cases["private-scenario"]["pk"]), name="Gorge"),
        seen=("attacker", "rosters:scenario", "private-scenario"),
    ),
    Secret(
        name="private battle",
        knows=OWNER,
        change=lambda w: update(Battle.objects.filter(key=w.cases["private-fought"]["key"]), title="Another"),
        seen=("attacker", "battles:battle", "private-fought"),
    ),
    Secret(
        name="key of a shared company",
        knows=OWNER,
        change=lambda w: change_keys(Company.objects.filter(owner=owner(w), visibility="link"), "link_key"),
        seen=("attacker", "rosters:company_settings", "link"),
    ),
    Secret(
        name="key of a shared scenario",
        knows=OWNER,
        change=lambda w: change_keys(Scenario.objects.filter(author=owner(w), visibility="link"), "link_key"),
        seen=("attacker", "rosters:scenario", "link-scenario"),
    ),
    Secret(
        name="key of a member's feed",
        knows=frozenset({"member"}),
        change=lambda w: change_keys(Membership.objects.filter(player=w.people["member"]), "feed_key"),
        seen=("member", "campaigns:gazettes", "hidden-campaign"),
    ),
    Secret(
        name="key of a calendar",
        knows=OWNER,
        change=lambda w: change_keys(PlayerCalendar.objects.filter(player=owner(w))),
        seen=("attacker", "campaigns:my_calendar", "-"),
    ),
    Secret(
        name="unsubscribe key",
        knows=OWNER,
        change=lambda w: change_keys(NotificationPreferences.objects.filter(player=owner(w)), "unsubscribe_key"),
    ),
    Secret(
        name="notification settings",
        knows=OWNER,
        change=lambda w: update(NotificationPreferences.objects.filter(player=owner(w)), hour=5),
        seen=("attacker", "api-notification-preferences", "-"),
    ),
    Secret(
        name="notification",
        knows=OWNER,
        change=lambda w: rewrite(Notification.objects.filter(player=owner(w)), "own", lambda _: {"company": "Otters"}),
        seen=("attacker", "campaigns:inbox", "-"),
    ),
    Secret(
        name="availability",
        knows=CLUB,  # game nights and availability reveal it
        change=lambda w: update(Availability.objects.filter(player=owner(w)), weekdays=[6], days=[], away=[]),
        seen=("attacker", "api-availability", "-"),
    ),
    Secret(
        name="saved list",
        knows=OWNER,
        change=lambda w: update(SavedList.objects.filter(player=owner(w)), name="Nine"),
        seen=("attacker", "api-saved-forces", "-"),
    ),
    Secret(
        name="print",
        knows=OWNER,
        change=lambda w: update(PrintJob.objects.filter(asked_by=owner(w)), title="Something else"),
        seen=("attacker", "rosters:print-job", "print-job"),
    ),
    Secret(
        name="print preset",
        knows=OWNER,
        change=lambda w: update(PrintPreset.objects.filter(player=owner(w)), name="Sunday"),
        seen=("attacker", "rosters:print-presets", "-"),
    ),
    Secret(
        name="printer",
        knows=OWNER,
        change=lambda w: update(PrinterProfile.objects.filter(player=owner(w)), name="Inkjet"),
        seen=("attacker", "rosters:print-presets", "-"),
    ),
    # --- an account ---
    Secret(
        name="email address",
        knows=OWNER,
        change=lambda w: (
            update(Player.objects.filter(pk=owner(w).pk), email="other@example.org"),
            update(EmailAddress.objects.filter(user=owner(w)), email="other@example.org"),
        )[:0],
        seen=("attacker", "account_email", "-"),
    ),
    Secret(
        name="password",
        knows=OWNER,  # a new password signs the player out
        change=lambda w: update(Player.objects.filter(pk=owner(w).pk), password="!"),
    ),
    Secret(
        name="second factor",
        knows=OWNER,
        change=lambda w: Authenticator.objects.filter(user=owner(w)).delete()[:0],
        seen=("attacker", "mfa_index", "-"),
    ),
    Secret(
        name="session",
        knows=OWNER,
        change=lambda w: update(UserSession.objects.filter(user=owner(w)), ip="198.51.100.7"),
    ),
    Secret(
        name="sign-in",
        knows=OWNER,
        change=lambda w: update(SignIn.objects.filter(player=owner(w)), address="198.51.100.0", agent="Lynx"),
        seen=("attacker", "usersessions_list", "-"),
    ),
    Secret(
        name="token of the API",
        knows=OWNER,
        change=lambda w: update(AccessToken.objects.filter(user=owner(w)), name="the old laptop"),
        seen=("attacker", "rosters:profile", "-"),
    ),
    Secret(
        name="own data as a file",
        knows=OWNER,
        change=lambda w: update(DataExport.objects.filter(player=owner(w)), size=12_345),
    ),
    Secret(
        name="uploaded archive of a club",
        knows=OWNER,
        change=lambda w: update(ClubRestore.objects.filter(asked_by=owner(w)), title="The New Table"),
        seen=("attacker", "api-club-restore-job", "restore"),
    ),
    # --- an organiser's ---
    Secret(
        name="key of an invitation",
        knows=ORGANISER,
        change=lambda w: change_keys(Invitation.objects.all()),
        seen=("organiser", "api-invitations", "public-club"),
    ),
    Secret(
        name="key of a display",
        knows=ORGANISER,
        change=lambda w: change_keys(ClubDisplay.objects.all()),
        seen=("organiser", "api-club-display", "public-club"),
    ),
    Secret(
        name="key of a placeholder",
        knows=ORGANISER,
        change=lambda w: change_keys(Placeholder.objects.all()),
        seen=("organiser", "campaigns:club_archive", "public-club"),
    ),
    Secret(
        name="link of a guest",
        knows=NOBODY,
        change=lambda w: [
            rewrite(GuestLink.objects.all(), "digest", lambda _: uuid.uuid4().hex),
            *(w.cases[f"{kind}-guest"]["key"] for kind in ("public", "hidden")),
        ][1:],
    ),
    Secret(
        name="webhook",
        knows=ORGANISER,
        change=lambda w: update(Webhook.objects.all(), url="https://example.net/other", secret="other"),
        seen=("organiser", "api-webhooks", "public-club"),
    ),
    Secret(
        name="archive of a club",
        knows=ORGANISER,
        change=lambda w: update(ClubArchive.objects.all(), size=98_765),
        seen=("organiser", "api-club-archive", "public-club"),
    ),
    Secret(
        name="message of a join request",
        knows=ORGANISER | {"stranger"},
        change=lambda w: update(JoinRequest.objects.all(), message="Please!"),
        seen=("organiser", "api-join-requests", "public-club"),
    ),
    Secret(
        name="draft of a campaign",
        knows=ORGANISER,
        change=lambda w: update(Campaign.objects.filter(state="draft"), name="Otherwise", about="Changed"),
        seen=("organiser", "campaigns:campaign", "public-draft-campaign"),
    ),
    Secret(
        name="pairing of a planned round",
        knows=ORGANISER,
        change=lambda w: update(
            Match.objects.filter(key__in=[w.cases[f"{kind}-planned"]["key"] for kind in ("public", "hidden")]),
            scenario_name="Other ground",
        ),
        seen=("organiser", "api-match", "public-planned"),
    ),
    # --- a club's ---
    Secret(
        name="activity log",
        knows=CLUB,
        change=lambda w: update(ActivityLogEntry.objects.all(), text="Something else was done."),
        seen=("member", "campaigns:club_activity_log", "public-club"),
    ),
    Secret(
        name="private club",
        knows=CLUB,
        change=lambda w: update(Club.objects.filter(is_public=False), name="Elsewhere", about="Changed", place="Linz"),
        seen=("member", "campaigns:club", "hidden-club"),
        is_opened_by_keys=True,
    ),
    Secret(
        name="guest of a private club",
        knows=CLUB,
        change=lambda w: update(Guest.objects.filter(club__is_public=False), name="Nobody"),
        is_opened_by_keys=True,
    ),
    Secret(
        name="campaign of a private club",
        knows=CLUB,
        change=lambda w: rewrite(
            Campaign.objects.filter(club__is_public=False).exclude(state="draft"), "name", lambda name: name[::-1]
        ),
        seen=("member", "campaigns:campaign", "hidden-campaign"),
        is_opened_by_keys=True,
    ),
    Secret(
        name="season of a private club",
        knows=CLUB,
        change=lambda w: update(Season.objects.filter(club__is_public=False), name="Other season"),
        seen=("member", "campaigns:season", "hidden-season"),
        is_opened_by_keys=True,
    ),
)


# --- the world ---


@pytest.fixture
def secrets(world: World, settings: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    """Return the world of all walks with some additions, and stop its clock."""
    now = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    attacker, defender = owner(world), world.people["defender"]
    company = Company.objects.get(pk=world.cases["company"]["pk"])
    description_save(company=company, by=attacker, story="They came from the hills.", notes="Where the spare key lies.")
    Availability.objects.create(player=attacker, weekdays=[1, 3], days=[], away=[])
    EmailAddress.objects.create(user=attacker, email="attacker@example.org", verified=True, primary=True)
    Authenticator.objects.create(user=attacker, type=Authenticator.Type.TOTP, data={"secret": "x"})
    SignIn.objects.create(player=attacker, address="192.0.2.0", agent="Firefox", outcome="ok")
    Campaign.objects.filter(name__in=("The public war", "The hidden war")).update(handicaps=True)
    for kind in ("public", "hidden"):
        match = Match.objects.get(key=world.cases[f"{kind}-match"]["key"])
        basis = {
            "setup": setup_json(read_setup(duel())),
            "rolls": [0, 0],
            "battles": 2000,
            "seed": "0",
            "rules_version": 1,
        }
        basis["setup"]["sides"][0]["doctrine"] = "cautious"
        Handicap.objects.create(
            match=match, status="done", kind="points", value=9, side=0, chance=0.7, chance_with=0.5, basis=basis
        )
    _table(world)
    fresh = a_fresh_match()
    Company.objects.filter(pk=fresh.attacker.company_id).update(owner=attacker)
    Company.objects.filter(pk=fresh.defender.company_id).update(owner=defender)
    preparation_roll(match=Match.objects.get(pk=fresh.pk), side=0, by=attacker)
    world.cases["fresh-match"] = {"key": fresh.key}
    return world


def _table(world: World) -> None:
    """Let the attacker hide a unit at the table of the reported match, and mark it."""
    match = Match.objects.get(key=world.cases["public-reported"]["key"])
    seats = [match_table_seat(match=match, side=side, by=world.people[ROLES[3 + side]]) for side in (0, 1)]
    table_unit = table_sheet(stored_setup(seats[0].table.setup)).of_side(0)[0]
    note = do(seats[0], SEAL, text="In the wood.")
    row = LiveEvent.objects.get(table=seats[0].table, place=note)
    LiveEvent.objects.filter(pk=row.pk).update(facts=row.facts | {"hides": table_unit.key})
    mark(
        seats[0], table_unit.answers["destroyed"].id if "destroyed" in table_unit.answers else table_unit.fate[0].id, 1
    )
    world.cases |= {"attackers-seat": {"key": seats[0].key}, "defenders-seat": {"key": seats[1].key}}
    world.cases["match-table"] = {"key": seats[0].table.key}


REQUESTED_LIKE = {  # cases of this file, by the case of table.txt that they are requested like
    "players-seat": ("attackers-seat", "defenders-seat"),
    "visitors-table": ("match-table",),
    "public-match": ("fresh-match",),
}


def requests_of(world: World) -> list[tuple[str, str, str]]:
    """Return method, path and data of all requests in table.txt and of the cases of this file."""
    found = []
    for row in table():
        for case in (row.case, *REQUESTED_LIKE.get(row.case, ())):
            for request in row.expected:
                method, _, data = request.partition(":")
                found.append((method, address(row.route, world.cases[case]), data))
    return list(dict.fromkeys(found))


# --- the crawl ---


def clear_caches() -> None:
    """Clear caches, so that no response comes from one."""
    for cache in caches.all(initialized_only=True):
        cache.clear()
    _cached_view.cache_clear()


def read(client: Client, method: str, path: str, data: str) -> Reading:
    answer, body = ask(client, method, path, data)
    return answer.status_code, tuple((name, answer.get(name, "")) for name in HEADERS), steady(body)


def links_in(body: str, known: set[tuple[str, ...]], kinds: Counter[tuple[str, ...]]) -> Iterator[str]:
    """Yield linked paths that weren't requested yet, at most a few per route."""
    for path in map(html.unescape, LINK.findall(body)):
        bare, _, query = path.partition("?")
        if path.startswith(("//", *NO_LINKS)):
            continue
        try:
            route = resolve(bare).view_name
        except Resolver404:
            continue
        names = sorted(each.partition("=")[0] for each in query.split("&"))
        kind = (route, *names)
        if (bare, *names) not in known and kinds[kind] < MAX_LINKS_PER_ROUTE:
            known.add((bare, *names))
            kinds[kind] += 1
            yield path


@dataclass
class Crawl:
    """The requests of one reader and their results."""

    cells: int = 0  # number of secrets times addresses
    addresses: int = 0
    linked: int = 0
    unsteady: list[str] = field(default_factory=list)  # responses that always differ, but only in numbers and keys
    differences: list[str] = field(default_factory=list)


Requests = list[tuple[str, str, str]]


def read_all(world: World, role: str, asked: Requests) -> Iterator[Reading]:
    """Yield the response of every address in turn, in a browser that has just signed in."""
    clear_caches()
    client = client_of(world, role)
    for each in asked:
        yield read(client, *each)


def crawl(world: World, role: str, wanted: Requests, *, with_links: bool) -> Crawl:
    """Request everything before and after changing all secrets that are hidden from the role."""
    found = Crawl()
    hidden = [secret for secret in SECRETS if role not in secret.knows]
    keys = [key for secret in hidden for key in _keys_of(world, secret)]
    openers = _access_keys(world)
    requests = [each for each in wanted if not any(key in each[1] for key in keys)]
    before = dict(zip(requests, read_all(world, role, requests), strict=True))
    if with_links:
        known = {(path.partition("?")[0], "") for _, path, _ in requests}
        kinds: Counter[tuple[str, ...]] = Counter()
        links = [path for reading in before.values() for path in links_in(reading[2], known, kinds)]
        new = [("GET", path, "") for path in links if not any(key in path for key in keys)]
        new = [each for each in dict.fromkeys(new) if each not in before]
        before |= zip(new, read_all(world, role, new), strict=True)
        found.linked = len(new)
    keyed = [each for each in before if any(key in each[1] for key in openers)]
    rest = [each for each in before if each not in set(keyed)]
    with transaction.atomic():
        for secret in hidden:
            if not secret.is_opened_by_keys:
                secret.change(world)
        after = dict(zip(keyed, read_all(world, role, keyed), strict=True))
        for secret in hidden:
            if secret.is_opened_by_keys:
                secret.change(world)
        after |= zip(rest, read_all(world, role, rest), strict=True)
        transaction.set_rollback(True)
    clear_caches()
    by_session = sum(not secret.is_opened_by_keys for secret in hidden)
    found.addresses, found.cells = len(before), by_session * len(keyed) + len(hidden) * len(rest)
    for each, one in before.items():
        two = after[each]
        if one == two:
            continue
        if is_unsteady(world, role, each, one, two):
            found.unsteady.append(f"{role}: {' '.join(each)}")
            continue
        names = (
            _find_causes(world, role, each, hidden) if len(found.differences) < MAX_EXPLAINED else ["not searched for"]
        )
        named = ", ".join(names) or "several together"
        found.differences.append(f"{role}: {' '.join(each)} reveals {named}: {_describe_difference(one, two)}")
    return found


def _keys_of(world: World, secret: Secret) -> list[str]:
    """Return the keys in the secret: an address with one of them is only for readers who know it."""
    with transaction.atomic():
        keys = secret.change(world)
        transaction.set_rollback(True)
    return [str(each) for each in keys] if isinstance(keys, list) else []


def _access_keys(world: World) -> list[str]:
    """Return all keys that open something for anybody who has them."""
    cases = [world.cases[name]["key"] for name in world.cases if name.endswith(("-guest", "-place-key", "-wall"))]
    return [*map(str, cases), *world.keys, *(str(row.key) for row in Invitation.objects.all())]


NEW_EACH_TIME = re.compile(
    r'data-ticket="[^"]+"|\?roll=[0-9a-f]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\bmw_[\w-]+|/guest/[\w-]+|[0-9a-f]{12,}|\d+'
)


def is_unsteady(world: World, role: str, asked: tuple[str, str, str], one: Reading, two: Reading) -> bool:
    """Return whether the response always differs, but only in numbers and keys of new rows."""
    if next(read_all(world, role, [asked])) == one:
        return False
    bare = [NEW_EACH_TIME.sub("", f"{each}") for each in (one, two)]
    return bare[0] == bare[1] or asked[1].endswith(RANDOM)


def _find_causes(world: World, role: str, asked: tuple[str, str, str], hidden: list[Secret]) -> Iterator[str]:
    before = next(read_all(world, role, [asked]))
    for secret in hidden:
        with transaction.atomic():
            secret.change(world)
            after = next(read_all(world, role, [asked]))
            transaction.set_rollback(True)
        if before != after:
            yield secret.name


def _describe_difference(one: Reading, two: Reading) -> str:
    """Return the place where two responses start to differ."""
    if one[0] != two[0]:
        return f"{one[0]} and {two[0]}"
    if one[1] != two[1]:
        return f"{sorted({*one[1]} ^ {*two[1]})}"
    at = next((at for at, pair in enumerate(zip(one[2], two[2], strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[2][max(0, at - 60) : at + 60]!r} and {two[2][max(0, at - 60) : at + 60]!r}"


@pytest.mark.parametrize("role", ROLES)
def test_no_reader_sees_any_secret_at_sampled_addresses(secrets, role, capsys, caplog):
    """One part of the addresses, each requested by one reader, the same in every run."""
    caplog.set_level("ERROR")
    readers = len(ROLES) * PARTS
    part = [
        each
        for each in requests_of(secrets)
        if stable_number(" ".join(each[:1]) + _bare(each[1]), readers) == ROLES.index(role)
    ]
    found = crawl(secrets, role, part, with_links=False)
    assert found.cells > 100
    assert not found.differences, "\n".join(found.differences)


def _bare(path: str) -> str:
    """Return the path without parts that differ between runs."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+", "", path)


@pytest.mark.proof
@pytest.mark.parametrize("role", ROLES)
def test_no_reader_sees_any_secret_at_any_address(secrets, role, capsys, caplog):
    caplog.set_level("ERROR")
    found = crawl(secrets, role, requests_of(secrets), with_links=True)
    hidden = sum(role not in secret.knows for secret in SECRETS)
    with capsys.disabled():
        print(
            f"\n{role}: {hidden} of {len(SECRETS)} secrets x {found.addresses} addresses ({found.linked} of links) = "
            f"{found.cells} cells, {len(found.differences)} differences; {len(found.unsteady)} answers are new each time"
        )
    assert not found.differences, "\n".join(found.differences)


@pytest.mark.parametrize("secret", [pytest.param(each, id=each.name) for each in SECRETS if each.seen])
def test_changed_secret_is_visible_to_its_roles(secrets, secret):
    """Otherwise the crawl might find nothing because nothing was changed."""
    role, route, case = secret.seen
    assert role in secret.knows
    asked = [("GET", address(route, secrets.cases[case]), "")]
    before = next(read_all(secrets, role, asked))
    assert before[0] == 200
    secret.change(secrets)
    assert next(read_all(secrets, role, asked)) != before


def files_of(world: World, role: str) -> dict[str, bytes]:
    """Return the files that a reader can export: their own data, and an organiser's clubs."""
    zips = {"own data": pack_own_data(world.people[role], at=timezone.now())}
    found: dict[str, bytes] = {}
    if role == "organiser":
        for club in Club.objects.filter(memberships__player=world.people[role]):
            zips[club.slug] = pack_club(club, at=timezone.now())
    for name, data in zips.items():
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found |= {f"{name}: {path}": archive.read(path) for path in archive.namelist()}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("role", in_every_run(["organiser"], ROLES[1:]))
def test_exported_files_show_no_secret(secrets, role):
    """The archive of a club with undecided matches, its document, and a player's own data."""
    WatchParty.objects.all().delete()  # a club can't be exported during one
    hidden = [secret for secret in SECRETS if role not in secret.knows]
    before, problems = files_of(secrets, role), []
    assert len(before) > (40 if role == "organiser" else 5)
    for secret in hidden:
        with transaction.atomic():
            secret.change(secrets)
            after = files_of(secrets, role)
            transaction.set_rollback(True)
        problems += [f"{path} reveals {secret.name}" for path in before | after if before.get(path) != after.get(path)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("role", in_every_run(["organiser"], ROLES[1:]))
def test_read_token_sees_no_key_that_gives_access(secrets, role, caplog):
    """Every address of the API is requested."""
    caplog.set_level("ERROR")
    keys: Mapping[str, str] = {
        **{str(row.key): "invitation" for row in Invitation.objects.all()},
        **{str(row.key): "display" for row in ClubDisplay.objects.all()},
        **{str(row.key): "place" for row in Placeholder.objects.all()},
        **{str(row.key): "calendar" for row in PlayerCalendar.objects.all()},
        **{str(row.feed_key): "feed" for row in Membership.objects.all()},
        **{str(row.link_key): "shared company" for row in Company.objects.all()},
        **{str(row.unsubscribe_key): "mails" for row in NotificationPreferences.objects.all()},
        **{secrets.cases[f"{kind}-guest"]["key"]: "guest" for kind in ("public", "hidden")},
    }
    paths = dict.fromkeys(
        path for method, path, _ in requests_of(secrets) if method == "GET" and path.startswith("/api/")
    )
    client = api(secrets.people[role], "read")
    answers = {path: ask(client, "GET", path) for path in paths}
    assert sum(answer.status_code == 200 for answer, _ in answers.values()) > 50
    problems = [
        f"{path}: {what}"
        for path, (_, body) in answers.items()
        for key, what in keys.items()
        if key in body and key not in path
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("route", ["api-invitations", "api-club-display"])
def test_access_keys_need_a_token_of_the_club_scope(secrets, route):
    path, organiser = reverse(route, args=[secrets.cases["public-club"]["slug"]]), secrets.people["organiser"]
    refused = api(organiser, "read").get(path)
    assert refused.status_code == 403
    assert "'club'" in refused.json()["errors"][0]["reason"]
    assert api(organiser, "club").get(path).status_code == 200
