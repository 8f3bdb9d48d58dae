"""The fields in which players of Meks & Mercs report a battle at the table."""

from systems.fates import DESTROYED, FATE, HITS_LOST, KILLS, MENDED, WITHDREW, WOUNDED, TickField
from systems.hand import HandTerms

EXPLODED = TickField(
    name="exploded",
    label="reactor exploded",
    needs=("destroyed", "{name} can't explode and not be destroyed."),
    lost_by="explosion",
)
HAND = HandTerms(
    asks=(
        KILLS,
        MENDED.called("mended by truck"),
        HITS_LOST.called("Hits lost"),
        DESTROYED,
        EXPLODED,
        WITHDREW,
        WOUNDED,
        FATE,
    ),
    rules={"fate": "MM-S03", "support": "MM-014", "mended": "MM-085"},
    mends="repair-truck",
)
