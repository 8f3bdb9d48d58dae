"""The words of MechaStellar, its credit line, and the fields of a battle report."""

from dataclasses import replace

from systems.mechastellar.catalogue import CATALOGUE
from systems.report_fields import DESTROYED, FATE, HITS_LOST, KILLS, CountField, HandTerms, PilotFateField, TickField
from systems.text import SystemWords

WORDS = SystemWords(hits="HP", boxes="HP", season_points="league points")  # ST-402
CREDIT = "Rules: MechaStellar v10 draft, mechastellar.com, CC BY-NC-SA; points ours"  # where there is little room
MARK = ("MechaStellar", "CC BY-NC-SA")  # where there is hardly any room
ATTRIBUTION = (
    "Rules: MechaStellar core combat rules v10 draft, mechastellar.com, CC BY-NC-SA; "
    "profiles and points marked 'ours' are additions"
)


MAX_HP = CATALOGUE.limits["hp"].most
LEADERS = CountField(  # Level 1+ units and Commanders among its kills, ST-403
    name="leaders",
    label="leaders among them",
    phrase="leaders among them: {answer}",
    is_recorded=True,
)
SCORED = CountField(
    name="scored", label="victory points", phrase="victory points: {answer}", most=500, is_recorded=True
)
DEALT = CountField(name="dealt", label="damage dealt", phrase="damage dealt: {answer}", most=500_000, is_recorded=True)
CHALLENGES = CountField(name="challenges", label="Challenges", phrase="Challenges won: {answer}", is_recorded=True)
COMMANDER = TickField(name="commander", label="Commander", phrase="was the Commander")  # ST-028
CREWS_FATE = PilotFateField(
    name=FATE.name,
    label="crew’s fate",
    needs=("destroyed", "Only crews of destroyed units roll for their fate{rule}: {name} was not."),
    fates=(("unhurt", "safe"), ("injured", "wounded"), ("killed", "dead")),
)

HAND = HandTerms(
    asks=(
        KILLS,
        LEADERS,
        SCORED,
        DEALT,
        CHALLENGES,
        replace(HITS_LOST, label="HP lost", most=MAX_HP),
        DESTROYED,
        COMMANDER,
        CREWS_FATE,
    ),
    hits=WORDS.hits,
    too_many="{name} has only {hits} HP to lose.",
    all_lost="{name} lost the last of its HP, so it is destroyed.",
    rules={"fate": "ST-405"},
)
