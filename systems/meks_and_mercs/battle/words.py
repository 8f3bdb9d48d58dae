"""The texts of Meks & Mercs on shared pages, and in reports of battles at the table."""

from systems.terms import BattleWords

WORDS = BattleWords(
    lead="A fight in one zone, or a whole scenario on the map with support rolls.",
    plain="Up to twelve units a side, fought in one zone until a side is gone. No support, no points to keep to.",
    whole_game="Nine zones, support rolls, an objective",
    choices="one zone or a whole scenario, up to twelve units a side, pilots and skills, support, house rules",
    pilots=(
        "A Green or Regular without skills is hired for this game: a Regular costs 5 points where the scenario gives none."
    ),
    duel="one Mek a side, Regular pilots without skills",
    repair=(
        "Points after one battle, by rule MM-S09: one for each lost Hit, leg damage, destroyed weapon or system, and for"
        " each pair of CIWS that lost one or both. Destroyed units are gone and cost nothing to repair; damage a unit"
        " brought along is on its bill too."
    ),
    plate="meks-and-mercs/_plate.html",
)
