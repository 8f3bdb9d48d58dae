"""Loads the demo club's player and companies, and removes them with everything that they own."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import CASCADE, Field, Model, QuerySet

from rosters import hooks
from rosters.hooks import DemoPart
from rosters.models import Company, CompanyErasure, LedgerEntry, Player, Visibility
from rosters.services import company_create, pilot_assign, pilot_hire, unit_buy
from rosters.site.exceptions import RefusedError

USERNAME, ADDRESS = "demo", "demo@localhost"
SYSTEM = "meks-and-mercs"


@dataclass(frozen=True, slots=True)
class DemoUnit:
    design: str
    name: str
    pilot: str = ""  # empty if the unit has no pilot
    callsign: str = ""
    experience: str = ""  # empty: the lowest level for hire


@dataclass(frozen=True, slots=True)
class DemoCompany:
    name: str
    motto: str
    colour: str
    units: tuple[DemoUnit, ...]
    system: str = SYSTEM


COMPANIES = (
    DemoCompany(
        "Iron Hounds",
        "First in, last paid",
        "#8a2b1d",
        (
            DemoUnit("draken", "Old Faithful", "Marta Keszi", "Anvil", "regular"),
            DemoUnit("sagitarii", "Quarrel", "Tomas Oduya", "Fletch", "regular"),
            DemoUnit("wasp", "Pinprick", "Ines Varga", "Needle", "green"),
        ),
    ),
    DemoCompany(
        "Night Lanterns",
        "We leave a light on",
        "#1f4e5f",
        (
            DemoUnit("demon", "Wick", "Ansel Brandt", "Tinder", "regular"),
            DemoUnit("saber", "Moth", "Yuki Adeyemi", "Flutter", "regular"),
            DemoUnit("viper", "Snuffer", "Pia Lindqvist", "Cap", "green"),
            DemoUnit("wasp", "Spark", "Rafe Coley", "Flint", "green"),
        ),
    ),
    DemoCompany(
        "Rock Rats",
        "What we dig up, we keep",
        "#6b5a2a",
        (
            DemoUnit("heavy-mech", "Old Marta", "Ines Kaur", "Mother"),
            DemoUnit("heavy-mech", "Big Bertha", "Olaf Renner"),
            DemoUnit("light-mech", "Wisp", "Suri Vale", "Smoke"),
            DemoUnit("light-mech", "Lamp", "Jonas Petry"),
            DemoUnit("track", "Mole", "Ruta Simms", "Digger"),
        ),
        system="mech-campaign",
    ),
    DemoCompany(
        "Claim Jumpers",
        "Yours yesterday",
        "#3d4f6b",
        (
            DemoUnit("heavy-mech", "Quitclaim", "Abel Starke"),
            DemoUnit("heavy-mech", "Lien", "Nadia Ferro", "Clause"),
            DemoUnit("light-mech", "Footnote", "Pim Okafor"),
            DemoUnit("light-mech", "Codicil", "Ylva Brandt", "Ink"),
            DemoUnit("drone", "Gnat"),
            DemoUnit("gun-sentry", "Post Nine"),
        ),
        system="mech-campaign",
    ),
    DemoCompany(
        "Long Eyes",
        "Seen you twice already",
        "#2f5b4a",
        (
            DemoUnit("skimmer", "Quick Step"),
            DemoUnit("darter", "Peeper"),
            DemoUnit("hawker", "Old Talon"),
            DemoUnit("bulwark", "The Wall"),
        ),
        system="blazing-steel",
    ),
    DemoCompany(
        "One King",
        "Kneel or move",
        "#7a5a1e",
        (DemoUnit("colossus", "Rex"), DemoUnit("mantis", "Regent"), DemoUnit("darter", "Page")),
        system="blazing-steel",
    ),
    DemoCompany(
        "Federal Line",
        "We were here first",
        "#4f6b3d",
        (
            DemoUnit("gamma-apollo", "Delta", "Ada Winter", "Delta"),
            DemoUnit("green-viking", "Olaf", "Sven Arnold"),
            DemoUnit("green-viking", "Ragnar", "Nils Bremer"),
            DemoUnit("argonaut", "Jason", "Helle Dorn"),
            DemoUnit("cyclodom", "Cyclops", "Ferro Paz"),
        ),
        system="mechastellar",
    ),
    DemoCompany(
        "Crimson Tide",
        "One lance, one joke, one sea",
        "#9a2b3d",
        (
            DemoUnit("crimson-gallant", "Lancelot", "Perla Voss", "Lance"),
            DemoUnit("laughing-joker", "Punchline", "Ivo Mack", "Grin"),
            DemoUnit("turtle-robo", "Kame", "Sora Lind"),
        ),
        system="mechastellar",
    ),
    DemoCompany(
        "Six Sides",
        "Pick one",
        "#3d5a80",
        (
            DemoUnit("warden", "Square One", "Ada Krol", "Edge"),
            DemoUnit("longbow", "Long Way Round", "Finn Osei"),
            DemoUnit("mauler", "Hands Down", "Vera Sturm", "Grip"),
            DemoUnit("wisp", "Gone Already", "Milo Tan"),
        ),
        system="hex-core",
    ),
    DemoCompany(
        "Night Mail",
        "Always up, never late",
        "#7a3b2e",
        (
            DemoUnit("kestrel", "Air Mail", "Sanna Holt", "Stamp"),
            DemoUnit("shepherd", "Registered", "Ivo Marsh"),
            DemoUnit("badger", "Parcel", "Greta Lund"),
            DemoUnit("comet", "Express", "Paz Weil", "Rush"),
        ),
        system="hex-core",
    ),
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The demo club after loading; `password` is empty if this site doesn't know it."""

    player: Player
    password: str
    companies: tuple[Company, ...]
    made: int  # number of new companies and parts
    parts: tuple[DemoPart, ...]  # added by other apps


def demo_player() -> Player | None:
    """Return the demo player; None if there is none, or if the username belongs to somebody else."""
    return Player.objects.filter(username=USERNAME, email=ADDRESS).first()


def site_is_in_use() -> bool:
    """Return whether there are players other than those of the demo."""
    demo = demo_player()
    if demo is None:
        return Player.objects.exists()
    made = Player.objects.filter(username__startswith=f"{USERNAME}-", password__startswith="!")  # they can't sign in
    return Player.objects.exclude(pk=demo.pk).exclude(pk__in=made).exists()


@transaction.atomic
def demo_load() -> Loaded:
    """Load the demo club; leave existing parts of it unchanged."""
    player, is_new = Player.objects.get_or_create(
        username=USERNAME, defaults={"name_shown": "Demo Quartermaster", "email": ADDRESS}
    )
    # Nobody reads its mail, so it is confirmed here; otherwise it couldn't sign in where confirmation is mandatory.
    EmailAddress.objects.update_or_create(user=player, email=player.email, defaults={"verified": True, "primary": True})
    password = _password(make=is_new)
    if is_new:
        player.set_password(password)
        player.save(update_fields=["password"])
    companies, made = [], 0
    for wanted in COMPANIES:
        company = Company.objects.filter(owner=player, name=wanted.name).first()
        if company is None:
            company = demo_company_create(player, wanted)
            made += 1
        companies.append(company)
    parts = tuple(part for loader in hooks.demos for part in loader(player))
    return Loaded(
        player,
        password if player.check_password(password) else "",
        tuple(companies),
        made + sum(part.is_new for part in parts),
        parts,
    )


def password_file() -> Path:
    """Return the path of the demo player's password file, which only the site's owner can read."""
    return settings.VAR_DIR / "demo-password"


def _password(*, make: bool) -> str:
    chosen: str = settings.DEMO_PASSWORD
    if chosen:
        return chosen
    path = password_file()
    if make and not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(12), encoding="utf-8")
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def demo_company_create(player: Player, wanted: DemoCompany) -> Company:
    """Create a public company with its units and their pilots."""
    company = company_create(
        owner=player,
        system=wanted.system,
        name=wanted.name,
        motto=wanted.motto,
        colour=wanted.colour,
        visibility=Visibility.PUBLIC,
    )
    for line in wanted.units:
        unit = unit_buy(company=company, by=player, published=line.design, name=line.name)
        if not line.pilot:
            continue
        pilot = pilot_hire(
            company=company, by=player, name=line.pilot, callsign=line.callsign, experience=line.experience
        )
        pilot_assign(company=company, by=player, unit=unit, pilot=pilot)
    return company


Found = dict[type[Model], set[Any]]


@transaction.atomic
def demo_remove() -> int:
    """Remove the demo club; return the number of deleted rows, 0 if there is no demo club.

    RefusedError if another player's history needs a part of it.
    """
    demo = demo_player()
    if demo is None:
        return 0
    found: Found = defaultdict(set)
    _add(found, Player.objects.filter(pk=demo.pk))
    for answer in hooks.demo_remains:
        for rows in answer(demo):
            _add(found, rows)
    companies = Company.objects.filter(pk__in=found[Company])
    foreign = LedgerEntry.objects.filter(pk__in=found[LedgerEntry]) | LedgerEntry.objects.filter(
        created_by__in=found[Player]
    )
    if entry := foreign.exclude(company__in=companies).select_related("company").first():
        raise RefusedError("demo", f"The demo club's players have written to the ledger of {entry.company}.")
    CompanyErasure.objects.bulk_create(CompanyErasure(company=each) for each in companies)  # unlocks their ledgers
    _add(found, CompanyErasure.objects.filter(company__in=companies))
    _end_sessions(found[Player])
    _let_go(found)
    # Foreign keys are checked at the end of the transaction; only the ledger's trigger needs this order.
    for model in sorted(found, key=lambda each: each is not LedgerEntry):
        model._default_manager.filter(pk__in=found[model])._raw_delete("default")
    transaction.on_commit(lambda: password_file().unlink(missing_ok=True))
    return sum(map(len, found.values()))


def _add(found: Found, rows: QuerySet[Model]) -> None:
    """Add these rows and all rows that can't exist without them."""
    waiting: list[tuple[type[Model], set[Any]]] = [(rows.model, set(rows.values_list("pk", flat=True)))]
    while waiting:
        model, keys = waiting.pop()
        new = keys - found[model]
        found[model] |= new
        for field in _references(model) if new else ():
            if not _can_let_go(field):
                needed = field.model._default_manager.filter(**{f"{field.name}__in": new})
                waiting.append((field.model, set(needed.values_list("pk", flat=True))))


def _let_go(found: Found) -> None:
    """Set references from remaining rows to the rows found to NULL."""
    for model, keys in list(found.items()):
        for field in filter(_can_let_go, _references(model)):
            staying = field.model._default_manager.filter(**{f"{field.name}__in": keys})
            staying.exclude(pk__in=found[field.model]).update(**{field.name: None})


def _references(model: type[Model]) -> Iterator[Field[object, object]]:
    """Yield the fields of other models that refer to this one."""
    for relation in model._meta.get_fields(include_hidden=True):
        if relation.auto_created and (relation.one_to_many or relation.one_to_one):
            yield relation.field  # type: ignore[union-attr]


def _can_let_go(field: Field[object, object]) -> bool:
    return field.null and field.remote_field.on_delete is not CASCADE  # type: ignore[union-attr]


def _end_sessions(players: Iterable[Any]) -> None:
    keys = Player.objects.filter(pk__in=players, usersession__isnull=False).values_list("usersession__session_key")
    Session.objects.filter(session_key__in=[key for (key,) in keys]).delete()
