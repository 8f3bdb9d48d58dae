"""The house rules of Blazing Steel, and the printed texts and numbers that they change. Ledger 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from systems.blazing_steel.catalogue import CATALOGUE, Action, Cripple, ScenarioItem, ShotModifier
from systems.rulebook import ChosenRules, RuleRef, house_rules_of

HOUSE_RULES = house_rules_of(CATALOGUE.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    cools_second: bool  # Cool may be the second action. BS-052
    contact_in_one: bool  # allows charges and jumps into contact in action one. BS-036
    max_activations: int  # a Warmech must Cool in the last one; 0: no limit, at the table. BS-037
    counts_effective_dice: bool  # an unanswered attack hits with each effective die, instead of by its total. BS-094
    impact_on_all: bool  # Impact also lowers dodge and strike numbers. BS-123
    second_l_is_shoulder: bool  # BS-074
    biped_stands: bool  # it is immobile, not out of action. BS-160
    kills_per_warmech: bool  # 1 each, not equalized. BS-190
    rounds: int  # BS-187
    points_limit: int  # maximum points of a side; 0: no limit. BS-C02

    @classmethod
    def read(cls, options: Mapping[str, object]) -> Options:
        """Return the options of a document; raises DocumentError."""
        chosen = ChosenRules(HOUSE_RULES, options)
        return cls(
            cools_second=chosen.flag("cool-second-action"),
            contact_in_one=chosen.flag("contact-in-action-one"),
            max_activations=chosen.number("max-activations"),
            counts_effective_dice=chosen.choice("uncontested-hits") == "effective-dice",
            impact_on_all=chosen.flag("impact-on-all-tns"),
            second_l_is_shoulder=chosen.choice("second-l") == "shoulder",
            biped_stands=chosen.choice("biped-disabled") == "immobile",
            kills_per_warmech=chosen.choice("kill-points") == "per-warmech",
            rounds=chosen.number("rounds"),
            points_limit=chosen.number("points-limit"),
        )


BY_THE_BOOK = Options.read({})


def actions_of(options: Options) -> Sequence[Action]:
    """Return the actions with these house rules."""
    return [_action(action, options) for action in CATALOGUE.actions.values()]


def _action(action: Action, options: Options) -> Action:
    effect = action.effect
    if action.slug == "cool" and not options.cools_second:
        effect = f"{effect} As action one only."
    if options.contact_in_one:
        effect = effect.replace(", in action two only", "").replace("In action two only: into", "Into")
    return replace(action, effect=effect)


def cripples_of(options: Options) -> Sequence[Cripple]:
    """Return the crippling results with these house rules."""
    if not options.biped_stands:
        return [*CATALOGUE.cripples.values()]
    stands = {"crip-loco-r": " A biped with both stays where it is.", "crip-loco-l": ""}
    return [replace(each, effect=each.effect + stands.get(each.slug, "")) for each in CATALOGUE.cripples.values()]


def modifiers_of(options: Options) -> Sequence[ShotModifier]:
    """Return the modifiers to a shot's number with these house rules."""
    found = [*CATALOGUE.shot_modifiers.values()]
    if not options.impact_on_all:
        return found
    more = " Its dodge and strike numbers against them too."
    return [replace(each, when=each.when + more) if each.slug == "tn-impact" else each for each in found]


def items_of(options: Options) -> Sequence[ScenarioItem]:
    """Return the scenario's items that score points, with these house rules."""
    found = [*CATALOGUE.scenario_items.values()]
    if not options.kills_per_warmech:
        return found
    text = "For each enemy Warmech destroyed or disabled."
    return [replace(each, points=1, text=text) if each.slug == "vp-kill" else each for each in found]


def points_of(item: ScenarioItem) -> str:
    """Return the victory points that an item scores each time; empty if they are a share."""
    return "" if item.points is None else f"{item.points} VP"


def rule_under(rule: RuleRef, options: Options) -> RuleRef:
    """Return a rule from the book with heading and text as changed by these house rules."""
    match rule.id:
        case "BS-037" if not options.max_activations:
            return replace(
                rule,
                title="No limit on activations",
                text="You can activate a Warmech as often as you like.",
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
                text="Charges and jumps into contact are allowed in action one too.",
            )
        case "BS-073" if options.second_l_is_shoulder:
            return replace(rule, text=rule.text + " Shoulder weapons fire to the front and both sides.")
        case "BS-094" if options.counts_effective_dice:
            return replace(rule, text="An attack that nobody answers scores a hit for each effective die.")
        case "BS-160" if options.biped_stands:
            return replace(rule, text="With both Locomotion results it can neither move nor dodge, and fights on.")
    return rule
