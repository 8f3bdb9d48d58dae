"""A page offers an act only if its service accepts it.

Checked in every state of a campaign, a season and a cup, for every button.
"""

from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.urls import reverse

from campaigns.corrections.plan import VerdictWithoutBattle
from campaigns.corrections.services import correction_preview
from rosters.services import RefusedError
from tests.campaigns import campaign_acts, club_acts
from tests.campaigns.corrections import COMPENSATE
from tests.campaigns.test_who_may_when import KINDS, fresh

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.usefixtures("sixes")]


class Offer(NamedTuple):
    """The reader, the page and the marks by which an act is offered.

    A button that leads to a page of several acts is right if any of `others` is accepted. In the states of `again` the
    act is done already, and asking again returns what is there.
    """

    act: str
    who: Callable[[Any], Any]
    page: Callable[[Any], str]
    marks: tuple[str, ...] | Callable[[Any], tuple[str, ...]]
    others: tuple[Callable[[Any], object], ...] = ()
    again: tuple[str, ...] = ()


class _RollBack(Exception):
    """Roll back an act's transaction."""


def _sign_in_ann(world):
    return world.ann


def _ben(world):
    return world.ben


def _omar(world):
    return world.omar


def _organiser(world):
    """Make Ann, who plays, an organiser beside another."""
    return campaign_acts._give_role(world, "organiser")


def _arbiter(world):
    return campaign_acts._give_role(world, "arbiter")


def _alone(world):
    return club_acts._make_only_organiser(world)


def _url(name, *args):
    return reverse(f"campaigns:{name}", args=args)


def _of_match(name):
    return lambda world: _url(name, world.the_match().key)


def _round(world):
    return _url("round", world.campaign.pk, world.round().number)


def _rounds(world):
    return _url("campaign", world.campaign.pk)


def _company_of(name):
    def page(world):
        company = getattr(world, name)
        return _url("enrolment", world.campaign.pk, world.enrolment(company).pk)

    return page


def _awarded(world):
    """Preview the award to which a void match can still be corrected."""
    after = VerdictWithoutBattle(state="forfeited", outcome="attacker")
    return correction_preview(match=world.the_match(), after=after, mode=COMPENSATE, by=None)


match, ants, bees = _of_match("match"), _company_of("ants"), _company_of("bees")
CAMPAIGN = (
    # the sides of a match
    Offer("submit a list", _sign_in_ann, match, ("Submit list", "Change list")),
    Offer("withdraw the list", _sign_in_ann, _of_match("match_forces"), ("Withdraw list",)),
    Offer(
        "report a win",
        _sign_in_ann,
        match,
        ("Report result", "Report again"),
        (campaign_acts.SIDES["reveal the lists"],),
    ),
    Offer("withdraw the report", _sign_in_ann, match, ("Withdraw report",)),
    Offer("confirm the opponent's report", _sign_in_ann, match, ("View their report",)),
    Offer("the opponent confirms the report", _ben, match, ("View their report",)),
    Offer("say that they can't play", _sign_in_ann, match, ("Can’t play",)),
    Offer("play after all", _sign_in_ann, match, ("Play after all",)),
    Offer("allow the opponent's ruling", _sign_in_ann, match, ("Allow opponent’s ruling",)),
    Offer("propose a date", _sign_in_ann, match, ('value="propose"',)),
    Offer("start the game", _sign_in_ann, match, ("Start game",)),
    Offer("withdraw from the campaign", _sign_in_ann, ants, ('value="withdraw"',)),
    Offer("change autoplay orders", _sign_in_ann, ants, ('value="orders"',)),
    # players, as arbiter or organiser
    Offer("withdraw their opponent", _organiser, bees, ('value="withdraw"',)),
    Offer("adjust their own company (arbiter)", _arbiter, ants, ("/adjust/",)),
    Offer("adjust their opponent's company (arbiter)", _arbiter, bees, ("/adjust/",)),
    Offer("correct their own result (arbiter)", _arbiter, match, ("Correct match",)),
    Offer("rule that the opponent forfeits (arbiter)", _arbiter, match, ("Make ruling", "Rule on dispute")),
    Offer("extend the deadline of their own match", _organiser, _round, ('value="deadline"',)),
    Offer("close the round of their own match", _organiser, _round, ('value="close"',), again=("closed", "finished")),
    Offer("remove their match", _organiser, _round, ('value="remove-',)),
    Offer("accept their own company", _organiser, ants, ('value="accept"',)),
    Offer("make an exception for their own company", _organiser, ants, ('value="excuse"',)),
    # alone
    Offer("alone: adjust their own company", _alone, ants, ("/adjust/",)),
    Offer("alone: remove their match", _alone, _round, ('value="remove-',)),
    Offer("alone: withdraw their opponent", _alone, bees, ('value="withdraw"',)),
    Offer("alone: publish the round", _alone, _round, ('value="open"',)),
    # the organiser, who does not play
    Offer("accept a company", _omar, ants, ('value="accept"',)),
    Offer("decline a company", _omar, ants, ('value="decline"',)),
    Offer("withdraw a company", _omar, bees, ('value="withdraw"',)),
    Offer("plan a round", _omar, _rounds, ("Plan round",)),
    Offer("discard the planned round", _omar, _round, ('value="drop"',)),
    Offer("publish the round", _omar, _round, ('value="open"',)),
    Offer("change a pairing", _omar, _round, ("Save pairings",)),
    Offer("remove a match", _omar, _round, ('value="remove-',)),
    Offer("shorten the deadline", _omar, _round, ('value="deadline"',)),
    Offer("close the round", _omar, _round, ('value="close"',), again=("closed", "finished")),
    Offer("rule that a side forfeits", _omar, match, ("Make ruling", "Rule on dispute")),
    Offer("undo the result", _omar, match, ("Correct match",), (_awarded,)),
    Offer("adjust a company", _omar, ants, ("/adjust/",)),
)


def _olga(world):
    return world.olga


def _she(world):
    return world.ann_organises()


def _she_alone(world):
    return world.ann_organises(alone=True)


def _run(world):
    return _url("season_run", world.season.pk)


def _of_ben(world):
    """Return the hidden field of the button that takes Ben out of the season."""
    return (f'name="entrant" value="{world.entrant("ben")}"',)


def _season(world):
    return _url("season", world.season.pk)


def _pairing(world):
    return _url("season_pairing", world.pairing().key)


SEASON = (
    Offer("leave the season", _sign_in_ann, _season, ('value="leave"',)),
    Offer("enter the season", _sign_in_ann, _season, ('value="enter"',)),
    Offer("accept the game", _sign_in_ann, _pairing, ('value="accept"',)),
    Offer("propose a game", _sign_in_ann, _pairing, ('name="game"',)),
    Offer("publish a round with themselves in it", _she, _run, ('value="open"',)),
    Offer("discard a round with themselves in it", _she, _run, ('value="drop"',)),
    Offer("remove their rival", _she, _run, _of_ben),
    Offer("change the order of games", _she, _run, ('value="game-first"',)),
    Offer("award their own pairing to themselves", _she, _pairing, ('value="award"',)),
    Offer("cancel their own pairing", _she, _pairing, ('value="award"',)),
    Offer("alone: publish a round with themselves in it", _she_alone, _run, ('value="open"',)),
    Offer("alone: remove their rival", _she_alone, _run, _of_ben),
    Offer("alone: cancel their own pairing", _she_alone, _pairing, ('value="off"',)),
    Offer("start the season", _olga, _run, ('value="start"',)),
    Offer("discard the planned round", _olga, _run, ('value="drop"',)),
    Offer("publish the planned round", _olga, _run, ('value="open"',)),
    Offer("cancel a pairing", _olga, _pairing, ('value="off"',)),
    Offer("remove a player", _olga, _run, _of_ben),
    Offer("sort the games", _olga, _run, ('value="game-first"',)),
    Offer("add a team", _olga, _run, ('value="team-add"',)),
    Offer("finish the season", _olga, _run, ('value="finish"',)),
)


def _cup(world):
    return _url("cup", world.campaign.pk)


def _of_bees(world):
    return _url("enrolment", world.campaign.pk, world.of("Bees").pk)


def _cup_round(world):
    return _url("round", world.campaign.pk, world.round().number)


def _cup_match(world):
    return _url("match", world.match().key)


CUP = (
    Offer("seed their rival last", _she, _cup, ('value="seats"',)),
    Offer("publish a round with their own bye", _she, _cup_round, ('value="open"',)),
    Offer("withdraw their rival", _she, _of_bees, ('value="withdraw"',)),
    Offer("undo their own match", _she, _cup_match, ("Correct match",)),
    Offer("alone: seed their rival last", _she_alone, _cup, ('value="seats"',)),
    Offer("alone: publish a round with their own bye", _she_alone, _cup_round, ('value="open"',)),
    Offer("alone: withdraw their rival", _she_alone, _of_bees, ('value="withdraw"',)),
    Offer("set up the cup", _olga, _cup, ('value="settings"',)),
    Offer("draw the cup", _olga, _cup, ('value="draw"',)),
    Offer("choose the seeds", _olga, _cup, ('value="seats"',)),
    Offer("publish the round", _olga, _cup_round, ('value="open"',)),
    Offer("withdraw a company", _olga, _of_bees, ('value="withdraw"',)),
    Offer("undo a match", _olga, _cup_match, ("Correct match",)),
)
OFFERS = {"campaign": CAMPAIGN, "season": SEASON, "cup": CUP}


def is_offered(client, world, offer):
    """Return whether the page shows this reader the button, and roll back."""
    found = False
    try:
        with transaction.atomic():
            world = fresh(world)
            client.force_login(offer.who(world))
            answer = client.get(offer.page(world))
            text = answer.content.decode()
            marks = offer.marks(world) if callable(offer.marks) else offer.marks
            found = answer.status_code == 200 and any(mark in text for mark in marks)
            raise _RollBack
    except (_RollBack, LookupError, ObjectDoesNotExist):
        return found


def is_accepted(world, act):
    """Return whether the service accepts the act, and roll back."""
    try:
        with transaction.atomic():
            act(fresh(world))
            raise _RollBack
    except _RollBack:
        return True
    except (RefusedError, LookupError, ObjectDoesNotExist):
        return False


@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.proof)], ids=["part", "whole"])
@pytest.mark.parametrize(
    ("kind", "state"),
    [
        pytest.param(kind, state, marks=pytest.mark.slow if number % 2 else ())  # test_who_may_when.py has the others
        for kind, (_, states, *_) in KINDS.items()
        for number, state in enumerate(states)
    ],
)
def test_buttons_match_the_acts_that_services_accept(client, kind, state, is_whole):
    """The partial run checks every fourth offer, shifted by one for each state."""
    acts, states, in_that, _ = KINDS[kind]
    world = in_that(state)
    by_name = {name: act for those in acts.values() for name, act in those.items()}
    wrong = []
    for offer in OFFERS[kind] if is_whole else OFFERS[kind][list(states).index(state) % 4 :: 4]:
        offered = is_offered(client, copy(world), offer)
        taken = any(is_accepted(world, act) for act in (by_name[offer.act], *offer.others))
        if offered != taken and not (state in offer.again and not offered):
            wrong.append(f"{offer.act}: {'offered and refused' if offered else 'taken, and not offered'}")
    assert not wrong, f"in {state}:\n" + "\n".join(wrong)


def test_every_offer_is_a_known_act(capsys):
    for kind, offers in OFFERS.items():
        names = {name for those in KINDS[kind][0].values() for name in those}
        assert {offer.act for offer in offers} <= names
    cells = sum(len(offers) * len(KINDS[kind][1]) for kind, offers in OFFERS.items())
    with capsys.disabled():
        print(f" {sum(map(len, OFFERS.values()))} buttons, {cells} cells")
