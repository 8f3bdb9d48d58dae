"""Deletes or keeps a player's data when the account is deleted, and moves a guest's data to an account.

The account takes over everything that belongs to the guest, whose row is then deleted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import ForeignObjectRel, Model, Q, QuerySet, TextField
from django.db.models.functions import Cast
from pydantic import JsonValue

from rosters import hooks
from rosters.accounts.data_export import data_exports_delete
from rosters.database.queries import PreparedQuery
from rosters.models import (
    AccessToken,
    AccountMerge,
    Company,
    CompanyErasure,
    DataExport,
    Description,
    Design,
    IdempotentResponse,
    LedgerEntry,
    Pilot,
    Player,
    Portrait,
    PrinterProfile,
    PrintJob,
    PrintPreset,
    Scenario,
    SignIn,
    Unit,
    Visibility,
)
from rosters.services.players import name_remember
from rosters.services.retention import files_of
from rosters.site import mails
from rosters.site.exceptions import RefusedError
from rosters.site.job_runs import drop_file
from rosters.site.pagination import tallied
from rosters.site.player_data import DeletionPart, DepartedPlayer, Fate, Obstacle
from systems.text import shorten_name


def _sole_role(player: Player) -> str:
    """Return the role without which nobody else could run the site; empty if others have it."""
    for field, role in (("is_superuser", "administrator"), ("is_staff", "staff member")):
        others = Player.objects.filter(**{field: True}, is_active=True, leaves_at=None).exclude(pk=player.pk)
        if getattr(player, field) and not others.exists():
            return role
    return ""


def _obstacles(player: Player) -> Iterator[Obstacle]:
    if role := _sole_role(player):
        yield Obstacle(f"You are the last {role} of this site. Appoint another one first.")


def refuse_last_operator(player: Player) -> None:
    """Raise RefusedError for the last administrator or member of the staff."""
    if role := _sole_role(player):
        raise RefusedError("leave", f"{player} is the last {role} of this site. Appoint another one first.")


def _fates(player: Player, kept: frozenset[int]) -> Iterator[Fate]:
    companies = len({pk for (pk,) in OWNED.rows(player=player.pk)} - kept)
    (own_rows,) = OWN.rows(player=player.pk)
    yield Fate(
        companies,
        "companies that never joined a campaign" if companies != 1 else "company that never joined a campaign",
        "deleted, with pilots, units and ledger",
        goes=True,
    )
    for word, all_of_it, public in (
        ("design", own_rows.designs, own_rows.public_designs),
        ("scenario", own_rows.scenarios, own_rows.public_scenarios),
    ):
        own = all_of_it - public
        yield Fate(own, _some(f"{word} of your own", own), "deleted", goes=True)
        becomes = "kept for others to play with, unless deleted first"
        yield Fate(public, _some(f"public {word}", public), becomes, goes=False)
    prints = own_rows.paper
    yield Fate(
        prints,
        "prints, presets and printers" if prints != 1 else "print, preset or printer",
        "deleted, with their files",
        goes=True,
    )
    written = sum(
        model_class._default_manager.filter(company__owner=player).count() for model_class in (Description, Portrait)
    )
    yield Fate(
        written,
        "stories, notes and pictures of companies, units and pilots"
        if written != 1
        else "story or picture of your own",
        "deleted",
        goes=True,
    )
    yield Fate(own_rows.tokens, _some("API token", own_rows.tokens), "ended", goes=True)
    yield Fate(
        1,
        "account",
        "deleted, with username, addresses, password, two-factor sign-in, sessions, sign-ins and settings. The name and "
        "address can be used for a new account",
        goes=True,
    )


class _Own(NamedTuple):
    """How many rows of each kind a player owns."""

    designs: int
    public_designs: int
    scenarios: int
    public_scenarios: int
    paper: int  # prints, presets and printers
    tokens: int


def _own(player: int) -> QuerySet[Player, object]:
    designs, scenarios = (model._default_manager.filter(author=player) for model in (Design, Scenario))
    return tallied(
        Player.objects.filter(pk=player),
        _Own,
        designs=[designs],
        public_designs=[designs.filter(visibility=Visibility.PUBLIC)],
        scenarios=[scenarios],
        public_scenarios=[scenarios.filter(visibility=Visibility.PUBLIC)],
        paper=[
            PrintJob.objects.filter(asked_by=player),
            PrintPreset.objects.filter(player=player),
            PrinterProfile.objects.filter(player=player),
        ],
        tokens=[AccessToken.objects.filter(user=player)],
    )


OWN = PreparedQuery(_own, _Own, player=int)
OWNED = PreparedQuery(lambda player: Company.objects.filter(owner=player).values_list("pk"), player=int)


def _some(word: str, number: int) -> str:
    first, _, rest = word.partition(" of ")
    return word if number == 1 else f"{first}s{' of ' if rest else ''}{rest}"


def _go(gone: DepartedPlayer) -> None:
    player = gone.player
    refuse_last_operator(player)
    companies_erase(Company.objects.filter(owner=player).exclude(pk__in=gone.kept))
    for model_class in (Description, Portrait):
        model_class._default_manager.filter(company__owner=player).delete()
    for model in (Design, Scenario):
        made = model._default_manager.filter(author=player)
        (made if gone.is_removal else made.exclude(visibility=Visibility.PUBLIC)).delete()
    if gone.is_removal:
        Company.objects.filter(pk__in=gone.kept, owner=player).update(visibility=Visibility.PRIVATE)
    _drop_prints(PrintJob.objects.filter(asked_by=player))
    player.prints.all().delete()
    player.print_presets.all().delete()
    player.printers.all().delete()
    data_exports_delete(player=player)


def companies_erase(rows: QuerySet[Company]) -> None:
    """Delete the companies with all their data. Only other players' prints may still refer to them."""
    found = [row.pk for row in Company.objects.select_for_update().filter(pk__in=rows.values("pk")).order_by("pk")]
    if not found:
        return
    PrintJob.objects.filter(company__in=found).update(company=None)
    CompanyErasure.objects.bulk_create(CompanyErasure(company_id=pk) for pk in found)
    ledger = LedgerEntry.objects.filter(company__in=found)
    ledger._raw_delete(ledger.db)  # rows refer to each other, so none can be deleted alone
    Unit.objects.filter(company__in=found).delete()
    Pilot.objects.filter(company__in=found).delete()
    Company.objects.filter(pk__in=found).delete()


def _forget(gone: DepartedPlayer) -> None:
    """Replace the player's names in other players' prints, in stored responses and in the admin's log."""
    named = PrintJob.objects.exclude(asked_by=gone.player).annotate(text=Cast("content", TextField()))
    changed = []
    for row in named.filter(_holding("text", gone.names)).defer("subjects", "choice").iterator(chunk_size=20):
        content = gone.data(row.content)
        if content != row.content:
            PrintJob.objects.filter(pk=row.pk).update(content=content)
            changed.append(row.pk)
    stale = PrintJob.objects.filter(pk__in=changed)
    _drop_prints(stale)
    stale.exclude(file="").update(file="", previews=0)
    for answer in IdempotentResponse.objects.filter(_holding("answer", gone.names | gone.addresses)):
        IdempotentResponse.objects.filter(pk=answer.pk).update(answer=_answer(answer.answer, gone))
    kind = ContentType.objects.get_for_model(Player)
    log_entries = LogEntry.objects.filter(content_type=kind, object_id=str(gone.player.pk))
    log_entries.update(object_repr=gone.name, change_message="")
    transaction.on_commit(partial(mails.delete_mails_to, gone.addresses))


def _holding(field: str, words: Iterable[str]) -> Q:
    """Return the filter for rows whose JSON contains one of the words, with or without JSON escapes."""
    wanted = Q(pk__in=[])
    for word in words:
        wanted |= Q(**{f"{field}__contains": word}) | Q(**{f"{field}__contains": json.dumps(word)[1:-1]})
    return wanted


def _answer(text: str, gone: DepartedPlayer) -> str:
    try:
        return json.dumps(_texts(json.loads(text), gone))
    except ValueError:
        return gone.text(text)


def _texts(data: JsonValue, gone: DepartedPlayer) -> JsonValue:
    """Return the JSON with the names replaced in all its texts."""
    if isinstance(data, dict):
        return {key: _texts(value, gone) for key, value in data.items()}
    if isinstance(data, list):
        return [_texts(each, gone) for each in data]
    return gone.text(data) if isinstance(data, str) else data


def _drop_prints(rows: QuerySet[PrintJob]) -> None:
    for name in [name for row in rows.only("pk", "key", "file", "previews") for name in files_of(row)]:
        transaction.on_commit(partial(drop_file, name))


DELETION_PART = DeletionPart(obstacles=_obstacles, fates=_fates, go=_go, forget=_forget)


OF_ONE_ALONE = (UserSession, EmailAddress, Authenticator, AccessToken, SignIn, DataExport, AccountMerge)
NAMED: tuple[tuple[type[Model], str], ...] = (
    (Design, "author"),
    (Scenario, "author"),
    (PrintPreset, "player"),
    (PrinterProfile, "player"),
)


def player_merge(*, before: Player, heir: Player) -> None:
    """Replace the guest (`before`) with the account (`heir`) in all rows that refer to the guest; delete the guest.

    The caller provides the transaction and makes all checks. All tables are covered, including ledgers and future
    tables. Before that, each app merges what a player can have only once (`hooks.successions`).
    """
    rename_duplicates(before, heir, NAMED)
    PrinterProfile.objects.filter(player=before, is_default=True).update(is_default=False)
    for settle in tuple(hooks.successions)[::-1]:
        settle(before, heir)
    data_exports_delete(player=before)
    succession = AccountMerge.objects.create(before=before, heir=heir)
    for model, field in relations():
        model._base_manager.filter(**{field: before}).update(**{field: heir})
    succession.delete()
    name_remember(heir, before.username, before.name_shown, *before.names_before)
    heir.save(update_fields=["names_before"])
    before.delete()


def relations() -> list[tuple[type[Model], str]]:
    """Return all models and fields that refer to players, except models whose rows are deleted with the player."""
    found: list[tuple[type[Model], str]] = []
    for relation in Player._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.many_to_many:
            continue
        model: Any = relation.related_model
        if model not in OF_ONE_ALONE and not model._meta.auto_created:
            found.append((model, relation.field.name))
    return found


def rename_duplicates(before: Player, heir: Player, named: tuple[tuple[type[Model], str], ...]) -> None:
    """Add a number to the names of the guest's rows that clash with names of the heir's rows."""
    for model, owner in named:
        rows = model._base_manager
        taken = set(rows.filter(**{owner: heir}).values_list("name", flat=True))
        taken |= set(rows.filter(**{owner: before}).values_list("name", flat=True))
        for pk, name in rows.filter(**{owner: before}).values_list("pk", "name"):
            if not rows.filter(**{owner: heir, "name": name}).exists():
                continue
            number, free = 2, name
            while free in taken:
                free = f"{shorten_name(name, 55)} {number}"
                number += 1
            taken.add(free)
            rows.filter(pk=pk).update(name=free)
