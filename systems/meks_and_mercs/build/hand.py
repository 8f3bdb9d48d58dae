"""What players of Meks & Mercs say of a battle at the table."""

from systems.hand import HandTerms

HAND = HandTerms(
    fields={
        "kills": "kills",
        "mended": "mended by truck",
        "hits_lost": "Hits lost",
        "destroyed": "destroyed",
        "exploded": "reactor exploded",
        "withdrew": "withdrew",
        "wounded": "pilot wounded",
        "fate": "pilot’s fate",
    },
    fates={"unhurt": "unhurt", "injured": "injured", "killed": "killed"},
    rules={"fate": "MM-S03", "support": "MM-014", "mended": "MM-085"},
    mends="repair-truck",
)
