"""The words of MechaStellar, and the credit line that its licence requires."""

from systems.words import SystemWords

WORDS = SystemWords(hits="HP", boxes="HP", season_points="league points")  # ST-402
CREDIT = "Rules: MechaStellar v10 draft, mechastellar.com, CC BY-NC-SA; points ours"  # if there is little room
MARK = ("MechaStellar", "CC BY-NC-SA")  # if there is hardly any room
ATTRIBUTION = (
    "Rules: MechaStellar core combat rules v10 draft, mechastellar.com, CC BY-NC-SA; "
    "profiles and points marked 'ours' are additions"
)
