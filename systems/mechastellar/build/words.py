"""The words of MechaStellar, and the line that its licence asks for."""

from systems.words import SystemWords

WORDS = SystemWords(hits="HP", boxes="HP", season_points="league points")  # ST-402
CREDIT = "Rules: MechaStellar v10 draft, mechastellar.com, CC BY-NC-SA; points ours"  # where there is no room for more
MARK = ("MechaStellar", "CC BY-NC-SA")  # where there is hardly any
ATTRIBUTION = (
    "Rules: MechaStellar core combat rules v10 draft, mechastellar.com, CC BY-NC-SA; "
    "profiles and points marked 'ours' are additions"
)
