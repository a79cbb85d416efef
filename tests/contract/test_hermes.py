"""What an install for Hermes writes, and the provider by itself; the real Hermes judges it in tests/judges/hermes."""

from pathlib import Path

import pytest

from reverie import Reverie
from reverie.adapters.hermes.install import install, uninstall
from reverie.adapters.hermes.provider import HermesMemory
from reverie.errors import UsageError

CONFIGS = {
    "none": None,
    "other": "model: x\n",
    "without end": "model: x",
    "bare section": "model: x\nmemory:\nagent:\n  provider: openai\n",
    "another's": "memory:\n  memory_enabled: true\n  provider: mem0  # for now\nagent: {}\n",
    "comment": "# memory:\nmemory:  # mine\n    provider: ''\n",
}


@pytest.mark.parametrize("before", CONFIGS.values(), ids=CONFIGS)
def test_a_config_gets_one_line_and_is_given_back_as_it_was(tmp_path: Path, before: str | None) -> None:
    config = tmp_path / "config.yaml"
    if before is not None:
        config.write_text(before)
    planned = install(tmp_path, dry_run=True)
    assert len(planned) == 3
    assert (config.read_text() if config.exists() else None) == before
    assert install(tmp_path) == planned
    made = config.read_text()
    assert made.count("provider: reverie") == 1
    assert all(line in made for line in (before or "").splitlines() if "provider" not in line)
    assert install(tmp_path) == []
    uninstall(tmp_path)
    left = config.read_text() if config.exists() else None
    assert (left or "").rstrip("\n") == (before or "").rstrip("\n")
    assert not (tmp_path / "plugins" / "reverie").exists()


def test_a_section_in_one_line_is_refused_with_the_next_move(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("memory: {provider: mem0}\n")
    with pytest.raises(UsageError, match="one line") as refused:
        install(tmp_path)
    assert "hermes config set" in refused.value.next_move


def test_a_turn_is_stored_and_recalled_and_a_reminder_shown(
    location: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_EMBEDDER", "none")
    provider = HermesMemory(location)
    provider.initialize("s1", hermes_home=str(tmp_path))
    provider.sync_turn("When the ledger comes up, remind me of the audit.", "I will.")
    provider.sync_turn("<memory-context>I own a boat</memory-context>I live in Bremen.", "Noted.", messages=[])
    provider.on_session_switch("s2", parent_session_id="s1", reset=True)
    assert "Bremen" in provider.prefetch("where do I live?")
    assert "the audit" in provider.prefetch("how is the ledger?")
    provider.shutdown()
    with Reverie.open(location, embedder="none") as memory:
        assert [turn.text for turn in memory.space().turns("s1")][2:] == ["I live in Bremen.", "Noted."]
