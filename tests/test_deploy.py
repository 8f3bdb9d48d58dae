"""The files of deploy/ for public sites: units, image, containers, settings. Everything that they name exists."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from dockerfile_parse import DockerfileParser

from deploy import backup
from deploy.worker import QUEUES
from deploy.worker import command as worker_command

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
BACKUP = DEPLOY / "muster-backup.service"
SERVERS = [unit for unit in UNITS if unit != BACKUP]
SETTING = re.compile(r"\bMUSTER_[A-Z_]+[A-Z]\b")


def readme_settings() -> set[str]:
    return set(re.findall(r"^\| `(MUSTER_\w+)` \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))


def assigned(name: str) -> dict[str, str]:
    lines = (DEPLOY / name).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"[A-Z_]+=", line))


def can_be_run(command: list[str]) -> bool:
    """Return whether the first words name a program or a module of Muster's environment."""
    program = Path(command[0]).name
    if program == "python" and command[1] == "-m":
        return importlib.util.find_spec(command[2]) is not None
    return (ROOT / ".venv" / "bin" / program).exists()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return the instructions of the Dockerfile."""
    folder = tmp_path_factory.mktemp("image")
    shutil.copy(DEPLOY / "Dockerfile", folder / "Dockerfile")
    return list(DockerfileParser(str(folder)).structure)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text()))


def values_of(image: list[dict[str, Any]], instruction: str) -> list[str]:
    return [step["value"] for step in image if step["instruction"] == instruction]


# --- settings ---


@pytest.mark.parametrize(
    "path", [*sorted(DEPLOY.glob("*.example")), DEPLOY / "Dockerfile", DEPLOY / "compose.yaml", *UNITS]
)
def test_every_setting_in_deploy_exists(path: Path):
    assert set(SETTING.findall(path.read_text())) - readme_settings() == set()


def test_examples_have_the_settings_of_a_public_site():
    needed = {
        "MUSTER_HTTPS", "MUSTER_PROXIES", "MUSTER_ALLOWED_HOSTS", "MUSTER_CSRF_ORIGINS", "MUSTER_SECRET_KEY", "MUSTER_DICE_KEY", "MUSTER_DATABASE_URL",
        "MUSTER_REDIS_URL", "MUSTER_EMAIL_URL", "MUSTER_EMAIL_FROM", "MUSTER_EMAIL_VERIFICATION", "MUSTER_METRICS_TOKEN",
        "MUSTER_LOG_FORMAT",
    }  # fmt: skip
    for name in ("muster.env.example", "compose.env.example"):
        assert needed - set(assigned(name)) == set(), name


# --- image ---


def test_image_has_the_libraries_of_the_bootstrap(image: list[dict[str, Any]]):
    script = (DEPLOY / "bootstrap.sh").read_text()
    expected = set(re.findall(r"^has_library \S+ \|\| need (\S+)", script, re.MULTILINE))
    installed = set(
        re.search(r"install --yes --no-install-recommends ([^&]*)&&", " ".join(values_of(image, "RUN")))[1].split()
    )
    assert len(expected) == 3
    assert installed == expected | {"postgresql-client"}
    documented = (ROOT / "docs" / "running.md").read_text()
    assert [package for package in expected if package not in documented] == []


def test_image_copies_everything_muster_runs(image: list[dict[str, Any]]):
    copied = {name for value in values_of(image, "COPY") if "--from" not in value for name in value.split()[:-1]}
    assert [name for name in copied if not (ROOT / name).exists()] == []
    parts = {
        "config",
        "rosters",
        "battles",
        "campaigns",
        "systems",
        "templates",
        "static",
        "deploy",
        "manage.py",
        "requirements.txt",
    }
    assert parts <= copied
    ignore = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert {line[1:] for line in ignore if line.startswith("!")} == copied


def test_image_runs_unprivileged_and_holds_no_secret(image: list[dict[str, Any]]):
    steps = [step["instruction"] for step in image]
    assert values_of(image, "USER") == ["muster"]
    assert steps.index("USER") < steps.index("CMD")
    assert "RUN" not in steps[steps.index("USER") :]  # Muster's code doesn't run before its settings exist
    assert not re.search(r"SECRET|_KEY|PASSWORD|TOKEN", (DEPLOY / "Dockerfile").read_text())
    assert len(values_of(image, "FROM")) == 2
    assert all("slim" in base and ":latest" not in base for base in values_of(image, "FROM"))


def test_image_has_a_health_check_and_a_volume(image: list[dict[str, Any]]):
    assert "/healthz" in values_of(image, "HEALTHCHECK")[0]
    environment = dict(pair.split("=", 1) for value in values_of(image, "ENV") for pair in value.split())
    assert f'"{environment["MUSTER_VAR"]}"' in values_of(image, "VOLUME")[0]


def test_image_starts_existing_programs(image: list[dict[str, Any]]):
    _, _, line = yaml.safe_load(values_of(image, "CMD")[-1])
    prepare, serve = (part.removeprefix("exec ").split() for part in line.split(" && "))
    assert can_be_run(prepare)
    assert can_be_run(serve)
    assert (ROOT / serve[serve.index("-c") + 1]).exists()


# --- containers ---


def test_containers_match_units_and_servers(compose: dict[str, Any]):
    units = {path.stem.removeprefix("muster-") for path in SERVERS}
    assert set(compose["services"]) == units | {"db", "redis"}
    for name in units - {"web"}:
        assert can_be_run(compose["services"][name]["command"])
        unit = (DEPLOY / f"muster-{name}.service").read_text()
        set_in_unit = dict(re.findall(r"^Environment=(\w+)=(.*)$", unit, re.MULTILINE))
        assert compose["services"][name].get("environment", {}) == set_in_unit


def test_one_worker_takes_all_queues_and_runs_the_timer(compose: dict[str, Any], settings: Any):
    worker = compose["services"]["worker"]
    assert "MUSTER_WORKER_QUEUES" not in worker["environment"]
    assert set(QUEUES.split(",")) == set(settings.QUEUES)
    assert [name for name, service in compose["services"].items() if "-B" in service.get("command", ())] == ["worker"]


def test_containers_have_dependencies_and_health_checks(compose: dict[str, Any]):
    services = compose["services"]
    assert set(services["web"]["depends_on"]) == {"db", "redis"}
    assert all(set(services[name]["depends_on"]) == {"web"} for name in ("worker", "print"))
    assert all("healthcheck" in service for name, service in services.items() if name != "web")  # in its image
    named = {volume.split(":")[0] for service in services.values() for volume in service["volumes"]}
    assert named == set(compose["volumes"])
    assert services["web"]["ports"] == ["127.0.0.1:8000:8000"]
    assert services["web"]["env_file"] == "compose.env"


CLIENT_OF = {"bookworm": 15, "trixie": 17}  # the PostgreSQL of Debian's releases


def test_image_has_pg_dump_of_the_servers_version(image: list[dict[str, Any]], compose: dict[str, Any]):
    (release,) = {base.split()[0].rsplit("-", 1)[1] for base in values_of(image, "FROM")}
    server = re.match(r"postgres:(\d+)-", compose["services"]["db"]["image"])
    assert CLIENT_OF[release] >= int(server[1])


def test_container_settings_name_the_containers_servers():
    example = assigned("compose.env.example")
    assert f"postgres://muster:{example['POSTGRES_PASSWORD']}@db/muster" == example["MUSTER_DATABASE_URL"]
    assert example["MUSTER_REDIS_URL"].startswith("redis://redis:")
    assert "deploy/compose.env" in (ROOT / ".gitignore").read_text().splitlines()


# --- units ---


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_unit_runs_existing_programs_and_writes_to_its_folder(unit: Path):
    lines = [line.split("=", 1) for line in unit.read_text().splitlines() if "=" in line and not line.startswith("#")]
    commands = [value.split() for name, value in lines if name.startswith("ExecStart")]
    assert commands
    assert all(can_be_run(command) for command in commands)
    settings_of_unit = dict(lines)
    assert (settings_of_unit["ProtectSystem"], settings_of_unit["UMask"], settings_of_unit["PrivateTmp"]) == (
        "strict",
        "0077",
        "yes",
    )
    # It always restarts, slowly enough for systemd's limit of five starts in ten seconds.
    assert unit == BACKUP or (settings_of_unit["Restart"], settings_of_unit["RestartSec"]) == ("always", "3")
    assert assigned("muster.env.example")["MUSTER_VAR"].startswith(settings_of_unit["ReadWritePaths"])
    assert settings_of_unit["WorkingDirectory"].startswith(settings_of_unit["ReadWritePaths"])


def test_nightly_backup_keeps_fourteen_archives():
    unit, timer = BACKUP.read_text(), BACKUP.with_suffix(".timer").read_text()
    assert "\nType=oneshot\n" in unit
    (options,) = re.findall(r"^ExecStart=.* -m deploy.backup save (.*)$", unit, re.MULTILINE)
    assert backup.kept_number(options.split()) == 14
    assert "\nOnCalendar=*-*-* 03:30\n" in timer
    assert "\nWantedBy=timers.target\n" in timer


def test_pages_do_not_wait_for_compiled_rules(image: list[dict[str, Any]]):
    unit = (DEPLOY / "muster-web.service").read_text()
    starts = {
        "unit": re.findall(r"^ExecStartPre=(.*)$", unit, re.MULTILINE),
        "image": [word for value in values_of(image, "CMD") for word in json.loads(value) if "prepare" in word],
        "upgrade": re.findall(r"^prepare\(\) .*$", (DEPLOY / "upgrade.sh").read_text(), re.MULTILINE),
    }
    assert all(len(found) == 1 for found in starts.values()), starts
    assert [name for name, (command,) in starts.items() if "--serve" not in command] == []  # the workers compile them
    assert "\nTimeoutStartSec=15min\n" in unit  # migrations may take longer than systemd's 90 seconds


@pytest.mark.parametrize("unit", [*UNITS, BACKUP.with_suffix(".timer")], ids=lambda path: path.name)
def test_systemd_accepts_the_units(unit: Path, tmp_path: Path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    for each in (unit, unit.with_suffix(".service")):  # systemd checks whether a unit's program exists
        (tmp_path / each.name).write_text(re.sub(r"/srv/muster/app/\.venv/bin/\w+", "/usr/bin/env", each.read_text()))
    done = subprocess.run(["systemd-analyze", "verify", str(tmp_path / unit.name)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("machine", "container", "processes"),
    [(1.0, "max", "1"), (4.0, "max", "3"), (4.0, str(2**30), "1"), (4.0, str(2 * 2**30), "3"), (1.0, str(2**40), "1")],
    ids=["small machine", "large machine", "small container", "large container", "container larger than its machine"],
)
def test_small_machine_gets_one_worker_process(
    monkeypatch: pytest.MonkeyPatch, machine: float, container: str, processes: str
):
    pages = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": int(machine * 2**30 / 4096)}
    monkeypatch.setattr("os.sysconf", pages.__getitem__)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    monkeypatch.setattr(Path, "read_text", lambda path: {"/sys/fs/cgroup/memory.max": container}[str(path)])
    monkeypatch.delenv("MUSTER_WORKER_PROCESSES", raising=False)
    command = worker_command([])
    assert command[command.index("-c") + 1] == processes
