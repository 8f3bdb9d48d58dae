"""Labels that tell equal units of a battle apart."""

from types import SimpleNamespace

from systems.setups import distinct_names, unit_tags


def fielded(key: str, side: int, name: str) -> SimpleNamespace:
    return SimpleNamespace(unit=SimpleNamespace(key=key), side=side, name=name)


def test_companys_units_are_labelled_by_side_and_number():
    """Keys of other units, which somebody chose, are their labels."""
    units = [("u113", 0), ("a2", 0), ("u7", 0), ("u20", 1), ("scout", 1)]
    assert unit_tags(units) == {"u113": "A1", "a2": "A2", "u7": "A3", "u20": "B1", "scout": "SCOUT"}


def test_only_equal_names_get_a_label():
    units = [fielded("u113", 0, "VIPER"), fielded("u20", 1, "VIPER"), fielded("u9", 1, "WASP")]
    assert distinct_names(units) == {"u113": "VIPER A1", "u20": "VIPER B1", "u9": "WASP"}


def test_label_of_a_company_unit_is_not_another_units_key():
    assert unit_tags([("a1", 0), ("u7", 0), ("a2", 0), ("u9", 1)]) == {"a1": "A1", "u7": "A3", "a2": "A2", "u9": "B1"}
