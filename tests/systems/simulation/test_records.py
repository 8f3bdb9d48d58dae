"""Records: written, read, verified."""

import dataclasses
import json

import pytest

from systems import battle_rules
from systems.documents import DocumentError
from systems.engine.dice import commitment, sealed_seed
from systems.setups import parse_seed
from systems.simulation.records import MAX_RECORD_BYTES, HeaderDice, read_header, read_record, resolve, verify

SETUP = battle_rules("meks-and-mercs").example()


@pytest.fixture(scope="module")
def record():
    return resolve(SETUP, 4)


def changed(record, number, change):
    """Return the record's text with one line changed. Lines are numbered from 1."""
    lines = record.lines()
    body = json.loads(lines[number - 1])
    change(body)
    lines[number - 1] = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return "\n".join(lines) + "\n"


def line_of(record, kind):
    return next(number for number, event in enumerate(record.events, start=2) if event.kind == kind)


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_same_seed_gives_same_bytes(seed):
    assert resolve(SETUP, seed).text() == resolve(SETUP, seed).text()
    assert verify(resolve(SETUP, seed).text()) is None


def test_different_seeds_give_different_battles():
    assert len({resolve(SETUP, seed).lines()[1:][-1] + str(len(resolve(SETUP, seed).events)) for seed in range(9)}) > 3


def test_record_reads_back_as_written(record):
    again = read_record(record.text())
    assert again == record
    assert again.text() == record.text()
    assert again.digest == record.digest
    assert len(record.digest) == 64


def test_header_names_everything_to_refight(record):
    header = json.loads(record.lines()[0])
    assert set(header) == {"muster", "system", "rules_version", "seed", "setup_hash", "setup"}
    assert (header["muster"], header["seed"]) == ("record/1", 4)


@pytest.mark.rule("MM-A04")
def test_verify_names_line_of_changed_die(record):
    number = line_of(record, "movement-rolled")

    def turn(body):
        body["faces"][0] = body["faces"][0] % 6 + 1

    difference = verify(changed(record, number, turn))
    assert difference.line == number
    assert difference.expected == record.lines()[number - 1]
    assert difference.found != difference.expected


def test_verify_finds_missing_or_extra_line(record):
    lines = record.lines()
    assert verify("\n".join([*lines[:5], *lines[6:]])).line == 6
    assert verify("\n".join(lines[:-1]) + "\n").line == len(lines)
    assert verify("\n".join([*lines, lines[-1]])).line == len(lines) + 1


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (lambda text: text.replace("\n", "\r\n"), 1, "ends with a carriage return and a line feed, not a line feed"),
        (lambda text: text.replace("\n", "\r"), 1, "ends with a carriage return, not a line feed"),
        (lambda text: text.replace("\n", "\r\n", 4).replace("\r\n", "\n", 3), 4, "carriage return and a line feed"),
        (lambda text: text.removesuffix("\n"), "last", "ends without a line feed"),
        (lambda text: text + "\n", "after", "an empty line too many"),
        (lambda text: text.replace("\n", "\n\n", 1), 2, "an empty line too many"),
        (lambda text: text.replace("\n", " \n", 1), 1, ""),
    ],
)
def test_verify_compares_line_ends(record, change, line, reason):
    text, last = record.text(), len(record.lines())
    difference = verify(change(text))
    assert difference.line == {"last": last, "after": last + 1}.get(line, line)
    assert reason in difference.reason


def test_verify_finds_changed_outcome(record):
    last = len(record.lines())
    assert verify(changed(record, last, lambda body: body["outcome"].update(winner="Nobody"))).line == last


def test_verify_finds_changed_seed(record):
    assert verify(changed(record, 1, lambda body: body.update(seed=5))).line > 1


def test_verify_refuses_record_of_other_rules(record):
    now = record.rules_version
    other = dataclasses.replace(record, rules_version=now + 1)
    with pytest.raises(
        DocumentError,
        match=f"line 1.rules_version: was simulated with rules {now + 1}, but the current rules are {now}",
    ):
        verify(other.text())
    assert read_record(other.text()).events == record.events  # and it still plays back


@pytest.mark.parametrize(
    ("number", "change", "place"),
    [
        (1, lambda body: body.update(muster="record/9"), "line 1.muster"),
        (1, lambda body: body.update(seed=-1), "line 1.seed"),
        (1, lambda body: body.update(seed=2**64), "line 1"),
        (1, lambda body: body.update(system="chess"), "line 1.system"),
        (1, lambda body: body.update(setup_hash="0" * 64), "line 1.setup_hash"),
        (1, lambda body: body.update(extra=1), "line 1.extra"),
        (1, lambda body: body["setup"].update(terrain="swamp"), "line 1.setup.terrain"),
        (3, lambda body: body.pop("round"), "line 3"),
        (3, lambda body: body.update(round="1"), "line 3"),
        (3, lambda body: body.update(round=True), "line 3"),
        (3, lambda body: body.update(faces=[1.5]), "line 3"),
        (3, lambda body: body.update(result=[]), "line 3"),
        (3, lambda body: body.update(modifiers=[{"name": "luck", "value": "1", "rule": "MM-001"}]), "line 3"),
        (3, lambda body: body.update(modifiers=[7]), "line 3"),
        (3, lambda body: body.update(colour="red"), "line 3"),
        (-1, lambda body: body.pop("outcome"), "line {last}"),
        (-1, lambda body: body["outcome"].pop("winner"), "line {last}.outcome.winner"),
        (-1, lambda body: body["outcome"]["units"][0].update(hits="2"), "line {last}.outcome.units[0].hits"),
        (-1, lambda body: body.update(more=1), "line {last}"),
    ],
)
def test_damaged_file_is_refused_with_its_line(record, number, change, place):
    last = len(record.lines())
    text = changed(record, number if number > 0 else last, change)
    with pytest.raises(DocumentError) as refused:
        read_record(text)
    assert refused.value.path.startswith(place.format(last=last))


@pytest.mark.parametrize("junk", ["", "\n", "[]\n[]\n", "{}\n{}\n{}\n", "nonsense\nmore\n", '{"a": NaN}\n{}\n'])
def test_file_without_record_is_refused(junk):
    for read in (read_record, verify):
        with pytest.raises(DocumentError):
            read(junk)


@pytest.mark.parametrize("line", ["{", "[" * 100_000, "Infinity", "9" * 5000, "null", '{"round": 1e999}'])
def test_malformed_event_is_refused_with_its_line(record, line):
    lines = record.lines()
    lines[4] = line
    with pytest.raises(DocumentError, match="^line 5"):
        read_record("\n".join(lines))


def test_oversized_file_is_refused():
    with pytest.raises(DocumentError, match="larger than 16 MiB"):
        read_record("x" * (MAX_RECORD_BYTES + 1))


@pytest.mark.parametrize("value", [0, 2**64 - 1, "0", "18446744073709551615"])
def test_parse_seed_reads_64_bits(value):
    assert parse_seed(value) == int(value)


@pytest.mark.parametrize("value", [-1, 2**64, "18446744073709551616", "-1", "", "1.5", "²", True, None, 1.0, "9" * 99])
def test_parse_seed_refuses_other_values(value):
    with pytest.raises(DocumentError, match="^seed: "):
        parse_seed(value)


class TestFairDice:
    """A record whose header names the provably fair dice that the seed comes from."""

    SECRET = "5ec2e7" * 10 + "abcd"
    WORDS = ("for the Hounds", "for the Dogs")

    @pytest.fixture
    def sealed(self):
        dice = HeaderDice(commitment=commitment(self.SECRET), purpose="battle", words=self.WORDS, secret=self.SECRET)
        return resolve(SETUP, sealed_seed(self.SECRET, "battle", self.WORDS), dice)

    def test_fair_dice_are_in_header_and_read_back(self, sealed):
        assert json.loads(sealed.lines()[0])["dice"] == {
            "commitment": commitment(self.SECRET),
            "purpose": "battle",
            "words": list(self.WORDS),
            "secret": self.SECRET,
        }
        assert read_record(sealed.text()) == sealed
        assert verify(sealed.text()) is None
        assert read_header(sealed.text()).dice == sealed.dice

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (lambda dice: dice.update(commitment="0" * 64), "the hash is not that of the secret"),
            (lambda dice: dice.update(secret="0" * 64), "the hash is not that of the secret"),
            (lambda dice: dice.update(words=["for the Hounds"]), "the seed does not follow from these dice"),
        ],
    )
    def test_changed_hash_secret_or_words_are_found(self, sealed, change, reason):
        difference = verify(changed(sealed, 1, lambda body: change(body["dice"])))
        assert (difference.line, difference.reason) == (1, reason)

    def test_shopped_seed_is_found(self, sealed):
        shopped = resolve(SETUP, 7, sealed.dice)
        difference = verify(shopped.text())
        assert (difference.line, difference.reason) == (1, "the seed does not follow from these dice")
        assert json.loads(difference.expected)["seed"] == sealed.seed

    @pytest.mark.parametrize("purpose", ["support", "aftermath", "battle 2"])
    def test_dice_of_another_purpose_are_refused(self, sealed, purpose):
        with pytest.raises(DocumentError, match=r"line 1\.dice\.purpose"):
            verify(changed(sealed, 1, lambda body: body["dice"].update(purpose=purpose)))
