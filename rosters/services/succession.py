"""A guest becomes an account: the account takes over everything of the guest, whose row is deleted."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import ForeignObjectRel, Model

from rosters import hooks
from rosters.models import (
    AccessToken,
    Design,
    Player,
    AccountMerge,
    PrinterProfile,
    PrintPreset,
    Scenario,
    SignIn,
    DataExport,
)
from systems.names import shorten_name

from .players import name_remember
from .takeouts import data_exports_delete

OF_ONE_ALONE = (UserSession, EmailAddress, Authenticator, AccessToken, SignIn, DataExport, AccountMerge)
NAMED: tuple[tuple[type[Model], str], ...] = (
    (Design, "author"),
    (Scenario, "author"),
    (PrintPreset, "player"),
    (PrinterProfile, "player"),
)


def player_succeed(*, before: Player, heir: Player) -> None:
    """Replace the guest by the heir in all rows that refer to them, ledgers too, and delete the guest's row.

    The transaction, and all checks, are up to the caller. All tables are covered, future ones too; what a player can
    have only once is settled first by the app that has it (`hooks.successions`).
    """
    names_clear(before, heir, NAMED)
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
    """Return the tables that refer to players, with the field, except those whose rows are deleted with the player."""
    found: list[tuple[type[Model], str]] = []
    for relation in Player._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.many_to_many:
            continue
        model: Any = relation.related_model
        if model not in OF_ONE_ALONE and not model._meta.auto_created:
            found.append((model, relation.field.name))
    return found


def names_clear(before: Player, heir: Player, named: tuple[tuple[type[Model], str], ...]) -> None:
    """Add a number to the names of the guest's things that clash with the heir's."""
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
