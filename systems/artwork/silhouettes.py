"""The silhouettes of units in `static/img/counters.svg`, for screen and paper. Pure."""

SHAPES = {
    "light": "LGT",
    "medium": "MED",
    "heavy": "HVY",
    "assault": "AST",
    "titan": "TTN",
    "vehicle": "VEH",
    "infantry": "INF",
    "drone": "DRN",
    "gun": "GUN",
}
LIKE = {  # kinds of units that share a silhouette
    "light-mech": "light",
    "heavy-mech": "heavy",
    "super-heavy": "titan",
    "track": "vehicle",
    "gun-sentry": "gun",
    "gun-sled": "gun",
    "howitzer-battery": "gun",
    "panzer": "vehicle",
    "apc": "vehicle",
    "gunship": "drone",
    "commandos": "infantry",
    "size-0": "medium",
    "size-1": "heavy",
    "size-2": "assault",
    "size-3": "titan",
    "size-4": "titan",
    "size-5": "titan",
    "ms": "medium",
    "super-robot": "heavy",
    "kaiju": "titan",
    "tank": "vehicle",
    "warship": "drone",
    "militia": "light",
    "scout": "light",
    "standard": "medium",
    "gunner": "medium",
    "striker": "assault",
    "terrestrial": "vehicle",
    "aquatic": "vehicle",
    "aerial": "drone",
    "extraterrestrial": "drone",
}

CODES = {  # letters beside a silhouette, where the default would be another game's word
    "track": "TRK",
    "gun-sentry": "GUN",
    "super-heavy": "SHV",
    **{f"size-{size}": f"S{size}" for size in range(6)},
    "ms": "MS",
    "super-robot": "SR",
    "kaiju": "KJU",
    "tank": "TNK",
    "warship": "SHP",
    "militia": "MIL",
    "scout": "SCT",
    "standard": "STD",
    "gunner": "GNR",
    "striker": "STR",
    "terrestrial": "TER",
    "aquatic": "AQU",
    "aerial": "AIR",
    "extraterrestrial": "EXT",
}


def silhouette(slug: str) -> str:
    """Return the silhouette for a size or kind of unit; empty if there is none."""
    shape = LIKE.get(slug, slug)
    return shape if shape in SHAPES else ""


def code_of(slug: str) -> str:
    """Return the letters beside the silhouette of a size or kind of unit; empty if there are none."""
    return CODES.get(slug) or SHAPES.get(silhouette(slug), "")
