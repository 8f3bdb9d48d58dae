"""The tests of the toy game, which is no part of what ships: `install` makes it one of the games for a test."""

from __future__ import annotations

import pytest

SLUG = "toy"
PACKAGE = "tests.toy"
REISSUED = "tests.toy.reissued"  # with a second release of its catalogue


def install(monkeypatch: pytest.MonkeyPatch, slug: str = SLUG, package: str = PACKAGE) -> None:
    """Takes in the game of that package, as one that is installed with an entry point, until the test is over."""
    from django.template import engines

    from systems import GAMES, HERE, template_folders

    monkeypatch.setattr("systems.BROKEN", {})
    monkeypatch.setattr("systems.HERE", HERE | {slug: package})
    engine = engines["django"].engine  # type: ignore[attr-defined]
    monkeypatch.setattr(engine, "dirs", [*dict.fromkeys([*engine.dirs, *template_folders()])])
    games = dict(GAMES)
    monkeypatch.setattr(GAMES, "_loaded", games)
    GAMES.take_in(slug, package)


def reissue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes in the toys with the second release of their catalogue, whose templates are the toys' own."""
    install(monkeypatch)
    install(monkeypatch, package=REISSUED)
