"""docs/what-you-decide.md lists the decisions of each game correctly: the player's and the AI's."""

import importlib
import inspect
from pathlib import Path

import pytest

from systems import BATTLES, battle_rules, roster_rules

DOC = Path(__file__).resolve().parents[2] / "docs" / "what-you-decide.md"
YOU, AI = "You decide:", "The AI decides:"

# The function that a question replaces, and the document's words for it.
QUESTIONS = {
    "meks-and-mercs": {
        "wants_to_break": "breaking contact",
        "ordered_to_break": "breaking contact",
        "uses_jets": "jump jets",
        "preferred_band": "the range you want",
        "band_by_orders": "the range you want",
        "infantry_target": "a strongpoint's target",
        "plan_target": "fire (targets, weapons and their heat)",
        "goes_first": "who moves first",
        "choose_zone": "where each unit moves",
        "zone_by_orders": "where each unit moves",
        "reveal_band": "at which range a hidden Mek reveals itself",
        "ambush_choice": "the ambush",
        "commandos_choice": "what commandos do",
        "off_board_target": "off-board fire",
        "drone_zone": "the Recon Drone",
        "lands": "where an APC drops off its infantry",
        "truck_target": "the Repair Truck",
        "digger": "Digging In",
        "hider": "which Mek starts hidden",
        "damage_target": "which unit takes Battle Damage",
    },
    "mech-campaign": {
        "next_unit": "which unit acts",
        "activate": "each action of a unit",
        "act": "each action of a unit",
        "act_walk": "where it walks",
        "act_fly": "where a drone flies",
        "act_emerge": "which tunnel mouth a track comes up at",
        "turn_to": "which enemy a unit faces after moving",
    },
    "blazing-steel": {
        "choose_warmech": "which Warmech is activated",
        "give_order": "what it declares",
        "make_way": "where a movement ends",
        "weapon_to_lose": "what a crippled arm loses",
        "cool_with_rods": "Coolant Rods",
    },
    "mechastellar": {
        "pick": "which unit is activated",
        "choose_mode": "the mode of a unit that transforms",
        "wants_out": "leaving a melee",
        "make_plan": "what to attack and from where",
        "buy_actions": "Zeal",
        "zeal_here": "Zeal",
        "goal": "where each Move Action leads",
        "best_here": "further attacks from the same spot",
        "choose_attack_bonus": "attack bonuses",
        "choose_defence_bonus": "defence bonuses and counters",
        "spend_power": "Power",
        "press": "every skill of attack and defence",
        "parry": "every skill of attack and defence",
        "improvise_attack": "Improvise",
        "improvise_defence": "Improvise",
        "focus_attack": "Focus",
        "focus_defence": "Focus",
        "valor": "Valor",
        "buy_hits": "Havoc on Hits",
        "flash": "Flash",
        "iron_wall": "Iron Wall",
        "buy_power_barrier": "barriers",
        "buy_havoc_barrier": "barriers",
        "boost_evade": "Boost",
    },
    "hex-core": {
        "choose_unit": "which Unit has its turn",
        "break_free": "letting go of a held enemy",
        "leave_prone": "leaving the prone position",
        "draw_weapon": "drawing or stowing a weapon",
        "change_form": "transforming",
        "climb": "a flyer's level",
        "move": "the hex and the facing in which a movement ends",
        "follow": "the hex and the facing in which a movement ends",
        "face_enemies": "the hex and the facing in which a movement ends",
        "thrust": "Thruster Movement",
        "land": "landing on an object",
        "send_drones": "moving drones by a Reposition",
        "take_aim": "kneeling and going prone",
        "use_weapons": "each attack with weapon, target and called area",
        "attack": "each attack with weapon, target and called area",
        "attack_with_drone": "drones that a Unit steers",
        "grapple_target": "which enemy it grapples",
        "take_stance": "the stance at the end",
    },
}

# What the order of play asks the AI in every battle, or does by itself, and the document's words for it.
WITH_AI = {
    "meks-and-mercs": {
        "rules.support.place_support": "where units and support units start",
        "rules.support.lay_mines": "where mines lie",
        "ai_fire.plan_fire": "Agility's dodge",
        "ai_fire.plan_gunnery": "Gunnery's extra shot",
    },
    "mech-campaign": {"rules.scenarios.set_up": "deployment"},
    "blazing-steel": {"ai.place_in_line": "deployment", "ai.advance": "deployment"},
    "mechastellar": {
        "ai_turn.column_of": "deployment and reserves",
        "ai_turn.first_place": "deployment and reserves",
        "ai_turn.place_by_turns": "deployment and reserves",
        "ai.consider_trust": "Trust",
        "ai.consider_daunt": "Daunt",
        "ai_advanced.consider_challenge": "Challenges",
        "ai_advanced.consider_revenge": "Revenge",
        "ai_advanced.consider_breach": "Havoc on Cover",
        "ai_advanced.further_target": "further targets of a weapon",
        "ai_advanced.remote_target": "remote weapons",
        "ai_advanced.consider_boarding": "boarding",
        "ai_advanced.ship_length": "course",
        "ai_advanced.launch_all": "launching",
        "ai_advanced.consider_tactical": "orders",
        "ai_advanced.overwatch_weapon": "Overwatch",
        "ai_advanced.consider_sacrifice": "which weapon to give up",
    },
    "hex-core": {
        "ai.deployment_hex": "deployment",
        "ai.starts_aloft": "deployment",
        "ai.mark_of": "marked units",
        "ai.objective_hex": "Objectives",
        "ai.fetch_object": "picking objects up",
        "rules.commands.pay_deploy": "sending drones out",
        "ai_combat.use_clever_drones": "drones that choose for themselves",
        "ai_combat.shoot_drones": "attacks on drones",
        "rules.commands.get_up": "getting up",
        "rules.grapples.break_grapple": "breaking free",
        "ai_combat.grapple": "throw or hold",
    },
}

# Also part of the AI style, but no choice: these prepare, carry out or end an order.
NO_CHOICE = {
    "meks-and-mercs": {"update_orders"},
    "mech-campaign": {"choose_runners", "end_ordered_moves", "spend_points"},
    "blazing-steel": {"end_ordered_moves"},
    "mechastellar": {
        "value_now",
        "value_here",
        "turn_of_enemy",
        "end_ordered_moves",
        "first_engaged",
        "step_towards",
        "way_out",
        "has_plan",
        "must_answer",
        "plan_all",
    },
    "hex-core": {"can_go_on", "end_ordered_moves", "has_drones"},
}


DECIDED_BY_PLAYERS = [slug for slug, game in BATTLES.items() if game.in_hand]


def lists_of(slug: str) -> tuple[str, str]:
    """Return the document's lists for a game: what a player decides, and what the AI decides."""
    text = DOC.read_text(encoding="utf-8").split(f"## {roster_rules(slug).name}\n", 1)[1]
    sentence = " ".join(text.split("\n## ")[0].split())
    yours, ai = sentence.split(YOU, 1)[1].split(AI, 1)
    return yours, ai


def questions_of(slug: str) -> set[str]:
    in_hand = battle_rules(slug).in_hand
    assert in_hand is not None
    return set(in_hand.takes) | set(in_hand.follows)


@pytest.mark.parametrize("slug", DECIDED_BY_PLAYERS)
def test_doc_lists_every_question_of_a_game(slug):
    assert questions_of(slug) == set(QUESTIONS.get(slug, ())), (
        "list the player's decisions in docs/what-you-decide.md and in QUESTIONS"
    )
    yours, _ai = lists_of(slug)
    assert not {name: words for name, words in QUESTIONS[slug].items() if words not in yours}


@pytest.mark.parametrize("slug", DECIDED_BY_PLAYERS)
def test_decisions_of_the_ai_are_never_asked(slug):
    _yours, ai = lists_of(slug)
    package = f"systems.{slug.replace('-', '_')}.battle"
    for path, words in WITH_AI[slug].items():
        module, name = path.rsplit(".", 1)
        assert hasattr(importlib.import_module(f"{package}.{module}"), name), path
        assert name not in questions_of(slug), f"{path} is asked, but listed as a decision of the AI"
        assert words in ai, words


@pytest.mark.parametrize("slug", DECIDED_BY_PLAYERS)
def test_every_choice_of_the_ai_is_listed(slug):
    in_hand = battle_rules(slug).in_hand
    assert in_hand is not None
    chosen = {
        name
        for module in in_hand.modules
        if ".play" in module
        for name, function in vars(importlib.import_module(module)).items()
        if inspect.isfunction(inspect.unwrap(function)) and ".ai" in function.__module__
    }
    assert chosen
    covered = {path.rsplit(".", 1)[1] for path in WITH_AI[slug]} | NO_CHOICE[slug]
    assert not chosen - questions_of(slug) - covered, (
        "list this decision in docs/what-you-decide.md, and in WITH_AI or NO_CHOICE"
    )
