"""The AI style that gives each side its best chance. Odds use it, so nobody can shift them by naming another."""

from itertools import product

import pytest

from systems import BATTLES, battle_rules
from systems.setups import with_styles
from systems.simulation import odds


@pytest.fixture(autouse=True)
def few_battles(monkeypatch):
    monkeypatch.setattr(odds, "STYLE_BATTLES", 100)


@pytest.mark.parametrize("game", BATTLES)
def test_best_styles_ignore_styles_of_setup(game):
    setup, styles = battle_rules(game).example(), list(battle_rules(game).doctrines)
    chosen = {
        tuple(side.doctrine for side in odds.with_best_styles(with_styles(setup, named), 0).sides)
        for named in product(styles, styles)
    }
    assert len(chosen) == 1


@pytest.mark.parametrize("game", BATTLES)
def test_no_other_style_guarantees_more(game):
    setup, styles = battle_rules(game).example(), list(battle_rules(game).doctrines)
    attacker, defender = (side.doctrine for side in odds.with_best_styles(setup, 0).sides)
    chances = {pair: odds.chance_of(with_styles(setup, pair), 0, 100) for pair in product(styles, styles)}
    sure = {own: min(chances[own, other] for other in styles) for own in styles}
    conceded = {own: max(chances[other, own] for other in styles) for own in styles}
    assert sure[attacker] == max(sure.values())
    assert conceded[defender] == min(conceded.values())


def test_draw_counts_half():
    setup = battle_rules("meks-and-mercs").example()
    battle = odds.tally(setup, 0, 0, 100).battle
    drawn = 100 - battle["attacker_wins"] - battle["defender_wins"]
    assert odds.chance_of(setup, 0, 100) == (battle["attacker_wins"] + drawn / 2) / 100
