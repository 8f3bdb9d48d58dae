from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import pytest

from systems.catalogue import CatalogueError, load_table


@dataclass(frozen=True, kw_only=True)
class Part:
    weight: int
    share: Fraction = Fraction(1)


@dataclass(frozen=True, kw_only=True)
class Thing:
    slug: str
    name: str
    kind: Literal["big", "small"] = "small"
    numbers: tuple[int | None, int | None] = (None, None)
    tags: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    counts: Mapping[str, int] | None = None


def load(tmp_path, text):
    path = tmp_path / "things.toml"
    path.write_text(text)
    return load_table(path, Thing)


def test_entry_gets_its_key_as_slug(tmp_path):
    things = load(tmp_path, '[a-thing]\nname = "A"\nnumbers = [4, "-"]\nparts = [{weight = 2, share = "1/3"}]')
    assert things == {
        "a-thing": Thing(slug="a-thing", name="A", numbers=(4, None), parts=(Part(weight=2, share=Fraction(1, 3)),))
    }


def test_variant_states_only_its_differences(tmp_path):
    things = load(tmp_path, '[a]\nname = "A"\nkind = "big"\n[b]\ninherits = "a"\nname = "B"')
    assert things["b"] == Thing(slug="b", name="B", kind="big")


def test_abstract_entry_is_inherited_but_left_out(tmp_path):
    things = load(tmp_path, '[a]\nabstract = true\nname = "A"\ntags = ["x"]\n[b]\ninherits = "a"')
    assert things == {"b": Thing(slug="b", name="A", tags=("x",))}


def test_a_loaded_table_cannot_be_changed(tmp_path):
    things = load(tmp_path, '[a]\nname = "A"\ncounts = {x = 1}')
    with pytest.raises(TypeError):
        things["a"].counts["x"] = 2
    with pytest.raises(TypeError):
        things["b"] = things["a"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[a]", r"things\.toml, \[a\], name: missing"),
        ('[a]\nname = "A"\ncolour = "red"', r"things\.toml, \[a\], colour: unknown field"),
        ("[a]\nname = 3", r"name: 3 is not str"),
        ('[a]\nname = "A"\nkind = "huge"', r"kind: 'huge' is none of"),
        ('[a]\nname = "A"\nnumbers = [1]', r"numbers: 2 values are needed, not 1"),
        ('[a]\nname = "A"\nnumbers = [1, true]', r"numbers\[1\]: True is not int"),
        ('[a]\nname = "A"\ntags = "x"', r"tags: a list is needed"),
        ('[a]\nname = "A"\nparts = [{weight = 2, size = 1}]', r"parts\[0\]\.size: unknown field"),
        ('[a]\nname = "A"\ncounts = [1]', r"counts: a table is needed"),
        ('[a]\ninherits = "b"', r"inherits: no entry 'b'"),
        ('[a]\ninherits = "b"\n[b]\ninherits = "a"', r"inherits from itself"),
        ('a = "x"', r"an entry is a table"),
        ("[a", r"things\.toml: "),
    ],
)
def test_broken_file_is_refused_with_entry_and_field(tmp_path, text, complaint):
    with pytest.raises(CatalogueError, match=complaint):
        load(tmp_path, text)
