import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import BATTLES, battle_rules
from systems.documents import MAX_BYTES, MAX_DEPTH, DocumentError, parse_document
from systems.documents import DesignDocument as Design
from systems.reading import read_design, read_setup
from systems.setups import setup_json

WASP = {
    "muster": "design/1",
    "system": "meks-and-mercs",
    "name": "Wasp",
    "spec": {"chassis": "light", "weapons": ["cannon", "ciws", "ciws"], "systems": ["jammer"]},
}


def wasp(**changes):
    return json.dumps(WASP | changes)


def spec(**changes):
    return wasp(spec=WASP["spec"] | changes)


@pytest.mark.parametrize("form", [WASP, json.dumps(WASP), json.dumps(WASP).encode()], ids=["mapping", "text", "bytes"])
def test_a_design_is_read_from_json_or_values(form):
    document, parsed = read_design(form)
    assert document.name == "Wasp"
    assert parsed.weapons == ("cannon", "ciws", "ciws")


@pytest.mark.parametrize(
    ("data", "path", "reason"),
    [
        ("", "document", "not JSON"),
        ("[]", "document", "must be an object, not a list"),
        (b"\xff\xfe", "document", "not UTF-8"),
        ('{"muster": "design/1", "muster": "design/1"}', "document", "appears twice"),
        ('{"a": NaN}', "document", "NaN is not a number"),
        ('{"a": 1e999}', "a", "not a finite number"),
        ('{"a": ' + "9" * 5000 + "}", "document", "too large"),
        ('{"a": 18446744073709551616}', "a", "too large"),
        ('{"a": "\\ud800"}', "a", "cannot be stored"),
        ('{"a": "\\u0000"}', "a", "cannot be stored"),
        ("[" * 1_000_000, "document", "larger than 256 KiB"),
        ("[" * 200_000, "document", f"nested more than {MAX_DEPTH} deep"),
        ('{"a":' * 200 + "1" + "}" * 200, "document", "nested more than"),
        (wasp(muster="design/2"), "muster", "must be 'design/1'"),
        (wasp(colour="red"), "colour", "unknown field"),
        (wasp(name=""), "name", "must not be empty"),
        (wasp(name="x" * 61), "name", "longer than 60"),
        (wasp(name="a\nb"), "name", "not allowed"),
        (wasp(name="  "), "name", "blank"),
        (wasp(name=7), "name", "must be a text, not a number"),
        (wasp(system="chess"), "system", "unknown rule system 'chess'"),
        (wasp(spec="{}"), "spec", "must be an object, not a text"),
        (spec(chassis="huge"), "spec.chassis", "unknown chassis 'huge'"),
        (spec(weapons=["cannon", "ciws", "lazer"]), "spec.weapons[2]", "did you mean 'laser'?"),
        (spec(weapons="cannon"), "spec.weapons", "must be a list, not a text"),
        (spec(weapons=[-1]), "spec.weapons[0]", "must be a text, not a number"),
        (spec(weapons=["cannon"] * 40), "spec.weapons", "more than 24 entries"),
        (spec(systems=["jammer", None]), "spec.systems[1]", "must be a text, not null"),
        (spec(hits=-3), "spec.hits", "unknown field"),
    ],
)
def test_bad_document_is_refused_with_its_place(data, path, reason):
    with pytest.raises(DocumentError) as refused:
        read_design(data)
    assert refused.value.path == path
    assert reason in refused.value.reason
    assert str(refused.value) == f"{path}: {refused.value.reason}"


def test_a_missing_field_is_named():
    with pytest.raises(DocumentError, match="^spec: missing$"):
        parse_document(Design, {key: value for key, value in WASP.items() if key != "spec"})


def test_misspelt_field_is_named_before_missing_one():
    with pytest.raises(DocumentError, match=r"^spec\.chasis: unknown field$"):
        read_design(wasp(spec={"chasis": "light"}))


def test_brackets_in_text_are_not_nesting():
    document, _ = read_design(wasp(name='[["\\[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[['))
    assert document.name.startswith("[[")


def test_mapping_that_contains_itself_is_refused():
    loop: dict = {}
    loop["again"] = loop
    with pytest.raises(DocumentError, match="nested"):
        parse_document(Design, loop)


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, {1, 2}, b"x", {3: 4}, object()],
    ids=["nan", "inf", "set", "bytes", "3 as a key", "object"],
)
def test_mapping_with_non_json_value_is_refused(value):
    with pytest.raises(DocumentError):
        parse_document(Design, WASP | {"spec": {"chassis": value}})


def test_document_of_maximum_size_is_read():
    text = json.dumps(WASP)
    read_design(text + " " * (MAX_BYTES - len(text)))
    with pytest.raises(DocumentError, match="larger"):
        read_design(text + " " * (MAX_BYTES - len(text) + 1))


def test_long_slug_is_shortened_in_error():
    with pytest.raises(DocumentError) as refused:
        read_design(spec(chassis="\n" * 10_000))
    assert len(str(refused.value)) < 400
    assert "\n" not in str(refused.value)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ALMOST = st.fixed_dictionaries(
    {},
    optional={
        "muster": st.just("design/1") | JSON_VALUES,
        "system": st.just("meks-and-mercs") | JSON_VALUES,
        "name": st.just("Wasp") | JSON_VALUES,
        "spec": st.fixed_dictionaries(
            {},
            optional={
                "chassis": st.just("light") | JSON_VALUES,
                "weapons": st.lists(st.just("cannon") | JSON_VALUES, max_size=3) | JSON_VALUES,
                "systems": st.lists(st.just("jammer") | JSON_VALUES, max_size=3) | JSON_VALUES,
            },
        )
        | JSON_VALUES,
    },
)


def refused_or_read(data):
    refusal = ""
    try:
        read_design(data)
    except DocumentError as error:
        refusal = str(error)
    assert "\n" not in refusal


@given(st.text() | st.binary())
def test_any_text_is_read_or_refused(data):
    refused_or_read(data)


@given(st.text(alphabet='{}[]",:\\019.eE- nulltruefasNI', max_size=200))
def test_json_like_text_is_read_or_refused(data):
    refused_or_read(data)


@given(JSON_VALUES | ALMOST)
def test_any_value_is_read_or_refused(value):
    refused_or_read(json.dumps(value))
    if isinstance(value, dict):
        refused_or_read(value)


@pytest.mark.parametrize(
    "named", [{"support": ["repair-truck"]}, {"rolled": {"repair-truck": [1]}}], ids=["support", "dice"]
)
@pytest.mark.parametrize("game", [slug for slug in BATTLES if slug != "meks-and-mercs"])
def test_game_without_support_refuses_it(game, named):
    setup = setup_json(battle_rules(game).example())
    first, other = setup["sides"]
    with pytest.raises(DocumentError, match="no support results") as refused:
        read_setup(setup | {"sides": [first | named, other]})
    assert refused.value.path == "sides[0].support"
