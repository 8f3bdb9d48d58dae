"""The rules of weapons, systems, skills and support, as cited in the quick reference."""

WEAPON_RULES = {
    "vulcan-cannon": "MM-049",
    "howitzer-cannon": "MM-045",
    "twin-laser": "MM-048",
    "ppc": "MM-055",
    "swarm-missile": "MM-049",
    "hammer-missile": "MM-051",
    "six-pack-missile": "MM-048",
    "ciws": "MM-050",
    "grenade-launcher": "MM-045",
    "minigun": "MM-050",
}
PLAIN_WEAPON_RULE = "MM-043"
SYSTEM_RULES = {
    "targeting-array": "MM-044",
    "data-link": "MM-040",
    "jammer": "MM-044",
    "director": "MM-041",
    "point-defense": "MM-046",
    "phalanx": "MM-047",
    "servo-boosters": "MM-028",
    "spaul-liner": "MM-055",
    "jump-jets": "MM-029",
    "reactive-armor": "MM-052",
    "bpc-armor": "MM-052",
    "space-lam-armor": "MM-051",
    "sensor-improved": "MM-037",
    "sensor-advanced": "MM-037",
    "masking": "MM-036",
    "heat-sink": "MM-058",
}
SKILL_RULES = {
    "accuracy": "MM-066",
    "guidance": "MM-066",
    "steady-hand": "MM-066",
    "agility": "MM-067",
    "maneuver": "MM-028",
    "tactics": "MM-016",
    "chassis-familiarity": "MM-058",
    "pinpoint-attack": "MM-068",
    "gunnery": "MM-069",
    "damage-control": "MM-070",
    "ice-man": "MM-071",
    "spoof": "MM-072",
    "quick-draw": "MM-073",
    "sharpshooter": "MM-055",
    "hawkeye": "MM-074",
    "log-hero": "MM-075",
}
SUPPORT_TABLES = {"A": "1–2", "B": "3–4", "C": "5–6"}  # faces of the first die. MM-014
SUPPORT_WEAPONS = {
    "support-fire": "howitzer-cannon",
    "air-strike": "missile",
}  # MM-079, MM-080: fired from off the board
