"""The house rules of MechaStellar, and the words on sheets, cards and references that they and the tier change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from systems.mechastellar.catalogue import CATALOGUE, Bonus, Resource, Score, Skill, Tag, Trait
from systems.rulebook import ChosenRules, RuleRef, house_rules_of
from systems.text import format_signed

HOUSE_RULES = house_rules_of(CATALOGUE.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    is_advanced: bool  # Warships, High Ground, indirect, area and remote weapons
    points_limit: int  # maximum points of a force; 0: no limit. ST-013
    counter_penalty: int  # ST-167
    bullseye_lock: int  # ST-162
    power_pen_step: int  # ST-224
    havoc_buys_actions: bool  # ST-232
    iron_wall_is_armour: bool  # ST-264
    disengages_free: bool  # after its own attack. ST-076
    tagged_saves_hurt: bool  # ST-306, ST-310
    point_vp: int  # VP for a control point per Round. ST-367
    is_finale: bool  # ST-382
    deploys_by_turns: bool  # part of the advanced rules. ST-024

    @classmethod
    def read(cls, options: Mapping[str, object]) -> Options:
        """Return the options of a document; raises DocumentError."""
        chosen = ChosenRules(HOUSE_RULES, options)
        return cls(
            is_advanced=chosen.choice("tier") == "advanced",
            points_limit=chosen.number("points-limit"),
            counter_penalty=chosen.number("counter-penalty"),
            bullseye_lock=chosen.number("bullseye-lock"),
            power_pen_step=chosen.number("power-pen-step"),
            havoc_buys_actions=chosen.flag("havoc-actions"),
            iron_wall_is_armour=chosen.flag("iron-wall-armour"),
            disengages_free=chosen.flag("free-disengage"),
            tagged_saves_hurt=chosen.flag("tagged-pen-damage"),
            point_vp=chosen.number("cp-vp"),
            is_finale=chosen.flag("finale"),
            deploys_by_turns=chosen.choice("tier") == "advanced" and chosen.choice("deployment") == "alternate",
        )


BY_THE_BOOK = Options.read({})


FINALE_WAIVES = ("vp-critical", "vp-casualties")  # ST-382
UNUSABLE = "Advanced rules only: here the weapon can't be used."
NO_EFFECT = "Advanced rules only: no effect here."
IN_CORE = {
    "aoe": UNUSABLE,
    "aoe-circle": UNUSABLE,
    "remote": UNUSABLE,
    "multi": "Advanced rules only: one target here.",
    "idf": "Advanced rules only: here it needs line of sight like any other weapon.",
}  # effects of advanced tags with the core rules


def skills_of(options: Options) -> Iterator[Skill]:
    """Yield the skills with these house rules."""
    for each in CATALOGUE.skills.values():
        if each.slug == "iron-wall" and options.iron_wall_is_armour:
            yield replace(each, effect=f"{each.effect} Each Hit of the attack does 100 less DMG.")
        else:
            yield each


def bonuses_of(options: Options) -> Iterator[Bonus]:
    """Yield the bonuses with these house rules."""
    for each in CATALOGUE.bonuses.values():
        if each.slug == "bullseye" and not options.bullseye_lock:
            yield replace(each, effect="Crits on 9.")
        elif each.slug == "counter" and options.counter_penalty == 1:
            yield replace(
                each, effect=each.effect.replace(f"{format_signed(each.hits)} Hits", f"{format_signed(-1)} Hit")
            )
        else:
            yield each


def resources_of(options: Options) -> Iterator[Resource]:
    """Yield what Boost, Power and Havoc buy with these house rules."""
    for each in CATALOGUE.resources.values():
        if each.slug == "havoc-actions":
            if options.havoc_buys_actions:
                yield replace(each, effect="+2 Actions.")
        elif each.slug == "power-pen" and options.power_pen_step != 1:
            yield replace(each, effect=each.effect.replace("+1", format_signed(options.power_pen_step)))
        elif each.tier == "core" or options.is_advanced:
            yield each


def scores_of(options: Options) -> Iterator[Score]:
    """Yield the sources of victory points with these house rules."""
    for each in CATALOGUE.scores.values():
        if options.is_finale and each.slug in FINALE_WAIVES:
            continue
        if each.slug == "vp-commander" and not options.is_advanced:  # Challenge and Revenge are advanced
            yield replace(each, condition=each.condition.replace(", or the partner of a Challenge or a Revenge", ""))
        else:
            yield each


def tag_under(tag: Tag | Trait, options: Options) -> Tag | Trait:
    """Return a tag or trait with these rules."""
    if tag.tier == "advanced" and not options.is_advanced:
        return replace(tag, effect=IN_CORE.get(tag.slug, NO_EFFECT))
    return tag


def describe_users(slug: str, options: Options) -> str:
    """Return the kinds that may use a skill or bonus: `Not for MS.`, `MS only.`; empty if all may.

    ST-163, ST-165, ST-262, ST-264.
    """
    bonus = CATALOGUE.bonuses.get(slug)
    named = bonus.kinds if bonus else ()
    has_ships = options.is_advanced and not bonus  # ships have no bonuses, which is mentioned only once
    kinds = [each for each in CATALOGUE.kinds.values() if has_ships or not each.is_ship]
    able = [each.name for each in kinds if slug not in each.barred and (not named or each.slug in named)]
    barred = [each.name for each in kinds if each.name not in able]
    if not barred:
        return ""
    return f"{' and '.join(able)} only." if len(able) < len(barred) else f"Not for {' and '.join(barred)}."


def rule_under(rule: RuleRef, options: Options) -> RuleRef:
    """Return a rule from the book with heading and text as changed by these house rules."""
    text = rule.text
    match rule.id:
        case "ST-067" if not options.is_advanced:
            text = "Low pieces can be crossed freely."
        case "ST-076" if options.disengages_free:
            text = "After its attack and any Counter, the attacker can leave for free."
        case "ST-103" if not options.is_advanced:
            text = "Snipers and Level 1+ units can choose any target."
        case "ST-046" if not options.is_advanced:
            text = text.replace("Snipers, Warships and Level 1+", "Snipers and Level 1+")
        case "ST-142" if options.tagged_saves_hurt:
            text = "Each costs 1000 HP, whatever the letter of the PEN."
        case "ST-167" if options.counter_penalty == 1:
            text = text.replace("two Hits less", "one Hit less")
        case "ST-248" if not options.is_advanced:
            text = text.replace(", a Kaiju or a Captain of level 1 or more is", " or a Kaiju is")
        case "ST-306" if options.tagged_saves_hurt:
            text = text.replace("instead of HP", "as well as HP")
        case "ST-310" if options.tagged_saves_hurt:
            text = text.replace("instead of costing HP", "as well as costing HP")
        case "ST-367" if options.point_vp:
            text = f"{text.rstrip('.')}, and {options.point_vp} victory point."
    return replace(rule, text=text)
