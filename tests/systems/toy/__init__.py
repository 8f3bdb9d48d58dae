"""Tests of the toy game, which isn't shipped: `install` makes it one of the games for a test."""

from __future__ import annotations

import pytest

SLUG = "toy"
PACKAGE = "tests.toy"
REISSUED = "tests.toy.reissued"  # with a second release of its catalogue


def install(monkeypatch: pytest.MonkeyPatch, slug: str = SLUG, package: str = PACKAGE) -> None:
    """Install the game of that package as an entry point would, until the test ends."""
    from django.template import engines

    from systems import GAMES, PACKAGES, template_folders

    monkeypatch.setattr("systems.BROKEN", {})
    monkeypatch.setattr("systems.PACKAGES", PACKAGES | {slug: package})
    engine = engines["django"].engine  # type: ignore[attr-defined]
    monkeypatch.setattr(engine, "dirs", [*dict.fromkeys([*engine.dirs, *template_folders()])])
    games = dict(GAMES)
    monkeypatch.setattr(GAMES, "_loaded", games)
    GAMES.take_in(slug, package)


def reissue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the toys with the second release of their catalogue and the same templates."""
    install(monkeypatch)
    install(monkeypatch, package=REISSUED)
