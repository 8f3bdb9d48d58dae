"""What provably fair dice hide from readers of pages, API clients and readers of the database."""

from __future__ import annotations

import importlib
import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.urls import reverse

from battles.models import Battle, SealedDice
from battles.services.battles import battle_cancel, battle_queue
from battles.services.dice import dice_open, dice_seal, dice_secret, dice_take, dice_use, dice_waiting
from battles.services.results import battle_log_result
from battles.tasks import battle_resolve
from rosters.services import RefusedError
from systems.engine.dice import commitment, sealed_seed
from tests.accounts.builders import add_second_factor
from tests.battles.builders import duel
from tests.builders import a_player

pytestmark = pytest.mark.django_db
ROOT = Path(settings.BASE_DIR)


def database_text() -> str:
    """Return every value of every row, as in a database dump."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608
            found += [str(value) for row in cursor.fetchall() for value in row]
    return "\n".join(found)


def seed_to_come(battle: Battle) -> str:
    """Return the seed that the queued battle will use."""
    words = [text for _, text in battle.dice.words]
    return str(sealed_seed(dice_secret(battle.dice), "battle", words))


class TestBeforeTheBattleIsDone:
    @pytest.fixture
    def battle(self):
        return battle_queue(setup=duel(), actor=a_player("ada"), words="for the Hounds")

    def test_queued_battle_shows_no_seed_or_secret_anywhere(self, battle, client):
        secrets = {seed_to_come(battle), dice_secret(battle.dice)}
        asker = battle.asked_by
        asker.is_staff = asker.is_superuser = True
        asker.save()
        add_second_factor(asker)
        client.force_login(asker)
        paths = [
            reverse("battles:battle", args=[battle.key]),
            reverse("battles:battle-progress", args=[battle.key]),
            reverse("battles:battles"),
            reverse("battles:quick-battle") + f"?from={battle.key}",
            reverse("campaigns:dice", args=[battle.dice.key]),
            reverse("api-battle", args=[battle.key]),
            reverse("api-battles"),
            reverse("admin:battles_battle_changelist"),
            reverse("admin:battles_battle_change", args=[battle.pk]),
        ]
        for path in paths:
            answer = client.get(path)
            assert answer.status_code == 200, path
            assert not [each for each in secrets if each in answer.content.decode()], path
        assert json.loads(client.get(reverse("api-battle", args=[battle.key])).content)["seed"] == ""

    def test_cancelled_battle_never_shows_seed_or_secret(self, battle, client):
        seed = seed_to_come(battle)
        battle_cancel(battle=battle, actor=battle.asked_by)
        client.force_login(battle.asked_by)
        assert seed not in client.get(reverse("api-battle", args=[battle.key])).content.decode()
        assert (
            dice_secret(battle.dice)
            not in client.get(reverse("campaigns:dice", args=[battle.dice.key])).content.decode()
        )

    def test_api_shows_hash_at_once_and_seed_later(self, battle, client):
        client.force_login(battle.asked_by)
        url, seed = reverse("api-battle", args=[battle.key]), seed_to_come(battle)
        assert client.get(url).json()["commitment"] == battle.dice.commitment
        battle_resolve(battle.pk)
        assert client.get(url).json()["seed"] == seed

    def test_chosen_seed_is_shown_from_the_start(self, client):
        battle = battle_queue(setup=duel(), visitor="v", seed=7)
        answer = client.get(reverse("api-battle", args=[battle.key])).json()
        assert (answer["seed"], answer["commitment"]) == ("7", None)


class TestDatabaseDump:
    def test_dump_shows_no_secret_or_seed_of_fair_dice(self):
        battle = battle_queue(setup=duel(), visitor="v")
        waiting = dice_seal()
        secrets = [dice_secret(battle.dice), seed_to_come(battle), dice_secret(waiting)]
        text = database_text()
        assert battle.dice.commitment in text  # the dump isn't empty
        assert not [each for each in secrets if each in text]

    def test_revealed_dice_show_the_hashed_secret(self):
        dice = dice_seal()
        secret = dice_secret(dice)
        opened = dice_open(dice=dice)
        assert (opened.secret, commitment(opened.secret)) == (secret, dice.commitment)
        assert dice_secret(SealedDice.objects.get()) == secret

    def test_two_dice_have_different_masks(self):
        one, other = dice_seal(), dice_seal()
        masks = {int(dice_secret(dice), 16) ^ int(dice.hidden, 16) for dice in (one, other)}
        assert len(masks) == 2

    def test_migration_encrypts_dice_stored_in_clear_text(self):
        secret = "5ec2e7" * 10 + "abcd"
        sealed = SealedDice.objects.create(secret=secret, commitment=commitment(secret))
        opened = dice_open(dice=dice_seal())
        waiting = battle_queue(setup=duel(), visitor="v")
        Battle.objects.filter(pk=waiting.pk).update(seed="12345678901234567")
        migration = importlib.import_module("battles.migrations.0006_secrets_leave_the_database")
        migration.hide_secrets(apps, None)
        sealed.refresh_from_db()
        waiting.refresh_from_db()
        assert (sealed.secret, waiting.seed) == ("", "")
        assert dice_secret(sealed) == secret
        assert SealedDice.objects.get(pk=opened.pk).secret == opened.secret
        migration.show_secrets(apps, None)
        assert SealedDice.objects.get(pk=sealed.pk).secret == secret


class TestLostKey:
    @pytest.fixture
    def lost(self, settings):
        """Return dice sealed with a key that no longer exists."""
        dice = dice_seal(actor=a_player("ada"))
        settings.DICE_KEYS = ("another key than the one that dice were sealed under",)
        return dice

    def test_dice_under_an_older_key_still_roll(self, settings):
        dice = dice_seal()
        secret = dice_secret(dice)
        settings.DICE_KEYS = ("a newer key that is put before all of the others", *settings.DICE_KEYS)
        assert dice_secret(dice) == secret
        assert dice_seal().hidden_under != dice.hidden_under

    def test_missing_key_is_refused_with_a_sentence(self, lost):
        with pytest.raises(RefusedError, match="The server's key for these dice is missing"):
            dice_use(dice=lost, purpose="battle")

    def test_unused_dice_of_a_missing_key_stay_closed(self, lost):
        assert dice_open(dice=lost).revealed_at is None

    def test_next_battle_takes_other_dice_than_lost_ones(self, lost):
        waiting = dice_waiting(actor=lost.asked_by, visitor="")
        assert waiting != lost
        assert len(dice_secret(waiting)) == 64

    def test_queued_battle_with_a_missing_key_fails_with_reason(self, settings):
        battle = battle_queue(setup=duel(), visitor="v")
        settings.DICE_KEYS = ("another key than the one that dice were sealed under",)
        battle_resolve(battle.pk)
        battle.refresh_from_db()
        assert battle.status == "failed"
        assert battle.failure.startswith("The server's key for these dice is missing")


class TestAnnouncedDice:
    """The battle uses the dice whose hash the form showed, or the player learns of the change before the battle."""

    def test_battle_uses_the_dice_of_its_form(self):
        player = a_player("ada")
        first, second = dice_seal(actor=player), dice_seal(actor=player)
        battle = battle_queue(setup=duel(), actor=player, dice=second.commitment)
        assert battle.dice == second
        assert battle_queue(setup=duel(), actor=player, dice=first.commitment).dice == first

    def test_second_battle_on_the_same_dice_is_refused(self, client):
        player = a_player("ada")
        client.force_login(player)
        page = client.get(reverse("battles:quick-battle")).content.decode()
        (dice_hash,) = re.findall(r'name="dice" value="(\w{64})"', page)
        battle_queue(setup=duel(), actor=player, dice=dice_hash)
        with pytest.raises(RefusedError, match="already used these dice for another battle"):
            battle_queue(setup=duel(), actor=player, dice=dice_hash)
        assert Battle.objects.count() == 1

    def test_another_players_dice_are_refused(self):
        theirs = dice_seal(actor=a_player("bob"))
        with pytest.raises(RefusedError, match="already used these dice for another battle"):
            battle_queue(setup=duel(), actor=a_player("ada"), dice=theirs.commitment)

    def test_taken_dice_never_wait_again(self):
        player = a_player("ada")
        for _ in range(3):
            assert dice_take(actor=player, visitor="").used_at is not None
        battle_log_result(setup=duel(), units={}, winner=None, actor=player)
        assert not SealedDice.objects.filter(used_at=None).exists()
        waiting = dice_waiting(actor=player, visitor="")
        assert waiting.revealed_at is None

    def test_proof_shows_hash_purpose_words_and_secret(self, client):
        battle = battle_queue(setup=duel(), visitor="v", words="for the Hounds")
        battle_resolve(battle.pk)
        page = client.get(reverse("battles:battle", args=[battle.key])).content.decode()
        proof = page[page.index('id="proof"') :]
        for text in (battle.dice.commitment, "for the Hounds", dice_secret(battle.dice), seed_to_come(battle)):
            assert text in proof
        assert "The hash matches the secret, and the seed follows from it." in proof


class TestKeyFile:
    def settings_in(self, folder: Path, *more: str, **env: str) -> str:
        code = "from config import settings as s; print('\\n'.join(s.DICE_KEYS))"
        result = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"MUSTER_VAR": str(folder), "PATH": "/usr/bin:/bin", **env},
            capture_output=True,
            text=True,
        )
        return result.stdout.strip() if result.returncode == 0 else result.stderr

    def test_key_file_is_made_once_for_its_owner_alone(self, tmp_path):
        keys = self.settings_in(tmp_path)
        path = tmp_path / "dice-key"
        assert len(keys) >= 43
        assert path.read_text().strip() == keys
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert self.settings_in(tmp_path) == keys

    def test_environment_keys_come_before_file_keys(self, tmp_path):
        (tmp_path / "dice-key").write_text("f" * 40 + "\n")
        assert self.settings_in(tmp_path, MUSTER_DICE_KEY=f"{'e' * 40},{'d' * 40}").split() == [
            "e" * 40,
            "d" * 40,
            "f" * 40,
        ]

    def test_environment_key_makes_no_key_file(self, tmp_path):
        self.settings_in(tmp_path, MUSTER_DICE_KEY="e" * 40)
        assert not (tmp_path / "dice-key").exists()

    def test_short_key_is_refused(self, tmp_path):
        assert "MUSTER_DICE_KEY: a key has 32 characters or more" in self.settings_in(
            tmp_path, MUSTER_DICE_KEY="secret"
        )
