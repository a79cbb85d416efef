"""What `deploy/` starts is what there is: commands, settings, routes and metrics by their real names."""

import configparser
import json
import re
from pathlib import Path
from typing import Any

import yaml

from reverie import Reverie
from reverie.cli import main
from reverie.config import BY_NAME, BY_VARIABLE
from tests.support.serving import running

DEPLOY = Path(__file__).parents[2] / "deploy"


def documents(name: str) -> list[dict[str, Any]]:
    read: Any = yaml.safe_load_all
    return list(read((DEPLOY / name).read_text("utf-8")))


def is_command(words: list[str]) -> bool:
    known = {name for names in main.FILES.values() for name in names}
    return words[0] == "reverie" and words[1] in known


def settings_hold(environment: dict[str, str]) -> bool:
    chosen = [(BY_VARIABLE[name].choices, value) for name, value in environment.items()]
    return all(not choices or value in choices for choices, value in chosen)


def test_compose_starts_commands_and_settings_that_there_are() -> None:
    [compose] = documents("compose.yml")
    ours = {name: one for name, one in compose["services"].items() if name != "postgres"}
    assert set(ours) == {"server", "worker"}
    for service in ours.values():
        assert is_command(service["command"])
        assert settings_hold(service["environment"])
        assert service["environment"]["REVERIE_STORE"].startswith("postgresql://")


def test_kubernetes_starts_commands_and_settings_that_there_are() -> None:
    for deployment in documents("kubernetes.yml"):
        [container] = deployment["spec"]["template"]["spec"]["containers"]
        assert deployment["spec"]["selector"]["matchLabels"] == deployment["spec"]["template"]["metadata"]["labels"]
        assert is_command(container["args"])
        assert settings_hold({one["name"]: one.get("value", "") for one in container["env"]})
        for port in container.get("ports", []):
            assert port["containerPort"] == BY_NAME["port"].default


def test_the_systemd_unit_stops_a_worker_at_its_batch() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "reverie-worker@.service", "utf-8")
    assert is_command(unit["Service"]["ExecStart"].split()[1:])
    assert (unit["Service"]["KillSignal"], unit["Service"]["Restart"]) == ("SIGTERM", "always")


def test_every_metric_of_the_dashboard_is_served(memory: Reverie) -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
    asked = [one["expr"] for panel in board["panels"] for one in panel["targets"]]
    named = set(re.findall(r"reverie_\w+", " ".join(asked)))
    with running(memory) as client:
        memory.space("alice")
        text = client.get("/metrics").text
    assert len(named) >= 5
    assert {name for name in named if f"\n{name}{{" not in text and f"\n{name} " not in text} <= {"reverie_nights"}
    assert "# TYPE reverie_nights gauge" in text
