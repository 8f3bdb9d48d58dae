"""A match corrected and corrected back leaves no trace, whatever players do in between.

Both rule systems are covered.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from campaigns.army_lists.services import lists_reveal
from campaigns.results import aftermath
from rosters.services import RefusedError
from systems import roster_rules
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import CASCADE, confirm_match, report
from tests.campaigns.test_correction_properties import (
    SETTINGS,
    Act,
    Game,
    World,
    _report_of,
    acts,
    games,
    run_in_new_world,
    seeds,
    sides,
    winners,
)

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FEW, MANY = settings(SETTINGS, max_examples=2), settings(SETTINGS, max_examples=150)


class League(World):
    """Three companies of Mech Campaign with spare units."""

    def __init__(self, monkeypatch) -> None:
        slug = "mech-campaign"
        self.campaign = a_campaign(
            system=slug,
            scenarios=[{"value": "claim-dispute", "name": "Claim Dispute"}],
            options={},
            catalogue_release=roster_rules(slug).catalogue_release,
        )
        self.arbiter = self.campaign.club.memberships.get().player
        lance = ("heavy-mech", "light-mech", "light-mech", "light-mech", "track", "light-mech", "drone")
        self.companies = [a_mustered_company(None, *lance, name=name, system=slug) for name in ("Ants", "Bees", "Cats")]
        self.enrolments = [an_enrolment(self.campaign, company) for company in self.companies]
        self.matches, self.games, self.monkeypatch = [], [], monkeypatch

    def play(self, game: Game) -> None:
        one, other = self.enrolments[game.one], self.enrolments[game.other]
        match = a_match(a_round(self.campaign), one, other, dice=None, scenario="claim-dispute", terrain="rolled")
        try:
            match = lists_reveal(match=match)
        except RefusedError:
            match.delete()
            return
        self.monkeypatch.setattr(aftermath, "dice_seed", lambda battle: game.seed)
        match = confirm_match(match, report(match, game.winner, *_of_league(game)))
        self.matches.append(match)
        self.games.append(game)


def _of_league(game: Game):
    """Return the units lost, by their places."""
    return [{at: {"destroyed": fate == "lost"} for at, fate in enumerate(fates)} for fates in game.fates]


def _of_war(game: Game, match):
    return [dict(enumerate(_report_of(game.fates[side], match, side))) for side in (0, 1)]


league_fates = st.lists(st.sampled_from(["whole", "whole", "lost"]), min_size=3, max_size=3).map(tuple)
league_games = st.builds(
    lambda who, winner, a, b, seed: Game(*who, winner, (a, b), seed), sides, winners, league_fates, league_fates, seeds
)


def stories(of):
    story = st.lists(st.one_of(of, acts, acts), min_size=1, max_size=6)
    return st.builds(lambda first, rest: [first, *rest], of, story)


def correct_and_revert(monkeypatch, world, story, other, which, undo):
    def run_story(world):
        world.play_story(story)
        if not world.matches:
            return
        at = which % len(world.matches)
        match, game, before = world.matches[at], world.games[at], world.numbers()
        fates_of = _of_league if isinstance(world, League) else lambda game: _of_war(game, match)
        world.correct(match, None if undo else report(match, other.winner, *fates_of(other)), CASCADE)
        world.correct(match, report(match, game.winner, *fates_of(game)), CASCADE)
        assert world.numbers() == before

    run_in_new_world(monkeypatch, run_story, world)


SOLD = [
    Game(0, 1, "attacker", (("whole", "whole", "whole"),) * 2, 7),
    Act("sell", 0, 1),
    Act("learn", 0, 0),
    Game(0, 2, "draw", (("whole", "hit", "whole"), ("whole", "whole", "whole")), 8),
    Act("repair", 0, 0),
]
FALLEN = Game(0, 1, "defender", (("lost", "lost", "whole"), ("whole", "hit", "whole")), 9)
SOLD_IN_A_LEAGUE = [
    Game(0, 1, "attacker", (("whole", "whole", "whole"),) * 2, 1),
    Act("sell", 0, 1),
    Act("buy", 0, 0),
    Game(0, 2, "draw", (("whole", "lost", "whole"),) * 2, 2),
]


@pytest.mark.slow
@FEW
@example(story=SOLD, other=FALLEN, which=0, undo=False)
@given(stories(games()), games(), st.integers(0, 9), st.booleans())
def test_correction_and_reversal_leave_meks_companies_unchanged(monkeypatch, story, other, which, undo):
    correct_and_revert(monkeypatch, World, story, other, which, undo)


@pytest.mark.slow
@FEW
@example(story=SOLD_IN_A_LEAGUE, other=FALLEN, which=0, undo=False)
@given(stories(league_games), league_games, st.integers(0, 9), st.booleans())
def test_correction_and_reversal_leave_league_companies_unchanged(monkeypatch, story, other, which, undo):
    correct_and_revert(monkeypatch, League, story, other, which, undo)


@pytest.mark.proof
@MANY
@given(stories(games()), games(), st.integers(0, 9), st.booleans())
def test_correction_and_reversal_in_many_meks_campaigns(monkeypatch, story, other, which, undo):
    correct_and_revert(monkeypatch, World, story, other, which, undo)


@pytest.mark.proof
@MANY
@given(stories(league_games), league_games, st.integers(0, 9), st.booleans())
def test_correction_and_reversal_in_many_leagues(monkeypatch, story, other, which, undo):
    correct_and_revert(monkeypatch, League, story, other, which, undo)
