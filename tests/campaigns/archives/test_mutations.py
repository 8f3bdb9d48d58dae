"""Archives with one changed value are refused with its place or restored whole: no page and no timer fails."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client, override_settings

from campaigns.archive.services import club_restore_now
from campaigns.models import Club
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import
from rosters.models import Player
from rosters.services import RefusedError
from systems.documents import DocumentError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_mustered_company, an_enrolment
from tests.campaigns.corrections import LOST, play_match
from tests.example_shares import share

from .clubs import a_full_club, archived
from .mutations import Mutation, Packed, broken, cases, changed_json, company_case, stopped

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
BATCH_SIZE = 30  # mutations shown together


def the_demo_club(folder: Path) -> Club:
    with override_settings(VAR_DIR=folder, DEMO_PASSWORD=""):
        call_command("demo")
    return Club.objects.get(name__startswith="The Bone Table")


@contextmanager
def restored(data: bytes, by: Player) -> Iterator[Club | str]:
    """Yield the restored club, or why the archive is refused; roll back afterwards."""
    with transaction.atomic():
        made: Club | str
        try:
            made = club_restore_now(file=io.BytesIO(data), by=by, name="Copy").club
        except RefusedError as error:
            made = error.reason
        yield made
        transaction.set_rollback(True)


def check_mutations(packed: Packed, *, number: int, seed: int, pages: int) -> Counter[str]:
    """Restore the archive with each of this many mutations, and count the results.

    `pages` limits the rows of each kind whose pages are opened.
    """
    nora, client, found = a_player("nora"), Client(), Counter[str]()
    client.force_login(nora)
    wrong: list[str] = []
    whole: list[Mutation] = []
    for each in packed.mutations(seed, number):
        with restored(packed.with_mutations(each), nora) as made:
            if isinstance(made, Club):
                whole.append(each)
                continue
        found["refused"] += 1
        found["refused with line and column"] += f"line {each.line}: {each.column}" in made
        if "\n" in made or not made.endswith(".") or "can't be read (" in made:
            wrong.append(f"{each}: {made}")
    found["restored"] = len(whole)
    for at in range(0, len(whole), BATCH_SIZE):
        wrong += _problems(
            packed, whole[at : at + BATCH_SIZE], nora, lambda club: [*stopped(), *broken(cases(club), client, pages)]
        )
    assert not wrong, "\n".join(wrong)
    return found


def _problems(packed: Packed, changes: list[Mutation], by: Player, look: Callable[[Club], list[str]]) -> Iterator[str]:
    """Yield the club's problems with all these changes, or with halves of them if they can't be combined."""
    with restored(packed.with_mutations(*changes), by) as made:
        wrong = look(made) if isinstance(made, Club) else []
    if wrong:
        yield from (*wrong, *(f"  one of: {each}" for each in changes))
    elif isinstance(made, str):
        assert len(changes) > 1, made
        half = len(changes) // 2
        yield from _problems(packed, changes[:half], by, look)
        yield from _problems(packed, changes[half:], by, look)


@pytest.mark.slow
def test_mutated_archives_are_refused_or_restored_whole():
    found = check_mutations(Packed(archived(a_full_club())), number=24, seed=36, pages=1)
    assert found["refused with line and column"] > 5
    assert found["restored"] > 2


@pytest.mark.proof
@pytest.mark.parametrize("club", ["demo", "full"])
def test_many_mutated_archives_are_refused_or_restored_whole(club, tmp_path):
    made = a_full_club() if club == "full" else the_demo_club(tmp_path)
    found = check_mutations(Packed(archived(made)), number=1_000, seed=1, pages=5)
    print(f"\n{club}: {dict(found)}")
    assert found["refused with line and column"] > 300
    assert found["restored"] > 200


@pytest.mark.slow
@share(15, 400)
def test_mutated_company_documents_are_refused_or_imported_whole(client, examples):
    made = a_campaign(a_club())
    one, other = (an_enrolment(made, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    play_match(made, one, other, attacker={0: {"kills": 1}}, defender={0: LOST})
    document, nora, dice = company_document(one.company), a_player("nora"), random.Random(36)  # noqa: S311
    client.force_login(nora)
    found: Counter[str] = Counter()
    for _ in range(examples):
        changed = changed_json(dice, document)
        with transaction.atomic():
            try:
                company = company_import(owner=nora, document=read_company(json.dumps(changed)), by=nora)
            except DocumentError as error:
                found["refused"] += bool(error.reason)
            else:
                found["imported"] += 1
                assert not broken({"company": [company_case(company)]}, client), changed
            transaction.set_rollback(True)
    assert found.total() == examples
    assert found["refused"] > examples // 3
