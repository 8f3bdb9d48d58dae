"""FACTS: every kind of battle event, one row each."""

from __future__ import annotations

from collections.abc import Callable

from systems.engine.events import Event, EventWords, Fact, Facts, alters, part, shows, then
from systems.mechastellar.battle import effects
from systems.mechastellar.battle import state as codes
from systems.mechastellar.battle.effects import (
    BONUSES,
    DIE,
    END_TEXTS,
    HAVOC_STEPS,
    MANNERS,
    ORDERS,
    POWER_STEPS,
    REASONS,
    REPLIES,
    pooled,
)
from systems.mechastellar.battle.rules.resources import BIG_LOSS, BIG_LOSS_SCORE

_PATH = "from_x from_y x y ahead_x ahead_y"


_HITS = {
    "weapon": ("weapon", "ST-113"),
    "bonus": ("attack bonus", "ST-160"),
    "support": ("support", "ST-183"),
    "advantage": ("Tactical Advantage", "ST-300"),
    "high": ("target on High Ground", "ST-083"),
    "penalty": ("counter", "ST-167"),
}


_GUARDS = {
    "profile": ("profile", "ST-114"),
    "shield": ("Shield", "ST-180"),
    "barrier": ("Barrier", "ST-181"),
    "cover": ("Cover", "ST-340"),
    "support": ("support", "ST-184"),
    "guarded": ("Guard", "ST-166"),
    "opened": ("own Power bonus", "ST-163"),
    "challenge": ("Challenge", "ST-047"),
}


def _first(words: EventWords) -> str:
    first = words.number("first")
    return "The roll-off is tied: both roll again." if first == codes.NOBODY else f"{words.sides[first]} goes first."


def _places_first(words: EventWords) -> str:
    first = words.number("first")
    if first == codes.NOBODY:
        return "The roll for deployment is tied: both roll again."
    return f"{words.sides[first]} loses the roll and places a unit first."


def _activated(words: EventWords) -> str:
    return f"{words['unit']} is activated{', to answer an attack' if words.event.result['answers'] else ''}."


def _moved(words: EventWords) -> str:
    before, now = [(words.number(f"{which}x"), words.number(f"{which}y")) for which in ("from_", "")]
    return f"{words['unit']} turns." if before == now else f"{words['unit']} moves to {words['spot']}."


def _shifted(words: EventWords) -> str:
    advances = words.number("change") > 0
    how, verb = ("advances", "gains") if advances else ("gives ground", "loses")
    return f"{words['unit']} {how}: {words['side']} {verb} 1 Momentum and has {words['pool']}."


def _disengaged(words: EventWords) -> str:
    paid = f"for {words['price']} Momentum" if words.number("price") else "at no cost, right after its attack"
    return f"{words['unit']} breaks away from {words['enemies']:enemy} {paid}."


def _boosted(words: EventWords) -> str:
    what = "+2 DEF" if words.event.result["evades"] else "a free Accelerate"
    return f"{words['unit']} spends 1 Boost on {what}."


def _declared(words: EventWords) -> str:
    how = MANNERS[words.number("manner")]
    if words.number("manner") == codes.CRASH:
        return f"{words['unit']} crashes into {words['target']}."
    details = [how] if how else []
    details += [BONUSES[words.number("bonus")]] if words.number("bonus") else []
    details += ["from behind"] if words.event.result["blindside"] else []
    details += ["Target Lock"] if words.event.result["lock"] else []
    how = f" ({', '.join(details)})" if details else ""
    return f"{words['unit']} attacks {words['target']} with its {words['arm']}{how}."


def _rolled(words: EventWords, what: str, total: str) -> str:
    crits = f"{words['crit']}+ counts twice" if words.number("crit") <= DIE else "no crits"
    return f"{words['unit']} rolls {words['number']:die} {what} ({words['success']}+, {crits}): {total}."


def _attack_rolled(words: EventWords) -> str:
    return _rolled(words, "to attack", f"{words['total']:Hit}")


def _defence_rolled(words: EventWords) -> str:
    how = "in Melee Defense" if words.event.result["melee"] else "to evade"
    return _rolled(words, how, f"{words['total']} DEF")


def _focused(words: EventWords) -> str:
    total = f"{words['total']} DEF" if words.event.result["defends"] else f"{words['total']:Hit}"
    return f"{words['unit']} uses Focus (3+): {total}."


def _valor(words: EventWords) -> str:
    name, more = ("Soul", 7) if words.event.result["soul"] else ("Valor", 5)
    return f"{words['unit']} uses {name} for +{more} Hits: {words['total']} Hits."


def _saved(words: EventWords) -> str:
    bonus = f", {words['bonus']:+d} on each" if words.number("bonus") else ""
    tag = {codes.NO_TAG: "", codes.STUNS: "S", codes.PUSHES: "P"}[words.number("tag")]
    return f"Armour saves of {words['unit']} against PEN {words['pen']}{tag}{bonus}: {words['fails']} failed."


def _damaged(words: EventWords) -> str:
    extra = [f"{words['unblocked']} × {words['dmg']}"]
    extra += [f"{words['fails']} × 1000 for failed saves"] if words.number("fails") else []
    extra += [f"a Finishing Blow of {words['finishing']}"] if words.number("finishing") else []
    left = f"{words['left']} HP left" if words.number("left") else "no HP left"
    return f"{words['unit']} takes {words['damage']} damage ({', '.join(extra)}): {left}."


def _is_down(event: Event) -> bool:
    """Return True if the unit is shut down; records under older rules have only its penalties."""
    return bool(event.result.get("down", event.number("penalties") > 1))


def _stunned(words: EventWords) -> str:
    down = ": it is shut down" if _is_down(words.event) else ""
    return f"{words['unit']} is stunned by {words['fails']:failed save}{down}."


def _covered(words: EventWords) -> str:
    gone = "is destroyed" if words.event.result["gone"] else "stands"
    return f"{words['disc'].capitalize()}, used as Cover, {gone} (DMG {words['dmg']})."


def _destroyed(words: EventWords) -> str:
    who = f" by {words['by']}" if words.event.result["by"] else ""
    return f"{words['unit']} is destroyed{who}: {words['score']} VP for {words['side']}."


def _morale(what: str) -> Callable[[EventWords], str]:
    def tell(words: EventWords) -> str:
        passed = words.event.result["passed"]
        pays = passed if what == "to Rally" else not passed
        paid = f", 1 Momentum for {words['side']}" if pays else ""
        return f"{words['unit']} {'passes' if passed else 'fails'} a Morale Save {what} ({words['morale']}+){paid}."

    return tell


def _taken(words: EventWords) -> str:
    owner = words.number("owner")
    return (
        f"{words['point']} is contested: nobody owns it."
        if owner == codes.NOBODY
        else f"{words.sides[owner]} takes {words['point']}."
    )


def _paid(words: EventWords) -> str:
    score = f" and {words['score']} VP" if words.number("score") else ""
    return f"{words['side']} owns {words['points']:point}: {2 * words.number('points')} Momentum{score}."


def _ended(words: EventWords) -> str:
    winner = words.number("winner")
    score = f"{words.sides[0]} {words['score_a']} VP, {words.sides[1]} {words['score_b']} VP"
    who = "A draw" if winner == codes.NOBODY else f"{words.sides[winner]} wins"
    return f"{who}: {END_TEXTS[REASONS[words.number('reason')]]}. {score}."


def _ordered(words: EventWords) -> str:
    return f"{words['unit']}: {ORDERS[words.number('order')].format(target=words['target'])}."


def _knocked(words: EventWords) -> str:
    price = f"{words['damage']} damage" if words.number("damage") else f"{words['side']} loses 1 Momentum"
    return f"{words['unit']} is knocked into something: {price}."


def _climbed(words: EventWords) -> str:
    how = "flies" if words.event.result["flies"] else "climbs"
    return f"{words['unit']} {how} onto {words['disc']}."


def _checked(words: EventWords) -> str:
    gone = "breaks" if words.event.result["gone"] else "stands"
    return f"{words['disc'].capitalize()} in the way {gone} (DMG {words['dmg']})."


def _losses(words: EventWords) -> str:
    big = words.number("penalty") == BIG_LOSS_SCORE
    lost = f"{words['big']:unit} of {BIG_LOSS} points or more" if big else f"{words['lost']:unit}"
    return f"{words['side']} has lost {lost}: −{words['penalty']} VP."


FACTS = Facts(
    Fact(
        "unit-deployed", "ST-023", "set-up", "unit x y ahead_x ahead_y", "{unit} is placed at {spot}.",
        effect=effects.goes,
    ),
    Fact("deployment-rolled", "ST-024", "set-up", "face1 face2 first", _places_first),
    Fact(
        "unit-reserved", "ST-026", "set-up", "unit", "{unit} has no room and waits in reserve.",
        effect=shows(stand=None, place="in reserve"),
    ),
    Fact(
        "unit-arrived", "ST-026", "end-round", "unit x y ahead_x ahead_y", "{unit} arrives at {spot}.",
        effect=then(shows(place=""), effects.goes),
    ),
    Fact(
        "unit-arrived-high", "ST-080", "end-round", "unit", "{unit} stands on High Ground.", effect=shows(is_high=True),
    ),
    Fact(
        "commander-named", "ST-028", "set-up", "unit side", "{unit} is the Commander of {side}.",
        effect=shows(is_commander=True),
    ),
    Fact(
        "momentum-filled", "ST-240", "set-up", "side elite pool", "{side} begins with {pool} Momentum.",
        effect=pooled,
    ),
    Fact("round-began", "ST-042", "start", "number", "Round {number}.", effect=effects.round_began),
    Fact("first-rolled", "ST-040", "start", "face1 face2 first", _first),
    Fact(
        "unit-activated", "ST-041", "turn", "unit side answers?", _activated, rules={"answers": "ST-045"},
        effect=effects.activated,
    ),
    Fact("turn-skipped", "ST-049", "turn", "unit", "{unit} is shut down and skips its turn."),
    Fact("unit-moved", "ST-060", "move", f"unit {_PATH}", _moved, effect=effects.goes),
    Fact(
        "momentum-shifted", "ST-242", "move", "unit target change retreats? side pool", _shifted,
        rules={"retreats": "ST-243"}, effect=pooled,
    ),
    Fact("unit-accelerated", "ST-068", "move", "unit", "{unit} accelerates."),
    Fact(
        "unit-disengaged", "ST-074", "move", "unit enemies price side pool", _disengaged, effect=pooled,
    ),
    Fact(
        "point-blank-paid", "ST-075", "attack", "unit side pool", "{unit} pays 2 Momentum to fire at point-blank.",
        effect=pooled,
    ),
    Fact("boost-spent", "ST-220", "attack", "unit left evades?", _boosted, effect=shows(boost=part("left"))),
    Fact("attack-declared", "ST-110", "attack", "unit target arm manner bonus blindside? lock?", _declared),
    Fact("defence-declared", "ST-166", "attack", "unit target reply", "{unit} responds with {reply}.", words={"reply": REPLIES}),
    Fact("attack-lost", "ST-163", "attack", "unit target", "{unit} can no longer attack."),
    Fact(
        "counter-made", "ST-167", "attack", "unit target arm penalty",
        "{unit} counters {target} with its {arm}.",
    ),
    Fact(
        "power-spent", "ST-222", "attack", "unit step steps left", "{unit} spends Power on {step}.",
        words={"step": POWER_STEPS}, effect=shows(power=part("left")),
    ),
    Fact(
        "havoc-spent", "ST-228", "attack", "unit step left", "{unit} spends Havoc on {step}.",
        words={"step": HAVOC_STEPS}, effect=shows(havoc=part("left")),
    ),
    Fact(
        "attack-rolled", "ST-113", "attack",
        "unit target faces number weapon bonus support advantage high penalty rapid? success crit total",
        _attack_rolled, modifiers=_HITS,
    ),
    Fact(
        "defence-rolled", "ST-114", "attack",
        "unit target faces number profile shield barrier cover support guarded opened challenge melee? success crit total",
        _defence_rolled, modifiers=_GUARDS,
    ),
    Fact(
        "ones-rerolled", "ST-015", "attack", "unit faces ones total",
        "{unit} rerolls its 1s: {total} DEF.",
    ),
    Fact(
        "attack-improvised", "ST-266", "attack", "unit faces total", "{unit} improvises: {total} Hits.",
    ),
    Fact(
        "defence-improvised", "ST-266", "attack", "unit faces total", "{unit} improvises: {total} DEF.",
    ),
    Fact(
        "focus-used", "ST-263", "attack", "unit total defends? side pool", _focused, effect=pooled,
    ),
    Fact("valor-used", "ST-267", "attack", "unit soul? total side pool", _valor, effect=pooled),
    Fact(
        "flash-used", "ST-262", "attack", "unit total side pool", "{unit} uses Flash: {total} DEF.", effect=pooled,
    ),
    Fact(
        "iron-wall-used", "ST-264", "attack", "unit total side pool", "{unit} uses Iron Wall: {total} DEF.",
        effect=pooled,
    ),
    Fact(
        "zeal-used", "ST-265", "attack", "unit actions side pool", "{unit} uses Zeal for {actions:Action}.",
        effect=pooled,
    ),
    Fact(
        "trust-ordered", "ST-250", "attack", "unit target saves faith?",
        "{unit} orders {target} to rally: {saves} Morale Saves.",
    ),
    Fact(
        "rally-tested", "ST-245", "attack", "unit face morale passed? side pool", _morale("to Rally"),
        decided="passed", effect=pooled,
    ),
    Fact(
        "rout-tested", "ST-246", "attack", "unit target face morale passed? order? side pool", _morale("against Rout"),
        decided="passed", rules={"order": "ST-251"}, effect=pooled,
    ),
    Fact("daunt-ordered", "ST-251", "attack", "unit target", "{unit} orders Daunt after the loss of {target}."),
    Fact(
        "attack-blocked", "ST-115", "attack", "unit target total against",
        "{unit} doesn’t get through to {target}: {total} Hits against {against} DEF.", look="miss",
    ),
    Fact("saves-rolled", "ST-141", "attack", "unit faces pen tag bonus fails", _saved),
    Fact(
        "damage-taken", "ST-140", "attack", "unit target unblocked dmg fails finishing damage left", _damaged,
        look="hit", effect=shows(hits=part("left")),
    ),
    Fact(
        "unit-stunned", "ST-306", "attack", "unit fails penalties power havoc down?", _stunned, look="crit",
        effect=shows(penalties=part("penalties"), is_down=_is_down, power=part("power"), havoc=part("havoc")),
        mark="critical",
    ),
    Fact(
        "big-hit-scored", "ST-378", "attack", "unit target damage score",
        "{unit} does {damage} damage in one attack: {score} VP.", look="crit", effect=alters(effects.scored),
        mark="critical", befalls="target",
    ),
    Fact("cover-checked", "ST-343", "attack", "face disc dmg gone?", _covered),
    Fact(
        "unit-destroyed", "ST-150", "attack", "unit by score side singled?", _destroyed, look="crit",
        rules={"singled": "ST-377"}, effect=effects.removed, mark="kill",
    ),
    Fact(
        "unit-recovered", "ST-308", "end-turn", "unit faces penalties",
        "{unit} tries to recover: {penalties:Action} still lost.", effect=shows(penalties=part("penalties"), is_down=_is_down),
    ),
    Fact("unit-on-high-ground", "ST-080", "set-up", "unit", "{unit} stands on High Ground.", effect=shows(is_high=True)),
    Fact(
        "unit-climbed", "ST-069", "move", "unit disc flies? side pool", _climbed, rules={"flies": "ST-085"},
        effect=then(shows(is_high=True), pooled),
    ),
    Fact(
        "unit-dropped", "ST-069", "move", "unit climbed? side pool", "{unit} comes down from High Ground.",
        rules={"climbed": "ST-084"}, effect=then(shows(is_high=False), pooled),
    ),
    Fact(
        "unit-fell", "ST-349", "attack", "unit disc", "{unit} falls with {disc}.", look="crit",
        effect=shows(is_high=False), mark="fall",
    ),
    Fact(
        "unit-transformed", "ST-087", "turn", "unit mode", "{unit} changes to mode {mode}.",
        words={"mode": ("A", "B")}, effect=alters(effects.transformed),
    ),
    Fact("cover-attacked", "ST-345", "attack", "unit faces disc dmg gone?", _covered),
    Fact("unit-sank", "ST-351", "move", "unit", "{unit} sinks."),
    Fact("unit-surfaced", "ST-351", "move", "unit", "{unit} surfaces."),
    Fact("ship-moved", "ST-062", "move", f"unit {_PATH}", _moved, effect=effects.goes),
    Fact(
        "ship-scraped", "ST-352", "move", "unit faces disc fails left",
        "{unit} runs into {disc}: {fails:failed save}.", look="hit", effect=shows(hits=part("left")),
    ),
    Fact(
        "unit-launched", "ST-203", "start", "unit by x y ahead_x ahead_y", "{by} launches {unit} to {spot}.",
        effect=then(shows(place=""), effects.goes), mark="support",
    ),
    Fact(
        "unit-boarded", "ST-206", "end-turn", "unit by", "{unit} boards {by}.",
        effect=shows(stand=None, place="on board"),
    ),
    Fact(
        "unit-repaired", "ST-206", "end-round", "unit by gained left", "{unit} regains {gained} HP: {left} HP.",
        effect=shows(hits=part("left")), mark="support",
    ),
    Fact("weapon-reloaded", "ST-205", "attack", "unit arm", "{unit} reloads its {arm}."),
    Fact(
        "weapon-sacrificed", "ST-146", "attack", "unit arm fails",
        "{unit} sacrifices its {arm}: {fails:failed save} left.", look="crit", effect=alters(effects.disarmed),
        mark="critical",
    ),
    Fact("captain-ordered", "ST-280", "attack", "unit target order", _ordered, mark="support"),
    Fact("wreck-left", "ST-353", "attack", "unit x y ahead_x ahead_y radius", "The wreck of {unit} lies on the table."),
    Fact(
        "passenger-saved", "ST-353", "attack", "unit faces x y ahead_x ahead_y fails left",
        "{unit} leaves the wreck with {fails:failed save}: {left} HP.",
        effect=then(shows(hits=part("left"), place=""), effects.goes),
    ),
    Fact("terrain-thrown", "ST-191", "attack", "unit disc", "{unit} throws {disc}."),
    Fact("unit-crashed", "ST-193", "move", f"unit {_PATH}", "{unit} comes to rest at {spot}.", effect=effects.goes),
    Fact("unit-pulled", "ST-314", "move", f"unit disc {_PATH}", "{unit} pulls itself to {spot}.", effect=effects.goes),
    Fact("unit-pushed", "ST-310", "move", f"unit by fails {_PATH}", "{unit} is pushed to {spot}.", effect=effects.goes),
    Fact(
        "unit-knocked", "ST-313", "attack", "unit by damage left side pool", _knocked,
        effect=then(shows(hits=part("left")), pooled), mark="fall",
    ),
    Fact("piece-knocked-down", "ST-314", "attack", "unit disc", "{unit} brings {disc} down."),
    Fact("counter-lost", "ST-169", "attack", "unit target", "{unit} is out of reach for its Counter."),
    Fact("further-target", "ST-320", "attack", "unit target arm manner", "{unit}’s {arm} also reaches {target}."),
    Fact("area-checked", "ST-348", "attack", "unit face disc dmg gone?", _checked),
    Fact("area-stopped", "ST-325", "attack", "unit disc", "The attack stops at {disc}."),
    Fact(
        "remote-paid", "ST-330", "attack", "unit arm side pool", "{unit} sends its {arm} for 1 Momentum.",
        effect=pooled,
    ),
    Fact(
        "remote-jammed", "ST-331", "attack", "unit target tens left",
        "{unit} shoots at {target}’s remote weapon: {left:die} left.",
    ),
    Fact(
        "challenge-made", "ST-047", "turn", "unit target", "{unit} challenges {target}.",
        effect=then(shows(challenged=True), shows("target", challenged=True)),
    ),
    Fact(
        "revenge-sworn", "ST-048", "attack", "unit target", "{unit} swears Revenge on {target}.",
        effect=then(shows(challenged=True), shows("target", challenged=True)),
    ),
    Fact("point-taken", "ST-363", "turn", "unit point owner", _taken, mark="objective"),
    Fact("point-held", "ST-366", "end-round", "point owner", _taken),
    Fact("points-paid", "ST-367", "end-round", "side points score pool", _paid, effect=pooled),
    Fact("round-ended", "ST-042", "end-round", "number", "The Round ends.", effect=effects.rested),
    Fact(
        "cripple-scored", "ST-376", "end", "unit hp score side",
        "{unit} is crippled: {score} VP for {side}.",
    ),
    Fact("losses-scored", "ST-381", "end", "side lost big penalty", _losses, rules={"big": "ST-380"}),
    Fact("battle-ended", "ST-372", "end", "winner reason rounds score_a score_b", _ended, effect=effects.rested),
)  # fmt: skip
