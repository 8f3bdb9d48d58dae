"""The changes that house rules make to the texts and numbers on cards, sheets and references (ledger 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.catalogue.types import Action, Cripple, ScenarioItem, ShotModifier
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.rulebook import RuleRef


def actions_of(options: Options) -> Sequence[Action]:
    """Return the actions under these house rules."""
    return [_action(action, options) for action in CATALOGUE.actions.values()]


def _action(action: Action, options: Options) -> Action:
    effect = action.effect
    if action.slug == "cool" and not options.cools_second:
        effect = f"{effect} As action one only."
    if options.contact_in_one:
        effect = effect.replace(", in action two only", "").replace("In action two only: into", "Into")
    return replace(action, effect=effect)


def cripples_of(options: Options) -> Sequence[Cripple]:
    """Return the crippling results under these house rules."""
    if not options.biped_stands:
        return [*CATALOGUE.cripples.values()]
    stands = {"crip-loco-r": " A biped with both stays where it is.", "crip-loco-l": ""}
    return [replace(each, effect=each.effect + stands.get(each.slug, "")) for each in CATALOGUE.cripples.values()]


def modifiers_of(options: Options) -> Sequence[ShotModifier]:
    """Return the modifiers of a shot's number under these house rules."""
    found = [*CATALOGUE.shot_modifiers.values()]
    if not options.impact_on_all:
        return found
    more = " Its dodge and strike numbers against them too."
    return [replace(each, when=each.when + more) if each.slug == "tn-impact" else each for each in found]


def items_of(options: Options) -> Sequence[ScenarioItem]:
    """Return the scenario's items that bring points, under these house rules."""
    found = [*CATALOGUE.scenario_items.values()]
    if not options.kills_per_warmech:
        return found
    text = "For each enemy Warmech destroyed or disabled."
    return [replace(each, points=1, text=text) if each.slug == "vp-kill" else each for each in found]


def points_of(item: ScenarioItem) -> str:
    """Return the victory points of an item each time; empty if they are a share."""
    return "" if item.points is None else f"{item.points} VP"


def rule_under(rule: RuleRef, options: Options) -> RuleRef:
    """Return a rule of the book with its heading and text under these house rules."""
    match rule.id:
        case "BS-037" if not options.max_activations:
            return replace(
                rule,
                title="No limit on activations",
                text="A Warmech may be activated as often as its player likes.",
            )
        case "BS-037" if options.max_activations != BY_THE_BOOK.max_activations:
            number = options.max_activations
            return replace(
                rule,
                title=f"Activation {number}",
                text=f"In activation {number} of a round a Warmech must Cool as one of its actions.",
            )
        case "BS-036" if options.contact_in_one:
            return replace(
                rule,
                title="Contact in action one",
                text="Charges, and jumps into contact, are allowed in action one too.",
            )
        case "BS-073" if options.second_l_is_shoulder:
            return replace(rule, text=rule.text.rstrip(".") + "; a shoulder to the front and both sides.")
        case "BS-094" if options.counts_effective_dice:
            return replace(rule, text="An attack that nobody answers scores a hit for each effective die.")
        case "BS-160" if options.biped_stands:
            return replace(rule, text="With both Locomotion results it can neither move nor dodge, and fights on.")
    return rule
