"""Finds the kind of a weapon that a player has named freely."""

from __future__ import annotations

import re


KINDS = (  # the first word found in the name counts
    ("drill missile", "torpedo"),
    ("rocket punch", "rocket-fist"),
    ("rocket fist", "rocket-fist"),
    ("punch", "fist"),
    ("fist", "fist"),
    ("side gun", "ciws"),
    ("tread", "treads"),
    ("tail", "tail"),
    ("claw", "claw"),
    ("talon", "claw"),
    ("great sword", "great-sword"),
    ("greatsword", "great-sword"),
    ("heat sword", "great-sword"),
    ("jyuoken", "great-sword"),
    ("sword", "saber"),
    ("saber", "saber"),
    ("sabre", "saber"),
    ("lance", "lance"),
    ("spear", "lance"),
    ("pike", "lance"),
    ("axe", "axe"),
    ("hatchet", "axe"),
    ("tomahawk", "axe"),
    ("hammer", "axe"),
    ("knife", "knife"),
    ("dagger", "knife"),
    ("whip", "whip"),
    ("chain", "whip"),
    ("card bit", "bits"),
    ("funnel", "bits"),
    ("bit", "bits"),
    ("card", "cards"),
    ("ram", "drill"),
    ("drill", "drill"),
    ("saw", "blade"),
    ("blade", "blade"),
    ("flame", "flamer"),
    ("fire", "flamer"),
    ("hurricane", "breath"),
    ("breath", "breath"),
    ("photon", "breath"),
    ("sniper", "sniper"),
    ("railgun", "rail"),
    ("rail", "rail"),
    ("gauss", "rail"),
    ("howitzer", "howitzer"),
    ("mortar", "howitzer"),
    ("artillery", "howitzer"),
    ("micromissile", "swarm"),
    ("swarm", "swarm"),
    ("rocket", "rocket-pod"),
    ("missile", "missile"),
    ("torpedo", "torpedo"),
    ("bazooka", "bazooka"),
    ("gatling", "gatling"),
    ("minigun", "minigun"),
    ("vulcan", "rotary"),
    ("rotary", "rotary"),
    ("beam m", "machine-gun"),
    ("machine", "machine-gun"),
    ("phalanx", "ciws"),
    ("turret", "ciws"),
    ("flak", "ciws"),
    ("grenade", "grenades"),
    ("particle", "particle"),
    ("ppc", "particle"),
    ("plasma", "particle"),
    ("death ray", "turbo-laser"),
    ("laser", "laser"),
    ("main cannon", "main-gun"),
    ("main gun", "main-gun"),
    ("beam cannon", "beam-cannon"),
    ("autocannon", "autocannon"),
    ("auto cannon", "autocannon"),
    ("cannon", "cannon"),
    ("shotgun", "scatter"),
    ("scatter", "scatter"),
    ("pistol", "pistol"),
    ("carbine", "pistol"),
    ("beam rifle", "beam-rifle"),
    ("assault rifle", "rifle"),
    ("rifle", "beam-rifle"),
    ("beam", "laser"),
    ("ray", "laser"),
    ("gun", "machine-gun"),
)


def kind_named(name: str, otherwise: str) -> str:
    """Return the kind of weapon in a name; `otherwise` if there is none."""
    said = " ".join(re.findall(r"[a-z]+", name.lower()))
    return next((kind for word, kind in KINDS if re.search(rf"\b{word}", said)), otherwise)


def kinds_named(text: str) -> tuple[str, ...]:
    """Return every weapon that a text lists, such as `twin cannon, rocket pod and claw`."""
    parts = re.split(r"[,;/+&]|\band\b|\bwith\b", text.lower())
    return tuple(kind for part in parts if (kind := kind_named(part, "")))
