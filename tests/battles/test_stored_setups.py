"""A stored set-up is read once, and values computed from it are computed once."""

import pytest

from battles.odds.changes import OwnDesign, change_places
from systems.documents import DocumentError
from systems.reading import read_setup, stored_setup
from systems.setups import Setup, once_a_setup
from tests.battles.builders import duel


def test_equal_documents_are_read_once():
    assert stored_setup(duel()) is stored_setup(duel())
    assert stored_setup(duel()) == read_setup(duel())


def test_different_document_is_another_setup():
    assert stored_setup(duel(terrain="wood")).terrain == "wood"
    assert stored_setup(duel(terrain="plain")).terrain == "plain"


def test_unplayable_document_is_refused_every_time():
    for _ in range(2):
        with pytest.raises(DocumentError, match="no-such-mek"):
            stored_setup(duel(a="no-such-mek"))


def test_result_of_a_setup_is_calculated_once():
    calls: list[str] = []

    @once_a_setup
    def names(setup: Setup) -> tuple[str, ...]:
        calls.append(setup.terrain)
        return tuple(side.name for side in setup.sides)

    given = read_setup(duel())
    assert names(given) == names(given) == ("Red", "Blue")
    assert calls == ["plain"]


def test_changed_copy_of_a_setup_is_recalculated():
    @once_a_setup
    def terrain(setup: Setup) -> str:
        return setup.terrain

    given = read_setup(duel())
    assert terrain(given) == "plain"
    assert terrain(given.model_copy(update={"terrain": "wood"})) == "wood"
    assert terrain(given) == "plain"


def test_changes_offer_each_reader_their_own_designs():
    setup, spec = read_setup(duel()), {"chassis": "light", "weapons": ["cannon", "ciws", "ciws"], "systems": ["jammer"]}

    def offered(*own: OwnDesign) -> list[str]:
        groups = [group for place in change_places(setup, own) for group in place.groups]
        return [name for title, choices in groups if title == "Your designs" for _, name in choices]

    for _ in range(2):
        assert offered(OwnDesign("1", "Owl", spec)) == ["Owl", "Owl"]
        assert offered(OwnDesign("2", "Jay", spec)) == ["Jay", "Jay"]
        assert offered() == []
