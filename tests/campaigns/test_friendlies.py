"""Friendlies: announced before their dice are known, simulated once on provably fair dice, and always logged."""

import json

import pytest
from django.urls import reverse

from battles.choices import published_forces
from battles.models import Battle
from battles.services.battles import battle_cancel, battle_simulate, battle_take_back_effects, battle_write_effects
from battles.services.dice import dice_take
from campaigns.army_lists.legality import points_earned_in, reserves_of
from campaigns.campaign.services import campaign_change
from campaigns.matches.friendlies import friendly_announce, friendly_round
from campaigns.models import ActivityLogEntry, Friendly, Match
from rosters.ledger.records import differences
from rosters.services import RefusedError
from tests.builders import SYSTEM, a_player, a_token
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db
FORCE = next(iter(published_forces(SYSTEM)))


@pytest.fixture
def ants():
    """A company in the first round of a campaign with two friendlies a round."""
    campaign = a_campaign(friendlies=2)
    a_round(campaign)
    return an_enrolment(campaign, a_mustered_company(name="Ants"))


def announce_friendly(enrolment, **fields):
    company = enrolment.company
    given = {
        "enrolment": enrolment,
        "units": list(company.units.values_list("pk", flat=True)),
        "doctrine": "aggressive",
        "opponent": FORCE,
        "ground": 0,
        "by": company.owner,
    }
    return friendly_announce(**(given | fields))


def fight_friendly(friendly):
    assert battle_simulate(battle=Battle.claim(friendly.battle_id))
    return Friendly.objects.get(pk=friendly.pk)


def activity_log_texts():
    return [entry.text for entry in ActivityLogEntry.objects.order_by("pk")]


def test_announcement_logs_the_dice_before_the_battle(ants):
    friendly = announce_friendly(ants)
    assert (friendly.battle.status, friendly.battle.seed_chosen, friendly.battle.result) == ("queued", False, None)
    (text,) = activity_log_texts()
    name = published_forces(SYSTEM)[FORCE].name
    assert text.startswith(f"Ants announced a friendly game in Round 1: 2 units against {name}, with the dice ")
    assert text.endswith(friendly.battle.dice.commitment)
    assert friendly.battle.dice.revealed_at is None


def test_seed_is_hidden_before_the_battle(ants):
    friendly = announce_friendly(ants)
    assert (friendly.battle.seed, friendly.battle.dice.secret) == ("", "")
    assert fight_friendly(friendly).battle.seed != ""


def test_result_is_logged_when_the_battle_is_done(ants):
    friendly = fight_friendly(announce_friendly(ants))
    key = str(friendly.battle.key)
    assert ants.company.ledger.filter(cause="battle", cause_ref=key, kind="game").count() == 1
    assert activity_log_texts()[-1].startswith("Friendly game of Ants against")
    assert activity_log_texts()[-1].endswith("entered in the ledger")
    assert friendly.battle.dice.revealed_at is not None
    assert list(differences(ants.company)) == []


def test_friendly_cannot_be_cancelled_undone_or_logged_again(ants):
    owner, friendly = ants.company.owner, announce_friendly(ants)
    with pytest.raises(RefusedError, match="only cancel battles that you"):
        battle_cancel(battle=friendly.battle, actor=owner)
    friendly = fight_friendly(friendly)
    before = ants.company.ledger.count()
    for act in (battle_take_back_effects, battle_write_effects):
        with pytest.raises(RefusedError, match="You can only (undo results of|log) battles that you started"):
            act(battle=friendly.battle, actor=owner)
    assert ants.company.ledger.count() == before


def test_friendlies_per_round_are_limited(ants):
    for _ in range(2):
        fight_friendly(announce_friendly(ants, units=[ready(ants)]))
    with pytest.raises(RefusedError, match="Ants has already played its 2 friendly games of Round 1"):
        announce_friendly(ants)
    ants.campaign.rounds.update(state="closed")
    a_round(ants.campaign)
    assert friendly_round(ants)[1] == ""


def ready(enrolment):
    """Return the first unit that can still fight."""
    company = enrolment.company
    return company.units.filter(status="ready", pilot__status="active").values_list("pk", flat=True)[0]


def test_only_one_friendly_runs_at_a_time(ants):
    announce_friendly(ants)
    with pytest.raises(RefusedError, match="A friendly game of Ants is being simulated"):
        announce_friendly(ants)


def test_failed_friendly_does_not_count(ants):
    friendly = announce_friendly(ants)
    claimed = Battle.claim(friendly.battle_id)
    assert claimed.fail("The fault is ours.")
    assert friendly_round(ants)[1] == ""
    assert not ants.company.ledger.filter(cause="battle").exists()


def test_next_friendly_after_a_failure_keeps_the_dice(client, ants):
    first = announce_friendly(ants, words="luck")
    assert Battle.claim(first.battle_id).fail("The fault is ours.")
    for more in ({"words": "more luck"}, {"commitment": "0" * 64}):
        with pytest.raises(
            RefusedError,
            match="Your last game of this round failed, so the next one uses its dice and the contributions already made to them",
        ):
            announce_friendly(ants, **more)
    client.force_login(ants.company.owner)
    page = client.get(reverse("campaigns:friendlies", args=[ants.campaign_id]))
    assert page.context["dice"] == first.battle.dice
    assert 'name="words"' not in page.content.decode()
    second = announce_friendly(ants, units=[ready(ants)])
    assert second.battle.dice == first.battle.dice
    fight_friendly(second)
    assert second.battle.dice.words == [[str(ants.company.owner), "luck"]]
    assert announce_friendly(ants, units=[ready(ants)]).battle.dice != first.battle.dice


def test_form_shows_points_and_pilot_of_each_unit(client, ants):
    client.force_login(ants.company.owner)
    text = client.get(reverse("campaigns:friendlies", args=[ants.campaign_id])).content.decode()
    assert "WASP · 9 pt, Pilot 1" in text


def test_undecided_match_blocks_a_friendly(ants):
    match = a_match(ants.campaign.rounds.get(), ants)
    with pytest.raises(RefusedError, match="still has an undecided match"):
        announce_friendly(ants)
    Match.objects.filter(pk=match.pk).update(state="void")
    assert announce_friendly(ants).round == match.round


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"units": []}, "Choose at least one unit"),
        ({"doctrine": "sleepy"}, "There is no such AI style"),
        ({"opponent": "nobody"}, "no such list"),
        ({"ground": 99}, "has no such scenario and terrain"),
    ],
)
def test_invalid_announcement_changes_nothing(ants, fields, reason):
    with pytest.raises(RefusedError, match=reason):
        announce_friendly(ants, **fields)
    assert (Friendly.objects.count(), activity_log_texts()) == (0, [])


def test_only_the_owner_announces_for_a_company(ants):
    with pytest.raises(RefusedError, match="your own company"):
        announce_friendly(ants, by=a_player())


def test_campaign_has_no_friendlies_by_default():
    campaign = a_campaign()
    a_round(campaign)
    with pytest.raises(RefusedError, match="Spring War has no friendly games"):
        announce_friendly(an_enrolment(campaign))


def test_number_of_friendlies_is_fixed_at_mustering():
    organiser = a_player()
    draft = a_campaign(state="draft")
    assert campaign_change(campaign=draft, by=organiser, friendlies=2).friendlies == 2
    with pytest.raises(RefusedError, match="from 0 to 5"):
        campaign_change(campaign=draft, by=organiser, friendlies=6)
    mustering = a_campaign(draft.club, state="mustering", name="Later War")
    with pytest.raises(RefusedError, match="This can't be changed because Later War is open for sign-up"):
        campaign_change(campaign=mustering, by=organiser, friendlies=1)


def test_page_announces_and_shows_a_friendly(client, ants):
    client.force_login(ants.company.owner)
    page = reverse("campaigns:friendlies", args=[ants.campaign_id])
    form = client.get(page).content.decode()
    assert "New friendly game for Ants" in form
    sent = {
        "enrolment": ants.pk, "units": list(ants.company.units.values_list("pk", flat=True)), "doctrine": "cautious",
        "opponent": FORCE, "ground": "0", "words": "owl",
    }  # fmt: skip
    answer = client.post(page, sent, follow=True)
    assert answer.status_code == 200
    assert "being simulated" in answer.content.decode()
    refused = client.post(page, sent)
    assert refused.status_code == 422
    assert "A friendly game of Ants is being simulated" in refused.content.decode()
    client.logout()
    assert "being simulated" in client.get(page).content.decode()
    client.force_login(a_player())
    assert client.post(page, sent).status_code == 403


def test_api_announces_and_lists_friendlies(client, ants):
    token = {"headers": {"Authorization": f"Token {a_token(ants.company.owner)}"}}
    body = {"enrolment": ants.pk, "units": [ready(ants)], "doctrine": "cautious", "opponent": FORCE}
    path = reverse("api-friendlies", args=[ants.campaign_id])
    gone = client.post(path, json.dumps({**body, "dice": "0" * 64}), content_type="application/json", **token)
    assert (gone.status_code, gone.json()["errors"][0]["field"]) == (422, "dice")
    made = client.post(path, json.dumps(body), content_type="application/json", **token)
    assert made.status_code == 201, made.content
    fight_friendly(Friendly.objects.get())
    (line,) = client.get(path).json()
    assert line["commitment"] == made.json()["commitment"]
    assert line["outcome"] in ("won", "drawn", "lost")
    strange = client.post(path, json.dumps({**body, "enrolment": 0}), content_type="application/json", **token)
    assert (strange.status_code, strange.json()["errors"][0]["field"]) == (422, "enrolment")
    other = {"headers": {"Authorization": f"Token {a_token(a_player())}"}}
    assert client.post(path, json.dumps(body), content_type="application/json", **other).status_code == 403


def test_income_from_a_friendly_can_be_spent(ants):
    friendly = fight_friendly(announce_friendly(ants))
    game = ants.company.ledger.get(kind="game", cause_ref=str(friendly.battle.key))
    income = game.facts["income"]
    assert income > 0
    assert points_earned_in(ants.campaign, [ants.company]) == {ants.company.pk: income}
    assert reserves_of(ants.company) == []


def test_friendly_uses_the_dice_shown_to_its_player(client, ants):
    owner = ants.company.owner
    client.force_login(owner)
    page = reverse("campaigns:friendlies", args=[ants.campaign_id])
    commitment = client.get(page).context["dice"].commitment
    assert f'<input type="hidden" name="dice" value="{commitment}">' in client.get(page).content.decode()
    dice_take(actor=owner, visitor="")  # for a battle in another window
    sent = {
        "enrolment": ants.pk, "units": [ready(ants)], "doctrine": "cautious", "opponent": FORCE, "ground": "0",
        "dice": commitment,
    }  # fmt: skip
    refused = client.post(page, sent)
    assert refused.status_code == 422
    assert "You have already used these dice for another battle" in refused.content.decode()
    commitment = refused.context["dice"].commitment
    assert client.post(page, {**sent, "dice": commitment}).status_code == 302
    assert Friendly.objects.get().battle.dice.commitment == commitment
