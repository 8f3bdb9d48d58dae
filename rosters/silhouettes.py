"""Which silhouette of `static/img/counters.svg` stands for a unit, on screen and on paper. Pure."""

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
LIKE = {  # support units that share a silhouette
    "gun-sled": "gun",
    "howitzer-battery": "gun",
    "panzer": "vehicle",
    "apc": "vehicle",
    "gunship": "drone",
    "commandos": "infantry",
}


def silhouette(slug: str) -> str:
    """The silhouette of a size or a kind of support unit; nothing if none is drawn."""
    shape = LIKE.get(slug, slug)
    return shape if shape in SHAPES else ""
