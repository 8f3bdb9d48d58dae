"""What somebody signs in with, in words: "Firefox on Linux". Nothing finer is kept."""

from __future__ import annotations

# The first whose word stands in the header is it: many browsers also name the ones that they are like.
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


def in_words(header: str) -> str:
    """Browser and system of a User-Agent header, as far as it names ones that are known."""
    browser = next((name for word, name in BROWSERS if word in header), "")
    system = next((name for word, name in SYSTEMS if word in header), "")
    if not browser:
        return system or "an unknown program"
    return f"{browser} on {system}" if system else browser
