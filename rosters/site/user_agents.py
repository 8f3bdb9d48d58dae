"""The program used to sign in, in words: "Firefox on Linux". Nothing more precise is stored."""

from __future__ import annotations

# The first match counts: many browsers also name those they are compatible with.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def describe_user_agent(header: str) -> str:
    """Describe browser and system of a User-Agent header, as far as they are known."""
    browser = next((name for word, name in BROWSERS if word in header), "")
    system = next((name for word, name in SYSTEMS if word in header), "")
    if not browser:
        return system or "an unknown program"
    return f"{browser} on {system}" if system else browser
