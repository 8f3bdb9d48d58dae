"""Provably fair dice: the hash before, the secret after, and a check that anybody can make."""

import hashlib
import os
import re
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from battles.models import Battle, SealedDice
from battles.services.battles import battle_queue
from battles.services.dice import dice_add_words, dice_seal, dice_secret, dice_take, dice_use, dice_waiting
from battles.tasks import battle_resolve
from campaigns.models import DecidedBy, MatchState, Outcome
from campaigns.results.decisions import match_settle_unfought
from rosters.services import RefusedError
from systems.engine.dice import SeededDice, commitment, sealed_seed
from tests.battles.builders import duel
from tests.builders import a_player
from tests.campaigns.builders import a_match

pytestmark = pytest.mark.django_db


def test_documented_python_check_works(capsys):
    text = (Path(settings.BASE_DIR) / "docs" / "formats" / "dice.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", text, re.S)
    secret = "5ec2e7" * 10
    program = program.replace('secret, purpose, words = "..."', f'secret, purpose, words = "{secret}"')
    program = program.replace("the hash published before", hashlib.sha256(secret.encode()).hexdigest())
    exec(program, {})
    faces = [int(line) for line in capsys.readouterr().out.split()]
    dice = SeededDice(sealed_seed(secret, "battle", ["for the Hounds"]))
    assert faces == [dice.face(6) for _ in range(6)]


def test_documented_shell_commands_work():
    text = (Path(settings.BASE_DIR) / "docs" / "formats" / "dice.md").read_text()
    (commands,) = re.findall(r"```sh\n(.*?)```", text, re.S)
    secret = "5ec2e7" * 10
    done = subprocess.run(["sh", "-c", commands], env={**os.environ, "SECRET": secret}, capture_output=True, text=True)
    words = done.stdout.split()
    assert words[0] == commitment(secret)
    assert int(words[-1], 16) == sealed_seed(secret, "battle", ["for the Hounds"])


def test_each_purpose_has_a_fixed_seed_of_its_own():
    dice = dice_seal()
    first, other = dice_use(dice=dice, purpose="battle"), dice_use(dice=dice, purpose="aftermath")
    assert first != other
    assert dice_use(dice=dice, purpose="battle") == first
    dice.refresh_from_db()
    assert dice.uses == ["battle", "aftermath"]


def test_words_count_until_the_first_roll():
    dice = dice_seal()
    dice_add_words(dice=dice, who="ada", text="good luck")
    dice_add_words(dice=dice, who="ada", text="better luck")
    assert dice_use(dice=dice, purpose="battle") == sealed_seed(dice_secret(dice), "battle", ["better luck"])
    with pytest.raises(RefusedError, match="have already been rolled"):
        dice_add_words(dice=dice, who="bob", text="too late")


class TestQuickBattle:
    def test_battle_uses_the_waiting_dice(self):
        player = a_player()
        waiting = dice_waiting(actor=player, visitor="")
        assert dice_waiting(actor=player, visitor="") == waiting
        battle = battle_queue(setup=duel(), actor=player, words="my words")
        assert battle.dice == waiting
        seed = str(sealed_seed(dice_secret(waiting), "battle", ["my words"]))
        battle_resolve(battle.pk)
        assert Battle.objects.get(pk=battle.pk).seed == seed
        assert dice_waiting(actor=player, visitor="") != waiting

    def test_dice_are_taken_once(self):
        player = a_player()
        assert dice_take(actor=player, visitor="") != dice_take(actor=player, visitor="")

    def test_secret_is_shown_after_the_battle(self, client):
        player = a_player()
        client.force_login(player)
        page = client.get(reverse("battles:quick-battle")).content.decode()
        waiting = SealedDice.objects.get()
        assert waiting.commitment in page
        assert dice_secret(waiting) not in page
        battle = battle_queue(setup=duel(), actor=player)
        url = reverse("campaigns:dice", args=[battle.dice.key])
        assert dice_secret(waiting) not in client.get(url).content.decode()
        battle_resolve(battle.pk)
        page = client.get(url).content.decode()
        assert dice_secret(SealedDice.objects.get(pk=waiting.pk)) in page
        assert Battle.objects.get().seed in page

    def test_battle_with_a_chosen_seed_has_no_fair_dice(self):
        battle = battle_queue(setup=duel(), actor=a_player(), seed=7)
        assert battle.dice is None


class TestPage:
    def test_match_dice_page_hides_secret_until_the_decision(self, client):
        match = a_match()
        dice_add_words(dice=match.dice, who="ada", text="open sesame")
        url = reverse("campaigns:dice", args=[match.dice.key])
        page = client.get(url).content.decode()
        assert match.dice.commitment in page
        assert dice_secret(match.dice) not in page
        assert "open sesame" not in page
        assert 'id="check"' not in page
        secret = dice_secret(match.dice)
        match_settle_unfought(
            match=match, state=MatchState.VOID, outcome=Outcome.NONE, decided_by=DecidedBy.ORGANISER, by=None
        )
        page = client.get(url)
        assert secret in page.content.decode()
        known = page.context["form"].initial
        assert (known["secret"], known["words"]) == (secret, "open sesame")
        assert "The secret is genuine" in client.get(url, known).content.decode()

    def test_dice_page_of_a_private_match_is_hidden(self, client):
        match = a_match()
        match.round.campaign.is_public = False
        match.round.campaign.save()
        url = reverse("campaigns:dice", args=[match.dice.key])
        assert client.get(url).status_code == 404
        client.force_login(match.attacker.company.owner)
        assert client.get(url).status_code == 200

    def test_waiting_dice_page_is_for_its_owner_only(self, client):
        player = a_player()
        waiting = dice_waiting(actor=player, visitor="")
        url = reverse("campaigns:dice", args=[waiting.key])
        assert client.get(url).status_code == 404
        client.force_login(player)
        assert client.get(url).status_code == 200


class TestCheck:
    def ask(self, client, **given):
        return client.get(reverse("campaigns:dice_check"), given)

    def test_check_tells_the_hashed_secret_from_others(self, client):
        secret = "ab" * 32
        page = self.ask(client, secret=secret, purpose="battle", commitment=commitment(secret)).content.decode()
        assert "The secret is genuine: its hash matches the published one" in page
        assert str(sealed_seed(secret, "battle")) in page
        other = self.ask(client, secret="cd" * 32, purpose="battle", commitment=commitment(secret))
        assert "This is not the original secret: its hash differs from the published one" in other.content.decode()

    def test_check_without_a_secret_is_refused_at_its_field(self, client):
        answer = self.ask(client, secret="", purpose="battle")
        assert answer.status_code == 422
        assert "Secret" in answer.content.decode()


def test_contributions_are_shown_escaped_from_the_first_roll_on(client):
    dice = a_match().dice
    dice_add_words(dice=dice, who="attacker", text="<b>luck</b>")

    def page():
        return client.get(reverse("campaigns:dice", args=[dice.key])).content.decode()

    assert "luck" not in page()
    dice_use(dice=dice, purpose="battle")
    assert "“&lt;b&gt;luck&lt;/b&gt;”" in page()


def test_match_dice_are_not_taken_for_another_battle():
    """Match dice have no actor, so a call without an actor must not find them by their public hash."""
    sealed = dice_seal()
    with pytest.raises(RefusedError, match="already used these dice"):
        dice_take(actor=None, visitor="", commitment=sealed.commitment)
    assert dice_take(actor=None, visitor="") != sealed
    sealed.refresh_from_db()
    assert sealed.used_at is None
