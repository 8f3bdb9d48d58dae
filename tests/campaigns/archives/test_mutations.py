"""Archives in which one value is otherwise are refused with its place, or restored whole: no page breaks, no timer stops."""

from __future__ import annotations

import io
import os
import time

import pytest
from django.db import transaction
from django.test import Client

from campaigns.archive.services import club_restored
from rosters.services import RefusedError
from tests.builders import a_player

from .clubs import a_full_club, archived
from .mutations import Packed, broken, stopped

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

def test_dev(tmp_path):
    out = open('/tmp/doc_area/dev.txt', 'a')
    def note(*a):
        print(*a, file=out, flush=True)
    path = os.environ.get("ARCHIVE", "")
    seed, number, crawl = int(os.environ.get("SEED", "1")), int(os.environ.get("NUMBER", "100")), int(os.environ.get("CRAWL", "1"))
    if path:
        data = open(path, 'rb').read()
    else:
        t = time.time()
        data = archived(a_full_club())
        open('/tmp/doc_area/full.zip', 'wb').write(data)
        note('made', time.time() - t)
    nora = a_player("nora")
    packed = Packed(data)
    client = Client()
    client.force_login(nora)
    with transaction.atomic():
        t = time.time()
        club = club_restored(file=io.BytesIO(packed.with_mutations()), by=nora, name="Copy").club
        note('restored', time.time() - t)
        t = time.time()
        note(broken(club, client, 1), time.time() - t)
        t = time.time()
        note(stopped(), time.time() - t)
        transaction.set_rollback(True)
    good = []
    for each in packed.mutations(seed, number):
        with transaction.atomic():
            t = time.time()
            try:
                club = club_restored(file=io.BytesIO(packed.with_mutations(each)), by=nora, name="Copy").club
            except RefusedError as error:
                note('REFUSED', str(each)[:150], '->', error.reason, round(time.time() - t, 2))
            except Exception as error:
                import traceback
                note('RAISED', each, '->', repr(error)[:300], traceback.format_exc()[-600:])
            else:
                good.append(each)
                note('TAKEN', each, stopped(), round(time.time() - t, 2))
            transaction.set_rollback(True)
    note('taken', len(good), 'of', number)
    def together(group):
        with transaction.atomic():
            try:
                club = club_restored(file=io.BytesIO(packed.with_mutations(*group)), by=nora, name="Copy").club
            except RefusedError as error:
                note('GROUP refused', len(group), error.reason)
                club = None
            else:
                for line in [*broken(club, client), *stopped()]:
                    note('BROKEN', line)
            transaction.set_rollback(True)
        if club is None and len(group) > 1:
            together(group[: len(group) // 2])
            together(group[len(group) // 2 :])
    if crawl:
        for at in range(0, len(good), 30):
            together(good[at : at + 30])
